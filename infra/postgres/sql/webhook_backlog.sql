-- Disables webhooks for which too much is waiting.
-- $1 timestamptz  now
-- $2 int          how much may be waiting
-- $3 text         what they are disabled by
UPDATE webhook SET disabled_at = $1, disabled_by = $3
WHERE disabled_at IS NULL AND EXISTS (
    SELECT FROM webhook_delivery AS due
    WHERE due.webhook_id = webhook.webhook_id AND due.due_at IS NOT NULL
    OFFSET $2
)
