/** Tools of other clients that correspond to one of Claude Code's, with the same names for their input. */
const COMMON_NAMES: Record<string, string> = {
  // Cowork, whose commands run in a virtual machine
  mcp__workspace__bash: 'Bash',
  // Codex
  shell: 'Bash',
  shell_command: 'Bash',
  exec_command: 'Bash',
  update_plan: 'TodoWrite',
  request_user_input: 'AskUserQuestion',
  request_user_input_async: 'AskUserQuestion',
  // Gemini
  run_shell_command: 'Bash',
  replace: 'Edit',
  write_file: 'Write',
  read_file: 'Read',
  read_many_files: 'Read',
  list_directory: 'LS',
  glob: 'Glob',
  grep_search: 'Grep',
  search_file_content: 'Grep',
  google_web_search: 'WebSearch',
  web_fetch: 'WebFetch',
  write_todos: 'TodoWrite',
  activate_skill: 'Skill',
  ask_user: 'AskUserQuestion',
  invoke_agent: 'Agent',
  codebase_investigator: 'Agent',
  generalist: 'Agent',
  cli_help: 'Agent',
  // Copilot CLI
  bash: 'Bash',
  powershell: 'PowerShell',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  grep: 'Grep',
  rg: 'Grep',
  task: 'Agent',
  read_agent: 'TaskOutput',
  exit_plan_mode: 'ExitPlanMode',
  skill: 'Skill',
  // Qwen Code
  agent: 'Agent',
  todo_write: 'TodoWrite',
  ask_user_question: 'AskUserQuestion',
  notebook_edit: 'NotebookEdit',
  // Cline
  run_commands: 'Bash',
  read_files: 'Read',
  editor: 'Edit',
  search_codebase: 'Grep',
  fetch_web_content: 'WebFetch',
  ask_question: 'AskUserQuestion',
  skills: 'Skill',
  submit_and_exit: 'task_complete',
  team_run_task: 'spawn_agent',
  // opencode
  read: 'Read',
  write: 'Write',
  multiedit: 'MultiEdit',
  patch: 'apply_patch',
  list: 'LS',
  todowrite: 'TodoWrite',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  question: 'AskUserQuestion',
  subagent: 'Agent',
};

export const SHELL_TOOLS = new Set(['Bash', 'PowerShell']);

/** Names of such tools, whichever client they belong to. */
export const SHELL_TOOL_NAMES = [
  ...SHELL_TOOLS,
  ...Object.keys(COMMON_NAMES).filter((name) => SHELL_TOOLS.has(COMMON_NAMES[name]!)),
];

/** The name under which rules for a tool are kept, whichever client it belongs to. */
export function commonTool(name: string): string {
  return Object.hasOwn(COMMON_NAMES, name) ? COMMON_NAMES[name]! : name;
}
