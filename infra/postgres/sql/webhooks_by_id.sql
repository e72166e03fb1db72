-- Webhooks as they stand.
-- $1 uuid[]  webhooks
SELECT webhook_id, app_id, url, types, sealed_secret, created_at, since, sealed_old, old_until,
    disabled_at, disabled_by, failing_since
FROM webhook WHERE webhook_id = ANY ($1)
