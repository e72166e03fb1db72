-- The name that the log took after a restore, the newest one.
-- $1 smallint  the log
SELECT origin FROM log_restore
WHERE log_id = $1 AND origin IS NOT NULL
ORDER BY number DESC LIMIT 1
