-- All mappings of a match that still exist.
-- $1 uuid  match
SELECT match_id, player_id, salt, digest FROM match_seat WHERE match_id = $1
