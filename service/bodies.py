"""Request bodies and query strings: strict, and clear about what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar.types import Receive

from domain.limits import BODY_BYTES
from service import wording
from service.problems import Code, ProblemError, fail, invalid

T = TypeVar("T")

_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_FIELD: Final = re.compile(r"^Object (?P<how>missing|contains)[a-z ]* field `(?P<field>.*)`$")
_STEP: Final = re.compile(r"\[(?P<index>\d+|\.\.\.)\]|\.(?P<name>[^.\[]+)")


async def read_body(receive: Receive, headers: dict[bytes, bytes]) -> bytes:
    """The whole body; raises ProblemError (413) as soon as it is known to be too large."""
    announced = headers.get(b"content-length", b"")
    if announced.isdigit() and int(announced) > BODY_BYTES:
        raise _too_large()
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise fail(Code.BAD_REQUEST, "The request ended before its body did.")
        body += message["body"]
        if len(body) > BODY_BYTES:
            raise _too_large()
        if not message["more_body"]:
            return body


def plain(body: bytes, content_type: bytes | None) -> Any:
    """A JSON body as plain values, its keys unique; raises ProblemError: 415, 400 or 422.

    msgspec takes repeated keys in silence, so a body is read by the standard library, which also
    tells malformed JSON from a wrong value; unless it is as simple as a command is.
    """
    media = (content_type or b"").partition(b";")[0].strip().lower()
    if media != b"application/json":
        raise fail(Code.UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json.")
    if (simple := _simple(body)) is not None:
        return simple
    try:
        return _plain.decode(body.decode())
    except UnicodeDecodeError:
        raise _malformed("it is not in UTF-8") from None
    except RecursionError:
        raise _malformed("it is nested too deeply") from None
    except ValueError as error:
        raise _malformed(str(error)) from None


def _simple(body: bytes) -> Any:
    """An object without objects in it, with as many keys as colons: so none is repeated."""
    try:
        found = _values.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if len(found) == body.count(b":") else None


def decode_body(body: bytes, kind: Any, given: Any) -> Any:
    """A body, also ``given`` as plain values, as a ``kind``; raises ProblemError: 400 or 422."""
    try:
        return _decoder(kind).decode(body)
    except msgspec.ValidationError as error:
        raise _invalid_value(str(error), kind, given) from None
    except msgspec.DecodeError:
        raise _malformed("a text in it has half a character") from None


def decode_query(raw: bytes, kind: type[T]) -> T:
    """A query string as a struct; raises ProblemError (422) naming the parameter."""
    pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True) if raw else []
    values = dict(pairs)
    if len(values) != len(pairs):
        raise invalid(f"?{_repeated([name for name, _ in pairs])}", "Give a parameter once.")
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        found = _invalid_value(str(error), kind, values, "parameter").problem.errors
        assert isinstance(found, tuple)
        detail = found[0].detail.replace(" or null", "")  # a parameter is rather left out
        raise invalid(found[0].pointer.replace("#/", "?"), detail) from None


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The query of an operation that takes no parameters."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        name = writable(_repeated([name for name, _ in pairs]))
        raise invalid(f"#/{_escape(name)}", f"The key `{name}` stands more than once.")
    return values


def writable(text: str) -> str:
    """The text as an answer can hold it: JSON may name half of a pair of surrogates."""
    return text.encode(errors="replace").decode()


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


_values: Final = msgspec.json.Decoder(dict[str, str | int | bool | None])
_plain: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _repeated(names: Sequence[str]) -> str:
    return next(name for name in names if names.count(name) > 1)


def _invalid_value(message: str, kind: Any, given: Any, what: str = "field") -> ProblemError:
    """Turn ``Expected `int`, got `str` - at `$.seat``` into a pointer and a sentence for readers.

    The decoder tells where the fault is; what is right there is told from the type.
    """
    found = _AT.match(message)
    assert found is not None
    way: list[wording.Step] = [
        int(step["index"]) if (step["index"] or "").isdigit() else step["name"]
        for step in _STEP.finditer(found["path"] or "")
    ]
    pointer = "".join("/" + _escape("..." if one is None else str(one)) for one in way)
    field = _FIELD.match(found["what"])
    if field is None:
        return invalid(f"#{pointer}", wording.value_must_be(kind, way, given))
    name, pointer = field["field"], f"#{pointer}/{_escape(field['field'])}"
    if field["how"] == "missing":
        return invalid(pointer, wording.field_must_be_there(kind, way, given, name))
    return invalid(pointer, wording.fields_there_are(kind, way, given, what))


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _malformed(why: str) -> ProblemError:
    return fail(Code.MALFORMED_JSON, f"The body is not well-formed JSON: {why}.")


def _too_large() -> ProblemError:
    return fail(Code.BODY_TOO_LARGE, f"A body is at most {BODY_BYTES} bytes.")
