-- Keeps which match is the rematch of which; gives back the one that was first.
-- $1 uuid  match
-- $2 uuid  its rematch, unless there is one
INSERT INTO rematch AS first (match_id, rematch_id) VALUES ($1, $2)
ON CONFLICT (match_id) DO UPDATE SET rematch_id = first.rematch_id
RETURNING rematch_id
