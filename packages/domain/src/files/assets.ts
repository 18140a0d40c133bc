import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of a file or folder that comes with a package, seen from the built package and from a bundled app.
 *
 * @param moduleUrl the caller's `import.meta.url`
 * @param packageName without its scope
 * @param name below the package's `assets`
 */
export function assetPath(moduleUrl: string, packageName: string, name: string): string {
  // Modules stand in their package's folder of sources, or in one within it.
  const places = ['../assets/', '../../assets/', `./assets/${packageName}/`].map((folder) =>
    fileURLToPath(new URL(`${folder}${name}`, moduleUrl)),
  );
  return places.find((path) => existsSync(path)) ?? places[0]!;
}
