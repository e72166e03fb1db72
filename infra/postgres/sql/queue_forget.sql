-- Forgets the tickets of an erased person.
-- $1 uuid  player
DELETE FROM queue_ticket WHERE player_id = $1
