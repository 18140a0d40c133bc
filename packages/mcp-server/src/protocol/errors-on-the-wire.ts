import {
  abridged,
  CausanticError,
  errorMessage,
  InvalidArgumentError,
  NotFoundError,
} from '@causantic/domain';
import { isProgramReplaced } from '../program-files.js';

/** The document's code for an error inside a known tool. */
const TOOL_ERROR = -32002;
/** MCP's code for an unknown resource; the same number. */
const RESOURCE_NOT_FOUND = -32002;
/** JSON-RPC's own code for wrong parameters: no such tool, prompt or argument. */
const INVALID_PARAMS = -32602;
/** MCP's code, since 2026-07-28. */
const UNSUPPORTED_PROTOCOL = -32022;

/** An error with the numbers of JSON-RPC; the SDK puts code, message and data on the wire. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(INVALID_PARAMS, message);
}

/** A client of the protocol without sessions can begin one of ours, with one of these versions. */
export function unsupportedProtocol(requested: string, supported: readonly string[]): RpcError {
  const message = `Unsupported protocol version ${requested}; begin with initialize and one of: ${supported.join(', ')}.`;
  return new RpcError(UNSUPPORTED_PROTOCOL, message, { supported, requested });
}

export function unknownResource(uri: string, reason: string): RpcError {
  const told = abridged(uri);
  return new RpcError(RESOURCE_NOT_FOUND, `Resource ${told}: ${reason}`, { uri: told });
}

/** Whether a caller can put it right by asking for something else. */
export function isOfCaller(error: unknown): error is InvalidArgumentError | NotFoundError {
  return error instanceof InvalidArgumentError || error instanceof NotFoundError;
}

const RESTART =
  'Causantic was updated or removed while this server was running. Restart the server (in Claude Code: /mcp, or a new session).';

/** A tool's error, with the document's code and the tool's name. */
export function toolError(tool: string, error: unknown): RpcError {
  const data = error instanceof CausanticError ? { code: error.code, ...error.data } : undefined;
  const advice = !isOfCaller(error) && isProgramReplaced() ? ` ${RESTART}` : '';
  return new RpcError(TOOL_ERROR, `Tool "${tool}" failed: ${errorMessage(error)}${advice}`, {
    tool,
    ...data,
  });
}
