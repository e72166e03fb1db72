-- Persons with results, in the order of their ids.
-- $1 bigint  generation
-- $2 uuid    after this one
-- $3 int     how many at most
SELECT DISTINCT player_id FROM seat_result
WHERE generation = $1 AND player_id > $2
ORDER BY player_id
LIMIT $3
