"""Acting in a match: from a request to a command of play, and from what it did to the answer."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from domain.commands import Actor, ActorKind, AnyCommand, PlayCard
from domain.events import Seat
from domain.refusals import Refusal, RuleViolation
from service import access, versions
from service.call import Call
from service.errors import refused
from service.idempotency import REPLAYED, fingerprint, key_of, random_key
from service.play.command_ids import command_id
from service.play.contract import Ask, Done
from service.problems import Code, ProblemError, fail
from service.reply import Headers
from service.wire import CommandDone

_KINDS: Final = {True: ActorKind.SEAT, False: ActorKind.APP}


def ask_of(
    call: Call, match: bytes, command: AnyCommand, digest: str | None, *, key: str | None = None
) -> Ask:
    """A command as play takes it, asked by a person, or by the match's app without one.

    ``key`` stands in for the request's idempotency key where the act itself is its own.
    """
    given = key_of(call)
    kind = _KINDS[digest is not None]
    return Ask(
        actor=Actor(kind),
        command=command,
        command_id=command_id(match, kind, digest, key or given or random_key()),
        fingerprint=fingerprint(call) if given is not None and key is None else None,
        player=digest,
        if_match=versions.expected(call.header(b"if-match")),
    )


async def execute(call: Call, match: bytes, ask: Ask) -> Done:
    """Carry out a command; raises ProblemError with what a refusal may tell this caller."""
    try:
        return await call.services.play.execute(match, ask)
    except RuleViolation as violation:
        raise await explained(call, match, violation.refusal, violation.not_before) from None


async def dry_run(call: Call, match: bytes, ask: Ask) -> int:
    """The version at which a command would be accepted; raises as ``execute``."""
    try:
        return await call.services.play.dry_run(match, ask)
    except RuleViolation as violation:
        raise await explained(call, match, violation.refusal, violation.not_before) from None


async def answer_of(call: Call, match: bytes, done: Done) -> tuple[CommandDone, Headers]:
    """What an accepted command answers, and the headers that go with it."""
    view = await call.services.rosters.named(match, done.view, call.now)
    viewer = versions.SPECTATOR if view.you is UNSET else view.you.seat
    headers: Headers = versions.headers(done.version, viewer)
    if done.replayed:
        headers = (*headers, REPLAYED)
    return CommandDone(done.version, done.events, view, done.receipt), headers


async def explained(
    call: Call, match: bytes, refusal: Refusal, not_before: int | None = None
) -> ProblemError:
    """A refusal as this caller may know it: with the cards that their seat may play.

    Raises ProblemError (404) for who may not know of the match at all.
    """
    looked = await access.seen(call, match)
    if looked.view.legal is UNSET:
        return refused(refusal, not_before=not_before)
    cards = (command.card for command in looked.view.legal if isinstance(command, PlayCard))
    playable = tuple(dict.fromkeys(str(card) for card in cards))
    return refused(refusal, playable, not_before=not_before)


async def digest_of_player(call: Call, match: bytes) -> str:
    """The digest of the person who asks; raises ProblemError (403, 404) for who has none here."""
    digest = await call.services.rosters.digest_of(match, call.player, call.now)
    if digest is None:
        raise await explained(call, match, Refusal.SEAT_MUST_BE_YOURS)
    return digest


async def digest_of_host(call: Call, match: bytes) -> str | None:
    """The same for what a host does; None for the app that set the match up for others."""
    if call.caller.player is not None:
        return await digest_of_player(call, match)
    await access.seen(call, match)
    facts = (await call.services.rosters.of(match, call.now)).facts
    if call.caller.app is None or facts is None or facts.app != call.caller.app:
        raise fail(Code.NOT_ALLOWED, "The match's host does this, or the app that set it up.")
    return None


def seat_in(answer: CommandDone) -> Seat:
    """The seat of whom an answer is for."""
    if answer.view.you is UNSET:
        raise refused(Refusal.SEAT_MUST_BE_YOURS)
    return answer.view.you.seat
