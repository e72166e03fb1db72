-- Up to where in the log deliveries are written, and the epoch of who wrote last.
-- $1 smallint  the log
SELECT position, epoch FROM webhook_position WHERE log_id = $1
