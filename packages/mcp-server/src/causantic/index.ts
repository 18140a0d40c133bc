import type { ToolDefinition } from '../tool.js';
import { explainTool } from './explain.js';
import { forgetTool } from './forget.js';
import { hookStatusTool } from './hook-status.js';
import { listProjectsTool } from './list-projects.js';
import { listSessionsTool } from './list-sessions.js';
import { predictTool } from './predict.js';
import { recallTool } from './recall.js';
import { reconstructTool } from './reconstruct.js';
import { repomapTool } from './repomap.js';
import { searchTool } from './search.js';
import { statsTool } from './stats.js';

/** The tools of the Causantic documents, in the order in which they describe them. */
export const causanticTools: readonly ToolDefinition[] = [
  searchTool,
  recallTool,
  explainTool,
  predictTool,
  repomapTool,
  listProjectsTool,
  listSessionsTool,
  reconstructTool,
  hookStatusTool,
  statsTool,
  forgetTool,
];
