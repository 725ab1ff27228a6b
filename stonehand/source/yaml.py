"""The one door through which YAML is read: text, with places, and nothing else.

PyYAML's C parser does the work; no implicit types (so `001`, `no` and `1:30` stay as written), no
tags, no merge keys. A file can't exhaust the machine: size, depth and what aliases expand to are
bounded, and an alias inside itself is refused (PyYAML bounds neither, yaml/pyyaml issue 235).
"""

import re
from pathlib import Path
from typing import Any

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]

from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems, fault
from stonehand.source.text import Fields, Items, Node, Text

MAX_DEPTH = 64
MAX_VALUES = 1_000_000  # of one file; each takes some 500 bytes while it is read
MAX_ALIASED = 100_000  # values that aliases may add to a file
MAX_DIRECTIVES = 1000  # lines that begin with '%': libyaml compares each with all before it

# what YAML refuses, and the three characters it takes for line breaks that no editor counts
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)


class _TextComposer(CParser):
    """The C parser's composer, told that every untagged value is what it looks like: text."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text)
        self.file = file
        self.values = 0

    def resolve(self, kind: type, value: str, implicit: tuple[bool, bool]) -> str:
        self.values += 1
        if self.values > MAX_VALUES:
            raise fault(Location(self.file), f"the file has more than {MAX_VALUES:,} values")
        return ""

    def descend_resolver(self, parent: Any, index: Any) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def load(path: Path) -> Node:
    """Return the content of a YAML file; all its faults are raised together."""
    return parse(read_text(path), shown(path))


def parse(text: str, file: str) -> Node:
    """Return the tree of a YAML text; `file` is the name that its places carry."""
    if unseen := _UNSEEN.search(text):
        before = text[: unseen.start()]
        at = Location(file, before.count("\n") + 1, unseen.start() - (before.rfind("\n") + 1) + 1)
        raise fault(at, f"U+{ord(unseen[0]):04X} in a text file", "remove the character")
    if text.count("\n%") > MAX_DIRECTIVES:
        raise fault(Location(file), f"more than {MAX_DIRECTIVES:,} lines begin with '%'")
    try:
        root = _TextComposer(text, file).get_single_node()
    except yaml.MarkedYAMLError as error:
        raise _reworded(error, text, file) from None
    except RecursionError:
        raise fault(Location(file), f"nested deeper than {MAX_DEPTH} levels") from None
    if root is None:
        raise fault(Location(file), "the file is empty")
    problems = Problems()
    tree = _Reader(file, problems).node(root, 0)
    problems.raise_errors()
    return tree


class _Reader:
    def __init__(self, file: str, problems: Problems) -> None:
        self.file = file
        self.problems = problems
        self.open: set[int] = set()
        self.seen: set[int] = set()
        self.aliased = 0
        self.texts: dict[int, Text] = {}

    def at(self, node: yaml.Node) -> Location:
        return Location(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def node(self, node: yaml.Node, depth: int) -> Node:
        at = self.at(node)
        if node.tag:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            self.problems.error(at, "tags are not allowed", f"remove '{tag}'")
        key = id(node)
        if isinstance(node, yaml.ScalarNode):
            if key not in self.texts:  # else an alias, which shall not copy a long text
                empty = not node.value and not node.style
                self.texts[key] = Text(node.value, at, empty=empty)
            return self.texts[key]
        if key in self.open:
            raise fault(at, "an alias contains itself")
        if depth >= MAX_DEPTH:
            raise fault(at, f"nested deeper than {MAX_DEPTH} levels")
        if key in self.seen:
            self.aliased += len(node.value)
            if self.aliased > MAX_ALIASED:
                raise fault(at, f"aliases expand to more than {MAX_ALIASED:,} values")
        self.seen.add(key)
        self.open.add(key)
        made = (
            self.fields(node, at, depth)
            if isinstance(node, yaml.MappingNode)
            else self.items(node, at, depth)
        )
        self.open.discard(key)
        return made

    def items(self, node: yaml.Node, at: Location, depth: int) -> Items:
        items = Items(at)
        items.extend(self.node(value, depth + 1) for value in node.value)
        return items

    def fields(self, node: yaml.Node, at: Location, depth: int) -> Fields:
        fields = Fields(at)
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self.node(key_node, depth + 1)
            value = self.node(value_node, depth + 1)
            if not isinstance(key, Text):
                self.problems.error(key.at, "a key must be a word")
            elif key == "<<" and not key_node.style:
                hint = "write the fields out, or give the cards 'defaults'"
                self.problems.error(key.at, "merge keys are not read", hint)
            elif key in first:
                self.problems.error(key.at, f"'{key}' appears twice", f"first at line {first[key]}")
            else:
                first[key] = key.at.line
                fields[key] = value
        return fields


_QUOTE = "quote the text if it holds ': ', ' #' or begins with a sign"
_HINTS = {
    "expected key": "lines of one level begin at one column",
    "'-' indicator": "lines of one level begin at one column",
    "<document start>": "is a ':' missing above?",
    "unknown escape": "in double quotes a backslash is written twice",
}


def _reworded(error: yaml.MarkedYAMLError, text: str, file: str) -> Exception:
    mark = error.problem_mark or error.context_mark
    at = Location(file, mark.line + 1, mark.column + 1) if mark else Location(file)
    problem = error.problem or error.context or "not YAML"
    lines = text.splitlines()
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    indent = line[: len(line) - len(line.lstrip())]
    if "\t" in indent:
        at = Location(file, at.line, indent.index("\t") + 1)
        return fault(at, "tab used for indentation", "use spaces")
    if "expected a single document" in f"{error.context} {problem}":
        return fault(at, "a second document begins here", "one file holds one document")
    if "undefined alias" in problem:
        name = re.match(r"\*([\w-]*)", line[mark.column :] if mark else "")
        return fault(at, f"unknown alias '{name[1] if name else ''}'", "no '&' of this name above")
    if "nesting depth" in problem:
        return fault(at, f"nested deeper than {MAX_DEPTH} levels")
    hint = next((hint for words, hint in _HINTS.items() if words in problem), _QUOTE)
    context, start = error.context or "", error.context_mark
    if start and "duplicate anchor" in context:
        problem, hint = "the anchor is given twice", f"first at line {start.line + 1}"
    elif start and "parsing a flow" in context:
        hint = f"the bracket opens at line {start.line + 1}; is it closed?"
    elif start and "quoted scalar" in context and "end of stream" in problem:
        return fault(Location(file, start.line + 1, start.column + 1), "the quote is not closed")
    return fault(at, f"not YAML: {problem}", hint)
