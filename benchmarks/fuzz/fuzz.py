"""Feeds the readers of people's files what no person writes; only faults of files may come out.

    python benchmarks/fuzz/fuzz.py TARGET [FILE ...] [-max_total_time=600 and others of libFuzzer]

A target is a function below. What is given as FILE is run once, to see a finding again.
"""

import contextlib
import io
import random
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import atheris
from shapes import drawing_of

ROOT = Path(__file__).resolve().parents[2]
READERS = ["stonehand", "markdown_it", "mdit_py_plugins", "yaml", "PIL", "fontTools.svgLib"]

with atheris.instrument_imports(include=READERS):
    import markdown_it  # noqa: F401 -- what is imported later is not seen
    from fontTools.svgLib.path import parse_path  # noqa: F401
    from mdit_py_plugins import container, front_matter  # noqa: F401
    from PIL import (  # noqa: F401
        GifImagePlugin,
        Image,
        JpegImagePlugin,
        PngImagePlugin,
        TiffImagePlugin,
        WebPImagePlugin,
    )

    from stonehand.art import draw, raster, svg
    from stonehand.cards.reading import load_game
    from stonehand.language import po as po_files
    from stonehand.press import Press
    from stonehand.project import GameFolder, find_project, shipped_content
    from stonehand.rules import inline
    from stonehand.rules.reading import read_rules
    from stonehand.rules.terms import load_terms
    from stonehand.source.problems import Problems
    from stonehand.source.text import Text
    from stonehand.typesetting import markup

SPLIT = b"\n--8<--\n"  # between game.yaml and the catalogue, which are one input
TOLD = re.compile(r"[^\n]+: (error|warning|note): [^\n]+")


class Place:
    """A project in memory that uses everything, and the press for it."""

    def __init__(self) -> None:
        memory = Path("/dev/shm")
        self.kept = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
        self.root = Path(self.kept.name)
        self.catalogue = (ROOT / "tests/bad/everything/cards.yaml").read_bytes()
        for name, folder in {
            "game.yaml": "cards/tiny",
            "cards.yaml": "cards/tiny",
            "dot.svg": "cards/tiny/art",
            "front.yaml": "layouts/tiny",
            "back.yaml": "layouts/tiny",
            "part.yaml": "layouts/tiny",
        }.items():
            self.write(f"{folder}/{name}", (ROOT / "tests/bad/everything" / name).read_bytes())
        self.tabled = (
            (self.root / "cards/tiny/game.yaml").read_bytes().replace(b"cards.yaml", b"cards.csv")
        )
        self.project = find_project(self.root)
        self.folder = GameFolder("tiny", self.root / "cards/tiny", self.project)
        self.press = Press(self.project, Problems())
        self.game = self.press.load(self.folder)

    def write(self, name: str, data: bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


def game(place: Place, data: bytes, problems: Problems) -> None:
    first, _, second = data.partition(SPLIT)
    place.write("cards/tiny/game.yaml", first)
    place.write("cards/tiny/cards.yaml", second or place.catalogue)
    for message in load_game(place.folder, problems).messages():
        markup.parse(message)


def table(place: Place, data: bytes, problems: Problems) -> None:
    place.write("cards/tiny/game.yaml", place.tabled)
    place.write("cards/tiny/cards.csv", data)
    for message in load_game(place.folder, problems).messages():
        markup.parse(message)


def terms(place: Place, data: bytes, problems: Problems) -> None:
    load_terms(place.write("terms.csv", data), problems)


def po(place: Place, data: bytes, problems: Problems) -> None:
    read = po_files.read(place.write("el.po", data))
    written = po_files.write(read)
    again = po_files.parse(written, "el.po")
    assert po_files.write(again) == written
    assert [e.source for e in again.entries] == [e.source for e in read.entries]
    assert [e.translation for e in again.entries] == [e.translation for e in read.entries]


def rules(place: Place, data: bytes, problems: Problems) -> None:
    book = read_rules(place.write("rules.md", data), problems)
    for message in book.messages() if book else ():
        assert sum(inline.protected(message).values()) <= len(inline.parse(message))
    markup.parse(data.decode("utf-8", "replace"))
    inline.parse(Text(data.decode("utf-8", "replace")))


def template(place: Place, data: bytes, problems: Problems) -> None:
    place.write("layouts/tiny/front.yaml", data)
    fonts, languages = place.press.fonts, place.press.languages
    place.press = press = Press(place.project, problems)
    press.fonts, press.languages = fonts, languages  # read once
    layouter = press.layouter(place.game, languages["en"])
    for card in place.game.cards:
        layouter.front(card)


def gate(place: Place, data: bytes, problems: Problems) -> None:
    svg.read(data, "drawing.svg")


def drawing(place: Place, data: bytes, problems: Problems) -> None:
    draw.pages([svg.read(data, "drawing.svg")])


def shapes(place: Place, data: bytes, problems: Problems) -> None:
    draw.pages([svg.read(drawing_of(atheris.FuzzedDataProvider(data)), "drawing.svg")])


def picture(place: Place, data: bytes, problems: Problems) -> None:
    raster.read(checksummed(data), Text("picture.png"), problems)


def checksummed(data: bytes) -> bytes:
    """Make the checksums of a PNG right again, behind which nothing else would be reached."""
    made, at = bytearray(data), 8
    while data[1:4] == b"PNG" and at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4])
        made[end : end + 4] = zlib.crc32(data[at + 4 : end]).to_bytes(4)
        at = end + 4
    return bytes(made[: len(data)])


