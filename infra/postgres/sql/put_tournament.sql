-- Keeps what lists show of a tournament, unless something newer is there.
-- $1 uuid         tournament
-- $2 int          version
-- $3 timestamptz  when it was set up
-- $4 text         status
-- $5 boolean      whether everybody may know of it
-- $6 bytea        the line
INSERT INTO tournament AS kept (tournament_id, version, created_at, status, is_public, line)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tournament_id) DO UPDATE SET
    version = excluded.version, status = excluded.status, line = excluded.line
WHERE kept.version < excluded.version
