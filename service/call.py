"""One request as a handler sees it: who asks, for what, with which headers."""

from __future__ import annotations

from typing import Any, Final, cast

from litestar import Request
from litestar.types import HTTPScope

from service.address import address_of
from service.identity import Caller
from service.ids import id_in
from service.problems import Code, ProblemError, fail
from service.services import Services

_HEADERS: Final = "talon_headers"
"""Where they are kept for whoever looks next."""


class Call:
    """A request, its caller known. ``now`` is when it came, microseconds since the epoch.

    ``plain`` is its JSON body as plain values, None without a body. A guest has shown the match's
    invite before.
    """

    __slots__ = (
        "caller",
        "headers",
        "is_guest",
        "now",
        "path",
        "plain",
        "route",
        "scope",
        "services",
    )

    def __init__(
        self,
        scope: HTTPScope,
        headers: dict[bytes, bytes],
        services: Services,
        caller: Caller,
        now: int,
        route: str,
    ) -> None:
        self.scope = scope
        self.path: dict[str, str] = scope["path_params"]
        self.headers = headers
        self.services = services
        self.caller = caller
        self.now = now
        self.route = route
        self.plain: Any = None
        self.is_guest = False

    def header(self, name: bytes) -> str | None:
        """A request header by its name in lower case."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def id(self, name: str) -> bytes:
        """An id in the path; raises ProblemError (404) for what cannot be one."""
        found = id_in(self.path[name])
        if found is None:
            raise not_found()
        return found

    async def again(self, now: int) -> Caller:
        """Who asks, found out anew at a later time; raises ProblemError if it is nobody by then."""
        return await self.services.identity.caller(
            self.header(b"authorization"), self.header(b"talon-player"), now
        )

    @property
    def address(self) -> str:
        """Where the request comes from, as far as that can be trusted."""
        return address_of(self.scope, self.services.settings.trusted_proxies)

    @property
    def who(self) -> str:
        """What limits go by: the person who acts, else the token's owner, else the address."""
        known = self.caller.player or self.caller.id
        return known.hex() if known else self.address

    @property
    def player(self) -> bytes:
        """The person who acts, where the operation needs one."""
        assert self.caller.player is not None
        return self.caller.player


def header_values(scope: HTTPScope) -> dict[bytes, bytes]:
    """The headers of a request by name in lower case; of a repeated one, the last."""
    state = scope["state"]
    found: dict[bytes, bytes] | None = state.get(_HEADERS)
    if found is None:
        found = state[_HEADERS] = dict(scope["headers"])
    return found


def services_of(request: Request) -> Services:  # type: ignore[type-arg]
    """What the composition root put into the application's state."""
    return cast(Services, request.app.state.services)


def not_found() -> ProblemError:
    """The 404 for what is absent, and for what is not the caller's: they look alike."""
    return fail(Code.NOT_FOUND, "There is nothing here, or it is not yours.")
