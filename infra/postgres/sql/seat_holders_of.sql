-- All mappings of these matches that still exist.
-- $1 uuid[]  matches
SELECT match_id, player_id, salt, digest FROM match_seat WHERE match_id = ANY ($1::uuid[])
