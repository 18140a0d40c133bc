/** Shown below `--help`. */
export const EXAMPLES: Record<string, string> = {
  causantic: `
Examples:
  causantic init                                   set up Claude Code, read earlier sessions
  causantic serve                                  the MCP server, started by your agent
  causantic search why does the login test hang    search all projects
  causantic recall how did we fix the login race   the story, in order
  causantic reconstruct my-app                     what happened recently in one project
  causantic forget my-app --before 2026-01-01      preview a deletion; add --no-dry-run to do it`,
  init: `
Examples:
  causantic init                          asks before it reads earlier sessions
  causantic init --dry-run                what would change
  causantic init --yes                    in a script
  causantic init --scope project          for everyone who works on the project in this folder`,
  uninstall: `
Examples:
  causantic uninstall --dry-run
  causantic uninstall                     keeps the memory
  causantic uninstall --purge             deletes the memory, too`,
  doctor: `
Examples:
  causantic doctor
  causantic doctor --json`,
  hook: `
Examples:
  echo '{"session_id":"…","cwd":"'"$PWD"'","source":"startup"}' | causantic hook session-start`,
  serve: `
Examples:
  causantic serve                        started by a client, over its stdin and stdout
  causantic serve --http                 for clients on this machine, at http://127.0.0.1:7077/mcp
  claude mcp add --transport http causantic http://127.0.0.1:7077/mcp \\
    --header "Authorization: Bearer $(cat ~/.causantic/http-token)"`,
  export: `
Examples:
  causantic export memory.causantic
  causantic export /media/stick/memory.causantic --passphrase
  BACKUP_KEY=… causantic export ~/backup/memory.causantic --passphrase-env BACKUP_KEY --force`,
  import: `
Examples:
  causantic import memory.causantic
  CAUSANTIC_HOME=~/other causantic import memory.causantic
  causantic import ~/backup/memory.causantic --passphrase-env BACKUP_KEY --replace`,
  compact: `
Examples:
  causantic compact
  causantic config set retention.maxAgeDays 365 && causantic compact`,
  join: `
Examples:
  causantic join ~/old-name ~/new-name         after mv ~/old-name ~/new-name
  causantic join my-app-2 my-app               by their names in list-projects
  causantic join /workspaces/my-app my-app     the same project inside a container
  causantic join my-app-2 my-app --dry-run`,
  completion: `
Examples:
  echo 'source <(causantic completion bash)' >> ~/.bashrc
  echo 'source <(causantic completion zsh)' >> ~/.zshrc          after compinit
  causantic completion fish > ~/.config/fish/completions/causantic.fish
  causantic completion powershell | Out-String | Invoke-Expression`,
  'list-projects': `
Examples:
  causantic list-projects
  causantic list-projects --json`,
  'hook-status': `
Examples:
  causantic hook-status`,
  stats: `
Examples:
  causantic stats
  causantic stats --json`,
  search: `
Examples:
  causantic search "token refresh race" --project my-app
  causantic search ERR_MODULE_NOT_FOUND --json`,
  recall: `
Examples:
  causantic recall how did we fix the token refresh race --project my-app
  causantic recall "flaky login test" --range short`,
  explain: `
Examples:
  causantic explain the authentication system --project my-app
  causantic explain why we chose SQLite --range short`,
  predict: `
Examples:
  causantic predict adding a database migration --project my-app`,
  repomap: `
Examples:
  causantic repomap
  causantic repomap ~/work/api --focus-files src/auth.ts,src/session.ts
  causantic repomap --html map.html`,
  model: `
Examples:
  causantic model list
  causantic model install bge-small-en-v1.5
  HF_ENDPOINT=https://mirror.example causantic model install sentence-transformers/paraphrase-MiniLM-L3-v2
  causantic model install ./my-model                 a folder with tokenizer.json and model.onnx
  causantic model use bge-small-en-v1.5
  causantic model remove bge-small-en-v1.5`,
  'list-sessions': `
Examples:
  causantic list-sessions --days-back 7              of the project of this folder
  causantic list-sessions my-app`,
  reconstruct: `
Examples:
  causantic reconstruct                              of the project of this folder
  causantic reconstruct --session-id a1b2c3d4
  causantic reconstruct my-app --from 2026-02-01 --to 2026-02-08`,
  forget: `
Examples:
  causantic forget my-app --session-id a1b2c3d4
  causantic forget my-app --before 2026-01-01 --no-dry-run
  causantic forget my-app --query "authentication flow" --threshold 60`,
  config: `
Examples:
  causantic config                                   all settings with their values
  causantic config set tokens.mcpMaxResponse 10000
  causantic config set ingest.excludePaths '**/customers/**' '**/private/**'
  causantic config get repomap.maxTokens --json
  causantic config validate`,
};
