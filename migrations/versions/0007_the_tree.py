"""The Merkle tree over the log's positions, and the checkpoints that were signed of it."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    for statement in (*CHECKPOINTS, *TILES):
        op.execute(statement)


CHECKPOINTS = (
    # Each follows on one before it, and no two on the same: the log has one history.
    """
    CREATE TABLE log_checkpoint (
        log_id    smallint NOT NULL,
        size      bigint   NOT NULL,
        previous  bigint   NOT NULL CHECK (previous >= 0 AND previous < size),
        root      bytea    NOT NULL CHECK (octet_length(root) = 32),
        note      text     NOT NULL,
        PRIMARY KEY (log_id, size),
        UNIQUE (log_id, previous)
    )
    """,
    """
    CREATE TRIGGER log_checkpoint_is_append_only
        BEFORE UPDATE OR DELETE OR TRUNCATE ON log_checkpoint
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    "ALTER TABLE log_checkpoint ENABLE ALWAYS TRIGGER log_checkpoint_is_append_only",
)

TILES = (
    # 256 hashes of 32 bytes; the last tile of a level grows until it is full.
    """
    CREATE TABLE log_tile (
        log_id  smallint NOT NULL,
        level   smallint NOT NULL CHECK (level BETWEEN 0 AND 63),
        number  bigint   NOT NULL CHECK (number >= 0),
        hashes  bytea    NOT NULL CHECK (octet_length(hashes) BETWEEN 32 AND 8192
                                         AND octet_length(hashes) % 32 = 0),
        PRIMARY KEY (log_id, level, number)
    )
    """,
    # Hashes do not compress, and are read in pieces.
    "ALTER TABLE log_tile ALTER COLUMN hashes SET STORAGE EXTERNAL",
    """
    CREATE FUNCTION refuse_other_tile() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF substr(NEW.hashes, 1, octet_length(OLD.hashes)) <> OLD.hashes
            OR (NEW.log_id, NEW.level, NEW.number) <> (OLD.log_id, OLD.level, OLD.number)
        THEN
            RAISE EXCEPTION 'UPDATE of log_tile refused: a tile is only added to'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END
    $$
    """,
    """
    CREATE TRIGGER log_tile_is_added_to BEFORE UPDATE ON log_tile
        FOR EACH ROW EXECUTE FUNCTION refuse_other_tile()
    """,
    "ALTER TABLE log_tile ENABLE ALWAYS TRIGGER log_tile_is_added_to",
    """
    CREATE TRIGGER log_tile_is_kept BEFORE DELETE OR TRUNCATE ON log_tile
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    "ALTER TABLE log_tile ENABLE ALWAYS TRIGGER log_tile_is_kept",
)
