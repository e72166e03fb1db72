"""Whatever a problem says, it says in French as well; what nobody says any more is not kept.

Titles and refusals go to ``service/french/titles.py`` and ``refusals.py``, details to
``details.py``, what values have to be to ``values.py``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, inspect

from domain.refusals import Refusal
from service import french, problems, wording
from service.french.details import DETAILS
from service.french.refusals import REFUSALS
from service.french.templates import Catalog
from service.french.titles import TITLES
from service.french.values import words
from service.problems import Code, FieldError
from service.routes import OPERATIONS
from service.talk import SocketRequest
from service.watching import End
from tests.tidy import problem_texts
from tests.tidy.sources import ROOT, named, python

ENDS = {end.detail: f"service/watching.py: {end.name}" for end in End}
RAISED = problem_texts.details(
    path
    for path in (*python("service"), ROOT / "domain" / "placing.py")
    if not named(path).startswith(("service/cli/", "service/french/", "service/problems.py"))
)
HOLE = re.compile(r"\{\d*(?::words)?\}")
QUOTED = re.compile(r"`[^`]*`|\(GET[^)]*\)|(?<=texte|tères) : .*|(?<=`) : .*")
ENGLISH = re.compile(
    r"\b(?:an|of|the|each|or|and|is|are|must|characters|integer|text|object|missing|such)\b"
)


def test_every_detail_has_its_french() -> None:
    missing = {text: where for text, where in RAISED.items() if text not in DETAILS}
    assert not missing, "put them into service/french/details.py"


def test_no_french_is_kept_for_what_nobody_says() -> None:
    assert not DETAILS.keys() - RAISED.keys() - ENDS.keys()


def test_every_end_of_a_stream_has_its_french() -> None:
    assert not ENDS.keys() - DETAILS.keys()


def test_every_title_and_every_refusal_has_its_french() -> None:
    assert not set(Code) - TITLES.keys(), "put them into service/french/titles.py"
    assert not set(Refusal) - REFUSALS.keys(), "put them into service/french/refusals.py"


def test_the_french_loses_no_value() -> None:
    for english, translated in DETAILS.items():
        assert len(HOLE.findall(translated)) == english.count("{}"), english


def test_the_french_says_something_else_than_the_english_each_time() -> None:
    details = {refusal.detail: text for refusal, (_, text) in REFUSALS.items()} | dict(DETAILS)
    titles = {problems.title_of(code): french.title(code) for code in problems.ALL}
    for english, translated in (details | titles).items():
        assert english != translated
        assert english.endswith(".") == translated.endswith(".")
    assert len(set(details.values())) == len(details)
    assert len(set(titles.values())) == len(titles)


def test_a_text_without_french_stays_english() -> None:
    assert french.detail("Nobody has ever said this.") == "Nobody has ever said this."
    assert words("a thing that is new") == "a thing that is new"


def test_programs_see_the_same_in_both_languages() -> None:
    for refusal in Refusal:
        english = problems.refused(refusal, ("S0",), ("R7",), "2026-11-30T12:00:00Z").problem
        translated = french.in_french(english)
        assert translated.title != english.title and translated.detail != english.detail
        for field in english.__struct_fields__:
            if field not in ("title", "detail"):
                assert getattr(translated, field) == getattr(english, field)


def test_each_invalid_field_is_told_in_french() -> None:
    both = (FieldError("#/a", "This must be null."), FieldError("#/b", "Nobody sat there."))
    problem = problems.fail(Code.INVALID_FIELD, "This must be null.", errors=both).problem
    errors = french.in_french(problem).errors
    assert errors is not UNSET
    assert [one.pointer for one in errors] == ["#/a", "#/b"]
    assert [one.detail for one in errors] == ["Il faut ici null.", DETAILS["Nobody sat there."]]


PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="`;:.,"), min_size=1, max_size=20)


@settings(deadline=None, derandomize=True)
@given(st.sampled_from(sorted(DETAILS)), st.data())
def test_what_was_made_from_a_template_keeps_its_values(english: str, data: st.DataObject) -> None:
    """Values are marked at both ends, so that one cannot be taken for a part of another."""
    values = [f"<{data.draw(PLAIN)}>" for _ in range(english.count("{}"))]
    translated = french.detail(english.format(*values))
    assert translated == DETAILS[english].replace(":words", "").format(*values)


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_any_text_is_left_as_it_is_or_is_french(text: str) -> None:
    """A text that a template fits by chance is French too."""
    fits = any(re.fullmatch(_pattern(one), text, re.DOTALL) for one in DETAILS if "{}" in one)
    assert fits or french.detail(text) in (text, DETAILS.get(text))
    assert isinstance(words(text), str)


def _pattern(template: str) -> str:
    return ".*".join(map(re.escape, template.split("{}")))


def test_what_every_field_of_the_interface_has_to_be_is_told_in_french() -> None:
    """But for the descriptions that are quoted behind a colon, which may stay English."""
    said = {sentence for kind in _kinds() for sentence in _sentences(kind)}
    assert len(said) > 60, "the fields are not found any more"
    for english in said:
        for quoted in re.findall(r"`[^`]*`|\d+", english):
            assert quoted in french.detail(english)
    left = {text for text in map(french.detail, said) if ENGLISH.search(QUOTED.sub("", text))}
    assert not left, "put what they have to be into service/french/values.py"


def _kinds() -> Iterator[Any]:
    for one in OPERATIONS:
        yield from (kind for kind in (one.body, one.query) if kind is not None)
    yield SocketRequest


def _sentences(kind: Any) -> Iterator[str]:
    """Everything that can be said of a value of this kind and its fields."""
    for way, given_so, fields in _ways(inspect.type_info(kind), (), {}):
        yield wording.value_must_be(kind, way, given_so)
        for what in ("field", "parameter"):
            yield wording.fields_there_are(kind, way, given_so, what)
        for name in fields:
            yield wording.field_must_be_there(kind, way, given_so, name)


Way = tuple[Any, ...]


def _ways(found: inspect.Type, way: Way, given_so: Any) -> Iterator[tuple[Way, Any, list[str]]]:
    """The ways into a type; of a union of objects, the way into each."""
    while isinstance(found, inspect.Metadata):
        found = found.type
    if isinstance(found, inspect.UnionType):
        yield way, None, []
        for one in found.types:
            if isinstance(one, inspect.StructType):
                tag = {one.tag_field: one.tag} if one.tag_field else {}
                yield from _ways(one, way, tag) if not way else ()
        return
    fields = found.fields if isinstance(found, inspect.StructType) else ()
    yield way, given_so, [one.encode_name for one in fields]
    if len(way) < 2:
        for one in fields:
            yield from _ways(one.type, (*way, one.encode_name), given_so)


DETAIL_CODE = """
from typing import Final
_WHY: Final = " (why)"
_SAID: Final = {"a": "One.", "b": "Two."}
def one(size, key):
    detail = f"At most {size}."
    raise fail(Code.X, detail, version=1)
def two(size, key):
    raise invalid("#/a", f"Never{_WHY}.") if size else fail(Code.X, _SAID[key])
def three(flag):
    return FieldError("?b", "This." if flag else "That.")
"""


def test_details_are_read_off_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "raising.py"
    path.write_text(DETAIL_CODE)
    monkeypatch.setattr(problem_texts, "named", lambda path: path.name)

    found = problem_texts.details([path])

    assert found.keys() == {"At most {}.", "Never (why).", "One.", "Two.", "This.", "That."}
    path.with_name("other.py").write_text("def one(text):\n    raise fail(Code.X, text)\n")
    with pytest.raises(problem_texts.Unreadable, match=r"other\.py:2: text"):
        problem_texts.details([path.with_name("other.py")])


def test_no_detail_is_tried_in_an_order_that_depends_on_luck() -> None:
    """However the templates are ordered in their file, the one that says most is found."""
    shuffled = list(DETAILS.items())
    random.Random(1).shuffle(shuffled)
    catalog = Catalog(dict(shuffled), words)
    for english in DETAILS:
        made = english.replace("{}", "7")
        assert catalog.find(made) == french.detail(made)
