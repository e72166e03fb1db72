-- Ends the wait of a ticket that has no match.
-- $1 uuid  ticket
DELETE FROM queue_ticket WHERE ticket = $1 AND match_id IS NULL
