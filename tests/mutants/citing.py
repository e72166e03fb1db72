"""Which tests cite a rule: by their docstring, or by the first sentence of their file."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_FOLDER: Final = ROOT / "tests" / "rules"
_ID: Final = re.compile(r"\b[A-Z][A-Z0-9]*-\d+\b")


def who_cites(rule: str) -> tuple[str, ...]:
    """The tests of ``tests/rules`` that cite a rule, as pytest names them."""
    return tuple(test for test, cited in _citations().items() if rule in cited)


@cache
def _citations() -> dict[str, frozenset[str]]:
    """The rules that each test cites."""
    found: dict[str, frozenset[str]] = {}
    for path in sorted(_FOLDER.glob("test_*.py")):
        module = ast.parse(path.read_text())
        by_all = _ids(module)
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                name = f"{path.relative_to(ROOT)}::{node.name}"
                found[name] = frozenset(by_all | _ids(node))
    return found


def _ids(node: ast.Module | ast.FunctionDef) -> set[str]:
    return set(_ID.findall(ast.get_docstring(node) or ""))
