"""Whether the service lives, and whether it can serve."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from service.call import Call
from service.operation import Operation, Shape, operation
from service.reply import as_json
from service.services import Readiness


class Alive(Struct, frozen=True):
    """The process answers."""

    status: str


@operation("GET", "/health/live", tag="Health", answers=(Shape(200, Alive),))
async def check_live(call: Call) -> ASGIApp:
    """Tell that the process answers; it depends on nothing else."""
    return as_json(Alive("live"))


@operation(
    "GET",
    "/health/ready",
    tag="Health",
    answers=(
        Shape(200, Readiness, says="Ready, or degraded: without Redis all goes on, slower."),
        Shape(503, Readiness, says="The log is away or its schema is behind, or we are stopping."),
    ),
)
async def check_ready(call: Call) -> ASGIApp:
    """Tell whether matches can be played here now."""
    readiness = await call.services.ready()
    return as_json(readiness, 503 if readiness.status == "unavailable" else 200)


OPERATIONS: Final[tuple[Operation, ...]] = (check_live, check_ready)
