-- All webhooks that are told something.
SELECT webhook_id, app_id, url, types, sealed_secret, created_at, since, sealed_old, old_until,
    disabled_at, disabled_by, failing_since
FROM webhook WHERE disabled_at IS NULL
