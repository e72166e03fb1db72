-- Begins to wait for a quick match, unless the person is erased or waits already, or this very
-- ticket was given back; clears a few tickets that ran out a day ago. A ticket of theirs that has run out makes room.
-- $1 uuid         ticket
-- $2 uuid         player
-- $3 bytea        salt
-- $4 bytea        what is wished for
-- $5 timestamptz  since when
-- $6 timestamptz  valid until
-- $7 timestamptz  now
WITH old AS (
    DELETE FROM queue_ticket WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM queue_ticket
        WHERE until <= $7::timestamptz - interval '1 day' AND player_id <> $2
        LIMIT 10 FOR UPDATE SKIP LOCKED
    ))
),
person AS (SELECT name FROM player WHERE player_id = $2 FOR SHARE),
known AS (
    SELECT FROM queue_ticket WHERE ticket = $1
    UNION ALL
    SELECT FROM gone WHERE id = $1
)
INSERT INTO queue_ticket AS kept (ticket, player_id, salt, wish, since, until)
SELECT $1, $2, $3, $4, $5, $6
WHERE NOT EXISTS (SELECT FROM person WHERE name IS NULL) AND NOT EXISTS (SELECT FROM known)
ON CONFLICT (player_id) WHERE match_id IS NULL DO UPDATE SET
    ticket = excluded.ticket, salt = excluded.salt, wish = excluded.wish,
    since = excluded.since, until = excluded.until
WHERE kept.until <= $7
