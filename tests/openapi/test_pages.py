"""The pages about the interface: what they show works."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from domain.commands import PLAYER_COMMANDS, PlayerCommand
from service import problem_page
from service.openapi import operations
from tests.docs.shell import PAGES, blocks, needs_curl, printed


@needs_curl
def test_a_whole_match_is_played_with_curl(tmp_path: Path) -> None:
    output = printed("first-match.md", tmp_path)

    assert '"legal":[{"type":' in output
    assert '"result":{"reason":"target","winners":[' in output
    assert output.rstrip().endswith("}") and '"type":"match_created"' in output


@needs_curl
def test_a_position_is_placed_with_curl(tmp_path: Path) -> None:
    output = printed("sandbox.md", tmp_path)

    assert '"type":"challenge_resolved","seat":1,"author":0,"guilty":true' in output


@needs_curl
def test_opponents_are_found_with_curl(tmp_path: Path) -> None:
    output = printed("opponents.md", tmp_path)

    invited, matched, again, hand, listed = output.split()
    assert '"seat":1' in invited
    assert '"status":"matched"' in matched
    assert '"seat":0' in again
    assert hand == '"hand":["R1","B2"]'
    assert listed.startswith('{"items":[')  # a list may come a moment later


def test_every_command_has_its_part_of_the_page_with_an_example() -> None:
    page = (PAGES / "commands.md").read_text()
    parts = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    tags = {str(kind.__struct_config__.tag) for kind in PLAYER_COMMANDS}

    assert tags <= parts.keys()
    for tag in tags:
        shown = re.findall(r"```json\n(.*?)```", parts[tag], re.DOTALL)
        assert shown, tag
        for example in shown:
            command = msgspec.json.decode(example, type=PlayerCommand)
            assert command.__struct_config__.tag == tag


def test_the_page_of_problems_is_the_generated_one() -> None:
    """If this fails: ``talon openapi``, and look."""
    assert problem_page.COMMITTED.read_text() == problem_page.text()


def test_the_problem_shown_has_the_fields_of_the_document() -> None:
    (shown,) = blocks("problems.md", "json")

    assert {"type", "title", "status", "code", "detail"} <= json.loads(shown).keys()


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md")))
def test_every_path_on_a_page_is_in_the_document(page: str) -> None:
    paths = {re.sub(r"{\w+}", "{id}", path) for path, _, _ in operations()}
    mentioned = re.compile(r"(?:GET|POST|PATCH|DELETE) (/v1/[^\s`?]*)")

    for path in mentioned.findall((PAGES / page).read_text()):
        assert path in paths
