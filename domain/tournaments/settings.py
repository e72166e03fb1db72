"""What a tournament is set up with: declared at creation, fixed for good (docs/tournaments.md)."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.limits import (
    ARRIVAL_SECONDS_MAX,
    ARRIVAL_SECONDS_MIN,
    ENTRANTS_MAX,
    ENTRANTS_MIN,
    PARTNERS_SEATS,
    SEATS_MAX,
    SEATS_MIN,
    TOURNAMENT_ROUNDS_MAX,
)
from domain.options import Form, OnLeave, Options
from domain.refusals import Refusal, require
from domain.tournaments.terms import Format, NoShow, Seeding

PAIRS_ENTRANTS: Final = 8
PAIRS_ROUNDS_PER_TABLE: Final = 4
"""T8-1: how many rounds partners play together, and so the length of each match."""
ENTRANTS: Final = {Format.ROTATING_PARTNERS_4: PARTNERS_SEATS, Format.PAIRS_8: PAIRS_ENTRANTS}
"""By format that is played by a fixed number of entrants: how many."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a tournament is played; what is unset has its default.

    ``rules`` are the options of the match at each table. ``rounds`` is for ``swiss`` alone; None
    leaves it to the number of entrants. ``arrival_seconds``: how long a table waits for its
    players; None: they count as present.
    """

    format: Format
    rules: Options = Options()
    table_seats: Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX)] | None = None
    entrants_max: Annotated[int, Meta(ge=ENTRANTS_MIN, le=ENTRANTS_MAX)] | None = None
    rounds: Annotated[int, Meta(ge=1, le=TOURNAMENT_ROUNDS_MAX)] | None = None
    seeding: Seeding = Seeding.RATING
    arrival_seconds: Annotated[int, Meta(ge=ARRIVAL_SECONDS_MIN, le=ARRIVAL_SECONDS_MAX)] | None = (
        None
    )
    no_show: NoShow = NoShow.FORFEIT


def completed(settings: Settings) -> Settings:
    """The settings with all that follows from the format; refuses what contradicts it."""
    fixed = ENTRANTS.get(settings.format)
    seats = settings.table_seats or (SEATS_MIN if fixed is None else PARTNERS_SEATS)
    entrants = settings.entrants_max or fixed or ENTRANTS_MAX
    require(fixed in (None, entrants), Refusal.ENTRANTS_MUST_FIT_THE_FORMAT)
    require(fixed is None or seats == PARTNERS_SEATS, Refusal.TABLES_MUST_FIT_THE_FORMAT)
    require(
        settings.rounds is None or settings.format is Format.SWISS,
        Refusal.ROUNDS_MUST_FIT_THE_FORMAT,
    )
    return replace(
        settings,
        rules=_rules_of(settings),
        table_seats=seats,
        entrants_max=entrants,
        no_show=NoShow.BOT if fixed else settings.no_show,
    )


def _rules_of(settings: Settings) -> Options:
    """The options of every table: partners as the format wants them, a bot for who leaves."""
    rules = settings.rules
    forms = _FORMS[settings.format]
    if settings.format not in ENTRANTS:
        require(rules.form in forms, Refusal.TABLES_MUST_FIT_THE_FORMAT)
        return rules
    rounds = PAIRS_ROUNDS_PER_TABLE if settings.format is Format.PAIRS_8 else 0
    fits = rules.form in (*forms, Form.FREE_FOR_ALL) and rules.rounds in (0, rounds)
    require(fits, Refusal.TABLES_MUST_FIT_THE_FORMAT)
    return replace(rules, form=forms[0], rounds=rounds, on_leave=OnLeave.BOT)


_FORMS: Final = {
    Format.ROTATING_PARTNERS_4: (Form.ROTATING_PARTNERS,),
    Format.PAIRS_8: (Form.TEAMS,),
    Format.KNOCKOUT: (Form.FREE_FOR_ALL, Form.ELIMINATION),
    Format.SWISS: (Form.FREE_FOR_ALL, Form.ELIMINATION),
}
"""The forms of the matches at the tables; in a knockout and a swiss everybody plays alone."""
