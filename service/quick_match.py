"""Quick matches: those who wait for the same thing are given a match, which is set up for them.

Whoever looks at a ticket that has a match carries out what is left to do: each step is found
again, so that any process may do it, and do it again after another was killed in the middle.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from domain.commands import SERVICE, Actor, ActorKind, CreateMatch, JoinMatch, StartMatch
from domain.events import BotLevel, Visibility
from domain.match import Status
from domain.options import Options
from domain.ports import MatchFacts
from domain.refusals import RuleViolation
from domain.waiting import Ticket
from service.ids import new_id
from service.play.command_ids import command_id
from service.play.contract import Ask, NoMatch
from service.play.times import SECOND
from service.problems import ProblemError
from service.seating import get_up_if_erased, new_holder
from service.services import Services

TICKET_SECONDS: Final = 60
"""How long somebody waits who does not ask any more: a client that is gone is no opponent."""
_ONE: Final = {"create": "\0create", "join": "\0queue", "start": "\0start"}
"""The keys of what is done once for each match. No client can send them: theirs are printable."""


class Wish(Struct, frozen=True, array_like=True):
    """What somebody waits for: people and bots that fill a table, and its rules."""

    seats: int
    options: Options
    bots: tuple[BotLevel, ...] = ()

    @property
    def people(self) -> int:
        """How many it takes."""
        return self.seats - len(self.bots)


def wish_bytes(wish: Wish) -> bytes:
    """The same bytes for the same wish."""
    return _encoder.encode(wish)


def wish_in(data: bytes) -> Wish:
    """The wish of a ticket."""
    return _decoder.decode(data)


def valid_until(now: int) -> int:
    """When a ticket runs out that is asked for now."""
    return now + TICKET_SECONDS * SECOND


async def looked_at(services: Services, id: bytes) -> Ticket | None:
    """A ticket as it stands, its match set up if there is one; None if it has run out."""
    ticket = await services.queue.ticket(id)
    if ticket is None or (ticket.match is None and ticket.until <= services.now()):
        return None
    if ticket.match is not None:
        await _set_up(services, ticket.match, wish_in(ticket.wish))
    return ticket


async def pair(services: Services, wish: bytes) -> None:
    """Give those who wait for the same a match, if they are enough by now."""
    await services.queue.pair(wish, wish_in(wish).people, new_id(), services.now())


async def _set_up(services: Services, match: bytes, wish: Wish) -> None:
    """Create the match, seat all of its party, start it: whatever of it is not done yet."""
    if not await _is_open(services, match):
        return
    seated = await _seats_held(services, match)
    if not seated:
        return
    (host, first), *others = seated
    await services.registry.add_match(MatchFacts(match, host, None, None, ()))
    create = CreateMatch(wish.options, wish.seats, Visibility.PUBLIC, first, bots=wish.bots)
    id = command_id(match, ActorKind.SEAT, first, _ONE["create"])
    with suppress(RuleViolation):  # created by another of the party, while the first was erased
        await services.play.create(match, create, id)
    for _, digest in others:
        id = command_id(match, ActorKind.SEAT, digest, _ONE["join"])
        ask = Ask(Actor(ActorKind.SEAT), JoinMatch(digest), id, player=digest)
        with suppress(RuleViolation):
            await services.play.execute(match, ask)
    for player, digest in seated:
        with suppress(ProblemError):
            await get_up_if_erased(services, match, player, digest)
    id = command_id(match, ActorKind.SERVICE, None, _ONE["start"])
    with suppress(RuleViolation):  # somebody of the party is gone: the seat is open to others
        await services.play.execute(match, Ask(SERVICE, StartMatch(), id))


async def _is_open(services: Services, match: bytes) -> bool:
    """Whether there is something left to do: the match is not there yet, or has not started."""
    try:
        return (await services.play.folded(match)).match.status is Status.OPEN
    except NoMatch:
        return True


async def _seats_held(services: Services, match: bytes) -> list[tuple[bytes, str]]:
    """The persons of the party and their digests, without those who are erased."""
    held = []
    for ticket in await services.queue.party(match):
        mine = new_holder(match, ticket.player, ticket.salt)
        holder = await services.registry.hold_seat(mine)
        if holder is not None:
            held.append((ticket.player, holder.digest))
    return held


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Wish)
