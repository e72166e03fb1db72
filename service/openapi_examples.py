"""Examples of request bodies, by operation and name. A test sends each of them."""

from __future__ import annotations

from typing import Any, Final

REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "createPlayer": {"a person": {"name": "Ann"}},
    "renameMe": {"another name": {"name": "Anna Lee"}},
    "createToken": {"one that lasts": {}, "for a day": {"expires_in": 86_400}},
    "createMatch": {
        "two people": {"seats": 2},
        "against two bots": {"seats": 3, "bots": ["steady", "random"]},
        "private, to 200 points": {
            "seats": 4,
            "visibility": "private",
            "rules": {"target": 200, "wild_draw_four": "strict"},
            "tags": ["friday-league"],
        },
    },
    "joinMatch": {"a public match": {}, "a private match": {"invite": "qg2BHtPq0zTFVQpPkZLM5w"}},
    "seatBot": {"a steady bot": {"level": "steady"}},
    "submitCommand": {
        "play a card": {"type": "play_card", "card": "R5"},
        "play a wild and say UNO": {
            "type": "play_card",
            "card": "W",
            "color": "red",
            "uno": True,
        },
        "draw": {"type": "draw_card"},
        "keep the drawn card": {"type": "pass_turn"},
        "name the opening color": {"type": "choose_color", "color": "blue"},
        "accept a wild draw four": {"type": "accept_penalty"},
        "doubt a wild draw four": {"type": "challenge"},
        "say UNO": {"type": "call_uno"},
        "catch a missed UNO": {"type": "catch_uno", "seat": 2},
        "leave for good": {"type": "leave"},
        "mix into the coming deal": {
            "type": "add_seed",
            "round": 2,
            "client_seed": "b3VyIG93biBsdWNr",
        },
    },
}
