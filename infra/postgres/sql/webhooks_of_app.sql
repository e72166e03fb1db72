-- The webhooks of an app, the oldest first.
-- $1 uuid  app
SELECT webhook_id, app_id, url, types, sealed_secret, created_at, since, sealed_old, old_until,
    disabled_at, disabled_by, failing_since
FROM webhook WHERE app_id = $1
ORDER BY webhook_id
