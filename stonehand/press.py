"""The press: what the commands ask for, from a game's folder to files in the output folder.

One `Press` serves a run. It holds what all games and languages share (fonts, art, languages,
papers) and collects every problem, so that a run reports all of them and writes all or nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from stonehand.art.library import ArtLibrary, Shelf
from stonehand.cards.deck import Card, LoadedGame, PictureFile
from stonehand.cards.layout import Layouter
from stonehand.cards.reading import load_game
from stonehand.cards.template import Templates
from stonehand.check.preflight import Preflight
from stonehand.language.languages import Language, Languages, find_language, load_languages
from stonehand.language.pseudo import CODE as PSEUDO
from stonehand.language.pseudo import PseudoTranslations, pseudo_language
from stonehand.language.translation import Stale, Translations, read_translation
from stonehand.project import GameFolder, Project
from stonehand.scene import Scene
from stonehand.source.problems import Problem, Problems, did_you_mean, fault
from stonehand.source.silence import Silence
from stonehand.source.text import Text
from stonehand.source.trace import Trace, note_again, traced
from stonehand.typesetting.fonts import FontLibrary

if TYPE_CHECKING:
    from PIL.Image import Image

    from stonehand.language.po import PoFile


class Shared(msgspec.Struct):
    """What is read but once for several presses of a project."""

    shelf: Shelf = msgspec.field(default_factory=Shelf)
    kept: dict[str, tuple[Any, tuple[Problem, ...], Trace]] = {}

    def refresh(self, same: Callable[[Trace], bool]) -> None:
        """Forget what was read from files that are no longer the same."""
        self.kept = {name: kept for name, kept in self.kept.items() if same(kept[2])}
        self.shelf.refresh(same)


class Press:
    """What the games of one project share in a run."""

    def __init__(self, project: Project, problems: Problems, shared: Shared | None = None) -> None:
        """Begin with nothing read, or with what presses with the same `shared` have read."""
        self.project = project
        self.problems = problems
        self._layouters: dict[tuple[int, str, bool, Stale], Layouter] = {}
        self.shared = shared or Shared()
        self.art = ArtLibrary(problems, self.shared.shelf)
        self.preflight = Preflight(problems, self.drawn, lambda art: self.art.page(art)[1])

    @cached_property
    def fonts(self) -> FontLibrary:
        """The fonts of the project and the shipped ones."""
        read = lambda problems: FontLibrary(self.project.folders("fonts"), problems)  # noqa: E731
        fonts: FontLibrary = self.once("fonts", read)
        return fonts.beside()

    @cached_property
    def languages(self) -> Languages:
        """The languages of the project and the shipped ones."""
        files = "i18n/languages.yaml"
        read = lambda problems: load_languages(self.project.files(files), problems)  # noqa: E731
        languages: Languages = self.once("languages", read)
        return languages

    @cached_property
    def templates(self) -> Templates:
        """The templates of the project and the shipped ones."""
        return Templates(self.once)

    def once(self, name: str, read: Callable[[Problems], Any]) -> Any:
        """Return what is read but once; what was found then is told again."""
        kept = self.shared.kept
        if name not in kept:
            found = Problems()
            with traced() as trace:
                try:
                    kept[name] = read(found), tuple(found), trace
                finally:
                    self.problems.add(found)
        value, problems, seen = kept[name]
        note_again(seen)
        self.problems.add(problems)
        return value

    def load(self, folder: GameFolder) -> LoadedGame:
        """Read a game."""
        game = load_game(folder, self.problems)
        if silences := self.problems.silences:
            for said in game.spec.check.unchecked:
                silence = Silence(str(said.code), str(said.reason), said.code.at, said.files or "*")
                silences.declared.append(silence)
        return game

    def translation(self, path: Path, language: str) -> "PoFile | None":
        """Read a translation, once for cards, rules and checks; see `read_translation`."""
        found: PoFile | None = self.once(f"{path}", lambda _: read_translation(path, language))
        return found

    def read_pictures(self, cards: Iterable[Card]) -> None:
        """Read the pictures of cards ahead, so that all drawings are converted in one go."""
        for card in cards:
            for value in card.values.values():
                if isinstance(value, PictureFile):
                    with self.problems.gather():
                        self.art.load(value.path, value, value.page)
        with self.problems.gather():
            self.art.convert()

    def drawn(self, scenes: Sequence[Scene], dpi: float) -> "Iterator[Image]":
        """Draw Scenes as pictures, as they would print."""
        from stonehand.output import png
        from stonehand.output.pdf import PdfWriter

        writer = PdfWriter("", "und", self.art)
        for scene in scenes:
            writer.add_page(scene)
        return png.rasterise(writer.data(), list(scenes), dpi)

    def languages_of(self, game: LoadedGame, wanted: Iterable[Text]) -> list[Language]:
        """Return the languages to make a game in: those wanted, else all it declares.

        Every game can be made in the pseudo-language.
        """
        declared = game.spec.languages
        chosen = []
        for code in tuple(wanted) or declared:
            with self.problems.gather():
                if code == PSEUDO:
                    source = find_language(game.source_language, self.languages)
                    english = self.languages.get("en", source)
                    chosen.append(pseudo_language(source, english.words))
                    continue
                if code not in declared:
                    hint = did_you_mean(code, declared)
                    raise fault(code.at, f"{game.name} has no language '{code}'", hint)
                chosen.append(find_language(code, self.languages))
        return chosen

    def layouter(
        self,
        game: LoadedGame,
        language: Language,
        *,
        proof: bool = False,
        stale: Stale = "source",
    ) -> Layouter:
        """Return what lays out a game's cards in a language, one for all of a run.

        It keeps what it has read and shaped, so that decks, boxes and rules share that.
        """
        key = (id(game), str(language.code), proof, stale)
        if key not in self._layouters:
            self._layouters[key] = self._layouter(game, language, proof, stale)
        return self._layouters[key]

    def _layouter(
        self, game: LoadedGame, language: Language, proof: bool, stale: Stale
    ) -> Layouter:
        if language.code == game.source_language:
            translations = Translations.source(language.code)
        elif language.code == PSEUDO:
            translations = PseudoTranslations()
        else:
            path = game.folder.translation(language.code)
            messages = list(game.messages())
            translations = Translations.load(
                path, language.code, self.problems, stale, messages, self.translation
            )
            translations.report_unknown(message.context for message in messages)
            translations.report_doubled(messages)
        return Layouter(
            game,
            language,
            self.languages,
            translations,
            self.templates,
            self.fonts,
            self.art,
            self.problems,
            proof=proof,
            watch=None if proof else self.preflight.face,
        )
