import type * as z from 'zod';

/**
 * What a schema would have taken instead: a type, one of some values, or else what the schema itself says.
 * @param typeNames how a type is called there, by zod's name for it
 */
export function acceptedBy(issue: z.core.$ZodIssue, typeNames: Record<string, string>): string {
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return `one of: ${issue.values.map(String).join(', ')}`;
  return issue.message;
}
