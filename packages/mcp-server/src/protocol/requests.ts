import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol, type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  type Result,
  type ServerNotification,
  type ServerRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { wrongArgument } from '../tool.js';
import { invalidParams, unsupportedProtocol } from './errors-on-the-wire.js';

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A tool call with any arguments or none: the tool itself says what is wrong with them. */
export const CallSchema = CallToolRequestSchema.extend({
  params: CallToolRequestSchema.shape.params.extend({ arguments: z.unknown().optional() }),
});

/** The SDK's schema knows two forms of what is completed, and could not say what either of them lacks. */
export const CompleteSchema = CompleteRequestSchema.extend({
  params: CompleteRequestSchema.shape.params.extend({
    ref: z.looseObject({ type: z.enum(['ref/prompt', 'ref/resource']) }),
  }),
});

type RequestSchema = z.ZodObject<{ method: z.ZodLiteral<string> }>;

/**
 * Registers a handler for a method. Wrong parameters get JSON-RPC's code for them; the SDK would call them an internal
 * error, and send its validator's report.
 */
export function answer<Schema extends RequestSchema>(
  server: Server,
  schema: Schema,
  handler: (request: z.infer<Schema>, extra: RequestExtra) => Result | Promise<Result>,
): void {
  const anyOfMethod = z.looseObject({ method: schema.shape.method });
  // The method of `Server` itself would check calls of tools once more.
  Protocol.prototype.setRequestHandler.call(server, anyOfMethod, (request, extra) => {
    if (request.method !== 'initialize') refuseWithoutSession(server, request);
    return handler(checked(schema, request), extra as RequestExtra);
  });
}

/** The protocol without sessions has its version in every request, and no `initialize` before it. */
function refuseWithoutSession(server: Server, request: unknown): void {
  if (server.getClientVersion()) return;
  const asked = VersionSchema.safeParse(request).data?.params._meta[PROTOCOL_VERSION];
  if (asked !== undefined) throw unsupportedProtocol(asked, SUPPORTED_PROTOCOL_VERSIONS);
}

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const VersionSchema = z.looseObject({
  params: z.looseObject({ _meta: z.looseObject({ [PROTOCOL_VERSION]: z.string() }) }),
});

function checked<Schema extends RequestSchema>(schema: Schema, request: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const isInside = issue.path.length > 1;
  throw invalidParams(wrongArgument(issue, request, isInside ? issue.path.slice(1) : issue.path).message);
}
