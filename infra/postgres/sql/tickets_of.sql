-- A person's tickets, the oldest first.
-- $1 uuid  player
SELECT ticket, player_id, salt, wish, since, until, match_id FROM queue_ticket
WHERE player_id = $1
ORDER BY since, ticket
