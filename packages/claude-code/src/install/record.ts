import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorMessage, makeFolder, writeAtomically } from '@causantic/domain';
import { readJsonFile, textsIn, updateJsonFile } from '../locked-json-file.js';

/** What a file was before we changed it. */
interface ChangedFile {
  /** Name of its copy in `backups`; null where there was no file. */
  backup: string | null;
  /** SHA-256 of what we made of it: while that holds, the copy can be put back as it is. */
  changedTo: string;
}

/** What `init` did in a home, so that `uninstall` can undo it to the byte. */
export class InstallRecord {
  constructor(private readonly home: string) {}

  get file(): string {
    return join(this.home, 'installed.json');
  }

  /** What the file was, if it still is what we made of it: null for "there was none", undefined for "cannot be told". */
  original(file: string, current: string | null): string | null | undefined {
    const known = this.files()[file];
    if (!known || current === null || hash('sha256', current) !== known.changedTo) return undefined;
    if (known.backup === null) return null;
    const copy = join(this.home, 'backups', known.backup);
    return existsSync(copy) ? readFileSync(copy, 'utf8') : undefined;
  }

  /** Keep what a file was and what becomes of it; returns the path of the copy. */
  remember(file: string, original: string | null, changedTo: string): string | null {
    try {
      const copy = original === null ? null : this.keepCopy(file, original);
      const entry: ChangedFile = { backup: copy && basename(copy), changedTo: hash('sha256', changedTo) };
      this.update({ files: { ...this.files(), [file]: entry } });
      return copy;
    } catch (cause) {
      // The system does not always say where, and the home may be on another disk than the file.
      throw new Error(`cannot note in ${this.home} what it was: ${errorMessage(cause)}`, { cause });
    }
  }

  /** Returns the path of the copy. */
  keepCopy(file: string, text: string): string {
    const folder = join(this.home, 'backups');
    makeFolder(folder);
    const copy = join(folder, `${basename(file)}.${hash('sha256', file + text).slice(0, 12)}`);
    writeAtomically(copy, text);
    return copy;
  }

  forget(file: string): void {
    const { [file]: _gone, ...files } = this.files();
    this.update({ files });
  }

  changedFiles(): string[] {
    return Object.keys(this.files());
  }

  /** Folders that were made. */
  folders(): string[] {
    return textsIn(readJsonFile(this.file)['folders']);
  }

  rememberFolders(folders: readonly string[]): void {
    if (folders.length > 0) this.update({ folders: [...new Set([...this.folders(), ...folders])] });
  }

  /** A record of nothing that is still there goes; copies of settings stay in `backups`. */
  close(): void {
    if (!existsSync(this.file)) return;
    if (!this.changedFiles().some((file) => existsSync(file))) rmSync(this.file);
  }

  private files(): Record<string, ChangedFile> {
    const { files = {} } = readJsonFile(this.file);
    return files as Record<string, ChangedFile>;
  }

  private update(fields: Record<string, unknown>): void {
    updateJsonFile(this.file, (current) => ({ ...current, ...fields }));
  }
}
