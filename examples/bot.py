"""A bot in 40 lines: plays one match against the service's own, and says how it went.

pip install ./clients/python; python examples/bot.py http://127.0.0.1:8000
"""

import sys
from collections import Counter

from talon_client import Refused, Talon
from talon_client.core.models import BotLevel, Color, NewMatch, Options, PlayCard

COLORS = {color.value[0].upper(): color for color in Color}


def choose(view):
    """Lay a card that fits, wilds last; draw, pass or accept where none does."""
    best = min((each for each in view.legal if each.type_ != "challenge"), key=cost)
    if isinstance(best, PlayCard):
        best.uno = len(view.you.hand) == 2
        if best.card.startswith("W"):
            held = Counter(card[0] for card in view.you.hand if card[0] in COLORS)
            best.color = COLORS[max(held, key=held.get, default="R")]
    return best


def cost(command):
    """Plain cards cost nothing, wilds a little, anything else more."""
    return 2 if not isinstance(command, PlayCard) else int(command.card.startswith("W"))


def main(url="http://127.0.0.1:8000"):
    """Register, set a match up, and act whenever there is something to do."""
    with Talon.register(url, "My bot") as bot:
        wish = NewMatch(seats=2, bots=[BotLevel.STEADY], rules=Options(target=100))
        match = bot.create_match(wish).match_id
        bot.start(match)
        for view in bot.views(match):
            if view.legal:
                try:
                    bot.act(match, choose(view))
                except Refused as refused:
                    print(refused)  # somebody was quicker: look again
        print(f"winners: seats {view.result.winners}, points {view.scores}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
