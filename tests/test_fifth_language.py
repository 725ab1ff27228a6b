"""A fifth language needs a PO file and an entry in languages.yaml; for a new script, a font."""

import shutil
from pathlib import Path

import pypdf
import pytest

from stonehand.language import po
from stonehand.rulebooks import rules_of
from stonehand.source.problems import StonehandError
from stonehand.source.text import Text
from stonehand.translating import new_file, wanted

ROOT = Path(__file__).parent.parent
FRENCH = """
fr:
  name: Français
  script: Latn
  fonts: {sans: [Noto Sans], codes: [Pretendard Variable]}
  hyphenation: {dictionary: fr_FR, before: 2, after: 3}
  quotes: [«, », “, ”]
  list_marks: {dash: –, number: "{}."}
  words: {rules: Règles du jeu, contents: Sommaire, example: Exemple, front: recto, back: verso}
"""
WORDS = {"card.001.name": "Chouette", "card.023.name": "Centaure", "A_01": "Cartes Symbole"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a copy of ONIROO that asks for a language more."""
    for folder in ("cards/oniroo", "i18n/oniroo"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    game = tmp_path / "cards" / "oniroo" / "game.yaml"
    game.write_text(game.read_text().replace("[en, hi, el, ko]", "[en, hi, el, ko, xx]"))
    return tmp_path


def declare(project: Path, code: str, entry: str) -> None:
    game = project / "cards" / "oniroo" / "game.yaml"
    game.write_text(game.read_text().replace(", xx]", f", {code}]"))
    (project / "i18n" / "languages.yaml").write_text(entry)


def build(project: Path, code: str, *commands: str) -> tuple[list[Path], list[str]]:
    """Make cards and rules in a language; return the files and what was reported."""
    from stonehand.card_sheets import build_cards
    from stonehand.output.files import Staged
    from stonehand.press import Press
    from stonehand.project import find_game, find_project
    from stonehand.rulebooks import build_rules
    from stonehand.source.problems import Problems

    problems = Problems()
    found = find_project(project)
    press = Press(found, problems)
    game = press.load(find_game(str(project / "cards" / "oniroo"), found))
    languages = press.languages_of(game, [Text(code)])
    with Staged() as staged:
        build_cards(press, game, languages, project / "output", staged, lambda: None)
        build_rules(press, game, languages, project / "output", staged)
        problems.raise_errors()
    return staged.targets, [str(problem) for problem in problems]


def test_french_is_a_table_entry_and_a_po_file(project, oniroo, press):
    declare(project, "fr", FRENCH)
    messages = list(wanted(oniroo, rules_of(oniroo, press)))
    entries = [
        po.Entry(
            source=item.message,
            context=Text(item.message.context),
            translation=Text(WORDS[item.message.context]),
        )
        for item in messages
        if item.message.context in WORDS and len(item.message) < 20
    ]
    file = new_file(oniroo, "fr")
    whole = po.PoFile(file=file.file, header=file.header, entries=tuple(entries))
    (project / "i18n" / "oniroo" / "fr.po").write_text(po.write(whole))
    (cards, rules), told = build(project, "fr")
    assert (cards.name, rules.name) == ("cards-fr.pdf", "rules-fr.pdf")
    text = pypdf.PdfReader(cards).pages[0].extract_text()
    assert "Chouette" in text and "recto" in text
    reader = pypdf.PdfReader(rules)
    text = "".join(page.extract_text() for page in reader.pages)
    assert "Cartes Symbole" in text and "Sommaire" in text and "Règles du jeu" in text
    assert reader.root_object["/Lang"] == "fr"
    assert any("the 'fr' translation of 'card.002.name' is missing" in line for line in told)


def test_a_language_from_right_to_left_is_not_supported_yet_and_says_so(project):
    hebrew = FRENCH.replace("fr:", "he:").replace("Latn", "Hebr").replace("Français", "עברית")
    declare(project, "he", hebrew)
    with pytest.raises(StonehandError) as caught:
        build(project, "he")
    (problem,) = caught.value.problems
    assert problem.message == "'he' is written from right to left, which is not supported yet"
    assert problem.location.file.endswith("languages.yaml")
    assert problem.location.line == 4


def test_a_language_whose_script_no_font_has_is_told_letter_by_letter(project):
    """Tamil has no font among the shipped ones: the sheet's label alone can't be set."""
    declare(project, "ta", FRENCH.replace("fr:", "ta:").replace("Français", "தமிழ்"))
    with pytest.raises(StonehandError) as caught:
        build(project, "ta")
    assert "no font of 'ta' has U+0BA4 'த'" in str(caught.value)
