"""Chapter 13: tournaments. T8-1, which the rule sheets know, is among the forms of play."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

TOURNAMENTS: Final = chapter(
    13,
    Text("Tournaments", "Tournois"),
    (
        "TOUR-1",
        "Whoever likes enters before the start, and may leave again. At the start the entrants are"
        " fixed and seeded: by the ratings they came with, the highest first, those without one"
        " last, the earlier entry first; or by lot. All pairing follows from that and the results.",
        "Qui veut s’inscrit avant le début, et peut se désinscrire. Au début, les inscrits sont"
        " fixés et classés : par leur cote, la plus haute d’abord, ceux qui n’en ont pas à la fin,"
        " le premier inscrit d’abord ; ou par tirage au sort. Tout appariement découle de cela et"
        " des résultats.",
        "decision",
    ),
    (
        "TOUR-2",
        "A table waits for its players for arrival_seconds, if that is set. Who has not come by"
        " then forfeits the table, or a bot plays there for them; the others play. With fewer than"
        " two the table is not played: who came has won it.",
        "Une table attend ses joueurs pendant arrival_seconds, si c’est réglé. Qui n’est pas venu"
        " perd la table par forfait, ou un robot y joue à sa place ; les autres jouent. À moins de"
        " deux, la table n’est pas jouée : qui est venu l’a gagnée.",
        "decision",
    ),
    (
        "TOUR-3",
        "Who leaves forfeits the table that has not opened and is not paired again; among partners"
        " a bot plays for them to the end. A substitute, a person or a bot, takes an entrant's"
        " number and results over at the tables that open from then on.",
        "Qui part perd par forfait la table pas encore ouverte et n’est plus apparié ; entre"
        " partenaires, un robot joue pour lui jusqu’à la fin. Un remplaçant, personne ou robot,"
        " reprend le numéro et les résultats d’un inscrit aux tables ouvertes dès lors.",
        "decision",
    ),
    (
        "TOUR-4",
        "A table that is declared void does not count. While its round is the last one it is played"
        " again, as another match; a table of an earlier round is not, and in a knockout, whose"
        " winners have gone on, it stands.",
        "Une table déclarée nulle ne compte pas. Tant que son tour est le dernier, elle est"
        " rejouée en une autre partie ; une table d’un tour antérieur ne l’est pas, et dans une"
        " coupe, dont les gagnants ont continué, elle reste acquise.",
        "decision",
    ),
    (
        "KO-1",
        "Knockout: who wins a table goes on, until one is left; of those who share its first place,"
        " the one seeded higher. Each round is drawn anew, the best with the last; at tables of two"
        " the best have byes, so that a power of two is left. Places go by the round in which one"
        " goes out, then by the place at that table.",
        "Coupe : qui gagne une table continue, jusqu’à ce qu’il n’en reste qu’un ; à égalité, le"
        " mieux classé au départ. Chaque tour est refait, les meilleurs avec les derniers ; aux"
        " tables de deux, les meilleurs sont exemptés pour qu’il reste une puissance de deux. Les"
        " places suivent le tour où l’on sort, puis la place à cette table.",
        "decision",
    ),
    (
        "SWISS-1",
        "Swiss: everybody plays every round against others with as many points, the upper half of"
        " them against the lower. Nobody meets an opponent again while that can be avoided; at"
        " tables of two, the last who had the fewest byes has the bye.",
        "Système suisse : chacun joue chaque tour contre d’autres qui ont autant de points, la"
        " moitié haute contre la moitié basse. Personne ne retrouve un adversaire tant qu’on peut"
        " l’éviter ; aux tables de deux, le dernier des moins exemptés est exempté.",
        "decision",
    ),
    (
        "SWISS-2",
        "A table gives two points for each chair whose player is placed behind, or that is empty,"
        " and one for each that shares the place; a bye gives a whole table's. Ties are broken by"
        " the sum of the opponents' points, then by tables won, then shared; who left is unranked.",
        "Une table donne deux points par chaise dont le joueur est placé derrière, ou qui est vide,"
        " et un par chaise à égalité ; une exemption donne ceux d’une table. Les égalités se"
        " départagent par la somme des points des adversaires, puis les tables gagnées, sinon se"
        " partagent ; qui est parti n’est pas classé.",
        "decision",
    ),
)
