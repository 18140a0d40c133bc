export { removeAbandonedFiles } from './abandoned-files.js';
export { acceptedBy, telling } from './accepted-value.js';
export { counted, megabytes } from './amounts.js';
export { asCompared, holding } from './as-compared.js';
export { assetPath } from './assets.js';
export { assertNotReadOnly, assertWritable, linkTarget, renameOver, writeAtomically } from './atomic-file.js';
export * from './errors.js';
export { withFileLock } from './file-lock.js';
export { inHome, makeHome } from './in-home.js';
export { makeFolder, makePrivate } from './private-file.js';
export * from './transcript.js';
export { isPathHash, outOfWorktree, projectOf, topicBranchOf, withSlashes } from './projects.js';
export { realPath } from './real-path.js';
export { folderWithGit } from './repository-folder.js';
export { saysWhatChanged } from './commit-subjects.js';
export { APPROVED_PLAN, isInWords } from './requests.js';
export {
  configJsonSchema,
  homeConfigFile,
  loadConfig,
  placeOf,
  projectConfigFile,
  REPOMAP_TOKENS,
  setFromCommandLine,
  type Config,
  type ConfigIssue,
  type ConfigSources,
} from './config.js';
export {
  causanticHome,
  claudeConfigDir,
  clientFolders,
  clientTitles,
  codexFolder,
  copilotFolder,
  clineFolder,
  geminiFolder,
  homeFolder,
  qwenFolder,
  currentFolder,
  databasePath,
  opencodeFolder,
  transcriptFolders,
  withoutTilde,
  type TranscriptClient,
} from './folders.js';
export { withoutControls } from './controls.js';
export { groupBy } from './group-by.js';
export { madeOnce } from './made-once.js';
export { literally } from './literally.js';
export { isObject } from './is-object.js';
export { hasCalls, textOfSpans } from './spans.js';
export { jsonValue } from './json-value.js';
export { pause } from './pause.js';
export { isAlive } from './processes.js';
export { excerpt, oneLine } from './shorten.js';
export { endWithOutput, print, printable, printAside } from './program-output.js';
export * from './settings.js';
export { waitingNotice } from './waiting-notice.js';
export { readWholeFile } from './whole-file.js';
