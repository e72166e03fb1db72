-- Reads another generation from now on, unless the one that is read has come further. Whoever
-- keeps a copy finds that something was removed, and fills it anew.
-- $1 bigint  generation
WITH old AS (
    UPDATE tally SET is_live = false
    WHERE is_live AND generation <> $1
        AND position <= (SELECT position FROM tally WHERE generation = $1)
    RETURNING removals, revision
)
UPDATE tally SET
    is_live = true,
    removals = old.removals + 1,
    revision = greatest(tally.revision, old.revision) + 1
FROM old
WHERE generation = $1
RETURNING generation
