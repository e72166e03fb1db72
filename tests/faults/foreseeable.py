"""A service whose deals and bots can be foreseen, so that two runs can be held against each other.

    python -m tests.faults.foreseeable PORT

Only tests have such a thing: no setting of the service takes the chance out of it. What the
system would have given at random is the same here each time; a deal then follows from the id of
its match and its round alone, and a bot's choice from what it sees.
"""

from __future__ import annotations

import sys

import msgspec

from service import logs
from service.app import build
from service.listener import listen
from service.serve import serve
from service.settings import Settings, load


def entropy(size: int) -> bytes:
    """Always the same bytes."""
    return bytes(range(size))


def main(port: int) -> None:
    """Serve until told to stop; the settings come from the environment."""
    settings: Settings = msgspec.structs.replace(load(), host="127.0.0.1", port=port)
    logs.configure(settings.log_level)
    serve(build(settings, entropy=entropy), listen("127.0.0.1", port), lambda: None)


if __name__ == "__main__":
    main(int(sys.argv[1]))
