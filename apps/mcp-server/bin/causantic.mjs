#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Beside the program, so that it goes with it. Node before 22.8 has none, and where nothing can be written, nothing is.
module.enableCompileCache?.(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
await import('../dist/main.js');
