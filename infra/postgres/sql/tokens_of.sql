-- The tokens that stand for somebody and are valid now, newest first.
-- $1 text         kind
-- $2 uuid         whom they stand for
-- $3 timestamptz  now
-- $4 integer      how many at most
SELECT token_hash, created_at, until FROM token
WHERE kind = $1 AND principal_id = $2 AND (until IS NULL OR until > $3)
ORDER BY created_at DESC, token_hash LIMIT $4
