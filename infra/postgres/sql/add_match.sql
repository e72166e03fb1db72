-- Stores what is kept of a match outside the log; a repetition changes nothing.
-- $1 uuid    match
-- $2 uuid    player who made it, or null
-- $3 uuid    application it belongs to, or null
-- $4 bytea   hash of the invite, or null
-- $5 text[]  tags
-- $6 integer seconds that spectators see everything later
-- $7 uuid    match of which it is the rematch, or null
-- $8 uuid    tournament whose table it is, or null
WITH person AS (SELECT name FROM player WHERE player_id = $2 FOR SHARE)
INSERT INTO match_facts
    (match_id, created_by, app_id, invite_hash, tags, spectator_delay, rematch_of, tournament_id)
SELECT $1, CASE WHEN EXISTS (SELECT FROM person WHERE name IS NULL) THEN NULL ELSE $2 END,
    $3, $4, $5, $6, $7, $8
ON CONFLICT DO NOTHING
