-- Removes rows of generations that nobody reads.
-- $1 int  how many at most
DELETE FROM seat_result WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM seat_result
    WHERE generation <> (SELECT generation FROM tally WHERE is_live)
    LIMIT $1
))
RETURNING 1
