-- Forgets a person's name. What is being stored for them right now holds the row, and is waited
-- for; what comes later sees that they are erased.
-- $1 uuid  player
UPDATE player SET name = NULL WHERE player_id = $1
