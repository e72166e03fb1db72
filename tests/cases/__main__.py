"""Lists the cases and the tests that carry them: ``python -m tests.cases``."""

from __future__ import annotations

from tests.cases.carried import carried
from tests.cases.titles import CASES

if __name__ == "__main__":
    for number, (title, levels) in CASES.items():
        print(f"{number:>3} {title} ({', '.join(levels)})")
        for name in carried().get(number, ()):
            print(f"      {name}")
