-- Forgets a webhook and its deliveries, and notes for a while that it is gone.
-- $1 uuid  webhook
WITH deliveries AS (DELETE FROM webhook_delivery WHERE webhook_id = $1),
old AS (
    DELETE FROM gone WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM gone WHERE ended_at <= now() - interval '2 days'
        LIMIT 10 FOR UPDATE SKIP LOCKED
    ))
),
removed AS (DELETE FROM webhook WHERE webhook_id = $1 RETURNING webhook_id)
INSERT INTO gone (id, ended_at) SELECT webhook_id, now() FROM removed ON CONFLICT DO NOTHING
