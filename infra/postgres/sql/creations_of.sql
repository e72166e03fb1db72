-- The matches and tournaments that a person has set up, newest first (ids grow with time).
-- $1 uuid  player
-- $2 uuid  before this one, or null
-- $3 int   how many at most
SELECT match_id, tags FROM match_facts
WHERE created_by = $1 AND ($2::uuid IS NULL OR match_id < $2)
ORDER BY match_id DESC
LIMIT $3
