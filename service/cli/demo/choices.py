"""What the demonstration's players do: sensible moves, and the slips that people make.

They know what a seat's view says and nothing else.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from service.cli.demo.wire import View

DRAW_ANYWAY = 0.04
"""How often a player draws although a card fits (TURN-3)."""
FORGET_UNO = 0.35
"""How often UNO is not said with the second-to-last card."""
SAY_LATE = 0.3
"""How often it is then said late, before anybody notices."""
CATCH = 0.8
"""How often a forgotten UNO that was not said late is caught."""
DOUBT = 0.4
"""How often a wild draw four is challenged."""
MIX_SEED = 0.25
"""How often a player adds bytes to a coming deal."""
RESEND = 0.04
"""How often a command is sent twice under one key."""
COLORS = ("red", "yellow", "green", "blue")


def choose(view: View, dice: Random) -> dict[str, Any]:
    """A command for the seat that the match waits for, ready to send."""
    by_type: dict[str, list[dict[str, Any]]] = {}
    for command in view.legal:
        by_type.setdefault(command["type"], []).append(command)
    if "challenge" in by_type and dice.random() < DOUBT:
        return by_type["challenge"][0]
    if "accept_penalty" in by_type:
        return by_type["accept_penalty"][0]
    if "choose_color" in by_type:
        return {"type": "choose_color", "color": _favorite(view, dice)}
    plays = by_type.get("play_card", [])
    if plays and not ("draw_card" in by_type and dice.random() < DRAW_ANYWAY):
        return _completed(dice.choice(plays), view, dice)
    for kind in ("draw_card", "pass_turn"):
        if kind in by_type:
            return by_type[kind][0]
    raise LookupError(f"nothing to choose from at version {view.version}: {list(by_type)}")


def _completed(play: dict[str, Any], view: View, dice: Random) -> dict[str, Any]:
    """The play with a wild's color, and mostly with UNO where it is due."""
    play = {name: value for name, value in play.items() if name != "uno"}
    if play["card"] in ("W", "W4"):
        play["color"] = _favorite(view, dice)
    if view.you and len(view.you.hand) == 2 and dice.random() >= FORGET_UNO:
        play["uno"] = True
    return play


def _favorite(view: View, dice: Random) -> str:
    """The color the hand holds most of."""
    hand = view.you.hand if view.you else ()
    held = Counter(card[0] for card in hand if card not in ("W", "W4"))
    if not held:
        return dice.choice(COLORS)
    letter = max(sorted(held), key=lambda each: held[each])
    return next(color for color in COLORS if color[0].upper() == letter)


def is_silent_uno(command: dict[str, Any], view: View) -> bool:
    """Whether the play leaves one card and does not say UNO."""
    plays = command["type"] == "play_card" and not command.get("uno")
    return plays and view.you is not None and len(view.you.hand) == 2
