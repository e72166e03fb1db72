-- The ticket that counts after a person has asked for one: that one, or the one that waits.
-- $1 uuid  ticket
-- $2 uuid  player
SELECT ticket, player_id, salt, wish, since, until, match_id FROM queue_ticket
WHERE player_id = $2 AND (ticket = $1 OR match_id IS NULL)
ORDER BY ticket <> $1 LIMIT 1
