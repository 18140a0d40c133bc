/** Field numbers of `onnx.proto3` (ONNX 1.15): of ModelProto, GraphProto, NodeProto, AttributeProto and TensorProto. */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5 };
const NODE = { attribute: 5 };
const ATTRIBUTE = { tensor: 5 };
const TENSOR = { name: 8, rawData: 9, externalData: 13 };
const ENTRY = { key: 1, value: 2 };

/** The constants of an ONNX graph that hold their values as raw bytes (little-endian), by name. */
export function onnxTensors(model: Buffer): Map<string, Buffer> {
  const tensors = new Map<string, Buffer>();
  for (const tensor of fieldsOf(model, MODEL.graph, GRAPH.initializer)) {
    const [name] = fieldsOf(tensor, TENSOR.name);
    const [data] = fieldsOf(tensor, TENSOR.rawData);
    if (name !== undefined && data !== undefined) tensors.set(name.toString('utf8'), data);
  }
  return tensors;
}

/** The files beside an ONNX graph that hold constants of it. A model of over two gigabytes has them, and others may. */
export function externalFiles(model: Buffer): string[] {
  const tensors = [
    ...fieldsOf(model, MODEL.graph, GRAPH.initializer),
    ...fieldsOf(model, MODEL.graph, GRAPH.node, NODE.attribute, ATTRIBUTE.tensor),
  ];
  const files = tensors.flatMap((tensor) =>
    fieldsOf(tensor, TENSOR.externalData)
      .filter((entry) => fieldsOf(entry, ENTRY.key).toString() === 'location')
      .map((entry) => fieldsOf(entry, ENTRY.value).toString()),
  );
  return [...new Set(files)];
}

const enum WireType {
  Varint = 0,
  Bytes = 2,
}

/** The values of a field of such a message, or of a field within it; only fields that hold bytes are asked for. */
function fieldsOf(message: Buffer, wanted: number, ...within: number[]): Buffer[] {
  const [next, ...further] = within;
  const found = valuesOf(message, wanted);
  return next === undefined ? found : found.flatMap((value) => fieldsOf(value, next, ...further));
}

function valuesOf(message: Buffer, wanted: number): Buffer[] {
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
