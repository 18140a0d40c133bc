import { isObject } from '@causantic/domain';

/** JSON-RPC's codes. */
export const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** What stands for the id of a request that has none, or none that can be read. */
type Id = string | number | null;

/** An error as JSON-RPC writes it. */
export function rpcError(code: number, message: string, id: Id = null) {
  return { jsonrpc: '2.0' as const, error: { code, message }, id };
}

/** Messages, one or a batch of them, without the null that some libraries write for parameters that they leave out. */
export function withoutNulls(received: unknown): unknown {
  return Array.isArray(received) ? received.map(withNonNullParams) : withNonNullParams(received);
}

function withNonNullParams(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { params, ...rest } = message;
  if (params === null || params === undefined) return rest;
  if (!isObject(params)) return message;
  return {
    ...rest,
    params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
  };
}

/** The answer to what is no message of the protocol; undefined if nobody waits for one, as behind a notification or an answer. */
export function refusalOf(value: unknown) {
  const { id, ...rest } = isObject(value) ? value : {};
  if ('result' in rest || 'error' in rest || ('method' in rest && id === undefined)) return undefined;
  return rpcError(
    INVALID_REQUEST,
    NO_REQUEST,
    typeof id === 'string' || Number.isInteger(id) ? (id as Id) : null,
  );
}

const NO_REQUEST =
  'Invalid request; expected an object with "jsonrpc": "2.0", an "id" that is text or a whole number, a "method" and, ' +
  'if there are any, "params" that are an object.';
