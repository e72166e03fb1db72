"""A server as a child process: started apart from the terminal, stopped for certain."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from infra.embedded.identity import Identity, die_with_parent


def spawn(
    command: Sequence[str | Path],
    identity: Identity,
    farewell: signal.Signals,
    log: Path,
    stdin: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a server that gets ``farewell`` if this process dies, however it dies.

    Call it from the main thread: the kernel watches the thread, not the process. The child has a
    process group of its own, so that Ctrl-C reaches only us and we stop the children in order.
    """
    parent = os.getpid()

    def prepare() -> None:
        os.setpgid(0, 0)
        identity.enter()
        die_with_parent(farewell)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=output,
            stderr=output,
            preexec_fn=prepare,
            cwd="/",
        )


def stop(process: subprocess.Popen[bytes], farewell: signal.Signals, patience: float) -> None:
    """Send ``farewell`` each second (the first may be ignored), and SIGKILL after ``patience``."""
    waited = 0.0
    while process.poll() is None and waited < patience:
        process.send_signal(farewell)
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            waited += 1.0
    if process.poll() is None:
        process.kill()
        process.wait()


def free_port() -> int:
    """A TCP port of the loopback address on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def start_log(log: Path) -> None:
    """Begin a new log file and keep the one before."""
    if log.exists():
        log.replace(log.with_suffix(".log.old"))


def last_words(log: Path) -> str:
    """The end of a server's log, for an error message."""
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-8:])
    except OSError:
        return ""
