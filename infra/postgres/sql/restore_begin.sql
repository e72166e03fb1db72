-- Notes that what a restore asks for is begun.
-- $1 smallint     the log
-- $2 int          number
-- $3 bigint       where the log ends
-- $4 text         the log's name from now on, or null if it keeps the one it has
-- $5 text         the checkpoint that the log went back behind, or null
-- $6 timestamptz  now
INSERT INTO log_restore (log_id, number, position, origin, lost, begun_at)
VALUES ($1, $2, $3, $4, $5, $6)
