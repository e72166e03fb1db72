"""Who may do what: for every operation, the status that each kind of caller gets.

A line has a status for each of ROLES, in their order. An operation on a match has three lines: for
one that is open, one that runs and one that is finished;
a tournament is open. A new operation needs its line here.

``host`` is a player of the app that acts for them; ``seat`` another player, ``partner`` theirs;
``spectator`` a player who looks at a public match; ``none`` somebody without a token who does.
All others look at a private match: ``stranger`` a player, ``outsider`` without a token,
``invited`` without a token and with the invite, ``app`` the one it belongs to.
"""

from __future__ import annotations

from typing import Any, Final

ROLES: Final = (
    *("host", "seat", "partner", "spectator", "stranger", "invited"),
    *("app", "other_app", "auditor", "operator", "none", "outsider"),
)
STATES: Final = ("open", "running", "finished")

Line = str
#        host seat partner spectator stranger invited app other_app auditor operator none outsider
ANYBODY: Final[Line] = "200 200 200 200 200 200 200 200 200 200 200 200"
ANYBODY_MAKES: Final = "201 201 201 201 201 201 201 201 201 201 201 201"
PLAYERS: Final[Line] = "200 200 200 200 200 401 403 403 403 403 401 401"
PLAYERS_MAKE: Final[Line] = "201 201 201 201 201 401 403 403 403 403 401 401"
PLAYERS_END: Final[Line] = "204 204 204 204 204 401 403 403 403 403 401 401"
THEIR_OWN_TOKEN: Final = "404 204 204 204 204 401 403 403 403 403 401 401"
NO_PLAYERS: Final[Line] = "403 403 403 403 403 401 200 200 200 200 401 401"
NO_PLAYERS_MAKE: Final[Line] = "403 403 403 403 403 401 201 201 201 201 401 401"
NO_PLAYERS_END: Final[Line] = "403 403 403 403 403 401 204 204 204 204 401 401"
OPERATORS_MAKE: Final[Line] = "403 403 403 403 403 401 403 403 403 201 401 401"
NO_TICKET: Final[Line] = "404 404 404 404 404 401 403 403 403 403 401 401"
APPS: Final[Line] = "403 403 403 403 403 401 200 200 403 403 401 401"
APPS_MAKE: Final[Line] = "403 403 403 403 403 401 201 201 403 403 401 401"
AN_APPS_OWN: Final[Line] = "403 403 403 403 403 401 404 404 403 403 401 401"
PLAYERS_AND_APPS: Final = "201 201 201 201 201 401 201 201 403 403 401 401"

WHO_SEES_IT: Final[Line] = "200 200 200 200 404 200 200 404 200 200 200 404"
NOT_SO_FAR: Final[Line] = "412 412 412 412 404 412 412 404 412 412 412 404"
HAS_ALL: Final[Line] = "204 204 204 204 404 204 204 404 204 204 204 404"
UPGRADES: Final[Line] = "426 426 426 426 404 426 426 404 426 426 426 404"
NEVER: Final[Line] = "404 404 404 404 404 404 404 404 404 404 404 404"
NOTHING_THERE: Final = "404 404 404 404 404 401 404 404 404 404 401 401"
THE_SEATS: Final[Line] = "200 200 200 403 404 401 403 403 403 403 401 401"
TOO_LATE: Final[Line] = "409 409 409 403 404 401 403 403 403 403 401 401"
JOINING: Final[Line] = "200 200 200 200 404 401 403 403 403 403 401 401"
JOINING_LATE: Final[Line] = "200 200 200 409 404 401 403 403 403 403 401 401"
ENTRANTS_LEAVE: Final = "409 200 200 409 404 401 403 403 403 403 401 401"
ENTRANTS_LATER: Final = "409 409 409 409 404 401 403 403 403 403 401 401"
HOST_LATER: Final = "409 403 403 403 404 401 409 404 403 403 401 401"
HOST_OR_OPERATOR: Final = "200 403 403 403 404 401 200 404 403 200 401 401"
OPERATORS_LATER: Final = "403 403 403 403 403 401 403 403 403 409 401 401"
THE_HOST: Final[Line] = "200 403 403 403 404 401 200 404 403 403 401 401"
HOST_TOO_LATE: Final[Line] = "409 403 403 403 404 401 409 404 403 403 401 401"
NOT_NOW: Final[Line] = "409 409 409 403 404 401 409 404 403 403 401 401"
THE_HOST_AGAIN: Final[Line] = "200 403 403 403 404 401 409 404 403 403 401 401"
WHO_PLAYED: Final[Line] = "201 201 201 403 404 401 201 404 403 403 401 401"
ONLY_OPERATORS: Final = "403 403 403 403 403 401 403 403 403 200 401 401"
AUDITORS: Final = "403 403 403 403 403 401 403 403 200 200 401 401"
FORKING: Final[Line] = "409 409 409 409 404 401 403 403 403 403 401 401"

