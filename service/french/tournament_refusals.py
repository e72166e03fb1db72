"""The refusals of tournaments: their rounds are *rondes*, those of a match *manches*."""

from __future__ import annotations

from typing import Final

from domain.refusals import Refusal

TOURNAMENT_REFUSALS: Final = {
    Refusal.TOURNAMENT_MUST_BE_NEW: (
        "Le tournoi doit être nouveau",
        "Ce tournoi existe déjà.",
    ),
    Refusal.TOURNAMENT_MUST_NOT_BE_OVER: (
        "Le tournoi ne doit pas être fini",
        "Le tournoi est fini.",
    ),
    Refusal.TOURNAMENT_MUST_BE_OPEN: (
        "Le tournoi doit être ouvert",
        "Le tournoi a commencé ; ses participants sont fixés.",
    ),
    Refusal.TOURNAMENT_MUST_BE_RUNNING: (
        "Le tournoi doit être en cours",
        "Le tournoi n’a pas commencé.",
    ),
    Refusal.ENTRANTS_MUST_FIT_THE_FORMAT: (
        "Les participants doivent convenir au format",
        "Ce format a un nombre fixe de participants ; omettez entrants_max.",
    ),
    Refusal.TABLES_MUST_FIT_THE_FORMAT: (
        "Les tables doivent convenir au format",
        "Des tables de cette taille, ou des parties de cette forme, ne vont pas avec le format.",
    ),
    Refusal.ROUNDS_MUST_FIT_THE_FORMAT: (
        "Les rondes doivent convenir au format",
        "Seul un tournoi swiss reçoit un nombre de rondes.",
    ),
    Refusal.ORGANIZER_MUST_ASK: (
        "L’organisateur doit le demander",
        "Seul l’organisateur du tournoi peut le faire.",
    ),
    Refusal.ENTRANT_MUST_TAKE_PART: (
        "Le participant doit être inscrit",
        "Ce participant n’est pas de ce tournoi, ou n’en est plus.",
    ),
    Refusal.ENTRANTS_MUST_HAVE_ROOM: (
        "Il doit rester de la place pour des participants",
        "Le tournoi est complet.",
    ),
    Refusal.ENTRIES_MUST_BE_FEW: (
        "On ne s’inscrit pas sans cesse",
        "On s’est inscrit à ce tournoi et on l’a quitté aussi souvent que c’est permis.",
    ),
    Refusal.ENTRANTS_MUST_BE_COMPLETE: (
        "Les participants doivent être au complet",
        "Il faut plus de participants pour commencer dans ce format.",
    ),
    Refusal.SUBSTITUTE_MUST_BE_NAMED: (
        "Le remplaçant doit être nommé",
        "Nommez soit un joueur, soit le niveau d’un robot.",
    ),
    Refusal.SUBSTITUTE_MUST_BE_SOMEBODY_ELSE: (
        "Le remplaçant doit être quelqu’un d’autre",
        "Ce joueur participe déjà.",
    ),
    Refusal.SUBSTITUTES_MUST_BE_FEW: (
        "On ne remplace pas sans cesse",
        "Ce participant a été remplacé aussi souvent que c’est permis.",
    ),
    Refusal.ROUND_MUST_BE_OVER: (
        "La ronde doit être finie",
        "Des tables de la ronde jouent encore.",
    ),
    Refusal.ROUND_MUST_BE_THE_NEXT: (
        "La ronde doit être la suivante",
        "Les rondes sont appariées l’une après l’autre.",
    ),
    Refusal.ROUND_MUST_REMAIN: (
        "Une ronde doit rester à jouer",
        "Toutes les rondes sont jouées : finissez le tournoi.",
    ),
    Refusal.ROUNDS_MUST_BE_PLAYED: (
        "Les rondes doivent être jouées",
        "Il reste des rondes à jouer.",
    ),
    Refusal.TABLE_MUST_BE_PAIRED: (
        "La table doit être appariée",
        "Cette table n’existe pas dans cette ronde.",
    ),
    Refusal.ARRIVAL_MUST_BE_IN_TIME: (
        "L’arrivée doit être à l’heure",
        "La table a commencé, ou son temps est passé.",
    ),
    Refusal.ARRIVALS_MUST_BE_WAITED_FOR: (
        "Les arrivées doivent être attendues",
        "Les joueurs de la table ont encore du temps.",
    ),
    Refusal.TABLE_MUST_BE_WAITING: (
        "La table doit être en attente",
        "La table joue sous une autre partie, ou a fini.",
    ),
    Refusal.TABLE_MUST_BE_COMPLETE: (
        "La table doit être au complet",
        "On attend encore des joueurs de la table.",
    ),
    Refusal.MATCH_MUST_BE_ANOTHER: (
        "La partie doit être une autre",
        "Cette partie a été jouée à une autre table, ou annulée.",
    ),
    Refusal.MATCH_MUST_BE_THE_TABLES: (
        "La partie doit être celle de la table",
        "La table ne joue pas cette partie.",
    ),
    Refusal.RESULT_MUST_FIT_THE_TABLE: (
        "Le résultat doit convenir à la table",
        "Un résultat a un total et un rang pour chaque place.",
    ),
    Refusal.TABLE_MUST_HAVE_BEGUN: (
        "La table doit avoir commencé",
        "Rien n’a été joué à cette table qui puisse être annulé.",
    ),
    Refusal.TABLE_MUST_BE_OF_THE_ROUND: (
        "La table doit être de la ronde",
        "Ceux qui ont avancé depuis cette table ont continué à jouer.",
    ),
    Refusal.VOIDS_MUST_BE_FEW: (
        "On n’annule pas sans cesse",
        "Cette table a été annulée aussi souvent que c’est permis.",
    ),
}
