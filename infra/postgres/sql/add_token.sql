-- Stores a token's hash, unless its player has been erased; a repetition changes nothing.
-- $1 bytea        hash
-- $2 text         kind
-- $3 uuid         whom it stands for
-- $4 timestamptz  now
-- $5 timestamptz  valid until, or null
INSERT INTO token (token_hash, kind, principal_id, created_at, until)
SELECT $1, $2, $3, $4, $5
WHERE $2 <> 'player' OR NOT EXISTS (
    SELECT FROM player WHERE player_id = $3 AND name IS NULL
)
ON CONFLICT DO NOTHING
