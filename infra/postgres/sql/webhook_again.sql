-- Tries a delivery from the start, unless it is under way or was tried after it was asked for.
-- $1 uuid         delivery
-- $2 timestamptz  now
-- $3 timestamptz  when it was asked for
WITH due AS (
    UPDATE webhook_delivery
    SET status = 'pending', attempts = 0, due_at = $2, leased_until = NULL
    WHERE delivery_id = $1 AND (leased_until IS NULL OR leased_until <= $2)
        AND (last_at IS NULL OR last_at < $3)
    RETURNING webhook_id
)
UPDATE webhook SET rest_until = NULL FROM due WHERE webhook.webhook_id = due.webhook_id
