"""Signed answers: heads, receipts, and refusals that somebody wants to keep.

What is signed is said in ``domain.audit.statements``; ``docs/record-format.md`` says it to others.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

import msgspec
from litestar.types import ASGIApp

from domain.audit import statements
from domain.moments import rfc3339
from service import access
from service.acting import answer_of, execute
from service.call import Call
from service.errors import problem_of
from service.ids import text_of
from service.play.contract import Ask, Item, Receipt, Signature, StaleVersion
from service.problems import Code, Problem, ProblemError, RefusalReceipt, find
from service.reply import as_json
from service.services import Services
from service.wire import MatchHead


async def carried_out(call: Call, match: bytes, asking: Awaitable[Ask]) -> ASGIApp:
    """A command carried out, its receipt signed; raises ProblemError with a signed refusal."""
    try:
        done = await execute(call, match, await asking)
    except (ProblemError, StaleVersion) as error:
        failed = problem_of(error)
        if not _is_a_refusal(failed.problem):
            raise
        receipt = await _refusal(call, match, failed.problem.code)
        problem = msgspec.structs.replace(failed.problem, receipt=receipt)
        raise ProblemError(problem, failed.headers) from None
    answer, headers = await answer_of(call, match, done)
    accepted = signed_receipt(call.services, match, answer.receipt)
    return as_json(msgspec.structs.replace(answer, receipt=accepted), 200, headers)


def signed_receipt(services: Services, match: bytes, receipt: Receipt) -> Receipt:
    """The receipt of an accepted command, signed."""
    said = statements.of_receipt(
        match,
        receipt.from_version,
        receipt.version,
        receipt.position,
        bytes.fromhex(receipt.previous_hash),
        bytes.fromhex(receipt.hash),
    )
    return msgspec.structs.replace(receipt, signature=signature(services, said))


def signed_head(services: Services, match: bytes, last: Item) -> MatchHead:
    """Where a match stands for somebody who sees it up to this event, signed."""
    said = statements.of_head(match, last.version, last.position, bytes.fromhex(last.hash))
    return MatchHead(
        text_of(match), last.version, last.hash, last.position, signature(services, said)
    )


def signature(services: Services, said: bytes) -> Signature:
    """The service's signature of what it says."""
    signer = services.signer
    return Signature(signer.key_id, signer.sign(said).hex())


async def _refusal(call: Call, match: bytes, code: str) -> RefusalReceipt:
    """That this command was refused while the match stood where the caller now sees it."""
    looked = await access.seen(call, match)
    version = looked.view.version
    (last,) = await call.services.play.history(match, None, version - 1, 1)
    kind = "app" if call.caller.player is None else "seat"
    actor = kind if looked.seat is None else f"{kind}:{looked.seat}"
    command = _sorted.encode(call.plain)
    hash = bytes.fromhex(last.hash)
    said = statements.of_refusal(match, version, hash, call.now, actor, code, command)
    return RefusalReceipt(
        match_id=text_of(match),
        version=version,
        hash=last.hash,
        refused_at=rfc3339(call.now),
        actor=actor,
        code=code,
        command=command.decode(),
        signature=signature(call.services, said),
    )


def _is_a_refusal(problem: Problem) -> bool:
    """Whether the rules, or the state of the match, refused; not who cannot see it at all."""
    return not isinstance(find(problem.code), Code) or problem.code == Code.VERSION_MISMATCH


_sorted: Final = msgspec.json.Encoder(order="sorted")
