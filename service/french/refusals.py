"""The refusals by the rules: the title and the detail of each, in the words of the rule book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.refusals import Refusal
from service.french.tournament_refusals import TOURNAMENT_REFUSALS

_SETTING_UP: Final = {
    Refusal.LOWEST_MUST_BE_FREE_FOR_ALL: (
        "Le plus petit total se joue chacun pour soi",
        "Le décompte lowest ne va qu’avec la forme free_for_all.",
    ),
    Refusal.TEAMS_MUST_HAVE_FOUR_SEATS: (
        "Les équipes ont quatre places",
        "Les équipes jouent deux contre deux : prévoyez quatre places.",
    ),
    Refusal.PAIRINGS_MUST_HAVE_FOUR_SEATS: (
        "Les partenaires tournants ont quatre places",
        "Les partenaires tournants sont quatre : prévoyez quatre places.",
    ),
    Refusal.CUSTOMIZABLE_MUST_BE_IN_THE_DECK: (
        "Le paquet doit contenir les jokers à personnaliser",
        "Seule l’édition modern-112 contient des Jokers à personnaliser.",
    ),
    Refusal.FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE: (
        "L’obligation de jouer ne laisse pas le choix",
        "Avec force_play, une carte piochée qui convient doit être jouée ; omettez drawn_card.",
    ),
    Refusal.TABLE_MUST_HAVE_GRACE: (
        "La table a besoin d’un délai",
        "L’ordre par la table demande uno_grace, sinon personne ne pourrait dénoncer à temps.",
    ),
    Refusal.TABLE_MUST_BE_PLAYED_PLAINLY: (
        "La table se joue sans autres règles maison",
        "L’ordre par la table se joue sans stacking, jump_in, seven_zero ni force_play.",
    ),
    Refusal.PAIRINGS_MUST_ROTATE: (
        "Les paires d’équipes doivent tourner",
        "Seuls les partenaires tournants ont des manches par paire d’équipes, et des cycles.",
    ),
    Refusal.ROUNDS_MUST_STAND_FOR_A_TARGET: (
        "Les manches doivent remplacer un objectif",
        "Un nombre de manches va avec les formes free_for_all, avec winner_takes, et teams.",
    ),
    Refusal.POSITION_MUST_BE_LEGAL: (
        "La position doit être licite",
        "Aucune partie ne pourrait continuer à partir de cette position.",
    ),
}
_TABLE: Final = {
    Refusal.MATCH_MUST_BE_NEW: ("La partie doit être nouvelle", "Cette partie existe déjà."),
    Refusal.MATCH_MUST_NOT_BE_OVER: ("La partie ne doit pas être finie", "La partie est finie."),
    Refusal.MATCH_MUST_BE_OPEN: (
        "La partie doit être ouverte",
        "La partie a commencé ; les places sont fixées.",
    ),
    Refusal.MATCH_MUST_BE_RUNNING: (
        "La partie doit être en cours",
        "La partie n’est pas en cours.",
    ),
    Refusal.SEAT_MUST_BE_FREE: ("La place doit être libre", "Toutes les places sont prises."),
    Refusal.SEAT_MUST_BE_YOURS: (
        "La place doit être à vous",
        "Vous n’avez pas de place dans cette partie.",
    ),
    Refusal.SEAT_MUST_BE_IN_PLAY: ("La place doit être en jeu", "Vous êtes hors de cette partie."),
    Refusal.SEAT_MUST_BE_TAKEN_BACK: (
        "La place doit d’abord être reprise",
        "Un robot joue à votre place depuis votre départ : revenez d’abord.",
    ),
    Refusal.SEAT_MUST_BE_KEPT_BY_A_BOT: (
        "La place doit être gardée par un robot",
        "Aucun robot ne garde de place que vous puissiez reprendre.",
    ),
    Refusal.SEATS_MUST_BE_TAKEN: (
        "Les places doivent être prises",
        "Toutes les places doivent d’abord être prises.",
    ),
    Refusal.HOST_MUST_ASK: ("L’hôte doit le demander", "Seul l’hôte de la partie peut le faire."),
    Refusal.OPERATOR_MUST_ASK: (
        "L’opérateur doit le demander",
        "Seul le service ou son opérateur peut le faire.",
    ),
}
_TURN: Final = {
    Refusal.TURN_MUST_BE_YOURS: ("Ce doit être votre tour", "Ce n’est pas votre tour."),
    Refusal.COLOR_MUST_BE_NAMED_FIRST: (
        "La couleur doit d’abord être nommée",
        "Nommez d’abord la couleur du Joker d’ouverture : choose_color.",
    ),
    Refusal.COLOR_MUST_BE_DUE: (
        "Une couleur doit être à nommer",
        "Aucune couleur n’est à nommer maintenant.",
    ),
    Refusal.PENALTY_MUST_BE_ANSWERED: (
        "Il faut répondre à la pénalité",
        "Répondez d’abord à la pénalité : acceptez-la, contestez-la ou transmettez-la, selon"
        " `legal`.",
    ),
    Refusal.PENALTY_MUST_BE_PENDING: (
        "Une pénalité doit être en attente",
        "Aucune pénalité n’attend de réponse.",
    ),
    Refusal.CARD_MUST_BE_IN_HAND: (
        "La carte doit être en main",
        "Vous n’avez pas cette carte en main.",
    ),
    Refusal.CARD_MUST_BE_THE_DRAWN_ONE: (
        "La carte doit être celle qui vient d’être piochée",
        "Après avoir pioché, seule la carte piochée peut être jouée.",
    ),
    Refusal.CARD_MUST_MATCH: (
        "La carte doit convenir",
        "La carte ne suit ni la couleur ni le symbole.",
    ),
    Refusal.LAST_CARD_MUST_MATCH: (
        "La dernière carte doit convenir",
        "La dernière carte d’une main doit convenir, même là où l’on peut dénoncer.",
    ),
    Refusal.CARD_MUST_PASS_THE_PENALTY_ON: (
        "La carte doit transmettre la pénalité",
        "Une pénalité se transmet avec un +2 ou un Joker +4, selon `stacking`.",
    ),
    Refusal.WILD_MUST_NAME_A_COLOR: (
        "Un joker doit nommer une couleur",
        "Nommez une couleur avec le joker.",
    ),
    Refusal.COLOR_MUST_BE_THE_CARDS: (
        "La couleur doit être celle de la carte",
        "Seul un joker nomme une couleur ; omettez ce champ.",
    ),
    Refusal.WILD_DRAW_FOUR_MUST_BE_LEGAL: (
        "Le Joker +4 doit être licite",
        "Vous avez en main une carte de la couleur en cours.",
    ),
    Refusal.DRAW_MUST_BE_THE_FIRST: (
        "On ne pioche qu’une fois",
        "Vous avez pioché ; jouez la carte ou passez.",
    ),
    Refusal.DRAW_MUST_BE_NEEDED: (
        "Piocher doit être nécessaire",
        "Une carte de votre main convient : il faut ici la jouer.",
    ),
    Refusal.DRAW_MUST_BE_POSSIBLE: (
        "Piocher doit être possible",
        "Plus rien ne peut être pioché : jouez une carte qui convient, ou passez.",
    ),
    Refusal.PASS_MUST_FOLLOW_A_DRAW: (
        "On passe après avoir pioché",
        "Piochez une carte avant de passer.",
    ),
    Refusal.FITTING_CARD_MUST_BE_PLAYED: (
        "Une carte qui convient doit être jouée",
        "Plus rien ne peut être pioché et une carte convient : jouez-la.",
    ),
    Refusal.DRAWN_CARD_MUST_BE_PLAYED: (
        "La carte piochée doit être jouée",
        "La carte piochée convient et doit être jouée.",
    ),
    Refusal.SWAP_MUST_NAME_A_SEAT: (
        "L’échange doit nommer une place",
        "Cette carte échange les mains : nommez le joueur par `swap_with`.",
    ),
    Refusal.SWAP_MUST_BE_WITH_ANOTHER: (
        "L’échange se fait avec un autre",
        "Les mains s’échangent avec un autre joueur de la manche.",
    ),
    Refusal.SWAP_MUST_BE_DUE: (
        "La carte doit échanger les mains",
        "Cette carte n’échange pas les mains ; omettez `swap_with`.",
    ),
    Refusal.CHALLENGE_MUST_BE_OF_A_WILD_DRAW_FOUR: (
        "On ne conteste qu’un Joker +4",
        "Seul un Joker +4 au sommet peut être contesté, et jamais avec `strict`.",
    ),
}
_ORDER: Final = {
    Refusal.CALL_OUT_MUST_BE_IN_TIME: (
        "La dénonciation doit venir à temps",
        "Cette place n’a posé aucune carte qui puisse être dénoncée maintenant.",
    ),
    Refusal.CALL_OUT_MUST_BE_BY_ANOTHER: (
        "La dénonciation doit venir d’un autre",
        "Vous ne pouvez pas dénoncer votre propre carte.",
    ),
    Refusal.ADVISER_MUST_BE_IN_PLAY: (
        "Le conseilleur doit être en jeu",
        "Un conseil n’est puni que chez un joueur de la manche en cours.",
    ),
    Refusal.ADVICE_RULINGS_MUST_BE_FEW: (
        "Les décisions sur des conseils doivent être rares",
        "Des conseils ont été punis aussi souvent qu’ils peuvent l’être en une manche.",
    ),
    Refusal.UNO_MUST_BE_OWED: (
        "UNO doit être dû",
        "Vous ne devez pas dire UNO maintenant : dites-le avec votre avant-dernière carte ; avec"
        " une autre, omettez `uno`.",
    ),
    Refusal.CATCH_MUST_BE_IN_TIME: (
        "L’oubli doit être signalé à temps",
        "Cette place n’a maintenant aucun oubli à signaler.",
    ),
    Refusal.CATCH_MUST_BE_BY_ANOTHER: (
        "L’oubli doit être signalé par un autre",
        "Vous ne pouvez pas signaler votre propre oubli.",
    ),
    Refusal.GRACE_MUST_HAVE_PASSED: (
        "Le délai doit être passé",
        "D’autres peuvent encore annoncer ou signaler ; à partir de not_before, le tour peut"
        " commencer.",
    ),
    Refusal.CLOCK_MUST_HAVE_RUN_OUT: (
        "Le temps doit être écoulé",
        "Le temps de ce tour n’est pas écoulé, ou le tour est passé.",
    ),
}
_DEAL: Final = {
    Refusal.SEED_MUST_BE_FOR_THE_COMING_ROUND: (
        "La graine doit être pour la manche à venir",
        "On ajoute des graines à la manche qui est fixée et n’a pas encore commencé.",
    ),
    Refusal.SEATINGS_MUST_BE_FEW: (
        "On ne s’assied pas sans cesse",
        "Vous vous êtes assis à cette table aussi souvent qu’un joueur le peut.",
    ),
    Refusal.SEED_CHANGES_MUST_BE_FEW: (
        "On ne change pas la graine sans cesse",
        "Vous avez ajouté à cette manche aussi souvent qu’une place le peut.",
    ),
    Refusal.SEED_MUST_BE_BASE64URL: (
        "La graine doit être en base64url",
        "Aucun octet ne donne ce texte base64url : sa longueur dépasse de un un multiple de"
        " quatre.",
    ),
    Refusal.SEED_MUST_BE_SHORT: (
        "La graine doit être courte",
        "Une graine a au plus 32 octets.",
    ),
}

REFUSALS: Final[Mapping[Refusal, tuple[str, str]]] = {
    **_SETTING_UP,
    **_TABLE,
    **_TURN,
    **_ORDER,
    **_DEAL,
    **TOURNAMENT_REFUSALS,
}
