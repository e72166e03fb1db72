"""The log's proofs: its signed size and root, and that an event is in it, and that it only grew.

``docs/log-proofs.md`` is normative. The tiles, from which anybody computes the same: ``tiles``.
"""

from __future__ import annotations

from typing import Annotated, Final

from litestar.types import ASGIApp
from msgspec import Meta, Struct, field

from domain.audit.merkle import EMPTY_ROOT, leaf_hash
from domain.audit.notes import Checkpoint, signed
from domain.audit.proofs import Signed, consistency, inclusion
from service.call import Call, not_found
from service.operation import Operation, Shape, operation
from service.problems import invalid
from service.reply import Reply, as_json
from service.services import Services
from service.wire import Request

POSITION_DIGITS: Final = 18
"""So many digits of a position fit into what the database counts with."""
TEXT: Final = "text/plain; charset=utf-8"
FRESH: Final = ("Cache-Control", "no-cache")

_SIZES: Final = 10**POSITION_DIGITS
From = Annotated[
    int, Meta(ge=0, le=_SIZES, description="The size of the log that was known before.")
]
To = Annotated[
    int,
    Meta(
        ge=0, le=_SIZES, description="The size that it has grown to; the newest if it is left out."
    ),
]


class Sizes(Request, frozen=True):
    """Two sizes of the log; without ``to`` the newest that was signed."""

    from_: From = field(default=0, name="from")
    to: To | None = None


class InclusionProof(Struct, frozen=True):
    """That an event is in the log at its position. Hashes are hex.

    ``event_hash`` is that of the event, ``leaf_hash`` the tree's over it, ``hashes`` the proof
    that leads to the root in ``checkpoint``, whose size is ``size``; ``index`` is position - 1.
    """

    position: int
    index: int
    event_hash: str
    leaf_hash: str
    size: int
    hashes: tuple[str, ...]
    checkpoint: str


class ConsistencyProof(Struct, frozen=True):
    """That the log at size ``to`` begins with the log at size ``from``. Hashes are hex.

    ``checkpoint`` is the one of size ``to``, null if none was signed at that size.
    """

    from_: int = field(name="from")
    to: int
    hashes: tuple[str, ...]
    checkpoint: str | None


@operation(
    "GET",
    "/v1/log/checkpoint",
    tag="Audit",
    answers=(Shape(200, str, media=TEXT, says="The checkpoint, a signed note."),),
)
async def get_log_checkpoint(call: Call) -> ASGIApp:
    """Read how long the log is, and the root over all of it, signed.

    A C2SP signed note: the log's name, its size, the root of the Merkle tree over its positions.
    Every event is covered by one within five seconds. Keep some: they bind the service to all
    that was in the log by then.
    """
    return Reply((await newest(call.services)).note.encode(), 200, (FRESH,), TEXT)


@operation(
    "GET",
    "/v1/log/proofs/{position}",
    tag="Audit",
    answers=(Shape(200, InclusionProof),),
    problems=(404,),
)
async def get_inclusion_proof(call: Call) -> ASGIApp:
    """Prove that an event is in the log at its position.

    With the checkpoint that the proof leads to. 404 while the position is not covered by one:
    it will be within five seconds of the command's answer.
    """
    services, text = call.services, call.path["position"]
    if not (text.isascii() and text.isdigit()) or len(text) > POSITION_DIGITS:
        raise not_found()
    position, checkpoint = int(text), await newest(services)
    if not 0 < position <= checkpoint.size:
        raise not_found()
    (hash,) = await services.trees.hashes(position - 1, 1)
    proof = await inclusion(services.trees, position - 1, checkpoint.size)
    return as_json(
        InclusionProof(
            position,
            position - 1,
            hash.hex(),
            leaf_hash(hash).hex(),
            checkpoint.size,
            tuple(one.hex() for one in proof),
            checkpoint.note,
        ),
        headers=(FRESH,),
    )


@operation(
    "GET",
    "/v1/log/consistency",
    tag="Audit",
    answers=(Shape(200, ConsistencyProof),),
    problems=(404,),
)
async def get_consistency_proof(call: Call, query: Sizes) -> ASGIApp:
    """Prove that the log was only added to between two of its sizes.

    404 while no checkpoint is as large as `to`.
    """
    services, last = call.services, await newest(call.services)
    to = last.size if query.to is None else query.to
    if to > last.size:
        raise not_found()
    if query.from_ > to:
        raise invalid("?from", f"Must be {to} or less: a log does not shrink.")
    proof = await consistency(services.trees, query.from_, to)
    at = last if to == last.size else await services.trees.at(to)
    hashes = tuple(one.hex() for one in proof)
    return as_json(
        ConsistencyProof(query.from_, to, hashes, at.note if at else None), headers=(FRESH,)
    )


async def newest(services: Services) -> Signed:
    """The newest checkpoint; of an empty log, one that says so."""
    found = await services.trees.newest()
    if found is None:
        empty = Checkpoint(services.origin, 0, EMPTY_ROOT)
        found = Signed(0, 0, EMPTY_ROOT, str(signed(empty, services.signer)))
    return found


OPERATIONS: Final[tuple[Operation, ...]] = (
    get_log_checkpoint,
    get_inclusion_proof,
    get_consistency_proof,
)
