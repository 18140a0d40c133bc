export * from './errors.js';
export { groupBy } from './group-by.js';
export { isObject } from './is-object.js';
export { jsonValue } from './json-value.js';
export { madeOnce } from './made-once.js';
export { pause } from './pause.js';
export { isAlive } from './processes.js';
export { endWithOutput, print, printable, printAside } from './program-output.js';
export { isPathHash, outOfWorktree, projectOf, topicBranchOf, withSlashes } from './projects.js';
export * from './transcript.js';
export { waitingNotice } from './waiting-notice.js';
export { removeAbandonedFiles } from './files/abandoned-files.js';
export { assetPath } from './files/assets.js';
export {
  assertNotReadOnly,
  assertWritable,
  linkTarget,
  renameOver,
  writeAtomically,
} from './files/atomic-file.js';
export { withFileLock } from './files/file-lock.js';
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
} from './files/folders.js';
export { inHome, makeHome } from './files/in-home.js';
export { makeFolder, makePrivate } from './files/private-file.js';
export { realPath } from './files/real-path.js';
export { folderWithGit } from './files/repository-folder.js';
export { readWholeFile } from './files/whole-file.js';
export { acceptedBy, telling } from './settings/accepted-value.js';
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
} from './settings/config.js';
export * from './settings/settings.js';
export { counted, megabytes } from './text/amounts.js';
export { asCompared, holding } from './text/as-compared.js';
export { saysWhatChanged } from './text/commit-subjects.js';
export { withoutControls } from './text/controls.js';
export { literally } from './text/literally.js';
export { APPROVED_PLAN, isInWords } from './text/requests.js';
export { excerpt, oneLine } from './text/shorten.js';
export { hasCalls, textOfSpans } from './text/spans.js';
