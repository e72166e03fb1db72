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
        self.away: set[int] = set()
        self.out: dict[int, int] = {}
        self.options: dict[str, Any] = {}
        self.edition = "classic-108"
        self.unfit = False
        self.order: list[int] = []
        self.dealer: int | None = None
        self.scores: list[int] = []
        self.added: list[bytes] = []
        self.next_round = 1
        self.passed = 0
        self.shuffles = 0
        self.judged: tuple[int, list[str], str] | None = None
        self.advised: Counter[int] = Counter()
        self.checks: Counter[str] = Counter()

    def audit(self) -> Counter[str]:
        """Check everything; how many events of each type were held against something."""
        for event in self.events:
            check = getattr(self, "on_" + event["type"], None)
            if check is not None:
                check(event)
                self.checks[event["type"]] += 1
        return self.checks

    def on_match_created(self, event: dict[str, Any]) -> None:
        self.options = event["options"]
        self.edition = self.options.get("edition", "classic-108")
        self.is_practice = event.get("practice", False)

    def on_player_returned(self, event: dict[str, Any]) -> None:
        self.away.remove(event["seat"])

    def on_player_joined(self, event: dict[str, Any]) -> None:
        self.seats += 1
        self.added.append(b"")

    on_bot_seated = on_player_joined

    def on_player_left(self, event: dict[str, Any]) -> None:
        if event.get("turn") is None:
            self.seats -= 1
            del self.added[event["seat"]]
        elif event.get("bot") is not None:
            self.away.add(event["seat"])
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

    def on_round_voided(self, event: dict[str, Any]) -> None:
        self.passed += event["reason"] == "restore"
        if event["round"] >= self.next_round:
            assert event["round"] == self.next_round and event["reason"] == "restore"
            self.next_round += 1
            self.added = [b"" for _ in self.added]

    def on_dealer_drawn(self, event: dict[str, Any]) -> None:
        draws, dealer, self.shuffles = page.draw_for_dealer(self.key(), self.seats, self.edition)
        logged = [[(one["seat"], one["card"]) for one in draw] for draw in event["draws"]]
        assert (logged, event["dealer"], event["shuffles"]) == (draws, dealer, self.shuffles)

    def key(self) -> bytes:
        number = self.next_round
        return page.round_key(self.match, number, self.seeds[number], self.added)

    def on_round_started(self, event: dict[str, Any]) -> None:
        self.round_key = self.key()
        self.order = event["order"]
        self.scores = self.scores or [0] * self.seats
        self.check_order(event)
        assert event["hand_size"] == self.options.get("starting_hand", 7)
        dealt = page.deal(
            self.round_key,
            self.seats,
            event["order"],
            event["dealer"],
            event["hand_size"],
            self.shuffles,
            self.edition,
        )
        assert event["digest"] == dealt.digest
        assert (event["opening"], event["put_back"]) == (dealt.opening, dealt.put_back)
        assert (event["draw_pile"], event["shuffles"]) == (len(dealt.pile), dealt.shuffles)
        self.hands, self.pile, self.discards = dealt.hands, dealt.pile, [dealt.opening]
        self.rounds_shuffles, self.shuffles = dealt.shuffles, 0
        self.color, self.unfit = event["color"], False
        self.next_round += 1
        self.added = [b""] * self.seats

    def on_position_placed(self, event: dict[str, Any]) -> None:
        self.round_key, number = self.key(), event["round"]
        self.hands, self.pile = page.placed(self.seeds[number])
        self.discards = list(event["discard"])
        assert list(map(len, self.hands)) == event["hands"] and len(self.hands) == self.seats
        assert len(self.pile) == event["draw_pile"]
        there = Counter(card for hand in (*self.hands, self.pile, self.discards) for card in hand)
        assert there <= Counter(page.canonical_deck(self.edition))
        assert self.is_practice
        self.order, self.scores = event["order"], list(event["scores"])
        self.check_order(event)
        self.rounds_shuffles, self.shuffles = 0, 0
        self.color, self.unfit = event["color"], False
        self.next_round = number + 1
        self.added = [b""] * self.seats

    def check_order(self, event: dict[str, Any]) -> None:
        """Who is still in, by seat; partners opposite (ROT-1). The deal passes to the left."""
        order, last = event["order"], self.dealer
        wanted = [one for one in range(self.seats) if one not in self.left | self.out.keys()]
        if self.counting() == "rotating_partners":
            pairing = (event["round"] - 1 - self.passed) // self.options["rounds_per_pairing"] % 3
            wanted = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2]][pairing]
        assert order == wanted
        if last in order:
            assert event["dealer"] == order[(order.index(last) + 1) % len(order)]
        elif last is not None:
            assert event["dealer"] == min((one for one in order if one > last), default=order[0])
        self.dealer = event["dealer"]

    def on_color_chosen(self, event: dict[str, Any]) -> None:
        self.color = event["color"]

    def on_card_played(self, event: dict[str, Any]) -> None:
        card, hand = event["card"], self.hands[event["seat"]]
        hand.remove(card)
        top = self.discards[-1]
        letter = card[0].lower()
        fits = card[0] == "W" or self.color[0] == letter or (top[0] != "W" and top[1:] == card[1:])
        self.unfit = event.get("unfit", False)
        assert fits != self.unfit, f"{card} on {top}, {self.color}"
        assert event["last"] == (not hand)
        self.discards.append(card)
        self.advised.clear()
        if event["penalty"]:
            assert event["judged_color"] in (None, self.color)
            self.judged = event["seat"], list(hand), self.color
        self.color = event["color"]

    def on_cards_drawn(self, event: dict[str, Any]) -> None:
        assert event["drawn"] == min(event["asked"], len(self.pile))
        self.hands[event["seat"]] += self.pile[: event["drawn"]]
        del self.pile[: event["drawn"]]
        self.unfit = self.unfit and event["reason"] != "turn"
        if event["reason"] == "advice":
            self.advised[event["seat"]] += event["drawn"]

    def on_turn_passed(self, event: dict[str, Any]) -> None:
        self.unfit = False

    def on_play_called_out(self, event: dict[str, Any]) -> None:
        assert self.unfit and self.discards[-1] == event["card"]
        self.hands[event["seat"]].append(self.discards.pop())
        self.color, self.unfit = event["color"], False

    def on_hands_swapped(self, event: dict[str, Any]) -> None:
        assert sorted(event["givers"]) == sorted(event["takers"])
        given = [self.hands[seat] for seat in event["givers"]]
        for seat, hand in zip(event["takers"], given, strict=True):
            self.hands[seat] = hand

    def on_hands_shuffled(self, event: dict[str, Any]) -> None:
        assert event["number"] == self.rounds_shuffles
        order = [seat for seat in self.order if seat not in self.left]
        hands = dict(enumerate(self.hands))
        number = event["number"]
        cards, dealt = page.shuffled_hands(self.round_key, hands, order, event["seat"], number)
        assert event["digest"] == page.order_digest(self.round_key, number, cards)
        assert event["count"] == len(cards)
        self.rounds_shuffles += 1
        for seat, hand in dealt.items():
            self.hands[seat] = hand

    def on_pile_reshuffled(self, event: dict[str, Any]) -> None:
        assert not self.pile and event["number"] == self.rounds_shuffles
        count = event["count"]
        self.pile = page.shuffle(self.discards[:count], self.round_key, event["number"])
        self.discards = self.discards[count:]
        assert len(self.discards) == (2 if self.unfit else 1)
        self.rounds_shuffles += 1
        assert event["count"] == len(self.pile)
        assert event["digest"] == page.order_digest(self.round_key, event["number"], self.pile)

    def on_challenge_resolved(self, event: dict[str, Any]) -> None:
        assert self.judged is not None
        author, hand, color = self.judged
        holds = any(card[0] == color[0].upper() for card in hand)
        assert (event["author"], event["guilty"]) == (author, holds)

    def on_round_ended(self, event: dict[str, Any]) -> None:
        assert len(self.hands[event["winner"]]) == self.advised[event["winner"]]
        own = [sum(map(worth, hand)) for hand in self.hands]
        own[event["winner"]] = 0
        gains = GAINS[self.counting()](own, self.order, event["winner"])
        assert event["gains"] == gains
        self.scores = [old + new for old, new in zip(self.scores, gains, strict=True)]
        assert event["scores"] == self.scores

    def counting(self) -> str:
        """How the match is counted, in one word."""
        form = str(self.options.get("form", "free_for_all"))
        lowest = self.options.get("scoring") == "lowest"
        return "lowest" if lowest else form

    def on_player_eliminated(self, event: dict[str, Any]) -> None:
        seat = event["seat"]
        assert self.scores[seat] >= self.options["target"] and seat not in self.left
        self.out[seat] = event["place"]

    def on_round_blocked(self, event: dict[str, Any]) -> None:
        assert not self.pile and len(self.discards) == 1

    def on_match_ended(self, event: dict[str, Any]) -> None:
        assert event["scores"] == self.scores or not self.scores
        first = [seat for seat, place in enumerate(event["places"]) if place == 1]
        assert first == event["winners"] and first
        self.check_winners(event["winners"], event["places"])
        self.check_rounds(event["reason"])
        committed = [one["round"] for one in self.events if one["type"] == "round_committed"]
        assert committed == sorted(self.seeds), "every committed round is revealed"

    def check_rounds(self, reason: str) -> None:
        """SCORE-5: of so many rounds none is missing, unless the match ended by something else."""
        wanted = self.options.get("rounds", 0)
        over = [one["round"] for one in self.events if one["type"] in ROUND_IS_OVER]
        if wanted:
            assert (max(over, default=0) - self.passed == wanted) == (reason == "rounds")
            assert reason != "target"

    def check_winners(self, winners: list[int], places: list[int]) -> None:
        """Those with the best total among those who may win, by the form of play."""
        counting, seats = self.counting(), range(self.seats)
        if counting == "elimination":
            staying = [seat for seat in seats if seat not in self.left and seat not in self.out]
            assert all(places[seat] == place for seat, place in self.out.items())
            self.check_best(winners, staying or list(self.out), min)
        elif counting == "teams":
            broken = {seat % 2 for seat in self.left}
            self.check_best(winners, [seat for seat in seats if seat % 2 not in broken], max)
        elif counting == "rotating_partners":
            assert {seat for seat in seats if places[seat] == 0} == self.away
            self.check_best(winners, [seat for seat in seats if seat not in self.away], max)
        else:
            staying = [seat for seat in seats if seat not in self.left]
            self.check_best(winners, staying, min if counting == "lowest" else max)

    def check_best(self, winners: list[int], among: list[int], best: Any) -> None:
        """The winners are just those of ``among`` that have the best of their totals."""
        wanted = best(self.scores[seat] for seat in among)
        assert winners == [seat for seat in among if self.scores[seat] == wanted]


def winner_takes(own: list[int], order: list[int], winner: int) -> list[int]:
    """SCORE-1."""
    return [sum(own) if seat == winner else 0 for seat in range(len(own))]


def own_hand(own: list[int], order: list[int], winner: int) -> list[int]:
    """SCORE-2, ELIM-1."""
    return own


def side_takes(own: list[int], order: list[int], winner: int) -> list[int]:
    """TEAM-1, ROT-1: partners sit opposite."""
    at = order.index(winner)
    side, others = {winner, order[at - 2]}, (order[at - 1], order[at - 3])
    points = sum(own[seat] for seat in others)
    return [points if seat in side else 0 for seat in range(len(own))]


ROUND_IS_OVER = ("round_ended", "round_blocked")
GAINS = {
    "free_for_all": winner_takes,
    "lowest": own_hand,
    "elimination": own_hand,
    "teams": side_takes,
    "rotating_partners": side_takes,
}


def worth(card: str) -> int:
    """VAL-1, VAL-2."""
    if card.startswith("W"):
        return 40 if card in ("WS", "WC") else 50
    return int(card[1]) if card[1].isdigit() else 20
