-- Gives a match to those who have waited longest for the same, if they are enough.
-- $1 bytea        what is wished for
-- $2 int          how many people it takes
-- $3 uuid         match
-- $4 timestamptz  now
-- Whoever does this at the same time waits for the rows, and then sees that they are taken. The
-- one that comes last sees every ticket that was stored before.
WITH longest AS MATERIALIZED (
    SELECT ticket FROM queue_ticket
    WHERE wish = $1 AND match_id IS NULL AND until > $4
    ORDER BY since, ticket LIMIT $2
    FOR UPDATE
)
UPDATE queue_ticket SET match_id = $3
WHERE ticket IN (SELECT ticket FROM longest) AND (SELECT count(*) FROM longest) = $2
RETURNING ticket
