"""A project: the folders in which games, layouts, fonts and languages are found.

A user's project and what Stonehand ships have the same folders with the same meaning; a project
is looked through first and the shipped content second, so a game needs to bring only what is its
own, and anything shipped can be replaced by a file of the same name.
"""

from pathlib import Path

import msgspec

from stonehand.source.files import found, is_folder, shown, there, within
from stonehand.source.problems import Location, did_you_mean, fault
from stonehand.source.text import Text


def shipped_content() -> Path:
    """Return the folder that holds `cards/`, `layouts/`, `fonts/` and `i18n/` as shipped.

    In a wheel they lie inside the package, in a checkout beside it.
    """
    package = Path(__file__).resolve().parent
    return content if (content := package / "content").is_dir() else package.parent


class GameFolder(msgspec.Struct, frozen=True):
    """A game's name, its folder and the project it belongs to."""

    name: str
    folder: Path
    project: "Project"

    @property
    def root(self) -> Path:
        """The folder of the project that has the game."""
        roots = self.project.roots
        return next((root for root in roots if self.folder.is_relative_to(root)), self.folder)

    @property
    def file(self) -> Path:
        """The `game.yaml`."""
        return _own(self.root, self.folder / "game.yaml")

    @property
    def art(self) -> Path:
        """The folder of its pictures."""
        return _own(self.root, self.folder / "art")

    def translation(self, language: str) -> Path:
        """Return where the translation into a language is (it need not be there)."""
        return self._text(f"{language}.po")

    @property
    def rules(self) -> Path:
        """Where the rules text is (it need not be there)."""
        return self._text("rules.md")

    @property
    def terms(self) -> Path:
        """Where the termbase is (it need not be there)."""
        return self._text("terms.csv")

    def _text(self, name: str) -> Path:
        return _own(self.root, self.root / "i18n" / self.name / name)


class Project(msgspec.Struct, frozen=True):
    """The content roots, in the order they are looked through."""

    roots: tuple[Path, ...]

    def games(self) -> dict[str, GameFolder]:
        """Return all games by name."""
        found: dict[str, GameFolder] = {}
        for root in self.roots:
            for file in sorted((root / "cards").glob("*/game.yaml")):
                name = file.parent.name
                found.setdefault(name, GameFolder(name, file.parent, self))
        return found

    def own_games(self) -> dict[str, GameFolder]:
        """Return the games of the project itself, without the shipped ones behind it."""
        return {n: g for n, g in self.games().items() if g.folder.is_relative_to(self.roots[0])}

    def layout(self, name: Text) -> Path:
        """Return the file of a template or part by its name below `layouts/`, such as `a/b`."""
        folders = self.folders("layouts")
        for folder in folders:
            if path := found(folder, name, (".yaml",)):
                return path
        known = {
            file.relative_to(folder).with_suffix("").as_posix()
            for folder in folders
            for file in folder.rglob("*.yaml")
        }
        raise fault(name.at, f"unknown layout '{name}'", did_you_mean(name, known))

    def files(self, name: str) -> list[Path]:
        """Return a file of every root that has it, the shipped one first."""
        paths = [(root, root / name) for root in reversed(self.roots)]
        return [_own(root, path) for root, path in paths if there(path)]

    def folders(self, name: str) -> list[Path]:
        """Return a folder of every root that has it, the project's own first."""
        paths = [(root, root / name) for root in self.roots]
        return [_own(root, path) for root, path in paths if is_folder(path)]


def _own(root: Path, path: Path) -> Path:
    """Return a path of a project, which no link may lead out of it."""
    if not within(root, path):
        raise fault(Location(shown(path)), "must lie in the project", "it is a link out of it")
    return path


def find_project(start: Path) -> Project:
    """Return the project around a folder: the nearest one upward with a `cards/*/game.yaml`."""
    shipped = shipped_content()
    for folder in (start, *start.parents):
        if any((folder / "cards").glob("*/game.yaml")):
            return Project(tuple(dict.fromkeys((folder, shipped))))
    return Project((shipped,))


def find_game(name: str, project: Project) -> GameFolder:
    """Return a game by its name or by the path of its folder.

    A game's folder that lies in no project is one of its own, with `layouts/` and `i18n/` in it.
    """
    games = project.games()
    if name in games:
        return games[name]
    folder = Path(name)
    folder = folder.parent if folder.name == "game.yaml" else folder
    if there(folder / "game.yaml"):
        folder = folder.resolve()
        around = find_project(folder)
        if not any(folder.is_relative_to(root) for root in around.roots):
            around = Project((folder, *around.roots))
        return GameFolder(folder.name, folder, around)
    hint = did_you_mean(name, games)
    if there(folder):
        raise fault(Location(shown(folder)), "there is no game.yaml in this folder", hint)
    raise fault(Location(name), "no game of this name, and no folder", hint)
