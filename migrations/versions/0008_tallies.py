"""How ended matches came out, seat by seat, and how far the log is counted."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for statement in TALLIES:
        op.execute(statement)


TALLIES = (
    # Made of the log alone, and of who sits where. What is read is the generation that is_live;
    # another may be written beside it.
    """
    CREATE TABLE tally (
        generation  bigint PRIMARY KEY,
        is_live     boolean NOT NULL,
        position    bigint  NOT NULL,
        rated       bigint  NOT NULL,
        removals    bigint  NOT NULL,
        revision    bigint  NOT NULL,
        epoch       bigint  NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX tally_live ON tally (is_live) WHERE is_live",
    "INSERT INTO tally VALUES (1, true, 0, 0, 0, 0, 0)",
    # side is null where the match is not rated; player_id where the person is erased. The four
    # ratings are those after the match, null until it is rated.
    """
    CREATE TABLE seat_result (
        generation      bigint      NOT NULL,
        match_id        uuid        NOT NULL,
        seat            smallint    NOT NULL,
        player_id       uuid,
        position        bigint      NOT NULL,
        ended_at        timestamptz NOT NULL,
        season          text        NOT NULL,
        form            text        NOT NULL,
        app_id          uuid,
        with_bots       boolean     NOT NULL,
        place           smallint    NOT NULL,
        side            smallint,
        matches_won     bigint      NOT NULL,
        points          bigint      NOT NULL,
        rounds          bigint      NOT NULL,
        rounds_won      bigint      NOT NULL,
        challenges      bigint      NOT NULL,
        challenges_won  bigint      NOT NULL,
        unos_called     bigint      NOT NULL,
        unos_missed     bigint      NOT NULL,
        unos_caught     bigint      NOT NULL,
        cards_left      bigint      NOT NULL,
        mu              bigint,
        sigma           bigint,
        form_mu         bigint,
        form_sigma      bigint,
        revision        bigint      NOT NULL,
        PRIMARY KEY (generation, match_id, seat)
    )
    """,
    "CREATE INDEX seat_result_player ON seat_result (generation, player_id, form, position)",
    """
    CREATE INDEX seat_result_to_rate ON seat_result (generation, position, seat)
        WHERE side IS NOT NULL
    """,
    "CREATE INDEX seat_result_revision ON seat_result (generation, revision)",
)
