"""A mutant: a snippet of the domain as it is, and as it would break a rule."""

from __future__ import annotations

import ast

from msgspec import Struct

from tests.mutants.citing import ROOT


class Mutant(Struct, frozen=True):
    """``breaks``: what the mutated snippet does to the rule."""

    rule: str
    file: str
    original: str
    mutated: str
    breaks: str

    @property
    def applies(self) -> bool:
        """Whether the original stands in its file, and once."""
        return self._source().count(self.original) == 1

    @property
    def is_python(self) -> bool:
        """Whether the mutated file can be read."""
        try:
            ast.parse(self.mutated_source())
        except SyntaxError:
            return False
        return True

    @property
    def is_equivalent(self) -> bool:
        """Whether the mutated file says the same as the original one."""
        return ast.dump(ast.parse(self.mutated_source())) == ast.dump(ast.parse(self._source()))

    def mutated_source(self) -> str:
        """The text of the file with the mutated snippet in it."""
        return self._source().replace(self.original, self.mutated)

    def _source(self) -> str:
        path = ROOT / "domain" / self.file
        return path.read_text() if path.is_file() else ""
