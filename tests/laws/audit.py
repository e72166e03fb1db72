"""An auditor who has only the stored events and docs/deal.md: recomputes a match that is over.

Written from the pages alone, like ``tests.docs.page_deal``; it knows nothing of the product.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from tests.docs import page_deal as page


class Auditor:
    """Reads a match's events in order and checks each against the revealed seeds."""

    def __init__(self, match: bytes, stored: list[bytes]) -> None:
        self.match = match
        self.events: list[dict[str, Any]] = [json.loads(one) for one in stored]
        self.seeds = {
            event["round"]: bytes.fromhex(event["seed"])
            for event in self.events
            if event["type"] == "seed_revealed"
        }
        self.seats = 0
        self.left: set[int] = set()
        self.added: list[bytes] = []
        self.next_round = 1
        self.shuffles = 0
        self.judged: tuple[int, list[str], str] | None = None
        self.checks: Counter[str] = Counter()

    def audit(self) -> Counter[str]:
        """Check everything; how many events of each type were held against something."""
        for event in self.events:
            check = getattr(self, "on_" + event["type"], None)
            if check is not None:
                check(event)
                self.checks[event["type"]] += 1
        return self.checks

    def on_player_joined(self, event: dict[str, Any]) -> None:
        self.seats += 1
        self.added.append(b"")

    on_bot_seated = on_player_joined

    def on_player_left(self, event: dict[str, Any]) -> None:
        if event.get("turn") is None:
            self.seats -= 1
            del self.added[event["seat"]]
        else:
            self.left.add(event["seat"])

    def on_hand_returned(self, event: dict[str, Any]) -> None:
        assert event["number"] == self.rounds_shuffles
        held = sorted(self.hands[event["seat"]])
        cards = page.shuffle(held, self.round_key, event["number"])
        self.rounds_shuffles += 1
        assert event["count"] == len(cards)
        assert event["digest"] == page.order_digest(self.round_key, event["number"], cards)
        self.hands[event["seat"]], self.pile = [], self.pile + cards

    def on_round_committed(self, event: dict[str, Any]) -> None:
        seed = self.seeds[event["round"]]
        assert page.commitment(self.match, event["round"], seed) == event["commitment"]

    def on_seed_added(self, event: dict[str, Any]) -> None:
        assert event["round"] == self.next_round
        self.added[event["seat"]] = bytes.fromhex(event["client_seed"])

    def on_dealer_drawn(self, event: dict[str, Any]) -> None:
        draws, dealer, self.shuffles = page.draw_for_dealer(self.key(), self.seats)
        logged = [[(one["seat"], one["card"]) for one in draw] for draw in event["draws"]]
        assert (logged, event["dealer"], event["shuffles"]) == (draws, dealer, self.shuffles)

    def key(self) -> bytes:
        number = self.next_round
        return page.round_key(self.match, number, self.seeds[number], self.added)

    def on_round_started(self, event: dict[str, Any]) -> None:
        self.round_key = self.key()
        dealt = page.deal(
            self.round_key,
            self.seats,
            event["order"],
            event["dealer"],
            event["hand_size"],
            self.shuffles,
        )
        assert event["digest"] == dealt.digest
        assert (event["opening"], event["put_back"]) == (dealt.opening, dealt.put_back)
        assert (event["draw_pile"], event["shuffles"]) == (len(dealt.pile), dealt.shuffles)
        self.hands, self.pile, self.discards = dealt.hands, dealt.pile, [dealt.opening]
        self.rounds_shuffles, self.shuffles = dealt.shuffles, 0
        self.color = event["color"]
        self.next_round += 1
        self.added = [b""] * self.seats

    def on_color_chosen(self, event: dict[str, Any]) -> None:
        self.color = event["color"]

    def on_card_played(self, event: dict[str, Any]) -> None:
        card, hand = event["card"], self.hands[event["seat"]]
        hand.remove(card)
        top = self.discards[-1]
        letter = card[0].lower()
        fits = card in ("W", "W4") or self.color[0] == letter or top[1:] == card[1:] != ""
        assert fits, f"{card} on {top}, {self.color}"
        assert event["last"] == (not hand)
        self.discards.append(card)
        if event["penalty"]:
            assert event["judged_color"] == self.color
            self.judged = event["seat"], list(hand), self.color
        self.color = event["color"]

    def on_cards_drawn(self, event: dict[str, Any]) -> None:
        assert event["drawn"] == min(event["asked"], len(self.pile))
        self.hands[event["seat"]] += self.pile[: event["drawn"]]
        del self.pile[: event["drawn"]]

    def on_pile_reshuffled(self, event: dict[str, Any]) -> None:
        assert not self.pile and event["number"] == self.rounds_shuffles
        self.pile = page.shuffle(self.discards[:-1], self.round_key, event["number"])
        self.discards = self.discards[-1:]
        self.rounds_shuffles += 1
        assert event["count"] == len(self.pile)
        assert event["digest"] == page.order_digest(self.round_key, event["number"], self.pile)

    def on_challenge_resolved(self, event: dict[str, Any]) -> None:
        assert self.judged is not None
        author, hand, color = self.judged
        holds = any(card[0] == color[0].upper() for card in hand)
        assert (event["author"], event["guilty"]) == (author, holds)

    def on_round_ended(self, event: dict[str, Any]) -> None:
        assert self.hands[event["winner"]] == []
        points = sum(map(worth, [card for hand in self.hands for card in hand]))
        gains = [points if seat == event["winner"] else 0 for seat in range(self.seats)]
        assert event["gains"] == gains

    def on_match_ended(self, event: dict[str, Any]) -> None:
        best = max(score for seat, score in enumerate(event["scores"]) if seat not in self.left)
        assert {event["scores"][seat] for seat in event["winners"]} == {best}
        committed = [one["round"] for one in self.events if one["type"] == "round_committed"]
        assert committed == sorted(self.seeds), "every committed round is revealed"


def worth(card: str) -> int:
    """VAL-1."""
    if card.startswith("W"):
        return 50
    return int(card[1]) if card[1].isdigit() else 20
