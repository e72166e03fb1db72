"""Where apps want to be told what happens, and the log of what they were told."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    for statement in (*WEBHOOKS, *DELIVERIES):
        op.execute(statement)


WEBHOOKS = (
    # Secrets are sealed. A webhook is told what stands after position since of the log. It has
    # failed without one success since failing_since, and is left alone until rest_until.
    """
    CREATE TABLE webhook (
        webhook_id    uuid PRIMARY KEY,
        app_id        uuid        NOT NULL,
        url           text        NOT NULL,
        types         text[]      NOT NULL,
        sealed_secret bytea       NOT NULL,
        sealed_old    bytea,
        old_until     timestamptz,
        created_at    timestamptz NOT NULL,
        since         bigint      NOT NULL,
        disabled_at   timestamptz,
        disabled_by   text,
        failing_since timestamptz,
        failures      integer     NOT NULL DEFAULT 0,
        rest_until    timestamptz
    )
    """,
    "CREATE INDEX webhook_app ON webhook (app_id)",
)

DELIVERIES = (
    # What is told to a webhook, without any person's id. Taken on by a process until leased_until:
    # due_at is the same then, so that somebody else goes on if that process is gone.
    """
    CREATE TABLE webhook_delivery (
        delivery_id  uuid PRIMARY KEY,
        webhook_id   uuid        NOT NULL,
        type         text        NOT NULL,
        match_id     uuid,
        told         bytea       NOT NULL,
        created_at   timestamptz NOT NULL,
        due_at       timestamptz,
        status       text        NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
        attempts     integer     NOT NULL,
        last_at      timestamptz,
        answered     integer,
        failure      text,
        leased_until timestamptz
    )
    """,
    """
    CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, due_at)
        WHERE due_at IS NOT NULL
    """,
    "CREATE INDEX webhook_delivery_log ON webhook_delivery (webhook_id, delivery_id)",
    "CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at)",
    # Up to where in the log deliveries are written, and the epoch of who wrote last.
    """
    CREATE TABLE webhook_position (
        log_id   smallint PRIMARY KEY,
        position bigint   NOT NULL,
        epoch    bigint   NOT NULL
    )
    """,
    "INSERT INTO webhook_position (log_id, position, epoch) VALUES (0, 0, 0)",
)
