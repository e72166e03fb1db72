"""The English details of problems, read off the code that raises them: ``{}`` for each value."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from tests.tidy.sources import ROOT, named, tree

RAISING = {"fail": 1, "invalid": 1, "FieldError": 1, "Fault": 1}
"""What is called with a detail, and at which place."""
ELSEWHERE = {
    "service/problems.py": {"detail"},
    "service/bodies.py": {"found[0].detail"},
    "service/routes/forks.py": {"wrong[0].says"},
    "service/routes/sandbox.py": {"wrong[0].says", "fault.says"},
}
"""Details that are passed on, and were written where they are found as well."""


class Unreadable(Exception):  # noqa: N818 - it tells somebody what to do
    """A detail that cannot be read off the code."""


def details(paths: Iterable[Path]) -> dict[str, str]:
    """Every detail in these files, and where it stands."""
    found: dict[str, str] = {}
    for path in paths:
        for line, text in _Module(path).details():
            found.setdefault(text, f"{named(path)}:{line}")
    return found


class _Module:
    """One file."""

    def __init__(self, path: Path) -> None:
        self._name = named(path)
        self._tree = tree(path)

    def details(self) -> Iterator[tuple[int, str]]:
        """Lines and details."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = RAISING.get(node.func.id)
                if place is None:
                    continue
                named_so = [word.value for word in node.keywords if word.arg in ("detail", "says")]
                for text in self.texts((*node.args[place : place + 1], *named_so)[0]):
                    yield node.lineno, text

    def texts(self, node: ast.expr) -> set[str]:
        """What an expression may come to; nothing if that is written elsewhere."""
        if ast.unparse(node) in ELSEWHERE.get(self._name, ()):
            return set()
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=parts):
                return _joined(self._part(part) for part in parts)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _joined((self.texts(left), self.texts(right)))
            case ast.IfExp(body=body, orelse=other):
                return self.texts(body) | self.texts(other)
            case ast.Dict(values=values):
                return set().union(*map(self.texts, values))
            case ast.Subscript(value=ast.Name() as whole):
                return self.texts(whole)
            case ast.Name(id=name) if name in self._assigned:
                return set().union(*map(self.texts, self._assigned[name]))
            case ast.Call(func=ast.Attribute(value=inner, attr="replace")):
                return self.texts(inner)
            case ast.Call(func=ast.Name(id=name)):
                return self._returned(name, node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
                path = ROOT / "service" / f"{module}.py"
                if path.is_file():
                    return _Module(path)._returned(name, node)
        raise Unreadable(f"{self._name}:{node.lineno}: {ast.unparse(node)}")

    def _part(self, part: ast.expr) -> set[str]:
        """A part of an f-string: a constant of the module as it is, any other value as a hole."""
        if isinstance(part, ast.Constant):
            return {str(part.value)}
        assert isinstance(part, ast.FormattedValue)
        name = part.value.id if isinstance(part.value, ast.Name) else ""
        if name.isupper() and name in self._assigned:
            constant = self._assigned[name][0]
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                return {constant.value}
        return {"{}"}

    def _returned(self, name: str, call: ast.Call) -> set[str]:
        """What a function of this module returns."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                returns = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
                return set().union(*(self.texts(one.value) for one in returns if one.value))
        raise Unreadable(f"{self._name}:{call.lineno}: {ast.unparse(call)}")

    @cached_property
    def _assigned(self) -> dict[str, list[ast.expr]]:
        """What each name of the module is set to, wherever that is."""
        found: dict[str, list[ast.expr]] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                found.setdefault(node.target.id, []).append(node.value)
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append(node.value)
        return found


def _joined(parts: Iterable[set[str]]) -> set[str]:
    return {"".join(chosen) for chosen in itertools.product(*parts)}
