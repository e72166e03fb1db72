-- Notes how an attempt ended, and how its webhook is doing, unless somebody else has taken the
-- delivery on since.
-- $1 uuid         delivery
-- $2 int          attempt
-- $3 timestamptz  end of the lease
-- $4 timestamptz  now
-- $5 text         status
-- $6 timestamptz  when it is tried again, or null
-- $7 int          HTTP status, or null
-- $8 text         failure, or null
-- $9 int          seconds at most that a receiver is left alone
-- $10 timestamptz who has failed since then is disabled
-- $11 boolean     whether it is disabled at once
-- $12 text        what it is disabled by
WITH done AS (
    UPDATE webhook_delivery
    SET status = $5, due_at = $6, leased_until = NULL, last_at = $4, answered = $7, failure = $8
    WHERE delivery_id = $1 AND attempts = $2 AND leased_until = $3
    RETURNING webhook_id
),
well AS (
    UPDATE webhook SET failing_since = NULL, failures = 0, rest_until = NULL
    FROM done
    WHERE webhook.webhook_id = done.webhook_id AND $5 = 'delivered'
        AND (failures > 0 OR rest_until IS NOT NULL)
)
UPDATE webhook
SET failing_since = coalesce(failing_since, $4),
    failures = failures + 1,
    rest_until = $4 + least($9, power(2, least(failures + 1, 16))) * interval '1 second',
    disabled_at = CASE WHEN $11 OR failing_since <= $10 THEN coalesce(disabled_at, $4)
        ELSE disabled_at END,
    disabled_by = CASE WHEN disabled_at IS NULL AND ($11 OR failing_since <= $10) THEN $12
        ELSE disabled_by END
FROM done
WHERE webhook.webhook_id = done.webhook_id AND $5 <> 'delivered'
