"""JSON Schema (draft 2020-12) of the types that `bind` reads, for editors and for the reference.

msgspec's own `schema` can't do it: it knows no unions with types of ours. Editors read YAML with
types, where we read text, so a text may be a number or a flag to them.
"""

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from stonehand.source.bind import Ref, field_types
from stonehand.source.text import Node
from stonehand.source.units import JSON_SCHEMA, Length

SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean"]}


def json_schema(to: Any) -> dict[str, Any]:
    """Return the schema of a type, with the Structs it is made of under `$defs`."""
    definitions: dict[str, Any] = {}
    schema = _schema(to, definitions)
    return schema | {"$defs": dict(sorted(definitions.items()))}


def _schema(to: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = get_origin(to), get_args(to)
    if origin is Annotated:
        schema = dict(_schema(arguments[0], definitions))
        for meta in arguments[1:]:
            told = {"description": meta.description, "minimum": meta.ge, "maximum": meta.le}
            schema |= {key: value for key, value in told.items() if value is not None}
        return schema
    if to is Any or to == Node:
        return {}
    if origin in (Union, types.UnionType):
        options = [_schema(one, definitions) for one in arguments]
        different = [s for i, s in enumerate(options) if s not in options[:i]]
        return different[0] if len(different) == 1 else {"anyOf": different}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (list, tuple):
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    return _plain(to, definitions)


def _plain(to: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if issubclass(to, msgspec.Struct):
        if to.__name__ not in definitions:
            definitions[to.__name__] = {}  # a type may hold itself
            definitions[to.__name__] = _struct(to, definitions)
        return {"$ref": f"#/$defs/{to.__name__}"}
    if issubclass(to, Length):
        return JSON_SCHEMA
    if issubclass(to, Ref):
        return {"type": "string", "pattern": r"^\$[^$]"}
    if to is bool:  # to YAML 1.2, which most editors have, `yes` is a text
        return {"enum": [True, False, "yes", "no"]}
    plain = {type(None): "null", int: "integer", float: "number"}
    return {"type": plain[to]} if to in plain else SCALAR


def _struct(to: type[msgspec.Struct], definitions: dict[str, Any]) -> dict[str, Any]:
    fields = {name: _schema(kind, definitions) for name, (_, kind) in field_types(to).items()}
    required = [field.encode_name for field in msgspec.structs.fields(to) if field.required]
    tag = to.__struct_config__.tag_field
    if tag:
        fields = {tag: {"const": to.__struct_config__.tag}, **fields}
        required = [tag, *required]
    schema: dict[str, Any] = {
        "type": "object",
        "description": (to.__doc__ or "").strip(),
        "properties": fields,
        "additionalProperties": False,
    }
    return schema | ({"required": required} if required else {})
