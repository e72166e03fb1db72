-- Those of these streams in which nothing more happens.
-- $1 smallint  the log
-- $2 uuid[]    streams
SELECT stream_id FROM stream_head WHERE log_id = $1 AND stream_id = ANY ($2) AND NOT is_open
