-- The versions of those streams that exist.
-- $1 smallint  the log
-- $2 uuid[]    streams
SELECT stream_id, version FROM stream_head WHERE log_id = $1 AND stream_id = ANY ($2)
