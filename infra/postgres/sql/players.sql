-- Persons by id.
-- $1 uuid[]  players
SELECT player_id, name, app_id, created_at FROM player WHERE player_id = ANY ($1)
