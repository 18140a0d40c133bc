import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the model that comes with the package, seen from the built package and from a bundled app. */
export function defaultModelDir(): string {
  const places = ['../assets/model/', './assets/compute/model/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return places.find((folder) => existsSync(folder)) ?? places[0]!;
}
