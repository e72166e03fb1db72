-- Lets a ticket that waits run out later.
-- $1 uuid         ticket
-- $2 timestamptz  valid until
UPDATE queue_ticket SET until = greatest(until, $2) WHERE ticket = $1 AND match_id IS NULL
