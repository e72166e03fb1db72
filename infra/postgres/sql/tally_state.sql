-- How far the tallies have come.
-- $1 bigint  generation, null for the one that is read
SELECT position, rated, removals, revision, generation
FROM tally WHERE CASE WHEN $1::bigint IS NULL THEN is_live ELSE generation = $1 END
