-- Deliveries of a webhook, newest first.
-- $1 uuid  webhook
-- $2 text  status, or null for all
-- $3 uuid  ids below this, or null
-- $4 int   how many at most
SELECT delivery_id, webhook_id, type, match_id, told, created_at, due_at, status, attempts, last_at,
    answered, failure
FROM webhook_delivery
WHERE webhook_id = $1 AND ($2::text IS NULL OR status = $2)
    AND ($3::uuid IS NULL OR delivery_id < $3)
ORDER BY delivery_id DESC
LIMIT $4
