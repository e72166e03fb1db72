"""The service's own bots at the tables: they get a seat's view, like any client, and send commands.

A bot's command id follows from match, version and seat, so that two processes that move one bot
move it once. Not here: how a bot plays (``domain.bots``) and when (``service.play.errands``).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.bots import Dice, choose, remembers
from domain.bots.memory import NOTHING, Memory
from domain.cards import Color
from domain.commands import (
    AcceptPenalty,
    Actor,
    ActorKind,
    CallOut,
    CallUno,
    CatchUno,
    ChooseColor,
    Command,
    DrawCard,
    PassTurn,
    PlayCard,
    PlayerCommand,
)
from domain.deal import SEED_BYTES
from domain.match import Match, Round
from domain.ports import Unavailable
from domain.refusals import RuleViolation
from domain.sight import bot_view
from domain.views import TableView
from service.play.background import BACKOFF_SECONDS, Background
from service.play.command_ids import command_id
from service.play.contract import Ask, Busy, KeyReused, NoMatch, StaleVersion
from service.play.errands import Errand, Kind, errands
from service.play.handle import Handler
from service.play.recollections import Recollections
from service.play.tables import Tables
from service.settings import Settings

_log: Final = logging.getLogger("talon.play")
TRIES_MAX: Final = 8
"""Legal commands tried after a bot's own wish was refused; then its match is left to the sweep."""


class _Waiting(Struct):
    """A task that waits for a match's errands, and the round they were found in."""

    round: Round | None
    task: asyncio.Task[None]


class Bots:
    """Sees to the errands of bots at the matches that moved in this process."""

    def __init__(
        self,
        tables: Tables,
        handler: Handler,
        recollections: Recollections,
        settings: Settings,
        entropy: Callable[[int], bytes],
    ) -> None:
        self._tables = tables
        self._recollections = recollections
        self._handler = handler
        self._settings = settings
        self._entropy = entropy
        self._waiting: dict[bytes, _Waiting] = {}
        self._background = Background()
        self._is_stopped = False
        self.acted: Counter[Kind] = Counter()
        """What bots did here, by the occasion: for a metric."""

    def committed(self, match: Match) -> None:
        """Look for errands in a match that has moved.

        What leaves the round as it is, such as a seed for the next one, postpones nothing.
        """
        waiting = self._waiting.get(match.id)
        if waiting is not None:
            if waiting.round is match.round:
                return
            if waiting.task is not asyncio.current_task():  # a bot that moved is about to end
                waiting.task.cancel()
        self._begin(match, errands(match, self._settings))

    def resume(self, match: Match) -> bool:
        """See at once to a match whose own process did not; False if somebody here does already."""
        waiting = self._waiting.get(match.id)
        if waiting is not None and not waiting.task.done():
            return False
        now = [Errand(one.seat, one.kind, 0) for one in errands(match, self._settings)]
        self._begin(match, now)
        return True

    async def stop(self) -> None:
        """Cancel what waits and what is under way."""
        self._is_stopped = True
        await self._background.stop()

    def _begin(self, match: Match, found: Sequence[Errand]) -> None:
        """Wait for these errands, instead of what the match waited for before."""
        self._waiting.pop(match.id, None)
        if found and not self._is_stopped:
            task = self._background.start(self._see_to(match.id, found))
            self._waiting[match.id] = _Waiting(match.round, task)

    async def _see_to(self, match_id: bytes, found: Sequence[Errand]) -> None:
        """Take the errands in turn, each at its time, until one leads to a command."""
        waited = 0
        try:
            for one in found:
                if one.after_us > waited:
                    await asyncio.sleep((one.after_us - waited) / 1_000_000)
                    waited = one.after_us
                if await self._try(match_id, one):
                    return
        except (StaleVersion, NoMatch, KeyReused):
            pass  # The match has moved on; whoever moved it sees to what is due now.
        except Exception:
            _log.exception("a bot of match %s cannot act", match_id.hex())
        finally:
            waiting = self._waiting.get(match_id)
            if waiting is not None and waiting.task is asyncio.current_task():
                del self._waiting[match_id]

    async def _try(self, match_id: bytes, one: Errand) -> bool:
        """Whether the bot has acted; a store that is away is asked again a few times."""
        for pause in BACKOFF_SECONDS:
            try:
                return await self._act((await self._tables.folded(match_id)).match, one)
            except (Busy, Unavailable):
                await asyncio.sleep(pause)
        return False

    async def _act(self, match: Match, one: Errand) -> bool:
        """Send what the bot wants; what is refused is followed by the next best."""
        if not _is_among(one, errands(match, self._settings)):
            return False
        view = bot_view(match, one.seat)
        memory = await self._recollections.of(match) if remembers(view) else NOTHING
        for command in self._candidates(view, memory, one.kind):
            try:
                await self._handler.execute(match.id, _ask(match, one, command))
            except RuleViolation as refused:
                _log.warning("a bot's %s was refused: %s", type(command).__name__, refused)
            else:
                self.acted[one.kind] += 1
                return True
        return False

    def _candidates(self, view: TableView, memory: Memory, kind: Kind) -> Iterator[PlayerCommand]:
        """What the bot wants; on its turn then whatever is legal, the harmless first."""
        wanted = self._wish(view, memory)
        if wanted is not None and isinstance(wanted, MAY[kind]):
            yield wanted
        if kind is Kind.MOVE:
            legal = () if view.legal is UNSET else view.legal
            yield from sorted(map(_with_color, legal), key=_harm)[:TRIES_MAX]

    def _wish(self, view: TableView, memory: Memory) -> PlayerCommand | None:
        """What the policy chooses; nothing if it fails."""
        try:
            return choose(view, Dice(self._entropy(SEED_BYTES)), memory)
        except Exception:
            _log.exception("a bot's policy failed")
            return None


def _ask(match: Match, one: Errand, command: PlayerCommand) -> Ask:
    """A bot's command on the very version it was chosen for, once."""
    return Ask(
        actor=Actor(ActorKind.BOT, one.seat),
        command=command,
        command_id=command_id(match.id, ActorKind.BOT, None, f"{match.version}:{one.seat}"),
        if_match=match.version,
    )


def _is_among(one: Errand, found: Sequence[Errand]) -> bool:
    """Whether the bot still has the same occasion, whenever that is due."""
    return any(other.seat == one.seat and other.kind is one.kind for other in found)


def _with_color(command: PlayerCommand) -> PlayerCommand:
    """A legal command as it can be sent: a wild is listed without its color."""
    if isinstance(command, PlayCard) and command.card.is_wild:
        return replace(command, color=Color.RED)
    return command


def _harm(command: PlayerCommand) -> int:
    """How much a command commits a bot that does not think."""
    return _BY_HARM.index(type(command)) if type(command) in _BY_HARM else len(_BY_HARM)


MAY: Final[dict[Kind, tuple[type[Command], ...]]] = {
    Kind.SPEAK: (CallUno,),
    Kind.CATCH: (CatchUno, CallOut),
    Kind.MOVE: (Command,),
}
_BY_HARM: Final[tuple[type[Command], ...]] = (
    DrawCard,
    PassTurn,
    AcceptPenalty,
    ChooseColor,
    PlayCard,
)
