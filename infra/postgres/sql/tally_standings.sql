-- A page of a leaderboard: from the top, after a place, or around a person.
-- $1 text    board
-- $2 text    season, null for all
-- $3 text    form, null for all
-- $4 uuid    app, null for all
-- $5 int     how many at most
-- $6 bigint  after these points
-- $7 uuid    and this person, null for the top
-- $8 uuid    around this person
WITH score AS (
    SELECT
        player_id,
        CASE $1::text
            WHEN 'points' THEN sum(points)::bigint
            WHEN 'matches_won' THEN sum(matches_won)::bigint
            WHEN 'rounds_won' THEN sum(rounds_won)::bigint
            ELSE floor(
                (
                    array_agg(
                        CASE
                            WHEN $3::text IS NULL THEN mu - 3 * sigma
                            ELSE form_mu - 3 * form_sigma
                        END
                        ORDER BY position DESC
                    ) FILTER (WHERE mu IS NOT NULL)
                )[1] * 60 / 1000000.0
            )::bigint
        END AS points
    FROM seat_result
    WHERE generation = (SELECT generation FROM tally WHERE is_live)
        AND player_id IS NOT NULL
        AND NOT with_bots
        AND ($2::text IS NULL OR season = $2)
        AND ($3::text IS NULL OR form = $3)
        AND ($4::uuid IS NULL OR app_id = $4)
    GROUP BY player_id
),
ranked AS (
    SELECT
        player_id,
        points,
        rank() OVER (ORDER BY points DESC) AS rank,
        count(*) OVER (PARTITION BY points) > 1 AS is_tied,
        row_number() OVER (ORDER BY points DESC, player_id DESC) AS place
    FROM score WHERE points IS NOT NULL
)
SELECT rank, player_id, points, is_tied FROM ranked
WHERE CASE
    WHEN $8::uuid IS NOT NULL
        THEN place >= (SELECT place FROM ranked WHERE player_id = $8) - $5::int / 2
    WHEN $7::uuid IS NOT NULL THEN (points, player_id) < ($6::bigint, $7)
    ELSE true
END
ORDER BY place
LIMIT $5