TARGETS = {
    t.__name__: t for t in (game, table, terms, po, rules, template, gate, drawing, shapes, picture)
}


def seeds(target: str) -> list[bytes]:
    """Return what the fuzzer begins with: bad input of the tests, shipped games, earlier finds."""
    content = shipped_content()
    globs = {
        "terms": ["i18n/*/terms.csv"],
        "po": ["tests/bad/*/*.po", "i18n/*/el.po"],
        "rules": ["i18n/*/rules.md"],
        "template": ["tests/bad/*/front.yaml", "layouts/*/*.yaml"],
        "gate": ["tests/bad/*/*.svg", "cards/*/art/*.svg"],
        "drawing": ["tests/bad/*/*.svg", "cards/*/art/*.svg"],
        "picture": ["tests/bad/*/*.png"],
    }
    paths = [p for g in globs.get(target, ()) for r in (ROOT, content) for p in sorted(r.glob(g))]
    found = sorted((Path(__file__).parent / "found").glob(f"{target}-*"))
    made = [path.read_bytes() for path in dict.fromkeys((*paths, *found))]
    if target in ("po", "rules"):
        made = [piece for data in made for piece in pieces(data)]
    if target == "table":
        made += [text.encode() for text in TABLES]
    if target == "picture":
        made += pictures()
    if target == "shapes":
        made += [random.Random(seed).randbytes(800) for seed in range(40)]
    if target == "game":
        files = (*ROOT.glob("tests/bad/*/game.yaml"), *content.glob("cards/*/game.yaml"))
        for file in sorted(files):
            cards = [c for c in sorted(file.parent.glob("*.yaml")) if b"cards:" in c.read_bytes()]
            made += [file.read_bytes() + SPLIT + card.read_bytes() for card in cards] or [
                file.read_bytes()
            ]
    return made


def pieces(data: bytes) -> Iterator[bytes]:
    """Yield a long text by some paragraphs at a time, each time after its first, the head."""
    head, *paragraphs = data.split(b"\n\n")
    for start in range(0, len(paragraphs) or 1, 20):
        yield b"\n\n".join([head, *paragraphs[start : start + 20]])


TABLES = (
    "id,kind,name,name:el,group,cost,wild,words,count,art\n"
    "a1,thing,Ant,Μέρμηγκας,blue,4.5,yes,one|two,2,dot\na2,thing,Bee,,red,,,,,\n",
    'id;name;group;count\n001;"Two\nlines, ""so""";red;2-4\n',
    "\ufeffid\tname\tgroup\na\tB\tred\n",
    "# unchecked: unused-field - why\nid,group\na1,red\n\n# more\na2,blue\n",
    "id,name,group\n1.0,44562,TRUE\n=A1,#REF!,red\n",
)

MODES = "1 L LA P PA RGB RGBA CMYK I;16 I F YCbCr LAB"


def pictures() -> Iterator[bytes]:
    """Yield small pictures of all formats and kinds of pixels."""
    for mode in MODES.split():
        for kind in ("PNG", "JPEG", "WEBP", "TIFF", "GIF"):
            for option in ("dpi", "compression", "progressive", "save_all"):
                value = {"dpi": (300, 300), "compression": "tiff_lzw"}.get(option, True)
                file = io.BytesIO()
                with contextlib.suppress(OSError, ValueError, KeyError):
                    Image.new(mode, (5, 3)).save(file, kind, **{option: value})
                    yield file.getvalue()


def main() -> None:
    name, *arguments = sys.argv[1:]
    target, place = TARGETS[name], Place()

    def run(data: bytes) -> None:
        problems = Problems()
        with problems.gather():
            target(place, data, problems)
        for problem in problems:
            assert TOLD.fullmatch(str(problem)), str(problem)

    begin = seeds(name)
    corpus = place.root / "corpus"
    for number, data in enumerate(begin):
        place.write(f"corpus/{number:04}", data)
    words = {word for data in begin for word in re.findall(rb"[\w$:#.=/-]{2,20}", data)}
    place.write("words", b"".join(b'"%s"\n' % word for word in sorted(words)[:5000]))
    options = ["-timeout=10", "-rss_limit_mb=1024", "-max_len=6000", f"-dict={place.root}/words"]
    if not any(Path(argument).is_file() for argument in arguments):
        options.append(str(corpus))
    atheris.Setup([sys.argv[0], *options, *arguments], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
