"""A mobile app's backend, in outline: it makes players, hands out tokens, and acts for them.

TALON_KEY=… python examples/backend.py http://127.0.0.1:8000

The key comes from `./talon token app --name "My game"`. The backend keeps, for each account of its
own, the player's id; phones get tokens that run out, and never the key.
"""

import os
import sys
from uuid import NAMESPACE_URL, uuid5

from talon_client import Refused, Talon, ok
from talon_client.core.api.players import create_player, create_token, get_me
from talon_client.core.models import Leave, NewMatch, NewPlayer, NewToken, Visibility

HOUR = 3600


class Backend:
    """What the app's server does; ``players`` stands for its own database."""

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.key = key
        self.app = Talon(url, key)
        self.players: dict[str, str] = {}

    def sign_up(self, account: str, name: str) -> str:
        """A player for an account. The key of the request is made from the account's, so that a
        backend that died before it had written the id down gets the same player again.
        """
        key = str(uuid5(NAMESPACE_URL, f"sign-up:{account}"))
        body = NewPlayer(name=name)
        made = ok(create_player.sync(client=self.app.core, body=body, idempotency_key=key))
        self.players[account] = str(made.player_id)
        return self.players[account]

    def phone_token(self, account: str) -> str:
        """A token for the phone of an account, for an hour."""
        body = NewToken(expires_in=HOUR)
        return ok(create_token.sync(client=self.acting(account).core, body=body)).token

    def acting(self, account: str) -> Talon:
        """The backend in the place of one of its players."""
        return Talon(self.url, self.key, player=self.players[account])

    def invite(self, host: str, guest: str) -> str:
        """A private match of two accounts, begun."""
        wish = NewMatch(seats=2, visibility=Visibility.PRIVATE)
        with self.acting(host) as hosting, self.acting(guest) as invited:
            made = hosting.create_match(wish)
            invited.join(made.match_id, made.invite)
            hosting.start(made.match_id)
        return str(made.match_id)


def main(url: str) -> None:
    """Two accounts, a match of theirs, and a phone that plays with a token of its own."""
    backend = Backend(url, os.environ["TALON_KEY"])
    backend.sign_up("ann@example.org", "Ann")
    backend.sign_up("bob@example.org", "Bob")
    again = backend.sign_up("ann@example.org", "Ann")
    print("signed up, and up again:", again == backend.players["ann@example.org"])
    match = backend.invite("ann@example.org", "bob@example.org")
    with Talon(url, backend.phone_token("bob@example.org")) as phone:
        print("the phone is", ok(get_me.sync(client=phone.core)).name)
        view = next(phone.views(match))
        print("it holds", len(view.you.hand), "cards on seat", view.you.seat)
        print("bob leaves at version", phone.act(match, Leave(type_="leave")).version)
    try:
        with Talon(url) as stranger:
            next(stranger.views(match))
    except Refused as refused:
        print("a stranger is told:", refused.code)
    with backend.acting("ann@example.org") as ann:
        *_, last = ann.views(match)
        print("winners:", last.result.winners)


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["http://127.0.0.1:8000"])
