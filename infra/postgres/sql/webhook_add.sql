-- Stores a webhook, unless its app has enough others; a repetition changes nothing, also once the
-- webhook is gone.
-- $1 uuid         webhook
-- $2 uuid         app
-- $3 text         url
-- $4 text[]       types
-- $5 bytea        sealed secret
-- $6 timestamptz  now
-- $7 bigint       position of the log after which it is told
-- $8 int          how many an app may have
WITH added AS (
    INSERT INTO webhook (webhook_id, app_id, url, types, sealed_secret, created_at, since)
    SELECT $1, $2, $3, $4, $5, $6, $7
    WHERE (SELECT count(*) FROM webhook WHERE app_id = $2) < $8
        AND NOT EXISTS (SELECT FROM gone WHERE id = $1)
    ON CONFLICT DO NOTHING
    RETURNING webhook_id
)
SELECT webhook_id FROM added
UNION
SELECT webhook_id FROM webhook WHERE webhook_id = $1
UNION
SELECT id FROM gone WHERE id = $1
