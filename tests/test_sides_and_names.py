"""Backs of cards in figures, and what cards are called that have no name of their own."""

import re
from pathlib import Path

import pikepdf
import pypdf
import pytest

from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.project import Project
from stonehand.rulebooks import EDITIONS, build_rules
from stonehand.source.problems import Problems, StonehandError

GAME = """\
title: Pips
languages: [en, el]
catalogues: [pips.yaml, lone.yaml]
kinds:
  pip:
    title: Pip card
    name: $suit.name $value
    front: pips/front
    back: pips/back
    fields: {value: number, suit: suit}
  lone: {title: Lone card, name: Card $id of $$, front: pips/front}
lists:
  suit:
    fields: {name: text}
    values: {sun: {name: Sun}, moon: {name: Moon}}
"""
RULES = """\
# Pips

## Cards {#A}

The [[card.2]] is not the [[card.x]].

![[1, 2/back | Two]]

![[arrows 1/back, 2/back | Three]]

![[fan 1/back, x | Four]]
"""
FILES = {
    "cards/pips/game.yaml": GAME,
    "cards/pips/pips.yaml": "kind: pip\ncards:\n  - {id: 1, value: 3, suit: sun}\n"
    "  - {id: 2, value: 9, suit: moon}\n",
    "cards/pips/lone.yaml": "kind: lone\ncards: [{id: x}]\n",
    "layouts/pips/front.yaml": 'elements: [{draw: rect, fill: "#ff0000"}]\n',
    "layouts/pips/back.yaml": "elements: [{draw: text, text: $value}]\n",
    "i18n/pips/rules.md": RULES,
    "i18n/pips/el.po": """\
msgid ""
msgstr ""
"Language: el\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "list.suit.moon.name"
msgid "Moon"
msgstr "Φεγγάρι"

msgctxt "list.suit.sun.name"
msgid "Sun"
msgstr "Ήλιος"

msgctxt "kind.lone.name"
msgid "Card $id of $$"
msgstr "Κάρτα $id των $$"
""",
}


@pytest.fixture
def make(shipped, tmp_path):
    """A function that makes books of a game of three cards, some of its files changed.

    It returns their folder, and the errors as lines.
    """

    def made(**changed: str) -> tuple[Path, list[str]]:
        for name, text in {**FILES, **changed}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        press = Press(Project((tmp_path, shipped)), Problems())
        output = tmp_path / "output"
        try:
            game = press.load(press.project.games()["pips"])
            with Staged() as staged:
                languages = press.languages_of(game, ())
                build_rules(press, game, languages, output, staged, editions=EDITIONS)
        except StonehandError:
            pass
        return output, [re.sub(r"^\S*/", "", str(error)) for error in press.problems.errors]

    return made


def alts(path: Path) -> list[str]:
    """Return what the figures of a book say in words."""
    with pikepdf.open(path) as pdf:
        return [
            str(o.Alt) for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and "/Alt" in o
        ]


WORDS = {
    "en": [
        "Sun 3",
        "Moon 9 (back)",
        "Sun 3 (back)",
        "Moon 9 (back)",
        "Sun 3 (back)",
        "Card x of $",
    ],
    "el": [
        "Ήλιος 3",
        "Φεγγάρι 9 (πίσω όψη)",
        "Ήλιος 3 (πίσω όψη)",
        "Φεγγάρι 9 (πίσω όψη)",
        "Ήλιος 3 (πίσω όψη)",
        "Κάρτα x των $",
    ],
}


@pytest.mark.parametrize("code", WORDS)
def test_figures_say_which_side_of_which_card_they_show(make, code):
    output, _ = make()
    spoken = [alt.split(": ")[1] for alt in alts(output / f"rules-{code}.pdf")]
    pairs = [WORDS[code][i : i + 2] for i in (0, 2, 4)]
    assert sorted(spoken) == sorted(map(", ".join, pairs))
    page = (output / f"rules-{code}.html").read_text("utf-8")
    assert re.findall('<img [^>]*alt="([^"]*)"', page) == WORDS[code]


def test_an_edition_shows_front_and_back_as_two_pictures(make):
    output, _ = make()
    page = (output / "rules-en.html").read_text("utf-8")
    pictures = re.findall('<img src="([^"]*)"', page)
    front, moon, sun, moon_again, sun_again, lone = pictures
    assert (moon, sun) == (moon_again, sun_again)
    assert len({front, moon, sun}) == 3
    assert lone == front  # all red


def test_pages_show_what_stands_on_the_back(make):
    output, _ = make()
    text = pypdf.PdfReader(output / "rules-en.pdf").pages[0].extract_text()
    assert "The Moon 9 is not the Card x of $." in text.replace("\u00a0", " ")
    assert re.findall(r"^[39 ]+$", text, re.MULTILINE) == ["9", "3 9", "3"]


def test_a_card_without_a_back_and_an_unknown_one_are_told_with_their_places(make):
    _, said = make(**{"i18n/pips/rules.md": RULES.replace("1, 2/back", "x/back, 3/back, 1/front")})
    assert sorted(said) == [
        "rules.md:7:1: error: no card '1/front' (known: 1, 2, x)",
        "rules.md:7:1: error: no card '3' (known: 1, 2, x)",
        "rules.md:7:1: error: the card 'x' has no back",
    ]


def test_the_words_of_a_name_are_for_translators_and_bare_references_are_not(make, shipped):
    output, _ = make()
    game = Press(Project((output.parent, shipped)), Problems())
    messages = {m.context for m in game.load(game.project.games()["pips"]).messages()}
    assert "kind.lone.name" in messages
    assert "kind.pip.name" not in messages


def test_a_name_of_an_unknown_field_is_told_with_its_place(make):
    _, said = make(
        **{"cards/pips/game.yaml": GAME.replace("$suit.name $value", "$suit.name $rank")}
    )
    assert set(said) == {
        "game.yaml:7:11: error: unknown field 'rank' (known: game, id, kind, suit, value)"
    }
