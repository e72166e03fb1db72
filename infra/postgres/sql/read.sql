-- A stream after a version, and its sealed secrets, as of one moment.
-- $1 smallint  the log
-- $2 uuid      stream
-- $3 int       version after which to read
-- A row with a round is a secret: its data are the sealed bytes, the other columns are null.
SELECT version, position, type, schema, occurred_at, actor, command_id, command_fp, data, hash,
    NULL::int AS round
FROM event
WHERE log_id = $1 AND stream_id = $2 AND version > $3
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, sealed, NULL, round
FROM round_secret
WHERE log_id = $1 AND stream_id = $2
ORDER BY version, round
