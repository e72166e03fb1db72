-- Appends a whole batch of commands in one round trip. Each command is taken or left alone: it is
-- taken if its stream still stands at the version and the hash that it was decided on.
-- The counter row is locked before any head, or two writers would deadlock; since it is held to
-- the commit, positions are dense and in commit order.
--  $1 smallint       the log
--  $2 smallint       schema number of all events
-- One element per command, every stream at most once:
--  $3 uuid[]         stream
--  $4 int[]          version expected, 0 for a new stream
--  $5 bytea[]        hash expected at that version (not looked at for a new stream)
--  $6 int[]          events that the commands before it add
--  $7 int[]          events it adds
--  $8 bytea[]        hash of its last event
--  $9 bool[]         is the stream open afterwards
-- $10 timestamptz[]  when the service itself must act next, or null
-- $11 timestamptz[]  occurred_at of its events
-- $12 text[]         actor
-- $13 uuid[]         command id
-- $14 bytea[]        command fingerprint, or null
-- One element per event, in order:
-- $15 int[]          number of its command, from 1
-- $16 text[]         type
-- $17 bytea[]        data
-- $18 bytea[]        hash
-- One element per new secret:
-- $19 int[]          number of its command
-- $20 int[]          round
-- $21 text[]         kind: seed or position
-- $22 bytea[]        sealed
-- One element per secret that is public now:
-- $23 int[]          number of its command
-- $24 int[]          round
-- Returns the number and the first position of every command that was taken.
WITH counter AS MATERIALIZED (
    SELECT position FROM log_counter WHERE log_id = $1 FOR UPDATE
),
command AS MATERIALIZED (
    SELECT c.*
    FROM counter, unnest(
        $3::uuid[], $4::int[], $5::bytea[], $6::int[], $7::int[], $8::bytea[], $9::bool[],
        $10::timestamptz[], $11::timestamptz[], $12::text[], $13::uuid[], $14::bytea[]
    ) WITH ORDINALITY AS c (
        stream_id, expected, expected_hash, events_before, events_added, new_hash, is_open,
        due_at, occurred_at, actor, command_id, command_fp, number
    )
),
moved AS (
    UPDATE stream_head h
    SET version = c.expected + c.events_added, head_hash = c.new_hash,
        is_open = c.is_open, due_at = c.due_at
    FROM command c
    WHERE h.log_id = $1 AND h.stream_id = c.stream_id AND c.expected > 0
        AND h.version = c.expected AND h.head_hash = c.expected_hash
    RETURNING c.stream_id
),
created AS (
    INSERT INTO stream_head (log_id, stream_id, version, head_hash, is_open, due_at)
    SELECT $1, stream_id, events_added, new_hash, is_open, due_at FROM command WHERE expected = 0
    ON CONFLICT DO NOTHING
    RETURNING stream_id
),
taken AS MATERIALIZED (
    SELECT c.*, sum(events_added) OVER (ORDER BY number) - events_added AS taken_before
    FROM (SELECT stream_id FROM moved UNION ALL SELECT stream_id FROM created) ok
    JOIN command c USING (stream_id)
),
advanced AS (
    UPDATE log_counter k SET position = k.position + t.total
    FROM (SELECT sum(events_added) AS total FROM taken) t
    WHERE k.log_id = $1 AND t.total > 0
    RETURNING k.position - t.total AS base
),
appended AS (
    INSERT INTO event (
        log_id, stream_id, version, position, type, schema, occurred_at, actor,
        command_id, command_fp, data, hash
    )
    SELECT $1, t.stream_id, t.expected + e.place, a.base + t.taken_before + e.place, e.type, $2,
        t.occurred_at, t.actor, CASE WHEN e.place = 1 THEN t.command_id END,
        CASE WHEN e.place = 1 THEN t.command_fp END, e.data, e.hash
    FROM advanced a
    CROSS JOIN unnest($15::int[], $16::text[], $17::bytea[], $18::bytea[])
        WITH ORDINALITY AS x (number, type, data, hash, ordinal)
    JOIN taken t USING (number)
    CROSS JOIN LATERAL (SELECT (x.ordinal - t.events_before)::int AS place, x.*) e
),
sealed AS (
    INSERT INTO round_secret (log_id, stream_id, round, kind, sealed)
    SELECT $1, t.stream_id, s.round, s.kind, s.sealed
    FROM unnest($19::int[], $20::int[], $21::text[], $22::bytea[])
        AS s (number, round, kind, sealed)
    JOIN taken t USING (number)
),
opened AS (
    DELETE FROM round_secret r
    USING unnest($23::int[], $24::int[]) AS o (number, round) JOIN taken t USING (number)
    WHERE r.log_id = $1 AND r.stream_id = t.stream_id AND r.round = o.round
)
SELECT t.number::int, (a.base + t.taken_before + 1)::bigint AS first_position
FROM taken t CROSS JOIN advanced a
