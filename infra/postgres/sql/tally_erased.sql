-- Persons who are erased, and whose results still say that they were theirs.
SELECT player_id FROM player
WHERE name IS NULL AND EXISTS (
    SELECT FROM tally, seat_result
    WHERE seat_result.generation = tally.generation AND seat_result.player_id = player.player_id
)
