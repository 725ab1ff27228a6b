"""The documentation: its files bind, its commands run, and what it says of the code is so."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
import msgspec
import pytest

from stonehand import sheet_maker
from stonehand.art import expansion, pdf, raster, svg
from stonehand.cards import catalogues, deck, elements, face, forms
from stonehand.cards import reading as cards
from stonehand.cards.constraints import CHECKS
from stonehand.cards.game import Catalogue, Game
from stonehand.cards.template import AnyElement, Template
from stonehand.cli import COMMANDS, stonehand
from stonehand.importing import docx
from stonehand.importing import text as manuscripts
from stonehand.language import po
from stonehand.language.languages import Language
from stonehand.output import cut_files
from stonehand.rules import reading
from stonehand.schema import FILES
from stonehand.sheets import cutter, edges, furniture, imposition, tiling
from stonehand.sheets.calibration import APART, APART_BEHIND, COARSE, EDGE, FINE, SMALLEST, rules
from stonehand.sheets.imposition import Room, best_fold, best_grid
from stonehand.sheets.printer import Printer, corrected
from stonehand.source import archive, files, table, units, yaml
from stonehand.source.bind import bind, field_types
from stonehand.source.problems import MOST_ERRORS, Problems
from stonehand.source.text import Fields, Items
from stonehand.typesetting import fonts as fonts_module

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
STONEHAND = Path(sys.executable).with_name("stonehand")
_BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page: the file it says it is, if it does, its language and its text."""

    page: Path
    file: str
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}: {self.file or self.text.splitlines()[0][:40]}"


def blocks(page: Path) -> list[Block]:
    return [Block(page, *match.groups("")) for match in _BLOCK.finditer(page.read_text("utf-8"))]


BLOCKS = [block for page in PAGES for block in blocks(page)]


def commands(language: str) -> list[str]:
    found = [block.text.splitlines() for block in BLOCKS if block.language == language]
    lines = [line for lines in found for line in lines if line.startswith("stonehand ")]
    return [line for line in lines if "[OPTIONS]" not in line]  # that is a synopsis


# --- what the pages tell people to write and to do


def kind_of(file: str) -> Any:
    if file.endswith("/game.yaml"):
        return FILES["game"][1]
    for start, kind in (
        ("cards/", "catalogue"),
        ("layouts/papers", "papers"),
        ("layouts/cutters", "cutters"),
        ("layouts/books", "books"),
        ("layouts/sizes", "sizes"),
        ("layouts/", "template"),
        ("i18n/languages", "languages"),
    ):
        if file.startswith(start):
            return FILES[kind][1]
    raise AssertionError(f"what kind of file is {file}?")


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "yaml"], ids=str)
def test_yaml_in_the_pages_is_read_as_what_it_says_it_is(block: Block) -> None:
    """A block is the file named above it, or else some fields of one, or elements."""
    problems = Problems()
    tree = yaml.parse(block.text, block.file or "example")
    if block.file:
        bind(tree, kind_of(block.file), problems)
    elif isinstance(tree, Items):
        bind(tree, tuple[AnyElement, ...], problems)
    else:
        assert isinstance(tree, Fields)
        for spec in (Game, Catalogue, Template):
            known = field_types(spec)
            if set(tree) <= set(known):
                for name, value in tree.items():
                    bind(value, known[name][1], problems)
                break
        else:
            bind(tree, dict[str, Language], problems)
    assert not list(problems)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "po"], ids=str)
def test_po_files_in_the_pages_are_read(block: Block) -> None:
    po.parse(block.text, block.file)


