"""Who sees what, at a few tables."""

from __future__ import annotations

import json

import msgspec

from domain.cards import Card
from domain.commands import CatchUno, Challenge, Command, Context, DrawCard, StartMatch
from domain.decide import decide
from domain.events import Event, RoundCommitted, RoundStarted, Seat
from domain.evolve import evolve
from domain.match import Match, Status, with_secret
from domain.notation import cards
from domain.options import Options, WildDrawFour
from domain.refusals import Refusal
from domain.sight import explain, mine, pack, unpack, view_of, views_of
from domain.views import Mine
from tests.spec import (
    ANN,
    BOB,
    CAT,
    GREEN,
    created,
    deal,
    given,
    hand_of,
    person,
    play,
    seated,
    seed_of,
    started,
)


def sent(view: object) -> dict[str, object]:
    """A view as a client reads it."""
    found: dict[str, object] = json.loads(msgspec.json.encode(view))
    return found


def test_a_spectator_gets_neither_hand_nor_moves() -> None:
    view = sent(view_of(started(3), None))
    assert "you" not in view and "legal" not in view
    assert view["draw_pile"] == 108 - 21 - 1 and view["discard_pile"] == 1


def test_a_seat_sees_its_hand_and_the_others_count() -> None:
    match = deal(ANN="R1 W", BOB="B1 B2 B3", top="R5")
    view = sent(view_of(match, ANN))
    assert view["you"] == {"seat": 0, "hand": ["R1", "W"]}
    assert [seat["cards"] for seat in view["seats"]] == [2, 3]  # type: ignore[attr-defined]


def test_legal_names_a_wild_once_and_no_uno() -> None:
    view = sent(view_of(deal(ANN="R1 W", BOB="B1", top="R5"), ANN))
    assert view["legal"] == [
        {"type": "play_card", "card": "R1"},
        {"type": "play_card", "card": "W"},
        {"type": "draw_card"},
        {"type": "call_uno"},
    ]
    assert sent(view_of(deal(ANN="R1 W", BOB="B1", top="R5"), BOB))["legal"] == []


def test_the_drawn_card_is_the_drawers_alone() -> None:
    table = given(deal(ANN="G1", BOB="B1", top="R5", pile="R7")).when(ANN, DrawCard())
    assert sent(view_of(table.match, ANN))["you"] == {
        "seat": 0,
        "hand": ["G1", "R7"],
        "drawn": "R7",
    }
    assert "R7" not in str(sent(view_of(table.match, BOB)))


def test_a_penalty_names_its_amount() -> None:
    table = given(deal(ANN="W4 B1", BOB="G1", top="R5")).when(ANN, play("W4", GREEN))
    view = sent(view_of(table.match, BOB))
    assert view["pending"] == {"kind": "penalty", "seat": 1, "amount": 4}
    assert view["legal"] == [
        {"type": "accept_penalty"},
        {"type": "challenge"},
        {"type": "catch_uno", "seat": 0},
    ]


def test_an_open_table_waits_for_nobody() -> None:
    view = sent(view_of(created(3), ANN))
    assert (view["status"], view["pending"], view["turn"]) == ("open", {"kind": "none"}, None)
    assert view["seats_total"] == 3 and len(view["seats"]) == 1  # type: ignore[arg-type]
    assert view["fairness"]["round"] == 1  # type: ignore[index]


def test_fairness_shows_the_coming_round() -> None:
    match = started(2)
    assert view_of(match, None).fairness is not None
    assert sent(view_of(match, None))["fairness"] == {
        "round": 2,
        "commitment": match.commitment,
        "seeds": ["", ""],
    }


def saw(match: Match, who: Seat, command: Command, viewer: Seat) -> list[Mine]:
    """What a viewer alone saw of the events that a command causes."""
    found, before = [], match
    for event in given(match).when(who, command).events:
        after = evolve(before, event)
        found.append(mine(before, event, after, viewer))
        before = after
    return [one for one in found if one is not None]


def test_each_seat_finds_its_own_hand_at_the_deal() -> None:
    match = seated(3)
    *_, last = (step for step in dealt(match))
    for seat in (ANN, BOB, CAT):
        assert mine(*last, seat) == Mine(hand=hand_of(last[2], seat))


