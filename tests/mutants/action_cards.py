"""Mutants of chapters 4 and 5: action cards, wilds, challenges, two players."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

_MATCHES: Final = "return card.is_wild or card.color is color or card.face is face"
_TWO_PLAYERS: Final = "return _SKIP if players == 2 and effect.turns_round else effect"
_HOLDS_COLOR: Final = "any(card.color is color for card in hand)"
_VERDICT: Final = "guilty = holds_color(penalty.hand, penalty.judged_color)"
_ACCEPTED: Final = (
    "    turn = round.seat_after(seat, 1, round.direction)\n    draft.add(PenaltyAccepted("
)

ACTION_CARDS: Final = (
    Mutant(
        "SKIP-1",
        "effects.py",
        "_SKIP: Final = Effect(steps=2)",
        "_SKIP: Final = Effect(steps=3)",
        "a Skip passes over two players",
    ),
    Mutant(
        "SKIP-2",
        "effects.py",
        _TWO_PLAYERS,
        "return PLAIN if players == 2 and effect is _SKIP else effect",
        "with two players a Skip skips nobody",
    ),
    Mutant(
        "REV-1",
        "moves/play.py",
        "direction = -round.direction if effect.turns_round",
        "direction = -1 if effect.turns_round",
        "a second Reverse does not turn the direction back",
    ),
    Mutant(
        "REV-2",
        "moves/play.py",
        "effect_of(card.face, match.options, players=len(round.order), last=last)",
        "effect_of(card.face, match.options, players=len(match.seats), last=last)",
        "with two left of more, Reverse does not act as Skip",
    ),
    Mutant(
        "D2-1",
        "effects.py",
        "Stacking.OFF: Effect(steps=2, draws=2, is_at_once=True),",
        "Stacking.OFF: Effect(steps=1, draws=2, is_at_once=True),",
        "who draws two keeps the turn",
    ),
    Mutant(
        "D2-2",
        "matching.py",
        _MATCHES,
        "is_like = card.face is face and face is not Face.DRAW_TWO\n"
        "    return card.is_wild or card.color is color or is_like",
        "a Draw Two does not fit on one of another color",
    ),
    Mutant(
        "WILD-1",
        "moves/play.py",
        "require(card.is_wild or command.color is None, Refusal.COLOR_MUST_BE_THE_CARDS)",
        "is_named = command.color is not round.color if card.is_wild else command.color is None\n"
        "    require(is_named, Refusal.COLOR_MUST_BE_THE_CARDS)",
        "the present color may not be named",
    ),
    Mutant(
        "WD4-1",
        "matching.py",
        _HOLDS_COLOR,
        "any(card.color in (None, color) for card in hand)",
        "a Wild in the hand makes a Wild Draw Four illegal",
    ),
    Mutant(
        "WD4-2",
        "moves/play.py",
        "or not holds_color(round.hands[round.turn], round.color)",
        "or round.has_drawn\n        or not holds_color(round.hands[round.turn], round.color)",
        "strict lets a Wild Draw Four just drawn be bluffed",
    ),
    Mutant(
        "WD4-3",
        "moves/answer.py",
        "round, seat = guards.waited_for(match, actor, context)\n    penalty = _penalty(round)",
        "round, seat = guards.playing(match, actor)\n    penalty = _penalty(round)",
        "anybody may challenge",
    ),
    Mutant(
        "WD4-4",
        "sight.py",
        "if isinstance(event, ChallengeResolved) and event.seat == seat and",
        "if isinstance(event, ChallengeResolved) and",
        "the hand is shown to everybody",
    ),
    Mutant(
        "WD4-5",
        "moves/answer.py",
        "turn = seat if guilty else round.seat_after(seat, 1, round.direction)",
        "turn = round.seat_after(seat, 1, round.direction)",
        "who challenged rightly loses the turn",
    ),
    Mutant(
        "WD4-6",
        "moves/answer.py",
        "WRONG_CHALLENGE_EXTRA: Final = 2",
        "WRONG_CHALLENGE_EXTRA: Final = 0",
        "a wrong challenge costs no card more",
    ),
    Mutant(
        "WD4-7",
        "facts/turns.py",
        "        turn=e.turn,\n        pending=Pending.NONE if last else Pending.TURN,\n",
        "        turn=e.turn,\n        pending=Pending.NONE if last else Pending.TURN,\n"
        "        color=round.penalty.judged_color\n"
        "        if isinstance(e, ChallengeResolved) and e.guilty and round.penalty\n"
        "        else round.color,\n",
        "a guilty author's color does not stand",
    ),
    Mutant(
        "WD4-8",
        "matching.py",
        _HOLDS_COLOR,
        "any(card.color is color and card.face.isdigit() for card in hand)",
        "an action card of the color does not count",
    ),
    Mutant(
        "WD4-9",
        "moves/answer.py",
        _VERDICT,
        "looked_up = round.discard[-2].color if len(round.discard) > 1 else None\n"
        "    guilty = looked_up is not None and holds_color(penalty.hand, looked_up)",
        "the color judged against is looked up in the discard pile",
    ),
    Mutant(
        "WD4-10",
        "moves/answer.py",
        _VERDICT,
        "guilty = holds_color(round.hands[penalty.author], penalty.judged_color)",
        "cards drawn since the play count",
    ),
    Mutant(
        "SHUF-1",
        "facts/hands.py",
        "hands, left = list(round.hands), round.order.index(e.seat) + 1",
        "hands, left = list(round.hands), round.order.index(e.seat)",
        "the shuffled hands are dealt from the author on",
    ),
    Mutant(
        "CUST-1",
        "moves/play.py",
        "return tuple(round.seat_after(seat, step, round.direction) for step in steps)",
        "return tuple(round.seat_after(seat, step, 1) for step in steps)",
        "the others draw clockwise whatever the direction",
    ),
    Mutant(
        "TWO-1",
        "moves/answer.py",
        _ACCEPTED,
        "    turn = seat if len(round.order) == 2 else round.seat_after(seat, 1, round.direction)\n"
        "    draft.add(PenaltyAccepted(",
        "with two players who accepts a Wild Draw Four keeps the turn",
    ),
    Mutant(
        "TWO-2",
        "effects.py",
        _TWO_PLAYERS,
        "is_skip = effect.turns_round or face is Face.WILD\n"
        "    return _SKIP if players == 2 and is_skip else effect",
        "with two players the author of a Wild plays again",
    ),
)
