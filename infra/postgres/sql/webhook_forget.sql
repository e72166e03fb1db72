-- Drops deliveries that are too old, so many at a time.
-- $1 timestamptz  written before
-- $2 int          how many
DELETE FROM webhook_delivery WHERE delivery_id IN (
    SELECT delivery_id FROM webhook_delivery WHERE created_at < $1 LIMIT $2
)
RETURNING delivery_id
