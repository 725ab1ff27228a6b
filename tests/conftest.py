"""What many tests share: the shipped content, the game Oniroo, and its card sheets as PDF.

Everything here is read or built once a run. Fixtures are not to be changed by a test: one that
needs its own problems, fonts or project makes its own `Press`.
"""

from pathlib import Path

import pytest

from stonehand.cards.deck import LoadedGame
from stonehand.language.languages import Languages
from stonehand.output.files import Staged
from stonehand.press import Press, build_cards
from stonehand.project import Project, shipped_content
from stonehand.source.problems import Problems
from stonehand.typesetting.fonts import FontLibrary


@pytest.fixture(scope="session")
def shipped() -> Path:
    """The folder that holds `cards/`, `layouts/`, `fonts/` and `i18n/` as shipped."""
    return shipped_content()


@pytest.fixture(scope="session")
def press(shipped: Path) -> Press:
    """A press for the shipped games; its problems stay empty as long as nothing is wrong."""
    return Press(Project((shipped,)), Problems())


@pytest.fixture(scope="session")
def fonts(press: Press) -> FontLibrary:
    """The shipped fonts."""
    return press.fonts


@pytest.fixture(scope="session")
def languages(press: Press) -> Languages:
    """The shipped languages."""
    return press.languages


@pytest.fixture(scope="session")
def oniroo(press: Press) -> LoadedGame:
    """The game Oniroo, read from its files without any problem."""
    game = press.load(press.project.games()["oniroo"])
    assert not list(press.problems)
    return game


@pytest.fixture(scope="session")
def oniroo_pdfs(
    press: Press, oniroo: LoadedGame, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The card sheets of Oniroo as `stonehand build oniroo` makes them: {language: PDF}."""
    folder = tmp_path_factory.mktemp("oniroo")
    languages = press.languages_of(oniroo, ())
    with Staged() as staged:
        build_cards(press, oniroo, languages, folder, staged, lambda: None)
    assert not list(press.problems)
    return {str(language.code): folder / f"cards-{language.code}.pdf" for language in languages}
