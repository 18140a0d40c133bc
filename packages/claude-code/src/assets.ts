import { assetPath } from '@causantic/domain';

/** The folder of the plugin that comes with the package. */
export function pluginFolder(): string {
  return assetPath(import.meta.url, 'claude-code', 'plugin/');
}
