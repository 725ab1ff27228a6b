"""`stonehand translate`: what is counted, what is found, and the language that nobody speaks."""

import json
import re
import sys
from pathlib import Path

import pytest

from stonehand.cli import _run
from stonehand.language import checks, po
from stonehand.language.checks import CHECKS
from stonehand.language.pseudo import CODE, PseudoTranslations, pseudo, pseudo_language
from stonehand.language.translation import Message
from stonehand.language.update import Wanted, new_file
from stonehand.rules.terms import Term
from stonehand.source.problems import Location, Problems
from stonehand.source.text import Text
from stonehand.translating import check, status

STEMS = {
    "kind.free": {"en": ("Free card",), "el": ("ελεύθερη κάρτα", "λεύθερ"), "hi": ("स्वतंत्र",)},
    "mode.solo": {"en": ("solo",), "ko": ("1인",)},
}
TERMS = {key: Term(key, stems, Location("terms.csv", 2, 1)) for key, stems in STEMS.items()}


@pytest.fixture
def found(languages):
    """Return a function that gives what the checks say of a translation, without its place."""

    def look(language: str, source: str, text: str, comment: str = "", card: bool = False):
        context = "card.1.text" if card else "A_01"
        entry = po.Entry(
            context=Text(context),
            source=Text(source),
            translation=Text(text, Location("x.po", 9, 8)),
            translator_comments=(comment,) if comment else (),
        )
        file = po.PoFile(file="x.po", header={}, entries=(entry,))
        messages = [Wanted(Message.of(Text(source), context), ("paragraph",), "r.md", not card)]
        problems = Problems()
        assert check(file, messages, TERMS, languages[language], "en", problems) == 1
        told = list(map(str, problems))
        assert all(line.startswith("x.po:9:8: ") for line in told)
        return [re.sub(r"^x.po:9:8: (\w+): '[\w.]+': .* \[([\w-]+)\]$", r"\1 \2", t) for t in told]

    return look


GOOD = [
    ("hi", "Draw 5 cards.", "5 पत्ते उठाएँ।"),
    ("hi", "Draw 5 cards.", "५ पत्ते उठाएँ।"),  # native digits
    ("ko", "Draw a card.", "카드 1장을 뽑습니다."),  # a figure for a word
    ("ko", "The solo game.", "1인 모드."),  # a figure in a term
    ("el", "At 07:00, see [[A_02]].", "Στις 07:00, βλ. [[A_02]]."),
    ("el", "Do you [[kind.free|free cards]]?", "Έχετε [[kind.free|ΕΛΕΎΘΕΡΕΣ κάρτες]];"),
    ("hi", "A [[kind.free|free card]].", "एक [[kind.free|स्वतंत्र पत्ता]]।"),
    ("el", "You have {count kind=free} cards.", "Έχετε {count kind=free} κάρτες."),
    ("el", "Say “now” **loud**.", "Πείτε «τώρα» **δυνατά**."),
    ("en", "It is the player’s.", "That’s the player’s."),
    ("ko", "**Goal.** Win.", "**목표.** 이깁니다."),
    ("el", "Step by step.", "Βήμα βήμα."),
    ("hi", "One by one.", "एक-एक करके, धीरे धीरे।"),
    ("hi", "Family.", "क्\u200dष।"),  # a joiner is spelling
    ("ko", "digits: 0 to 9.", "숫자: 0부터 9까지"),  # no sentence
    ("ko", "Wait …", "기다립니다…"),
    ("el", "Oniroo", "Oniroo"),
    ("hi", "(Really!)", "(सच!)"),
]


@pytest.mark.parametrize(("language", "source", "text"), GOOD)
def test_a_good_translation_passes(found, language, source, text):
    assert found(language, source, text) == []


