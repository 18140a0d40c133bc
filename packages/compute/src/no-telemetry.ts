/**
 * ONNX Runtime tells its makers of each process and model, and writes an id of the machine into the user's home, unless
 * this stands in the environment before it is loaded. To be called on the main thread: what a worker sets there, native
 * code does not see.
 */
export function refuseTelemetry(): void {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}
