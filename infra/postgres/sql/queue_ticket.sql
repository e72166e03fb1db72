-- A ticket as it stands.
-- $1 uuid  ticket
SELECT ticket, player_id, salt, wish, since, until, match_id FROM queue_ticket WHERE ticket = $1