BAD = [
    ("error references", "el", "See [[A_02]].", "Βλ. [[A_03]]."),
    ("error references", "el", "See [[A_02]].", "Βλ. [[A_02]], [[A_02]]."),
    ("error references", "el", "You have {count kind=free}.", "Έχετε {count}."),
    ("error figures", "hi", "Draw 5 cards.", "6 पत्ते उठाएँ।"),
    ("error figures", "ko", "Draw cards.", "카드 1장을 뽑습니다."),
    ("error figures", "el", "At 07:00 and 07:00.", "Στις 07:00."),
    ("error emphasis", "ko", "A **goal** here.", "그 **목표.**는 여기."),
    ("warning voices", "el", "Say it **loud**.", "Πείτε το δυνατά."),
    ("warning end-mark", "hi", "Draw.", "उठाएँ."),
    ("warning end-mark", "el", "Is it you?", "Εσείς είστε?"),
    ("warning full-width", "ko", "Draw, then play.", "뽑고， 냅니다."),
    ("warning quotes", "hi", "Say “now”.", '"अभी" कहें।'),
    ("warning quotes", "el", "Say “now”.", "Πείτε „τώρα“."),
    ("warning quotes", "el", "Say “now”.", "Πείτε «τώρα."),
    ("warning doubled-word", "el", "Take it from the hand.", "Πάρτε το από από το χέρι."),
    ("warning spaces", "el", "Take it.", "Πάρτε  το."),
    ("warning spaces", "el", "Take it.", "Πάρτε το. "),
    ("warning invisible", "ko", "Take it.", "가져\u200b옵니다."),
    ("warning invisible", "el", "Take it.", "Πάρτε\u200e το."),
    ("warning invisible", "el", "Take it.", "Πάρτε\u200d το."),
    ("warning unchanged", "el", "Take it from there.", "Take it from there."),
    ("warning composed", "el", "Hand.", "Χε\u0301ρι."),
    ("warning terms", "el", "A [[kind.free|free card]].", "Μια [[kind.free|ωραία κάρτα]]."),
]


@pytest.mark.parametrize(("finding", "language", "source", "text"), BAD)
def test_a_bad_translation_is_told(found, finding, language, source, text):
    assert finding in found(language, source, text)


def test_every_check_has_its_bad_example():
    assert set(CHECKS) == {finding.split()[1] for finding, *_ in BAD}


def test_numbers_may_be_words(found):
    text = "पाँच पत्ते उठाएँ।"
    assert found("hi", "Draw 5 cards.", text) == ["error figures"]
    assert found("hi", "Draw 5 cards.", text, "numbers-as-words") == []


def test_brackets_of_cards_are_only_brackets(found):
    assert found("el", "[[x {y Take :star:.", "[[x {y Πάρτε :star:.", card=True) == []
    assert found("el", "Take :star:.", "Πάρτε.", card=True) == ["error references"]


def test_a_reference_that_is_not_closed_is_told_at_the_translation(languages):
    text = Text("Βλ. [[A_02.", Location("x.po", 9, 8))
    entry = po.Entry(context=Text("A_01"), source=Text("See [[A_02]]."), translation=text)
    message = Message.of(Text("See [[A_02]]."), "A_01")
    problems = Problems()
    file = po.PoFile(file="x.po", header={}, entries=(entry,))
    check(file, [Wanted(message, (), "r.md", True)], {}, languages["el"], "en", problems)
    assert [str(p).partition(" (")[0] for p in problems] == [
        "x.po:9:8: error: '[[' is not closed or not opened"
    ]


def pair(context: str, kind: str, text: str) -> checks.Pair:
    notation = checks.Notation(text, text)
    return checks.Pair(context, kind, notation, notation, "Free", Text(text))


def test_one_text_has_one_translation_among_texts_of_its_kind():
    pairs = [pair("A_01", "heading", "α"), pair("A_02", "heading", "β"), pair("A", "cell", "γ")]
    assert [(p.context, f.message) for p, f in checks.inconsistent(pairs)] == [
        ("A_02", "'Free' is 'α' in 'A_01'")
    ]


def test_every_plural_form_is_asked_for():
    text = (
        'msgid ""\nmsgstr "Language: el\\nContent-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        'msgid "card"\nmsgid_plural "cards"\nmsgstr[0] "κάρτα"\nmsgstr[1] "{}"\n'
    )
    good, bad = (po.parse(text.format(form), "el.po") for form in ("κάρτες", ""))
    assert list(checks.lacking_plurals(good)) == []
    assert [f.message for _, f in checks.lacking_plurals(bad)] == ["1 of 2 plural forms are there"]


# --- what is counted


