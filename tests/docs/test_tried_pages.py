"""Pages whose programs are run as they stand: each line has to succeed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.shell import PAGES, needs_curl, printed

TRIED = (
    *(
        "players",
        "statistics",
        "leaderboards",
        "matches",
        "hidden-information",
        "reference",
        "audit",
    ),
    "tournaments",
    "apps",
)


@needs_curl
@pytest.mark.parametrize("page", TRIED)
def test_every_line_of_the_page_does_what_it_shows(page: str, tmp_path: Path) -> None:
    assert printed(f"{page}.md", tmp_path, "-exc")


def test_every_page_is_found_from_the_front_page() -> None:
    root = PAGES.parents[1]
    docs = root / "docs"
    index = docs / "README.md"
    pages = [*docs.glob("*.md"), *docs.glob("api/*.md"), *docs.glob("operations/*.md")]
    lost = [page for page in pages if f"({page.relative_to(docs)})" not in index.read_text()]

    assert "(docs/README.md)" in (root / "README.md").read_text()
    assert lost == [index]


def test_every_link_of_the_front_pages_leads_to_a_file() -> None:
    root = PAGES.parents[1]
    for page in (root / "README.md", root / "docs" / "README.md"):
        links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
        assert links
        assert [link for link in links if not (page.parent / link).exists()] == []
