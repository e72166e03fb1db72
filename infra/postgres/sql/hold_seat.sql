-- Stores which digest in a match stands for a person; gives back the one that was first.
-- $1 uuid   match
-- $2 uuid   player
-- $3 bytea  salt
-- $4 text   digest
-- Nothing, and no row, for who is erased: their row is held, so that an erasure comes before this
-- or after it.
WITH person AS (SELECT name FROM player WHERE player_id = $2 FOR SHARE)
INSERT INTO match_seat AS first (match_id, player_id, salt, digest)
SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM person WHERE name IS NULL)
ON CONFLICT (match_id, player_id) DO UPDATE SET salt = first.salt
RETURNING match_id, player_id, salt, digest
