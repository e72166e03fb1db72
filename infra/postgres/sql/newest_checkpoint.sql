-- The checkpoint of the greatest size.
-- $1 smallint  the log
SELECT size, previous, root, note FROM log_checkpoint WHERE log_id = $1 ORDER BY size DESC LIMIT 1
