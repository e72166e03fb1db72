"""All mutants, in the order of the rulebook, and the rules that have none."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Final

from tests.mutants.action_cards import ACTION_CARDS
from tests.mutants.citing import ROOT
from tests.mutants.forms_and_table import FORMS_AND_TABLE
from tests.mutants.mutant import Mutant
from tests.mutants.people_and_house import PEOPLE_AND_HOUSE
from tests.mutants.setting_up import SETTING_UP
from tests.mutants.tournaments import TOURNAMENTS
from tests.mutants.turns import TURNS
from tests.mutants.uno_and_ends import UNO_AND_ENDS

MUTANTS: Final = (
    *SETTING_UP,
    *TURNS,
    *ACTION_CARDS,
    *UNO_AND_ENDS,
    *FORMS_AND_TABLE,
    *PEOPLE_AND_HOUSE,
    *TOURNAMENTS,
)
BY_RULE: Final = {mutant.rule: mutant for mutant in MUTANTS}
WITHOUT: Final[Mapping[str, str]] = {}
"""Rules that prescribe no behavior of the domain, each with the reason why it has no mutant."""


def share(count: int) -> list[Mutant]:
    """So many of the mutants: the same as long as the domain is, others once it has changed."""
    text = b"".join(path.read_bytes() for path in sorted((ROOT / "domain").rglob("*.py")))
    return random.Random(hashlib.sha256(text).digest()).sample(MUTANTS, count)
