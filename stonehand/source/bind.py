"""From a tree of texts to typed values: each field of a Struct checked where it stood.

msgspec's own `convert` stops at the first fault and knows no places; this walks the same type
annotations, reports every fault with file, line and column, and names the nearest valid word.
`json_schema` walks them too, for editors.
"""

import re
import types
from collections.abc import Iterable
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NoReturn,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from stonehand.source.problems import Location, Problems, did_you_mean
from stonehand.source.text import NOWHERE, Fields, Items, Node, Text

_T = TypeVar("_T")
_EMPTY = "write \"\" for an empty text, and quotes around one that begins with '#'"
_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})")


class Spec(
    msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False, forbid_unknown_fields=True
):
    """Base of everything that is written as a mapping; remembers where it stood."""

    @property
    def at(self) -> Location:
        """The place of the mapping in its file."""
        at: Location = self.__dict__.get("at", NOWHERE)
        return at


class Ref(Text):
    """A text that begins with `$`: it stands for a field's value, whatever its type."""

    __slots__ = ()


_S = TypeVar("_S", bound=Spec)


def laid_over(base: _S, over: Spec | None, names: tuple[str, ...]) -> _S:
    """Return a mapping in which the named fields that `over` sets replace those of `base`."""
    if over is None:
        return base
    own = {name: value for name in names if (value := getattr(over, name)) is not None}
    made = msgspec.structs.replace(base, **own)
    made.__dict__["at"] = over.at if own else base.at
    return made


class _Bad(Exception):
    """The value could not be made; its fault has been reported."""


def bind(node: Node, to: type[_T], problems: Problems) -> _T | None:
    """Return the value of type `to` that a tree spells, or None when that was reported as wrong."""
    try:
        value: _T = _bind(node, to, problems)
    except _Bad:
        return None
    return value


def bind_table(node: Node, to: type[_T], problems: Problems) -> dict[str, _T]:
    """Return the values of a file that holds names, each with a value of type `to`."""
    if not isinstance(node, Fields):
        problems.error(node.at, "names with values are expected here", "write 'name: value'")
        return {}
    bound = {name: bind(value, to, problems) for name, value in node.items()}
    return {name: value for name, value in bound.items() if value is not None}


@cache
def field_types(struct: type[msgspec.Struct]) -> dict[str, tuple[str, Any]]:
    """Return the written name of each field with its attribute name and full annotation."""
    hints = get_type_hints(struct, include_extras=True)
    names = zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True)
    return {written: (attribute, hints[attribute]) for written, attribute in names}


@cache
def _required(struct: type[msgspec.Struct]) -> frozenset[str]:
    """Return the written names of the fields that must be there."""
    return frozenset(f.encode_name for f in msgspec.structs.fields(struct) if f.required)


def _bind(node: Node, to: Any, problems: Problems) -> Any:
    origin = get_origin(to)
    if origin is Annotated:
        value = _bind(node, get_args(to)[0], problems)
        _check_range(node, value, get_args(to)[1:], problems)
        return value
    if to is Node or to is Any:
        return node
    if origin in (Union, types.UnionType):
        return _bind_union(node, get_args(to), problems)
    if origin is Literal:
        text = _scalar(node, problems)
        if text not in get_args(to):
            _bad(problems, text.at, f"unknown value '{text}'", did_you_mean(text, get_args(to)))
        return str(text)
    if origin in (list, tuple):
        if not isinstance(node, Items):
            _bad(problems, node.at, "a list is expected here", "write [a, b] or lines with '- '")
        return tuple(_each([(item, get_args(to)[0]) for item in node], problems))
    if origin is dict:
        if not isinstance(node, Fields):
            _bad(problems, node.at, "names with values are expected here", "write 'name: value'")
        values = _each([(value, get_args(to)[1]) for value in node.values()], problems)
        return dict(zip(node, values, strict=True))
    if isinstance(to, type) and issubclass(to, msgspec.Struct):
        return _bind_struct(node, to, problems)
    return _bind_scalar(_scalar(node, problems), to, problems)


def _each(pairs: Iterable[tuple[Node, Any]], problems: Problems) -> list[Any]:
    """Bind several values so that the faults of all are reported before giving up."""
    values, whole = [], True
    for node, to in pairs:
        try:
            values.append(_bind(node, to, problems))
        except _Bad:
            whole = False
    if not whole:
        raise _Bad
    return values


