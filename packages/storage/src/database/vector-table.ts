/**
 * Vectors in a table with row ids. In one without, a row larger than a quarter of a page spills into a page of its
 * own: three of four bytes of the table, and more than half of a database, were nothing. The indexes hold all that
 * counts, lists of ids and looking for a missing vector read, so that none of them touches the vectors.
 */
export const VECTORS_IN_SHARED_PAGES = `
  CREATE TABLE vector_row (
    model_id TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    chunk_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    vector BLOB NOT NULL
  ) STRICT;
  INSERT INTO vector_row SELECT model_id, project_id, chunk_id, vector FROM chunk_vector
    ORDER BY model_id, project_id, chunk_id;
  DROP TABLE chunk_vector;
  ALTER TABLE vector_row RENAME TO chunk_vector;
  CREATE UNIQUE INDEX vector_by_project ON chunk_vector(model_id, project_id, chunk_id);
  CREATE INDEX vector_by_chunk ON chunk_vector(chunk_id, model_id);
  CREATE TRIGGER vector_added AFTER INSERT ON chunk_vector BEGIN
    INSERT INTO vector_version VALUES (new.model_id, new.project_id, 1)
      ON CONFLICT DO UPDATE SET version = version + 1;
  END;
  CREATE TRIGGER vector_removed AFTER DELETE ON chunk_vector BEGIN
    UPDATE vector_version SET version = version + 1 WHERE model_id = old.model_id AND project_id = old.project_id;
  END;
`;
