-- Forgets a webhook and its deliveries.
-- $1 uuid  webhook
WITH deliveries AS (DELETE FROM webhook_delivery WHERE webhook_id = $1)
DELETE FROM webhook WHERE webhook_id = $1
