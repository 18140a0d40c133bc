// Finds what a chunk names.
import type { Span, Speaker } from '@causantic/domain';
import type { Entity } from '@causantic/storage';
import { SHELL_TOOL_NAMES } from '../turns/tool-names.js';

/** What a chunk names is looked for here; the long tail of a chunk that names more says little. */
const MOST_ENTITIES = 40;

interface NamedText {
  text: string;
  spans: readonly Span[];
  /** Files as the project spells them. */
  files: readonly string[];
}

/**
 * What a chunk names: files, symbols, error codes, commands, packages, tickets, commits, URLs, people, channels, meetings.
 * In tool results only error codes and commits are looked for, because they list files and names by the hundred.
 */
export function entitiesOf({ text, spans, files }: NamedText): Entity[] {
  const found = new Map<string, Entity>();
  const add = (entity: Entity): void => {
    if (found.size < MOST_ENTITIES) found.set(`${entity.kind} ${entity.name}`, entity);
  };
  for (const file of files) add(fileEntity(file));
  for (const { speaker, start, end } of spans) {
    const part = text.slice(start, end);
    for (const { kind, pattern, nameOf } of FINDERS_OF[speaker]) {
      for (const match of part.matchAll(pattern)) {
        const name = nameOf ? nameOf(match) : match[1];
        if (name) add(named(kind, name));
      }
    }
  }
  return [...found.values()];
}

/** A file is known by its path, and by its name alone. */
function fileEntity(path: string): Entity {
  return { kind: 'file', name: path, aliases: [path.slice(path.lastIndexOf('/') + 1).toLowerCase()] };
}

function named(kind: string, name: string): Entity {
  if (kind === 'file') return fileEntity(name);
  return { kind, name, aliases: ALIASES[kind]?.(name) ?? [] };
}

/** Other spellings of a name, in lower case. */
const ALIASES: Record<string, (name: string) => string[]> = {
  commit: (hash) => (hash.length > 7 ? [hash.slice(0, 7)] : []),
  url: (url) => [new URL(url).host],
  person: (name) => [name.toLowerCase().replace(/@.*/, ''), ...name.toLowerCase().split(' ').slice(0, 1)],
  package: (name) => (name.startsWith('@') ? [name.slice(name.indexOf('/') + 1).toLowerCase()] : []),
};

interface Finder {
  kind: string;
  /** Only what people and the model say is read: in code the pattern means something else. */
  inSpeech?: boolean;
  /** Global; its first group is the name unless `nameOf` says otherwise. */
  pattern: RegExp;
  nameOf?: (match: RegExpExecArray) => string | undefined;
}

const ERROR_FINDERS: Finder[] = [
  { kind: 'error', pattern: /\bE[A-Z2]{2,18}\b/g, nameOf: systemError },
  // EAI_AGAIN, SQLITE_BUSY, ERR_MODULE_NOT_FOUND, TS2345, E0382, CS1002
  { kind: 'error', pattern: /\b((?:EAI|SQLITE)_[A-Z]{3,20}|ERR_[A-Z_]{3,40}|(?:TS|CS|E|C|SC)\d{4})\b/g },
  { kind: 'error', pattern: /\b([A-Z][A-Za-z]{2,40}(?:Error|Exception))\b/g },
];

const COMMIT_FINDER: Finder = {
  kind: 'commit',
  pattern: /(?:\bcommit |^\[[^\]\n]{1,80} )([0-9a-f]{7,40})\b/gim,
  nameOf: (match) => match[1]!.toLowerCase(),
};

const RESULT_FINDERS: Finder[] = [...ERROR_FINDERS, COMMIT_FINDER];

