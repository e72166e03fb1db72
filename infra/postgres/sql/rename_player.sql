-- Changes a person's name, unless they have been erased.
-- $1 uuid  player
-- $2 text  name
UPDATE player SET name = $2 WHERE player_id = $1 AND name IS NOT NULL
