"""The records in files, one after the other, however many a file holds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

STANDARD_INPUT: Final = "-"
RECORD_BYTES_MAX: Final = 64 * 1024 * 1024
"""A match has 5,000 events at most, of far less than 1 KB each: what is larger is no record."""


class Unreadable(Exception):  # noqa: N818
    """A file could not be read; the message says which and why."""


class Found(Struct, frozen=True):
    """The bytes of a record, and where they are: the file, and the record's number in it."""

    file: str
    number: int
    content: bytes

    @property
    def name(self) -> str:
        """How the record is named in reports."""
        return self.file if self.number == 1 else f"{self.file}#{self.number}"


def files_in(names: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The files that are named, those of folders by name; and what is wrong with the others."""
    files: list[Path] = []
    wrong: list[str] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted(path.rglob("*.ndjson"))
            files += inside
            if not inside:
                wrong.append(f"{name}: there is no *.ndjson in this folder")
        elif name == STANDARD_INPUT or path.exists():
            files.append(path)
        else:
            wrong.append(f"{name}: there is no such file")
    return files, wrong


def records_in(files: Iterable[Path], unreadable: Callable[[str], None]) -> Iterator[Found]:
    """All records of these files, in order; a file that fails is told and passed over."""
    for file in files:
        try:
            if str(file) == STANDARD_INPUT:
                yield from _split(str(file), sys.stdin.buffer)
            else:
                with file.open("rb") as stream:
                    yield from _split(str(file), stream)
        except (OSError, Unreadable) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            unreadable(f"{file}: {reason}")


def _split(name: str, stream: BinaryIO) -> Iterator[Found]:
    """A record ends where another begins, or the file does."""
    lines: list[bytes] = []
    size = number = 0
    for line in stream:
        if lines and line.startswith(b'{"record":'):
            number += 1
            yield Found(name, number, b"".join(lines))
            lines, size = [], 0
        lines.append(line)
        size += len(line)
        if size > RECORD_BYTES_MAX:
            raise Unreadable(f"record {number + 1} is larger than {RECORD_BYTES_MAX} bytes")
    yield Found(name, number + 1, b"".join(lines))
