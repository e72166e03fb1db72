"""The Litestar application over the services: routes, errors, and what every answer gets.

Not here: which stores the services work with (``service.app``).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State

from service.cors import Cors
from service.errors import answer_error
from service.finish import Finish, Measure
from service.operation import routed
from service.pages import PAGES
from service.routes import HOT, OPERATIONS
from service.services import Services
from service.settings import Settings
from service.shortcut import Application, Shortcut
from service.sockets import Sockets

Opened = AbstractAsyncContextManager[Services]


def application(
    settings: Settings,
    opened: Callable[[asyncio.Event], Opened],
    measure: Measure | None = None,
) -> Litestar:
    """The application; ``opened`` makes the services at start and closes them at the end.

    ``app.state.services`` holds them while it runs. Whoever runs it sets ``app.state.stopping``
    when it is to stop, so that streams end and the server need not wait for them.
    """
    stopping = asyncio.Event()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with opened(stopping) as services:
            app.state.services = services
            yield

    cors = Cors(settings.cors_origins)
    finish = Finish(cors, measure)
    app = Application(
        route_handlers=[*map(routed, OPERATIONS), *PAGES],
        exception_handlers={Exception: answer_error},
        before_send=[finish],
        lifespan=[lifespan],
        state=State({"stopping": stopping}),
        openapi_config=None,
        logging_config=None,
        debug=False,
    )
    app.shortcut = Shortcut(HOT, finish)
    app.sockets = Sockets(cors, measure)
    return app
