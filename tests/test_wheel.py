"""The wheel: built from a clean copy of the tree, it makes every game from any folder.

Nothing of the checkout is on the path of the installed program: `-S` leaves out the editable
install, and the folder it runs in is empty.
"""

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = sysconfig.get_path("purelib"), sysconfig.get_path("platlib")

pytestmark = [
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone"),
    pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"),
]


def tracked() -> list[str]:
    """Return the files of the tree: those in git, and new ones that it would not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = listed.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).exists()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """A wheel of the tree as it is."""
    tree = tmp_path_factory.mktemp("tree")
    for name in tracked():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)
    dist = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", dist]
    if int(metadata.version("setuptools").split(".")[0]) >= 77:
        command.append("--no-isolation")
    made = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    [path] = dist.iterdir()
    return path


@pytest.fixture(scope="module")
def content(wheel) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("installed")
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", target, wheel]
    subprocess.run(command, check=True)
    return target


def shipped(folder: str) -> set[str]:
    """Return the files of a content folder of the tree, without what is only for people."""
    names = {name for name in tracked() if name.startswith(f"{folder}/")}
    return {name for name in names if not name.endswith(".md")}


class TestContent:
    @pytest.mark.parametrize("folder", ["cards", "fonts", "layouts"])
    def test_holds_every_file_of_the_content_folders(self, content, folder):
        wanted = {f"stonehand/content/{name}" for name in shipped(folder)}
        assert wanted - content == set()

    def test_holds_every_file_of_the_starters(self, content):
        wanted = {f"stonehand/content/{n}" for n in tracked() if n.startswith("starters/")}
        assert len(wanted) > 50
        assert wanted - content == set()

    def test_holds_languages_and_translations(self, content):
        names = {n for n in tracked() if n.startswith("i18n/") and n.endswith((".po", ".yaml"))}
        assert names
        assert {f"stonehand/content/{name}" for name in names} - content == set()

    def test_holds_the_art_of_the_whole_deck(self, content):
        art = {n for n in content if n.startswith("stonehand/content/cards/oniroo/art/")}
        assert sum(name.endswith(".svg") for name in art) > 150

    def test_holds_every_module_and_says_that_it_is_typed(self, content):
        modules = {
            name
            for name in tracked()
            if name.startswith("stonehand/") and name.endswith(".py") and "/cli/" not in name
        }
        commands = {f"stonehand/{n}" for n in tracked() if n.startswith("cli/")}
        assert modules | {n for n in commands if n.endswith(".py")} <= content
        assert "stonehand/py.typed" in content

    def test_holds_the_live_page(self, content):
        page = {name for name in tracked() if name.startswith("stonehand/serving/page/")}
        assert "stonehand/serving/page/index.html" in page
        assert page <= content

    def test_holds_the_licences_of_program_and_fonts(self, content):
        licences = {n.partition("/licenses/")[2] for n in content if "/licenses/" in n}
        assert "LICENSE" in licences
        assert {n for n in tracked() if n.startswith("fonts/") and "OFL" in n} <= licences

    def test_holds_nothing_that_is_not_for_users(self, content):
        tops = {name.split("/")[0] for name in content}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"stonehand"}
        parts = {part for name in content for part in name.split("/")}
        assert not parts & {"tests", "benchmarks", "docs", "__pycache__", ".hypothesis"}
        assert not any(name.endswith((".pyc", ".pdf", ".orig", ".rej", "~")) for name in content)

    def test_names_its_command(self, wheel):
        with zipfile.ZipFile(wheel) as archive:
            [name] = [n for n in archive.namelist() if n.endswith("entry_points.txt")]
            assert "stonehand = stonehand.cli:main" in archive.read(name).decode()


@pytest.fixture(scope="module")
def stonehand(installed, tmp_path_factory):
    """Run the installed program in an empty folder."""

    def run(*arguments: str) -> tuple[Path, str]:
        folder = tmp_path_factory.mktemp("anywhere")
        places = [str(installed), *dict.fromkeys(PACKAGES)]
        entry = (
            f"import sys; sys.path[1:1] = {places!r}; sys.argv[0] = 'stonehand'\n"
            f"import stonehand; assert stonehand.__file__.startswith({str(installed)!r})\n"
            "from stonehand.cli import main; main()"
        )
        done = subprocess.run(
            [sys.executable, "-S", "-c", entry, *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return folder, done.stdout

    return run


class TestInstalled:
    def test_lists_the_shipped_game_from_its_own_place(self, stonehand, installed):
        _, said = stonehand("list")
        assert "oniroo: Oniroo, 173 cards, in en, hi, el, ko" in said
        assert str(installed) in said

    def test_makes_cards_with_the_same_bytes_as_the_checkout(self, stonehand, oniroo_pdfs):
        folder, _ = stonehand("build", "oniroo", "--lang", "hi")
        made = folder / "output" / "oniroo" / "cards-hi.pdf"
        assert made.read_bytes() == oniroo_pdfs["hi"].read_bytes()

    @pytest.mark.parametrize("code", ["en", "hi", "el", "ko"])
    def test_makes_previews_in_every_language(self, stonehand, code):
        folder, _ = stonehand("preview", "oniroo", "023", "--lang", code)
        assert (folder / "output" / "oniroo" / f"023-{code}.png").stat().st_size > 10_000

    def test_begins_projects_with_their_credits(self, stonehand):
        folder, _ = stonehand("new", "pond", "--like", "tweak")
        assert "cards/pond/art" in (folder / "pond" / "CREDITS.md").read_text("utf-8")

    def test_writes_the_schemas(self, stonehand):
        folder, _ = stonehand("schema")
        assert (folder / "schema" / "game.json").is_file()
