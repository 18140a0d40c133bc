// The core may import no platform package, by name or by path: lint-canary must fail on both lines.
import * as storage from '@causantic/storage';
import * as storageByPath from '../../../packages/storage/src/index.js';

export const names = Object.keys({ ...storage, ...storageByPath });
