-- Stores a person and perhaps a first token; a repetition changes nothing, and brings nobody back.
-- $1 uuid         player
-- $2 text         name
-- $3 uuid         application, or null
-- $4 timestamptz  created at
-- $5 bytea        hash of the token, or null
WITH added AS (
    INSERT INTO player (player_id, name, app_id, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING
    RETURNING player_id, created_at
)
INSERT INTO token (token_hash, kind, principal_id, created_at)
SELECT $5, 'player', player_id, created_at FROM added WHERE $5::bytea IS NOT NULL
ON CONFLICT DO NOTHING
