-- Ends a token of this owner. Its row is put back as one that has run out: so a retry of the
-- request that made it does not bring it back, and the role needs no right to change rows.
-- $1 bytea        hash
-- $2 text         kind
-- $3 uuid         whom it stands for
-- $4 timestamptz  now
WITH ended AS (
    DELETE FROM token
    WHERE token_hash = $1 AND kind = $2 AND principal_id = $3 AND (until IS NULL OR until > $4)
    RETURNING token_hash, kind, principal_id, created_at
)
INSERT INTO token (token_hash, kind, principal_id, created_at, until)
SELECT token_hash, kind, principal_id, created_at, $4 FROM ended
