"""Which tests carry which case: read from the names and docstrings of all test functions."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
_CASE: Final = re.compile(r"\b[Cc]ase[ _](\d+)|_case_(\d+)")


@cache
def carried() -> Mapping[int, tuple[str, ...]]:
    """By number: ``tests/folder/test_file.py::test_name``, with ``!`` after those unreachable."""
    found: dict[int, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if not node.name.startswith("test_"):
                    continue
                said = f"{node.name} {ast.get_docstring(node) or ''}"
                name = f"{path.relative_to(TESTS.parent)}::{node.name}"
                if "unreachable" in said:
                    name += " !"
                for one, other in set(_CASE.findall(said)):
                    found[int(one or other)].append(name)
    return {number: tuple(names) for number, names in found.items()}
