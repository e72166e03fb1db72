"""The operations of the interface, one module for each kind of resource."""

from __future__ import annotations

from typing import Final

from service.operation import Operation
from service.routes import (
    audits,
    boards,
    commands,
    entrants,
    forks,
    health,
    history,
    keys,
    matches,
    player_matches,
    players,
    proofs,
    queue,
    records,
    reference,
    rematches,
    sandbox,
    seats,
    sockets,
    statistics,
    tables_of_two,
    tickets,
    tiles,
    tokens,
    tournament_history,
    tournament_tables,
    tournaments,
    views,
    voiding,
    webhooks,
)

OPERATIONS: Final[tuple[Operation, ...]] = (
    *players.OPERATIONS,
    *tokens.OPERATIONS,
    *keys.OPERATIONS,
    *player_matches.OPERATIONS,
    *statistics.OPERATIONS,
    *matches.OPERATIONS,
    *seats.OPERATIONS,
    *queue.OPERATIONS,
    *rematches.OPERATIONS,
    *forks.OPERATIONS,
    *views.OPERATIONS,
    *commands.OPERATIONS,
    *voiding.OPERATIONS,
    *history.OPERATIONS,
    *records.OPERATIONS,
    *audits.OPERATIONS,
    *tables_of_two.OPERATIONS,
    *proofs.OPERATIONS,
    *tiles.OPERATIONS,
    *tickets.OPERATIONS,
    *sockets.OPERATIONS,
    *tournaments.OPERATIONS,
    *entrants.OPERATIONS,
    *tournament_tables.OPERATIONS,
    *tournament_history.OPERATIONS,
    *webhooks.OPERATIONS,
    *boards.OPERATIONS,
    *reference.OPERATIONS,
    *sandbox.OPERATIONS,
    *health.OPERATIONS,
)
HOT: Final[tuple[Operation, ...]] = (
    commands.submit_command,
    views.get_match_view,
    views.list_legal_actions,
)
"""What clients ask for with every move: these take the shortcut."""
