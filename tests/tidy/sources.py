"""The files of the repository as the tidy tests read them."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOREIGN = ROOT / "service" / "static" / "docs"
"""Pages of other projects that are handed out as they are."""
BINARY = frozenset((".png", ".ico", ".woff2", ".gz"))


@cache
def tracked() -> tuple[Path, ...]:
    """Every file under version control that exists."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(path for path in paths if path.is_file() and path.suffix not in BINARY)


def python(*folders: str) -> list[Path]:
    """The Python files of some folders."""
    return [
        path
        for path in tracked()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders
    ]


@cache
def tree(path: Path) -> ast.Module:
    """A file, parsed."""
    return ast.parse(path.read_text())


def is_foreign(path: Path) -> bool:
    """Whether a file was written elsewhere."""
    return path.is_relative_to(FOREIGN)


def named(path: Path) -> str:
    """A file's name within the repository."""
    return str(path.relative_to(ROOT))


def public_definitions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Public functions and classes of a module, and public methods of its public classes."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name.startswith("_"):
                continue
            yield node  # type: ignore[misc]
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    is_function = isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
                    if is_function and not inner.name.startswith("_"):
                        yield inner