def dealt(match: Match) -> list[tuple[Match, Event, Match]]:
    """The round_started of a match that starts, with the match around it."""
    found, before = [], match
    for event in decide(match, person(ANN), StartMatch(), Context(0, seed_of(0))):
        if isinstance(event, RoundCommitted):
            before = with_secret(before, event.round, seed_of(0))
        after = evolve(before, event)
        if isinstance(event, RoundStarted):
            found.append((before, event, after))
        before = after
    return found


def test_drawn_faces_are_the_drawers_alone() -> None:
    match = deal(ANN="G1", BOB="B1", top="R5", pile="R7")
    assert saw(match, ANN, DrawCard(), ANN) == [Mine(drawn=cards("R7"))]
    assert saw(match, ANN, DrawCard(), BOB) == []


def test_over_a_reshuffle_each_part_has_its_faces() -> None:
    match = deal(ANN="RD Y1", BOB="B1", CAT="Y2", top="R5", discard="G1", pile="G9", rest=False)
    first, second = saw(match, ANN, play("RD"), BOB)
    assert first == Mine(drawn=cards("G9"))
    assert second.drawn in (cards("G1"), cards("R5"))


def test_a_draw_of_nothing_says_so() -> None:
    match = deal(ANN="RD Y1", BOB="B1", CAT="B2", top="R5", rest=False)
    emptied = given(match).when(ANN, play("RD")).match
    assert saw(emptied, CAT, CatchUno(ANN), ANN) == [Mine(drawn=())]
    assert msgspec.json.encode(Mine(drawn=())) == b'{"drawn":[]}'


def test_a_shown_hand_is_the_challengers_alone() -> None:
    match = given(deal(ANN="W4 B1 R2", BOB="B2", CAT="Y1", top="R5")).when(ANN, play("W4", GREEN))
    assert saw(match.match, BOB, Challenge(), BOB) == [Mine(shown=cards("B1 R2"))]
    assert saw(match.match, BOB, Challenge(), CAT) == []
    assert saw(match.match, BOB, Challenge(), ANN)[0].shown is msgspec.UNSET


def test_the_hand_shown_is_that_of_the_play() -> None:
    table = given(deal(ANN="W4 B1", BOB="B2", CAT="Y1", top="R5", pile="R1 R2"))
    caught = table.when(ANN, play("W4", GREEN)).when(CAT, CatchUno(ANN))
    assert saw(caught.match, BOB, Challenge(), BOB)[0] == Mine(shown=cards("B1"))


def test_explain_names_what_cannot_be_played_and_why() -> None:
    match = deal(ANN="R1 G5 G1 W", BOB="B1", top="R5")
    assert explain(match, ANN) == {Card.G1: Refusal.CARD_MUST_MATCH}
    assert explain(match, BOB) == {Card.B1: Refusal.TURN_MUST_BE_YOURS}
    drawn = given(deal(ANN="R1 G1", BOB="B1", top="R5", pile="R2")).when(ANN, DrawCard()).match
    assert explain(drawn, ANN) == {
        Card.R1: Refusal.CARD_MUST_BE_THE_DRAWN_ONE,
        Card.G1: Refusal.CARD_MUST_BE_THE_DRAWN_ONE,
    }
    strict = Options(wild_draw_four=WildDrawFour.STRICT)
    held = deal(ANN="R1 W4", BOB="B1", top="R5", options=strict)
    assert explain(held, ANN) == {Card.W4: Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL}
    assert explain(created(2), ANN) == {}


def test_views_are_packed_whole_and_always_alike() -> None:
    for match in (created(2), seated(10), started(4), deal(ANN="R1 R2", BOB="W", top="R5")):
        views = views_of(match)
        assert unpack(pack(views)) == views and pack(unpack(pack(views))) == pack(views)
        assert [views.of(seat) for seat in (None, ANN)] == [
            view_of(match, at) for at in (None, ANN)
        ]


def test_a_match_that_is_over_shows_its_result() -> None:
    match = deal(ANN="R1", BOB="W W W W W4 W4 W4 W4 B1 B2", top="R5", scores=(200, 0))
    over = given(match).when(ANN, play("R1")).match
    assert over.status is Status.FINISHED
    view = sent(view_of(over, BOB))
    assert view["result"] == {"reason": "target", "winners": [0], "places": [1, 2]}
    assert (view["fairness"], view["legal"], view["top"]) == (None, [], None)
    assert unpack(pack(views_of(over))) == views_of(over)
