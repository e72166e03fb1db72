-- Stores which digest in a match stands for a person; gives back the one that was first.
-- $1 uuid   match
-- $2 uuid   player
-- $3 bytea  salt
-- $4 text   digest
INSERT INTO match_seat AS first (match_id, player_id, salt, digest) VALUES ($1, $2, $3, $4)
ON CONFLICT (match_id, player_id) DO UPDATE SET salt = first.salt
RETURNING match_id, player_id, salt, digest
