"""Chapter 12: house rules, off unless a match asks for them."""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

HOUSE: Final = chapter(
    12,
    Text("House rules", "Règles maison"),
    (
        "HOUSE-1",
        "With stacking, who faces a penalty may pass it on, added up, with a card that also fits:"
        " same, a Draw Two on a Draw Two, a Wild Draw Four on a Wild Draw Four; mixed, either on"
        " either. Who accepts draws all and loses the turn, or may challenge a Wild Draw Four on"
        " top: guilty, its author draws the whole stack; innocent, the challenger draws two more."
        " An opening card and a last one are not answered; if the one who faces it leaves, it"
        " lapses.",
        "Avec stacking, qui subit une pénalité peut la transmettre, cumulée, avec une carte qui"
        " convient aussi : same, un +2 sur un +2, un Joker +4 sur un Joker +4 ; mixed, l’un sur"
        " l’autre. Qui accepte pioche tout et passe, ou peut contester un Joker +4 au sommet :"
        " coupable, son auteur pioche tout ; innocent, le contestataire pioche deux cartes de plus."
        " On ne répond ni à une carte d’ouverture ni à une dernière carte ; si la cible part, la"
        " pénalité tombe.",
        "decision",
    ),
    (
        "HOUSE-2",
        "With seven_zero, who plays a 7 swaps hands with a player of their choice, named with the"
        " card; a 0 passes every hand on to the next player, in the direction of play. An opening"
        " or last 7 or 0 does nothing.",
        "Avec seven_zero, qui pose un 7 échange sa main avec un joueur de son choix, nommé avec la"
        " carte ; un 0 passe chaque main au joueur suivant, dans le sens du jeu. Un 7 ou un 0"
        " d’ouverture, ou posé en dernier, est sans effet.",
        "decision",
    ),
    (
        "HOUSE-3",
        "With jump_in, any player but its author may lay out of turn a colored card identical to"
        " the top one, until the next turn begins; not on the opening card, and not while something"
        " else is due. Its effect and the next turn count from who jumped in; cards already dealt"
        " stay, and the first one counts.",
        "Avec jump_in, tout joueur sauf son auteur peut poser hors de son tour une carte de couleur"
        " identique à celle du dessus, jusqu’au début du tour suivant ; ni sur la carte"
        " d’ouverture, ni tant qu’autre chose est dû. L’effet et le tour suivant comptent à partir"
        " de qui s’interpose ; les cartes déjà données restent, et le premier compte.",
        "decision",
    ),
    (
        "HOUSE-4",
        "With draw_until_playable, one command draws until a card fits; any wild fits. Only that"
        " card may then be played, and drawn_card says whether it must be. Penalties are as usual.",
        "Avec draw_until_playable, une seule commande pioche jusqu’à une carte qui convient ; tout"
        " joker convient. Elle seule peut alors être jouée, et drawn_card dit s’il le faut. Les"
        " pénalités ne changent pas.",
        "decision",
    ),
    (
        "HOUSE-5",
        "With force_play, who can play must: no card is drawn while one of the hand fits, and a"
        " drawn card that fits must be played. A Wild Draw Four is never forced, unless nothing can"
        " be drawn (PILE-4).",
        "Avec force_play, qui peut jouer le doit : on ne pioche pas tant qu’une carte de la main"
        " convient, et une carte piochée qui convient doit être jouée. Un Joker +4 n’est jamais"
        " imposé, sauf si plus rien ne peut être pioché (PILE-4).",
        "S1",
    ),
    (
        "HOUSE-6",
        "With starting_hand, 5 to 10 cards are dealt to each instead of 7.",
        "Avec starting_hand, chacun reçoit de 5 à 10 cartes au lieu de 7.",
        "decision",
    ),
)
