/**
 * Before npm runs the install script of onnxruntime-node: on Linux that one downloads some hundred megabytes of GPU
 * libraries, and fails the whole install where their host cannot be reached. Causantic computes on the CPU, whose library
 * comes with the package. The script downloads nothing when it finds the files, so it finds empty ones; whoever
 * wants the GPU libraries for a program of their own says so with ONNXRUNTIME_NODE_INSTALL, and gets them.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const gpuLibraries = ['cuda', 'shared', 'tensorrt'].map((name) => `libonnxruntime_providers_${name}.so`);

const folder = binaryFolder();
if (folder !== undefined && existsSync(folder)) {
  for (const library of gpuLibraries.map((name) => join(folder, name))) {
    if (!existsSync(library)) writeFileSync(library, '');
  }
}

/** @returns {string | undefined} where the binaries for this platform lie, if the package is there */
function binaryFolder() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const main = createRequire(import.meta.url).resolve('onnxruntime-node');
    return join(dirname(dirname(main)), 'bin', 'napi-v6', 'linux', 'x64');
  } catch (error) {
    // Nothing may stop an install that would go well without this.
    console.error(`causantic: onnxruntime-node is not there yet (${error})`);
    return undefined;
  }
}
