"""Write docs/reference.md from the code: `python docs/make_reference.py`.

Everything on that page comes from the types that files are read as, the shipped tables and the
commands themselves; tests/test_docs.py fails where the page is older than they are.
"""

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
import msgspec

from stonehand.cards.game import Players
from stonehand.cards.template import AnyElement, Container, Element, Shape, load_sizes
from stonehand.cli import COMMANDS, stonehand
from stonehand.project import shipped_content
from stonehand.schema import FILES
from stonehand.sheets.papers import load_papers
from stonehand.source.bind import Ref, Spec, field_types
from stonehand.source.problems import Problems
from stonehand.source.text import Node, Text
from stonehand.source.units import FixedGap, FixedSize, Gap, Length, Size

PAGE = Path(__file__).with_name("reference.md")
HEAD = """\
# Reference

*This page is made from the code by `docs/make_reference.py`.*

Every field of every file, every command and its options, and the named sizes. How to use them is
told in the [tutorial](tutorial.md) and in the [pages by task](index.md).

**Values.** A *text* is taken as it stands: `001` stays `001` and `no` stays `no`. A *length* is a
number with a unit: `5mm`, `0.5cm`, `0.2in`, `9pt`, or `50%` of what it is measured in; only `0`
needs none. A *size* is a length above zero. *Yes or no* is written `yes`, `no`, `true` or `false`.
A *reference* such as `$art` stands for a field of the card; in a text, `$name` and `${name}` are
replaced by the field's value, and `$$` is a dollar sign.
"""
PLAIN: dict[Any, str] = {
    Text: "text",
    str: "text",
    int: "whole number",
    float: "number",
    bool: "yes or no",
    Length: "length",
    Gap: "length from 0",
    FixedGap: "length from 0, no `%`",
    Size: "size",
    FixedSize: "size, no `%`",
    Ref: "reference",
    Players: "numbers of players",
    Node: "any value",
}


def render() -> str:
    """Return the page."""
    seen: set[type] = set()
    parts = [HEAD, "## Files\n"]
    for files, to in FILES.values():
        parts += _file(files, to, seen)
    parts += ["## Elements of templates\n", *_elements()]
    parts += ["## Named card sizes\n", _sizes()]
    parts += ["## Named papers\n", _papers()]
    parts += ["## Commands\n", *(part for name in COMMANDS for part in _commands(name))]
    return "\n".join(parts)


def _file(files: str, to: Any, seen: set[type]) -> Iterator[str]:
    spec = get_args(to)[1] if get_origin(to) is dict else to
    title = f"`{files}`" if files.endswith(".yaml") else files[0].upper() + files[1:]
    yield f"### {title}\n"
    if spec is not to:
        yield f"Names, each with a {_link(spec)}.\n"
    todo = [spec]
    while todo:
        one = todo.pop(0)
        if one in seen:
            continue
        seen.add(one)
        if one is not to:
            yield f"#### {one.__name__}\n"
        yield f"{_doc(one)}\n"
        base = one.__mro__[1]
        if base is not Spec:
            yield f"It has the fields of {_link(base)}, and:\n"
            todo.insert(0, base)
        yield _table(one, _own(one, base) if base is not Spec else one.__struct_fields__)
        todo += [part for part in _parts(one) if part not in seen]


