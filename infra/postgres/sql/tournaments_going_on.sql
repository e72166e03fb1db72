-- Tournaments that are not over, by id, and the versions their lines stand at. One whose stream
-- has not come within a day will not.
-- $1 text[]       statuses
-- $2 uuid         after this tournament, or null
-- $3 timestamptz  a day ago
-- $4 int          how many at most
SELECT tournament_id, version FROM tournament
WHERE status IN ('new', 'open', 'running') AND status = ANY ($1)
    AND ($2::uuid IS NULL OR tournament_id > $2) AND (version > 0 OR created_at > $3)
ORDER BY tournament_id
LIMIT $4
