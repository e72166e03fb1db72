"""Links of the OpenAPI document: what a client may ask for with the ids that an answer gives it.

Generated clients and generated tests follow them. Not here: links in answers of the service.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

_ANSWERED: Final = "$response.body#/{}"


class _Given(Struct, frozen=True):
    """A value in an operation's answer, and the parameter of others that it stands for."""

    status: int
    value: str
    parameter: str
    operations: tuple[str, ...]


_OF_A_MATCH: Final = (
    *("getMatch", "getMatchView", "listLegalActions", "listMatchEvents", "getMatchHead"),
    *("getMatchRecord", "joinMatch", "seatBot", "startMatch", "submitCommand", "leaveMatch"),
    *("playAgain", "forkMatch", "voidMatch"),
)
_OF_A_PLAYER: Final = ("getPlayer", "listPlayerMatches", "getPlayerStatistics", "listPlayerRatings")
_OF_A_TOURNAMENT: Final = (
    *("getTournament", "getStandings", "getSchedule", "listTournamentEvents"),
    *("enterTournament", "withdrawFromTournament", "enterBot", "startTournament"),
    *("arriveAtTable", "cancelTournament", "getTournamentRecord"),
)
_OF_A_WEBHOOK: Final = (
    *("getWebhook", "changeWebhook", "rotateWebhookSecret", "testWebhook", "listDeliveries"),
    "deleteWebhook",
)
_LINKS: Final[dict[str, tuple[_Given, ...]]] = {
    "createPlayer": (_Given(201, "player_id", "player_id", _OF_A_PLAYER),),
    "getMe": (_Given(200, "player_id", "player_id", _OF_A_PLAYER),),
    "createToken": (_Given(201, "token_id", "token_id", ("revokeToken",)),),
    "createKey": (_Given(201, "token_id", "token_id", ("revokeKey",)),),
    "createWebhook": (_Given(201, "webhook/webhook_id", "webhook_id", _OF_A_WEBHOOK),),
    "listDeliveries": (
        _Given(200, "items/0/delivery_id", "delivery_id", ("retryDelivery",)),
        _Given(200, "next", "cursor", ("listDeliveries",)),
    ),
    "createMatch": (_Given(201, "match_id", "match_id", _OF_A_MATCH),),
    "placePosition": (_Given(201, "match_id", "match_id", _OF_A_MATCH),),
    "enterQueue": (_Given(201, "ticket", "ticket", ("getQueueTicket", "leaveQueue")),),
    "playAgain": (
        _Given(201, "match_id", "match_id", ("getMatchView", "joinMatch", "startMatch")),
        _Given(200, "match_id", "match_id", ("getMatchView", "joinMatch", "startMatch")),
    ),
    "createTournament": (
        _Given(201, "tournament/tournament_id", "tournament_id", _OF_A_TOURNAMENT),
    ),
    "listTournaments": (
        _Given(200, "items/0/tournament_id", "tournament_id", ("getTournament", "enterTournament")),
        _Given(200, "next", "cursor", ("listTournaments",)),
    ),
    "listTournamentEvents": (_Given(200, "next", "cursor", ("listTournamentEvents",)),),
    "forkMatch": (_Given(201, "match_id", "match_id", _OF_A_MATCH),),
    "listMatches": (
        _Given(200, "items/0/match_id", "match_id", ("getMatch", "getMatchView", "joinMatch")),
        _Given(200, "next", "cursor", ("listMatches",)),
    ),
    "listMatchEvents": (_Given(200, "next", "cursor", ("listMatchEvents",)),),
    "listPlayerMatches": (_Given(200, "next", "cursor", ("listPlayerMatches",)),),
    "listPlayerRatings": (_Given(200, "next", "cursor", ("listPlayerRatings",)),),
}


def links(operation: str, status: int) -> dict[str, Any]:
    """The links of an answer, by name."""
    return {
        f"{target}By{_camel(given.value)}": {
            "operationId": target,
            "parameters": {given.parameter: _ANSWERED.format(given.value)},
        }
        for given in _LINKS.get(operation, ())
        if given.status == status
        for target in given.operations
    }


def _camel(value: str) -> str:
    """``items/0/match_id`` as ``MatchId``."""
    words = value.rpartition("/")[2].split("_")
    return "".join(word.capitalize() for word in words)
