"""The laws: each takes a match, a step or a whole table, and fails where the law is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, reduce
from itertools import product

import msgspec
from msgspec.structs import replace

from domain.cards import Card, Color, Face
from domain.codec import SCHEMA, decode, encode, type_of
from domain.commands import (
    AcceptPenalty,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    Context,
    DrawCard,
    PassTurn,
    PlayCard,
    PlayerCommand,
    Return,
)
from domain.decide import decide
from domain.editions import DECKS
from domain.events import (
    CardPlayed,
    CardsDrawn,
    HandReturned,
    HandsShuffled,
    HandsSwapped,
    PlayCalledOut,
    Seat,
)
from domain.evolve import evolve, fold
from domain.legal import legal_commands
from domain.match import Match, at, new_match
from domain.refusals import RuleViolation
from domain.sight import bot_view, explain, pack, unpack, view_of, views_of
from domain.views import TableView
from tests.laws.table import Step, Table, player
from tests.spec import cards_of


def no_card_comes_or_goes(step: Step) -> None:
    """DECK-3: hands, draw pile and discards are the whole deck, after every event."""
    if step.after.round is not None:
        assert cards_of(step.after) == Counter(DECKS[step.after.options.edition])


def stored_and_read_again_it_is_the_same(step: Step) -> None:
    """decode ∘ encode is the identity."""
    assert decode(type_of(step.event), SCHEMA, encode(step.event)) == step.event


def only_plays_and_draws_change_hands(step: Step) -> None:
    """A hand changes by its own play, draw or return alone, by as many cards as the event says."""
    before, after, event = step.before.round, step.after.round, step.event
    if before is None or after is None or before.number != after.number:
        return
    grown = [len(new) - len(old) for old, new in zip(before.hands, after.hands, strict=True)]
    expected = [0] * len(grown)
    if isinstance(event, CardPlayed):
        expected[event.seat] = -1
    if isinstance(event, CardsDrawn):
        expected[event.seat] = event.drawn
    if isinstance(event, HandReturned):
        expected[event.seat] = -event.count
    if isinstance(event, PlayCalledOut):
        expected[event.seat] = 1
    if isinstance(event, HandsSwapped):
        for giver, taker in zip(event.givers, event.takers, strict=True):
            expected[taker] = len(before.hands[giver]) - len(before.hands[taker])
    if isinstance(event, HandsShuffled):
        sizes = [len(after.hands[seat]) for seat in after.order]
        assert sum(sizes) == event.count and max(sizes) - min(sizes) <= 1
        expected = grown
    assert grown == expected


def the_log_alone_tells_it_all(table: Table) -> None:
    """A match that is over folds from its events; no sealed seed is needed any more."""
    if table.match.options.clock is None:
        assert fold(table.events, new_match(table.match.id)) == table.match
    known = replace(table.steps[0].before, secrets=table.match.secrets)
    assert in_their_time(table.steps, known) == table.match


def in_their_time(steps: Sequence[Step], match: Match) -> Match:
    """The match after these steps, each event evolved when it happened."""
    for step in steps:
        match = evolve(at(match, step.now), step.event)
    return match


def folding_is_evolving_again_and_again(table: Table) -> None:
    """fold == reduce(evolve), from the beginning and from the middle."""
    secrets, middle = table.match.secrets, len(table.steps) // 2
    between = table.steps[middle].before
    early, late = table.events[:middle], table.events[middle:]
    if table.match.options.clock is not None:
        return
    assert fold(early, new_match(table.match.id, secrets)) == replace(between, secrets=secrets)
    knowing = replace(between, secrets=secrets)
    assert fold(late, knowing) == reduce(evolve, late, knowing) == table.match


@cache
def commands(seats: int) -> tuple[PlayerCommand, ...]:
    """Every game command there is, right or wrong, for a table of so many seats."""
    colors = (None, *Color)
    return (
        *(PlayCard(card, color, uno) for card, color, uno in product(Card, colors, (False, True))),
        *(ChooseColor(color) for color in Color),
        *(CatchUno(Seat(seat)) for seat in range(seats)),
        *(CallOut(Seat(seat)) for seat in range(seats)),
        *(swap for card in _SWAPPING for swap in _swaps(card, seats)),
        *(DrawCard(), PassTurn(), AcceptPenalty(), Challenge(), CallUno()),
    )


_SWAPPING = tuple(card for card in Card if card.face is Face.SEVEN or card is Card.WC)
"""The cards that may swap hands under some option."""


@cache
def _swaps(card: Card, seats: int) -> tuple[PlayCard, ...]:
    """The plays of a card that name somebody to swap with."""
    colors = tuple(Color) if card.is_wild else (None,)
    partners = map(Seat, range(seats))
    return tuple(PlayCard(card, *more) for more in product(colors, (False, True), partners))


def what_is_legal_is_accepted_and_no_more(match: Match) -> None:
    """``legal_commands`` and ``decide`` agree, over all commands of all seats, both ways."""
    for seat in map(Seat, range(len(match.seats))):
        accepted = {one for one in commands(len(match.seats)) if _accepts(match, seat, one)}
        listed = legal_commands(match, seat)
        assert set(listed) == accepted and len(listed) == len(accepted)


def the_seat_to_move_may_do_what_is_listed(match: Match) -> None:
    """The same for the seat that is waited for, over its own cards."""
    if match.round is None:
        return
    seat = match.round.turn
    listed, hand = set(legal_commands(match, seat)), set(match.round.hands[seat])
    assert listed, "who is waited for has something to do"
    plays = [play for card in hand for play in _PLAYS[card]]
    swaps = [play for card in hand if card in _SWAPPING for play in _swaps(card, len(match.seats))]
    for one in (*_others(len(match.seats)), *plays, *swaps):
        assert _accepts(match, seat, one) == (one in listed), one


@cache
def _others(seats: int) -> tuple[PlayerCommand, ...]:
    """Every game command that lays no card."""
    return tuple(one for one in commands(seats) if not isinstance(one, PlayCard))


_PLAYS = {card: (PlayCard(card), PlayCard(card, Color.RED)) for card in Card}
_TRIED = Context(1 << 62, bytes(32))


def _accepts(match: Match, seat: Seat, command: PlayerCommand) -> bool:
    try:
        decide(match, player(match, seat), command, _TRIED)
    except RuleViolation:
        return False
    return True


def views_hold_no_foreign_card(match: Match) -> None:
    """A view names the top card, the seat's own cards, and nothing else that is a card."""
    views = views_of(match)
    assert unpack(pack(views)) == views and pack(unpack(pack(views))) == pack(views)
    top = () if match.round is None else (("top",),)
    assert _card_paths(views.table) == set(top)
    for seat in map(Seat, range(len(match.seats))):
        view = views.of(seat)
        assert view == view_of(match, seat)
        hand = () if match.round is None else match.round.hands[seat]
        own = msgspec.to_builtins(view)["you"]
        assert Counter(own["hand"]) == Counter(hand)
        assert own.get("drawn") in (None, *hand)
        elsewhere = {path[0] for path in _card_paths(view)}
        assert elsewhere <= {"top", "you", "legal"}
        named = {command["card"] for command in _legal(view) if "card" in command}
        assert named <= set(hand)


