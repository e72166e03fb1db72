"""Logging: one JSON object a line on standard error, from structlog and the standard library.

Nobody logs tokens, bodies or hidden cards; here nothing is filtered.
"""

from __future__ import annotations

import logging
import sys
from typing import Final

import structlog

_SHARED: Final = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
_TRACEBACKS: Final = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)
"""Without local variables: hands, seeds and tokens are among them."""
_CHATTY: Final = ("asyncio", "uvicorn", "alembic", "sqlalchemy", "websockets", "httpcore")
"""Loggers of others, which say at ``info`` what nobody needs to know."""


def configure(level: str) -> None:
    """Write what is at least as important as ``level``: debug, info, warning or error."""
    least = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            *_SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _TRACEBACKS,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.root.handlers = [handler]
    logging.root.setLevel(least)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(least, logging.WARNING))
