import type * as z from 'zod';
import type { WorkerPool } from '@causantic/compute';
import {
  acceptedBy,
  databasePath,
  InvalidArgumentError,
  isObject,
  StorageError,
  telling,
  type Config,
} from '@causantic/domain';
import type { Hit, RetrievalContext, SemanticSearch } from '@causantic/retrieval';
import { asStorageError, isSqliteError, type Store } from '@causantic/storage';
import type { VectorState } from './semantic-service.js';

/** Everything a tool gets; nothing is global. */
export interface ToolContext {
  store: Store;
  config: Config;
  /** Upper limit of an answer's tokens, because the client would not show more; undefined if unknown. */
  mostTokens?: number;
  /** The product's version. */
  version: string;
  /** Causantic's home folder. */
  home: string;
  /** The folder where the process was started; undefined if it had been deleted. */
  projectDir: string | undefined;
  /** The same, but undefined for a server of many clients. */
  callersFolder?: string | undefined;
  /** Wall clock, milliseconds since the epoch. */
  clock: () => number;
  /** Worker threads; started when first used. */
  workers: () => Promise<WorkerPool>;
  /** Search by meaning; opened when first used. */
  semantic: () => Promise<SemanticSearch>;
  semanticPatienceMs?: RetrievalContext['semanticPatienceMs'];
  /** How many chunks have vectors, of which model, and what they are searched with. */
  vectors: () => Promise<VectorState>;
  /**
   * Deletes chunks, and titles of sessions, off the main thread; returns the number of chunks that existed. Cancelled while
   * it waits for other processes, it deletes nothing.
   */
  deleteChunks: (ids: number[], titled: number[], options?: DeletionCall) => Promise<number>;
}

/** A tool's answer: one text for the model, and details that clients do not show it. */
export interface ToolAnswer {
  text: string;
  hits?: readonly Hit[];
  diagnostics?: unknown;
  /** The error, if the text reports one. */
  error?: unknown;
}

/** Options of one call. */
export interface CallOptions {
  /** Fires when the caller cancels. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** The folder that the caller works in, if it says so. */
  folder?: () => Promise<string | undefined>;
}

/** What a deletion takes of the options of its call. */
export type DeletionCall = Pick<CallOptions, 'signal' | 'onProgress'>;

export interface ToolDefinition<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  /** The schema of the arguments; unknown ones are refused by name. */
  input: z.ZodObject<Shape>;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
  run(
    input: z.infer<z.ZodObject<Shape>>,
    context: ToolContext,
    options: CallOptions,
  ): Promise<ToolAnswer> | ToolAnswer;
}

/** Defines a tool; the types of its arguments follow from its schema. */
export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): ToolDefinition {
  return definition as unknown as ToolDefinition;
}

export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/**
 * Checks arguments and runs a tool.
 * @throws InvalidArgumentError naming the argument and what is accepted; and errors of the tool
 */
export async function callTool(
  tool: ToolDefinition,
  input: unknown,
  context: ToolContext,
  options: CallOptions = {},
): Promise<ToolAnswer> {
  const parsed = tool.input.safeParse(input ?? {});
  if (!parsed.success) throw asArgumentError(tool, telling(parsed.error.issues)[0]!, input);
  try {
    return await tool.run(parsed.data, context, options);
  } catch (error) {
    throw ofMemory(error, context);
  }
}

/** An error of SQLite's as one that names the memory and says what to do; any other error as it is. */
export function ofMemory(error: unknown, { home }: Pick<ToolContext, 'home'>): unknown {
  return isSqliteError(error) ? asStorageError(error, databasePath(home)) : error;
}

/** What is read from the memory, for a tool that does without one that cannot be read: then it is undefined. */
export function ifReadable<T>(context: Pick<ToolContext, 'home'>, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (ofMemory(error, context) instanceof StorageError) return undefined;
    throw error;
  }
}

/**
 * Arguments without those that are null or empty and may be missing: some models and libraries write that for what they leave
 * out. Not for a tool that deletes: a date that became empty must not widen the deletion.
 */
export function withoutOmitted(tool: ToolDefinition, input: unknown): unknown {
  if (!tool.annotations.readOnlyHint || !isObject(input)) return input;
  const shape = tool.input.shape as Record<string, z.ZodType>;
  const isLeftOut = ([key, value]: [string, unknown]) =>
    (value === null || value === '') && Object.hasOwn(shape, key) && shape[key]!.safeParse(undefined).success;
  return Object.fromEntries(Object.entries(input).filter((entry) => !isLeftOut(entry)));
}

function asArgumentError(
  tool: ToolDefinition,
  issue: z.core.$ZodIssue,
  input: unknown,
): InvalidArgumentError {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(tool.input.shape);
    const accepted = known.length === 0 ? 'no arguments' : `only these arguments: ${known.join(', ')}`;
    return new InvalidArgumentError(issue.keys[0]!, valueAt(input, [issue.keys[0]!]), accepted);
  }
  const wrong = wrongArgument(issue, input, issue.path);
  const { description } = (tool.input.shape as Record<string, z.ZodType>)[String(issue.path[0])] ?? {};
  if (issue.code !== 'invalid_type' || valueAt(input, issue.path) !== undefined || !description) return wrong;
  // Whoever left it out has to be told what it is for, and where to find it.
  return new InvalidArgumentError(
    String(issue.path[0]),
    undefined,
    `${acceptedBy(issue, TYPE_NAMES)}: ${description.replace(/\.$/, '')}`,
  );
}

/** @param path where it stands, as its name */
export function wrongArgument(
  issue: z.core.$ZodIssue,
  input: unknown,
  path: readonly PropertyKey[],
): InvalidArgumentError {
  const name = path.map(String).join('.') || 'arguments';
  return new InvalidArgumentError(name, valueAt(input, issue.path), acceptedBy(issue, TYPE_NAMES));
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
};

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}
