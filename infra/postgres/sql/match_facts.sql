-- What is kept of a match outside the log.
-- $1 uuid  match
SELECT match_id, created_by, app_id, invite_hash, tags, spectator_delay, rematch_of,
    tournament_id
FROM match_facts WHERE match_id = $1
