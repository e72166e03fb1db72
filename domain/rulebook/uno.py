"""Chapter 6: UNO!"""

from __future__ import annotations

from typing import Final

from domain.rulebook.entries import Text, chapter

UNO: Final = chapter(
    6,
    Text("UNO!", "UNO !"),
    (
        "UNO-1",
        "Who lays the second-to-last card must say UNO: with the play; just before it, on the own"
        " turn with two cards in hand, which is void if a card is then drawn; or after it, while"
        " nobody has caught the omission.",
        "Qui pose son avant-dernière carte doit dire UNO : avec la pose ; juste avant, à son tour"
        " avec deux cartes en main, ce qui tombe si l’on pioche ensuite ; ou après, tant que"
        " personne n’a signalé l’oubli.",
        "all decision",
    ),
    (
        "UNO-2",
        "If somebody points out the omission before the next turn begins, the author draws two.",
        "Si quelqu’un signale l’oubli avant que le tour suivant commence, l’auteur pioche deux"
        " cartes.",
        "all",
    ),
    (
        "UNO-3",
        "Saying it before being caught avoids the penalty.",
        "Le dire avant d’être pris évite la pénalité.",
        "S0 S3 S4",
    ),
    (
        "UNO-4",
        "A turn begins when its player draws or plays, passes because nothing can be drawn, or"
        " accepts or challenges a penalty, or when somebody jumps in: from then on it is too late"
        " to catch. The cards that a Draw Two deals, a skip, a catch and a ruling on advice do not"
        " begin a turn.",
        "Un tour commence quand son joueur pioche ou joue, passe faute de pioche, accepte ou"
        " conteste une pénalité, ou quand quelqu’un s’interpose : il est alors trop tard pour"
        " signaler. Les cartes qu’impose un +2, un tour sauté, un signalement et une décision sur"
        " un conseil ne commencent pas de tour.",
        "S0 S3 S4 decision",
    ),
    (
        "UNO-5",
        "A hand that grows again and comes back to one card by a play must be announced again.",
        "Une main qui grossit puis revient à une carte par une pose doit être annoncée de nouveau.",
        "S4",
    ),
    (
        "UNO-6",
        "The duty is tied to laying the second-to-last card. When a play makes hands change owners,"
        " nobody owes a call for it, nobody can be caught, and earlier announcements are void.",
        "Le devoir naît de la pose de l’avant-dernière carte. Quand une pose fait changer les mains"
        " de propriétaire, nul ne doit d’annonce pour elle, nul ne peut être pris, et les annonces"
        " d’avant tombent.",
        "decision",
    ),
    (
        "UNO-7",
        "Nobody is fined or protected automatically. With the option uno_grace, no act that begins"
        " a turn is taken for so many seconds after a silent second-to-last card; calls and catches"
        " are. It ends early when the author says UNO, is caught or leaves.",
        "Nul n’est puni ni protégé automatiquement. Avec l’option uno_grace, aucun acte qui"
        " commence un tour n’est admis pendant tant de secondes après une avant-dernière carte"
        " posée sans un mot ; annonces et signalements le sont. Le délai cesse quand l’auteur dit"
        " UNO, est pris ou part.",
        "decision",
    ),
    (
        "UNO-8",
        "Pointing out an omission that is not one, or a call that is not owed, is refused; nothing"
        " changes. Saying it with the second-to-last card when it was said just before is not.",
        "Signaler un oubli qui n’en est pas un, ou dire UNO sans le devoir, est refusé ; rien ne"
        " change. Le dire avec l’avant-dernière carte quand on l’a dit juste avant ne l’est pas.",
        "decision",
    ),
    (
        "UNO-9",
        "Any other player of the round may catch, in turn or not; spectators may not. The first"
        " catch counts, and the penalty never moves the turn.",
        "Tout autre joueur de la manche peut signaler, à son tour ou non ; pas les spectateurs. Le"
        " premier signalement compte, et la pénalité ne déplace jamais le tour.",
        "S1 S2 S3 S4",
    ),
    (
        "UNO-10",
        "Calls and catches are judged against the state in which they arrive, not against a version"
        " that the client has seen.",
        "Annonces et signalements sont jugés dans l’état où ils arrivent, non d’après la version"
        " que le client a vue.",
        "decision",
    ),
)