@pytest.mark.parametrize("line", sorted({*commands("sh"), *commands("text")}))
def test_commands_in_the_pages_are_understood(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    # within the settings of the program: commands remember how they were first asked for help
    program = click.Context(stonehand, **stonehand.context_settings)
    command = stonehand.get_command(program, name)
    assert command is not None
    command.make_context(name, arguments, parent=program)


def steps(page: Path) -> Iterator[tuple[Block, str | None]]:
    """Yield the files and commands of a page in order, commands with what they are to print."""
    found = blocks(page)
    for block, after in zip(found, [*found[1:], None], strict=True):
        output = after.text if after and after.language == "text" and not after.file else None
        if block.file or block.language == "sh":
            yield block, output


def followed(blocks: Iterable[Block], folder: Path) -> Iterator[tuple[Path, Block, str, int]]:
    """Do what a page tells from a folder on; yield where commands ran, and what came of them."""
    for block in blocks:
        if block.file:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
            continue
        printed, ran = "", 0
        for line in block.text.splitlines():
            program, *arguments = shlex.split(line)
            if program == "cd":
                folder = folder / arguments[0]
                continue
            assert program == "stonehand"
            done = subprocess.run(
                [STONEHAND, *arguments],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stdout
            printed += done.stdout
            ran += 1
        yield folder, block, printed, ran


def test_the_tutorial_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    page = list(steps(ROOT / "docs/tutorial.md"))
    outputs = [output for block, output in page if not block.file]
    done = followed([block for block, _ in page], tmp_path)
    commands = 0
    for output, (folder, _, printed, ran) in zip(outputs, done, strict=True):
        assert printed == output
        made = re.findall(r"^(output/\S+?)(?::|$)", printed, re.MULTILINE)
        assert made
        assert all((folder / name).stat().st_size > 1000 for name in made)
        commands += ran
    assert commands == 8


def test_the_error_that_the_tutorial_invites_is_told_at_its_place(tmp_path: Path) -> None:
    begun = False
    for block, _ in steps(ROOT / "docs/tutorial.md"):
        if not block.file and not begun:
            [(folder, *_)] = followed([block], tmp_path)
            begun = True
        elif block.file and not block.file.startswith("i18n/"):
            wrong = block._replace(text=block.text.replace("art: duck", "art: duk"))
            assert not list(followed([wrong], folder))
    shutil.rmtree(folder / "output")
    done = subprocess.run(
        [STONEHAND, "preview", "pond", "--all", "--contact", "--lang", "en"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    column = (
        "  - {id: duck, count: 3, name: Duck, rule: Swim two places., art: duk".index("duk") + 1
    )
    where = f"cards/pond/cards.yaml:3:{column}"
    assert done.stderr == f"{where}: error: picture 'duk' not found (did you mean 'duck'?)\n"
    assert f"\n{done.stderr}" in (ROOT / "README.md").read_text("utf-8")
    assert not (folder / "output").exists()


def test_the_catalogue_of_the_readme_is_that_of_the_tutorial_but_for_what_it_leaves_out() -> None:
    short, long = (
        next(b for b in blocks(ROOT / page) if b.file == "cards/pond/cards.yaml")
        for page in ("README.md", "docs/tutorial.md")
    )
    ids = re.compile(r"id: (\w+), count: (\d), name: (\w+)")
    assert ids.findall(short.text) == ids.findall(long.text)
    assert len(ids.findall(short.text)) == 3


def test_links_in_the_pages_lead_to_files_and_headings() -> None:
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in target:
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            assert file.exists(), f"{page.name}: {target}"
            if anchor:
                heads = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in heads}
                assert anchor in slugs, f"{page.name}: {target}"


# --- what the pages say of the code


def loaded(script: str) -> Any:
    """Return a script of the documentation as a module."""
    spec = importlib.util.spec_from_file_location(script, ROOT / f"docs/{script}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["reference", "checks"])
def test_pages_made_from_the_code_are_what_it_says(name: str) -> None:
    module = loaded(f"make_{name}")
    written = (ROOT / f"docs/{name}.md").read_text("utf-8")
    assert written == module.render(), f"run: python docs/make_{name}.py"


def test_every_field_of_every_file_is_described() -> None:
    structs = {*get_args(AnyElement), *(to for _, to in FILES.values() if isinstance(to, type))}
    for struct in structs:
        for name, (_, annotation) in field_types(struct).items():
            metas = [m for m in get_args(annotation)[1:] if isinstance(m, msgspec.Meta)]
            assert metas, f"{struct.__name__}.{name}"
            assert metas[0].description, f"{struct.__name__}.{name}"


MILLION = 1_000_000
LIMITS = {
    "errors that are told of a run": f"{MOST_ERRORS:,}",
    "a YAML, CSV or PO file": f"{files.TEXT_LIMIT // MILLION} MB",
    "a spreadsheet": f"{archive.SIZE_LIMIT // MILLION} MB",
    "a spreadsheet, unpacked": f"{archive.UNPACKED_LIMIT // MILLION} MB",
    "rows of a table": f"{table.MAX_ROWS:,}",
    "columns of a table": f"{table.MAX_COLUMNS}",
    "cells of a table": f"{table.MAX_CELLS:,}",
    "a picture file": f"{files.PICTURE_LIMIT // MILLION} MB",
    "an SVG file": f"{svg.SIZE_LIMIT // MILLION} MB",
    "a font file": f"{fonts_module.FONT_LIMIT // MILLION} MB",
    "pixels of a picture, also of all pictures inside an SVG": (
        f"{raster.PIXEL_LIMIT // MILLION} million"
    ),
    "elements of an SVG, references followed": f"{expansion.ELEMENT_LIMIT:,}",
    "depth of an SVG": f"{expansion.DEPTH_LIMIT} levels",
    "declarations in style sheets of an SVG, for each element they may select": (
        f"{svg.DECLARED_LIMIT:,}"
    ),
    "a stream of a PDF picture, unpacked": f"{pdf.UNPACKED_LIMIT // MILLION} MB",
    "depth of a YAML file": f"{yaml.MAX_DEPTH} levels",
    "values of a YAML file": f"{yaml.MAX_VALUES:,}",
    "values that YAML aliases add": f"{yaml.MAX_ALIASED:,}",
    "cards of a game": f"{catalogues.MAX_CARDS:,}",
    "copies of a card (`count`)": f"{cards.MAX_COUNT:,}",
    "copies of all cards together": f"{deck.MAX_PRINTED:,}",
    "characters of a text, on cards and in rules": f"{deck.MAX_TEXT:,}",
    "elements of a face": f"{face.MAX_ELEMENTS:,}",
    "depth of elements in elements and parts": f"{face.MAX_DEPTH} levels",
    "repetitions in a `repeat`": f"{elements.MAX_REPEAT:,}",
    "columns of a table in rules, cards of a figure, rows and players of a score sheet": (
        f"{reading.MAX_SIDE}"
    ),
    "depth of lists and boxes in rules": f"{reading.MAX_DEPTH} levels",
    "a rules text to import": (
        f"{manuscripts.SIZE_LIMIT // MILLION} MB, {manuscripts.LINE_LIMIT:,} lines"
    ),
    "a DOCX to import, unpacked": f"{docx.UNPACKED_LIMIT // MILLION} MB",
    "a length": f"{units.MAX_MM:,.0f} mm",
    "a card's shorter side, at least": f"{face.SMALLEST:g} mm",
}


def test_the_limits_that_are_listed_are_those_of_the_code() -> None:
    page = (ROOT / "docs/how-to/errors.md").read_text("utf-8").partition("## Limits")[2]
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE))
    del rows["limit"]
    assert rows == LIMITS


def test_the_figures_of_the_page_on_sheets_are_those_of_the_grid() -> None:
    page = (ROOT / "docs/sheets.md").read_text("utf-8")
    a4 = best_grid((63, 88), Room((210, 297)))
    assert a4
    for level in (False, True):
        *most, last = (f"{cut.at:g}" for cut in a4.cuts() if cut.level == level)
        assert f"{', '.join(most)} and {last}" in page
    behind = a4.behind("long")[0].box
    assert f"210 - {a4.slots[0].box.right:g} = {behind.x:g}" in page
    letter = best_grid((63, 88), Room((215.9, 279.4)))
    assert letter
    assert f"left {letter.slots[0].box.x:g} and top {letter.slots[0].box.y:g}" in page
    assert len(letter.slots) == len(a4.slots) == 9
    for value in (furniture.TICK, furniture.UNPRINTABLE, furniture.ARM, furniture.CLEAR):
        assert f"{value:g} " in page
    assert f"{furniture.CUT.width:g} mm wide" in page
    assert f"{furniture.BAND:g} mm high" in page
    assert f"begin {furniture.TICK + 0.5:g} mm" in page


def test_the_figures_of_gaps_and_folds_are_those_of_the_code() -> None:
    page = (ROOT / "docs/sheets.md").read_text("utf-8")
    apart = best_grid((63, 88), Room((210, 297), gap=5.5))
    wide = best_grid((63, 88), Room((210, 297), gap=6))
    assert apart
    assert wide
    assert len(apart.slots) == 9 > len(wide.slots)
    box = apart.slots[0].box
    assert f"lie 5.5 apart, at left {box.x:g} and top {box.y:g}" in page
    assert f"down to {sheet_maker.ENOUGH:g}, in steps of {sheet_maker.STEP:g}" in page
    assert f"outermost {edges.RIM:g} mm" in page
    fold = best_fold((63, 88), Room((210, 297), gap=6))
    assert fold
    assert (fold.width, len(fold.slots)) == (297, 4)
    assert f"left    = (297 - 2·132 - 6) / 2 = {fold.slots[0].box.x:g}" in page
    assert f"+ 63 + 3 = {fold.folds[0][0]:g}" in page
    assert f"with {imposition.FOLD_GUTTER:g} mm between the two" in page
    assert f"up to {imposition.MAX_MIXED} sizes" in page


def test_the_figures_of_machines_and_printers_are_those_of_the_code() -> None:
    page = (ROOT / "docs/sheets.md").read_text("utf-8")
    problems = Problems()
    machines = cutter.load_cutters([ROOT / "layouts/cutters.yaml"], problems)
    one = machines["silhouette"]
    assert f"{one.inset.mm:g} mm from them: a square of {one.square.mm:g} mm" in page
    assert f"arms {one.arm.mm:g} long and {one.line.mm:g} thick" in page
    assert f"{one.clear.mm:g} mm is kept free" in page
    assert f"most {cut_files.TOLERANCE:g} mm off" in page
    told = (ROOT / "docs/how-to/cut.md").read_text("utf-8")
    assert all(f"| `{name}` |" in told for name in machines)
    printer = Printer(x=units.Length(2.0), y=units.Length(-1.0))
    for flip, words in (("long", "long edge is moved by {} and {};"), ("short", "by {} and {}.")):
        moved = corrected(printer, 210, 297, "back", flip)  # type: ignore[arg-type]
        assert words.format(f"{moved.e:+g}", f"{moved.f:+g}") in page
    assert f"at {APART:g}i, those of the back at {APART_BEHIND:g}i" in page


def test_the_figures_of_the_page_on_calibration_are_those_of_its_sheet() -> None:
    page = (ROOT / "docs/how-to/calibrate.md").read_text("utf-8")
    assert (COARSE, FINE) == (5, 10)
    across, down = rules(210, 297)
    assert f"{across:g} and {down:g} mm long" in page
    assert f"from 1 to {EDGE} mm" in page
    assert f"stand {APART:g} mm apart on the front and {APART_BEHIND:g} mm on" in page
    assert f"{SMALLEST[0]:g} x {SMALLEST[1]:g} mm or more" in page


def test_the_figures_of_nets_and_tiles_are_those_of_the_code() -> None:
    page = (ROOT / "docs/sheets.md").read_text("utf-8")
    box = forms.BoxSize.of((63.0, 88.0), 54, 0.3)
    w, h, d = box.width, box.height, box.depth
    assert (w - 63, h - 88) == (forms.PLAY, forms.PLAY) == (1, 1)
    assert box.net == pytest.approx((8 + 2 * w + 2 * d, h + 2 * d + 28))
    assert "So it is 8 + 2W + 2D wide and H + 2D + 28 high." in page
    assert f"feet of {forms.FOOT:g} at both ends" in page
    assert f"a floor of {forms.BASE:g} of their height, and a\nflap of {forms.FLAP:g}" in page
    assert f"n = (B - {tiling.OVERLAP:g}) / (r - {tiling.OVERLAP:g}), rounded up" in page


def test_the_page_on_calibration_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    """In a folder for settings of its own, so that nobody's printers are touched."""
    home = {"XDG_CONFIG_HOME": "settings", "APPDATA": "settings", "HOME": str(tmp_path)}
    compared = 0
    for block, output in steps(ROOT / "docs/how-to/calibrate.md"):
        for line in block.text.splitlines():
            done = subprocess.run(
                [STONEHAND, *shlex.split(line)[1:]],
                cwd=tmp_path,
                env={**os.environ, **home},
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stderr
            if output is not None:
                assert done.stdout == output
                compared += 1
    assert compared == 5


def test_the_gallery_shows_its_own_files_and_builds() -> None:
    page = (ROOT / "docs/gallery.md").read_text("utf-8")
    shown = [block for block in blocks(ROOT / "docs/gallery.md") if block.file]
    assert len(shown) > 10
    for block in shown:
        assert block.text == (ROOT / "docs/gallery" / block.file).read_text("utf-8")
    kinds = yaml.load(ROOT / "docs/gallery/cards/gallery/game.yaml")["kinds"]
    assert page.count("![") == len(kinds)  # one picture each, but for the plain card, and the box


def test_lines_that_the_pages_show_are_printed(tmp_path: Path) -> None:
    """Outputs of commands on shipped games, notes included."""
    compared = 0
    for name in ("cut", "print-both-sides"):
        for block, output in steps(ROOT / f"docs/how-to/{name}.md"):
            if output is None or block.file or "tweak" not in block.text:
                continue
            done = subprocess.run(
                [STONEHAND, *shlex.split(block.text)[1:]],
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            assert sorted(done.stdout.splitlines()) == sorted(output.splitlines())
            compared += 1
    assert compared == 3


def test_tables_that_the_page_on_balance_shows_are_printed(tmp_path: Path) -> None:
    compared = 0
    for block, output in steps(ROOT / "docs/how-to/balance.md"):
        for line in block.text.splitlines():
            done = subprocess.run(
                [STONEHAND, *shlex.split(line)[1:]],
                cwd=tmp_path,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, "")
            assert output in (done.stdout, None)
            compared += output is not None
    assert compared == 4
    assert {path.name for path in tmp_path.iterdir()} == {"next-group.png", "group.svg"}


def test_every_constraint_is_told_on_the_page_on_balance() -> None:
    page = (ROOT / "docs/how-to/balance.md").read_text("utf-8")
    assert {*re.findall(r"^\| `(\w+):", page, re.MULTILINE)} == set(CHECKS)


def test_the_design_page_names_every_module() -> None:
    page = (ROOT / "docs/design.md").read_text("utf-8")
    _, *rooms = re.split(r"^\*\*`([\w/]+)/`\*\*", page, flags=re.MULTILINE)
    told = {
        f"{room}/{module}".removeprefix("stonehand/")
        for room, text in zip(rooms[::2], rooms[1::2], strict=True)
        for module in re.findall(r"^\| `(\w+\.py)`", text, re.MULTILINE)
    }
    package = ROOT / "stonehand"
    modules = {p.relative_to(package).as_posix() for p in package.rglob("*.py")}
    there = {name for name in modules if not name.endswith("__init__.py")}
    assert told == {name for name in there if not name.startswith("cli/")}


def test_every_dependency_is_told() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(line for extra in extras for line in extra)]
    names = [re.split(r"[><=]", line)[0] for line in wanted if not line.startswith("stonehand[")]
    page = (ROOT / "docs/dependencies.md").read_text("utf-8")
    assert re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE) == list(dict.fromkeys(names))


def test_every_command_is_told_in_the_changelog() -> None:
    page = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in COMMANDS)


def test_every_picture_and_font_has_its_credit() -> None:
    page = (ROOT / "CREDITS.md").read_text("utf-8")
    for art in sorted((ROOT / "cards").glob("*/art")):
        _, _, section = page.partition(f"## Pictures in `cards/{art.parent.name}/art`")
        section = section.partition("\n## ")[0]
        named = re.findall(r"`([^`]+)`", section)
        files = {p.relative_to(art).with_suffix("").as_posix() for p in art.rglob("*.*")}
        assert files - set(named) == set()
        others = {n for n in named if n not in files}
        assert others <= {
            "@iconify-json/fluent-emoji-flat",
            "@iconify-json/fluent-emoji-high-contrast",
        }
    for font in (p for p in (ROOT / "fonts").rglob("*.*") if p.is_file()):
        assert f"`{font.relative_to(ROOT).as_posix()}`" in page
    assert "Copyright (c) Microsoft Corporation" in page
    assert 'THE SOFTWARE IS PROVIDED "AS IS"' in page


def test_the_ci_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    command = next(line for line in readme.splitlines() if line.endswith("-m pytest"))
    assert script.endswith(f"\n{command}\n")
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_pictures_are_small_and_used_and_all_of_them_are_made_by_the_script() -> None:
    pictures = {picture.name: picture for picture in (ROOT / "docs/images").iterdir()}
    assert all(picture.stat().st_size < 150_000 for picture in pictures.values())
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    assert set(re.findall(r"images/([\w-]+\.png)\)", pages)) == set(pictures)
    made: dict[str, Any] = {}
    for group in loaded("make_images").GROUPS:
        group(made)
    by_browser = set(loaded("make_screenshot").PICTURES)
    assert {f"{name}.png" for name in made} | by_browser == set(pictures)


def test_the_site_has_every_page_and_no_broken_link(tmp_path: Path, monkeypatch) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.setattr("runpy.run_path", lambda *_, **__: {})  # pictures have a test of their own
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    listed = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.M))
    pages = {p.relative_to(ROOT / "docs").as_posix() for p in (ROOT / "docs").rglob("*.md")}
    assert listed == pages | {"CHANGELOG.md", "CREDITS.md", "benchmarks.md"}
    scripts = "".join(p.read_text("utf-8") for p in tmp_path.rglob("*.html"))
    assert not re.search(r"""(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)""", scripts)


def test_pages_hold_no_paths_of_a_machine() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        assert not re.search(r"/(?:home|root|tmp|Users|work)/", text), page.name
