-- Keeps ratings and moves the position up to which there are any; or does nothing where it is
-- elsewhere, or anything was taken away in between.
-- $1 bigint      generation
-- $2 bigint      rated before
-- $3 bigint      rated after
-- $4 bigint      removals
-- $5 uuid[]      matches, and for each of them:
-- $6 smallint[]  seat
-- $7 bigint[]    mean
-- $8 bigint[]    deviation
-- $9 bigint[]    mean in the form
-- $10 bigint[]   deviation in the form
WITH moved AS (
    UPDATE tally SET rated = $3, revision = revision + 1
    WHERE generation = $1 AND rated = $2 AND removals = $4
    RETURNING revision
),
kept AS (
    UPDATE seat_result SET
        mu = one.mu,
        sigma = one.sigma,
        form_mu = one.form_mu,
        form_sigma = one.form_sigma,
        revision = moved.revision
    FROM moved,
        unnest($5::uuid[], $6::smallint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
            AS one (match_id, seat, mu, sigma, form_mu, form_sigma)
    WHERE generation = $1 AND seat_result.match_id = one.match_id
        AND seat_result.seat = one.seat
)
SELECT revision FROM moved
