"""Why a command is refused: an obligation with a stable code, and the rule it comes from.

Codes are public: never renamed, never reused. The texts of the rules are in ``domain.rulebook``.
"""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """An obligation that a command did not meet; the value is the ``code`` of the problem."""

    rule: str | None
    detail: str

    def __new__(cls, code: str, rule: str | None, detail: str) -> Refusal:
        """Attach the rule's id and one sentence that says what to do."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.rule, member.detail = rule, detail
        return member

    # Setting up: options that go together.
    LOWEST_MUST_BE_FREE_FOR_ALL = (
        "lowest_must_be_free_for_all",
        "SCORE-2",
        "Scoring lowest goes with the form free_for_all only.",
    )
    TEAMS_MUST_HAVE_FOUR_SEATS = (
        "teams_must_have_four_seats",
        "TEAM-1",
        "Teams are two and two: set up four seats.",
    )
    PAIRINGS_MUST_HAVE_FOUR_SEATS = (
        "pairings_must_have_four_seats",
        "ROT-1",
        "Rotating partners are four: set up four seats.",
    )
    CUSTOMIZABLE_MUST_BE_IN_THE_DECK = (
        "customizable_must_be_in_the_deck",
        "CUST-1",
        "Only the edition modern-112 has customizable cards.",
    )
    FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE = (
        "force_play_must_not_leave_a_choice",
        "HOUSE-5",
        "With force_play a drawn card that fits must be played; leave drawn_card out.",
    )
    TABLE_MUST_HAVE_GRACE = (
        "table_must_have_grace",
        "TABLE-6",
        "Enforcement by the table needs uno_grace, or nobody could call out in time.",
    )
    TABLE_MUST_BE_PLAYED_PLAINLY = (
        "table_must_be_played_plainly",
        "TABLE-2",
        "Enforcement by the table goes without stacking, jump_in, seven_zero and force_play.",
    )
    PAIRINGS_MUST_ROTATE = (
        "pairings_must_rotate",
        "ROT-1",
        "Only rotating partners have rounds per pairing, and cycles.",
    )
    ROUNDS_MUST_STAND_FOR_A_TARGET = (
        "rounds_must_stand_for_a_target",
        "SCORE-5",
        "A number of rounds goes with the forms free_for_all, with winner_takes, and teams.",
    )
    POSITION_MUST_BE_LEGAL = (
        "position_must_be_legal",
        "DECK-3",
        "No match could go on from this position.",
    )
    # The table: who may come, start and go on.
    MATCH_MUST_BE_NEW = "match_must_be_new", None, "This match exists already."
    MATCH_MUST_NOT_BE_OVER = "match_must_not_be_over", None, "The match is over."
    MATCH_MUST_BE_OPEN = "match_must_be_open", "AWAY-6", "The match has started; seats are fixed."
    MATCH_MUST_BE_RUNNING = "match_must_be_running", None, "The match is not running."
    SEAT_MUST_BE_FREE = "seat_must_be_free", "SETUP-1", "All seats are taken."
    SEAT_MUST_BE_YOURS = "seat_must_be_yours", None, "You have no seat in this match."
    SEAT_MUST_BE_IN_PLAY = "seat_must_be_in_play", "AWAY-2", "You are out of this match."
    SEAT_MUST_BE_TAKEN_BACK = (
        "seat_must_be_taken_back",
        "AWAY-2",
        "A bot plays your seat since you left: return first.",
    )
    SEAT_MUST_BE_KEPT_BY_A_BOT = (
        "seat_must_be_kept_by_a_bot",
        "AWAY-2",
        "No bot keeps a seat for you to return to.",
    )
    SEATS_MUST_BE_TAKEN = "seats_must_be_taken", "SETUP-1", "Every seat must be taken first."
    HOST_MUST_ASK = "host_must_ask", None, "Only the match's host may do this."
    OPERATOR_MUST_ASK = "operator_must_ask", None, "Only the service or its operator may do this."
    # A turn.
    TURN_MUST_BE_YOURS = "turn_must_be_yours", "TURN-2", "It is not your turn."
    COLOR_MUST_BE_NAMED_FIRST = (
        "color_must_be_named_first",
        "FIRST-4",
        "Name the color of the opening wild first: choose_color.",
    )
    COLOR_MUST_BE_DUE = "color_must_be_due", "FIRST-4", "No color is to be named now."
    PENALTY_MUST_BE_ANSWERED = (
        "penalty_must_be_answered",
        "WD4-3",
        "Answer the penalty first: accept it, challenge or pass it on, as `legal` lists.",
    )
    PENALTY_MUST_BE_PENDING = "penalty_must_be_pending", "WD4-3", "There is no penalty to answer."
    CARD_MUST_BE_IN_HAND = "card_must_be_in_hand", "TURN-1", "You do not hold this card."
    CARD_MUST_BE_THE_DRAWN_ONE = (
        "card_must_be_the_drawn_one",
        "DRAW-2",
        "After drawing, only the drawn card may be played.",
    )
    CARD_MUST_MATCH = "card_must_match", "TURN-1", "The card matches neither color nor symbol."
    LAST_CARD_MUST_MATCH = (
        "last_card_must_match",
        "TABLE-3",
        "The last card of a hand has to fit, also where others may be called out.",
    )
    CARD_MUST_PASS_THE_PENALTY_ON = (
        "card_must_pass_the_penalty_on",
        "HOUSE-1",
        "A penalty is passed on with a Draw Two or a Wild Draw Four, as `stacking` says.",
    )
    WILD_MUST_NAME_A_COLOR = "wild_must_name_a_color", "WILD-1", "Name a color with the wild."
    COLOR_MUST_BE_THE_CARDS = (
        "color_must_be_the_cards",
        "WILD-1",
        "Only a wild names a color; leave the field out.",
    )
    WILD_DRAW_FOUR_MUST_BE_LEGAL = (
        "wild_draw_four_must_be_legal",
        "WD4-2",
        "You hold a card of the color in force.",
    )
    DRAW_MUST_BE_THE_FIRST = "draw_must_be_the_first", "DRAW-1", "You have drawn; play it or pass."
    DRAW_MUST_BE_NEEDED = (
        "draw_must_be_needed",
        "HOUSE-5",
        "A card of your hand fits: here it must be played.",
    )
    DRAW_MUST_BE_POSSIBLE = (
        "draw_must_be_possible",
        "PILE-4",
        "Nothing is left to draw: play a card that fits, or pass.",
    )
    PASS_MUST_FOLLOW_A_DRAW = "pass_must_follow_a_draw", "DRAW-3", "Draw a card before passing."
    FITTING_CARD_MUST_BE_PLAYED = (
        "fitting_card_must_be_played",
        "PILE-4",
        "Nothing is left to draw and a card fits: play it.",
    )
    DRAWN_CARD_MUST_BE_PLAYED = (
        "drawn_card_must_be_played",
        "DRAW-4",
        "The drawn card fits and must be played.",
    )
    SWAP_MUST_NAME_A_SEAT = (
        "swap_must_name_a_seat",
        "HOUSE-2",
        "This card swaps hands: name the player with `swap_with`.",
    )
    SWAP_MUST_BE_WITH_ANOTHER = (
        "swap_must_be_with_another",
        "HOUSE-2",
        "Hands are swapped with another player of the round.",
    )
    SWAP_MUST_BE_DUE = (
        "swap_must_be_due",
        "HOUSE-2",
        "This card swaps no hands; leave `swap_with` out.",
    )
    CHALLENGE_MUST_BE_OF_A_WILD_DRAW_FOUR = (
        "challenge_must_be_of_a_wild_draw_four",
        "HOUSE-1",
        "Only a Wild Draw Four on top of the stack can be challenged, and never with `strict`.",
    )
    # Penalties at the table.
    CALL_OUT_MUST_BE_IN_TIME = (
        "call_out_must_be_in_time",
        "TABLE-3",
        "This seat has laid no card that can be called out now.",
    )
    CALL_OUT_MUST_BE_BY_ANOTHER = (
        "call_out_must_be_by_another",
        "TABLE-2",
        "You cannot call out your own card.",
    )
    ADVISER_MUST_BE_IN_PLAY = (
        "adviser_must_be_in_play",
        "TABLE-4",
        "Advice is penalized in a player of the running round.",
    )
    ADVICE_RULINGS_MUST_BE_FEW = (
        "advice_rulings_must_be_few",
        "TABLE-4",
        "Advice has been penalized as often as it may be in one round.",
    )
    # UNO!
    UNO_MUST_BE_OWED = (
        "uno_must_be_owed",
        "UNO-8",
        "You owe no UNO now: say it with your second-to-last card; with others leave `uno` out.",
    )
    CATCH_MUST_BE_IN_TIME = "catch_must_be_in_time", "UNO-8", "This seat cannot be caught now."
    CATCH_MUST_BE_BY_ANOTHER = "catch_must_be_by_another", "UNO-9", "You cannot catch yourself."
    GRACE_MUST_HAVE_PASSED = (
        "grace_must_have_passed",
        "UNO-7",
        "Others may still call or catch; from not_before on the turn may begin.",
    )
    CLOCK_MUST_HAVE_RUN_OUT = (
        "clock_must_have_run_out",
        "AWAY-8",
        "The time of this turn has not passed, or the turn has.",
    )
    # The deal.
    SEED_MUST_BE_FOR_THE_COMING_ROUND = (
        "seed_must_be_for_the_coming_round",
        None,
        "Seeds can be added to the round that is committed and not yet started.",
    )
    SEATINGS_MUST_BE_FEW = (
        "seatings_must_be_few",
        "LIMIT-1",
        "You have sat down at this table as often as a player may.",
    )
    SEED_CHANGES_MUST_BE_FEW = (
        "seed_changes_must_be_few",
        "LIMIT-1",
        "You have added to this round as often as a seat may.",
    )
    SEED_MUST_BE_BASE64URL = (
        "seed_must_be_base64url",
        None,
        "No bytes have this base64url text: its length is one more than a multiple of four.",
    )
    SEED_MUST_BE_SHORT = "seed_must_be_short", None, "A seed is at most 32 bytes."
    # Tournaments.
    TOURNAMENT_MUST_BE_NEW = "tournament_must_be_new", None, "This tournament exists already."
    TOURNAMENT_MUST_NOT_BE_OVER = "tournament_must_not_be_over", None, "The tournament is over."
    TOURNAMENT_MUST_BE_OPEN = (
        "tournament_must_be_open",
        "TOUR-1",
        "The tournament has started; its entrants are fixed.",
    )
    TOURNAMENT_MUST_BE_RUNNING = (
        "tournament_must_be_running",
        None,
        "The tournament has not started.",
    )
    ENTRANTS_MUST_FIT_THE_FORMAT = (
        "entrants_must_fit_the_format",
        "T8-1",
        "This format has a fixed number of entrants; leave entrants_max out.",
    )
    TABLES_MUST_FIT_THE_FORMAT = (
        "tables_must_fit_the_format",
        None,
        "Tables of this size, or matches of this form, do not go with the format.",
    )
    ROUNDS_MUST_FIT_THE_FORMAT = (
        "rounds_must_fit_the_format",
        "SWISS-1",
        "Only a swiss is given a number of rounds.",
    )
    ORGANIZER_MUST_ASK = "organizer_must_ask", None, "Only the tournament's organizer may do this."
    ENTRANT_MUST_TAKE_PART = (
        "entrant_must_take_part",
        "TOUR-3",
        "There is no such entrant in this tournament, or not any more.",
    )
    ENTRANTS_MUST_HAVE_ROOM = "entrants_must_have_room", "TOUR-1", "The tournament is full."
    ENTRIES_MUST_BE_FEW = (
        "entries_must_be_few",
        "TOUR-1",
        "This tournament was entered and left as often as it may be.",
    )
    ENTRANTS_MUST_BE_COMPLETE = (
        "entrants_must_be_complete",
        "TOUR-1",
        "The format needs more entrants to start.",
    )
    SUBSTITUTE_MUST_BE_NAMED = (
        "substitute_must_be_named",
        "TOUR-3",
        "Name either a player or the level of a bot.",
    )
    SUBSTITUTE_MUST_BE_SOMEBODY_ELSE = (
        "substitute_must_be_somebody_else",
        "TOUR-3",
        "This player takes part already.",
    )
    SUBSTITUTES_MUST_BE_FEW = (
        "substitutes_must_be_few",
        "TOUR-3",
        "This entrant was replaced as often as one may be.",
    )
    ROUND_MUST_BE_OVER = "round_must_be_over", None, "Tables of the round are still being played."
    ROUND_MUST_BE_THE_NEXT = (
        "round_must_be_the_next",
        None,
        "Rounds are paired one after the other.",
    )
    ROUND_MUST_REMAIN = "round_must_remain", None, "All rounds are played: finish the tournament."
    ROUNDS_MUST_BE_PLAYED = "rounds_must_be_played", None, "There are rounds to be played."
    TABLE_MUST_BE_PAIRED = "table_must_be_paired", None, "There is no such table in this round."
    ARRIVAL_MUST_BE_IN_TIME = (
        "arrival_must_be_in_time",
        "TOUR-2",
        "The time to come to this table has passed.",
    )
    ARRIVALS_MUST_BE_WAITED_FOR = (
        "arrivals_must_be_waited_for",
        "TOUR-2",
        "The players of the table have more time.",
    )
    TABLE_MUST_BE_WAITING = (
        "table_must_be_waiting",
        None,
        "The table is being played under another match, or is over.",
    )
    TABLE_MUST_BE_COMPLETE = (
        "table_must_be_complete",
        "TOUR-2",
        "Players of the table are still waited for.",
    )
    MATCH_MUST_BE_ANOTHER = (
        "match_must_be_another",
        "TOUR-4",
        "This match was played at another table, or was declared void.",
    )
    MATCH_MUST_BE_THE_TABLES = (
        "match_must_be_the_tables",
        None,
        "The table is not played as this match.",
    )
    RESULT_MUST_FIT_THE_TABLE = (
        "result_must_fit_the_table",
        None,
        "A result has a score and a place for each seat.",
    )
    TABLE_MUST_HAVE_BEGUN = (
        "table_must_have_begun",
        "TOUR-4",
        "Nothing was played at this table that could be void.",
    )
    TABLE_MUST_BE_OF_THE_ROUND = (
        "table_must_be_of_the_round",
        "KO-1",
        "Those who went on from this table have played on.",
    )
    VOIDS_MUST_BE_FEW = "voids_must_be_few", "TOUR-4", "This table was void as often as one may be."


class RuleViolation(Exception):  # noqa: N818 - it is no error of the program
    """The command breaks a rule; nothing happened and nothing is recorded."""

    def __init__(self, refusal: Refusal, not_before: int | None = None) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.not_before = not_before
        """From when on it will not hold, in microseconds; None if time changes nothing."""


def require(holds: bool, refusal: Refusal) -> None:
    """Refuse the command unless ``holds``."""
    if not holds:
        raise RuleViolation(refusal)
