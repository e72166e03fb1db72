-- The hashes of the events after a position, in order.
-- $1 smallint  the log
-- $2 bigint    position
-- $3 int       how many at most
SELECT position, hash FROM event WHERE log_id = $1 AND position > $2 ORDER BY position LIMIT $3
