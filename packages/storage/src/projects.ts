import type { Database } from 'better-sqlite3';
import { asCompared, type ProjectDraft } from '@causantic/domain';
import { prepared } from './database/prepared.js';
import { moveSession } from './move-session.js';
import { writeTransaction } from './database/write-transaction.js';

export interface StoredProject {
  id: number;
  slug: string;
  path: string;
}

export interface ProjectSummary extends StoredProject {
  chunks: number;
  startTimeMs: number | null;
  endTimeMs: number | null;
}

const WINDOWS_PATH = /^(?:[A-Z]:\\|\\\\)/;

/** A project, or the one it was joined to. */
const FIND = `SELECT p.id, p.slug, p.path FROM project named JOIN project p ON p.id = coalesce(named.joined_to, named.id)`;

/** Repositories and folders, identified by canonical path; people refer to them by slug. */
export class Projects {
  constructor(private readonly db: Database) {}

  /**
   * Joins two projects: the former's sessions move to the other, and from then on its folder and name refer to the
   * other.
   */
  join(formerId: number, id: number): void {
    writeTransaction(this.db, () => {
      const sessions = this.db.prepare('SELECT id FROM session WHERE project_id = ?').pluck().all(formerId);
      for (const session of sessions as number[]) moveSession(this.db, session, id);
      this.db.prepare('DELETE FROM cluster WHERE project_id = ?').run(formerId);
      this.db.prepare('UPDATE project SET joined_to = ? WHERE ? IN (id, joined_to)').run(id, formerId);
    });
  }

  /** The folders of a project: its own, and those of projects joined to it. */
  folders(id: number): string[] {
    const sql = 'SELECT path FROM project WHERE ? IN (id, joined_to) ORDER BY joined_to IS NOT NULL, id';
    return prepared(this.db, sql).pluck().all(id) as string[];
  }

  /** The id of the project at this path; a new project gets a unique slug. */
  ensure(project: ProjectDraft): number {
    return writeTransaction(this.db, () => this.findByPath(project.path)?.id ?? this.add(project));
  }

  private add(project: ProjectDraft): number {
    const slug = this.freeSlug(project);
    const insert = this.db.prepare('INSERT INTO project (path, name, slug) VALUES (?, ?, ?)');
    return Number(insert.run(project.path, project.name, slug).lastInsertRowid);
  }

  private freeSlug(project: ProjectDraft): string {
    const taken = this.db.prepare('SELECT 1 FROM project WHERE slug = ?');
    for (let tries = 0; ; tries++) {
      const slug = slugCandidate(project, tries);
      if (taken.get(slug) === undefined) return slug;
    }
  }

  findBySlug(slug: string): StoredProject | undefined {
    return this.db.prepare(`${FIND} WHERE named.slug = ?`).get(slug) as StoredProject | undefined;
  }

  findByPath(path: string): StoredProject | undefined {
    const found = prepared(this.db, `${FIND} WHERE named.path = ?`).get(path) as StoredProject | undefined;
    return found ?? (WINDOWS_PATH.test(path) ? this.findInOtherCase(path) : undefined);
  }

  /** Gemini writes paths of Windows in small letters; the disk would tell, if the folder were still there. */
  private findInOtherCase(path: string): StoredProject | undefined {
    const paths = this.db.prepare('SELECT path FROM project ORDER BY id').pluck().all() as string[];
    const other = paths.find((each) => each !== path && asCompared(each) === asCompared(path));
    return other === undefined ? undefined : this.findByPath(other);
  }

  get(id: number): StoredProject | undefined {
    return this.db.prepare('SELECT id, slug, path FROM project WHERE id = ?').get(id) as
      StoredProject | undefined;
  }

  /** Names of non-empty projects: those that can be offered and were not forgotten. */
  slugsInUse(): string[] {
    const sql =
      'SELECT slug FROM project p WHERE EXISTS (SELECT 1 FROM chunk WHERE project_id = p.id) ORDER BY slug';
    return prepared(this.db, sql).pluck().all() as string[];
  }

  /** Non-empty projects, most recently used first. */
  list(): ProjectSummary[] {
    return this.db
      .prepare(
        // By session first: one walk along the index, and a few sessions to join instead of all chunks.
        `SELECT p.id, p.slug, p.path, sum(c.chunks) AS chunks,
           min(c.startTimeMs) AS startTimeMs, max(c.endTimeMs) AS endTimeMs
         FROM (SELECT session_id, count(*) AS chunks, min(start_time) AS startTimeMs, max(end_time) AS endTimeMs
               FROM chunk INDEXED BY chunk_extent GROUP BY session_id) c
           JOIN session s ON s.id = c.session_id JOIN project p ON p.id = s.project_id
         GROUP BY p.id ORDER BY endTimeMs DESC, p.slug`,
      )
      .all() as ProjectSummary[];
  }
}

/** `api`, then `work-api`, `ada-work-api` …: the folder's name, behind as many of the folders above it as it takes. */
function slugCandidate(project: ProjectDraft, tries: number): string {
  const name = asSlug(project.name) || 'project';
  const above = project.path
    .split(/[\\/]+/)
    .slice(0, -1)
    .map(asSlug)
    .filter(Boolean);
  const slug = [...above.slice(Math.max(0, above.length - tries)), name].join('-');
  return tries <= above.length ? slug : `${slug}-${tries - above.length + 1}`;
}

/** A name as it stands in a slug, which holds no blanks or quotes. */
export function asSlug(text: string): string {
  return text.replace(/[\s"'`\p{Cc}\p{Bidi_Control}]+/gu, '-').replace(/^-+|-+$/g, '');
}
