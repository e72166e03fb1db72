"""Positions put on the table: which ones may be, what follows, and what the log says of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.cards import Card
from domain.commands import SERVICE, Actor, ActorKind, PlaceMatch
from domain.editions import DECKS, Edition
from domain.events import (
    MatchCreated,
    MatchStarted,
    Pending,
    PlayerJoined,
    PositionPlaced,
    RoundCommitted,
)
from domain.evolve import CorruptLog, fold
from domain.match import Match, new_match
from domain.notation import cards
from domain.options import Form, Options, Scoring, Stacking
from domain.placement import Hidden, Placement, hidden_in, kind_of, secret_of
from domain.placing import Place, faults
from domain.refusals import Refusal
from tests.spec import ANN, BOB, CLASSIC, DAN, GREEN, RED, cards_of, given, person, play, seed_of

SALT = seed_of("salt")
ELIMINATION = Options(form=Form.ELIMINATION)
LOWEST = Options(scoring=Scoring.LOWEST)
TEAMS = Options(form=Form.TEAMS)
MODERN = Options(edition=Edition.MODERN_112)


def position(*hands: str, top: str = "R7", **more: Any) -> Placement:
    """Hands by seat in notation, ANN to move; lists of cards in notation too."""
    lists = {name: cards(more.pop(name)) for name in ("discard", "pile") if name in more}
    fields: dict[str, Any] = {"turn": ANN, **lists, **more}
    return Placement(tuple(map(cards, hands)), Card(top), **fields)


def place(placement: Placement, options: Options = CLASSIC, salt: bytes = SALT) -> PlaceMatch:
    players = tuple(seed_of("player", seat).hex() for seat in range(len(placement.hands)))
    return PlaceMatch(options, players, placement, salt)


def nothing() -> Match:
    return new_match(seed_of("match")[:16])


def test_a_position_is_set_up_seated_committed_started_and_placed_in_one_step() -> None:
    asked = position("B7 W4", "Y2", discard="R1 R2", pile="G1 G2", dealer=BOB, said_uno={BOB})
    story = given(nothing()).when(SERVICE, place(asked))
    kinds = [type(event) for event in story.events]
    joined = [PlayerJoined, PlayerJoined]
    assert kinds == [
        *(MatchCreated, *joined, RoundCommitted, MatchStarted, PositionPlaced, RoundCommitted)
    ]
    assert story.the(PositionPlaced) == PositionPlaced(
        round=1,
        dealer=BOB,
        order=(ANN, BOB),
        hands=(2, 1),
        discard=cards("R2 R1 R7"),
        draw_pile=108 - 3 - 3,
        color=RED,
        direction=1,
        turn=ANN,
        pending=Pending.TURN,
        scores=(0, 0),
        uno=(BOB,),
    )
    story.then_table(ANN="B7 W4", BOB="Y2", top="R7", uno_said=frozenset({BOB}), shuffles=0)
    story.then_match(practice=True, rounds=1, host=ANN, dealer=BOB)
    assert story.match.round is not None and story.match.round.pile[:2] == cards("G1 G2")


def test_the_rest_of_the_deck_lies_under_the_pile_unless_it_is_exact() -> None:
    """DECK-3: left out, it takes no part in the round."""
    whole = given(nothing()).when(SERVICE, place(position("B7", "Y2"))).match.round
    exact = given(nothing()).when(SERVICE, place(position("B7", "Y2", exact=True))).match.round
    assert whole is not None and len(whole.pile) == 105
    assert exact is not None and exact.pile == ()


def test_the_next_round_is_dealt_from_the_whole_deck() -> None:
    """SETUP-4, SCORE-1: to the left of who counted as the dealer, on the placed totals."""
    asked = position("R1", "Y2 Y3", exact=True, dealer=BOB, scores=(40, 100), said_uno={ANN})
    story = given(nothing()).when(SERVICE, place(asked)).when(ANN, play("R1"))
    story.then_match(scores=(45, 100), rounds=2, dealer=ANN)
    assert cards_of(story.match) == Counter(DECKS[Edition.CLASSIC_108])


def test_a_later_round_of_partners_in_turn_has_their_order() -> None:
    """ROT-1: what a fork of a match will need."""
    options = Options(form=Form.ROTATING_PARTNERS, rounds_per_pairing=2)
    asked = position("R1", "Y1", "B1", "G1", turn=DAN, round=3, scores=(50, 20, 50, 20))
    story = given(nothing()).when(SERVICE, place(asked, options))
    story.then_match(rounds=3, commitment=story.match.commitments[4])
    story.then_table(order=(0, 2, 1, 3), number=3)


def test_the_salt_hides_equal_positions() -> None:
    one = given(nothing()).when(SERVICE, place(position("B7", "Y2")))
    other = given(nothing()).when(SERVICE, place(position("B7", "Y2"), salt=seed_of("other")))
    assert one.match.commitments[1] != other.match.commitments[1]
    assert one.match.commitments[2] == other.match.commitments[2]


def test_a_secret_tells_what_it_is() -> None:
    hidden = Hidden((cards("R7 W4"), ()), cards("B1"))
    assert hidden_in(secret_of(SALT, hidden)) == hidden
    assert (kind_of(secret_of(SALT, hidden)), kind_of(SALT)) == ("position", "seed")
    with pytest.raises(ValueError, match="no position"):
        hidden_in(SALT)


@pytest.mark.parametrize(
    ("placement", "options", "where"),
    [
        (position("R7 R7", "Y2"), CLASSIC, ("top",)),
        (position("R1", "R1 Y2 R1"), CLASSIC, ("hands", 1, 2)),
        (position("WS", "Y2"), CLASSIC, ("hands", 0, 0)),
        (position("WS", "WS"), MODERN, ("hands", 1, 0)),
        (position("B0", "Y2", discard="G1 B0"), CLASSIC, ("discard", 1)),
        (position("B0", "Y2", pile="B0"), CLASSIC, ("pile", 0)),
        (position("B0", ""), CLASSIC, ("hands", 1)),
        (position("B0", "Y2", top="W"), CLASSIC, ("color",)),
        (position("B0", "Y2", color=GREEN), CLASSIC, ("color",)),
        (position("B0", "Y2", turn=DAN), CLASSIC, ("turn",)),
        (position("B0", "Y2", dealer=DAN), CLASSIC, ("dealer",)),
        (position("B0", "Y2 Y3", said_uno={BOB}), CLASSIC, ("said_uno", 1)),
        (position("B0 B1 B2", "Y2", said_uno={ANN}), CLASSIC, ("said_uno", 0)),
        (position("B0", "Y2", scores=(20, 500)), CLASSIC, ("scores", 1)),
        (position("B0", "Y2", "G1", scores=(20, 500, 40)), ELIMINATION, ("scores", 1)),
        (position("B0", "Y2", scores=(520, 40)), LOWEST, ("scores", 0)),
        (position("B0", "Y2", "G1", "R1", scores=(40, 0, 30, 0)), TEAMS, ("scores", 2)),
    ],
)
def test_a_position_that_no_match_could_go_on_from_is_refused(
    placement: Placement, options: Options, where: Place
) -> None:
    """DECK-1, DECK-2, UNO-1, SCORE-1, SCORE-2, TEAM-1, ELIM-1."""
    assert [fault.place for fault in faults(placement, options)] == [where]
    given(nothing()).when(SERVICE, place(placement, options)).then_refused(
        Refusal.POSITION_MUST_BE_LEGAL
    )


@pytest.mark.parametrize(
    ("placement", "options"),
    [
        (position("B0", "Y2", top="W", color=GREEN), CLASSIC),
        (position("B0", "Y2", color=RED), CLASSIC),
        (position("B0", "Y2", top="WC", color=RED), MODERN),
        (position("B0 B1", "Y2", said_uno={ANN}), CLASSIC),
        (position("B0", "Y2", "G1", scores=(510, 320, 320)), LOWEST),
        (position("B0", "Y2", "G1", scores=(499, 499, 0)), ELIMINATION),
        (position("B0", "Y2", "G1", "R1", scores=(40, 0, 40, 0)), TEAMS),
    ],
)
def test_a_position_that_a_match_could_go_on_from_is_placed(
    placement: Placement, options: Options
) -> None:
    """SCORE-3: where several are lowest, a total over the target decides nothing."""
    assert faults(placement, options) == ()
    given(nothing()).when(SERVICE, place(placement, options)).then_match(practice=True)


def test_options_have_to_go_together_here_too() -> None:
    alone = Options(form=Form.TEAMS)
    story = given(nothing()).when(SERVICE, place(position("B0", "Y2"), alone))
    story.then_refused(Refusal.TEAMS_MUST_HAVE_FOUR_SEATS)


def test_only_the_service_places_and_only_where_there_is_no_match() -> None:
    command = place(position("B0", "Y2"), Options(stacking=Stacking.SAME))
    given(nothing()).when(person(ANN), command).then_refused(Refusal.OPERATOR_MUST_ASK)
    app = Actor(ActorKind.APP)
    given(nothing()).when(app, command).then_refused(Refusal.OPERATOR_MUST_ASK)
    twice = given(nothing()).when(SERVICE, command).when(SERVICE, command)
    twice.then_refused(Refusal.MATCH_MUST_BE_NEW)


def test_another_position_than_the_committed_one_is_found_out() -> None:
    story = given(nothing()).when(SERVICE, place(position("B7", "Y2", pile="G1", exact=True)))
    other = secret_of(SALT, Hidden((cards("B7"), cards("Y3")), cards("G1")))
    with pytest.raises(CorruptLog, match="not the committed one"):
        fold(story.events, new_match(story.match.id, {**story.match.secrets, 1: other}))
    with pytest.raises(CorruptLog, match="is not known"):
        fold(story.events, new_match(story.match.id))


def test_a_position_that_the_log_tells_otherwise_is_found_out() -> None:
    story = given(nothing()).when(SERVICE, place(position("B7", "Y2", pile="G1", exact=True)))
    for changed in ({"hands": (2, 0)}, {"draw_pile": 2}):
        events = [
            replace(event, **changed) if isinstance(event, PositionPlaced) else event
            for event in story.events
        ]
        with pytest.raises(CorruptLog, match="not the committed one"):
            fold(events, new_match(story.match.id, story.match.secrets))
