-- Notes the id of the key that seals this database, if none is noted yet.
-- $1 text  id of the key
INSERT INTO seal_key (key_id) VALUES ($1) ON CONFLICT DO NOTHING
