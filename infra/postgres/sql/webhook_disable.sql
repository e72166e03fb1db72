-- Tells a webhook nothing more.
-- $1 uuid         webhook
-- $2 timestamptz  now
-- $3 text         by whom
UPDATE webhook SET disabled_at = $2, disabled_by = $3
WHERE webhook_id = $1 AND disabled_at IS NULL
