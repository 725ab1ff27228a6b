"""Translations: found by context; what is missing, stale or fuzzy prints the source and is told."""

from pathlib import Path

import pytest

from stonehand.language.languages import find_language, load_languages
from stonehand.language.translation import Message, Translations
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text

HEADER = """msgid ""
msgstr ""
"Language: ko\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"""


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that looks a text up in a PO file and gives it with what was reported."""
    monkeypatch.chdir(tmp_path)

    def look_up(entries: str, text: str = "Owl", header: str = HEADER) -> tuple[str, list[str]]:
        path = tmp_path / "ko.po"
        path.write_text(header + "\n" + entries)
        problems = Problems()
        translations = Translations.load(path, "ko", problems)
        message = Message.of(Text(text, Location("cards.yaml", 3, 7)), "card.001.name")
        return str(translations.text(message)), [str(problem) for problem in problems]

    return look_up


def test_a_text_is_found_by_its_context(translated):
    entries = """
msgctxt "card.002.name"
msgid "Owl"
msgstr "다른 것"

msgctxt "card.001.name"
msgid "Owl"
msgstr "부엉이"
"""
    assert translated(entries) == ("부엉이", [])


def test_the_translation_stands_where_its_file_says(tmp_path):
    path = tmp_path / "ko.po"
    path.write_text(HEADER + '\nmsgctxt "card.001.name"\nmsgid "Owl"\nmsgstr "부엉이"\n')
    translations = Translations.load(path, "ko", Problems())
    found = translations.text(Message.of(Text("Owl"), "card.001.name"))
    assert (found.at.line, found.at.column) == (8, 8)


@pytest.mark.parametrize(
    ("entries", "told", "code"),
    [
        (
            "",
            "cards.yaml:3:7: warning: the 'ko' translation of 'card.001.name' is missing",
            "untranslated",
        ),
        (
            'msgctxt "card.001.name"\nmsgid "Owl"\nmsgstr ""\n',
            "ko.po:8:8: warning: the 'ko' translation of 'card.001.name' is empty",
            "untranslated",
        ),
        (
            '#, fuzzy\nmsgctxt "card.001.name"\nmsgid "Owl"\nmsgstr "부엉이"\n',
            "ko.po:9:8: warning: the 'ko' translation of 'card.001.name' is marked as fuzzy",
            "fuzzy",
        ),
        (
            'msgctxt "card.001.name"\nmsgid "Old owl"\nmsgstr "부엉이"\n',
            "ko.po:8:8: warning: the 'ko' translation of 'card.001.name' belongs to an older text",
            "fuzzy",
        ),
    ],
)
def test_a_text_without_a_good_translation_is_printed_as_written(translated, entries, told, code):
    text, problems = translated(entries)
    assert text == "Owl"
    assert problems == [f"{told} (the source text is printed) [{code}]"]


def test_without_a_file_all_texts_stay_as_written_and_that_is_told_once(tmp_path):
    problems = Problems()
    translations = Translations.load(tmp_path / "ko.po", "ko", problems)
    for context in ("card.001.name", "card.002.name"):
        assert translations.text(Message.of(Text("Owl"), context)) == "Owl"
    (problem,) = problems
    assert "not found: all texts of 'ko' stay in the source language" in str(problem)


def test_a_file_of_another_language_is_an_error(translated):
    _, problems = translated("", header=HEADER.replace("ko", "hi"))
    assert any("error: the header says 'Language: hi', not 'ko'" in line for line in problems)


def test_an_entry_that_no_text_asks_for_is_told(tmp_path):
    path = tmp_path / "ko.po"
    path.write_text(HEADER + '\nmsgctxt "card.999.name"\nmsgid "Owl"\nmsgstr "부엉이"\n')
    problems = Problems()
    Translations.load(path, "ko", problems).report_unknown(["card.001.name"])
    assert "no text has the context 'card.999.name'" in str(next(iter(problems)))


def test_the_shipped_games_are_translated_whole(oniroo):
    problems = Problems()
    for code in oniroo.spec.languages[1:]:
        translations = Translations.load(oniroo.folder.translation(code), code, problems)
        messages = list(oniroo.messages())
        translations.report_unknown(message.context for message in messages)
        for message in messages:
            translations.text(message)
    assert not list(problems)


def test_a_projects_own_language_table_adds_and_replaces(tmp_path):
    shipped = Path(__file__).parent.parent / "i18n" / "languages.yaml"
    own = tmp_path / "languages.yaml"
    own.write_text("fr: {name: Français, script: Latn, fonts: {sans: [Noto Sans]}}\n")
    problems = Problems()
    languages = load_languages([shipped, own], problems)
    assert {"en", "hi", "el", "ko", "fr"} <= set(languages)
    assert languages["fr"].break_locale == languages["fr"].code == "fr"
    with pytest.raises(StonehandError, match="unknown language 'fi'"):
        find_language(Text("fi"), languages)
