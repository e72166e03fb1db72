"""The interface described: the OpenAPI document, and a page to read and try it, without network."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from service import openapi
from service.call import not_found
from service.reply import Reply, as_json
from service.version import VERSION

_FOLDER: Final = Path(__file__).parent / "static" / "docs"
_MEDIA: Final = {
    "index.html": "text/html; charset=utf-8",
    "start.js": "text/javascript; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}
_INDEX: Final = {
    "name": "Talon",
    "version": VERSION,
    "api": "/v1",
    "openapi": "/openapi.json",
    "docs": "/docs",
    "health": "/health/ready",
}
_BY_ACCEPT: Final = ("Vary", "Accept")
_HEADERS: Final = (
    ("Cache-Control", "public, max-age=3600"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
)


async def _index(request: Request[Any, Any, Any]) -> ASGIApp:
    """Where to go from here: browsers are led to the page, programs told the addresses."""
    if "text/html" in request.headers.get("accept", ""):
        return Reply(b"", 302, (("Location", "/docs"), _BY_ACCEPT), "text/html; charset=utf-8")
    return as_json(_INDEX, 200, (_BY_ACCEPT,))


async def _document(request: Request[Any, Any, Any]) -> ASGIApp:
    return Reply(openapi.text())


async def _page(request: Request[Any, Any, Any]) -> ASGIApp:
    return _file("index.html")


async def _part(request: Request[Any, Any, Any]) -> ASGIApp:
    return _file(request.path_params["name"])


def _file(name: str) -> Reply:
    if name not in _MEDIA:
        raise not_found()
    return Reply(_bytes(name), 200, _HEADERS, _MEDIA[name])


@cache
def _bytes(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


PAGES: Final[tuple[HTTPRouteHandler, ...]] = tuple(
    HTTPRouteHandler(path, http_method=["GET", "HEAD"], name=path, status_code=200)(handler)
    for path, handler in (
        ("/", _index),
        ("/openapi.json", _document),
        ("/docs", _page),
        ("/docs/{name:str}", _part),
    )
)
