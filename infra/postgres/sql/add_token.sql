-- Stores a token's hash, unless its player has been erased; a repetition changes nothing.
-- $1 bytea        hash
-- $2 text         kind
-- $3 uuid         whom it stands for
-- $4 timestamptz  now
-- $5 timestamptz  valid until, or null
WITH person AS (SELECT name FROM player WHERE $2 = 'player' AND player_id = $3 FOR SHARE)
INSERT INTO token (token_hash, kind, principal_id, created_at, until)
SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT FROM person WHERE name IS NULL)
ON CONFLICT DO NOTHING