const FINDERS: Finder[] = [
  ...RESULT_FINDERS,
  {
    kind: 'file',
    // Letters with accents, Greek and Cyrillic ones: of `docs/Übersicht.md` nobody asks for `bersicht.md`.
    pattern:
      /(?<![\w\u00C0-\u052F/:.@-])((?:[\w\u00C0-\u052F@.-]{1,60}\/){0,12}[\w\u00C0-\u052F-][\w\u00C0-\u052F.-]{0,60}\.[a-z]{1,5})(?![\w/(-])/g,
    nameOf: fileName,
  },
  {
    kind: 'symbol',
    // The name of the tool, before a call, is none.
    pattern:
      /(?<!^\[)\b([a-z]\w{0,60}[a-z0-9][A-Z]\w{1,60}|[A-Z][a-z]\w{0,60}[a-z0-9][A-Z]\w{0,60}|[a-z]{2,40}(?:_[a-z0-9]{2,40}){1,5})\b/gm,
  },
  { kind: 'symbol', pattern: /`([A-Za-z_]\w{2,60})(?:\(\))?`/g },
  {
    kind: 'command',
    pattern: new RegExp(
      `^\\[(?:${SHELL_TOOL_NAMES.join('|')})\\] (?:cd [^&;\\n]{1,200}&& ?)?(?:\\w+=\\S{1,80} )*([a-z][\\w.-]{1,30}(?: [a-z][\\w:-]{1,30})?)`,
      'gm',
    ),
  },
  {
    kind: 'package',
    pattern:
      /\b(?:npm (?:install|i|add)|pnpm add|yarn add|pip install|cargo add|go get) (?:-\S{1,20} )*(@?[a-z][\w./-]{1,80})/g,
  },
  { kind: 'package', pattern: /\b(?:from|require\() ?['"]((?:@[a-z][\w.-]{0,50}\/)?[a-z][\w.-]{0,50})['"]/g },
  { kind: 'ticket', pattern: /\b([A-Z][A-Z0-9]{1,9}-\d{1,6})\b/g },
  { kind: 'ticket', pattern: /(?<![\w&/#])(#\d{1,5})\b/g },
  { kind: 'url', pattern: /\bhttps?:\/\/[^\s<>"'`)\]}]{3,300}/g, nameOf: urlName },
  // Not in backticks, as `@param` and `@apply` are.
  { kind: 'person', inSpeech: true, pattern: /(?<![\w./@`-])@([a-z][a-z0-9-]{2,38})(?![\w/.-])/g },
  // Agents sign commits, too, under an address that takes no mail.
  {
    kind: 'person',
    pattern:
      /\b(?:Author|Co-Authored-By|Signed-off-by|Reviewed-by): ([A-Z][\w.'-]{1,30}(?: [A-Z][\w.'-]{1,30}){0,3})(?= <(?!no-?reply@))/gi,
  },
  // Nor is it one where Git finds a repository: `git@github.com:shop/till`.
  {
    kind: 'person',
    pattern: /(?<![\w.+-])((?!git@|no-?reply@)[\w.+-]{2,40}@(?:[\w-]{1,40}\.){1,6}[a-z]{2,10})\b/g,
  },
  { kind: 'channel', pattern: /\b(?:channel|slack)[^\n#]{0,20}(#[a-z][\w-]{1,40})/gi },
  {
    kind: 'meeting',
    pattern:
      /\b((?:daily |weekly |sprint |team |design )?(?:stand-?up|retrospective|retro|kick-?off|all-hands|planning meeting|review meeting|sync meeting))\b/gi,
    nameOf: (match) => match[1]!.toLowerCase(),
  },
];

const FINDERS_OF: Record<Speaker, readonly Finder[]> = {
  user: FINDERS,
  assistant: FINDERS,
  tool_use: FINDERS.filter(({ inSpeech }) => !inSpeech),
  tool_result: RESULT_FINDERS,
  thinking: [],
  system: [],
};

/** Other words of capitals (`ERROR`, `EVERY`) are none. */
function systemError([code]: RegExpExecArray): string | undefined {
  return SYSTEM_ERRORS.has(code) ? code : undefined;
}

/** Of operating systems and Node, then npm's. */
const SYSTEM_ERRORS = new Set(
  `E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED
  ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EFTYPE EHOSTDOWN EHOSTUNREACH EILSEQ
  EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH
  ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY
  ENOTFOUND ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE
  EREFUSED EROFS ESERVFAIL ESHUTDOWN ESPIPE ESRCH ESTALE ETIME ETIMEDOUT ETIMEOUT ETXTBSY EWOULDBLOCK EXDEV
  EBADENGINE EBADPLATFORM EINTEGRITY EINVALIDPACKAGENAME EINVALIDTAGNAME EJSONPARSE ELIFECYCLE ENEEDAUTH ENOLOCK
  ENOVERSIONS EOTP EPUBLISHCONFLICT ERESOLVE ETARGET EUNSUPPORTEDPROTOCOL EUSAGE`.split(/\s+/),
);

/** Only names that end like a file: `e.g` and `obj.field` do not. */
function fileName(match: RegExpExecArray): string | undefined {
  const name = match[1]!;
  return FILE_ENDINGS.has(name.slice(name.lastIndexOf('.') + 1)) ? name : undefined;
}

const FILE_ENDINGS = new Set(
  `ts tsx js jsx mjs cjs mts cts py rs go rb java kt cs c h cc cpp hpp php sh swift scala lua dart zig ex exs pl r
  json yaml yml toml md mdx html css scss sql xml lock env txt csv ini cfg proto tf vue`.split(/\s+/),
);

/** Without query and fragment; nothing for what is no address after all. */
function urlName(match: RegExpExecArray): string | undefined {
  const text = match[0].replace(/[.,;:!?]+$/, '').replace(/[?#].*$/, '');
  return URL.canParse(text) ? text : undefined;
}
