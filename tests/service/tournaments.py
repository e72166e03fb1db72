"""Tournaments over HTTP, as tests hold them."""

from __future__ import annotations

import asyncio
from typing import Any

from domain.audit.tournament_checks import check_tournament
from infra.signing import is_signed
from tests.service.support import Client, House

SHORT = {"target": 50}
WAIT_SECONDS = 60
"""Longer than any tournament of a test takes, on a machine that is busy."""


class Held:
    """A tournament, and who organizes it; ``seconds`` is how long is waited for anything."""

    def __init__(
        self, organizer: Client, made: dict[str, Any], seconds: float = WAIT_SECONDS
    ) -> None:
        self.organizer = organizer
        self.seconds = seconds
        self.id: str = made["tournament"]["tournament_id"]
        self.invite: str | None = made.get("invite")
        self.path = f"/v1/tournaments/{self.id}"

    async def look(self, part: str = "", who: Client | None = None) -> dict[str, Any]:
        """The tournament, or a part of it, as somebody sees it."""
        answer = await (who or self.organizer).get(f"{self.path}{part}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def does(self, part: str, body: Any = None, who: Client | None = None) -> dict[str, Any]:
        """A POST that is accepted: its answer."""
        answer = await (who or self.organizer).post(f"{self.path}{part}", body)
        assert answer.status_code == 200, answer.text
        done: dict[str, Any] = answer.json()
        return done

    async def enter(self, *persons: Client) -> None:
        """Have these persons enter."""
        for person in persons:
            await self.does("/entrants", {"invite": self.invite}, person)

    async def over(self) -> dict[str, Any]:
        """The tournament once it is over."""
        ended = await self.until(lambda seen: seen["status"] in ("finished", "canceled"))
        await self.holds()
        return ended

    async def holds(self) -> None:
        """Every event of the tournament is one that its command leads to, and all are chained."""
        content = (await self.organizer.get(f"{self.path}/record")).content
        report, _ = check_tournament(content, is_signed)
        assert report.holds, report.faults

    async def until(self, holds: Any) -> dict[str, Any]:
        """The tournament once something is so."""
        async with asyncio.timeout(self.seconds):
            while not holds(seen := await self.look()):
                await asyncio.sleep(0.02)
            return seen

    async def tables(self, round: int = 1) -> list[dict[str, Any]]:
        """The tables of a round, as the schedule has them, once all that can have opened."""
        async with asyncio.timeout(self.seconds):
            while True:
                rounds = (await self.look("/schedule"))["rounds"]
                tables = rounds[round - 1]["tables"] if len(rounds) >= round else []
                if tables and all(one["match_id"] or one["waits_for"] for one in tables):
                    return list(tables)
                await asyncio.sleep(0.02)


async def set_up(organizer: Client, format: str = "knockout", **more: Any) -> Held:
    """A tournament that is open."""
    rules = {} if format in ("pairs_8", "rotating_partners_4") else {"rules": SHORT}
    answer = await organizer.post("/v1/tournaments", {"format": format, **rules, **more})
    assert answer.status_code == 201, answer.text
    return Held(organizer, answer.json())


async def running(match: str, person: Client) -> dict[str, Any]:
    """A person's view of a table's match, once it runs."""
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            answer = await person.get(f"/v1/matches/{match}/view")
            if answer.status_code == 200 and answer.json()["status"] != "open":
                view: dict[str, Any] = answer.json()
                return view
            await asyncio.sleep(0.02)


async def four(talon: House) -> tuple[Client, Client, Client, Client]:
    """Four persons."""
    ann, bob, cat, dan = [await talon.person(name) for name in ("Ann", "Bob", "Cat", "Dan")]
    return ann, bob, cat, dan
