/** The hooks there are, as `causantic hook` takes them. */
export const HOOK_NAMES = [
  'session-start',
  'session-end',
  'pre-compact',
  'claudemd-generator',
  'prompt-submit',
] as const;

export type HookName = (typeof HOOK_NAMES)[number];
