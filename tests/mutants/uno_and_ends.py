"""Mutants of chapters 6 to 8: UNO, the end of a round, the count."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

UNO_AND_ENDS: Final = (
    Mutant(
        "UNO-1",
        "facts/turns.py",
        "uno_said=said - {seat} if seat in said and len(round.hands[seat]) > 1 else said,",
        "uno_said=said,",
        "an announcement outlives a turn that ends with a pass",
    ),
    Mutant(
        "UNO-2",
        "moves/uno.py",
        "UNO_PENALTY: Final = 2",
        "UNO_PENALTY: Final = 1",
        "who is caught draws one",
    ),
    Mutant(
        "UNO-3",
        "facts/turns.py",
        "after = _without_duty(match, round) if round.uno_owed == e.seat else round",
        "after = round",
        "who says it after the play can still be caught",
    ),
    Mutant(
        "UNO-4",
        "facts/turns.py",
        "round, hands=hands, drawn=drawn, turn=e.turn, pending=e.pending, uno_said=said\n",
        "round,\n"
        "            hands=hands,\n"
        "            drawn=drawn,\n"
        "            turn=e.turn,\n"
        "            pending=e.pending,\n"
        "            uno_said=said,\n"
        "            uno_owed=None,\n",
        "the cards of a Draw Two close the window",
    ),
    Mutant(
        "UNO-5",
        "facts/turns.py",
        "    said = round.uno_said - {seat}\n    if e.reason is DrawReason.TURN:",
        "    said = round.uno_said\n    if e.reason is DrawReason.TURN:",
        "an announcement stands although the hand went up",
    ),
    Mutant(
        "UNO-6",
        "facts/hands.py",
        "hands=tuple(hands), uno_owed=None, uno_said=frozenset())",
        "hands=tuple(hands), uno_owed=None)",
        "announcements outlive a change of hands",
    ),
    Mutant(
        "UNO-7",
        "facts/turns.py",
        "return replace(round, uno_owed=None, not_before=None, since=since)",
        "return replace(round, uno_owed=None, since=since)",
        "a call or a catch does not end the grace",
    ),
    Mutant(
        "UNO-8",
        "moves/uno.py",
        "if round.turn != seat or not owes_with_play(round, seat):",
        "if not owes_with_play(round, seat):",
        "a call out of turn is taken",
    ),
    Mutant(
        "UNO-9",
        "moves/uno.py",
        "require(command.seat != seat, Refusal.CATCH_MUST_BE_BY_ANOTHER)",
        'opponents = match.options.form != "teams" or (command.seat - seat) % 2 == 1\n'
        "    require(command.seat != seat and opponents, Refusal.CATCH_MUST_BE_BY_ANOTHER)",
        "a partner may not catch",
    ),
    Mutant(
        "UNO-10",
        "moves/uno.py",
        "require(round.uno_owed == command.seat, Refusal.CATCH_MUST_BE_IN_TIME)",
        "is_down_to_one = len(round.hands[command.seat]) == 1\n"
        "    require(\n"
        "        round.uno_owed == command.seat or (round.laid_by == command.seat and"
        " is_down_to_one),\n"
        "        Refusal.CATCH_MUST_BE_IN_TIME,\n"
        "    )",
        "a catch that arrives after the call is judged as if it came before",
    ),
    Mutant(
        "END-1",
        "moves/play.py",
        "end_round(draft, played.seat, context)",
        "end_round(draft, played.turn, context)",
        "the round is the next player's",
    ),
    Mutant(
        "END-2",
        "moves/play.py",
        "    if effect.draws:\n",
        "    if effect.draws and not played.last:\n",
        "nobody draws for a last Draw Two",
    ),
    Mutant(
        "END-3",
        "moves/answer.py",
        "guilty = holds_color(penalty.hand, penalty.judged_color)",
        "guilty = all(card.color is penalty.judged_color for card in penalty.hand)",
        "who held nothing else is guilty",
    ),
    Mutant(
        "END-4",
        "effects.py",
        "return {face: one if one.makes_draw else PLAIN for face, one in effects.items()}",
        "return dict(effects)",
        "a last Skip, Reverse or swap has its effect",
    ),
    Mutant(
        "END-5",
        "moves/play.py",
        "    if played.last:\n",
        "    if played.last and not effect.draws:\n",
        "after a last Draw Two the count does not follow at once",
    ),
    Mutant(
        "SCORE-1",
        "scoring.py",
        "for seat in match.still_in) >= match.options.target",
        "for seat in match.still_in) > match.options.target",
        "exactly the target does not win",
    ),
    Mutant(
        "SCORE-2",
        "lowest.py",
        "totals = [match.scores[seat] for seat in match.still_in]",
        "totals = list(match.scores)",
        "a leaver's total ends the match, or ties",
    ),
    Mutant(
        "SCORE-3",
        "lowest.py",
        "return max(totals) >= match.options.target and totals.count(min(totals)) == 1",
        "return max(totals) >= match.options.target",
        "those who tie for lowest share the match",
    ),
    Mutant(
        "SCORE-4",
        "cards.py",
        "_LETTERS[code[0]], _SYMBOLS[code[1]], 20",
        "_LETTERS[code[0]], _SYMBOLS[code[1]], 10",
        "the example comes to 70",
    ),
    Mutant(
        "SCORE-5",
        "scoring.py",
        "if match.rounds_counted >= match.options.rounds else None",
        "if match.rounds_counted > match.options.rounds else None",
        "a round too many is played",
    ),
)
