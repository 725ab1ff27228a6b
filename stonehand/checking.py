"""One run of the checks: a game is made as `build` makes it, but nothing is written."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from stonehand.card_sheets import build_cards
from stonehand.cards.constraints import check_constraints
from stonehand.cards.deck import LoadedGame
from stonehand.check.catalogue import check_catalogue
from stonehand.check.credits import check_credits, check_fonts
from stonehand.check.preflight import Sight
from stonehand.check.unused import check_unused
from stonehand.language.languages import Language
from stonehand.language.po import Entry
from stonehand.language.translation import of_cards
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.project import shipped_content
from stonehand.rulebooks import check_rules, rules_of, terms_of
from stonehand.scene import Box, Scene, Stroke, rectangle
from stonehand.scene import Path as PathMark
from stonehand.source.files import shown, there
from stonehand.source.problems import Problem, Problems
from stonehand.source.silence import Silences
from stonehand.translating import check as check_translation
from stonehand.translating import translation_of, wanted

FRAME = Stroke("#e0007a", 0.5)  # around what a finding is about
CUT = Stroke("#0080ff", 0.15, (1.0, 0.6))
FRAME_DISTANCE = 0.8  # mm
PICTURE_DPI = 200.0
Part = Literal["cards", "rules"]
PARTS: tuple[Part, ...] = ("cards", "rules")  # of a translation


def check_game(
    press: Press, game: LoadedGame, languages: Sequence[Language], progress: Callable[[], None]
) -> None:
    """Report all that the checks find in a game, its sheets and rulebooks in some languages."""
    nowhere = Path()
    with press.problems.gather():
        build_cards(press, game, languages, nowhere, Unwritten(), progress)
        check_rules(press, game, languages)
    check_whole(press, game, languages)
    silences = press.problems.silences
    whole = {str(language.code) for language in languages} >= set(map(str, game.spec.languages))
    if silences and whole and all_was_read(press.problems):
        _check_silences(press, game, silences)


class Unwritten(Staged):
    """Takes files and writes none."""

    wanted = False

    def write(self, target: Path, data: bytes | memoryview) -> None:
        """Do nothing with a file."""


def check_whole(press: Press, game: LoadedGame, languages: Sequence[Language]) -> None:
    """Report what is seen only by looking at all of a game, after it was laid out.

    Where something could not be read, what is not there was perhaps not seen: then nothing is.
    """
    if all_was_read(press.problems):
        check_use(press, game, press.art.files, press.fonts.licences)
        check_words(press, game, languages)


def check_use(press: Press, game: LoadedGame, art: Set[Path], fonts: Mapping[Path, int]) -> None:
    """Report what the cards say together, what is never used, and whose it is.

    `art` are the pictures that were used, `fonts` the fonts, each with its licence bits.
    """
    problems = press.problems
    check_catalogue(game, problems)
    check_constraints(game, problems)
    check_unused(game, art, press.templates, problems)
    root = game.folder.root.resolve()
    if root != shipped_content().resolve() or there(root / "CREDITS.md"):
        check_credits(root, art | fonts.keys(), problems, notes=press.preflight.thorough)
    check_fonts(fonts, problems)


def check_words(
    press: Press,
    game: LoadedGame,
    languages: Sequence[Language],
    parts: Collection[Part] = PARTS,
) -> None:
    """Report what the checks find in translations of cards, of rules or of both."""
    source = game.source_language
    translated = [language for language in languages if language.code != source]
    if not translated:
        return
    rules = rules_of(game, press) if "rules" in parts else None
    messages = [m for m in wanted(game, rules) if ("rules" if m.of_rules else "cards") in parts]
    terms = terms_of(game, press)
    for language in translated:
        with press.problems.gather():
            file = translation_of(game, language.code, press.translation)
            entries = [e for e in file.entries if _part(e) in parts]
            file = msgspec.structs.replace(file, entries=tuple(entries))
            # entries of no text were told when the game was laid out
            check_translation(
                file, messages, terms, language, source, press.problems, unknown=False
            )


def _part(entry: Entry) -> Part:
    return "cards" if of_cards(str(entry.context)) else "rules"


def all_was_read(problems: Problems) -> bool:
    """Tell whether nothing had to be left out, so that what was not seen is not there."""
    return all(problem.code for problem in problems.errors)


def _check_silences(press: Press, game: LoadedGame, silences: Silences) -> None:
    """Report silences of a game's own files that do not silence anything."""
    for problem in press.problems:
        silences.of(problem)
    root, name = game.folder.root, game.name
    folders = (game.folder.folder, root / "layouts" / name, root / "i18n" / name)
    files = [
        shown(path)
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".yaml", ".po", ".md", ".svg") and path.is_file()
    ]
    silences.check(files, press.problems)


def pictures(press: Press, problems: Sequence[Problem]) -> Iterator[tuple[str, bytes]]:
    """Yield, for findings that can be seen, a name and a PNG of the face with the place framed."""
    from stonehand.output import png

    names: dict[str, int] = {}
    sights = press.preflight.sights
    seen = [(problem, sights[problem]) for problem in problems if problem in sights]
    scenes = [_framed(sight) for _, sight in seen]
    if not scenes:
        return
    for (problem, sight), image in zip(seen, press.drawn(scenes, PICTURE_DPI), strict=True):
        name = f"{sight.name}-{problem.code}"
        names[name] = number = names.get(name, 0) + 1
        yield f"{name}-{number}" if number > 1 else name, png.encoded(image, PICTURE_DPI)


def _framed(sight: Sight) -> Scene:
    left, top, right, bottom = sight.extent
    box = Box(left, top, right - left, bottom - top).grown(FRAME_DISTANCE)
    frame = PathMark(rectangle(box, 1.0), stroke=FRAME)
    cut = PathMark(sight.scene.outline, stroke=CUT)
    return replace(sight.scene, marks=(*sight.scene.marks, cut, frame), shared=False)
