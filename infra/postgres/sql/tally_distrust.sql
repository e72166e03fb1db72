-- Has every copy of the leaderboards filled anew: none can have seen as much removed.
-- $1 bigint  more than can have been removed in what was lost
UPDATE tally SET removals = removals + $1
