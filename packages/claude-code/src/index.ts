export { briefing } from './briefing/briefing.js';
export { readProjectMemory, type MemoryRequest, type ProjectMemory } from './briefing/project-memory.js';
export { HOOK_NAMES, type HookName } from './hooks/hook-names.js';
export { runHook, type HookProcess } from './hooks/run-hook.js';
export { enabledPlugin, type EnabledPlugin } from './install/enabled-plugin.js';
export {
  editedSkills,
  install,
  registeredElsewhere,
  uninstall,
  type InstallOptions,
  type InstallStep,
} from './install/install.js';
export { ownFiles, purge } from './install/purge.js';
export { registeredFolder } from './install/registered-folder.js';
export type { Scope } from './install/places.js';
export { type Program, quoted, serverEntry, sharedProgram, withHome } from './install/program.js';
export { countTranscripts, type TranscriptCount } from './install/unread.js';
export { serving } from './clients/client.js';
export { usersServer, usesClaudeCode } from './clients/claude-code.js';
export { type Attachment, attachments, detachments } from './clients/other-clients.js';
export { diagnose } from './doctor/diagnose.js';
export type { Check, CheckStatus } from './doctor/check.js';
export { pluginFolder } from './assets.js';
