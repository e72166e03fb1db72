-- Counts ended matches, takes voided ones away, and moves the position; or does nothing where the
-- position is elsewhere, or somebody with a higher epoch has written. The rows of persons are held,
-- so that an erasure comes before this or after it.
-- $1 bigint  generation
-- $2 bigint  position before
-- $3 bigint  position after
-- $4 bigint  epoch
-- $5 uuid[]  voided matches
-- $6 uuid[]  persons
-- $7 jsonb   the seats
WITH person AS (
    SELECT player_id FROM player WHERE player_id = ANY($6) AND name IS NOT NULL FOR SHARE
),
gone AS (
    SELECT count(DISTINCT match_id) AS matches, min(position) AS first
    FROM seat_result WHERE generation = $1 AND match_id = ANY($5)
),
moved AS (
    UPDATE tally SET
        position = $3,
        epoch = $4,
        revision = revision + 1,
        removals = removals + (SELECT matches FROM gone),
        rated = least(rated, (SELECT first - 1 FROM gone))
    WHERE generation = $1 AND position = $2 AND epoch <= $4
    RETURNING revision
),
removed AS (
    DELETE FROM seat_result USING moved WHERE generation = $1 AND match_id = ANY($5)
),
counted AS (
    INSERT INTO seat_result (
        generation, match_id, seat, player_id, position, ended_at, season, form, app_id, with_bots,
        place, side, matches_won, points, rounds, rounds_won, challenges, challenges_won,
        unos_called, unos_missed, unos_caught, cards_left, revision
    )
    SELECT
        $1, one.match_id, one.seat, person.player_id, one.position,
        timestamptz 'epoch' + one.ended_at * interval '1 microsecond', one.season, one.form,
        one.app_id, one.with_bots, one.place, one.side, one.matches_won, one.points, one.rounds,
        one.rounds_won, one.challenges, one.challenges_won, one.unos_called, one.unos_missed,
        one.unos_caught, one.cards_left, moved.revision
    FROM moved,
        jsonb_to_recordset($7::jsonb) AS one (
            match_id uuid, seat smallint, player_id uuid, position bigint, ended_at bigint,
            season text, form text, app_id uuid, with_bots boolean, place smallint,
            side smallint, matches_won bigint, points bigint, rounds bigint, rounds_won bigint,
            challenges bigint, challenges_won bigint, unos_called bigint, unos_missed bigint,
            unos_caught bigint, cards_left bigint
        )
        LEFT JOIN person ON person.player_id = one.player_id
)
SELECT revision FROM moved
