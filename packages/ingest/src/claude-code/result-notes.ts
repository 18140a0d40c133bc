const NO_OUTPUT = /^\(\w+ completed with no output\)$/;
const LAUNCHED = 'Async agent launched successfully.';
const ERROR_TAGS = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/;
const HOW_TO_RESUME = /\nagentId: [^\n]*to continue this agent[^\n]*(?:\n<usage>[^<]*<\/usage>)?$/;

/** A tool's result without what the client adds for the model alone: how to resume an agent, what not to quote. */
export function withoutClientNotes(result: string): string {
  const text = result.trim();
  if (NO_OUTPUT.test(text)) return '';
  if (text.startsWith(LAUNCHED)) return LAUNCHED;
  return text.replace(ERROR_TAGS, '$1').replace(HOW_TO_RESUME, '');
}
