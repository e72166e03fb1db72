-- Whom a token stands for, while it is valid.
-- $1 bytea        hash
-- $2 timestamptz  now
SELECT kind, principal_id FROM token WHERE token_hash = $1 AND (until IS NULL OR until > $2)