def test_the_status_counts_cards_and_rules_apart():
    messages = [
        Wanted(Message.of(Text("Owl"), "card.1.name"), (), "c.yaml"),
        Wanted(Message.of(Text("Draw."), "A_01"), (), "r.md", True),
        Wanted(Message.of(Text("Play."), "A_01"), (), "r.md", True),
    ]
    entries = (
        po.Entry(context=Text("card.1.name"), source=Text("Owl"), translation=Text("Κ")),
        po.Entry(context=Text("A_01"), source=Text("Draw!"), translation=Text("Τ")),
    )
    counted = status(po.PoFile(file="", header={}, entries=entries), messages)
    numbers = {p: (s.total, s.translated, s.fuzzy, s.missing) for p, s in counted.items()}
    assert numbers == {"cards": (1, 1, 0, 0), "rules": (2, 0, 1, 1), "all": (3, 1, 1, 1)}
    assert counted["all"].percent == 33.3


def test_percents_are_rounded_down():
    messages = [Wanted(Message.of(Text(f"t{i}"), "A"), (), "", True) for i in range(2000)]
    entries = tuple(
        po.Entry(context=Text("A"), source=Text(f"t{i}"), translation=Text("x"))
        for i in range(1999)
    )
    assert status(po.PoFile(file="", header={}, entries=entries), messages)["all"].percent == 99.9


# --- the commands


