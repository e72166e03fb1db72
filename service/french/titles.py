"""The titles of the problems that are no refusals by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.problems import Code

TITLES: Final[Mapping[Code, str]] = {
    Code.MALFORMED_JSON: "Le corps n’est pas du JSON bien formé",
    Code.INVALID_HEADER: "Un en-tête de la requête est mal formé",
    Code.BAD_REQUEST: "La requête est mal formée",
    Code.TOKEN_REQUIRED: "Il faut ici un jeton",
    Code.TOKEN_INVALID: "Le jeton est inconnu, révoqué ou expiré",
    Code.TICKET_INVALID: "Le ticket a expiré, ou sert à autre chose",
    Code.NOT_ALLOWED: "Ce jeton n’y autorise pas",
    Code.REGISTRATION_CLOSED: "Seules les applications créent ici des joueurs",
    Code.SANDBOX_CLOSED: "Ce service ne met pas de positions sur la table",
    Code.NOT_FOUND: "Il n’y a rien ici, ou ce n’est pas à vous",
    Code.NO_SUCH_VERSION: "La partie n’a pas cette version",
    Code.METHOD_NOT_ALLOWED: "Cette ressource n’a pas cette méthode",
    Code.ALREADY_WAITING: "Vous attendez une autre partie rapide",
    Code.ALREADY_MATCHED: "Il y a déjà une partie",
    Code.MATCH_NOT_OVER: "La partie n’est pas finie",
    Code.NO_FORK_HERE: "On ne peut pas rejouer la partie à partir de cette version",
    Code.TOO_MANY_WEBHOOKS: "L’application a assez de webhooks",
    Code.WEBHOOK_DISABLED: "Le webhook est désactivé",
    Code.SEAT_IS_KEPT: "La place est gardée pour quelqu’un d’autre",
    Code.NOT_REVEALED: "La manche est encore secrète",
    Code.VERSION_MISMATCH: "La partie a avancé",
    Code.VERSION_NOT_REACHED: "La partie n’en est pas encore là",
    Code.UPGRADE_REQUIRED: "C’est un WebSocket",
    Code.BODY_TOO_LARGE: "Le corps est trop grand",
    Code.UNSUPPORTED_MEDIA_TYPE: "Le corps doit être du JSON",
    Code.INVALID_FIELD: "Un champ de la requête n’est pas valable",
    Code.KEY_REUSED: "La clé d’idempotence a déjà servi pour une autre requête",
    Code.TOO_MANY_MATCHES: "Vous participez à trop de parties inachevées",
    Code.TOO_MANY_REQUESTS: "Vous avez trop demandé en peu de temps",
    Code.TOO_MANY_STREAMS: "Vous suivez trop de flux à la fois",
    Code.MATCH_UNREADABLE: "Cette version du service ne peut pas lire la partie",
    Code.INTERNAL_ERROR: "Le service a échoué",
    Code.UNAVAILABLE: "Le service ne peut pas le faire maintenant",
}
