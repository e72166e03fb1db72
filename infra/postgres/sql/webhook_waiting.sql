-- How many deliveries are still to be made, counted no further than $1.
-- $1 int  how many are counted at most
SELECT count(*) AS waiting FROM (
    SELECT FROM webhook_delivery WHERE due_at IS NOT NULL LIMIT $1
) AS due
