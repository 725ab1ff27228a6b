"""Copies of shipped games, to be changed while they are served."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parent.parent


def lay_game(project: Path, name: str) -> Path:
    """Copy a shipped game into a project of its own; return the folder of its cards."""
    for part in ("cards", "layouts", "i18n"):
        shutil.copytree(ROOT / part / name, project / part / name)
    return project / "cards" / name


def change(file: Path, old: str, new: str) -> None:
    """Save a file with a text in it replaced, which must be there."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
