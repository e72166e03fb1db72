"""What a value has to be, in the words of whoever sends it: never those of the program.

Not here: how a value is decoded and which field is wrong (``service.bodies``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

from msgspec import inspect

from domain.cards import Card

Step = int | str | None
"""One step of the way into a value: an index, a name, or some key of an object."""

_LISTED_MAX: Final = 20
_SPECIAL: Final = {
    Card: "a card's code, such as `R5` or `W4` (GET /v1/cards lists them)",
    "^[A-Za-z0-9_-]*$": "base64url without padding: letters, digits, `-` and `_`",
    "^postgres(ql)?://": "a URL that begins with postgresql://",
    "^(rediss?|unix)://": "a URL that begins with redis://, rediss:// or unix://",
    "^[A-Za-z0-9_.-]{1,64}$": "1 to 64 letters, digits, `_`, `.` and `-`",
}
"""What would be said badly from the type alone: faces of cards, patterns of texts."""


def value_must_be(kind: Any, way: Sequence[Step], given: Any) -> str:
    """A sentence on what the value at the end of ``way`` must be; ``given`` is the whole value."""
    return f"This must be {_words(_at(kind, way, given))}."


def field_must_be_there(kind: Any, way: Sequence[Step], given: Any, name: str) -> str:
    """A sentence on the field that is missing in the object at ``way``."""
    return f"`{name}` is missing; it must be {_words(_at(kind, (*way, name), given))}."


def fields_there_are(kind: Any, way: Sequence[Step], given: Any, what: str) -> str:
    """A sentence on the fields that the object at ``way`` may have, in place of an unknown one."""
    known = _fields(_at(kind, way, given))
    return f"There is no such {what}; there {_are(known)}."


@cache
def _type(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _at(kind: Any, way: Sequence[Step], given: Any) -> inspect.Type:
    found = _chosen(_type(kind), given)
    for step in way:
        found = _chosen(_inner(found, step), _part(given, step))
        given = _part(given, step)
    return found


def _chosen(found: inspect.Type, given: Any) -> inspect.Type:
    """Without what is only said about it; of several kinds of object, the one that is named."""
    while isinstance(found, inspect.Metadata):
        extra = found.extra_json_schema or {}
        if "description" in extra and isinstance(found.type, inspect.StrType):
            return found
        found = found.type
    if isinstance(found, inspect.UnionType):
        tagged = [one for one in found.types if isinstance(one, inspect.StructType)]
        for one in tagged:
            named = isinstance(given, dict) and one.tag_field and given.get(one.tag_field)
            if (len(tagged) == 1 and isinstance(given, dict)) or (named and named == one.tag):
                return one
    return found


def _inner(found: inspect.Type, step: Step) -> inspect.Type:
    if isinstance(found, inspect.UnionType):
        return inspect.LiteralType(_tags(found))
    if isinstance(found, inspect.StructType):
        if step == found.tag_field:
            return inspect.LiteralType((found.tag,))
        return next((one.type for one in found.fields if one.encode_name == step), _ANYTHING)
    if isinstance(found, inspect.ListType | inspect.VarTupleType):
        return found.item_type
    return _ANYTHING


def _part(given: Any, step: Step) -> Any:
    try:
        return given[step]
    except (KeyError, IndexError, TypeError):
        return None


def _tags(found: inspect.UnionType) -> tuple[Any, ...]:
    return tuple(one.tag for one in found.types if isinstance(one, inspect.StructType))


def _fields(found: inspect.Type) -> list[str]:
    if not isinstance(found, inspect.StructType):
        return []
    tag = [found.tag_field] if found.tag_field else []
    return tag + [one.encode_name for one in found.fields]


def _words(found: inspect.Type) -> str:
    match found:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            more = extra or {}
            said, examples = more.get("description"), more.get("examples", ())
            if not said or not isinstance(inner, inspect.StrType):
                return _words(inner)
            is_shown = examples and inner.pattern not in _SPECIAL and inner.max_length is None
            such = f" such as `{examples[0]}`" if is_shown else ""
            return f"{_words(inner)}{such}: {_lower(said)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case inspect.IntType():
            return _number(found)
        case inspect.StrType():
            return _text(found)
        case inspect.EnumType(cls=kind):
            return _SPECIAL.get(kind) or _one_of(one.value for one in kind)
        case inspect.LiteralType(values=values):
            return _one_of(values)
        case inspect.DateTimeType():
            return "a time with its offset, such as `2026-11-30T12:00:00Z`"
        case inspect.ListType() | inspect.VarTupleType():
            return f"an array{_length(found)}, each {_words(_chosen(found.item_type, None))}"
        case inspect.UnionType(types=types):
            if len(_tags(found)) > 1:
                return f"an object whose `type` is {_one_of(_tags(found))}"
            return " or ".join(_words(one) for one in types)
        case inspect.StructType():
            return "an object"
        case _:
            return "something else"


def _length(found: inspect.ListType | inspect.VarTupleType) -> str:
    least, most = found.min_length, found.max_length
    if least is not None and most is not None:
        return f" of {least} to {most}"
    return "" if most is None else f" of at most {most}"


def _number(found: inspect.IntType) -> str:
    least, most = found.ge, found.le
    if most is None and found.lt is not None:
        most = found.lt - 1
    if least is not None and most is not None:
        return f"an integer from {least} to {most}"
    return "an integer" if least is None else f"an integer of at least {least}"


def _text(found: inspect.StrType) -> str:
    if found.pattern in _SPECIAL:
        most = "" if found.max_length is None else f", at most {found.max_length} of them"
        return _SPECIAL[found.pattern] + most
    if found.max_length is None:
        return "a text"
    return f"a text of {found.min_length or 0} to {found.max_length} characters"


def _one_of(values: Iterable[Any]) -> str:
    shown = [f"`{value}`" for value in values]
    if len(shown) == 1:
        return shown[0]
    return f"one of {', '.join(shown[:_LISTED_MAX])}"


def _are(names: list[str]) -> str:
    if not names:
        return "are none"
    verb = "is" if len(names) == 1 else "are"
    return f"{verb} {', '.join(f'`{name}`' for name in names)}"


def _lower(said: str) -> str:
    return said[0].lower() + said[1:].rstrip(".")


_ANYTHING: Final = inspect.AnyType()
