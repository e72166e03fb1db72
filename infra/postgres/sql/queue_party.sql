-- The tickets of a match, who waited longest first.
-- $1 uuid  match
SELECT ticket, player_id, salt, wish, since, until, match_id FROM queue_ticket
WHERE match_id = $1 ORDER BY since, ticket
