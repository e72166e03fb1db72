-- The requests of somebody that are kept for retries; what was planned stays sealed.
-- $1 text  the person as the principal of a plan
SELECT route, key, until FROM request_key WHERE principal = $1 ORDER BY until DESC, route, key
