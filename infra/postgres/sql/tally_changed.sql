-- The persons whose results or ratings have changed since a revision.
-- $1 bigint  generation
-- $2 bigint  revision
SELECT DISTINCT player_id FROM seat_result
WHERE generation = $1 AND revision > $2 AND player_id IS NOT NULL
ORDER BY player_id
