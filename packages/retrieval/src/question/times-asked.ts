import { languageOf } from './language.js';
import { BEFORE_WORD } from './patterns.js';
import type { NamedParts } from './time-form.js';
import { day, span, type TimeSpan, weekOf } from './time-spans.js';
import { TIMES_IN_ENGLISH } from './times-in-english.js';
import { timesInOtherLanguages } from './times-in-other-languages.js';

/** A time as it may be meant, the likeliest first. */
export type AskedTime = readonly TimeSpan[];

/** Times that a question names, and the question without them. */
export interface TimesAsked {
  times: AskedTime[];
  rest: string;
}

/** Longer texts are logs and pages, whose dates and names are no one's question. */
export const MOST_CHARACTERS = 500;
/** Stands for a time that was found, while what is said about it is read. */
const FOUND = '([\\u{100000}-\\u{1001ff}])';

/** `2026-03-01..2026-03-05` */
const DOTS_BETWEEN_DATES = /(?<=\d{4}-\d\d(?:-\d\d)?)\.{2,3}(?=\d{4}-\d\d)/g;

interface Relation {
  pattern: RegExp;
  spans: (now: Date, time: AskedTime, until: AskedTime) => TimeSpan[];
}

/** In several languages: they stand at a time, where they mean nothing else. */
const SINCE = 'since|seit(?:\\s+dem)?|depuis(?:\\s+le)?|desde(?:\\s+(?:el|o))?|dal|sinds|od|від';
const AFTER =
  'after|nach(?:\\s+dem)?|après(?:\\s+le)?|después\\s+de(?:\\s+el|l)?|depois\\s+d[eo]|dopo(?:\\s+il)?|после|після';
const BEFORE =
  'before|vor(?:\\s+dem)?|avant(?:\\s+le)?|antes\\s+(?:de(?:\\s+el|l)?|do)|prima\\s+del?|voor|przed|до';
const UNTIL =
  "until|till|bis(?:\\s+zum)?|jusqu[’']\\s?(?:au|à)|hasta(?:\\s+el)?|até(?:\\s+o)?|fino\\s+al?|tot";
const BETWEEN =
  "between|zwischen(?:\\s+dem)?|entre(?:\\s+(?:le|el|o))?|[ft]ra(?:\\s+(?:il|l[’']))?|tussen|między|между|між";
const WEEK_OF = 'week\\s+(?:of|from)|woche\\s+vom|semaine\\s+du|semana\\s+del?|settimana\\s+del';
const AND = "and|und(?:\\s+dem)?|et(?:\\s+le)?|y(?:\\s+el)?|ed?(?:\\s+(?:o|il|l[’']))?|en|[aiиій]|та";

const RELATIONS: readonly Relation[] = [
  relation(`(?:the\\s+)?(?:${WEEK_OF})\\s+${FOUND}`, (_, times) =>
    times.map(({ fromMs }) => weekOf(new Date(fromMs))),
  ),
  relation(`day\\s+before\\s+${FOUND}`, (_, times) => times.map(({ fromMs }) => day(new Date(fromMs), -1))),
  relation(`day\\s+after\\s+${FOUND}`, (_, times) => times.map(({ beforeMs }) => day(new Date(beforeMs), 0))),
  relation(`(?:${BETWEEN})\\s*${FOUND}\\s+(?:${AND})\\s*${FOUND}`, range),
  relation(`(?:from\\s+)?${FOUND}\\s*(?:to|through|${UNTIL}|-|–)\\s*${FOUND}`, range),
  relation(`(?:${SINCE})\\s+${FOUND}`, (now, times) => [span(past(times, now), day(now, 0))]),
  relation(`(?:${AFTER})\\s+${FOUND}`, (now, times) => [
    { fromMs: past(times, now).beforeMs, beforeMs: day(now, 0).beforeMs },
  ]),
  // And then: what was before a day was often told on it.
  relation(`(?:${BEFORE})\\s+${FOUND}`, (now, times) => [
    { fromMs: 0, beforeMs: past(times, now).fromMs },
    past(times, now),
  ]),
  relation(`(?:${UNTIL})\\s+${FOUND}`, (now, times) => [{ fromMs: 0, beforeMs: past(times, now).beforeMs }]),
];

function relation(pattern: string, spans: Relation['spans']): Relation {
  return { pattern: new RegExp(`${BEFORE_WORD}${pattern}`, 'giu'), spans };
}

/** @param nowMs what "yesterday" is seen from */
export function timesAsked(query: string, nowMs = Date.now()): TimesAsked {
  if (query.length > MOST_CHARACTERS) return { times: [], rest: query };
  const now = new Date(nowMs);
  const found = new Map<string, AskedTime>();
  const put = (spans: AskedTime, matched: string): string => {
    if (spans.length === 0) return matched;
    const sign = String.fromCodePoint(0x10_00_00 + found.size);
    found.set(sign, spans);
    return sign;
  };
  const signs = new RegExp(FOUND, 'gu');
  // Some fonts have icons there.
  const text = query.normalize('NFC').replace(signs, ' ').replace(DOTS_BETWEEN_DATES, ' – ');
  let rest = text;
  for (const { pattern, spans } of [...TIMES_IN_ENGLISH, ...timesInOtherLanguages(languageOf(text))])
    rest = rest.replace(pattern, (...matched: unknown[]) => {
      const parts = matched.at(-1);
      return put(spans(typeof parts === 'object' ? (parts as NamedParts) : {}, now), matched[0] as string);
    });
  for (const { pattern, spans } of found.size === 0 ? [] : RELATIONS)
    rest = rest.replace(pattern, (matched: string, first: string, second: string) => {
      const [time, until = []] = [first, second].map((sign) => found.get(sign));
      return time ? put(spans(now, time, until), matched) : matched;
    });
  const times = [...rest.matchAll(signs)].map(([sign]) => found.get(sign)!);
  return { times, rest: rest.replace(signs, ' ') };
}

/** The latest that has begun. */
function past(times: AskedTime, now: Date): TimeSpan {
  return times.find(({ fromMs }) => fromMs <= now.getTime()) ?? times[0]!;
}

/** In November and January, the year of the first is the one before. */
function range(now: Date, first: AskedTime, last: AskedTime): TimeSpan[] {
  const end = past(last, now);
  const start = first.find(({ fromMs }) => fromMs <= end.fromMs);
  return start ? [span(start, end)] : [];
}
