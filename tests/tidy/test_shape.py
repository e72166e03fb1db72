"""The shape of the code: no long files, no long functions, a sentence on all that is public."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tidy.sources import ROOT, is_foreign, named, public_definitions, python, tracked, tree

FILE_LINES = 400
FUNCTION_LINES = 60
LINE_CHARACTERS = 100
PRODUCT = python("domain", "infra", "service", "clients", "examples")
CODE = [*PRODUCT, *python("migrations", "tests")]


def lines_of(node: ast.AST) -> int:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_there_is_code_to_look_at() -> None:
    assert len(PRODUCT) > 50 and len(CODE) > len(PRODUCT)


@pytest.mark.parametrize("path", CODE, ids=named)
def test_files_and_functions_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= FILE_LINES
    functions = [
        node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    long = {node.name: lines_of(node) for node in functions if lines_of(node) > FUNCTION_LINES}
    assert not long


@pytest.mark.parametrize("path", PRODUCT, ids=named)
def test_all_that_is_public_has_a_sentence(path: Path) -> None:
    module = tree(path)
    if module.body:
        assert ast.get_docstring(module), "a module says what it is"
    assert not [node.name for node in public_definitions(module) if not ast.get_docstring(node)]


def test_scripts_of_other_kinds_are_short_too() -> None:
    suffixes = {".sql", ".lua", ".js", ".css", ".html", ".sh", ".ts", ".mts"}
    others = [path for path in tracked() if path.suffix in suffixes and not is_foreign(path)]
    long = [named(path) for path in others if len(path.read_text().splitlines()) > FILE_LINES]
    assert not long


def test_every_limit_has_its_reason() -> None:
    module = tree(ROOT / "domain" / "limits.py")
    waiting: list[str] = []
    reasons = 0
    for node in module.body:
        if isinstance(node, ast.AnnAssign):
            waiting.append(ast.unparse(node.target))
        elif isinstance(node, ast.Expr) and waiting:
            waiting, reasons = [], reasons + 1
    assert not waiting and reasons > 10
