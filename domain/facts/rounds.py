"""Facts about rounds: the draw for the dealer, the deal, a reshuffle, the end."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.cards import Hand
from domain.deal import order_digest, round_key, shuffled
from domain.dealing import deal, draw_for_dealer
from domain.editions import DECKS
from domain.events import (
    DealerDrawn,
    HandReturned,
    PileReshuffled,
    PlayerEliminated,
    PositionPlaced,
    RoundBlocked,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    Seat,
    VoidReason,
)
from domain.facts.corrupt import check
from domain.facts.table import Facts
from domain.facts.turns import running, with_hand
from domain.match import Match, Round
from domain.placement import counts_of, hidden_in


def coming_key(match: Match, number: int) -> bytes:
    """The key of a coming round: its sealed secret and what the players added."""
    check(number in match.secrets, f"round {number}: its seed is not known")
    return round_key(match.id, number, match.secrets[number], match.client_seeds)


def dealer_drawn(match: Match, e: DealerDrawn) -> Match:
    """The first dealer is known (SETUP-2)."""
    key = coming_key(match, match.rounds + 1)
    drawn = draw_for_dealer(DECKS[match.options.edition], key, match.seats_total)
    check(drawn == e, "the draw for the dealer does not follow from the seed")
    return match


def round_started(match: Match, e: RoundStarted) -> Match:
    """Hands, pile and opening card, all computed from the seed and held against the digest."""
    key = coming_key(match, e.round)
    dealt = deal(
        DECKS[match.options.edition],
        key,
        number=e.shuffles - 1 - e.put_back,
        seats=match.seats_total,
        order=e.order,
        dealer=e.dealer,
        hand_size=e.hand_size,
    )
    check(dealt.digest == e.digest, f"round {e.round}: the deal does not follow from the seed")
    return replace(
        match,
        rounds=e.round,
        dealer=e.dealer,
        round_seeds=match.client_seeds,
        client_seeds=(b"",) * match.seats_total,
        seeds_added=(0,) * match.seats_total,
        got_up={},
        round=Round(
            number=e.round,
            key=key,
            dealer=e.dealer,
            order=e.order,
            hands=dealt.hands,
            pile=dealt.pile,
            drawn=0,
            discard=(dealt.opening,),
            color=e.color,
            direction=e.direction,
            turn=e.turn,
            pending=e.pending,
            shuffles=e.shuffles,
            since=match.now,
        ),
    )


def position_placed(match: Match, e: PositionPlaced) -> Match:
    """Hands and pile are those of the position that the round was committed to."""
    key = coming_key(match, e.round)
    hidden = hidden_in(match.secrets[e.round])
    check(
        (counts_of(hidden.hands), len(hidden.pile)) == (e.hands, e.draw_pile),
        f"round {e.round}: the position is not the committed one",
    )
    return replace(
        match,
        rounds=e.round,
        dealer=e.dealer,
        scores=e.scores,
        round_seeds=match.client_seeds,
        client_seeds=(b"",) * match.seats_total,
        seeds_added=(0,) * match.seats_total,
        round=Round(
            number=e.round,
            key=key,
            dealer=e.dealer,
            order=e.order,
            hands=hidden.hands,
            pile=hidden.pile,
            drawn=0,
            discard=e.discard,
            color=e.color,
            direction=e.direction,
            turn=e.turn,
            pending=e.pending,
            shuffles=0,
            since=match.now,
            uno_said=frozenset(e.uno),
        ),
    )


def pile_reshuffled(match: Match, e: PileReshuffled) -> Match:
    """The oldest ``count`` discards are the draw pile (PILE-1, TABLE-5)."""
    round = running(match)
    pile = shuffled(round.discard[: e.count], round.key, e.number)
    check(
        order_digest(round.key, e.number, pile) == e.digest,
        f"round {round.number}: shuffle {e.number} does not follow from the seed",
    )
    return replace(
        match,
        round=replace(
            round, pile=pile, drawn=0, discard=round.discard[e.count :], shuffles=e.number + 1
        ),
    )


def shuffled_hand(round: Round, seat: Seat, number: int) -> Hand:
    """The hand of a seat, sorted by code and then shuffled (docs/deal.md)."""
    return shuffled(tuple(sorted(round.hands[seat])), round.key, number)


def hand_returned(match: Match, e: HandReturned) -> Match:
    """A leaver's cards lie under the draw pile: who could not draw may do so now (PILE-5)."""
    round = running(match)
    cards = shuffled_hand(round, e.seat, e.number)
    check(
        order_digest(round.key, e.number, cards) == e.digest,
        f"round {round.number}: shuffle {e.number} does not follow from the seed",
    )
    after = replace(
        round,
        hands=with_hand(round, e.seat, ()),
        pile=round.pile + cards,
        shuffles=e.number + 1,
        passes=0,
    )
    return replace(match, round=after)


def round_ended(match: Match, e: RoundEnded) -> Match:
    """The hands are counted."""
    return replace(match, round=None, scores=e.scores)


def player_eliminated(match: Match, e: PlayerEliminated) -> Match:
    """A player is out and has a place (ELIM-1)."""
    return replace(match, eliminated={**match.eliminated, e.seat: e.place})


def round_blocked(match: Match, e: RoundBlocked) -> Match:
    """The round counts for nothing."""
    return replace(match, round=None)


def round_voided(match: Match, e: RoundVoided) -> Match:
    """The round counts for nothing; one that was not dealt never is, whoever added bytes to it."""
    passed = match.passed + (e.reason is VoidReason.RESTORE)
    if e.round <= match.rounds:
        return replace(match, round=None, passed=passed)
    return replace(
        match,
        rounds=e.round,
        passed=passed,
        client_seeds=(b"",) * len(match.client_seeds),
        seeds_added=(0,) * len(match.seeds_added),
        got_up={who: (times, 0) for who, (times, _) in match.got_up.items()},
    )


FACTS: Final[Facts] = {
    DealerDrawn: dealer_drawn,
    RoundStarted: round_started,
    PositionPlaced: position_placed,
    PileReshuffled: pile_reshuffled,
    HandReturned: hand_returned,
    RoundEnded: round_ended,
    PlayerEliminated: player_eliminated,
    RoundBlocked: round_blocked,
    RoundVoided: round_voided,
}
