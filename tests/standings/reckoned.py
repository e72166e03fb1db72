"""Statistics, ratings and leaderboards reckoned from exported records, by nothing but the pages.

Written from docs/api/statistics.md, docs/record-format.md and the published algorithm; it shares
no code with the service. Hands are only counted: nobody needs a seed for that.

``python -m tests.standings.reckoned < records.ndjson`` prints them as JSON.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import product
from typing import Any, Final

NAMES: Final = (
    *("matches", "matches_won", "points", "rounds", "rounds_won", "challenges", "challenges_won"),
    *("unos_called", "unos_missed", "unos_caught", "cards_left"),
)
Figures = dict[str, int]
BETA_SQUARED: Final = (25 / 6) ** 2
TAU_SQUARED: Final = (25 / 300) ** 2
KAPPA: Final = 0.0001
FIRST: Final = (25_000_000, 8_333_333)


class Reckoned:
    """What follows from records, person by person."""

    def __init__(self, records: Iterable[bytes], apps: Mapping[str, str] | None = None) -> None:
        self.statistics: dict[str, dict[tuple[str, bool], Figures]] = defaultdict(dict)
        """By person, by form and whether bots sat there."""
        self.ratings: dict[str, list[tuple[str, Any, Any]]] = defaultdict(list)
        """By person, oldest first: match, ratings over all matches, and over those of the form."""
        self.boards: dict[tuple[str, str | None, str | None, str | None], dict[str, int]] = (
            defaultdict(dict)
        )
        """By board, season, form and app, None for all: what each person has."""
        self._rating: dict[tuple[str, str], tuple[int, int]] = {}
        played = [one for record in records if (one := _Match(record)).counts]
        for one in sorted(played, key=lambda match: match.position):
            self._add(one, (apps or {}).get(one.id))

    def _add(self, match: _Match, app: str | None) -> None:
        kind = match.form, match.with_bots
        for seat, person in match.persons.items():
            figures = match.figures[seat]
            before = self.statistics[person].get(kind, dict.fromkeys(NAMES, 0))
            self.statistics[person][kind] = {name: before[name] + figures[name] for name in NAMES}
        if match.is_rated:
            self._rate(match)
        if not match.with_bots:
            self._rank(match, app)

    def _rank(self, match: _Match, app: str | None) -> None:
        """Every board in every scope that the match is of."""
        scopes = product({match.season, None}, {match.form, None}, {app, None})
        for season, form, maker in scopes:
            for seat, person in match.persons.items():
                for name in ("points", "matches_won", "rounds_won"):
                    board = self.boards[name, season, form, maker]
                    board[person] = board.get(person, 0) + match.figures[seat][name]
                if match.is_rated and match.places[seat] > 0:
                    mu, sigma = self._rating[form or "", person]
                    shown = (mu - 3 * sigma) * 60 // 1_000_000
                    self.boards["rating", season, form, maker][person] = shown

    def _rate(self, match: _Match) -> None:
        after = {}
        for scope in ("", match.form):
            sides: dict[int, list[int]] = defaultdict(list)
            for seat, place in enumerate(match.places):
                if place > 0:
                    sides[seat % 2 if match.form == "teams" else seat].append(seat)
            teams = [
                (
                    match.places[seats[0]],
                    [
                        self._rating.get((scope, match.persons.get(seat, "")), FIRST)
                        for seat in seats
                    ],
                )
                for seats in sides.values()
            ]
            rated = plackett_luce(teams)
            for seats, team in zip(sides.values(), rated, strict=True):
                after |= {(scope, seat): one for seat, one in zip(seats, team, strict=True)}
        for seat, person in match.persons.items():
            if ("", seat) in after:
                overall, in_form = after["", seat], after[match.form, seat]
                self._rating["", person], self._rating[match.form, person] = overall, in_form
                self.ratings[person].append((match.id, overall, in_form))


def plackett_luce(
    teams: list[tuple[int, list[tuple[int, int]]]],
) -> list[list[tuple[int, int]]]:
    """Algorithm 4 of Weng and Lin (2011), after a little uncertainty was added (tau).

    Takes and gives means and deviations in millionths, by team with its place.
    """
    places = [place for place, _ in teams]
    known = [
        [(mu / 1e6, (sigma / 1e6) ** 2 + TAU_SQUARED) for mu, sigma in team] for _, team in teams
    ]
    strength = [sum(mu for mu, _ in team) for team in known]
    variance = [sum(square for _, square in team) for team in known]
    c = math.sqrt(sum(one + BETA_SQUARED for one in variance))
    reached = range(len(teams))
    sums = [
        sum(math.exp(strength[s] / c) for s in reached if places[s] >= places[q]) for q in reached
    ]
    alike = [places.count(place) for place in places]
    after = []
    for i in reached:
        omega = delta = 0.0
        for q in reached:
            if places[q] <= places[i]:
                share = math.exp(strength[i] / c) / sums[q]
                omega += ((1 if q == i else 0) - share) / alike[q]
                delta += share * (1 - share) / alike[q]
        omega *= variance[i] / c
        delta *= variance[i] / c**2 * math.sqrt(variance[i]) / c
        after.append(
            [
                (
                    round((mu + square / variance[i] * omega) * 1e6),
                    round(math.sqrt(square * max(1 - square / variance[i] * delta, KAPPA)) * 1e6),
                )
                for mu, square in known[i]
            ]
        )
    return after


class _Match:
    """One record, read line by line."""

    def __init__(self, record: bytes) -> None:
        lines = [json.loads(line) for line in record.splitlines()]
        self.id: str = lines[0]["match"]
        self.persons: dict[int, str] = {
            line["seat"]: line["player_id"] for line in lines if "player_id" in line
        }
        self.places: list[int] = []
        self.position = 0
        self.season = ""
        self._bots: list[bool] = []
        self._away: set[int] = set()
        self._left: set[int] = set()
        self._order: list[int] = []
        self._cards: dict[int, int] = {}
        self._counts: dict[int, Figures] = defaultdict(lambda: dict.fromkeys(NAMES, 0))
        self._is_void = False
        self._started = False
        for line in lines:
            if "data" in line:
                self._read(line, json.loads(line["data"]))

    @property
    def counts(self) -> bool:
        """Whether it ended and is neither practice nor void."""
        return bool(self.places) and not self._created["practice"] and not self._is_void

    @property
    def form(self) -> str:
        form: str = self._created["options"]["form"]
        return form

    @property
    def with_bots(self) -> bool:
        return any(self._bots)

    @property
    def is_rated(self) -> bool:
        ranked = [seat for seat, place in enumerate(self.places) if place > 0]
        sides = {seat % 2 if self.form == "teams" else seat for seat in ranked}
        return not self.with_bots and len(sides) > 1

    @property
    def figures(self) -> dict[int, Figures]:
        return self._counts

    def _count(self, seat: int, name: str, number: int = 1) -> None:
        if seat not in self._away:
            self._counts[seat][name] += number

    def _read(self, line: dict[str, Any], event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "match_created":
            self._created = event
        elif kind in ("player_joined", "bot_seated"):
            self._bots.append(kind == "bot_seated")
        elif kind == "match_started":
            self._started = True
        elif kind == "player_left":
            self._leave(event)
        elif kind == "player_returned":
            self._away.discard(event["seat"])
        elif kind == "match_voided":
            self._is_void = True
        elif kind == "match_ended":
            self._end(line, event)
        else:
            self._play(kind, event)

    def _leave(self, event: dict[str, Any]) -> None:
        seat = event["seat"]
        if not self._started:
            del self._bots[seat]
        elif event.get("bot") is not None:
            self._away.add(seat)
        else:
            self._left.add(seat)
            if seat in self._order:
                self._order.remove(seat)

    def _play(self, kind: str, event: dict[str, Any]) -> None:
        """Cards that come and go, and what is counted of a round."""
        cards = self._cards
        if kind == "round_started":
            self._order = list(event["order"])
            cards.clear()
            cards.update(dict.fromkeys(self._order, event["hand_size"]))
        elif kind == "card_played":
            cards[event["seat"]] -= 1
            self._count(event["seat"], "unos_called", int(event.get("uno", False)))
        elif kind == "cards_drawn":
            cards[event["seat"]] += event["drawn"]
        elif kind == "play_called_out":
            cards[event["seat"]] += 1
        elif kind == "hand_returned":
            cards[event["seat"]] = 0
        elif kind == "hands_swapped":
            given = [cards[seat] for seat in event["givers"]]
            cards.update(zip(event["takers"], given, strict=True))
        elif kind == "hands_shuffled":
            first = self._order.index(event["seat"]) + 1
            dealt = self._order[first:] + self._order[:first]
            each, more = divmod(event["count"], len(dealt))
            cards.update({seat: each + (place < more) for place, seat in enumerate(dealt)})
        elif kind == "uno_called":
            self._count(event["seat"], "unos_called")
        elif kind == "uno_caught":
            self._count(event["seat"], "unos_missed")
            self._count(event["by"], "unos_caught")
        elif kind == "challenge_resolved":
            self._count(event["seat"], "challenges")
            self._count(event["seat"], "challenges_won", int(event["guilty"]))
        elif kind == "round_ended":
            self._count(event["winner"], "rounds_won")
            for seat in {*self._order, event["winner"]}:
                self._count(seat, "rounds")
                self._count(seat, "cards_left", cards[seat])

    def _end(self, line: dict[str, Any], event: dict[str, Any]) -> None:
        self.places, self.position = event["places"], line["position"]
        ended = datetime.fromtimestamp(line["occurred_at"] // 1_000_000, UTC)
        self.season = f"{ended.year:04}-{ended.month:02}"
        options = self._created["options"]
        counts_up = options["scoring"] == "winner_takes" and options["form"] != "elimination"
        self._away.clear()  # the outcome is the person's, whoever played last
        for seat, place in enumerate(self.places):
            self._count(seat, "matches")
            if place > 0:
                self._count(seat, "matches_won", int(seat in event["winners"]))
                self._count(seat, "points", event["scores"][seat] if counts_up else 0)


def _records(lines: Iterable[bytes]) -> Iterable[bytes]:
    """The records in a file of many."""
    record = b""
    for line in lines:
        if line.startswith(b'{"record"') and record:
            yield record
            record = b""
        record += line
    yield record


if __name__ == "__main__":
    found = Reckoned(_records(sys.stdin.buffer))
    statistics = {
        person: {f"{form}{' with bots' * bots}": sums for (form, bots), sums in kinds.items()}
        for person, kinds in found.statistics.items()
    }
    print(json.dumps({"statistics": statistics, "ratings": found.ratings}, indent=1))
