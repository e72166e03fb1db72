-- Open streams whose last event was recorded before a time.
-- $1 smallint     the log
-- $2 timestamptz  recorded before
-- $3 int          how many at most
SELECT h.stream_id
FROM stream_head h
JOIN event e ON e.log_id = h.log_id AND e.stream_id = h.stream_id AND e.version = h.version
WHERE h.log_id = $1 AND h.is_open AND e.recorded_at < $2
LIMIT $3
