import { abridged, counted, errorMessage, NotFoundError } from '@causantic/domain';
import { requireSession, sessionsNamed } from '../arguments.js';
import { listProjectsTool } from '../causantic/list-projects.js';
import { listSessionsTool } from '../causantic/list-sessions.js';
import { reconstructTool } from '../causantic/reconstruct.js';
import { callTool, type ToolContext } from '../tool.js';
import { invalidParams, isOfCaller, unknownResource } from './errors-on-the-wire.js';

const PROJECTS = 'causantic://projects';
const MIME_TYPE = 'text/plain';
/** Projects in one answer; a client asks for the next page with the cursor it is given. */
const PAGE = 100;

/** The memory as documents: the answers of the listing tools, under addresses. */
export const resourceTemplates = [
  {
    uriTemplate: `${PROJECTS}/{project}`,
    name: 'project',
    title: 'Sessions of a project',
    description: 'The sessions of one project with times and sizes, as list-sessions shows them.',
    mimeType: MIME_TYPE,
  },
  {
    uriTemplate: 'causantic://sessions/{id}',
    name: 'session',
    title: 'A session',
    description:
      'What was said and done in one session, as reconstruct shows it. The first 8 characters of the id are enough.',
    mimeType: MIME_TYPE,
  },
];

/**
 * The list of projects, then the projects, most recently used first.
 * @throws RpcError for an unknown cursor
 */
export function listResources({ store }: ToolContext, cursor = '') {
  const start = Number(cursor);
  if (!/^\d*$/.test(cursor) || start % PAGE !== 0)
    throw invalidParams(`Unknown cursor "${abridged(cursor)}".`);
  const projects = store.projects.list();
  const page = projects.slice(start, start + PAGE).map(({ slug, path, chunks }) => ({
    uri: `${PROJECTS}/${encodeURIComponent(slug)}`,
    name: slug,
    title: `Sessions of ${slug}`,
    description: `${path} (${counted(chunks, 'chunk')})`,
    mimeType: MIME_TYPE,
  }));
  const all = { uri: PROJECTS, name: 'projects', title: 'Projects in memory', mimeType: MIME_TYPE };
  return {
    resources: start === 0 ? [all, ...page] : page,
    ...(start + PAGE < projects.length && { nextCursor: String(start + PAGE) }),
  };
}

/** @throws RpcError with MCP's code for an unknown address */
export async function readResource(context: ToolContext, uri: string) {
  try {
    return { contents: [{ uri, mimeType: MIME_TYPE, text: await textOf(context, uri) }] };
  } catch (error) {
    throw isOfCaller(error) ? unknownResource(uri, error.message) : error;
  }
}

async function textOf(context: ToolContext, uri: string): Promise<string> {
  if (uri === PROJECTS) return (await callTool(listProjectsTool, {}, context)).text;
  const [, kind, name] = /^causantic:\/\/(projects|sessions)\/([^/]+)$/.exec(uri) ?? [];
  if (name === undefined)
    throw new NotFoundError(
      `unknown address; there are ${PROJECTS}, ${PROJECTS}/{project} and causantic://sessions/{id}.`,
    );
  return kind === 'projects' ? projectText(context, decoded(name)) : sessionText(context, decoded(name));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new NotFoundError('invalid percent-encoding.', { cause });
  }
}

async function projectText(context: ToolContext, project: string): Promise<string> {
  if (!context.store.projects.findBySlug(project)) throw new NotFoundError('there is no such project.');
  return (await callTool(listSessionsTool, { project }, context)).text;
}

async function sessionText(context: ToolContext, id: string): Promise<string> {
  const { store } = context;
  if (sessionsNamed(store, id, 1).length === 0) throw new NotFoundError('there is no such session.');
  const { uuid, projectId } = requireSession(store, { argument: 'session_id', id });
  const project = store.projects.get(projectId)!.slug;
  const { text, error } = await callTool(reconstructTool, { project, session_id: uuid }, context);
  // This tool tells its own errors as text; a resource has a number for them.
  if (error !== undefined) throw new NotFoundError(errorMessage(error));
  return text;
}
