import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { errorMessage, loadConfig } from '@causantic/domain';
import { type Check, failure, info, ok, warning } from './check.js';

const NEEDED_NODE = [20, 19] as const;

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
  return isNew
    ? ok('node', `Node ${version}`)
    : failure('node', `Node ${version} is too old`, `install Node ${NEEDED_NODE.join('.')} or later`);
}

export function checkHome(home: string): Check {
  if (!existsSync(home)) return failure('home', `there is no ${home}`, 'run causantic init');
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failure('home', errorMessage(error), `give yourself access to ${home}`);
  }
  // Windows keeps rights in another way, and shows the same mode for all.
  const isOpen = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
  return isOpen ? warning('home', `${home} can be read by others`, `chmod 700 ${home}`) : ok('home', home);
}

export function checkConfig(home: string, projectDir: string, env: NodeJS.ProcessEnv): Check {
  try {
    loadConfig({ home, projectDir, env });
    return ok('config', 'valid');
  } catch (error) {
    return failure('config', errorMessage(error), 'correct the key, or take it out');
  }
}

/** Native modules with a replacement of our own, and what it costs to do without. */
const REPLACEABLE: Record<string, string> = {
  'faiss-node': 'vectors are searched by a scan of our own',
  'tree-sitter': 'repository maps are made by patterns',
};

/** The modules that are compiled for a machine and a version of Node. */
export function checkNativeModules(): Check[] {
  const require = createRequire(import.meta.url);
  return ['better-sqlite3', 'onnxruntime-node', ...Object.keys(REPLACEABLE)].map((name) => {
    try {
      require(name);
      return ok(name, 'loads');
    } catch (error) {
      const reason = errorMessage(error).split('\n')[0]!;
      const replacement = REPLACEABLE[name];
      if (replacement !== undefined) return info(name, `not there: ${replacement}`);
      return failure(
        name,
        `does not load: ${reason}`,
        `npm rebuild ${name}, with the Node that runs Causantic`,
      );
    }
  });
}
