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

/**
 * Of a number that is far out of range, zod says first that it is no whole number that a computer can count to: that is
 * left out where the schema says what is accepted.
 */
export function telling(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const isToldBetter = (issue: z.core.$ZodIssue) =>
    issues.some((other) => other !== issue && other.path.join('.') === issue.path.join('.'));
  return issues.filter((issue) => !('origin' in issue && issue.origin === 'int' && isToldBetter(issue)));
}
