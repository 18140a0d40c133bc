import type { SessionDraft } from '@causantic/domain';
import type { TranscriptFile } from '../transcripts/describe-transcript.js';
import type { SessionFacts } from '../clients/events.js';
import type { Forgotten } from './forgotten.js';
import type { Redactor } from '../redaction/redaction.js';

export interface ReadSessionState {
  session: SessionDraft;
  /** The session that the transcript itself says it continues. */
  continuesUuid?: string | undefined;
}

/** What a transcript tells of its session: the first folder, branch and version, the last title. */
export class ReadSession {
  private session: SessionDraft;
  private continues: string | undefined;
  private planned: string | undefined;

  constructor(
    private readonly file: TranscriptFile,
    private readonly clean: { redactor: Redactor; forgotten: Forgotten },
    state?: ReadSessionState,
  ) {
    this.session = state?.session ?? newSession(file);
    this.continues = state?.continuesUuid;
  }

  /** Replaced, never changed. */
  get draft(): SessionDraft {
    return this.session;
  }

  get continuesUuid(): string | undefined {
    return this.continues;
  }

  /** The session whose plan it carries out. */
  get plannedIn(): string | undefined {
    return this.planned;
  }

  /** What a sub-agent's file says of itself is not its session's. */
  add({ cwd, title, gitBranch, clientVersion, continuesUuid, plannedIn }: SessionFacts): void {
    if (this.file.kind === 'subagent') return;
    const { redactor, forgotten } = this.clean;
    const known = this.session;
    this.continues = continuesUuid ?? this.continues;
    this.planned = plannedIn ?? this.planned;
    this.session = {
      ...known,
      cwd: known.cwd ?? cwd ?? null,
      title: title && forgotten.isEmpty ? redactor.clean(title) : known.title,
      gitBranch: known.gitBranch ?? (gitBranch ? redactor.cleanName(gitBranch) : null),
      clientVersion: known.clientVersion ?? (clientVersion ? redactor.cleanName(clientVersion) : null),
    };
  }
}

function newSession(file: TranscriptFile): SessionDraft {
  return {
    uuid: file.sessionUuid,
    source: file.source,
    cwd: file.kind === 'main' ? file.cwd : null,
    title: null,
    gitBranch: null,
    clientVersion: null,
  };
}
