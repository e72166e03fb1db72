-- Keeps a checkpoint and the tiles that have changed, unless one follows on the same size already.
-- $1 smallint    the log
-- $2 bigint      the size of the tree
-- $3 bigint      the size that was signed before
-- $4 bytea       the root
-- $5 text        the signed note
-- $6 smallint[]  levels of tiles
-- $7 bigint[]    numbers of tiles
-- $8 bytea[]     their hashes
WITH signed AS (
    INSERT INTO log_checkpoint (log_id, size, previous, root, note)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
    RETURNING size
),
kept AS (
    INSERT INTO log_tile (log_id, level, number, hashes)
    SELECT $1, tile.level, tile.number, tile.hashes
    FROM signed, unnest($6::smallint[], $7::bigint[], $8::bytea[]) AS tile (level, number, hashes)
    ON CONFLICT (log_id, level, number) DO UPDATE SET hashes = excluded.hashes
)
SELECT size FROM signed
