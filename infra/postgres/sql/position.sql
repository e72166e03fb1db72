-- The last position of the log.
-- $1 smallint  the log
SELECT position FROM log_counter WHERE log_id = $1
