import type { Span } from '../transcript.js';

/** A text and who wrote which stretch of it. */
interface Spoken {
  text: string;
  spans: readonly Span[];
}

/** What the wanted spans of a text say, each beginning a line. */
export function textOfSpans({ text, spans }: Spoken, isWanted: (span: Span) => boolean): string {
  return spans
    .filter(isWanted)
    .map(({ start, end }) => text.slice(start, end))
    .join('\n');
}

/** Whether any span is a call of a tool, or what came of one. */
export function hasCalls(spans: readonly Span[]): boolean {
  return spans.some(({ speaker }) => speaker === 'tool_use' || speaker === 'tool_result');
}
