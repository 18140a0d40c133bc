import { type JsonObject, stringOf } from '../../transcripts/records.js';

export interface TitlesState {
  /** A record of the conversation was seen: from here on, titles are this session's. */
  begun: boolean;
  /** A person gave the session its title. */
  named?: boolean;
  latest?: Latest;
}

/** The latest records, by their ids; and whether a title was of one that was the latest. */
interface Latest {
  record: string | null;
  message: string | null;
  isTitled: boolean;
}

/** Why the model could not be asked for a title. */
const FAILED_TITLE =
  /^(?:API Error(?::| \(|$)|Invalid API key · |Credit balance is too low$|Please run \/login|Request timed out(?:$| \(check )|Prompt is too long$|(?:Claude AI usage|\S+) limit reached(?:\|\d| \S resets )|You've hit your limit · )/;

/** Tells which of the titles in a file is the session's: a model gives it some, a person one, and others' may stand there, too. */
export class Titles {
  private begun: boolean;
  private named: boolean;
  private readonly latest: Latest;

  constructor(state?: TitlesState) {
    this.begun = state?.begun ?? false;
    this.named = state?.named ?? false;
    this.latest = { record: null, message: null, isTitled: false, ...state?.latest };
  }

  state(): TitlesState {
    return { begun: this.begun, named: this.named, latest: { ...this.latest } };
  }

  noteRecord(uuid: string | null): void {
    this.latest.record = uuid ?? this.latest.record;
  }

  noteMessage(uuid: string | null): void {
    this.begun = true;
    this.latest.message = uuid ?? this.latest.message;
  }

  /** The session's title, where the record gives it one. */
  titleIn(record: JsonObject): string | null {
    switch (record['type']) {
      case 'summary':
        // Older clients begin a file with the titles of other sessions.
        return this.begun ? this.titleInSummary(record) : null;
      case 'ai-title':
        return this.named ? null : stringOf(record['aiTitle']);
      case 'custom-title':
        this.named = true;
        return stringOf(record['customTitle']);
      default:
        return null;
    }
  }

  /** When a session goes on, titles of other sessions may stand behind its own, which names the latest record. */
  private titleInSummary({ summary, leafUuid }: JsonObject): string | null {
    const { latest } = this;
    const isOwn = leafUuid === latest.record || leafUuid === latest.message;
    const isLeft = !isOwn && latest.isTitled;
    latest.isTitled ||= isOwn;
    const title = stringOf(summary);
    // What came of asking the model for a title.
    return isLeft || title === null || FAILED_TITLE.test(title) ? null : title;
  }
}
