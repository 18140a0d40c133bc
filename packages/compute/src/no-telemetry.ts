/**
 * ONNX Runtime reports each process and model to its makers, and writes a machine id to the user's home, unless this
 * variable is set before it is loaded. Call this on the main thread: native code does not see what a worker sets.
 */
export function refuseTelemetry(): void {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}
