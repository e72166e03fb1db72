-- The checkpoint of a size.
-- $1 smallint  the log
-- $2 bigint    the size
SELECT size, previous, root, note FROM log_checkpoint WHERE log_id = $1 AND size = $2
