-- Whether a ticket was given back by now, or its person is erased; nothing if neither is so.
-- $1 uuid  ticket
-- $2 uuid  player
SELECT true AS erased FROM player WHERE player_id = $2 AND name IS NULL
UNION ALL
SELECT false FROM gone WHERE id = $1
ORDER BY erased DESC LIMIT 1
