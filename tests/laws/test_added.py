"""What it takes to add a house rule or a scoring: a copy of the product gets one of each and plays.

The rule is one new file and one line of a table, and the line that imports the file. What a match
may choose is one more line in the options, and what ``/v1/rules`` says of it another.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
Lines = tuple[tuple[str, str, str], ...]
"""A file, a line that is there, and the line that is added before it."""

NINES = '''"""A house rule: who lays a nine makes everybody else draw one."""

from domain.cards import Face
from domain.effect import Effect

EFFECTS = {False: {}, True: {Face.NINE: Effect(others_draw=1, is_at_once=True)}}
'''
NINES_LINES: Lines = (
    ("effects.py", "from domain.options import", "from domain import nines"),
    ("effects.py", '    ByOption(("seven_zero",)', '    ByOption(("nines",), nines.EFFECTS.get),'),
    ("options.py", "    seven_zero: bool = False", "    nines: bool = False"),
    (
        "rulebook/house_settings.py",
        '    "seven_zero": (',
        '    "nines": (Text("Whether a 9 makes others draw.", "Si un 9 fait piocher."), ""),',
    ),
)
PLAYED_WITH_NINES = """
from domain.events import CardPlayed, CardsDrawn
from tests.laws.anything import anything
from tests.laws.every import under_every_law
from tests.laws.kinds import FEATURED

first = FEATURED.index(("nines", True))
made = 0
for number in range(first, first + 12 * len(FEATURED), len(FEATURED)):
    table = under_every_law(anything(number))
    assert table.match.options.nines
    for one, two in zip(table.steps, table.steps[1:]):
        if isinstance(one.event, CardPlayed) and one.event.card[1:] == "9":
            made += isinstance(two.event, CardsDrawn) and two.command is one.command
assert made > 20, made
"""
TENS = '''"""A scoring: whoever goes out scores ten, whatever the others hold."""


def ten_for_the_winner(round, winner):
    return tuple(10 if seat == winner else 0 for seat in range(len(round.hands)))
'''
TENS_LINES: Lines = (
    ("scoring.py", "from domain.lowest import", "from domain.tens import ten_for_the_winner"),
    (
        "scoring.py",
        "    (Form.FREE_FOR_ALL, Scoring.LOWEST): Counting(",
        "    (Form.FREE_FOR_ALL, Scoring.TENS): Counting("
        "ten_for_the_winner, target_is_reached, places_from_the_top),",
    ),
    ("options.py", '    LOWEST = "lowest"', '    TENS = "tens"'),
)
PLAYED_FOR_TENS = """
from domain.options import Options, Scoring
from tests.laws import laws
from tests.laws.table import played

for seed in (0, 1, 2, 4):  # nobody leaves
    for table in played(seed, Options(scoring=Scoring.TENS, target=50)):
        laws.the_seat_to_move_may_do_what_is_listed(table.match)
    laws.the_log_alone_tells_it_all(table)
    assert max(table.match.scores) == 50 and table.match.result.reason == "target"
"""


def add(copy: Path, name: str, text: str, lines: Lines) -> None:
    """One file, and lines before others that are there once."""
    (copy / "domain" / name).write_text(text)
    for file, place, line in lines:
        path = copy / "domain" / file
        before = path.read_text()
        assert before.count("\n" + place) == 1, f"{file}: {place}"
        path.write_text(before.replace("\n" + place, f"\n{line}\n{place}"))


def play(copy: Path, script: str) -> None:
    """Run a script on the copy."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        (sys.executable, "-c", script), cwd=copy, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def copied(folder: Path) -> Path:
    """The product and its tests in a folder of their own."""
    for name in ("domain", "service", "infra", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "static")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


def test_a_house_rule_is_a_file_and_a_line_and_its_option(tmp_path: Path) -> None:
    """Every law holds with it; the matches of any kind have drawn it by themselves."""
    copy = copied(tmp_path)
    add(copy, "nines.py", NINES, NINES_LINES)
    play(copy, PLAYED_WITH_NINES)


def test_a_scoring_is_a_file_and_a_line_and_its_option(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    add(copy, "tens.py", TENS, TENS_LINES)
    play(copy, PLAYED_FOR_TENS)
