import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeAbandonedFiles } from '@causantic/domain';

/** Names the vector indexes of projects and a model, in their order; also the beginnings of their files' names. */
export function indexKeys(modelId: string, projectIds: readonly number[]): string[] {
  const tag = modelTag(modelId);
  return projectIds.map((projectId) => `${tag}-${projectId}`);
}

/** Ids contain slashes, and may be long or differ only in case. */
function modelTag(modelId: string): string {
  const readable = modelId.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40);
  return `${readable}-${hash('sha256', modelId).slice(0, 8)}`;
}

/** What a killed program leaves unfinished. */
const UNFINISHED = /^(?:part|probe)-[\da-f-]+\.tmp|\.faiss\.[\da-f-]+\.tmp$/;

/**
 * Deletes index files, except those of the given models, and what killed programs left of any. They are rebuilt from the
 * store when needed.
 */
export function removeIndexFiles(directory: string, { except }: { except: readonly string[] }): void {
  if (!existsSync(directory)) return;
  removeAbandonedFiles(directory, UNFINISHED);
  const kept = except.map((modelId) => `${modelTag(modelId)}-`);
  for (const name of readdirSync(directory)) {
    const isKept = kept.some((beginning) => name.startsWith(beginning));
    if (name.endsWith('.faiss') && !isKept) rmSync(join(directory, name), { force: true });
  }
}
