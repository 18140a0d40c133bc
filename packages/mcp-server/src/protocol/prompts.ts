import { abridged } from '@causantic/domain';
import { invalidParams } from './errors-on-the-wire.js';

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
  text: (given: Record<string, string>) => string;
}

const project: PromptArgument = {
  name: 'project',
  description: 'A project in memory. Default: the current project.',
  required: false,
};
const namedProject: PromptArgument = { name: 'project', description: 'A project in memory.', required: true };

/** A prompt that calls one tool with one sentence, in a named project or the current one. */
function question(
  name: string,
  {
    title,
    description,
    argument,
    content,
    then,
  }: { title: string; description: string; argument: string; content: string; then: string },
): Prompt {
  return {
    name,
    title,
    description,
    arguments: [{ name: argument, description: content, required: true }, project],
    text: (given) =>
      `Call the Causantic tool \`${name}\` with ${argument} ${JSON.stringify(given[argument])} and ${projectOf(given)}. ${then}`,
  };
}

function projectOf({ project: name }: Record<string, string>): string {
  return name === undefined
    ? 'the current project (list-projects has its name)'
    : `project ${JSON.stringify(name)}`;
}

/** Common requests to the memory, as slash commands in clients that show prompts. */
const prompts: readonly Prompt[] = [
  question('recall', {
    title: 'How was it solved?',
    description: 'How something was solved, step by step.',
    argument: 'query',
    content: 'The problem, with exact names of files, functions and errors.',
    then: 'Tell the story in order: what was tried, what failed, what worked, with session and date.',
  }),
  question('search', {
    title: 'What do we know about it?',
    description: 'What memory knows about a topic.',
    argument: 'query',
    content: 'What to look for, with exact names.',
    then: 'Answer from the results, with session and date. If a passage is not enough, open its session with reconstruct.',
  }),
  question('explain', {
    title: 'Why is it the way it is?',
    description: 'What was decided and why, and how it changed.',
    argument: 'topic',
    content: 'The design, decision or convention to explain.',
    then: 'Say what was decided, when and why, what was rejected and what changed. If passages contradict each other, the later one counts.',
  }),
  question('predict', {
    title: 'What comes next?',
    description: 'What followed last time in a similar situation.',
    argument: 'context',
    content: 'What is about to be done, with file names.',
    then: 'Name the steps, files and problems that followed last time and apply now.',
  }),
  {
    name: 'resume',
    title: 'Where did we stop?',
    description: 'Continue where the last session stopped.',
    arguments: [project],
    text: (given) =>
      `Call the Causantic tool \`list-sessions\` with ${projectOf(given)}, then \`reconstruct\` with the latest session that is ` +
      'not this one. Compare with the working tree. Say what was being done, what is finished, what is open and what the ' +
      'next step is. Do not start on it until I agree.',
  },
  {
    name: 'reconstruct',
    title: 'What happened?',
    description: 'Sessions of a project in order.',
    arguments: [
      namedProject,
      {
        name: 'session_id',
        description: 'A session id; its first 8 characters are enough.',
        required: false,
      },
      { name: 'days_back', description: 'How many days to look back.', required: false },
    ],
    text: (given) =>
      `Call the Causantic tool \`reconstruct\` with ${projectOf(given)}${windowOf(given)}. Summarize in chronological order: ` +
      'what was asked, done, decided and left open.',
  },
  {
    name: 'list-projects',
    title: 'Which projects are there?',
    description: 'The projects in memory, with sizes and dates.',
    arguments: [],
    text: () => 'Call the Causantic tool `list-projects` and show its answer as it is.',
  },
  {
    name: 'status',
    title: 'Is the memory healthy?',
    description: 'Size of the memory, and whether the hooks ran.',
    arguments: [],
    text: () =>
      'Call the Causantic tools `stats` and `hook-status`. Say how much is in memory, when each hook last ran and whether it ' +
      'succeeded. If something failed, mention `causantic doctor`.',
  },
  {
    name: 'forget',
    title: 'Delete from memory',
    description: 'Preview a deletion, and delete only after confirmation.',
    arguments: [
      namedProject,
      {
        name: 'query',
        description: 'A topic. Omit it to name a session or dates later.',
        required: false,
      },
      {
        name: 'session_id',
        description: 'A session id; its first 8 characters are enough.',
        required: false,
      },
    ],
    text: (given) =>
      `Call the Causantic tool \`forget\` with ${projectOf(given)}${['query', 'session_id'].map((name) => also(given, name)).join('')} ` +
      'and dry_run true. Show me what would be deleted and ask. Only after a clear yes to that preview, call it again with ' +
      'dry_run false.',
  },
];

function windowOf(given: Record<string, string>): string {
  const days = given['days_back'];
  return `${also(given, 'session_id')}${days === undefined ? '' : ` and days_back ${days}`}`;
}

function also(given: Record<string, string>, name: string): string {
  return given[name] === undefined ? '' : ` and ${name} ${JSON.stringify(given[name])}`;
}

/** @param partsWords whether the client splits the typed text into words: a question is then the only argument */
export function listPrompts(partsWords = false) {
  return {
    prompts: prompts.map(({ text: _text, ...prompt }) => ({
      ...prompt,
      arguments: prompt.arguments.filter((each, place) => !partsWords || each !== project || place === 0),
    })),
  };
}

/**
 * What opencode passes for each argument. It later replaces them by the typed words, the last one by all remaining words.
 * With several arguments, a question would be reduced to its first word, and the project would be the others.
 */
const PLACEHOLDER = /^\$\d+$/;

/**
 * Claude Code splits the typed text at spaces, gives each argument one word and drops the rest. It puts the whole text
 * before the prompt.
 */
const FIRST_WORDS =
  'Those are only the first words of what I typed. All of it is in <command-args> above: use that, and no project ' +
  'unless it names one.';

/**
 * @param clientName the client's own name
 * @throws RpcError for an unknown prompt, or an unknown or missing argument
 */
export function getPrompt(name: string, given: Record<string, string> = {}, clientName?: string) {
  const prompt = prompts.find((each) => each.name === name);
  const known = prompts.map((each) => each.name).join(', ');
  if (!prompt) throw invalidParams(`Unknown prompt "${abridged(name)}". Known: ${known}.`);
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim());
  if (missing)
    throw invalidParams(`Prompt "${name}" needs the argument "${missing.name}": ${missing.description}`);
  const isRequired = new Map(prompt.arguments.map((each) => [each.name, each.required]));
  const unknown = Object.keys(given).find((key) => !isRequired.has(key));
  if (unknown !== undefined) throw invalidParams(`Prompt "${name}" has no argument "${abridged(unknown)}".`);
  const isSaid = ([key, value]: [string, string]): boolean =>
    value.trim() !== '' && (isRequired.get(key) || !PLACEHOLDER.test(value));
  const filled = Object.fromEntries(Object.entries(given).filter(isSaid));
  const mayBeCut = isRequired.size > 0 && isRequired.size === Object.keys(filled).length;
  const note = clientName === 'claude-code' && mayBeCut ? ` ${FIRST_WORDS}` : '';
  const text = `${prompt.text(filled)}${note}`;
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}
