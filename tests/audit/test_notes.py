"""Signed notes: a published one, checkpoints, and the lines of witnesses."""

from __future__ import annotations

import msgspec
import pytest

from domain.audit.notes import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    Note,
    NoteError,
    NoteKey,
    checkpoint_in,
    cosigned,
    is_signed_by,
    key_from,
    opened,
    signed,
)
from infra.signing import SigningKey, is_signed

PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SAID = """\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""  # noqa: E501 (published with Go's sumdb/note)
BEHIND_THE_SOFA = """\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""  # noqa: E501 (the example of c2sp.org/tlog-cosignature)
LOG = SigningKey(bytes(range(32)))
WITNESS = SigningKey(bytes(range(1, 33)))
STANDS = Checkpoint("talon/test", 1_234, bytes(range(32)))


def test_a_published_note_is_signed_by_its_published_key() -> None:
    note, key = opened(SAID), key_from(PETER)
    assert is_signed_by(note, key, is_signed)
    assert (str(note), str(key)) == (SAID, PETER)
    changed = msgspec.structs.replace(note, text=note.text.replace("problem", "question"))
    assert not is_signed_by(changed, key, is_signed)


def test_a_published_checkpoint_is_read_and_written_as_it_was() -> None:
    note = opened(BEHIND_THE_SOFA)
    found = checkpoint_in(note)
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert found.text() == note.text
    assert str(note) == BEHIND_THE_SOFA
    assert [one.name for one in note.signatures] == [found.origin, "witness.example.com/w1"]


def test_a_checkpoint_is_signed_in_the_name_of_its_origin() -> None:
    note = signed(STANDS, LOG)
    key = NoteKey("talon/test", ED25519, LOG.public_key)
    assert checkpoint_in(opened(str(note))) == STANDS
    assert is_signed_by(opened(str(note)), key, is_signed)
    assert not is_signed_by(note, NoteKey("talon/other", ED25519, LOG.public_key), is_signed)
    assert not is_signed_by(note, NoteKey("talon/test", ED25519, WITNESS.public_key), is_signed)


def test_a_witness_adds_its_line_with_the_time() -> None:
    note = signed(STANDS, LOG)
    line = cosigned(note.text, "witness/w1", WITNESS, 1_679_315_147)
    both = opened(str(Note(note.text, (*note.signatures, line))))
    assert is_signed_by(both, NoteKey("witness/w1", COSIGNATURE, WITNESS.public_key), is_signed)
    assert is_signed_by(both, NoteKey("talon/test", ED25519, LOG.public_key), is_signed)
    later = msgspec.structs.replace(line, value=bytes(8) + line.value[8:])
    forged = Note(note.text, (later,))
    assert not is_signed_by(
        forged, NoteKey("witness/w1", COSIGNATURE, WITNESS.public_key), is_signed
    )


def test_a_wrong_line_beside_a_right_one_spoils_the_note() -> None:
    note, key = signed(STANDS, LOG), NoteKey("talon/test", ED25519, LOG.public_key)
    wrong = msgspec.structs.replace(note.signatures[0], value=bytes(64))
    assert not is_signed_by(Note(note.text, (*note.signatures, wrong)), key, is_signed)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name AAAA\n",
        "text\n\n- name AAAAAAAA\n",
        "text\n\n— na+me AAAAAAAA\n",
        "text\n\n— name AAAAAAAA",
        "te\txt\n\n— name AAAAAAAA\n",
        "text\n\n" + "— name AAAAAAAA\n" * 65,
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        opened(text)


@pytest.mark.parametrize(
    "text",
    ["origin\n1\n", "origin\n01\n{}\n", "origin\n-1\n{}\n", "\n1\n{}\n", "origin\n1\nAAAA\n"],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        checkpoint_in(Note(text.format("A" * 43 + "="), ()))


@pytest.mark.parametrize("text", ["", "name", "name+00000000+AAAA", PETER.replace("c74f", "c74e")])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        key_from(text)
