import type * as z from 'zod';
import type { WorkerPool } from '@causantic/compute';
import { acceptedBy, InvalidArgumentError, type Config } from '@causantic/domain';
import type { Hit, SemanticSearch } from '@causantic/retrieval';
import type { Store } from '@causantic/storage';
import type { VectorState } from './semantic-service.js';

/** What tools are given; nothing global. */
export interface ToolContext {
  store: Store;
  config: Config;
  /** Of an answer, whatever is asked for: more would not be shown; undefined where nothing is known of that. */
  mostTokens?: number;
  /** The product's version. */
  version: string;
  /** Causantic's home folder. */
  home: string;
  /** Where the process was started; undefined where that folder was deleted before. */
  projectDir: string | undefined;
  /** Wall clock, milliseconds since the epoch. */
  clock: () => number;
  /** Worker threads; started when first used. */
  workers: () => Promise<WorkerPool>;
  /** Search by meaning; opened when first used. */
  semantic: () => Promise<SemanticSearch>;
  /** How many chunks have vectors, of which model, and what they are searched with. */
  vectors: () => Promise<VectorState>;
  /** Deletes chunks off the main thread; gives the number that existed. */
  deleteChunks: (ids: number[]) => Promise<number>;
}

/** A tool's answer: one text for the model, and detail that clients keep to themselves. */
export interface ToolAnswer {
  text: string;
  hits?: readonly Hit[];
  diagnostics?: unknown;
  /** What was thrown, where the text tells of it. */
  error?: unknown;
}

/** What a caller may want of one call. */
export interface CallOptions {
  /** Fires when the caller gave up. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** The folder that the caller works in; undefined where it does not tell. */
  folder?: () => Promise<string | undefined>;
}

export interface ToolDefinition<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  /** Arguments; anything else is refused by name. */
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

/** A tool whose arguments' types follow from its schema. */
export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): ToolDefinition {
  return definition as unknown as ToolDefinition;
}

export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/**
 * Check arguments and run a tool.
 * @throws InvalidArgumentError naming the argument and what is accepted; whatever the tool throws
 */
export async function callTool(
  tool: ToolDefinition,
  input: unknown,
  context: ToolContext,
  options: CallOptions = {},
): Promise<ToolAnswer> {
  const parsed = tool.input.safeParse(withoutNulls(tool, input) ?? {});
  if (!parsed.success) throw asArgumentError(tool, parsed.error.issues[0]!, input);
  return tool.run(parsed.data, context, options);
}

/**
 * As models and libraries write what they leave out. Not for a tool that deletes: what was to be a date, and became
 * null, must not widen what goes.
 */
function withoutNulls(tool: ToolDefinition, input: unknown): unknown {
  if (!tool.annotations.readOnlyHint || typeof input !== 'object' || input === null || Array.isArray(input))
    return input;
  const shape = tool.input.shape as Record<string, z.ZodType>;
  const isLeftOut = ([key, value]: [string, unknown]) =>
    value === null && Object.hasOwn(shape, key) && shape[key]!.safeParse(undefined).success;
  return Object.fromEntries(Object.entries(input).filter((entry) => !isLeftOut(entry)));
}

function asArgumentError(
  tool: ToolDefinition,
  issue: z.core.$ZodIssue,
  input: unknown,
): InvalidArgumentError {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(tool.input.shape);
    const accepted = known.length === 0 ? 'no arguments' : `one of: ${known.join(', ')}`;
    return new InvalidArgumentError(issue.keys[0]!, valueAt(input, [issue.keys[0]!]), accepted);
  }
  return wrongArgument(issue, input, issue.path);
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
