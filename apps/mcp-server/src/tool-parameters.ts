import type { ToolDefinition } from '@causantic/mcp-server';

/** A tool's argument as a command line takes it. */
export interface ToolParameter {
  /** As the tool calls it: `days_back`. */
  name: string;
  /** As the shell calls it: `days-back`. */
  flag: string;
  /** As commander calls it: `daysBack`. */
  optionName: string;
  type: 'text' | 'number' | 'boolean';
  description: string;
  positional: boolean;
  /** A positional text may be given as several words. */
  isText: boolean;
}

/** Names of arguments that are sentences rather than single words. */
const SENTENCES = new Set(['query', 'context', 'topic']);

/** The arguments of a tool; the first required one is positional. */
export function toolParameters(tool: ToolDefinition): ToolParameter[] {
  let positionalTaken = false;
  return Object.entries(tool.input.shape).map(([name, schema]) => {
    const field = schema as unknown as {
      safeParse(value: unknown): { success: boolean };
      description?: string;
    };
    const positional = !positionalTaken && !field.safeParse(undefined).success;
    positionalTaken ||= positional;
    const flag = name.replaceAll('_', '-');
    return {
      name,
      flag,
      optionName: flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      type: typeOf(field),
      description: field.description ?? '',
      positional,
      isText: SENTENCES.has(name),
    };
  });
}

function typeOf(field: { safeParse(value: unknown): { success: boolean } }): ToolParameter['type'] {
  if (field.safeParse(true).success) return 'boolean';
  return field.safeParse(1).success ? 'number' : 'text';
}
