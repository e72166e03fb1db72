"""Where deliveries go, and how little of an answer is taken in."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import httpcore
import pytest

from domain.webhooks import Failure
from infra.webhooks.addresses import PublicAddresses, is_public
from infra.webhooks.post import ANSWER_BYTES, Answer, Post
from tests.webhooks.certified import contexts
from tests.webhooks.receiver import Receiver, receiver

pytestmark = pytest.mark.anyio


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    with receiver() as held:
        yield held


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "240.0.0.1"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1"),
        *("::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001::1"),
        "no address",
    ],
)
def test_private_addresses_are_told_whatever_they_are_wrapped_into(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"]
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


class Names(PublicAddresses):
    """Names that stand for other addresses each time they are looked up."""

    def __init__(self, *lookups: list[str], anywhere: bool = False) -> None:
        super().__init__(anywhere=anywhere)
        self.lookups = list(lookups)

    async def resolved(self, host: str, port: int) -> list[str]:
        return self.lookups.pop(0)


async def sent(post: Post, url: str) -> Answer:
    try:
        return await post.send(url, [(b"webhook-id", b"1")], b"{}")
    finally:
        await post.close()


async def test_a_name_of_a_private_address_gets_no_connection(inbox: Receiver) -> None:
    port = inbox.url.rpartition(":")[2]
    names = Names(["127.0.0.1", "10.0.0.1"])

    answer = await sent(Post(addresses=names), f"https://example.com:{port}/")

    assert answer == Answer(None, Failure.ADDRESS_NOT_PUBLIC)
    assert not inbox.letters


async def test_a_name_is_looked_up_once_and_that_address_connected_to(inbox: Receiver) -> None:
    """Were it looked up again for the connection, the second answer would be taken."""
    port = inbox.url.rpartition(":")[2]
    names = Names(["127.0.0.1"], anywhere=True)

    answer = await sent(
        Post(anywhere=True, addresses=names), f"http://rebinding.example:{port}/x?y=1"
    )

    assert answer == Answer(204)
    assert (names.lookups, inbox.letters[0].path) == ([], "/x?y=1")
    assert inbox.letters[0].headers["host"] == f"rebinding.example:{port}"


async def test_of_several_addresses_the_first_that_answers_is_taken(inbox: Receiver) -> None:
    port = inbox.url.rpartition(":")[2]
    names = Names(["::1", "127.0.0.1"], anywhere=True)

    assert await sent(Post(anywhere=True, addresses=names), f"http://x.example:{port}/") == Answer(
        204
    )


async def test_http_is_not_spoken_unless_it_is_allowed(inbox: Receiver) -> None:
    assert await sent(Post(), inbox.url) == Answer(None, Failure.NOT_HTTPS)
    assert not inbox.letters


async def test_a_certificate_that_nobody_vouches_for_is_a_failure(inbox: Receiver) -> None:
    """It speaks no TLS at all, which is no better."""
    url = inbox.url.replace("http:", "https:")

    assert await sent(Post(anywhere=True), url) == Answer(None, Failure.CONNECTION)


async def test_https_goes_to_the_address_that_was_looked_at_with_a_certificate_for_the_name(
    tmp_path: Path,
) -> None:
    receiving, trust = contexts(tmp_path, "hooks.example")
    with receiver(receiving) as inbox:
        port = inbox.url.rpartition(":")[2]
        answers = [
            await sent(
                Post(addresses=Names(["127.0.0.1"], anywhere=True), trust=trusted),
                f"https://{host}:{port}/x",
            )
            for host, trusted in (
                *(("hooks.example", trust), ("other.example", trust), ("hooks.example", None)),
            )
        ]

    assert answers == [Answer(204), *[Answer(None, Failure.CONNECTION)] * 2]
    assert [letter.path for letter in inbox.letters] == ["/x"]


async def test_a_redirect_is_not_followed(inbox: Receiver) -> None:
    inbox.status, inbox.headers = 307, {"Location": f"{inbox.url}/elsewhere"}

    assert await sent(Post(anywhere=True), f"{inbox.url}/here") == Answer(307, Failure.ANSWER)
    assert [letter.path for letter in inbox.letters] == ["/here"]


async def test_a_long_answer_is_left_unread(inbox: Receiver) -> None:
    inbox.status, inbox.body = 200, b"x" * (ANSWER_BYTES * 64)

    assert await sent(Post(anywhere=True), inbox.url) == Answer(200)


async def test_a_receiver_that_is_silent_is_waited_for_so_long_and_no_longer(
    inbox: Receiver,
) -> None:
    inbox.hold.clear()
    began = time.monotonic()

    assert await sent(Post(anywhere=True, seconds=0.3), inbox.url) == Answer(None, Failure.TIMEOUT)
    assert time.monotonic() - began < 20


async def test_nobody_there_is_a_failure() -> None:
    with receiver() as gone:
        url = gone.url

    assert await sent(Post(anywhere=True), url) == Answer(None, Failure.CONNECTION)
    assert await sent(Post(anywhere=True), "http://no.such.name.invalid/") == Answer(
        None, Failure.CONNECTION
    )


async def test_whom_to_trust_is_read_once(inbox: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes tens of milliseconds, in which the process does nothing else."""
    read: list[int] = []

    def reading() -> ssl.SSLContext:
        read.append(1)
        return ssl.create_default_context()

    monkeypatch.setattr(httpcore, "default_ssl_context", reading)
    post = Post(anywhere=True)
    for _ in range(3):
        await post.send(inbox.url.replace("http:", "https:"), [], b"{}")
    await post.close()

    assert read == [1]
