-- The seats of the next rated matches, in the order of their ends.
-- $1 bigint  generation
-- $2 bigint  rated up to this position
-- $3 int     how many matches at most
SELECT match_id, seat, player_id, position, form, place, side
FROM seat_result
WHERE generation = $1 AND side IS NOT NULL AND position > $2 AND position <= coalesce(
    (
        SELECT max(position) FROM (
            SELECT DISTINCT position FROM seat_result
            WHERE generation = $1 AND side IS NOT NULL AND position > $2
            ORDER BY position LIMIT $3
        ) AS next
    ),
    0
)
ORDER BY position, seat
