import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from '../../tools/setup/dependencies.mjs';
import { runNode, type CommandResult } from '../../tools/setup/report.mjs';

export const workspace = fileURLToPath(new URL('../../', import.meta.url));

interface Dependencies {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Manifest extends Dependencies {
  name: string;
  version: string;
}

/**
 * An empty folder far from the workspace, into which npm installs packed packages. Nothing is downloaded and nothing
 * compiled: the third-party packages that they may ask for lie there beforehand, as the workspace has them. npm alone
 * decides which of them stay: whatever no package declares is removed.
 */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'causantic-packed-'));

  /**
   * @param folders of the packages, relative to the workspace
   * @param others packages of the registry that the consumer has anyway
   * @returns what npm said
   */
  async install(folders: readonly string[], others: Record<string, string> = {}): Promise<CommandResult> {
    const tarballs = await this.pack(folders);
    writeFileSync(
      join(this.folder, 'package.json'),
      JSON.stringify({ type: 'module', dependencies: others }),
    );
    this.provide({ dependencies: others });
    for (const folder of folders.map((name) => join(workspace, name)))
      this.provide(manifestOf(folder), folder);
    this.providePrograms();
    return this.npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs);
  }

  /** @returns the paths of the tarballs, in the same order */
  private async pack(folders: readonly string[]): Promise<string[]> {
    const destination = join(this.folder, 'tarballs');
    mkdirSync(destination);
    const paths = folders.map((folder) => join(workspace, folder));
    const packed = await this.npm('pack', '--pack-destination', destination, ...paths);
    if (!packed.ok) throw new Error(`npm pack failed: ${packed.output}`);
    return paths.map((path) => {
      const { name, version } = manifestOf(path);
      return join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    });
  }

  /**
   * Put what a package may ask for, and what that asks for in its turn, where npm finds it installed already.
   * @param folder of the package, if it may have versions of its own
   */
  private provide({ dependencies, optionalDependencies }: Dependencies, folder = workspace): void {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const source = [folder, workspace].map((from) => join(from, 'node_modules', name)).find(existsSync);
      const target = this.file('node_modules', name);
      if (name.startsWith('@causantic/') || source === undefined || existsSync(target)) continue;
      linkFolder(source, target);
      for (const installed of [source, ...nestedPackages(source)]) this.provide(manifestOf(installed));
    }
  }

  /** Npm takes a package whose programs are missing for broken, and would fetch it. Those of our own it is to make itself. */
  private providePrograms(): void {
    cpSync(join(workspace, 'node_modules', '.bin'), this.file('node_modules', '.bin'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !basename(path).startsWith('causantic'),
    });
  }

  file(...path: string[]): string {
    return join(this.folder, ...path);
  }

  read(...path: string[]): string {
    return readFileSync(this.file(...path), 'utf8');
  }

  npm(...args: string[]): Promise<CommandResult> {
    return runNpm(args, { cwd: this.folder, env: { npm_config_cache: this.file('cache') } });
  }

  /** @param args of node */
  node(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
    return runNode(args, { cwd: this.folder, env });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Folders of the packages that lie in a package's own `node_modules`, whatever their depth. */
function nestedPackages(folder: string): string[] {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  const folders = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((below) => join(name, below)) : [name],
  );
  return folders.flatMap((name) => [join(modules, name), ...nestedPackages(join(modules, name))]);
}

/** Hard links, since the native packages take hundreds of megabytes; copies where the disk is another one. */
function linkFolder(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) linkFolder(from, to);
    else if (entry.isFile()) linkFile(from, to);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(from, to);
  }
}
