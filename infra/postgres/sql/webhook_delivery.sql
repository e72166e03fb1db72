-- A delivery of a webhook.
-- $1 uuid  webhook
-- $2 uuid  delivery
SELECT delivery_id, webhook_id, type, match_id, told, created_at, due_at, status, attempts, last_at,
    answered, failure
FROM webhook_delivery WHERE webhook_id = $1 AND delivery_id = $2
