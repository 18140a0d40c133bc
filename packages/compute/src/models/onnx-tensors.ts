/** Field numbers of `onnx.proto3` (ONNX 1.15): ModelProto.graph, GraphProto.initializer, TensorProto's name and data. */
const GRAPH = 7;
const INITIALIZER = 5;
const NAME = 8;
const RAW_DATA = 9;

/** The constants of an ONNX graph that hold their values as raw bytes (little-endian), by name. */
export function onnxTensors(model: Buffer): Map<string, Buffer> {
  const tensors = new Map<string, Buffer>();
  for (const graph of fieldsOf(model, GRAPH)) {
    for (const tensor of fieldsOf(graph, INITIALIZER)) {
      const [name] = fieldsOf(tensor, NAME);
      const [data] = fieldsOf(tensor, RAW_DATA);
      if (name !== undefined && data !== undefined) tensors.set(name.toString('utf8'), data);
    }
  }
  return tensors;
}

const enum WireType {
  Varint = 0,
  Bytes = 2,
}

/** The values of one field of such a message; only fields that hold bytes are asked for, and none are of other types. */
function fieldsOf(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < message.length;) {
    const tag = varint(message, at);
    const field = tag.value >>> 3;
    const type = (tag.value & 7) as WireType;
    if (type !== WireType.Varint && type !== WireType.Bytes) return found;
    const { value, end } = varint(message, tag.end);
    at = type === WireType.Bytes ? end + value : end;
    if (type === WireType.Bytes && field === wanted) found.push(message.subarray(end, at));
  }
  return found;
}

function varint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  let at = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: at };
  }
}