def _parts(spec: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yield the mappings that a mapping's fields hold, elements apart."""
    for _, annotation in field_types(spec).values():
        yield from (s for s in _structs(annotation) if not issubclass(s, Element))


def _structs(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        yield annotation
    for part in get_args(annotation):
        yield from _structs(part)


def _elements() -> Iterator[str]:
    yield f"### All elements\n\n{_doc(Element)}\n"
    yield "`draw` says which element it is.\n"
    yield _table(Element, Element.__struct_fields__)
    for base, title in ((Shape, "Outlines"), (Container, "Containers")):
        names = _names(e for e in get_args(AnyElement) if issubclass(e, base))
        yield f"### {title}\n\n{_doc(base)} These are {names}.\n"
        yield _table(base, _own(base, Element))
    for element in get_args(AnyElement):
        base = next(b for b in (Shape, Container, Element) if issubclass(element, b))
        yield f"### `{element.__struct_config__.tag}`\n\n{_doc(element)}\n"
        own = _own(element, base)
        yield _table(element, own) if own else "It has no further fields.\n"


def _names(elements: Iterable[type[Element]]) -> str:
    *most, last = (f"`{element.__struct_config__.tag}`" for element in elements)
    return f"{', '.join(most)} and {last}"


def _own(spec: type[msgspec.Struct], base: type[msgspec.Struct]) -> list[str]:
    return [name for name in spec.__struct_fields__ if name not in base.__struct_fields__]


def _table(spec: type[msgspec.Struct], names: Iterable[str]) -> str:
    rows = ["| field | value | default | meaning |", "|---|---|---|---|"]
    fields = {field.name: field for field in msgspec.structs.fields(spec)}
    types = {attribute: (written, hint) for written, (attribute, hint) in field_types(spec).items()}
    for name in names:
        written, annotation = types[name]
        metas = [m for m in get_args(annotation)[1:] if isinstance(m, msgspec.Meta)]
        if get_origin(annotation) is not Annotated or not metas:
            continue  # set by the program, not written in files
        meta = metas[0]
        value = _type(get_args(annotation)[0]) + _range(meta)
        cells = (f"`{written}`", value, _default(fields[name]), meta.description or "")
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def _type(annotation: Any) -> str:
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation in PLAIN:
        return PLAIN[annotation]
    if origin is Annotated:
        return _type(args[0])
    if origin in (Union, UnionType):
        if any(isinstance(a, type) and issubclass(a, Element) for a in args):
            return "[element](#elements-of-templates)"
        return " or ".join(dict.fromkeys(_type(arg) for arg in args if arg is not NoneType))
    if origin is Literal:
        return ", ".join(f"`{arg}`" for arg in args)
    if origin is tuple:
        return f"list of {_plural(args[0])}"
    if origin is dict:
        return f"names with {_plural(args[1])}"
    return _link(annotation)


def _plural(annotation: Any) -> str:
    one = _type(annotation)
    if one in ("text", "any value", "length", "size"):
        return f"{one}s"
    return f"({one})" if " or " in one or " of " in one else one


def _link(spec: type[msgspec.Struct]) -> str:
    return f"[{spec.__name__}](#{spec.__name__.lower()})"


def _range(meta: msgspec.Meta) -> str:
    if meta.ge is None:
        return ""
    return f", {meta.ge:g} to {meta.le:g}" if meta.le is not None else f", at least {meta.ge:g}"


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "*required*"
    shown = _shown(field.default) if field.default is not msgspec.NODEFAULT else ""
    return f"`{shown}`" if shown else ""


def _shown(value: Any) -> str:
    if isinstance(value, Length):
        mm = f"{value.mm:g}mm" if value.mm else "0"
        return f"{value.share * 100:g}%" if value.share else mm
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]" if value else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def _doc(spec: type) -> str:
    paragraphs = inspect.cleandoc(spec.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _sizes() -> str:
    sizes = load_sizes([shipped_content() / "layouts/sizes.yaml"], Problems())
    rows = ["| name | width x height, mm | corner, mm | note |", "|---|---|---|---|"]
    for name, size in sizes.items():
        measure = f"{size.width.mm:g} x {size.height.mm:g}"
        rows.append(f"| `{name}` | {measure} | {size.corner.mm:g} | {size.note or ''} |")
    return "\n".join(rows) + "\n"


def _papers() -> str:
    papers = load_papers([shipped_content() / "layouts/papers.yaml"], Problems())
    rows = ["| name | width x height, mm | note |", "|---|---|---|"]
    for name, paper in papers.items():
        measure = f"{paper.width.mm:g} x {paper.height.mm:g}"
        rows.append(f"| `{name}` | {measure} | {paper.note or ''} |")
    return "\n".join(rows) + "\n"


def _commands(name: str) -> Iterator[str]:
    """Yield what is told of a command, and of the commands in it."""
    command = stonehand.get_command(click.Context(stonehand, info_name="stonehand"), name)
    assert command is not None
    yield _command(name, command)
    if isinstance(command, click.Group):
        for inner, one in command.commands.items():
            yield _command(f"{name} {inner}", one)


def _command(name: str, command: click.Command) -> str:
    ctx = click.Context(command, info_name=f"stonehand {name}", **stonehand.context_settings)
    usage = " ".join(command.collect_usage_pieces(ctx))
    parts = [f"### `stonehand {name}`\n", f"```text\nstonehand {name} {usage}\n```\n"]
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")):
        if paragraph.startswith(("\\b", "\b")):
            lines = paragraph.split("\n")[1:]
            if not lines[0].startswith(" "):
                parts.append(f"{lines.pop(0)}\n")
            code = textwrap.dedent("\n".join(lines))
            parts.append(f"```text\n{code}\n```\n")
        else:
            parts.append(" ".join(paragraph.split()) + "\n")
    options = [p for p in command.params if isinstance(p, click.Option)]
    rows = ["| option | meaning |", "|---|---|", *map(_option, options)]
    if not options:
        rows = [] if isinstance(command, click.Group) else ["It has no options."]
    return "\n".join([*parts, *rows]).rstrip() + "\n"


def _option(option: click.Option) -> str:
    flags = ", ".join(f"`{flag}`" for flag in sorted(option.opts, key=len))
    if isinstance(option.type, click.Choice):
        value = f" {', '.join(f'`{choice}`' for choice in option.type.choices)}"
    elif isinstance(option.type, click.FloatRange):
        value = f" a number from {option.type.min:g} to {option.type.max:g}"
    else:
        value = "" if option.is_flag else f" `{option.metavar or option.type.name.upper()}`"
    default = f" Default: `{option.default}`." if option.show_default else ""
    return f"| {flags}{value} | {option.help}{default} |"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
