import { assetPath } from '@causantic/domain';

/** The folder of the model that comes with the package. */
export function defaultModelDir(): string {
  return assetPath(import.meta.url, 'compute', 'model/');
}
