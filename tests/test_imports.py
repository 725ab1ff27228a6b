"""Start-up loads little, and modules know only what the design lets them know."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = {"PIL", "pikepdf", "typst", "fontTools", "uharfbuzz", "pypdfium2", "segno", "icu4py"}
HEAVY |= {"starlette", "uvicorn", "watchfiles"}
ENTRY = "import sys; from stonehand.cli import main; sys.argv[0] = 'stonehand'; main()"


def loaded_by(code: str, *arguments: str) -> set[str]:
    """Return the top-level modules outside the standard library that a program loads."""
    script = (
        "import os, sys\n"
        "before, leave = set(sys.modules), os._exit\n"
        "def tell(code=0):\n"
        "    print('\\n@' + ' '.join(set(sys.modules) - before), flush=True)\n"
        "    leave(code)\n"
        f"os._exit = tell\n{code}\ntell()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = done.stdout.rpartition("@")[2].split()
    tops = {name.partition(".")[0] for name in names}
    return {top for top in tops if top not in sys.stdlib_module_names and not top.startswith("_")}


class TestStartUp:
    def test_of_the_package_loads_no_other(self):
        assert loaded_by("import stonehand") == {"stonehand"}

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--help"],
            ["--version"],
            ["build", "--help"],
            ["cards", "--help"],
            ["preview", "--help"],
            ["inspect", "--help"],
            ["serve", "--help"],
        ],
        ids=" ".join,
    )
    def test_for_help_loads_nothing_heavy(self, arguments):
        loaded = loaded_by(ENTRY, *arguments)
        assert "click" in loaded
        assert loaded & HEAVY == set()

    def test_for_a_listing_loads_nothing_heavy(self):
        assert loaded_by(ENTRY, "list") & HEAVY == set()

    def test_for_the_schemas_loads_nothing_heavy(self, tmp_path):
        assert loaded_by(ENTRY, "schema", "-q", "-o", str(tmp_path)) & HEAVY == set()

    def test_for_cards_does_not_load_what_only_previews_need(self, tmp_path):
        target = str(tmp_path / "x.pdf")
        loaded = loaded_by(ENTRY, "cards", "oniroo", "-l", "en", "--only", "fairy", "-o", target)
        assert "pikepdf" in loaded
        assert "pypdfium2" not in loaded


def test_modules_import_only_what_lies_below_them():
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("room", "stranger"),
    [
        ("scene.py", "stonehand"),
        ("source", "stonehand.language"),
        ("source", "stonehand.cards"),
        ("sheets", "stonehand.cards"),
        ("sheets", "stonehand.art"),
        ("sheets", "stonehand.typesetting"),
        ("art", "stonehand.language"),
        ("check", "stonehand.output"),
        ("output", "stonehand.cards"),
        ("output", "stonehand.sheets"),
        ("output", "stonehand.language"),
    ],
)
def test_rooms_do_not_know_each_other(room, stranger):
    """What the layers of the contract leave open: the 'knows' column of the design."""
    place = ROOT / "stonehand" / room
    for path in [place] if place.is_file() else place.glob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if words[:1] in (["from"], ["import"]):
                assert not words[1].startswith(stranger), f"{path.name}: {line}"
