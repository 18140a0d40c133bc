import { madeOnce } from '@causantic/domain';
import type { DirectoryTrails } from './directory-trails.js';

/** Resolves imports of JavaScript, TypeScript and Python to files, by paths alone; build configuration is not read. */
export class ModuleNames {
  /** By their path without extension; what stands for its folder by the folder's, too. */
  private readonly files = new Map<string, number[]>();
  /** By the last part of their path, with an extension in Python. */
  private readonly byEnd = new Map<string, number[]>();
  /** By file, what of its path a module may end with: thousands of files have one name, and as many modules mean one of them. */
  private readonly named: string[] = [];
  /** What was found for modules that are not named from the file that imports them. */
  private readonly found = new Map<string, readonly number[]>();

  constructor(
    private readonly paths: readonly string[],
    private readonly trails: DirectoryTrails,
  ) {
    paths.forEach((path, file) => {
      if (!EXTENSION.test(path)) return;
      const add = (files: Map<string, number[]>, key: string) =>
        madeOnce(files, key, (): number[] => []).push(file);
      const name = withoutExtension(path);
      const withoutFile = name.replace(OF_FOLDER, '');
      add(this.files, name);
      if (withoutFile !== name) add(this.files, withoutFile);
      const usual = withoutUsual(path);
      const isPython = PYTHON.test(path);
      this.named[file] = isPython ? withoutFile : usual;
      add(this.byEnd, lastPart(usual) + (isPython ? '.py' : ''));
    });
  }

  /** @param module as it stands in an import, in Python with slashes for dots */
  filesOf(module: string, from: number): readonly number[] {
    if (module.startsWith('.')) return this.beside(module, from);
    const inPython = PYTHON.test(this.paths[from]!);
    const key = inPython ? `${module}.py` : module;
    const found = madeOnce(this.found, key, () =>
      inPython ? this.pythonModules(module) : this.scriptModules(module),
    );
    if (found.length < 2) return found;
    const depths = found.map((file) => this.trails.commonDepth(from, file));
    const nearest = Math.max(...depths);
    return found.filter((_, place) => depths[place] === nearest);
  }

  private beside(module: string, from: number): readonly number[] {
    const path = this.paths[from]!;
    let folderEnd = path.lastIndexOf('/');
    const steps = STEPS.exec(module)![0];
    for (let up = steps.indexOf('..'); up >= 0; up = steps.indexOf('..', up + 2))
      folderEnd = path.lastIndexOf('/', folderEnd - 1);
    const rest = module.slice(steps.length);
    const ofFolder = PYTHON.test(path) ? '__init__' : 'index';
    const name = path.slice(0, folderEnd + 1) + (rest === '' ? ofFolder : rest);
    return this.files.get(name) ?? this.files.get(withoutExtension(name)) ?? [];
  }

  /** By the end of the path, because configuration decides what the beginning means: `@scope/graph`, `@/views/list`. */
  private scriptModules(module: string): readonly number[] {
    const written = withoutExtension(module.replace(ALIAS, ''));
    const name = withoutUsual(written);
    if (name === '') return [];
    // What has one name is a package: a folder.
    const needsFolder = !module.includes('/');
    const found = (this.byEnd.get(lastPart(name)) ?? []).filter(
      (file) =>
        endsWithParts(this.named[file]!, name) &&
        (!needsFolder || OF_FOLDER.test(withoutExtension(this.paths[file]!))),
    );
    if (written === name) return found;
    // What is not left out is meant: `@/lib/money` is no `till/money`.
    const asWritten = found.filter((file) => endsWithParts(withoutExtension(this.paths[file]!), written));
    return asWritten.length > 0 ? asWritten : found;
  }

  /** A module in a package is never imported without the package's name: `import json` in Flask is not `flask.json`. */
  private pythonModules(module: string): readonly number[] {
    return (this.byEnd.get(`${lastPart(module)}.py`) ?? []).filter((file) => {
      const name = this.named[file]!;
      return endsWithParts(name, module) && !this.files.has(`${name.slice(0, -module.length)}__init__`);
    });
  }
}

/** Whether the package that a module names may be of the tree, and hold this path: `@shop/cart` one in `shop/cart` or `shop-cart`. */
export function mayBeInPackage(path: string, module: string): boolean {
  const [, scope, name] = PACKAGE.exec(module)!;
  const folders = scope === undefined ? [name] : [`${scope}/${name}`, `${scope}-${name}`];
  return folders.some((folder) => `/${path}`.includes(`/${folder}/`));
}

const PACKAGE = /^(?:@([^/]+)\/)?([^/]*)/;
const PYTHON = /\.pyi?$/;
const EXTENSION = /\.(?:[cm]?[jt]sx?|pyi?|vue|svelte|astro)$/;
/** What stands for its folder. */
const OF_FOLDER = /\/(?:index|__init__)$/;
const STEPS = /^(?:\.\.?(?:\/+|$))*/;
/** What stands for the root of a package or a source folder. */
const ALIAS = /^(?:[@$][^/]*|~|#)\/|^#/;
/** Parts of paths that imports leave out. */
const USUAL = new Set(['', '.', '..', 'src', 'lib', 'index', '__init__']);

/** A module names no file that has not its end. That of `..` and `./src` is empty. */
export function endOfModule(module: string): string {
  return lastPart(withoutUsual(module.replace(ALIAS, '')));
}

export function endsOfFile(path: string): string[] {
  const end = endOfFile(path);
  return end === lastPart(withoutExtension(path)) ? [end] : [end, ''];
}

function endOfFile(path: string): string {
  return lastPart(withoutUsual(path));
}

/** It brings in whatever it imports, and gives the modules in its folder their full names. */
export function isPythonPackage(path: string): boolean {
  return /(?:^|\/)__init__\.pyi?$/.test(path);
}

function withoutExtension(path: string): string {
  return path.replace(EXTENSION, '');
}

function withoutUsual(path: string): string {
  return withoutExtension(path)
    .split('/')
    .filter((part) => !USUAL.has(part))
    .join('/');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function endsWithParts(path: string, end: string): boolean {
  return path.endsWith(end) && (path.length === end.length || path.at(-1 - end.length) === '/');
}
