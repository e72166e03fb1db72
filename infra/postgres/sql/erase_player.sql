-- Forgets a person: name, tokens, plans, which digests are theirs, and what they created.
-- $1 uuid  player
-- $2 text  the player as the principal of a plan
WITH tokens AS (
    DELETE FROM token WHERE kind = 'player' AND principal_id = $1
),
seats AS (
    DELETE FROM match_seat WHERE player_id = $1
),
plans AS (
    DELETE FROM request_key WHERE principal = $2
),
facts AS (
    UPDATE match_facts SET created_by = NULL WHERE created_by = $1
)
UPDATE player SET name = NULL WHERE player_id = $1
