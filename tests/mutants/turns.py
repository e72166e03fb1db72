"""Mutants of chapter 3: a turn, drawing, the piles, the limit of a match."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

TURNS: Final = (
    Mutant(
        "TURN-1",
        "matching.py",
        "card.is_wild or card.color is color or card.face is face",
        "card.is_wild or card.color is color or (card.face is face and face.isdigit())",
        "a symbol does not fit on its like",
    ),
    Mutant(
        "TURN-2",
        "moves/who_plays.py",
        "jumps = command.card is round.top and may_jump_in(round, seat, match)",
        "jumps = command.card is round.top or may_jump_in(round, seat, match)",
        "the twin of the top card may be played out of turn, without the house rule",
    ),
    Mutant(
        "TURN-3",
        "moves/draw.py",
        "    if match.options.force_play:\n",
        "    if match.options.force_play or match.options.drawn_card is DrawnCard.MUST:\n",
        "where a drawn card must be played, nobody draws who can play",
    ),
    Mutant(
        "DRAW-1",
        "moves/draw.py",
        "require(not round.has_drawn, Refusal.DRAW_MUST_BE_THE_FIRST)",
        "require(\n"
        "        round.drawn_card not in fitting(round) or not round.has_drawn,\n"
        "        Refusal.DRAW_MUST_BE_THE_FIRST,\n"
        "    )",
        "who drew a card that does not fit may draw another",
    ),
    Mutant(
        "DRAW-2",
        "moves/play.py",
        "require(not round.has_drawn or card is round.drawn_card,",
        "require(round.drawn_card not in fitting(round) or card is round.drawn_card,",
        "an older card may be played if the drawn one does not fit",
    ),
    Mutant(
        "DRAW-3",
        "moves/draw.py",
        "require(round.drawable == 0, Refusal.PASS_MUST_FOLLOW_A_DRAW)",
        "require(round.draw_pile_count == 0, Refusal.PASS_MUST_FOLLOW_A_DRAW)",
        "a pass will do where the discards would first have to be shuffled",
    ),
    Mutant(
        "DRAW-4",
        "moves/draw.py",
        "or round.drawn_card is Card.W4",
        "or round.drawn_card in (Card.W, Card.W4)",
        "a drawn Wild may be kept where it must be played",
    ),
    Mutant(
        "PILE-1",
        "moves/piles.py",
        "if drawn < asked and draft.round.drawable > drawn:",
        "if drawn == 0 and draft.round.drawable > drawn:",
        "a draw does not straddle a reshuffle: it takes what the pile has",
    ),
    Mutant(
        "PILE-2",
        "facts/rounds.py",
        "discard=round.discard[e.count :], shuffles=e.number + 1",
        "discard=round.discard[e.count :], color=round.top.color, shuffles=e.number + 1",
        "a wild on top loses the color that was named in the reshuffle",
    ),
    Mutant(
        "PILE-3",
        "moves/piles.py",
        "    take(draft, seat, asked, drawn, reason)\n\n",
        "    take(draft, seat, drawn, drawn, reason)\n\n",
        "the event does not tell what was asked, and waived",
    ),
    Mutant(
        "PILE-4",
        "moves/draw.py",
        "return not fitting(round).isdisjoint(round.hands[round.turn])",
        "return not (fitting(round) - {Card.W4}).isdisjoint(round.hands[round.turn])",
        "who cannot draw may pass with a Wild Draw Four",
    ),
    Mutant(
        "PILE-5",
        "facts/turns.py",
        "passes=0 if e.drew or e.by_clock else round.passes + 1",
        "passes=0 if e.drew else round.passes + 1",
        "a pass by the clock counts towards a blocked round",
    ),
    Mutant(
        "PILE-6",
        "sight.py",
        "draw_pile=0 if round is None else len(round.pile) - round.drawn",
        "draw_pile=0 if round is None else len(round.pile)",
        "the draw pile is shown with the cards that were drawn since",
    ),
    Mutant(
        "LIMIT-1",
        "moves/limit.py",
        "return match.version + EVENTS_PER_COMMAND + end <= EVENTS_PER_MATCH",
        "return match.version + EVENTS_PER_COMMAND < EVENTS_PER_MATCH",
        "no room is kept for the end of the match",
    ),
)
