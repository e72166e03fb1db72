-- The public keys that a log was ever signed with, the oldest first.
-- $1 smallint  the log
SELECT key_id, public_key, since FROM signing_key WHERE log_id = $1 ORDER BY since, key_id
