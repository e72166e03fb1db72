"""Mutants of chapters 1 and 2: the deck, values, the deal, the first card."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

SETTING_UP: Final = (
    Mutant(
        "DECK-1",
        "editions.py",
        'deck.append(Card(letter + "0"))',
        'deck += [Card(letter + "0")] * 2',
        "a second 0 of each color",
    ),
    Mutant(
        "DECK-2",
        "editions.py",
        "Card.WS, *[Card.WC] * 3",
        "*[Card.WS] * 2, *[Card.WC] * 2",
        "two Shuffle Hands and two Customizable",
    ),
    Mutant(
        "DECK-3",
        "facts/turns.py",
        "hand = held[:place] + held[place + 1 :]",
        "hand = tuple(card for card in held if card is not held[place])",
        "the twin of a card that is played leaves the hand too",
    ),
    Mutant(
        "VAL-1",
        "cards.py",
        '"W4": (Face.WILD_DRAW_FOUR, 50)',
        '"W4": (Face.WILD_DRAW_FOUR, 40)',
        "a Wild Draw Four is worth 40",
    ),
    Mutant(
        "VAL-2",
        "cards.py",
        '"WC": (Face.WILD_CUSTOMIZABLE, 40)',
        '"WC": (Face.WILD_CUSTOMIZABLE, 50)',
        "a Wild Customizable is worth as much as other wilds",
    ),
    Mutant(
        "SETUP-1",
        "limits.py",
        "SEATS_MAX: Final = 10",
        "SEATS_MAX: Final = 11",
        "eleven may play",
    ),
    Mutant(
        "SETUP-2",
        "dealing.py",
        "int(card.face) if card.face.isdigit() else 0",
        "int(card.face) if card.face.isdigit() else card.points",
        "action and wild cards count their points in the draw for the dealer",
    ),
    Mutant(
        "SETUP-3",
        "dealing.py",
        "        tied = [draw.seat for draw in drawn if _rank(draw.card) == highest]\n",
        "        best = [draw.seat for draw in drawn if _rank(draw.card) == highest]\n"
        "        tied = best if len(best) == 1 else tied\n",
        "after a tie everybody draws again",
    ),
    Mutant(
        "SETUP-4",
        "moves/round_end.py",
        "return order[(order.index(last) + 1) % len(order)]",
        "return order[(order.index(last) - 1) % len(order)]",
        "the deal passes to the right",
    ),
    Mutant(
        "SETUP-5",
        "dealing.py",
        "left = order.index(dealer) + 1",
        "left = order.index(dealer)",
        "the dealer gets the first card",
    ),
    Mutant(
        "SETUP-6",
        "moves/round_start.py",
        "**dict.fromkeys(Face, Opening()),",
        "**dict.fromkeys(Face, Opening(steps=0)),",
        "the dealer starts",
    ),
    Mutant(
        "FIRST-1",
        "moves/round_start.py",
        "Face.DRAW_TWO: Opening(steps=2, draws=2),",
        "Face.DRAW_TWO: Opening(draws=2),",
        "who draws two for the first card plays all the same",
    ),
    Mutant(
        "FIRST-2",
        "moves/round_start.py",
        "Face.SKIP: Opening(steps=2),",
        "Face.SKIP: Opening(steps=0),",
        "a first Skip lets the dealer play",
    ),
    Mutant(
        "FIRST-3",
        "moves/round_start.py",
        "Face.REVERSE: Opening(steps=0, direction=-1),",
        "Face.REVERSE: Opening(steps=-1, direction=-1),",
        "a first Reverse lets the dealer's right play first",
    ),
    Mutant(
        "FIRST-4",
        "moves/round_start.py",
        "Face.WILD: Opening(pending=Pending.COLOR),",
        "Face.WILD: Opening(steps=0, pending=Pending.COLOR),",
        "the dealer names the color of a first Wild",
    ),
    Mutant(
        "FIRST-5",
        "dealing.py",
        "pile = shuffled((*pile[1:], pile[0]), key, number + put_back)",
        "pile = (*pile[1:], pile[0])",
        "a first Wild Draw Four goes under the pile, which is not shuffled",
    ),
)
