-- Forgets whose results these were, in every generation; what was rated since is rated again.
-- $1 uuid  player
WITH forgotten AS (
    UPDATE seat_result SET player_id = NULL WHERE player_id = $1
    RETURNING generation, position, with_bots
),
first AS (
    SELECT generation, min(position) AS position, bool_and(with_bots) AS are_apart
    FROM forgotten GROUP BY generation
)
UPDATE tally SET
    removals = removals + CASE WHEN are_apart THEN 0 ELSE 1 END,
    revision = revision + 1,
    rated = least(rated, first.position - 1)
FROM first WHERE first.generation = tally.generation
