"""What a tournament's stored events say, reckoned apart from the domain: points and places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

Fact = dict[str, Any]


class Reckoned:
    """Reads the events as they are stored, by ``docs/tournaments.md`` alone."""

    def __init__(self, events: Iterable[Fact]) -> None:
        self.rounds: list[Fact] = []
        self.seats: dict[tuple[int, int], list[int]] = {}
        self.results: dict[tuple[int, int], dict[int, tuple[int, int]]] = {}
        self.left: set[int] = set()
        self.created: Fact = {}
        self.started: Fact = {}
        self.entrants = 0
        for event in events:
            self._read(event)

    def _read(self, e: Fact) -> None:
        where = (e.get("round", 0), e.get("table", 0))
        match e["type"]:
            case "tournament_created":
                self.created = e
            case "entrant_joined" | "bot_entered":
                self.entrants = max(self.entrants, e["entrant"] + 1)
                self.left.discard(e["entrant"])
            case "entrant_left":
                self.left.add(e["entrant"])
            case "entrant_replaced":
                self.left.discard(e["entrant"])
            case "tournament_started":
                self.started = e
            case "round_paired":
                self.rounds.append(e)
            case "table_opened":
                self.seats[where] = e["seats"]
            case "table_ended":
                each = zip(self.seats[where], e["scores"], e["places"], strict=True)
                self.results[where] = {one: (score, place) for one, score, place in each}
            case "table_forfeited":
                winner = e["winner"]
                self.results[where] = {} if winner is None else {winner: (0, 1)}
            case "table_voided":
                self.results.pop(where, None)

    def points(self) -> list[int]:
        """By entrant."""
        count = {
            "pairs_8": self._scores,
            "rotating_partners_4": self._scores,
            "knockout": self._rounds_won,
            "swiss": self._beaten,
        }[self.created["format"]]
        gained = count()
        return [gained.get(one, 0) for one in range(self.entrants)]

    def _scores(self) -> dict[int, int]:
        total: dict[int, int] = defaultdict(int)
        for result in self.results.values():
            for one, (score, _) in result.items():
                total[one] += score
        return total

    def _beaten(self) -> dict[int, int]:
        total: dict[int, int] = defaultdict(int)
        chairs = self.created["table_seats"]
        for round in self.rounds:
            for one in round["byes"]:
                total[one] += 2 * (chairs - 1)
        for result in self.results.values():
            places = [place for _, place in result.values() if place]
            places += [99] * (chairs - len(places))
            for one, (_, own) in result.items():
                if own:
                    total[one] += sum(2 * (place > own) + (place == own) for place in places) - 1
        return total

    def _rounds_won(self) -> dict[int, int]:
        total: dict[int, int] = defaultdict(int)
        rank = {one: at for at, one in enumerate(self.started["seeding"])}
        for number, round in enumerate(self.rounds, 1):
            for one in round["byes"]:
                total[one] += 1
            for table in range(len(round["tables"])):
                result = self.results.get((number, table), {})
                order = sorted((place, rank[one]) for one, (_, place) in result.items() if place)
                if order:
                    total[self.started["seeding"][order[0][1]]] += 1
        return total
