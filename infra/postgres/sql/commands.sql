-- Which of these commands are in their streams already.
-- $1 smallint  the log
-- $2 uuid[]    streams
-- $3 uuid[]    command ids, one for each stream
SELECT e.stream_id, e.command_id
FROM unnest($2::uuid[], $3::uuid[]) AS c (stream_id, command_id)
JOIN event e ON e.log_id = $1 AND e.stream_id = c.stream_id AND e.command_id = c.command_id
