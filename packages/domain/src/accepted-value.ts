import type * as z from 'zod';

/**
 * What a schema would have accepted instead: a type, one of several values, or else what the schema itself says.
 * @param typeNames what to call a type, by zod's name for it
 */
export function acceptedBy(issue: z.core.$ZodIssue, typeNames: Record<string, string>): string {
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return `one of: ${issue.values.map(String).join(', ')}`;
  return issue.message;
}
