"""States of a project that lie in a git repository, laid out as folders for as long as needed.

The objects of the repository are read as they are; no git program is called, nothing is checked
out, and neither hooks nor filters run.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from stonehand.output.files import kept
from stonehand.project import GameFolder, Project, find_project
from stonehand.source.files import PICTURE_LIMIT
from stonehand.source.problems import COMMAND_LINE, Location, StonehandError, fault

if TYPE_CHECKING:
    from dulwich.objects import Tree
    from dulwich.repo import Repo

FOLDERS = ("cards", "layouts", "fonts", "i18n")
MOST_FILES = 20_000
MOST_BYTES = 1_000_000_000
DEEPEST = 20
_FILE, _FOLDER = 0o100000, 0o040000
_KIND = 0o170000


@contextmanager
def games_at(name: str, project: Project) -> Iterator[dict[str, GameFolder]]:
    """Give the games of a state of a project: of a folder, or of a revision of its repository."""
    if Path(name).is_dir():
        yield find_project(Path(name).resolve()).own_games()
        return
    with exported(name, project.roots[0]) as folder:
        yield find_project(folder).own_games()


@contextmanager
def exported(revision: str, project: Path) -> Iterator[Path]:
    """Give a folder with a project as it was at a revision, such as `HEAD~3`, `v1` or a commit.

    Links and submodules are left out. Faults: no repository, no such revision, no project in it.
    """
    try:
        from dulwich.repo import Repo
    except ImportError:
        hint = "name folders, or pip install 'stonehand[git]'"
        raise _fault(f"to read '{revision}' takes the package dulwich", hint) from None
    try:
        repo = Repo.discover(str(project))
    except Exception as error:  # it has several kinds, and none in common
        message = f"no folder '{revision}', and no git repository to look for it as a revision"
        raise _fault(message) from error
    with repo, tempfile.TemporaryDirectory(prefix="stonehand-") as temporary:
        folder = Path(temporary).resolve()
        try:
            top = Path(repo.path).resolve()
            _write(repo, _tree(repo, revision), project.resolve().relative_to(top), folder)
        except StonehandError:
            raise
        except Exception as error:
            message = f"'{revision}' is no folder, and no revision of the repository"
            raise _fault(message, "such as HEAD~3, v1 or a commit") from error
        yield folder


def _fault(message: str, hint: str = "") -> StonehandError:
    return fault(Location(COMMAND_LINE), message, hint)


def _tree(repo: "Repo", revision: str) -> "Tree":
    """Return the tree of a revision; KeyError and others if there is none."""
    from dulwich.objects import Commit, Tag, Tree
    from dulwich.objectspec import parse_commit, parse_object

    found: Any
    try:
        found = parse_commit(repo, revision.encode())
    except (KeyError, ValueError):
        found = parse_object(repo, revision.encode())  # which follows ~ and ^
    while isinstance(found, Tag):
        found = repo[found.object[1]]
    if isinstance(found, Commit):
        found = repo[found.tree]
    if not isinstance(found, Tree):
        raise KeyError(revision)
    return found


def _write(repo: "Repo", tree: "Tree", project: Path, folder: Path) -> None:
    """Write the files of a project from a tree into a folder, within limits."""
    for part in project.parts:
        tree = repo[tree[part.encode()][1]]  # type: ignore[assignment]
    files = total = 0
    for path, sha in _files(repo, tree, PurePosixPath(), 0):
        if path.parts[0] not in FOLDERS and path.name not in ("CREDITS.md", "game.yaml"):
            continue
        data = repo[sha].as_raw_string()
        files += 1
        total += len(data)
        if files > MOST_FILES or total > MOST_BYTES or len(data) > PICTURE_LIMIT:
            raise _fault("the project has too many files at that revision, or too large ones")
        if not kept(folder / path, data):
            raise _fault(f"'{path}' can't be written to a temporary folder")


def _files(
    repo: "Repo", tree: "Tree", at: PurePosixPath, depth: int
) -> Iterator[tuple[PurePosixPath, bytes]]:
    for entry in tree.items():
        name = entry.path.decode("utf-8", "surrogateescape")
        if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
            continue  # no git makes such names, but someone may
        kind = entry.mode & _KIND
        if kind == _FILE:
            yield at / name, entry.sha
        elif kind == _FOLDER and depth < DEEPEST and (depth or name in FOLDERS):
            yield from _files(repo, repo[entry.sha], at / name, depth + 1)  # type: ignore[arg-type]
