"""The log that is only appended to, and the persons beside it."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    for statement in (*LOG, *APPEND_ONLY, *REGISTRY):
        op.execute(statement)


LOG = (
    # One row per log. Every append locks it first: positions are dense and in commit order.
    # It is updated all the time, so its page keeps room for versions of the row.
    """
    CREATE TABLE log_counter (
        log_id   smallint PRIMARY KEY,
        position bigint   NOT NULL CHECK (position >= 0)
    ) WITH (fillfactor = 10)
    """,
    "INSERT INTO log_counter (log_id, position) VALUES (0, 0)",
    # Where each stream stands, and what the service itself has to do with it. One batch may
    # update every row of a page: more than half of it is kept free, so that the new versions
    # of the rows fit beside the old ones and no index has to change.
    """
    CREATE TABLE stream_head (
        log_id    smallint NOT NULL,
        stream_id uuid     NOT NULL,
        version   integer  NOT NULL CHECK (version > 0),
        head_hash bytea    NOT NULL,
        is_open   boolean  NOT NULL,
        due_at    timestamptz,
        PRIMARY KEY (log_id, stream_id)
    ) WITH (fillfactor = 45)
    """,
    """
    CREATE INDEX stream_head_due ON stream_head (log_id, due_at)
        WHERE is_open AND due_at IS NOT NULL
    """,
    "CREATE INDEX stream_head_open ON stream_head (log_id, stream_id) WHERE is_open",
    # What happened. data are the exact bytes that were hashed; occurred_at is the service's
    # clock and hashed too, recorded_at the database's. A command's id is on its first event.
    """
    CREATE TABLE event (
        log_id      smallint    NOT NULL,
        stream_id   uuid        NOT NULL,
        version     integer     NOT NULL CHECK (version > 0),
        position    bigint      NOT NULL CHECK (position > 0),
        type        text        NOT NULL,
        schema      smallint    NOT NULL,
        occurred_at timestamptz NOT NULL,
        actor       text        NOT NULL,
        command_id  uuid,
        command_fp  bytea,
        data        bytea       NOT NULL,
        hash        bytea       NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (log_id, stream_id, version),
        CONSTRAINT event_position UNIQUE (log_id, position)
    )
    """,
    """
    CREATE UNIQUE INDEX event_command ON event (log_id, stream_id, command_id)
        WHERE command_id IS NOT NULL
    """,
    # Seeds of rounds (kind seed) and sandbox positions that are not public yet, sealed.
    """
    CREATE TABLE round_secret (
        log_id    smallint NOT NULL,
        stream_id uuid     NOT NULL,
        round     integer  NOT NULL CHECK (round > 0),
        kind      text     NOT NULL DEFAULT 'seed' CHECK (kind IN ('seed', 'position')),
        sealed    bytea    NOT NULL,
        PRIMARY KEY (log_id, stream_id, round)
    )
    """,
    # The id of the one key that seals everything here; another key is refused at the start.
    """
    CREATE TABLE seal_key (
        one    boolean PRIMARY KEY DEFAULT true CHECK (one),
        key_id text    NOT NULL
    )
    """,
)

APPEND_ONLY = (
    """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% of % refused: the log is only appended to', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
    """,
    # Also where replication or a restore runs with session_replication_role = replica.
    "ALTER TABLE event ENABLE ALWAYS TRIGGER event_is_append_only",
)

REGISTRY = (
    # A person. The name is null once they are erased: the row stays, so that no retry of an
    # older request brings them back.
    """
    CREATE TABLE player (
        player_id  uuid PRIMARY KEY,
        name       text CHECK (char_length(name) BETWEEN 1 AND 32),
        app_id     uuid,
        created_at timestamptz NOT NULL
    )
    """,
    "CREATE TABLE app (app_id uuid PRIMARY KEY, name text NOT NULL)",
    # Only the hash of a token is kept; until is null where it does not run out.
    """
    CREATE TABLE token (
        token_hash   bytea PRIMARY KEY,
        kind         text NOT NULL CHECK (kind IN ('player', 'app', 'auditor', 'operator')),
        principal_id uuid NOT NULL,
        created_at   timestamptz NOT NULL,
        until        timestamptz
    )
    """,
    "CREATE INDEX token_principal ON token (principal_id)",
    """
    CREATE TABLE match_facts (
        match_id    uuid PRIMARY KEY,
        created_by  uuid,
        app_id      uuid,
        invite_hash bytea,
        tags        text[] NOT NULL
    )
    """,
    "CREATE INDEX match_facts_creator ON match_facts (created_by) WHERE created_by IS NOT NULL",
    # Which person a digest in a match's log stands for. Deleting the row erases it.
    """
    CREATE TABLE match_seat (
        match_id  uuid  NOT NULL,
        player_id uuid  NOT NULL,
        salt      bytea NOT NULL,
        digest    text  NOT NULL,
        PRIMARY KEY (match_id, player_id)
    )
    """,
    "CREATE INDEX match_seat_player ON match_seat (player_id, match_id)",
    # The plan of a POST that is no command, sealed, under its idempotency key.
    """
    CREATE TABLE request_key (
        principal   text  NOT NULL,
        route       text  NOT NULL,
        key         text  NOT NULL,
        fingerprint bytea NOT NULL,
        sealed_plan bytea NOT NULL,
        until       timestamptz NOT NULL,
        PRIMARY KEY (principal, route, key)
    )
    """,
    "CREATE INDEX request_key_until ON request_key (until)",
)
