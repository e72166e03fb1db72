-- Ends the wait of a ticket that has no match, and notes for a while that it is gone.
-- $1 uuid  ticket
WITH old AS (
    DELETE FROM gone WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM gone WHERE ended_at <= now() - interval '2 days'
        LIMIT 10 FOR UPDATE SKIP LOCKED
    ))
),
removed AS (DELETE FROM queue_ticket WHERE ticket = $1 AND match_id IS NULL RETURNING ticket)
INSERT INTO gone (id, ended_at) SELECT ticket, now() FROM removed ON CONFLICT DO NOTHING
