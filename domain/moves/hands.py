"""Cards that make hands change owners: a swap, a round of passing on, a new shuffle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from domain.commands import PlayCard, PlayerCommand
from domain.deal import order_digest
from domain.effect import Effect, HandsMove
from domain.effects import effect_of
from domain.events import HandsShuffled, HandsSwapped, Seat
from domain.facts.hands import gathered_and_shuffled
from domain.match import Match, Round
from domain.moves.draft import Draft
from domain.refusals import Refusal, RuleViolation, require


def require_partner(round: Round, seat: Seat, effect: Effect, swap_with: Seat | None) -> None:
    """A swap is with another player of the round, named with the card; nothing else names one."""
    if effect.hands is not HandsMove.SWAP:
        require(swap_with is None, Refusal.SWAP_MUST_BE_DUE)
    elif swap_with is None:
        raise RuleViolation(Refusal.SWAP_MUST_NAME_A_SEAT)
    else:
        is_another = swap_with != seat and swap_with in round.order
        require(is_another, Refusal.SWAP_MUST_BE_WITH_ANOTHER)


def swaps_named(
    plays: tuple[PlayerCommand, ...], match: Match, round: Round, seat: Seat
) -> tuple[PlayerCommand, ...]:
    """Plays as they can be made: those that swap hands once for each partner."""
    last = len(round.hands[seat]) == 1
    others = tuple(other for other in round.order if other != seat)
    named: list[PlayerCommand] = []
    for play in plays:
        assert isinstance(play, PlayCard), "only a play swaps hands"
        effect = effect_of(play.card.face, match.options, players=len(round.order), last=last)
        if effect.hands is HandsMove.SWAP:
            named += [replace(play, swap_with=other) for other in others]
        else:
            named.append(play)
    return tuple(named)


def move_hands(draft: Draft, author: Seat, how: HandsMove, swap_with: Seat | None) -> None:
    """Let hands change owners by a card that ``author`` has laid."""
    _MOVES[how](draft, author, swap_with)


def _swap(draft: Draft, author: Seat, swap_with: Seat | None) -> None:
    """The author's hand and the chosen player's (HOUSE-2, CUST-1)."""
    assert swap_with is not None, "a swap names its partner"
    draft.add(HandsSwapped(author, givers=(author, swap_with), takers=(swap_with, author)))


def _pass_on(draft: Draft, author: Seat, swap_with: Seat | None) -> None:
    """Every hand to the next player, in the direction of play (HOUSE-2)."""
    round = draft.round
    takers = tuple(round.seat_after(seat, 1, round.direction) for seat in round.order)
    draft.add(HandsSwapped(author, givers=round.order, takers=takers))


def _shuffle(draft: Draft, author: Seat, swap_with: Seat | None) -> None:
    """All hands gathered, shuffled and dealt from the author's left (SHUF-1)."""
    round = draft.round
    cards = gathered_and_shuffled(round, round.shuffles)
    digest = order_digest(round.key, round.shuffles, cards)
    draft.add(HandsShuffled(author, round.shuffles, len(cards), digest))


_MOVES: Final[Mapping[HandsMove, Callable[[Draft, Seat, Seat | None], None]]] = {
    HandsMove.SWAP: _swap,
    HandsMove.PASS_ON: _pass_on,
    HandsMove.SHUFFLE: _shuffle,
}
