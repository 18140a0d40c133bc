export { MemoryServer } from './protocol/server.js';
export { Services } from './services.js';
export {
  type CallOptions,
  callTool,
  ifReadable,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
} from './tool.js';
export { describeHit } from './protocol/tools-on-the-wire.js';
export { causanticTools } from './causantic/index.js';
export { MAP_DISABLED } from './causantic/repomap.js';
export { sessionFiles } from './causantic/session-files.js';
export { openHttpServer } from './http/open.js';
export type { HttpMemoryServer, HttpOptions } from './http/server.js';
export { serveStdio } from './protocol/stdio.js';
export { findProject, projectAround, requireProject, slugOfSession } from './arguments.js';
