-- Public tournaments of a status, newest first (ids grow with time).
-- $1 text  status
-- $2 uuid  before this tournament, or null
-- $3 int   how many at most
SELECT line FROM tournament
WHERE is_public AND status = $1 AND ($2::uuid IS NULL OR tournament_id < $2)
ORDER BY tournament_id DESC
LIMIT $3
