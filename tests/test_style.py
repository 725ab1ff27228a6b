"""Style, layout and types are checked by tools; a test each, so that a plain test run tells."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(module: str, *arguments: str) -> None:
    """Run a tool over the tree; what it finds is what the test says."""
    pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_no_fault():
    run("ruff", "check", "--quiet")


def test_ruff_would_lay_out_no_file_otherwise():
    run("ruff", "format", "--check", "--quiet")


def test_ruff_looks_at_every_module():
    """A folder left out by mistake would pass unseen (`output` is also a room of the engine)."""
    pytest.importorskip("ruff")
    shown = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    modules = {path for path in (ROOT / "stonehand").rglob("*.py") if "cli" not in path.parts}
    modules |= set((ROOT / "cli").glob("*.py")) | set((ROOT / "tests").glob("*.py"))
    assert {str(path) for path in modules} - set(shown) == set()


def test_mypy_finds_no_fault():
    run("mypy")
