"""Events in words, as somebody would tell them who sees all hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from domain import events
from domain.events import Event, Pending
from domain.match import Match


def words_of(event: Event, before: Match, after: Match) -> str:
    """What happened, in a sentence."""
    return _WORDS[type(event)](event, before, after)


def hands_of(match: Match) -> Iterator[str]:
    """Everything that lies on the table, a line for each hand."""
    round = match.round
    if round is None:
        return
    for seat, hand in enumerate(round.hands):
        mark = "*" if seat == round.turn else " "
        yield f"{mark} seat {seat}: {' '.join(sorted(hand)) or '-'}"
    color = round.color or "no color yet"
    count = round.draw_pile_count
    yield f"  top {round.top} ({color}), {count} to draw, {len(round.discard)} laid"


def _created(e: events.MatchCreated, before: Match, after: Match) -> str:
    chosen = e.options
    said = (
        f"{chosen.form.value}, {chosen.scoring.value}, to {chosen.target}, {chosen.edition.value}"
    )
    practice = ", practice" if e.practice else ""
    return f"a {e.visibility.value} table for {e.seats} is set up: {said}{practice}"


def _left(e: events.PlayerLeft, before: Match, after: Match) -> str:
    why = " (time ran out)" if e.reason == "clock" else ""
    return f"seat {e.seat} leaves{why}" + ("" if e.bot is None else f"; a {e.bot} bot plays on")


def _dealer(e: events.DealerDrawn, before: Match, after: Match) -> str:
    draws = "; then ".join(" ".join(f"{one.seat}:{one.card}" for one in row) for row in e.draws)
    return f"the draw for the dealer: {draws}: seat {e.dealer} deals"


def _round(e: events.RoundStarted, before: Match, after: Match) -> str:
    back = f" after {e.put_back} wild draw fours put back" if e.put_back else ""
    return (
        f"round {e.round}: seat {e.dealer} deals {e.hand_size} each,"
        f" {e.opening} is turned up{back}; {_next(e.turn, e.pending)}"
    )


def _played(e: events.CardPlayed, before: Match, after: Match) -> str:
    parts = [f"seat {e.seat} lays {e.card}"]
    parts += [f"names {e.color}"] if e.card.is_wild else []
    parts += ["says UNO"] if e.uno else []
    parts += ["it does not fit"] if e.unfit else []
    parts += [f"seat {e.turn} faces {e.penalty} cards"] if e.penalty else []
    parts += ["the last card"] if e.last else []
    return ", ".join(parts) + f"; {_next(e.turn, e.pending)}"


def _drawn(e: events.CardsDrawn, before: Match, after: Match) -> str:
    taken = "nothing is left"
    if e.drawn and before.round is not None and after.round is not None:
        taken = " ".join(after.round.hands[e.seat][len(before.round.hands[e.seat]) :])
    missing = f", {e.asked} due" if e.asked != e.drawn else ""
    return f"seat {e.seat} draws {e.drawn} ({e.reason}{missing}): {taken}"


def _challenged(e: events.ChallengeResolved, before: Match, after: Match) -> str:
    penalty = None if before.round is None else before.round.penalty
    hand = "" if penalty is None else f" (held {' '.join(penalty.hand) or 'nothing'})"
    verdict = "guilty" if e.guilty else "innocent"
    return f"seat {e.seat} challenges seat {e.author}{hand}: {verdict}"


def _ended(e: events.MatchEnded, before: Match, after: Match) -> str:
    winners = " and ".join(f"seat {seat}" for seat in e.winners)
    return f"the match is over ({e.reason}): {winners} won; scores {list(e.scores)}"


def _next(turn: int, pending: Pending) -> str:
    return {
        Pending.TURN: f"seat {turn} moves",
        Pending.COLOR: f"seat {turn} names the color",
        Pending.PENALTY: f"seat {turn} answers",
        Pending.NONE: "the round is over",
    }[pending]


def _by_clock(is_by_clock: bool) -> str:
    return " (by the clock)" if is_by_clock else ""


_Tell = Callable[[Any, Match, Match], str]
_WORDS: Final[Mapping[type[Event], _Tell]] = {
    events.MatchCreated: _created,
    events.PlayerJoined: lambda e, *_: f"somebody takes seat {e.seat}",
    events.BotSeated: lambda e, *_: f"a {e.level} bot takes seat {e.seat}",
    events.PlayerLeft: _left,
    events.PlayerReturned: lambda e, *_: f"the person of seat {e.seat} plays again",
    events.HostChanged: lambda e, *_: f"seat {e.seat} is host",
    events.RoundCommitted: lambda e, *_: f"round {e.round} is committed: {e.commitment}",
    events.SeedAdded: lambda e, *_: (
        f"seat {e.seat} adds {len(e.client_seed) // 2} bytes to round {e.round}"
    ),
    events.MatchStarted: lambda e, *_: "play begins",
    events.DealerDrawn: _dealer,
    events.RoundStarted: _round,
    events.PositionPlaced: lambda e, *_: (
        f"a position is placed as round {e.round}, {e.discard[-1]} on top ({e.color});"
        f" {_next(e.turn, e.pending)}"
    ),
    events.HandReturned: lambda e, *_: f"{e.count} cards of seat {e.seat} go under the draw pile",
    events.ColorChosen: lambda e, *_: (
        f"seat {e.seat} names {e.color}{_by_clock(e.by_clock)}; {_next(e.turn, e.pending)}"
    ),
    events.CardPlayed: _played,
    events.CardsDrawn: _drawn,
    events.TurnPassed: lambda e, *_: (
        f"seat {e.seat} passes{_by_clock(e.by_clock)}; seat {e.turn} moves"
    ),
    events.PileReshuffled: lambda e, *_: f"{e.count} discards are shuffled: the new draw pile",
    events.UnoCalled: lambda e, *_: f"seat {e.seat} says UNO",
    events.UnoCaught: lambda e, *_: f"seat {e.by} catches seat {e.seat}, who did not say UNO",
    events.PenaltyAccepted: lambda e, *_: (
        f"seat {e.seat} takes {e.amount} cards{_by_clock(e.by_clock)}"
    ),
    events.ClockRanOut: lambda e, *_: f"the time of seat {e.seat} runs out (no. {e.row} in a row)",
    events.ChallengeResolved: _challenged,
    events.PlayCalledOut: lambda e, *_: (
        f"{e.card} goes back to seat {e.seat}"
        + ("" if e.by is None else f", called out by seat {e.by}")
        + f"; seat {e.turn} moves"
    ),
    events.AdvicePenalized: lambda e, *_: f"seat {e.seat} is penalized for advice ({e.reason})",
    events.HandsSwapped: lambda e, *_: (
        "hands change owners: "
        + ", ".join(f"{a} to {b}" for a, b in zip(e.givers, e.takers, strict=True))
    ),
    events.HandsShuffled: lambda e, *_: f"all {e.count} cards in hand are shuffled and dealt again",
    events.RoundEnded: lambda e, *_: (
        f"round {e.round} ends: seat {e.winner} is out; gains {list(e.gains)},"
        f" scores {list(e.scores)}"
    ),
    events.PlayerEliminated: lambda e, *_: f"seat {e.seat} is out of the match, place {e.place}",
    events.RoundBlocked: lambda e, *_: f"round {e.round} is blocked: no points",
    events.RoundVoided: lambda e, *_: f"round {e.round} counts for nothing ({e.reason})",
    events.SeedRevealed: lambda e, *_: f"the seed of round {e.round} is revealed: {e.seed}",
    events.MatchEnded: _ended,
    events.MatchAbandoned: lambda e, *_: f"the match is abandoned ({e.reason})",
    events.MatchVoided: lambda e, *_: f"the match is void ({e.reason})",
}
assert _WORDS.keys() == set(events.EVENT_TYPES), "every event can be told"
