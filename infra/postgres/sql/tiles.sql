-- Tiles of the log's tree, as far as they have grown.
-- $1 smallint    the log
-- $2 smallint[]  their levels
-- $3 bigint[]    their numbers
SELECT tile.level, tile.number, tile.hashes
FROM unnest($2::smallint[], $3::bigint[]) AS wanted (level, number)
JOIN log_tile AS tile
    ON tile.log_id = $1 AND tile.level = wanted.level AND tile.number = wanted.number
