-- The matches in which a person has held a seat, newest first (ids grow with time).
-- $1 uuid  player
-- $2 uuid  before this match, or null
-- $3 int   how many at most
SELECT match_id FROM match_seat
WHERE player_id = $1 AND ($2::uuid IS NULL OR match_id < $2)
ORDER BY match_id DESC
LIMIT $3
