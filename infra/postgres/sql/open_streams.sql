-- Open streams that began up to a position, by id, with the type of their first events.
-- $1 smallint  the log
-- $2 bigint    the position
-- $3 uuid      after this stream
-- $4 int       how many at most
SELECT head.stream_id, first.type
FROM stream_head AS head
JOIN event AS first
    ON first.log_id = head.log_id AND first.stream_id = head.stream_id AND first.version = 1
WHERE head.log_id = $1 AND head.is_open AND head.stream_id > $3 AND first.position <= $2
ORDER BY head.stream_id
LIMIT $4
