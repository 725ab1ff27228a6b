"""What people write costs time and memory by its length, whatever it says.

Each text here once took a time that grew with the square of its length, memory without bound, or
raised what no one had thought of. Fuzzing finds such faults badly, since its texts are short.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from stonehand.art import svg
from stonehand.cards.deck import Card, LoadedGame, check_text, select
from stonehand.cards.game import Players
from stonehand.cards.reading import find_picture
from stonehand.cards.scope import Scope
from stonehand.language import po
from stonehand.language.translation import Translations, alike
from stonehand.rules.reading import read_rules
from stonehand.rules.terms import load_terms
from stonehand.sheets.papers import find_paper
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text
from stonehand.source.units import Length

AT = Location("a.yaml", 3, 7)
MANY = 200_000  # characters or so; the square of it is the work of an hour


def text(written: str) -> Text:
    return Text(written, AT)


def scope(name: str) -> Scope:
    game = SimpleNamespace(titles={"thing": text("Thing")}, title=text("Tiny"))
    card = Card(text("a1"), "thing", 1, {"name": text(name)})
    return Scope(game, card, Translations.source("en"))


def drawing(inner: str) -> None:
    svg.read(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">{inner}</svg>'.encode(), "a.svg"
    )


def styled(sheet: str, inner: str = "") -> None:
    drawing(f"<style>{sheet}</style>{inner}")


def in_file(reader, folder: Path, content: str) -> None:
    path = folder / "a"
    path.write_text(content, "utf-8")
    problems = Problems()
    reader(path, problems)
    problems.raise_errors()


HEAD = 'msgid ""\nmsgstr ""\n"Language: el\\nContent-Type: text/plain; charset=UTF-8\\n"\n'
HANGUL = "".join(chr(0xAC00 + i * i % 2_000) for i in range(MANY))
PLURAL = 'msgid "{}"\nmsgid_plural "b"\nmsgstr[0] "c"\n\n'
HOSTILE = {  # a reader of a folder, and what is told; "" if all is well
    "digits that are no length": (
        lambda _: Length.parse(text("9" * MANY + "x")),
        "is not a length",
    ),
    "spaces in the size of a paper": (
        lambda _: find_paper(text("1" + " " * MANY + "y"), {}),
        "unknown paper",
    ),
    "references that are not closed": (lambda _: scope("a").text(text("${" * MANY)), ""),
    "references that make a short text long": (
        lambda _: scope("a" * 10_000).text(text("$name" * MANY)),
        "the text has more than 20,000 characters",
    ),
    "dashes in the name of a card": (
        lambda _: select([], (text("-" * MANY),)),
        "no card, kind or range",
    ),
    "the page of a picture": (
        lambda folder: find_picture(text("a.pdf#" + "9" * MANY), [folder]),
        "is not a page number",
    ),
    "bars that are no table": (
        lambda folder: in_file(read_rules, folder, "# T\n\n" + "|" * MANY + "x\n"),
        "the text has more than 20,000 characters",
    ),
    "columns of a termbase": (
        lambda folder: in_file(load_terms, folder, "key" + ",a" * MANY + "\n"),
        f"the column 'a' is there {MANY} times",
    ),
    "transforms that are not closed": (
        lambda _: drawing(f'<g transform="{"matrix(" * MANY}"/>'),
        "",
    ),
    "a style sheet without rules": (lambda _: styled("a" * MANY), ""),
    "comments that are not closed": (
        lambda _: styled("/*" * MANY),
        "SVG has a comment in its style sheet that is not closed",
    ),
    "rules for every element": (
        lambda _: styled("*{x:1}" * 5_000, "<g/>" * 5_000),
        "SVG has too many rules in its style sheet (export it as plain SVG)",
    ),
    "plurals below a long header": (
        lambda _: po.parse(
            HEAD
            + f'"Plural-Forms: {"nplurals " * 20_000}nplurals=1;\\n"\n\n'
            + "".join(map(PLURAL.format, range(2_000))),
            "el.po",
        ),
        "",
    ),
    "long texts that have much in common": (
        lambda _: alike(HANGUL, HANGUL[1000:] + HANGUL[:1000]) or "",
        "",
    ),
    "directives of YAML": (
        lambda _: yaml.parse("".join(f"%TAG !a{i}! b\n" for i in range(20_000)), "a.yaml"),
        "more than 1,000 lines begin with '%'",
    ),
    "aliases of a long text": (
        lambda _: yaml.parse(f"- &a {'x' * 1_000_000}\n" + "- *a\n" * 5_000, "a.yaml"),
        "",
    ),
    "digits of a number": (
        lambda _: (
            bind(yaml.parse("9" * MANY, "a.yaml"), int, problems := Problems())
            or problems.raise_errors()
        ),
        "is not a whole number",
    ),
    "a text for a card": (lambda _: check_text(text("x" * MANY)), "more than 20,000 characters"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_text_costs_no_more_than_its_length(tmp_path, what):
    run, told = HOSTILE[what]
    began = time.process_time()
    try:
        run(tmp_path)
    except StonehandError as error:
        said = str(error)
    except ValueError as error:  # what `parse` of a value raises, told at its place by `bind`
        said = str(error)
    else:
        said = ""
    assert time.process_time() - began < 3
    assert told in said and bool(told) == bool(said)


def test_players_of_any_number_of_digits_are_a_wrong_number_of_players():
    game = LoadedGame(SimpleNamespace(name="tiny"), SimpleNamespace(players=Players(2, 4)))
    with pytest.raises(StonehandError, match="is for 2-4 players, not 999"):
        game.for_players(text("9" * 5_000), None)


VALUES = """
import resource, sys
from stonehand.source import yaml
from stonehand.source.problems import StonehandError
yaml.MAX_VALUES = 10_000
try:
    yaml.parse("[" + "a," * 4_000_000 + "]", "a.yaml")
except StonehandError as error:
    print(error)
"""


def test_the_values_of_a_file_are_bounded_while_it_is_read():
    """Four million of them would take 2 GB, though the file has 8 MB."""
    run = subprocess.run(
        [sys.executable, "-c", VALUES],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (500_000_000, 500_000_000)),
    )
    assert run.stdout == "a.yaml: error: the file has more than 10,000 values\n", run.stderr
