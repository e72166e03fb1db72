"""Examples of request bodies, by operation and name. A test sends each of them."""

from __future__ import annotations

from typing import Any, Final

REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "createPlayer": {"a person": {"name": "Ann"}},
    "renameMe": {"another name": {"name": "Anna Lee"}},
    "createToken": {"one that lasts": {}, "for a day": {"expires_in": 86_400}},
    "createKey": {
        "another one of one's own": {},
        "for an app": {"kind": "app", "name": "My game", "expires_in": 7_776_000},
    },
    "createWebhook": {
        "everything": {"url": "https://example.com/talon"},
        "turns and ends": {
            "url": "https://example.com/talon?from=talon",
            "types": ["your_turn", "match_ended"],
        },
    },
    "changeWebhook": {"resume it": {"enabled": True}, "only ends": {"types": ["match_ended"]}},
    "createMatch": {
        "two people": {"seats": 2},
        "against two bots": {"seats": 3, "bots": ["steady", "random"]},
        "private, to 200 points": {
            "seats": 4,
            "visibility": "private",
            "rules": {"target": 200, "wild_draw_four": "strict"},
            "tags": ["friday-league"],
        },
        "partners in turn, by the clock": {
            "seats": 4,
            "rules": {
                "form": "rotating_partners",
                "rounds_per_pairing": 2,
                "clock": {"turn": 30, "answer": 15},
                "uno_grace": 3,
            },
        },
    },
    "placePosition": {
        "a wild draw four that may be challenged": {
            "seats": [
                {"name": "Ann", "hand": ["B7", "W4", "Y1"]},
                {"name": "Bob", "hand": ["Y2", "Y3"], "score": 120},
            ],
            "top": "R7",
            "turn": 0,
        },
        "the last cards of a round of teams": {
            "rules": {"form": "teams", "target": 200},
            "seats": [
                {"name": "Ann", "hand": ["G1"], "said_uno": True},
                {"name": "Bob", "hand": ["R7", "GS"]},
                {"name": "Cat", "hand": ["B9", "YD"]},
                {"name": "Dan", "hand": ["W"]},
            ],
            "top": "W",
            "color": "green",
            "discard": ["G4", "B4"],
            "draw_pile": ["R1", "R2"],
            "exact_pile": True,
            "dealer": 2,
            "turn": 0,
            "direction": -1,
        },
    },
    "forkMatch": {
        "from a version on": {"version": 9},
        "as another seat, with the pile as it was, stacking": {
            "version": 9,
            "seat": 1,
            "open": True,
            "rules": {"stacking": "same"},
        },
    },
    "enterQueue": {
        "two people": {"seats": 2},
        "three people and a bot, by the clock": {
            "seats": 4,
            "bots": ["steady"],
            "rules": {"clock": {"turn": 30, "answer": 15}},
            "wait": 20,
        },
    },
    "createTournament": {
        "a knockout of four bots and others, to 200 points": {
            "format": "knockout",
            "rules": {"target": 200, "clock": {"turn": 30, "answer": 15}},
            "bots": ["steady", "steady", "random", "sharp"],
        },
        "pairs, for eight players": {"format": "pairs_8"},
        "a private swiss at tables of four": {
            "format": "swiss",
            "table_seats": 4,
            "rounds": 3,
            "arrival_seconds": 120,
            "no_show": "bot",
            "visibility": "private",
            "tags": ["friday-league"],
        },
    },
    "enterTournament": {
        "a public tournament": {},
        "a private tournament": {"invite": "qg2BHtPq0zTFVQpPkZLM5w"},
    },
    "enterBot": {"a sharp bot": {"level": "sharp"}, "rated": {"level": "steady", "rating": 1500}},
    "replaceEntrant": {
        "by a bot": {"bot": "steady"},
        "by a player of the app": {"player_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
    },
    "cancelTournament": {"by its organizer": {}, "too few came": {"reason": "too_few"}},
    "voidTable": {"for unfair play": {"reason": "unfair_play"}},
    "joinMatch": {"a public match": {}, "a private match": {"invite": "qg2BHtPq0zTFVQpPkZLM5w"}},
    "createTicket": {
        "to watch": {"match_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
        "to play": {"match_id": "01890a5d-ac96-774b-bcce-b302099a8057", "purpose": "socket"},
    },
    "seatBot": {"a sharp bot": {"level": "sharp"}},
    "voidMatch": {"without a reason that is told": {}, "for cheating": {"reason": "cheating"}},
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
        "call out an unfit card": {"type": "call_out", "seat": 1},
        "rule on advice": {"type": "penalize_advice", "seat": 3, "reason": "named_a_color"},
        "swap hands with a seven": {"type": "play_card", "card": "R7", "swap_with": 2},
        "call out a card that does not fit": {"type": "call_out", "seat": 2},
        "penalize advice": {"type": "penalize_advice", "seat": 2, "reason": "named_a_color"},
        "leave for good": {"type": "leave"},
        "take back a seat that a bot keeps": {"type": "return"},
        "mix into the coming deal": {
            "type": "add_seed",
            "round": 2,
            "client_seed": "b3VyIG93biBsdWNr",
        },
    },
}
