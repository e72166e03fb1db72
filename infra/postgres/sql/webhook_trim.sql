-- Drops what is over of the log of each webhook but the newest, so many at a time.
-- $1 int  how many deliveries a log keeps
-- $2 int  how many are dropped
WITH oldest AS MATERIALIZED (
    SELECT webhook_id, (
        SELECT delivery_id FROM webhook_delivery AS one
        WHERE one.webhook_id = webhook.webhook_id AND one.due_at IS NULL
        ORDER BY delivery_id DESC
        OFFSET $1 LIMIT 1
    ) AS last
    FROM webhook
)
DELETE FROM webhook_delivery WHERE delivery_id IN (
    SELECT over.delivery_id FROM oldest
    JOIN webhook_delivery AS over ON over.webhook_id = oldest.webhook_id
        AND over.delivery_id <= oldest.last AND over.due_at IS NULL
    LIMIT $2
)
RETURNING delivery_id
