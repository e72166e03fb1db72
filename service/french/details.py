"""The details of problems, by the English in which they are raised.

``tests/tidy/test_french.py`` names each that is missing, and each that nobody raises any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_REQUEST: Final = {
    "The request is malformed.": "La requête est mal formée.",
    "This is no HTTP request, or none that is well-formed.": (
        "Ce n’est pas une requête HTTP, ou elle est mal formée."
    ),
    "The request ended before its body did.": "La requête s’est terminée avant son corps.",
    "The body is not well-formed JSON: {}.": "Le corps n’est pas du JSON bien formé : {:words}.",
    "A body is at most {} bytes.": "Un corps a au plus {} octets.",
    "Send the body as application/json.": "Envoyez le corps en application/json.",
    "Allowed: {}.": "Permis : {}.",
    "There is nothing here, or it is not yours.": "Il n’y a rien ici, ou ce n’est pas à vous.",
    'If-Match is an ETag of this match, such as "17.2", or "17".': (
        'If-Match est un ETag de cette partie, comme "17.2", ou "17".'
    ),
    "Idempotency-Key has 1 to {} printable characters.": (
        "Idempotency-Key a de 1 à {} caractères imprimables."
    ),
    "Without a token, Idempotency-Key must be a UUID.": (
        "Sans jeton, Idempotency-Key doit être un UUID."
    ),
    "Use a new Idempotency-Key for another request.": (
        "Prenez une nouvelle Idempotency-Key pour une autre requête."
    ),
    "Last-Event-ID is the version of the last event.": (
        "Last-Event-ID est la version du dernier événement."
    ),
    "Ask for the upgrade of a WebSocket (Upgrade: websocket).": (
        "Demandez à passer à un WebSocket (Upgrade: websocket)."
    ),
    "The service failed; the request id finds its log.": (
        "Le service a échoué ; l’identifiant de la requête mène à son journal."
    ),
    "The match has an event that this release does not know ({}): a newer one wrote it. Nothing is"
    " lost, and other matches go on.": (
        "La partie a un événement que cette version ne connaît pas ({}) : une plus récente l’a"
        " écrit. Rien n’est perdu, et les autres parties continuent."
    ),
    "What is stored of the match contradicts itself; the request id finds where.": (
        "Ce qui est conservé de la partie se contredit ; l’identifiant de la requête mène à"
        " l’endroit."
    ),
    "The log cannot be reached or is too busy; try again.": (
        "Le journal n’est pas joignable ou trop occupé ; réessayez."
    ),
    "Registering waits until the limits can be kept again; try again.": (
        "L’inscription attend que les limites puissent de nouveau être tenues ; réessayez."
    ),
}
_FIELDS: Final = {
    "This must be {}.": "Il faut ici {:words}.",
    "`{}` is missing; it must be {}.": "`{}` manque ; il y faut {:words}.",
    "There is no such {}; there {}.": "Il n’y a pas {:words} de ce nom ; {:words}.",
    "Give a parameter once.": "Donnez un paramètre une seule fois.",
    "The key `{}` stands more than once.": "La clé `{}` s’y trouve plus d’une fois.",
    "Use the `next` of the page before.": "Prenez le `next` de la page d’avant.",
    "Use a token or a ticket, not both.": "Prenez un jeton ou un ticket, pas les deux.",
    "Use the id of a player.": "Prenez l’identifiant d’un joueur.",
    "Nobody sat there.": "Personne n’était assis là.",
    "An app has a name, and nobody else.": "Une application a un nom, et personne d’autre.",
    "An app that is there has its name already.": "Une application qui existe a déjà son nom.",
    "There is no such app.": "Cette application n’existe pas.",
    "Use an id.": "Prenez un identifiant.",
    "There are more bots than entrants may be.": (
        "Il y a plus de robots que de participants possibles."
    ),
    "There are more bots than free seats.": "Il y a plus de robots que de places libres.",
    "There are more bots than seats for them.": "Il y a plus de robots que de places pour eux.",
    "Must be {} or less: a log does not shrink.": "Au plus {} : un journal ne diminue pas.",
    "The seats are 0 to {}.": "Les places vont de 0 à {}.",
    "Deliveries go over https (unless the service is started with"
    " TALON_WEBHOOKS_ANYWHERE=true, for tests).": (
        "Les livraisons passent par https (sauf si le service est lancé avec"
        " TALON_WEBHOOKS_ANYWHERE=true, pour des essais)."
    ),
    "Deliveries go to public addresses (unless the service is started with"
    " TALON_WEBHOOKS_ANYWHERE=true, for tests).": (
        "Les livraisons vont à des adresses publiques (sauf si le service est lancé avec"
        " TALON_WEBHOOKS_ANYWHERE=true, pour des essais)."
    ),
}
_WHO: Final = {
    "Use Authorization: Bearer <token>.": "Donnez Authorization: Bearer <jeton>.",
    "The token is unknown, revoked or has run out.": "Le jeton est inconnu, révoqué ou expiré.",
    "Get a new one from POST /v1/tickets: this one has run out, or is for something else.": (
        "Demandez-en un nouveau à POST /v1/tickets : celui-ci a expiré, ou sert à autre chose."
    ),
    "Only an app's token goes with Talon-Player.": (
        "Seul le jeton d’une application va avec Talon-Player."
    ),
    "Talon-Player must be a player's id.": "Talon-Player doit être l’identifiant d’un joueur.",
    "This player is not one of the app's.": "Ce joueur n’est pas de l’application.",
    "This player is erased.": "Ce joueur est effacé.",
    "Use an app's token.": "Prenez le jeton d’une application.",
    "A player does this: use a player's token, or an app's with Talon-Player.": (
        "Cela revient à un joueur : prenez son jeton, ou celui d’une application avec Talon-Player."
    ),
    "A rating is given by the app that set the tournament up.": (
        "Une cote est donnée par l’application qui a préparé le tournoi."
    ),
    "A player sets up a tournament, or an app.": (
        "Un tournoi est préparé par un joueur ou par une application."
    ),
    "The tournament's organizer does this: who set it up.": (
        "Cela revient à l’organisateur du tournoi : celui qui l’a préparé."
    ),
    "A player sets up a match, or an app.": (
        "Une partie est préparée par un joueur ou par une application."
    ),
    "The match's host does this, or the app that set it up.": (
        "Cela revient à l’hôte de la partie, ou à l’application qui l’a préparée."
    ),
    "An app's key does this, without Talon-Player.": (
        "Cela revient à la clé d’une application, sans Talon-Player."
    ),
    "An auditor does this, or an operator.": "Cela revient à un auditeur ou à un opérateur.",
    "An operator does this.": "Cela revient à un opérateur.",
    "Only an operator makes keys for others.": ("Seul un opérateur fait des clés pour d’autres."),
    "Only an auditor sees as a seat did.": "Seul un auditeur voit comme une place a vu.",
    "A player's tokens are at /v1/players/me/tokens.": (
        "Les jetons d’un joueur sont à /v1/players/me/tokens."
    ),
    "Pages of this origin may not call: see cors_origins.": (
        "Les pages de cette origine ne peuvent pas appeler : voir cors_origins."
    ),
    "The sandbox is closed here: who runs the service opens it with TALON_SANDBOX=true.": (
        "Le bac à sable est fermé ici : qui gère le service l’ouvre par TALON_SANDBOX=true."
    ),
}
_HOW_MUCH: Final = {
    "The limit `{}` is used up; there is room again in {} s.": (
        "La limite `{}` est épuisée ; il y aura de nouveau de la place dans {} s."
    ),
    "{} streams are open; end one before you begin another.": (
        "{} flux sont ouverts ; fermez-en un avant d’en ouvrir un autre."
    ),
    "You take part in {} matches that are not over; {} is the most.": (
        "Vous participez à {} parties inachevées ; {} est le maximum."
    ),
    "An app has at most {} webhooks.": "Une application a au plus {} webhooks.",
}
_MATCH: Final = {
    "The match is at version {}.": "La partie en est à la version {}.",
    "The match is at version {}; version {} is not there yet.": (
        "La partie en est à la version {} ; la version {} n’existe pas encore."
    ),
    "The match has versions 1 to {} so far.": "La partie a jusqu’ici les versions 1 à {}.",
    "The match has no version {}.": "La partie n’a pas de version {}.",
    "Round {} is not revealed yet.": "La manche {} n’est pas encore révélée.",
    "The free seats are kept for those who played before.": (
        "Les places libres sont gardées pour ceux qui ont joué avant."
    ),
    "The seats of this table are those of a tournament.": (
        "Les places de cette table sont celles d’un tournoi."
    ),
    "There is a rematch once the match is over.": ("Il y a une revanche une fois la partie finie."),
    "There are forks once the match is over.": (
        "On peut rejouer une partie à partir d’une version une fois qu’elle est finie."
    ),
    "A fork begins where a seat is to play or draw, everybody is in and nothing else is due.": (
        "On rejoue à partir d’un moment où une place doit jouer ou piocher, où tout le monde est en"
        " jeu et où rien d’autre n’est dû."
    ),
    "Ticket {} waits for something else.": "Le ticket {} attend autre chose.",
    "There is a match for this ticket: leave that.": (
        "Il y a une partie pour ce ticket : quittez celle-ci."
    ),
}
_POSITIONS: Final = {
    "The deck {} has {} {}.": "Le paquet {} contient {:words} {}.",
    "A hand has a card at least: without one it has gone out.": (
        "Une main a au moins une carte : sans carte, elle a fini la manche."
    ),
    "A wild is on top: say which color was named with it.": (
        "Un joker est au sommet : dites quelle couleur a été nommée avec lui."
    ),
    "The top card is {}; only a wild on top is given a color.": (
        "La carte du dessus est de couleur {:words} ; seul un joker au sommet reçoit une couleur."
    ),
    "There is no such seat: they are 0 to {}.": "Cette place n’existe pas : elles vont de 0 à {}.",
    "UNO is said with one card in hand, or with two on one's own turn (UNO-1).": (
        "On dit UNO avec une carte en main, ou avec deux à son tour (UNO-1)."
    ),
    "Partners have one total: {}.": "Les partenaires ont un seul total : {}.",
    "Who has {} is out of the match (ELIM-1).": "Qui a {} est éliminé de la partie (ELIM-1).",
    "With these totals the match would be over.": "Avec ces totaux, la partie serait finie.",
}
_WEBHOOKS: Final = {
    "The app has disabled it: PATCH it with enabled.": (
        "L’application l’a désactivé : un PATCH avec enabled le rétablit."
    ),
    "It was disabled after days without one success: PATCH it with enabled.": (
        "Il a été désactivé après des jours sans un succès : un PATCH avec enabled le rétablit."
    ),
    "Its receiver was too slow, and too much waits for it: PATCH it with enabled.": (
        "Son destinataire était trop lent, et trop de livraisons l’attendent : un PATCH avec"
        " enabled le rétablit."
    ),
    "Its receiver answered 410 and is left alone: PATCH it with enabled.": (
        "Son destinataire a répondu 410 et n’est plus appelé : un PATCH avec enabled le rétablit."
    ),
}
_ENDS: Final = {
    "The match is over, and this was all of it.": "La partie est finie, et c’était tout.",
    "The tournament is over, and this was all of it.": "Le tournoi est fini, et c’était tout.",
    "The service restarts: come back with the last version.": (
        "Le service redémarre : revenez avec la dernière version."
    ),
    "The token is revoked or has run out, or its person is erased.": (
        "Le jeton est révoqué ou expiré, ou sa personne est effacée."
    ),
    "The match is not yours to see any more.": "Vous ne pouvez plus voir cette partie.",
    "You read too slowly: come back with the last version you have.": (
        "Vous lisez trop lentement : revenez avec la dernière version que vous avez."
    ),
    "Something failed: come back with the last version you have.": (
        "Quelque chose a échoué : revenez avec la dernière version que vous avez."
    ),
}
"""Why streams and sockets end."""

DETAILS: Final[Mapping[str, str]] = {
    **_REQUEST,
    **_FIELDS,
    **_WHO,
    **_HOW_MUCH,
    **_MATCH,
    **_POSITIONS,
    **_WEBHOOKS,
    **_ENDS,
}
