import { it } from 'vitest';

process.env['ORT_DISABLE_TELEMETRY'] = '1';

const loads = await import('onnxruntime-node').then(
  () => true,
  () => false,
);

/**
 * For what computes with another model than the built-in one. ONNX Runtime has no build for every machine (decision
 * 0097): where it does not load, such tests are skipped.
 */
export const itWithOnnxRuntime = it.skipIf(!loads);
