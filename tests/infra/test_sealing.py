"""What is sealed opens with the same key in the same place, and nowhere else."""

from __future__ import annotations

import base64

import pytest

from infra.sealing import BrokenSeal, Sealer, SealKeyError, key_from, new_key, round_context

KEY = bytes(range(224, 256))
STREAM = b"s" * 16


def test_what_was_sealed_is_opened() -> None:
    sealed = Sealer(KEY).seal(b"a seed", round_context(STREAM, 1))
    assert b"a seed" not in sealed
    assert Sealer(KEY).open(sealed, round_context(STREAM, 1)) == b"a seed"


def test_the_same_value_never_looks_the_same() -> None:
    sealer = Sealer(KEY)
    assert len({sealer.seal(b"a seed", b"") for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("stream", "number", "key"),
    [(STREAM, 2, KEY), (b"t" * 16, 1, KEY), (STREAM, 1, new_key())],
    ids=["another round", "another stream", "another key"],
)
def test_a_seal_holds_in_its_own_place_only(stream: bytes, number: int, key: bytes) -> None:
    sealed = Sealer(KEY).seal(b"a seed", round_context(STREAM, 1))
    with pytest.raises(BrokenSeal):
        Sealer(key).open(sealed, round_context(stream, number))


def test_a_changed_or_cut_value_is_noticed() -> None:
    sealer = Sealer(KEY)
    sealed = sealer.seal(b"a seed", b"")
    for at in range(len(sealed)):
        with pytest.raises(BrokenSeal):
            sealer.open(sealed[:at] + bytes((sealed[at] ^ 1,)) + sealed[at + 1 :], b"")
        with pytest.raises(BrokenSeal):
            sealer.open(sealed[:at], b"")


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(KEY).decode(),
        base64.urlsafe_b64encode(KEY).decode(),
        base64.urlsafe_b64encode(KEY).decode().rstrip("="),
        f"  {base64.b64encode(KEY).decode()}\n",
    ],
)
def test_a_key_is_read_in_every_usual_form_of_base64(text: str) -> None:
    assert key_from(text) == KEY


@pytest.mark.parametrize(
    "text",
    ["", "short", "a passphrase, and no key", base64.b64encode(KEY + b"1").decode(), "é" * 43],
)
def test_anything_else_is_no_key(text: str) -> None:
    with pytest.raises(SealKeyError):
        key_from(text)


def test_the_id_of_a_key_tells_keys_apart_and_nothing_more() -> None:
    ids = {Sealer(new_key()).key_id for _ in range(50)}
    assert len(ids) == 50
    assert {len(id) for id in ids} == {16}
