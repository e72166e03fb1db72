-- Keeps a plan under its idempotency key unless a valid one is there; clears a few old ones.
-- $1 text         principal
-- $2 text         route
-- $3 text         key
-- $4 bytea        fingerprint
-- $5 bytea        sealed plan
-- $6 timestamptz  valid until
-- $7 timestamptz  now
-- Returns what is kept from now on, and whether it is this one. Where another has just been
-- kept, the row is given back unchanged (assigning a column to itself locks and returns it).
WITH old AS (
    DELETE FROM request_key WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM request_key
        WHERE until <= $7 AND (principal, route, key) <> ($1, $2, $3)
        LIMIT 10 FOR UPDATE SKIP LOCKED
    ))
)
INSERT INTO request_key AS kept (principal, route, key, fingerprint, sealed_plan, until)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (principal, route, key) DO UPDATE SET
    fingerprint = CASE WHEN kept.until <= $7 THEN excluded.fingerprint ELSE kept.fingerprint END,
    sealed_plan = CASE WHEN kept.until <= $7 THEN excluded.sealed_plan ELSE kept.sealed_plan END,
    until = CASE WHEN kept.until <= $7 THEN excluded.until ELSE kept.until END
RETURNING fingerprint, sealed_plan
