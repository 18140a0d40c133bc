export { briefing } from './briefing/briefing.js';
export { readProjectMemory, type MemoryRequest, type ProjectMemory } from './briefing/project-memory.js';
export { HOOK_NAMES, type HookName } from './hooks/hook-names.js';
export { runHook, type HookProcess } from './hooks/run-hook.js';
