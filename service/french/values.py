"""What a value has to be, in French: the words of ``service.wording``, part by part.

A description that is quoted there may stay English.
"""

from __future__ import annotations

from typing import Final

from service.french.templates import Catalog

_OR: Final = " or "


def words(english: str) -> str:
    """A part of a detail in French; as it is if it has none."""
    return _known(english) or english


def _known(english: str) -> str | None:
    """The French of one kind of value, or of several of which each is known."""
    if english in _FIXED:
        return _FIXED[english]
    at = english.rfind(_OR)
    while at >= 0:
        left, right = _known(english[:at]), _known(english[at + len(_OR) :])
        if left is not None and right is not None:
            return f"{left} ou {right}"
        at = english.rfind(_OR, 0, at)
    return _PARTS.find(english)


_FIXED: Final = {
    "true or false": "true ou false",
    "null": "null",
    "an object": "un objet",
    "an integer": "un entier",
    "a text": "un texte",
    "something else": "autre chose",
    "a time with its offset, such as `2026-11-30T12:00:00Z`": (
        "un moment avec son décalage, comme `2026-11-30T12:00:00Z`"
    ),
    "a card's code, such as `R5` or `W4` (GET /v1/cards lists them)": (
        "le code d’une carte, comme `R5` ou `W4` (GET /v1/cards les énumère)"
    ),
    "base64url without padding: letters, digits, `-` and `_`": (
        "du base64url sans remplissage : lettres, chiffres, `-` et `_`"
    ),
    "a URL that begins with postgresql://": "une URL qui commence par postgresql://",
    "a URL that begins with redis://, rediss:// or unix://": (
        "une URL qui commence par redis://, rediss:// ou unix://"
    ),
    "1 to 64 letters, digits, `_`, `.` and `-`": "1 à 64 lettres, chiffres, `_`, `.` et `-`",
    # Descriptions that are quoted.
    "words with single spaces between them, without control characters": (
        "des mots séparés par une seule espace, sans caractère de contrôle"
    ),
    "up to 32 of a-z, 0-9, `.`, `_` and `-`; a letter or digit first": (
        "au plus 32 signes parmi a-z, 0-9, `.`, `_` et `-` ; d’abord une lettre ou un chiffre"
    ),
    "where deliveries are posted: https, and a public address": (
        "là où vont les livraisons : https, et une adresse publique"
    ),
    "chosen by the client: the idempotency key of the command": (
        "choisie par le client : la clé d’idempotence de la commande"
    ),
    "in place of a token, where no header can be sent: from `POST /v1/tickets`": (
        "à la place d’un jeton, là où aucun en-tête ne peut être envoyé : de `POST /v1/tickets`"
    ),
    "the `next` of the page before": "le `next` de la page d’avant",
    "the other": "l’autre",
    "one of the two": "l’un des deux",
    "only matches that ended in this calendar month (UTC)": (
        "seulement les parties qui ont fini dans ce mois du calendrier (UTC)"
    ),
    "only matches that this app has made": (
        "seulement les parties que cette application a préparées"
    ),
    "only this player's line, if there is one": "seulement la ligne de ce joueur, s’il y en a une",
    "a player who has a seat there": "un joueur qui y a une place",
    "a player who has a seat there too": "un joueur qui y a aussi une place",
    "options and their values, all of which the match was set up with": (
        "des options et leurs valeurs, toutes celles avec lesquelles la partie a été préparée"
    ),
    "for auditors: as a seat saw it, in a round whose seed is revealed": (
        "pour les auditeurs : comme une place l’a vue, dans une manche dont la graine est révélée"
    ),
    # Which field there is not, and which there are.
    "field": "de champ",
    "parameter": "de paramètre",
    "are none": "il n’y en a aucun",
    # Cards and colors of a position.
    "no": "zéro",
    "only": "seulement",
    "red": "rouge",
    "yellow": "jaune",
    "green": "verte",
    "blue": "bleue",
    # Why a body is no JSON, partly in the words of Python's reader.
    "Expecting value": "une valeur est attendue",
    "Expecting property name enclosed in double quotes": (
        "un nom entre guillemets doubles est attendu"
    ),
    "Expecting ':' delimiter": "un `:` est attendu",
    "Expecting ',' delimiter": "une `,` est attendue",
    "Extra data": "il y a quelque chose après la fin",
    "Unterminated string starting at": "un texte qui commence ici n’a pas de fin",
    "Invalid control character at": "un caractère de contrôle n’est pas permis",
    "Invalid \\escape: ": "un `\\` n’est suivi de rien de permis",
    "Invalid \\uXXXX escape": "un `\\u` n’est pas suivi de quatre chiffres hexadécimaux",
    "Illegal trailing comma before end of object": "une `,` précède la fin d’un objet",
    "Illegal trailing comma before end of array": "une `,` précède la fin d’un tableau",
    "it is not in UTF-8": "il n’est pas en UTF-8",
    "it is nested too deeply": "il est trop imbriqué",
    "a text in it has half a character": "un texte y contient la moitié d’un caractère",
}
_PARTS: Final = Catalog(
    {
        "`{}`": "`{}`",
        "one of `{}`": "l’un de `{}`",
        "an object whose `type` is {}": "un objet dont le `type` est {:words}",
        "an integer from {} to {}": "un entier de {} à {}",
        "an integer of at least {}": "un entier d’au moins {}",
        "a text of {} to {} characters": "un texte de {} à {} caractères",
        "a text of {} to {} characters: {}": "un texte de {} à {} caractères : {:words}",
        "a text: {}": "un texte : {:words}",
        "a text such as `{}`: {}": "un texte tel que `{}` : {:words}",
        "{}, at most {} of them": "{:words}, au plus {} en tout",
        "an array, each {}": "un tableau, dont chaque élément est {:words}",
        "an array of at most {}, each {}": (
            "un tableau d’au plus {} éléments, dont chacun est {:words}"
        ),
        "an array of {} to {}, each {}": "un tableau de {} à {} éléments, dont chacun est {:words}",
        "is `{}`": "il y a `{}`",
        "are `{}`": "il y a `{}`",
        # What the reader of JSON says, with the place where it stopped.
        "{}: line {} column {} (char {})": "{:words} : ligne {}, colonne {} (caractère {})",
        "{} is no JSON value": "{} n’est pas une valeur JSON",
    },
    words,
)
