-- Notes a public key that has come into use; a known one keeps its time.
-- $1 smallint  the log
-- $2 text      id of the key
-- $3 bytea     the public key
-- $4 timestamptz  when it came into use
INSERT INTO signing_key (log_id, key_id, public_key, since) VALUES ($1, $2, $3, $4)
ON CONFLICT DO NOTHING
