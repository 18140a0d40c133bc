export { describeHit, MemoryServer } from './server.js';
export { Services } from './services.js';
export { callTool, type ToolAnswer, type ToolContext, type ToolDefinition } from './tool.js';
export { causanticTools } from './causantic/index.js';
export { MAP_DISABLED } from './causantic/repomap.js';
export { sessionFiles } from './causantic/session-files.js';
export { openHttpServer } from './http/open.js';
export type { HttpMemoryServer, HttpOptions } from './http/server.js';
export { serveStdio } from './stdio.js';
