"""Chapter 5: two players."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

TWO_PLAYERS: Final = chapter(
    5,
    Text("Two players", "À deux"),
    (
        "TWO-1",
        "With two players, after a Draw Two, or a Wild Draw Four accepted or wrongly challenged,"
        " the other draws and passes, so its author plays again. Skip and Reverse: SKIP-2, REV-2.",
        "À deux, après un +2, ou un Joker +4 accepté ou contesté à tort, l’autre pioche et passe :"
        " l’auteur rejoue. Passer et Inversion : SKIP-2, REV-2.",
        "S0 S3 S4",
    ),
    (
        "TWO-2",
        "All else is as usual.",
        "Pour le reste, rien ne change.",
        "S3 S4",
    ),
)
