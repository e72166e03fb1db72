-- A generation of the tallies beside the one that is read, in which nothing is counted yet.
INSERT INTO tally (generation, is_live, position, rated, removals, revision, epoch)
SELECT max(generation) + 1, false, 0, 0, 0, 0, 0 FROM tally
RETURNING generation
