"""Chapter 9: other forms of play."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

FORMS: Final = chapter(
    9,
    Text("Other forms of play", "Autres formes de jeu"),
    (
        "TEAM-1",
        "Teams: four players, partners sit opposite, and do not see each other's hands. When either"
        " partner goes out, the values of both opponents' hands go to the team; the partner's hand"
        " does not count, and each partner's total is the team's. If a player leaves and no bot"
        " plays on, the other team wins by forfeit.",
        "Équipes : quatre joueurs, les partenaires se font face et ne voient pas leurs mains. Quand"
        " l’un d’eux n’a plus de cartes, la valeur des deux mains adverses va à l’équipe ; la main"
        " du partenaire ne compte pas, et le total de chacun est celui de l’équipe. Si un joueur"
        " part sans qu’un robot le remplace, l’autre équipe gagne par forfait.",
        "S3 decision",
    ),
    (
        "ROT-1",
        "Rotating partners: four players; each of the three pairings plays rounds_per_pairing"
        " rounds, cycles times, blocked ones included, in an order in which partners sit opposite."
        " Each player scores what the team of the moment scores; the highest total wins, ties"
        " shared. A leaver's seat is played by a bot to the end and is unranked: place 0.",
        "Partenaires tournants : quatre joueurs ; chacune des trois paires d’équipes joue"
        " rounds_per_pairing manches, cycles fois, manches bloquées comprises, dans un ordre où les"
        " partenaires se font face. Chacun marque ce que marque son équipe du moment ; le plus haut"
        " total gagne, égalités partagées. La place d’un partant est jouée par un robot jusqu’à la"
        " fin et n’est pas classée : place 0.",
        "S3 decision",
    ),
    (
        "T8-1",
        "A tournament of eight in pairs: everyone partners everyone else once, for 4 rounds, and"
        " meets them as an opponent in two other matches, so each plays 28 rounds and 56 are"
        " played, at two tables at a time. Points are counted as with rotating partners, ties"
        " shared; a bot plays to the end for who leaves, unranked.",
        "Un tournoi de huit joueurs par paires : chacun est partenaire de chaque autre une fois,"
        " pour 4 manches, et l’affronte dans deux autres parties ; chacun joue donc 28 manches et"
        " on en joue 56, à deux tables à la fois. Les points se comptent comme avec les partenaires"
        " tournants, égalités partagées ; un robot joue jusqu’à la fin pour qui part, non classé.",
        "S3 decision",
    ),
    (
        "ELIM-1",
        "Elimination: everybody adds the value of their own hand each round; who reaches the target"
        " is out. Play goes on with the rest, the seats closing up.",
        "Élimination : à chaque manche, chacun ajoute la valeur de sa propre main ; qui atteint"
        " l’objectif est éliminé. Le jeu continue avec les autres, qui se rapprochent.",
        "S3",
    ),
    (
        "ELIM-2",
        "With two left they play by the two-player rules, totals carried on: the one who reaches"
        " the target loses, the other has won.",
        "À deux, on joue selon les règles à deux joueurs, totaux conservés : qui atteint l’objectif"
        " perd, l’autre a gagné.",
        "S3",
    ),
    (
        "ELIM-3",
        "Several may go out in one round, and if that leaves a single player, that player has won."
        " Places go by the order of elimination; within one round the lower total is better, equal"
        " totals share. Leavers rank by the time of leaving, below those still in then.",
        "Plusieurs peuvent être éliminés dans une manche, et s’il ne reste alors qu’un joueur, il a"
        " gagné. Les places suivent l’ordre d’élimination ; dans une même manche le plus petit"
        " total est meilleur, les égalités se partagent. Les partants sont classés selon le moment"
        " de leur départ, derrière ceux qui restaient alors.",
        "decision",
    ),
)
