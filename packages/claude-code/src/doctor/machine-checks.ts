import { type ExecFileException, execFile } from 'node:child_process';
import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError, errorMessage, howToBuild, loadConfig } from '@causantic/domain';
import { SQLITE_PACKAGE } from '@causantic/storage';
import { ownFiles } from '../install/purge.js';
import { type Check, failure, info, ok, warning } from './check.js';

const run = promisify(execFile);

const NEEDED_NODE = [20, 19] as const;

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
  return isNew
    ? ok('node', `Node ${version}`)
    : failure('node', `Node ${version} is too old`, `install Node ${NEEDED_NODE.join('.')} or later`);
}

/** @param isClosed whether a file or folder in the home is not to be read and written */
export function checkHome(home: string, isClosed: (path: string) => boolean = isClosedToUser): Check {
  const fix = `give yourself access to ${home}`;
  let files: string[];
  try {
    const found = statSync(home, { throwIfNoEntry: false });
    if (!found) return missingHome(home);
    if (!found.isDirectory())
      return failure('home', `${home} is not a folder`, 'move it away, or set CAUSANTIC_HOME to a folder');
    accessSync(home, constants.R_OK | constants.X_OK);
    files = ownFiles(home);
  } catch (error) {
    return failure('home', errorMessage(error), fix);
  }
  try {
    accessSync(home, constants.W_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    return warning('home', `${home} is read-only (${reason}), so nothing new is remembered`, fix);
  }
  // Settings may be meant to be read only; another check reads them.
  const closed = files.find((path) => basename(path) !== 'config.json' && isClosed(path));
  if (closed !== undefined) {
    const message = `${closed} cannot be both read and written`;
    return warning('home', message, `give yourself access to ${closed}`);
  }
  // Windows keeps rights in another way, and shows the same mode for all.
  const isOpen = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
  if (!isOpen) return ok('home', home);
  const closing = `chmod 700 ${home}; if the disk knows no modes, set CAUSANTIC_HOME to a folder on another`;
  return warning('home', `other users can read ${home}`, closing);
}

/** Nothing can be made where a link leads to nothing, or on a drive of Windows that is not there. */
function missingHome(home: string): Check {
  let nearest = home;
  while (dirname(nearest) !== nearest && !lstatSync(nearest, { throwIfNoEntry: false }))
    nearest = dirname(nearest);
  return existsSync(nearest)
    ? failure('home', `${home} does not exist`, 'run causantic init')
    : failure('home', `${nearest} leads to what is not there`, 'connect its disk, or make the folder');
}

/** As what a program that another user started has made: `sudo causantic`, say. */
function isClosedToUser(path: string): boolean {
  try {
    // Without the last, nothing in a folder can be opened.
    const forFolders = statSync(path).isDirectory() ? constants.X_OK : 0;
    accessSync(path, constants.R_OK | constants.W_OK | forFolders);
    return false;
  } catch {
    // It may be gone since it was listed.
    return existsSync(path);
  }
}

const MB = 1_000_000;
/** Less than a session takes. */
const NO_ROOM_BYTES = 5 * MB;
const LITTLE_ROOM_BYTES = 200 * MB;

/** Room on the disk, as the user may have it. */
export function checkDisk(home: string, bytesLeft: (folder: string) => number = roomAt): Check {
  if (!existsSync(home)) return info('disk', 'not checked: there is no home');
  const bytes = bytesLeft(home);
  const message = `${(bytes / MB).toFixed(bytes < 100 * MB ? 1 : 0)} MB free for ${home}`;
  if (bytes < NO_ROOM_BYTES)
    return failure('disk', `full: ${message}`, 'free disk space: until then, nothing new is remembered');
  return bytes < LITTLE_ROOM_BYTES ? warning('disk', message, 'free disk space soon') : ok('disk', message);
}

function roomAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function checkConfig(home: string, projectDir: string, env: NodeJS.ProcessEnv): Check {
  try {
    loadConfig({ home, projectDir, env });
    return ok('config', 'valid');
  } catch (error) {
    const namesKey = error instanceof ConfigError && error.data['key'] !== undefined;
    const fix = namesKey ? 'correct or remove the key' : 'correct the file, or give yourself access to it';
    return failure('config', errorMessage(error), fix);
  }
}

/** The modules that are compiled for a machine and a version of Node, and a use that needs their native part. */
const NATIVE_MODULES: Record<string, string> = {
  [SQLITE_PACKAGE]: `new (require('${SQLITE_PACKAGE}'))(':memory:').close()`,
  // It sends telemetry when it is loaded, unless it is told not to.
  'onnxruntime-node': "process.env.ORT_DISABLE_TELEMETRY = '1'; require('onnxruntime-node')",
  'faiss-node': "require('faiss-node')",
  'tree-sitter': "new (require('tree-sitter'))()",
};

/** Native modules with a replacement of our own. */
const REPLACEABLE: Record<string, string> = {
  'onnxruntime-node': 'the built-in model works without it; other models cannot be used',
  'faiss-node': 'vectors are searched by the built-in scan instead',
};

/**
 * All are used in one process and, if that fails, each in one of its own: one that was built for another version of Node
 * can end the process.
 * @param folder from which the modules are looked up; by default as this program does
 */
export async function checkNativeModules(
  folder: string = dirname(fileURLToPath(import.meta.url)),
): Promise<Check[]> {
  const modules = Object.entries(NATIVE_MODULES);
  return useAlone(Object.values(NATIVE_MODULES).join('; '), folder).then(
    () => modules.map(([name]) => ok(name, 'loads')),
    () => Promise.all(modules.map(([name, use]) => checkNativeModule(name, use, folder))),
  );
}

function useAlone(use: string, folder: string): Promise<unknown> {
  return run(process.execPath, ['--input-type=commonjs', '--eval', use], { cwd: folder });
}

async function checkNativeModule(name: string, use: string, folder: string): Promise<Check> {
  try {
    await useAlone(use, folder);
    return ok(name, 'loads');
  } catch (error) {
    const { signal, stderr } = error as ExecFileException & { stderr: string };
    const replacement = REPLACEABLE[name];
    // One that ends its process would end the server, too, replacement or not.
    if (replacement !== undefined && !signal) return info(name, `does not load: ${replacement}`);
    const reason = signal
      ? `it crashes the process (${signal})`
      : (/^\w*Error: .*/m.exec(stderr)?.[0] ?? stderr);
    return failure(name, `does not load: ${reason}`, howToBuild(name));
  }
}
