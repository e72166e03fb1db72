-- What persons have on every board, in every scope: season, form and app, each of them or all.
-- grouped is a bit set: 4 for all seasons, 2 for all forms, 1 for all apps.
-- $1 bigint  generation
-- $2 uuid[]  persons
SELECT
    player_id,
    season,
    form,
    app_id,
    grouping(season, form, app_id) AS grouped,
    sum(points)::bigint AS points,
    sum(matches_won)::bigint AS matches_won,
    sum(rounds_won)::bigint AS rounds_won,
    (array_agg(mu - 3 * sigma ORDER BY position DESC) FILTER (WHERE mu IS NOT NULL))[1] AS rating,
    (array_agg(form_mu - 3 * form_sigma ORDER BY position DESC) FILTER (WHERE mu IS NOT NULL))[1]
        AS form_rating
FROM seat_result
WHERE generation = $1 AND player_id = ANY($2) AND NOT with_bots
GROUP BY player_id, CUBE (season, form, app_id)
HAVING app_id IS NOT NULL OR grouping(app_id) = 1
ORDER BY player_id, season, form, app_id
