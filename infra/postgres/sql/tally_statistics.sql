-- What a person did in all matches, by form of play, those with bots apart.
-- $1 uuid  player
SELECT
    form,
    with_bots,
    count(*) AS matches,
    sum(matches_won)::bigint AS matches_won,
    sum(points)::bigint AS points,
    sum(rounds)::bigint AS rounds,
    sum(rounds_won)::bigint AS rounds_won,
    sum(challenges)::bigint AS challenges,
    sum(challenges_won)::bigint AS challenges_won,
    sum(unos_called)::bigint AS unos_called,
    sum(unos_missed)::bigint AS unos_missed,
    sum(unos_caught)::bigint AS unos_caught,
    sum(cards_left)::bigint AS cards_left
FROM seat_result
WHERE generation = (SELECT generation FROM tally WHERE is_live) AND player_id = $1
GROUP BY form, with_bots
ORDER BY form, with_bots
