"""A mobile app's backend, in outline: it makes players, hands out tokens, and acts for them.

TALON_KEY=… python examples/backend.py http://127.0.0.1:8000

The key comes from `./talon token app --name "My game"`. The backend keeps, for each account of its
own, the player's id; phones get tokens that run out, and never the key. Deliveries of webhooks come
to a port of this machine: for that the service is started with TALON_WEBHOOKS_ANYWHERE=true.
"""

import base64
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread
from uuid import NAMESPACE_URL, uuid5

from talon_client import Refused, Talon, ok
from talon_client.core.api.players import create_player, create_token, get_me
from talon_client.core.api.webhooks import create_webhook
from talon_client.core.models import (
    Leave,
    NewMatch,
    NewPlayer,
    NewToken,
    NewWebhook,
    NoticeType,
    Visibility,
)

HOUR = 3600


class Receiver(HTTPServer):
    """Where the service tells what happens: ``told`` are deliveries that are from it, each once."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Delivery)
        self.secret = ""
        self.seen: set[str] = set()
        self.told: Queue[dict] = Queue()
        Thread(target=self.serve_forever, daemon=True).start()

    def is_ours(self, headers, body: bytes) -> bool:
        """Whether a delivery is signed with our secret, and lately."""
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        words = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode()
        signed = base64.b64encode(hmac.digest(key, words + body, "sha256")).decode()
        is_new = abs(time.time() - int(headers["webhook-timestamp"])) < 300
        given = headers["webhook-signature"].split()
        return is_new and any(hmac.compare_digest(f"v1,{signed}", each) for each in given)


class Delivery(BaseHTTPRequestHandler):
    """One delivery: looked at, noted, and answered at once; the work on it is done elsewhere."""

    server: Receiver

    def do_POST(self) -> None:
        """Take it if it is genuine; a repetition is taken and not noted again."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_ours = self.server.is_ours(self.headers, body)
        if is_ours and self.headers["webhook-id"] not in self.server.seen:
            self.server.seen.add(self.headers["webhook-id"])
            self.server.told.put(json.loads(body))
        self.send_response(204 if is_ours else 401)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing."""


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

    def listen(self, receiver: Receiver) -> None:
        """Be told of turns, for push notices, and of ends."""
        url = f"http://127.0.0.1:{receiver.server_port}/talon"
        body = NewWebhook(url=url, types=[NoticeType.YOUR_TURN, NoticeType.MATCH_ENDED])
        receiver.secret = ok(create_webhook.sync(client=self.app.core, body=body)).secret

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
    receiver = Receiver()
    backend.listen(receiver)
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
    notices = iter(receiver.told.get, None)
    print("told of the end:", any(each["type"] == "match_ended" for each in notices))
    receiver.shutdown()
    receiver.server_close()


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["http://127.0.0.1:8000"])
