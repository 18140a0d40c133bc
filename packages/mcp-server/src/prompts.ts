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
  description: 'A project in memory; without it the project at hand.',
  required: false,
};
const namedProject: PromptArgument = { name: 'project', description: 'A project in memory.', required: true };

/** A prompt that leads to one tool with one sentence, in one project or in the one at hand. */
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
    ? 'the project at hand (list-projects knows its name)'
    : `project ${JSON.stringify(name)}`;
}

/** What people ask memory for, as slash commands of clients that show prompts. */
const prompts: readonly Prompt[] = [
  question('recall', {
    title: 'How was it solved?',
    description: 'The story of how something was solved, in order.',
    argument: 'query',
    content: 'The problem, with names of files, functions and errors as they are.',
    then: 'Tell the story in order: what was tried, what failed, what worked, with session and date.',
  }),
  question('search', {
    title: 'What is known about it?',
    description: 'What memory holds about a topic.',
    argument: 'query',
    content: 'What to look for, with names as they are.',
    then: 'Answer from what is found, with session and date; open a session with reconstruct where a passage is not enough.',
  }),
  question('explain', {
    title: 'Why is it the way it is?',
    description: 'What was decided and why, and how it changed.',
    argument: 'topic',
    content: 'The design, decision or convention to explain.',
    then: 'Tell what was decided when and why, what was rejected and what changed; where passages contradict each other, the later one holds.',
  }),
  question('predict', {
    title: 'What comes next?',
    description: 'What followed last time it was like this.',
    argument: 'context',
    content: 'What is about to be done, with file names.',
    then: 'Name the steps, files and problems that followed last time and apply now.',
  }),
  {
    name: 'resume',
    title: 'Where did we stop?',
    description: 'Go on where the last session stopped.',
    arguments: [project],
    text: (given) =>
      `Call the Causantic tool \`list-sessions\` with ${projectOf(given)}, then \`reconstruct\` with the latest session that is ` +
      'not this one. Compare with the working tree. Say what was being done, what is finished, what is open and what the ' +
      'next step is; do not begin with it before I agree.',
  },
  {
    name: 'reconstruct',
    title: 'What happened?',
    description: 'Sessions of a project in order.',
    arguments: [
      namedProject,
      { name: 'session_id', description: 'One session; 8 characters of its id will do.', required: false },
      { name: 'days_back', description: 'The last days, as a number.', required: false },
    ],
    text: (given) =>
      `Call the Causantic tool \`reconstruct\` with ${projectOf(given)}${windowOf(given)}. Sum up in the order of time: ` +
      'asked, done, decided, left open.',
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
    title: 'Is the memory well?',
    description: 'The size of the memory, and whether the hooks ran.',
    arguments: [],
    text: () =>
      'Call the Causantic tools `stats` and `hook-status`. Say how much is in memory, when each hook ran last and whether it ' +
      'went well. Where something failed, name `causantic doctor`.',
  },
  {
    name: 'forget',
    title: 'Delete from memory',
    description: 'Shows what would be deleted, and deletes only after a yes.',
    arguments: [
      namedProject,
      {
        name: 'query',
        description: 'A topic; leave it out to name a session or dates later.',
        required: false,
      },
      { name: 'session_id', description: 'One session; 8 characters of its id will do.', required: false },
    ],
    text: (given) =>
      `Call the Causantic tool \`forget\` with ${projectOf(given)}${['query', 'session_id'].map((name) => also(given, name)).join('')} ` +
      'and dry_run true. Show me what would be deleted and ask. Only after a clear yes to that preview call it again with ' +
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

/** @param partsWords whether the client parts what is typed: a question then stands alone */
export function listPrompts(partsWords = false) {
  return {
    prompts: prompts.map(({ text: _text, ...prompt }) => ({
      ...prompt,
      arguments: prompt.arguments.filter((each, place) => !partsWords || each !== project || place === 0),
    })),
  };
}

/**
 * What opencode gives each argument. It fills in what is typed later, word by word, the last one with all that is left:
 * of several, a question would be its first word, and the project the others.
 */
const PLACEHOLDER = /^\$\d+$/;

/**
 * Claude Code parts what is typed at its blanks, gives each argument one word and drops the rest; what was typed stands
 * before the prompt.
 */
const FIRST_WORDS =
  'Those are only the first words of what I typed, which stands in <command-args> above: all of that is meant, and no ' +
  'project where it names none.';

/**
 * @param clientName as the client calls itself
 * @throws RpcError for an unknown prompt, an unknown argument or one that is missing
 */
export function getPrompt(name: string, given: Record<string, string> = {}, clientName?: string) {
  const prompt = prompts.find((each) => each.name === name);
  const known = prompts.map((each) => each.name).join(', ');
  if (!prompt) throw invalidParams(`Unknown prompt "${name}". Known: ${known}.`);
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim());
  if (missing)
    throw invalidParams(`Prompt "${name}" needs the argument "${missing.name}": ${missing.description}`);
  const isRequired = new Map(prompt.arguments.map((each) => [each.name, each.required]));
  const unknown = Object.keys(given).find((key) => !isRequired.has(key));
  if (unknown !== undefined) throw invalidParams(`Prompt "${name}" has no argument "${unknown}".`);
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