DECLARED: Final[dict[str, Line | tuple[Line, Line, Line]]] = {
    "createPlayer": ANYBODY_MAKES,
    "getMe": PLAYERS,
    "renameMe": PLAYERS,
    "eraseMe": PLAYERS_END,
    "exportMe": PLAYERS,
    "getPlayer": ANYBODY,
    "createToken": PLAYERS_MAKE,
    "listTokens": PLAYERS,
    "revokeToken": THEIR_OWN_TOKEN,
    "listPlayerMatches": ANYBODY,
    "getPlayerStatistics": ANYBODY,
    "listPlayerRatings": ANYBODY,
    "createKey": NO_PLAYERS_MAKE,
    "createKey app": OPERATORS_MAKE,
    "listKeys": NO_PLAYERS,
    "revokeKey": NO_PLAYERS_END,
    "createWebhook": APPS_MAKE,
    "listWebhooks": APPS,
    "getWebhook": AN_APPS_OWN,
    "changeWebhook": AN_APPS_OWN,
    "deleteWebhook": AN_APPS_OWN,
    "rotateWebhookSecret": AN_APPS_OWN,
    "testWebhook": AN_APPS_OWN,
    "listDeliveries": AN_APPS_OWN,
    "retryDelivery": AN_APPS_OWN,
    "createMatch": PLAYERS_AND_APPS,
    "listMatches": ANYBODY,
    "joinMatch": (JOINING, JOINING_LATE, JOINING_LATE),
    "leaveMatch": (THE_SEATS, TOO_LATE, TOO_LATE),
    "seatBot": (THE_HOST, NOT_NOW, NOT_NOW),
    "startMatch": (HOST_TOO_LATE, THE_HOST, THE_HOST_AGAIN),
    "enterQueue": PLAYERS_MAKE,
    "getQueueTicket": NO_TICKET,
    "leaveQueue": NO_TICKET,
    "playAgain": (NOT_NOW, NOT_NOW, WHO_PLAYED),
    "forkMatch": (FORKING, FORKING, FORKING),
    "voidMatch": (ONLY_OPERATORS, ONLY_OPERATORS, ONLY_OPERATORS),
    "createTournament": PLAYERS_AND_APPS,
    "listTournaments": ANYBODY,
    "getTournament": WHO_SEES_IT,
    "getStandings": WHO_SEES_IT,
    "getSchedule": WHO_SEES_IT,
    "listTournamentEvents": WHO_SEES_IT,
    "getTournamentRecord": WHO_SEES_IT,
    "streamTournamentEvents": NOT_SO_FAR,
    "enterTournament": JOINING,
    "withdrawFromTournament": ENTRANTS_LEAVE,
    "removeEntrant": THE_HOST,
    "enterBot": THE_HOST,
    "arriveAtTable": ENTRANTS_LATER,
    "replaceEntrant": HOST_LATER,
    "startTournament": THE_HOST,
    "cancelTournament": HOST_OR_OPERATOR,
    "voidTable": OPERATORS_LATER,
    "getMatch": (WHO_SEES_IT, WHO_SEES_IT, WHO_SEES_IT),
    "getMatchView": (WHO_SEES_IT, WHO_SEES_IT, WHO_SEES_IT),
    "getMatchHead": (WHO_SEES_IT, WHO_SEES_IT, WHO_SEES_IT),
    "listLegalActions": (THE_SEATS, THE_SEATS, THE_SEATS),
    "submitCommand": (THE_SEATS, THE_SEATS, TOO_LATE),
    "submitCommand advice": (HOST_TOO_LATE, THE_HOST, HOST_TOO_LATE),
    "getMatchRecord": (WHO_SEES_IT, WHO_SEES_IT, WHO_SEES_IT),
    "listMatchEvents": (WHO_SEES_IT, WHO_SEES_IT, WHO_SEES_IT),
    "openMatchSocket": (UPGRADES, UPGRADES, UPGRADES),
    "createTicket": NOTHING_THERE,
    "streamMatchEvents": (NOT_SO_FAR, NOT_SO_FAR, HAS_ALL),
    "placePosition": ANYBODY_MAKES,
    "listSigningKeys": ANYBODY,
    "searchMatches": AUDITORS,
    "exportRecords": AUDITORS,
    "exportEvents": AUDITORS,
    "countTables": AUDITORS,
    "getLogCheckpoint": ANYBODY,
    "getInclusionProof": NEVER,
    "getConsistencyProof": ANYBODY,
    "getLogTile": NEVER,
    "getLogTilePart": NEVER,
    "getFarLogTile": NEVER,
    "listLeaderboards": ANYBODY,
    "getLeaderboard": ANYBODY,
    "listRules": ANYBODY,
    "getRule": ANYBODY,
    "listRulings": ANYBODY,
    "listCards": ANYBODY,
    "listLimits": ANYBODY,
    "getProblem": ANYBODY,
    "checkLive": ANYBODY,
    "checkReady": ANYBODY,
}
"""By operation id; what follows it after a space tells apart several lines of one operation."""

SENT: Final[dict[str, Any]] = {
    "createKey app": {"kind": "app", "name": "My game"},
    "forkMatch": {"version": 1},
    "submitCommand": {"type": "leave"},
    "submitCommand advice": {"type": "penalize_advice", "seat": 1, "reason": "named_a_color"},
}
"""Bodies, where it is not the document's first example that is sent. Nothing can be forked at
version 1: whose fork it would be is refused with 409 in any state."""
ASKED: Final[dict[str, str]] = {
    "streamMatchEvents": "?after={version}",
    "streamTournamentEvents": "?after=999",
    "countTables": "?player={player}&other={player}",
}
"""Queries; of a match that goes on, a version that is not there yet: a stream would not end."""
PARAMETERS: Final[dict[str, str]] = {
    "token_id": "current",
    "ticket": "01890a5d-ac96-774b-bcce-b302099a8057",
    "webhook_id": "01890a5d-ac96-774b-bcce-b302099a8057",
    "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
    "board": "points",
    "entrant": "0",
    "round": "1",
    "table": "0",
    "rule_id": "TURN-1",
    "code": "not_found",
    "position": "999999999999",
    "level": "7",
    "thousand": "x001",
    "tile": "234",
    "part": "567",
}
"""What stands in paths, beside matches and players."""
