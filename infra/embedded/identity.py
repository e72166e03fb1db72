"""Whom the embedded servers run as. Never root: Postgres refuses it.

Started by root, a server gets a user namespace of its own in which root is called nobody: no
system user is made, no permission changed. Where that is forbidden it runs as another user.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from infra.embedded.errors import EmbeddedError

_CLONE_NEWUSER: Final = 0x10000000
_NOBODY: Final = 65534
_LIBC: Final = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
"""Loaded before any fork: a forked child must not load libraries."""


class Identity(Struct, frozen=True):
    """A user to run as. ``owner`` and ``group`` own its files; ``drop`` says how to become it."""

    name: str
    owner: int
    group: int
    drop: str = "stay"

    def enter(self) -> None:
        """Become this user. Runs in a forked child before it executes the server."""
        if self.drop == "namespace":
            _enter_namespace()
        elif self.drop == "setuid":
            os.setgroups([])
            os.setgid(self.group)
            os.setuid(self.owner)

    def own(self, path: Path) -> None:
        """Give a file or folder to this user."""
        if self.drop == "setuid":
            os.chown(path, self.owner, self.group)


def choose(folder: Path, program: Path) -> Identity:
    """The first user who can run ``program`` and write into ``folder``; raises EmbeddedError.

    A folder that holds a database already stays with its owner.
    """
    if os.getuid() != 0:
        return Identity("this user", os.getuid(), os.getgid())
    settled = any(folder.iterdir())
    for identity in _candidates(folder):
        if settled and identity.owner != folder.stat().st_uid:
            continue
        identity.own(folder)
        if _works(identity, folder, program):
            return identity
        if not settled:
            os.chown(folder, 0, 0)
    raise EmbeddedError(
        f"Postgres does not run as root, and no other user can run {program} with data in {folder}."
        " Start Talon as an ordinary user, or set TALON_DATABASE_URL and TALON_REDIS_URL"
    )


def _candidates(folder: Path) -> Iterator[Identity]:
    if _LIBC is not None:
        yield Identity("root in a user namespace", 0, 0, "namespace")
    for neighbor in (folder, folder.parent, folder.parent.parent):
        status = neighbor.stat()
        if status.st_uid != 0:
            yield Identity(f"user {status.st_uid}", status.st_uid, status.st_gid, "setuid")
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        return
    yield Identity("nobody", nobody.pw_uid, nobody.pw_gid, "setuid")


def _works(identity: Identity, folder: Path, program: Path) -> bool:
    test = 'test -w "$1" && exec "$2" --version'
    command = ["/bin/sh", "-c", test, "sh", str(folder), str(program)]
    try:
        done = subprocess.run(command, preexec_fn=identity.enter, capture_output=True, cwd="/")
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _enter_namespace() -> None:
    uid, gid = os.getuid(), os.getgid()
    if _LIBC is None or _LIBC.unshare(_CLONE_NEWUSER) != 0:
        raise OSError("user namespaces are forbidden here")
    maps = {"setgroups": "deny", "uid_map": f"{_NOBODY} {uid} 1", "gid_map": f"{_NOBODY} {gid} 1"}
    for name, line in maps.items():
        Path("/proc/self", name).write_text(line)


def die_with_parent(signal: int) -> None:
    """Ask the kernel to send this process ``signal`` when the thread that forked it ends.

    Comes after the change of user, which would undo it. Linux only; elsewhere it does nothing.
    """
    if _LIBC is not None:
        _LIBC.prctl(1, signal)
