-- The id of the key that seals this database. No binds.
SELECT key_id FROM seal_key
