/**
 * Checkpoints of Codex and Copilot held the session's branch as it is called, with what chunks of the same transcript show
 * as `[REDACTED]`. Where it differs from theirs, it becomes the latest of theirs.
 */
export const BRANCHES_AS_IN_CHUNKS = `
  UPDATE transcript SET checkpoint = json_set(checkpoint, '$.state', '' || json_set(
    checkpoint ->> '$.state', '$.run.reader.gitBranch',
    (SELECT git_branch FROM chunk WHERE transcript_id = transcript.id ORDER BY seq DESC LIMIT 1)
  ))
  WHERE checkpoint ->> '$.state' ->> '$.run.reader.gitBranch'
    NOT IN (SELECT coalesce(git_branch, '') FROM chunk WHERE transcript_id = transcript.id)
`;
