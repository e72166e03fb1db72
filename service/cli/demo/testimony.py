"""What the players of a demonstration were told while they played: the evidence of one side."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field

from service.cli.demo.wire import Answer, Item, Mine, Receipt, View


class Testimony(Struct):
    """Kept as it came, judged afterwards (``verify``)."""

    sent: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """The commands that were accepted, with their seats."""
    receipts: list[Receipt] = field(default_factory=list)
    """By command, in the same order."""
    hands: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    """By version and seat, the hand that seat was shown."""
    private: list[tuple[int, int, Mine]] = field(default_factory=list)
    """Version of an event, seat, and what that seat alone was told of it, if anything."""
    hashes: dict[int, str] = field(default_factory=dict)
    """By version, the hash that came with the event in an answer."""
    last: View | None = None
    """The newest view of the match."""
    resent: int = 0
    """Commands sent twice whose second answer was the first."""

    def saw(self, view: View) -> None:
        """A view was shown."""
        if view.you is not None:
            self.hands[(view.version, view.you.seat)] = view.you.hand
        if self.last is None or view.version >= self.last.version:
            self.last = view

    def was_answered(self, seat: int, command: dict[str, Any], answer: Answer) -> None:
        """A command was accepted."""
        self.sent.append((seat, command))
        self.receipts.append(answer.receipt)
        for item in answer.events:
            self.hashes[item.version] = item.hash
            self.private.append((item.version, seat, item.mine or Mine()))
        self.saw(answer.view)

    def line_of_round(self, item: Item) -> str:
        """A round's end on one line."""
        ended = msgspec.json.decode(item.event, type=_RoundEnded)
        gains = " ".join(f"{gain:>4}" for gain in ended.gains)
        scores = " ".join(f"{score:>4}" for score in ended.scores)
        return f"round {ended.round:>2}  won by seat {ended.winner}  gains {gains}  totals {scores}"


class _RoundEnded(Struct, frozen=True):
    round: int
    winner: int
    gains: tuple[int, ...]
    scores: tuple[int, ...]
