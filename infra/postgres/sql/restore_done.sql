-- Notes that what a restore asked for is done.
-- $1 smallint     the log
-- $2 int          number
-- $3 timestamptz  now
UPDATE log_restore SET done_at = $3 WHERE log_id = $1 AND number = $2 AND done_at IS NULL
