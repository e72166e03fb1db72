-- Takes on deliveries that are due: nobody else gets them until the lease is over.
-- $1 timestamptz  now
-- $2 timestamptz  end of the lease
-- $3 int          how many at most
-- $4 int          how many of a webhook may be under way
-- Webhooks that another process is looking at are left to it. A delivery that it has taken on since
-- this statement began is due no more when the row is looked at again for the update.
WITH ready AS MATERIALIZED (
    SELECT webhook_id FROM webhook
    WHERE disabled_at IS NULL AND (rest_until IS NULL OR rest_until <= $1)
        AND EXISTS (
            SELECT FROM webhook_delivery AS due
            WHERE due.webhook_id = webhook.webhook_id AND due.due_at <= $1
        )
    ORDER BY random()
    LIMIT $3
    FOR UPDATE SKIP LOCKED
),
chosen AS (
    SELECT due.delivery_id FROM ready CROSS JOIN LATERAL (
        SELECT delivery_id FROM webhook_delivery AS one
        WHERE one.webhook_id = ready.webhook_id AND one.due_at <= $1
        ORDER BY one.due_at, one.delivery_id
        LIMIT greatest(0, $4 - (
            SELECT count(*) FROM webhook_delivery AS taken
            WHERE taken.webhook_id = ready.webhook_id AND taken.leased_until > $1
                AND taken.due_at IS NOT NULL
        ))
    ) AS due
    LIMIT $3
)
UPDATE webhook_delivery AS mine
SET due_at = $2, leased_until = $2, attempts = attempts + 1
FROM chosen
WHERE mine.delivery_id = chosen.delivery_id AND mine.due_at <= $1
RETURNING mine.delivery_id, mine.webhook_id, mine.type, mine.match_id, mine.told, mine.created_at,
    mine.due_at, mine.status, mine.attempts, mine.last_at, mine.answered, mine.failure
