-- The newest restore.
-- $1 smallint  the log
SELECT number, position, origin, lost, begun_at, done_at FROM log_restore
WHERE log_id = $1
ORDER BY number DESC LIMIT 1
