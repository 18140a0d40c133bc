import type { Span, Speaker } from '@causantic/domain';

/** Spans as a chunk's row holds them: `[["user", 0, 12], …]`. */
export function encodeSpans(spans: readonly Span[]): string {
  return JSON.stringify(spans.map(({ speaker, start, end }) => [speaker, start, end]));
}

export function decodeSpans(text: string): Span[] {
  const spans = JSON.parse(text) as [Speaker, number, number][];
  return spans.map(([speaker, start, end]) => ({ speaker, start, end }));
}
