-- What is known of a token, while it is valid.
-- $1 bytea        hash
-- $2 timestamptz  now
SELECT token_hash, created_at, until FROM token
WHERE token_hash = $1 AND (until IS NULL OR until > $2)
