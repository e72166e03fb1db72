"""Chapters 10 and 11: what is refused at the table, and people who come and go."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

TABLE: Final = chapter(
    10,
    Text("Order at the table", "Ordre à la table"),
    (
        "TABLE-1",
        "With enforcement = strict, a play that the rules do not allow is refused, with the id of"
        " the rule. A bluffed Wild Draw Four is judged by WD4-2 to WD4-10 alone.",
        "Avec enforcement = strict, une pose que les règles n’autorisent pas est refusée, avec"
        " l’identifiant de la règle. Un Joker +4 bluffé est jugé par WD4-2 à WD4-10 seulement.",
        "decision",
    ),
    (
        "TABLE-2",
        "With enforcement = table, a card of one's own that breaks TURN-1 may be laid on one's own"
        " turn, and its effects wait. Any other player may call it out before the next turn begins:"
        " it goes back, its author draws two, and the next player in the direction before it moves."
        " Not called out in time, it stands.",
        "Avec enforcement = table, on peut poser à son tour une de ses cartes contre TURN-1, et ses"
        " effets attendent. Tout autre joueur peut la dénoncer avant que le tour suivant commence :"
        " elle est reprise, son auteur pioche deux cartes, et le joueur suivant dans le sens"
        " d’avant joue. Non dénoncée à temps, elle reste.",
        "S0 S3",
    ),
    (
        "TABLE-3",
        "Only cards that do not fit may be laid so; all else is refused as ever, an unfit last card"
        " too. Wilds always fit. To call out a card that fits is refused; nothing changes.",
        "Seules des cartes qui ne conviennent pas peuvent être posées ainsi ; tout le reste est"
        " refusé comme toujours, une dernière carte qui ne convient pas aussi. Un joker convient"
        " toujours. Dénoncer une carte qui convient est refusé ; rien ne change.",
        "decision",
    ),
    (
        "TABLE-4",
        "Advising another player costs two cards: the match's host, or the application that runs"
        " the match, rules on it during a round, with the reason on record. It moves no turn and"
        " spends an announcement.",
        "Conseiller un autre joueur coûte deux cartes : l’hôte, ou l’application qui gère la"
        " partie, en décide pendant une manche, et le motif est noté. Cela ne déplace pas le tour"
        " et annule une annonce.",
        "S0 S3 decision",
    ),
    (
        "TABLE-5",
        "While a card can be called out, the turn is that of whoever moves if it stands, whose act"
        " makes it stand; the victim of a Draw Two draws first. A reshuffle leaves the card under"
        " it too; a call-out ends an UNO duty and voids the announcement. If its author leaves, it"
        " goes with the hand; if the victim leaves, that penalty lapses.",
        "Tant qu’une carte peut être dénoncée, le tour est à qui joue si elle reste, et son acte la"
        " fait rester ; la victime d’un +2 pioche d’abord. Un mélange laisse aussi la carte"
        " d’au-dessous ; une dénonciation met fin au devoir d’UNO et annule l’annonce. Si son"
        " auteur part, elle part avec la main ; si la victime part, sa pénalité tombe.",
        "decision",
    ),
    (
        "TABLE-6",
        "With two players, an unfit Skip, Reverse or Draw Two would let its author close the window"
        " alone: enforcement = table needs uno_grace.",
        "À deux, un Passer, une Inversion ou un +2 qui ne convient pas laisserait son auteur clore"
        " seul le délai : enforcement = table demande uno_grace.",
        "decision",
    ),
)

PEOPLE: Final = chapter(
    11,
    Text("People who come and go", "Ceux qui vont et viennent"),
    (
        "AWAY-1",
        "With the option clock, a turn, an opening color and an answer to a penalty have so many"
        " seconds. When they have passed the service acts: it draws and passes, or just passes if"
        " nothing can be drawn; accepts; names the color most frequent in the hand (ties: red,"
        " yellow, green, blue). It never plays a card for a person.",
        "Avec l’option clock, un tour, une couleur d’ouverture et la réponse à une pénalité ont"
        " tant de secondes. Quand elles sont passées, le service agit : il pioche et passe, ou"
        " passe seulement si rien ne peut être pioché ; accepte ; nomme la couleur la plus"
        " fréquente de la main (à égalité : rouge, jaune, vert, bleu). Il ne joue jamais une carte"
        " pour quelqu’un.",
        "decision",
    ),
    (
        "AWAY-2",
        "Who leaves a running match, or lets the clock run out three times in a row, is out of it:"
        " the hand goes under the draw pile in random"
        " order, the seat is passed over, its cards score for nobody; the total stays on the board"
        " but ranks below all who stayed, the first to leave last. If it was their turn, the next"
        " player in the present direction moves. With on_leave = bot, a bot plays the seat instead,"
        " and its person may take it back while the match runs.",
        "Qui quitte une partie en cours, ou laisse passer son temps trois fois de suite, en est"
        " exclu : la main passe sous la pioche dans un ordre"
        " aléatoire, la place est sautée, ses cartes ne comptent pour personne ; le total reste"
        " affiché, mais classé derrière tous ceux qui sont restés, le premier parti étant dernier."
        " Si c’était son tour, le joueur suivant dans le sens du jeu joue. Avec on_leave = bot, un"
        " robot joue à sa place, que la personne peut reprendre tant que la partie dure.",
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
        "AWAY-8",
        "A clock that has run out acts only on the very turn it was set for, once, whatever"
        " restarts.",
        "Un temps écoulé n’agit que sur le tour même pour lequel il courait, une seule fois, quels"
        " que soient les redémarrages.",
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
