/**
 * Which chunks go on with what an earlier one began, for those stored when every text without a label was said to.
 * Calls of tools begin with their name, their results with an arrow; of other kinds the lines tell.
 */
export const CONTINUATIONS_ANEW = `
  UPDATE chunk SET continues = 0
    WHERE continues = 1 AND spans LIKE '[["tool_use",%' AND text LIKE '[%' AND text NOT LIKE '[… %';
  UPDATE chunk SET continues = 1
    WHERE continues = 0 AND spans LIKE '[["tool_result",%' AND text LIKE '→ %';
  UPDATE chunk SET continues = 0
    WHERE continues = 1 AND kind <> 'dialogue' AND NOT EXISTS (
      SELECT 1 FROM chunk b
      WHERE b.turn_id = chunk.turn_id AND b.kind = chunk.kind AND b.seq < chunk.seq AND b.line_end >= chunk.line_start);
`;
