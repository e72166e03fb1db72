"""Facts of a running round: plays, draws, passes, calls, catches, penalties."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.cards import Hand
from domain.events import (
    CardPlayed,
    CardsDrawn,
    ChallengeResolved,
    ColorChosen,
    DrawReason,
    PenaltyAccepted,
    Pending,
    TurnPassed,
    UnoCalled,
    UnoCaught,
)
from domain.facts.corrupt import CorruptLog
from domain.facts.table import RoundFacts
from domain.match import Match, OpenPenalty, Round, UnfitCard


def running(match: Match) -> Round:
    """The round that an event is about."""
    if match.round is None:
        raise CorruptLog("no round is running")
    return match.round


def card_played(match: Match, e: CardPlayed) -> Round:
    """A card goes from a hand to the top; the turn it began closes the UNO window (UNO-4)."""
    round, seat = running(match), e.seat
    held = round.hands[seat]
    place = held.index(e.card)
    hand = held[:place] + held[place + 1 :]
    said = round.uno_said | {seat} if e.uno else round.uno_said
    if seat != round.turn and len(round.hands[round.turn]) > 1:
        said -= {round.turn}  # Whose turn is taken has announced nothing (HOUSE-3, UNO-1).
    laid = replace(  # A call with more than fourteen names would cost three times as much.
        round,
        hands=with_hand(round, seat, hand),
        discard=(*round.discard, e.card),
        laid_by=seat,
        color=e.color,
        direction=e.direction,
        turn=e.turn,
        pending=e.pending,
        has_drawn=False,
        drawn_card=None,
        uno_owed=seat if len(hand) == 1 and seat not in said else None,
        uno_said=said,
        not_before=e.not_before,
        since=e.not_before or match.now,
        passes=0,
    )
    if not (e.penalty or e.unfit or round.penalty or round.unfit):
        return laid
    return replace(
        laid,
        penalty=_open_penalty(round, e, hand) if e.penalty else None,
        unfit=_unfit_card(round, e) if e.unfit else None,
    )


def _open_penalty(round: Round, e: CardPlayed, hand: Hand) -> OpenPenalty:
    """What a challenge will be judged on, if there can be one (WD4-9, WD4-10)."""
    if e.judged_color not in (None, round.color):
        raise CorruptLog("a card is judged by another color than was in force")
    return OpenPenalty(
        author=e.seat,
        target=e.turn,
        amount=e.penalty,
        judged_color=e.judged_color,
        hand=hand,
        last=e.last,
    )


def _unfit_card(round: Round, e: CardPlayed) -> UnfitCard:
    """What is as it was, if the card is called out (TABLE-2)."""
    if round.color is None:
        raise CorruptLog("a card was laid before a color was named")
    return UnfitCard(e.seat, round.color, round.direction, e.victim)


def cards_drawn(match: Match, e: CardsDrawn) -> Round:
    """Cards go from the top of the pile to a hand, and spend its announcement (UNO-5)."""
    round, seat = running(match), e.seat
    drawn = round.drawn + e.drawn
    cards = round.pile[round.drawn : drawn]
    hands = with_hand(round, seat, round.hands[seat] + cards)
    said = round.uno_said - {seat}
    if e.reason is DrawReason.TURN:
        after = replace(
            round,
            hands=hands,
            drawn=drawn,
            turn=e.turn,
            pending=e.pending,
            has_drawn=True,
            drawn_card=cards[-1],
            uno_owed=None,
            uno_said=said,
            not_before=None,
            laid_by=None,
            unfit=None,
            passes=0,
        )
    else:
        after = replace(
            round, hands=hands, drawn=drawn, turn=e.turn, pending=e.pending, uno_said=said
        )
    return after


def turn_passed(match: Match, e: TurnPassed) -> Round:
    """The turn goes on; an announcement made with more than one card is void (UNO-1)."""
    round, seat = running(match), e.seat
    said = round.uno_said
    return replace(
        round,
        turn=e.turn,
        has_drawn=False,
        drawn_card=None,
        uno_owed=None,
        uno_said=said - {seat} if seat in said and len(round.hands[seat]) > 1 else said,
        not_before=None,
        laid_by=None,
        unfit=None,
        passes=0 if e.drew or e.by_clock else round.passes + 1,
        since=match.now,
    )


def color_chosen(match: Match, e: ColorChosen) -> Round:
    """An opening wild has its color."""
    round = running(match)
    return replace(round, color=e.color, turn=e.turn, pending=e.pending, since=match.now)


def uno_called(match: Match, e: UnoCalled) -> Round:
    """An announcement stands; who made it cannot be caught (UNO-3)."""
    round = running(match)
    said = round.uno_said | {e.seat}
    after = _without_duty(match, round) if round.uno_owed == e.seat else round
    return replace(after, uno_said=said)


def uno_caught(match: Match, e: UnoCaught) -> Round:
    """The omission is pointed out; nobody else can do so (UNO-9)."""
    return _without_duty(match, running(match))


def _without_duty(match: Match, round: Round) -> Round:
    """Nobody owes an UNO; a grace ends, and the next clock starts (UNO-7)."""
    since = round.since if round.not_before is None else match.now
    return replace(round, uno_owed=None, not_before=None, since=since)


def penalty_settled(match: Match, e: PenaltyAccepted | ChallengeResolved) -> Round:
    """A wild draw four is answered, which begins a turn (UNO-4); after a last card none begins."""
    round = running(match)
    last = round.penalty is not None and round.penalty.last
    return replace(
        round,
        turn=e.turn,
        pending=Pending.NONE if last else Pending.TURN,
        penalty=None,
        uno_owed=None,
        not_before=None,
        laid_by=None,
        since=match.now,
    )


def with_hand(round: Round, seat: int, hand: Hand) -> tuple[Hand, ...]:
    """All hands by seat, with one in place of another."""
    hands = round.hands
    return (*hands[:seat], hand, *hands[seat + 1 :])


FACTS: Final[RoundFacts] = {
    CardPlayed: card_played,
    CardsDrawn: cards_drawn,
    TurnPassed: turn_passed,
    ColorChosen: color_chosen,
    UnoCalled: uno_called,
    UnoCaught: uno_caught,
    PenaltyAccepted: penalty_settled,
    ChallengeResolved: penalty_settled,
}
