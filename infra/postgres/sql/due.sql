-- Open streams in which the service itself must act, the longest waiting first.
-- $1 smallint     the log
-- $2 timestamptz  due at or before
-- $3 int          how many at most
SELECT stream_id FROM stream_head
WHERE log_id = $1 AND is_open AND due_at IS NOT NULL AND due_at <= $2
ORDER BY due_at
LIMIT $3
