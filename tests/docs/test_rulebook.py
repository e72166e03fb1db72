"""The rulebook is whole: what refusals and code cite stands in it, in both languages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from domain import rulebook
from domain.editions import DECKS, Edition
from domain.options import Options
from domain.refusals import Refusal

ROOT = Path(__file__).parents[2]
CITED = re.compile(
    r"\b(?:DECK|VAL|SETUP|FIRST|TURN|DRAW|PILE|LIMIT|SKIP|REV|D2|WILD|WD4|TWO|UNO|END|SCORE|TABLE"
    r"|AWAY|HOUSE|TEAM|ROT|T8|ELIM|SHUF|CUST|TOUR|KO|SWISS)-\d+\b"
)
SENTENCES = [
    *((one.id, one.text) for one in rulebook.rules()),
    *((one.id, one.choice) for one in rulebook.rulings()),
    *((one.name, one.text) for one in rulebook.options()),
    *rulebook.SOURCES.items(),
]


@pytest.mark.parametrize("refusal", [one for one in Refusal if one.rule])
def test_what_a_refusal_cites_is_in_the_rulebook(refusal: Refusal) -> None:
    assert refusal.rule is not None and rulebook.rule(refusal.rule) is not None


def test_what_the_code_cites_is_in_the_rulebook() -> None:
    files = [*ROOT.glob("domain/**/*.py"), *ROOT.glob("service/**/*.py")]
    cited = {id for file in files for id in CITED.findall(file.read_text())}
    assert len(cited) > 50
    assert cited <= {rule.id for rule in rulebook.rules()}


def test_ids_are_unique_and_fit_their_chapter() -> None:
    ids = [rule.id for chapter in rulebook.chapters() for rule in chapter.rules]
    assert len(ids) == len(set(ids)) == len(rulebook.rules())
    assert all(
        rule.chapter == chapter.number for chapter in rulebook.chapters() for rule in chapter.rules
    )


def test_an_unknown_rule_is_none() -> None:
    assert rulebook.rule("NO-1") is None


@pytest.mark.parametrize(("id", "text"), SENTENCES)
def test_every_text_is_a_few_sentences_in_both_languages(id: str, text: rulebook.Text) -> None:
    for words in (text.en, text.fr):
        assert words and "  " not in words and not re.search(r" [.,)]", words), id
        assert 1 <= len(re.findall(r"[.!?](?= |$)", words)) <= 3, id


def test_the_point_of_a_ruling_is_a_phrase_in_both_languages() -> None:
    for ruling in rulebook.rulings():
        for phrase in (ruling.point.en, ruling.point.fr):
            assert phrase[0].isupper() and phrase[-1] not in ".!?"


def test_sources_are_known() -> None:
    known = {*rulebook.SOURCES, "decision"}
    assert all(rule.sources and set(rule.sources) <= known for rule in rulebook.rules())
    for ruling in rulebook.rulings():
        cited = [source for reading in ruling.readings for source in reading.sources]
        assert set(cited) <= set(rulebook.SOURCES) and len(ruling.readings) >= 2


def test_rulings_cite_rules() -> None:
    ids = [ruling.id for ruling in rulebook.rulings()]
    assert len(ids) == len(set(ids)) >= 12
    for ruling in rulebook.rulings():
        assert ruling.rules and all(rulebook.rule(id) is not None for id in ruling.rules)


def test_cards_are_the_deck() -> None:
    entries = rulebook.cards()
    assert Counter({one.code: one.copies for one in entries}) == Counter(DECKS[Edition.MODERN_112])
    assert len({one.names.en for one in entries}) == len({one.names.fr for one in entries}) == 56
    names = {one.code: (one.names.en, one.names.fr) for one in entries}
    assert names["R5"] == ("Red 5", "5 rouge")
    assert names["GR"] == ("Green Reverse", "Inversion verte")
    assert {one.code for one in entries if len(one.editions) == 1} == {"WS", "WC"}
    assert names["W4"] == ("Wild Draw Four", "Joker +4")


def test_options_are_those_of_a_match() -> None:
    for option in rulebook.options():
        default = getattr(Options(), option.name)
        assert option.default == default
        inside = default in option.values or option.values == ()
        assert (default is None) == (option.parts != ())
        assert inside and all(rulebook.rule(id) for id in option.rules)
    target = next(one for one in rulebook.options() if one.name == "target")
    assert (target.minimum, target.maximum, target.default) == (50, 2_000, 500)


def test_every_value_listed_is_accepted_and_no_other() -> None:
    for option in rulebook.options():
        for value in option.values or (option.minimum, option.maximum):
            chosen = dict.fromkeys(option.parts, value) if option.parts else value
            msgspec.convert({option.name: chosen}, Options)
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({option.name: "no such value"}, Options)
