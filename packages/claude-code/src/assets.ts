import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the plugin that comes with the package, seen from the built package and from a bundled app. */
export function pluginFolder(): string {
  const places = ['../assets/plugin/', './assets/claude-code/plugin/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return places.find((folder) => existsSync(folder)) ?? places[0]!;
}