@pytest.fixture
def stonehand(monkeypatch, capsys, tmp_path):
    """Run the program in the folder of a game `pond` with a card and rules, in en and el."""
    game, texts = tmp_path / "cards/pond", tmp_path / "i18n/pond"
    game.mkdir(parents=True)
    texts.mkdir(parents=True)
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts/front.yaml").write_text(
        "elements:\n  - {draw: text, text: $name, left: 5mm, right: 5mm, top: 5mm}\n"
    )
    (game / "game.yaml").write_text(
        "title: Pond\nlanguages: [en, el]\ncatalogues: [cards.yaml]\n"
        "kinds:\n  bird: {title: Bird, front: front, fields: {name: text}}\n"
    )
    (game / "cards.yaml").write_text("kind: bird\ncards:\n  - {id: duck, name: Duck}\n")
    (texts / "rules.md").write_text(
        "# Pond\n\n### A_01 Draw\n\n<!-- translators: at night -->\nDraw 1 [[kind.bird|bird]].\n"
    )
    (texts / "terms.csv").write_text("key,en,el\nkind.bird,bird,πουλί;πουλ\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["stonehand", *arguments])
        capsys.readouterr()
        code = _run()
        return code, *capsys.readouterr()

    return run


PO = Path("i18n/pond/el.po")


def translated(*pairs: tuple[str, str]) -> None:
    text = PO.read_text("utf-8")
    for source, translation in pairs:
        before = f'msgid "{source}"\nmsgstr "'
        assert before + '"' in text
        text = text.replace(before, before + translation)
    PO.write_text(text, "utf-8")


class TestUpdate:
    def test_begins_files_with_all_texts(self, stonehand):
        code, out, err = stonehand("translate", "update", "pond")
        assert (code, err) == (0, "")
        assert out == (
            "i18n/pond/el.po: 6 messages, 6 missing, 0 fuzzy, 0 obsolete\n"
            "i18n/pond/pond.pot: 6 messages\n"
        )
        assert PO.read_text("utf-8").endswith(
            "#. paragraph\n#. at night\n#. term: bird = πουλί\n#: i18n/pond/rules.md\n"
            'msgctxt "A_01"\nmsgid "Draw 1 [[kind.bird|bird]]."\nmsgstr ""\n'
        )
        template = Path("i18n/pond/pond.pot").read_text("utf-8")
        assert '"Language: \\n"' in template
        assert "term:" not in template

    def test_a_second_time_writes_nothing(self, stonehand):
        stonehand("translate", "update", "pond")
        before = [(path, path.stat().st_mtime_ns) for path in Path("i18n/pond").iterdir()]
        _, out, _ = stonehand("translate", "update", "pond")
        assert out == "i18n/pond/el.po: up to date\ni18n/pond/pond.pot: up to date\n"
        assert [(path, path.stat().st_mtime_ns) for path in Path("i18n/pond").iterdir()] == before

    def test_leaves_a_faulty_file_as_it_is(self, stonehand):
        PO.write_text('msgid ""\nmsgstr "')
        code, _, err = stonehand("translate", "update", "pond")
        assert code == 1
        assert "i18n/pond/el.po:2:8: error: the quote is not closed" in err
        assert PO.read_text() == 'msgid ""\nmsgstr "'
        assert not Path("i18n/pond/pond.pot").exists()

    @pytest.mark.parametrize(
        ("language", "told"),
        [("el", "no entry belongs to this game"), ("hi", "the header says 'Language: hi'")],
    )
    def test_takes_no_file_of_another_game_or_language(self, stonehand, language, told):
        entry = po.Entry(context=Text("card.x.y"), source=Text("a"), translation=Text("b"))
        file = new_file("other", language)
        text = po.write(po.PoFile(file="", header=file.header, entries=(entry,)))
        PO.write_text(text, "utf-8")
        code, _, err = stonehand("translate", "update", "pond")
        assert code == 1
        assert told in err
        assert PO.read_text("utf-8") == text

    def test_does_not_write_into_the_shipped_games_from_elsewhere(self, stonehand):
        code, _, err = stonehand("translate", "update", "oniroo")
        assert code == 2
        assert "oniroo comes with Stonehand" in err

    @pytest.mark.parametrize("code", ["en", CODE])
    def test_is_not_for_languages_without_translations(self, stonehand, code):
        exit_code, _, err = stonehand("translate", "update", "pond", "--lang", code)
        assert exit_code == 2
        assert f"there are no translations for '{code}'" in err


class TestStatus:
    def test_shows_a_table(self, stonehand):
        stonehand("translate", "update", "pond")
        translated(("Duck", "Πάπια"))
        code, out, _ = stonehand("translate", "status", "pond")
        assert code == 0
        rows = [line.split() for line in out.splitlines()]
        assert rows == [
            ["total", "translated", "fuzzy", "missing"],
            ["el", "cards", "3", "1", "0", "2", "33.3", "%"],
            ["rules", "3", "0", "0", "3", "0.0", "%"],
            ["all", "6", "1", "0", "5", "16.6", "%"],
        ]

    def test_fails_on_demand(self, stonehand):
        assert stonehand("translate", "status", "pond", "--minimum", "0")[0] == 0
        code, _, err = stonehand("translate", "status", "pond", "--minimum", "1")
        assert code == 1
        assert err == "less than 1 % are translated: el\n"

    def test_is_json_for_programs(self, stonehand):
        _, out, _ = stonehand("translate", "status", "pond", "--json")
        nothing = {"translated": 0, "fuzzy": 0, "percent": 0.0}
        assert json.loads(out)["el"]["all"] == {"total": 6, "missing": 6, **nothing}


class TestCheck:
    def test_tells_each_finding_at_its_place(self, stonehand):
        stonehand("translate", "update", "pond")
        translated(("Draw 1 [[kind.bird|bird]].", "Πάρτε 2 [[kind.bird|πουλιά]]."))
        line = PO.read_text("utf-8").splitlines().index('msgstr "Πάρτε 2 [[kind.bird|πουλιά]]."')
        code, out, err = stonehand("translate", "check", "pond")
        assert code == 1
        assert out == "el: 1 text checked, 1 problem\n"
        assert err == (
            f"i18n/pond/el.po:{line + 1}:8: error: 'A_01': the translation lacks 1 and "
            "has too much of 2 (where words say it: # numbers-as-words) [figures]\n"
        )

    @pytest.mark.parametrize("severity", ["error", "warning"])
    def test_a_translator_may_be_right_against_a_check(self, stonehand, severity):
        stonehand("translate", "update", "pond")
        code, text = {
            "error": ("figures", "Πάρτε 2 [[kind.bird|πουλιά]]."),
            "warning": ("end-mark", "Πάρτε 1 [[kind.bird|πουλί]]"),
        }[severity]
        translated(("Draw 1 [[kind.bird|bird]].", text))
        assert code in stonehand("translate", "check", "pond", "--strict")[2]
        entry = 'msgctxt "A_01"\nmsgid "Draw 1'
        written = PO.read_text("utf-8")
        PO.write_text(written.replace(entry, f"# unchecked: {code} - a saying\n{entry}"), "utf-8")
        code, out, err = stonehand("translate", "check", "pond", "--strict")
        assert (code, out, err) == (0, "el: 1 text checked, no problems\n", "")

    def test_is_strict_on_demand(self, stonehand):
        stonehand("translate", "update", "pond")
        translated(("Duck", "Πάπια "))
        assert stonehand("translate", "check", "pond")[0] == 0
        assert stonehand("translate", "check", "pond", "--strict")[0] == 1

    def test_tells_entries_that_no_text_asks_for(self, stonehand):
        stonehand("translate", "update", "pond")
        translated(("Duck", "Πάπια"))
        cards = Path("cards/pond/cards.yaml")
        cards.write_text(cards.read_text().replace("Duck", "Ducks"))
        _, _, err = stonehand("translate", "check", "pond")
        assert "the source has no such text in 'card.duck.name' any more" in err
        cards.write_text(cards.read_text().replace("duck", "goose"))
        _, _, err = stonehand("translate", "check", "pond")
        assert "no text has the context 'card.duck.name'" in err


def test_the_examples_of_the_help_work(stonehand):
    for command in ("status", "check"):
        lines = stonehand("translate", command, "--help")[1].splitlines()
        examples = [line.split()[1:] for line in lines if line.startswith("    stonehand ")]
        assert examples
        for words in examples:
            assert stonehand(*words)[0] == 0, words


def test_the_shipped_translations_are_complete_and_clean(stonehand):
    code, _, err = stonehand("translate", "check", "oniroo", "--strict")
    assert (code, err) == (0, "")
    assert stonehand("translate", "status", "oniroo", "--minimum", "100")[0] == 0


# --- the language that nobody speaks


def test_a_pseudo_text_is_accented_longer_and_in_brackets():
    assert pseudo("Nightmare") == "⁅Ńíiġḣṫḿáaŕée⁆"
    text = "Complete one or more dreams, and lay the clock on the table."
    assert 1.3 < len(pseudo(text)) / len(text) < 1.5


def test_a_pseudo_text_of_another_script_is_longer_and_in_brackets():
    assert pseudo("사자가 걸어온다") == "⁅사자가 걸어온다 ~~~⁆"


def test_a_pseudo_text_keeps_its_notation():
    text = (
        r"**Lay** [[kind.free|one]] of {count kind=free} :star: at [[A_01]], *not* \*two\* $name."
    )
    assert re.sub(r"[^\W_]+", "", pseudo(text)).strip("⁅⁆ ~").startswith("**** [[.|]]")
    for kept in ("[[kind.free|", "{count kind=free}", ":star:", "[[A_01]]", r"\*", "$name", "**"):
        assert pseudo(text).count(kept) == text.count(kept), kept


def test_the_pseudo_language_is_set_as_the_source_is(languages):
    made = pseudo_language(languages["ko"], languages["en"].words)
    assert (made.code, made.fonts, made.break_locale) == (
        CODE,
        languages["ko"].fonts,
        languages["ko"].break_locale,
    )
    assert all(word.startswith("⁅") for word in made.words.values())
    assert "{page}" in made.words[Text("sheet")]


def test_a_pseudo_translation_stands_where_its_source_does():
    message = Message.of(Text("Owl", Location("cards.yaml", 3, 7)), "card.1.name")
    printed, good = PseudoTranslations().printed(message)
    assert good
    assert printed.at == message.at


def test_any_game_can_be_made_in_the_pseudo_language(stonehand, tmp_path):
    import pypdf

    for command in ("cards", "rules"):
        target = tmp_path / f"{command}.pdf"
        code, _, err = stonehand(command, "pond", "--lang", CODE, "-o", str(target))
        assert code == 0, err
        pages = [page.extract_text() for page in pypdf.PdfReader(target).pages]
        text = "\n".join(pages)
        assert text.count("⁅") == text.count("⁆") > 3
        # all that never reached translation; the ruler's units are none
        assert set(re.findall(r"\b[A-Za-z]{2,}\b", text)) <= {"mm", "in"}
    assert not PO.exists()
