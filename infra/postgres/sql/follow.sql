-- Events of all streams after a position, in order.
-- $1 smallint  the log
-- $2 bigint    position
-- $3 int       how many at most
SELECT stream_id, version, position, type, schema, occurred_at, actor, command_id, command_fp,
    data, hash
FROM event
WHERE log_id = $1 AND position > $2
ORDER BY position
LIMIT $3
