-- A person's rated matches, newest first.
-- $1 uuid    player
-- $2 text    form, null for all
-- $3 bigint  before this position, null for all
-- $4 int     how many at most
SELECT match_id, position, ended_at, form, place, mu, sigma, form_mu, form_sigma
FROM seat_result
WHERE generation = (SELECT generation FROM tally WHERE is_live)
    AND player_id = $1
    AND mu IS NOT NULL
    AND ($2::text IS NULL OR form = $2)
    AND ($3::bigint IS NULL OR position < $3)
ORDER BY position DESC
LIMIT $4