def _bind_struct(node: Node, to: type[msgspec.Struct], problems: Problems) -> msgspec.Struct:
    if not isinstance(node, Fields):
        _bad(problems, node.at, "names with values are expected here", "write 'name: value'")
    known = field_types(to)
    tag = to.__struct_config__.tag_field
    values: dict[str, Any] = {}
    whole = True
    for key, value in node.items():
        if key == tag:
            continue
        if key not in known:
            problems.error(key.at, f"unknown field '{key}'", did_you_mean(key, known))
            whole = False
            continue
        attribute, annotation = known[key]
        try:
            values[attribute] = _bind(value, annotation, problems)
        except _Bad:
            whole = False
    for name in sorted(_required(to) - set(node)):
        problems.error(node.at, f"'{name}' is missing")
        whole = False
    if not whole:
        raise _Bad
    made = to(**values)
    if isinstance(made, Spec):
        made.__dict__["at"] = node.at
    return made


def _bind_union(node: Node, options: tuple[Any, ...], problems: Problems) -> Any:
    if isinstance(node, Text):
        if node.empty and type(None) in options:
            return None
        if Ref in options and node.startswith("$") and not node.startswith("$$"):
            return Ref(node, node.at)
    rest = [option for option in options if option not in (type(None), Ref)]
    structs = [o for o in rest if isinstance(o, type) and issubclass(o, msgspec.Struct)]
    if isinstance(node, Fields) and len(structs) > 1:
        return _bind_tagged(node, structs, problems)
    if isinstance(node, Fields) and structs:
        return _bind(node, structs[0], problems)
    listed = [o for o in rest if get_origin(o) in (list, tuple)]
    if isinstance(node, Items) and listed:
        return _bind(node, listed[0], problems)
    mapped = [o for o in rest if get_origin(o) is dict]
    if isinstance(node, Fields) and mapped:
        return _bind(node, mapped[0], problems)
    plain = [o for o in rest if o not in structs and o not in listed and o not in mapped]
    words = [o for o in plain if get_origin(o) is Literal and node in get_args(o)]
    if words:
        return _bind(node, words[0], problems)
    if Ref in options and isinstance(node, Text) and not plain:
        _bad(problems, node.at, f"'{node}' is no reference to a field", f"write ${node}")
    return _bind(node, (plain or rest)[0], problems)


def _bind_tagged(node: Fields, structs: list[type[msgspec.Struct]], problems: Problems) -> Any:
    tag_field = structs[0].__struct_config__.tag_field or ""
    by_tag = {str(struct.__struct_config__.tag): struct for struct in structs}
    tag = node.get(Text(tag_field))
    if not isinstance(tag, Text) or tag.empty:
        at = tag.at if tag is not None else node.at
        _bad(problems, at, f"'{tag_field}' is missing", f"one of {', '.join(sorted(by_tag))}")
    if tag not in by_tag:
        hint = did_you_mean(tag, by_tag)
        _bad(problems, tag.at, f"unknown {tag_field} '{tag}'", hint)
    return _bind(node, by_tag[tag], problems)


def _scalar(node: Node, problems: Problems) -> Text:
    if not isinstance(node, Text):
        _bad(problems, node.at, "one value is expected here, not several")
    if node.empty:
        _bad(problems, node.at, "a value is missing", _EMPTY)
    return node


def _bind_scalar(text: Text, to: Any, problems: Problems) -> Any:
    try:
        if hasattr(to, "parse"):
            return to.parse(text)
        if to is bool:
            return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
        if to is int:
            return int(text) if _WHOLE.fullmatch(text) else _no()
        if to is float:
            return float(text) if _NUMBER.fullmatch(text) else _no()
    except ValueError as error:
        message, hint = error.args if len(error.args) == 2 else (str(error), "")
        _bad(problems, text.at, message, hint)
    except KeyError:
        _bad(problems, text.at, f"'{text}' is neither yes nor no")
    except _NotANumber:
        kind = "a whole number" if to is int else "a number"
        _bad(problems, text.at, f"'{text}' is not {kind}")
    return text


class _NotANumber(Exception):
    pass


def _no() -> NoReturn:
    raise _NotANumber


def _check_range(node: Node, value: Any, metas: tuple[Any, ...], problems: Problems) -> None:
    for meta in metas:
        if not isinstance(meta, msgspec.Meta):
            continue
        if meta.min_length and isinstance(value, tuple | dict) and len(value) < meta.min_length:
            _bad(problems, node.at, "the list is empty")
        if isinstance(value, int | float):
            low, high = meta.ge, meta.le
            if (low is not None and value < low) or (high is not None and value > high):
                limits = f"from {low} to {high}" if high is not None else f"at least {low}"
                written = node if isinstance(node, Text) else value
                _bad(problems, node.at, f"{written} is out of range", limits)


def _bad(problems: Problems, at: Location, message: str, hint: str = "") -> NoReturn:
    problems.error(at, message, hint)
    raise _Bad
