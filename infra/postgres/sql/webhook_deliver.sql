-- Stores a delivery, and lets its webhook be tried now; a repetition changes nothing.
-- $1 uuid         delivery
-- $2 uuid         webhook
-- $3 text         type
-- $4 uuid         match, or null
-- $5 bytea        what is told
-- $6 timestamptz  now
-- $7 timestamptz  when it is due
WITH awake AS (UPDATE webhook SET rest_until = NULL WHERE webhook_id = $2)
INSERT INTO webhook_delivery
    (delivery_id, webhook_id, type, match_id, told, created_at, due_at, status, attempts)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0)
ON CONFLICT DO NOTHING
