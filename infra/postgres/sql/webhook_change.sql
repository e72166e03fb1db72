-- Changes where a webhook points and what it is told.
-- $1 uuid    webhook
-- $2 text    url
-- $3 text[]  types
UPDATE webhook SET url = $2, types = $3 WHERE webhook_id = $1
