-- Stores deliveries and moves the position, or neither: nothing where the position is elsewhere,
-- or somebody with a higher epoch has written.
-- $1 smallint     the log
-- $2 bigint       position before
-- $3 bigint       position after
-- $4 bigint       epoch
-- $5 timestamptz  now
-- $6 uuid[]       deliveries, and for each of them:
-- $7 uuid[]       webhook
-- $8 text[]       type
-- $9 uuid[]       match
-- $10 bytea[]     what is told
WITH moved AS (
    UPDATE webhook_position SET position = $3, epoch = $4
    WHERE log_id = $1 AND position = $2 AND epoch <= $4
    RETURNING position
),
written AS (
    INSERT INTO webhook_delivery
        (delivery_id, webhook_id, type, match_id, told, created_at, due_at, status, attempts)
    SELECT one.delivery_id, one.webhook_id, one.type, one.match_id, one.told, $5, $5, 'pending', 0
    FROM moved, unnest($6::uuid[], $7::uuid[], $8::text[], $9::uuid[], $10::bytea[])
        AS one (delivery_id, webhook_id, type, match_id, told)
)
SELECT position FROM moved
