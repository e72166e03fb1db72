"""Chapters 10 and 11: what is refused at the table, and people who come and go."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

TABLE: Final = chapter(
    10,
    Text("Order at the table", "Ordre à la table"),
    (
        "TABLE-1",
        "A play that the rules do not allow is refused, with the id of the rule. A bluffed Wild"
        " Draw Four is judged by WD4-2 to WD4-10 alone.",
        "Une pose que les règles n’autorisent pas est refusée, avec l’identifiant de la règle. Un"
        " Joker +4 bluffé est jugé par WD4-2 à WD4-10 seulement.",
        "decision",
    ),
)

PEOPLE: Final = chapter(
    11,
    Text("People who come and go", "Ceux qui vont et viennent"),
    (
        "AWAY-2",
        "Who leaves a running match is out of it. The hand goes under the draw pile in random"
        " order, the seat is passed over, its cards score for nobody; the total stays on the board"
        " but cannot win. If it was their turn, the next player in the present direction moves.",
        "Qui quitte une partie en cours en est exclu. La main passe sous la pioche dans un ordre"
        " aléatoire, la place est sautée, ses cartes ne comptent pour personne ; le total reste"
        " affiché mais ne peut gagner. Si c’était son tour, le joueur suivant dans le sens du jeu"
        " joue.",
        "decision",
    ),
    (
        "AWAY-3",
        "If one player remains, that player wins the match by forfeit, without points for the"
        " hands. If only bots are left, the match is abandoned.",
        "S’il reste un seul joueur, il gagne la partie par forfait, sans points pour les mains."
        " S’il ne reste que des robots, la partie est abandonnée.",
        "decision",
    ),
    (
        "AWAY-4",
        "If the target of a Wild Draw Four leaves, penalty and challenge lapse and the next player"
        " plays; after a last card the round is scored at once. If its author leaves, it is still"
        " judged on the hand it was played from: guilty, nobody draws; innocent, the target draws"
        " six. After a last card the round is scored for the author, who cannot win.",
        "Si la cible d’un Joker +4 part, pénalité et contestation tombent et le joueur suivant"
        " joue ; après une dernière carte, la manche est comptée aussitôt. Si son auteur part, il"
        " reste jugé sur la main d’où il fut joué : coupable, personne ne pioche ; innocent, la"
        " cible pioche six cartes. Après une dernière carte, la manche est comptée pour l’auteur,"
        " qui ne peut gagner.",
        "decision",
    ),
    (
        "AWAY-5",
        "If the player who must name the color of an opening Wild leaves, the next one is first"
        " and names it.",
        "Si le joueur qui doit nommer la couleur d’un Joker d’ouverture part, le suivant commence"
        " et la nomme.",
        "decision",
    ),
    (
        "AWAY-6",
        "Seats are fixed when the match starts; who comes later may watch.",
        "Les places sont fixées au début de la partie ; qui vient plus tard peut regarder.",
        "decision",
    ),
    (
        "AWAY-7",
        "When the host leaves, the host's role passes to the person who has been there longest. A"
        " choice that is due from others stays due; an UNO owed by the leaver lapses, that of"
        " others can still be caught; if the dealer leaves, the next seat still in deals.",
        "Quand l’hôte part, son rôle passe à la personne présente depuis le plus longtemps. Le"
        " choix qu’un autre doit faire reste dû ; un UNO dû par le partant tombe, celui des autres"
        " peut encore être signalé ; si le donneur part, la place suivante encore en jeu donne.",
        "decision",
    ),
    (
        "AWAY-9",
        "Losing the connection is not leaving, and nobody is removed for it. A match that nobody"
        " has touched for 30 days is abandoned: no winner, no points.",
        "Perdre la connexion n’est pas partir, et nul n’est exclu pour cela. Une partie à laquelle"
        " personne n’a touché pendant 30 jours est abandonnée : ni gagnant ni points.",
        "decision",
    ),
)
