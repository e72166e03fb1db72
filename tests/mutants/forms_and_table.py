"""Mutants of chapters 9 and 10: partners, elimination, penalties at the table."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

FORMS_AND_TABLE: Final = (
    Mutant(
        "TEAM-1",
        "partners.py",
        "enumerate(round.hands) if seat not in side)",
        "enumerate(round.hands) if seat != winner)",
        "the partner's hand counts",
    ),
    Mutant(
        "ROT-1",
        "partners.py",
        "_seats(0, 1, 3, 2))",
        "_seats(0, 2, 3, 1))",
        "the third pairing plays round the other way",
    ),
    Mutant(
        "T8-1",
        "tournaments/pairs.py",
        "(2, 4, 6, 5))",
        "(2, 4, 5, 6))",
        "some are partners twice, others never",
    ),
    Mutant(
        "ELIM-1",
        "elimination.py",
        "if scores[s] >= target)",
        "if scores[s] > target)",
        "who has exactly the target stays in",
    ),
    Mutant(
        "ELIM-2",
        "elimination.py",
        "return len(match.still_in) <= 1",
        "return len(match.still_in) <= 2",
        "the last two do not play it out",
    ),
    Mutant(
        "ELIM-3",
        "elimination.py",
        "sum(scores[other] < scores[seat] for other in out)",
        "sum(scores[other] > scores[seat] for other in out)",
        "of those out in one round the higher total is better",
    ),
    Mutant(
        "TABLE-1",
        "moves/enforcement.py",
        "require(match.options.enforcement is Enforcement.TABLE, Refusal.CARD_MUST_MATCH)",
        "require(not last or match.options.enforcement is Enforcement.TABLE,"
        " Refusal.CARD_MUST_MATCH)",
        "an unfit card may be laid in every match",
    ),
    Mutant(
        "TABLE-2",
        "moves/enforcement.py",
        "turn=round.seat_after(unfit.author, 1, unfit.direction)",
        "turn=round.seat_after(unfit.author, 1, round.direction)",
        "after a Reverse is called out the turn goes in its direction",
    ),
    Mutant(
        "TABLE-3",
        "moves/enforcement.py",
        "require(not last, Refusal.LAST_CARD_MUST_MATCH)",
        "assert last or not last",
        "an unfit last card may be laid",
    ),
    Mutant(
        "TABLE-4",
        "moves/advice.py",
        "require(command.seat in round.order, Refusal.ADVISER_MUST_BE_IN_PLAY)",
        "require(command.seat < len(match.seats), Refusal.ADVISER_MUST_BE_IN_PLAY)",
        "who has left is penalized for advice",
    ),
    Mutant(
        "TABLE-5",
        "match.py",
        "kept = 1 if self.unfit is None else 2",
        "kept = 1",
        "the card under an unfit one is shuffled away",
    ),
    Mutant(
        "TABLE-6",
        "combinations.py",
        "options.enforcement is Enforcement.STRICT or options.uno_grace > 0",
        "options.enforcement is Enforcement.STRICT or options.uno_grace >= 0",
        "a table may do without grace",
    ),
)
