-- Tells a disabled webhook again what stands after a position.
-- $1 uuid    webhook
-- $2 bigint  position of the log
UPDATE webhook
SET disabled_at = NULL, disabled_by = NULL, failing_since = NULL, failures = 0,
    rest_until = NULL, since = $2
WHERE webhook_id = $1 AND disabled_at IS NOT NULL
