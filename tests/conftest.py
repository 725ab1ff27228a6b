"""What many tests share: the shipped content and games, card sheets and rulebooks of Oniroo.

Everything here is read or built once a run. Fixtures are not to be changed by a test: one that
needs its own problems, fonts or project makes its own `Press`.
"""

import gc
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import polib
import pytest

from stonehand import cli
from stonehand.card_sheets import build_cards
from stonehand.cards.deck import Card, Choice, LoadedGame
from stonehand.language.languages import Languages
from stonehand.language.translation import Message
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.project import Project, shipped_content
from stonehand.rulebooks import build_rules
from stonehand.rules.blocks import Block, Box, Heading, ListBlock, Rulebook
from stonehand.rules.reading import read_rules
from stonehand.rules.terms import load_terms
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.typesetting import markup
from stonehand.typesetting.fonts import FontLibrary
from stonehand.typesetting.paragraph import Paragraph, Voices

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # so a shell starts what runs in the background, and tests of Ctrl-C would wait for ever
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["STONEHAND_CACHE"] = "off"  # also in processes; tests of it name a folder


@pytest.fixture
def stonehand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command as `main` does, in this process; returns exit code, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["stonehand", *words])
        code = cli._run()
        return (code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def shipped() -> Path:
    """The folder that holds `cards/`, `layouts/`, `fonts/` and `i18n/` as shipped."""
    return shipped_content()


@pytest.fixture(scope="session")
def press(shipped: Path) -> Press:
    """A press for the shipped games; its problems stay empty as long as nothing is wrong."""
    return Press(Project((shipped,)), Problems())


@pytest.fixture(scope="session")
def fonts(press: Press) -> FontLibrary:
    """The shipped fonts."""
    return press.fonts


@pytest.fixture(scope="session")
def languages(press: Press) -> Languages:
    """The shipped languages."""
    return press.languages


@pytest.fixture(scope="session")
def oniroo(press: Press) -> LoadedGame:
    """The game Oniroo, read from its files without any problem."""
    game = press.load(press.project.games()["oniroo"])
    assert not list(press.problems)
    return game


@pytest.fixture(scope="session")
def tweak(press: Press) -> LoadedGame:
    """The game TWEAK!, read from its files without any problem."""
    game = press.load(press.project.games()["tweak"])
    assert not list(press.problems)
    return game


@pytest.fixture(scope="session")
def witch(press: Press) -> LoadedGame:
    """The game Catch the Witch, read from its files without any problem."""
    game = press.load(press.project.games()["witch"])
    assert not list(press.problems)
    return game


@pytest.fixture(scope="session")
def oniroo_pdfs(
    press: Press, oniroo: LoadedGame, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The card sheets of Oniroo as `stonehand build oniroo` makes them: {language: PDF}."""
    folder = tmp_path_factory.mktemp("oniroo")
    languages = press.languages_of(oniroo, ())
    with Staged() as staged:
        build_cards(press, oniroo, languages, folder, staged, lambda: None)
    assert not list(press.problems)
    return {str(language.code): folder / f"cards-{language.code}.pdf" for language in languages}


MakeParagraph = Callable[..., Paragraph]


@pytest.fixture(scope="session")
def paragraph(press: Press, shipped: Path) -> MakeParagraph:
    """A function that gives a text as a Paragraph in a language, set in the shipped sans.

    Emphasis is as the language has it; the icons are the shapes of Oniroo: `:star:`, `:circle:` ...
    """
    shapes = shipped / "cards" / "oniroo" / "art" / "shapes"

    def made(text: str, code: str = "en", *, weight: float = 400, hyphenate: bool = True):
        language = press.languages[code]

        def chain(weight: float, italic: bool) -> Any:
            return press.fonts.chain(Text("sans"), weight, italic, language, press.languages)

        slants = language.emphasis == "italic"
        voices = Voices(
            chain(weight, False),
            chain(700, False),
            chain(weight if slants else 700, slants),
            chain(700, slants),
        )

        made = Paragraph(
            markup.parse(text),
            voices,
            language,
            hyphenate=hyphenate,
            icon=lambda name: press.art.load(shapes / f"{name}.svg", Text(name)),
        )
        assert not made.missing
        return made

    return made


@pytest.fixture(scope="session")
def make_font() -> Callable[..., Path]:
    """A function that writes a small font of squares and rounds; see `_font`."""
    return _font


def _font(
    path: Path,
    family: str = "Plain",
    *,
    weight: int = 400,
    italic: bool = False,
    width: int = 5,
    letters: str = "ABo",
    cubic: bool = False,
) -> Path:
    """Write a font of 1000 units per em and return its path.

    A space is 250 wide; every letter is `weight` + 200 wide and holds a square of that weight, a
    lower-case one a round with curves; `cubic` makes it an OpenType font with CFF outlines. A path
    that ends in .ttc or .otc gets a collection: this font, then one of the family with " Two".
    """
    if path.suffix in (".ttc", ".otc"):
        from fontTools.ttLib import TTCollection, TTFont

        collection = TTCollection()
        for name in (family, f"{family} Two"):
            one = path.with_name(f"{path.stem}-{name}.part")
            _font(one, name, weight=weight, letters=letters, cubic=path.suffix == ".otc")
            collection.fonts.append(TTFont(one))
        collection.save(path)
        return path
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names = {" ": "space"} | {letter: f"u{ord(letter):04X}" for letter in letters}
    advance = weight + 200
    builder = FontBuilder(1000, isTTF=not cubic)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap({ord(letter): name for letter, name in names.items()})
    outlines: dict[str, Any] = {}
    for letter, name in {"": ".notdef", **names}.items():
        pen: Any = T2CharStringPen(advance, None) if cubic else TTGlyphPen(None)
        low, high = 100, 100 + weight
        if letter.islower():
            half = (low + high) / 2
            pen.moveTo((half, 0))
            if cubic:
                pen.curveTo((high, 0), (high, 0), (high, weight / 2))
                pen.curveTo((high, weight), (high, weight), (half, weight))
            else:
                pen.qCurveTo((high, 0), (high, weight / 2))
                pen.qCurveTo((high, weight), (half, weight))
            pen.lineTo((low, weight))
            pen.lineTo((low, 0))
            pen.closePath()
        elif letter != " ":
            pen.moveTo((low, 0))
            for point in ((low, weight), (high, weight), (high, 0)):
                pen.lineTo(point)
            pen.closePath()
        outlines[name] = pen.getCharString() if cubic else pen.glyph()
    if cubic:
        builder.setupCFF(family.replace(" ", ""), {}, outlines, {})
    else:
        builder.setupGlyf(outlines)
    builder.setupHorizontalMetrics(
        {name: (250 if name == "space" else advance, 100) for name in outlines}
    )
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(
        usWeightClass=weight, usWidthClass=width, fsSelection=int(italic), sCapHeight=weight
    )
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture(scope="session")
def oniroo_rules(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The rulebooks of Oniroo as `stonehand rules oniroo` makes them: {language: PDF}."""
    folder = tmp_path_factory.mktemp("rules")
    press = Press(Project((shipped,)), Problems())
    game = press.load(press.project.games()["oniroo"])
    languages = press.languages_of(game, ())
    with Staged() as staged:
        build_rules(press, game, languages, folder, staged)
    assert not list(press.problems)
    return {str(language.code): folder / f"rules-{language.code}.pdf" for language in languages}


def _rules_text(shipped: Path, game: str) -> Rulebook:
    """Return the rules of a shipped game, read from their file without any problem."""
    problems = Problems()
    rules = read_rules(shipped / f"i18n/{game}/rules.md", problems)
    assert rules
    assert not list(problems)
    return rules


@pytest.fixture(scope="session")
def rules_text(shipped: Path) -> Rulebook:
    """The rules of Oniroo."""
    return _rules_text(shipped, "oniroo")


@pytest.fixture(scope="session")
def tweak_rules_text(shipped: Path) -> Rulebook:
    """The rules of TWEAK!."""
    return _rules_text(shipped, "tweak")


@pytest.fixture(scope="session")
def witch_rules_text(shipped: Path) -> Rulebook:
    """The rules of Catch the Witch."""
    return _rules_text(shipped, "witch")


@pytest.fixture(scope="session")
def walk() -> Callable[[Iterable[Block]], Iterator[Block]]:
    """A function that gives blocks and those within boxes and lists, in their order."""

    def made(blocks: Iterable[Block]) -> Iterator[Block]:
        for block in blocks:
            yield block
            if isinstance(block, Box):
                yield from made(block.blocks)
            elif isinstance(block, ListBlock):
                for item in block.items:
                    yield from made(item)

    return made


Printed = Callable[[str, Message], str]


@pytest.fixture(scope="session")
def printed(oniroo: LoadedGame, rules_text: Rulebook) -> Printed:
    """A function that gives a text of Oniroo as a reader of a language sees it; see `_printed`."""
    return _printed(oniroo, rules_text)


@pytest.fixture(scope="session")
def tweak_printed(tweak: LoadedGame, tweak_rules_text: Rulebook) -> Printed:
    """A function that gives a text of TWEAK! as a reader of a language sees it; see `_printed`."""
    return _printed(tweak, tweak_rules_text)


@pytest.fixture(scope="session")
def witch_printed(witch: LoadedGame, witch_rules_text: Rulebook) -> Printed:
    """A function that gives a text of Catch the Witch as a reader sees it; see `_printed`."""
    return _printed(witch, witch_rules_text)


def _printed(game: LoadedGame, rules: Rulebook) -> Printed:
    """Return a function that gives a text of a game as a reader of a language sees it.

    References are the words they bring, or ids, names of sections or of cards; values are counted
    and marks of emphasis are gone. It shares no code with what sets the books: the PO files are
    read by polib, the notation is taken apart here.
    """
    entries: dict[str, dict[tuple[str | None, str], str]] = {}
    for code in ("hi", "el", "ko"):
        file = polib.pofile(str(game.folder.translation(code)))
        entries[code] = {(entry.msgctxt, entry.msgid): entry.msgstr for entry in file}
    titles = {str(b.id): b.text for b in rules.blocks if isinstance(b, Heading)}
    cards = {str(card.id): card for card in game.cards}

    def named(code: str, card: Card) -> str:
        name = card.values.get("name")
        if isinstance(name, Message):
            return made(code, name)

        def shown(match: re.Match[str]) -> str:
            value = card.values[match[1]]
            if match[2]:
                assert isinstance(value, Choice)
                value = value.properties[match[2]]
            return made(code, value) if isinstance(value, Message) else str(value)

        pattern = str(game.spec.kinds[Text(card.kind)].name)
        return re.sub(r"\$(\w+)(?:\.(\w+))?", shown, pattern)

    def made(code: str, message: Message) -> str:
        key = (message.context, str(message))
        text = str(message)
        if code != "en" and re.search(r"[^\W\d_]", re.sub(r"\[\[[^|\]]*\]\]|\{.*?\}", "", text)):
            text = entries[code][key]

        def reference(match: re.Match[str]) -> str:
            target, words = match[1], match[2]
            if words:
                return words
            if target.startswith("card."):
                return named(code, cards[target[5:]])
            title = titles.get(target)
            if title is None or len(target) == 1 or re.fullmatch(r"[A-Z]_\d\d", target):
                return target
            return made(code, title)

        def value(match: re.Match[str]) -> str:
            return str(sum(c.count for c in game.cards if match[1] in (None, c.kind)))

        text = re.sub(r"\[\[([^|\]]+)(?:\|([^\]]*))?\]\]", reference, text)
        return re.sub(r"\{count(?: kind=(\w+))?\}", value, text).replace("*", "")

    return made


@pytest.fixture(scope="session")
def terms_of(shipped: Path) -> Callable[[str], dict[str, dict[str, tuple[str, ...]]]]:
    """A function that gives the termbase of a game: {key: {language: stems, the term first}}."""

    def made(name: str) -> dict[str, dict[str, tuple[str, ...]]]:
        problems = Problems()
        terms = load_terms(shipped / "i18n" / name / "terms.csv", problems)
        assert not problems.count
        return {key: term.stems for key, term in terms.items()}

    return made


@pytest.fixture(scope="session")
def texts_of() -> Callable[[Rulebook, Printed, Iterable[str]], dict[str, dict[str, str]]]:
    """A function that gives all that is printed below each heading: {language: {id: text}}."""

    def made(rules: Rulebook, printed: Printed, codes: Iterable[str]) -> dict[str, dict[str, str]]:
        texts: dict[str, dict[str, str]] = {}
        for code in codes:
            parts = texts[code] = {}
            for message in rules.texts():
                before = parts.get(message.context, "")
                parts[message.context] = f"{before}{printed(code, message)}\n"
        return texts

    return made


_WORDS = {  # numbers that may be written out
    "en": {1: "one|single|once", 2: "two", 3: "three", 5: "five", 8: "eight"},
    "hi": {1: "एक", 2: "दो", 3: "तीन|तीनों", 5: "पाँच", 8: "आठ"},
    "el": {1: "ένα|έναν|μία|μια|ενός|μίας", 2: "δύο", 3: "τρεις|τρία|τριών", 5: "πέντε", 8: "οκτώ"},
    "ko": {1: "하나|한", 2: "두|둘", 3: "세|셋", 5: "다섯", 8: "여덟"},
}


@pytest.fixture(scope="session")
def number() -> Callable[[str, int], str]:
    """A function that gives the pattern of a number in a language, in figures or written out."""

    def made(code: str, value: int) -> str:
        pattern = rf"(?<!\d){value}(?!\d)"
        if word := _WORDS[code].get(value):
            # in Korean, what counts stands before what is counted, without a space or with one
            edge = "" if code == "ko" else r"(?!\w)"
            pattern += rf"|(?<!\w)(?:{word}){edge}"
        return pattern

    return made


def pytest_collection_finish() -> None:
    """Collect garbage as the program does: seldom, and not through what stays to the end."""
    gc.freeze()
    gc.set_threshold(*cli.COLLECTED_AFTER)