def _legal(view: TableView) -> list[dict[str, str]]:
    """The legal commands of a view, as they are sent."""
    found: list[dict[str, str]] = msgspec.to_builtins(view)["legal"]
    return found


def _card_paths(view: TableView) -> set[tuple[str, ...]]:
    """Where a view has something that is a card's code."""
    codes = set(Card)
    found = set()

    def walk(path: tuple[str, ...], value: object) -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                walk((*path, name), inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                walk(path, inner)
        elif isinstance(value, str) and value in codes:
            found.add(path)

    walk((), msgspec.to_builtins(view))
    return found


def a_view_lists_what_may_be_done(match: Match) -> None:
    """A view's ``legal`` stands for just the legal commands; ``explain`` names the other cards."""
    for seat in map(Seat, range(len(match.seats))):
        view = view_of(match, seat)
        if seat in match.away:
            assert view.legal == (() if match.round is None else (Return(),))
            view = bot_view(match, seat)
        expanded = set()
        for command in view.legal or ():
            if not isinstance(command, PlayCard):
                expanded.add(command)
                continue
            assert command.color is None and not command.uno
            for color in Color if command.card.is_wild else (None,):
                expanded |= {replace(command, color=color, uno=uno) for uno in (False, True)}
        listed = set(legal_commands(match, seat))
        assert listed <= expanded
        assert all(isinstance(one, PlayCard) and one.uno for one in expanded - listed)
        playable = {one.card for one in listed if isinstance(one, PlayCard)}
        hand = () if match.round is None else match.round.hands[seat]
        if seat not in match.away:
            assert explain(match, seat).keys() == set(hand) - playable
