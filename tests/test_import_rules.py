"""`stonehand import rules`: rulebooks as people have them, aligned with the source."""

import io
import re
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import manuscripts
import polib
import pytest
import test_docs
from hypothesis import example, given, strategies
from manuscripts import Look, chunks, shuffled
from msgspec.structs import replace

from stonehand.importing import begin, docx
from stonehand.importing.pieces import boxed, canonical, escaped, lettering, notation, split_id
from stonehand.importing.restore import Guide, restored
from stonehand.importing.rules import LACKING, LEFT_OUT, MISSING, UNPLACED, Task, fill, labels
from stonehand.importing.run import guide
from stonehand.importing.text import parse_manuscript
from stonehand.language import po
from stonehand.language.translation import Message
from stonehand.press import Press
from stonehand.rules import inline
from stonehand.rules.blocks import Heading
from stonehand.rules.book import Names
from stonehand.rules.terms import load_terms
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text
from stonehand.translating import brought_up, wanted
from stonehand.typesetting import markup

LABELS = {"example": "example", "note": "note"}


def pieces(text: str, markdown: bool = False):
    return parse_manuscript(text, "r.txt", markdown=markdown).pieces


def seen(text: str, markdown: bool = False) -> list[tuple[str, str]]:
    return [(p.kind[0], f"{p.id} {p.text}".strip()) for p in pieces(text, markdown)]


# --- text to pieces


@pytest.mark.parametrize(
    ("words", "name", "rest"),
    [
        ("A_01 Words", "A_01", "Words"),
        ("A-01: Words", "A_01", "Words"),
        ("A.1 Words", "A_01", "Words"),
        ("A1", "A_01", ""),
        ("Α_01 Λέξεις", "A_01", "Λέξεις"),  # a Greek letter
        ("1.2 Words", "A_02", "Words"),
        ("2. Words", "B", "Words"),
        ("§ 3 Words", "C", "Words"),
        ("D. Words", "D", "Words"),
        ("D – Words", "D", "Words"),
        ("Words {#solo optional}", "solo", "Words"),
        ("A. Words {#A}", "A", "Words"),
        ("A lion walks", "", "A lion walks"),
        ("Words", "", "Words"),
    ],
)
def test_ids_are_read_in_the_forms_that_people_write(words, name, rest):
    found, after = split_id(words)
    assert (canonical(found), after) == (name, rest)


def test_an_id_of_another_form_is_told_by_a_pattern():
    assert split_id("Regel 12 – Ende", re.compile(r"Regel (\d+)")) == ("12", "Ende")


def test_letters_are_taken_for_latin_ones_unless_the_text_has_others_of_its_alphabet():
    latin = lettering(pieces("Α. α\n\nΒ. β\n\nΗ. η"))
    greek = lettering(pieces("Α. α\n\nΒ. β\n\nΓ. γ"))
    assert [latin(c) for c in "ΑΒΗ"] == ["A", "B", "H"]
    assert [greek(c) for c in "ΑΒΓ"] == ["A", "B", "C"]


@pytest.mark.parametrize("mark", ["-", "*", "•", "‣", "–", "1.", "1)", "(a)", "१.", "①", "가."])
def test_items_of_lists_are_told_by_any_mark(mark):
    assert seen(f"Take:\n{mark} one\n  card\n{mark} two") == [
        ("p", "Take:"),
        ("i", "one card"),
        ("i", "two"),
    ]


PLAIN = """My Game

For two
players.

A. Start

A-01 Shuffle
Shuffle the cards. At level
2. they count.

1. Deal

2. Play

The end is near

B_02 says so.

| a | b |
|---|---|
| c \\| d | |
"""


def test_a_plain_text_is_read_by_what_its_lines_look_like():
    assert seen(PLAIN) == [
        ("h", "My Game"),
        ("p", "For two players."),
        ("h", "A Start"),
        ("h", "A_01 Shuffle"),
        ("p", "Shuffle the cards. At level 2. they count."),
        ("i", "Deal"),
        ("i", "Play"),
        ("h", "The end is near"),
        ("p", "B_02 says so."),
        ("c", "a"),
        ("c", "b"),
        ("c", "c | d"),
        ("c", ""),
    ]


MARKDOWN = """---
game: x
---
# Title

## Words {#A}

Some **strong** and _soft_ words with [a link](x), `code`<br>, 3 * 4 and [[A_02]].
<!-- a
comment -->

::: example
![[023, 058 | A caption]]
:::

Alone ![or not](picture.png)
"""


def test_markdown_keeps_emphasis_and_the_notation_of_rules():
    found = pieces(MARKDOWN, markdown=True)
    assert [(p.kind, p.id, p.text, p.box) for p in found] == [
        ("heading", "", "Title", ""),
        ("heading", "A", "Words", ""),
        (
            "paragraph",
            "",
            "Some **strong** and *soft* words with a link, code, 3 \\* 4 and [[A_02]].",
            "",
        ),
        ("caption", "", "A caption", "example"),
        ("paragraph", "", "Alone", ""),
    ]
    assert [piece.at.line for piece in found] == [4, 6, 8, 13, 16]
    manuscript = parse_manuscript(MARKDOWN, "r.md", markdown=True)
    assert manuscript.left_out == ((Location("r.md", 16), "a picture"),)
    told = begin.begun(manuscript, "x", "en", LABELS).outcome.told
    assert told[LEFT_OUT] == [
        "r.md:16: a picture",
        "r.md:13: the cards of a figure; its caption is a paragraph",
    ]


def test_a_box_is_told_by_its_name():
    text = "**Example:** Mira plays.\n\nNote\n\nTake care.\n\nAn example: this."
    found = boxed(pieces(text, markdown=True), LABELS)
    assert [(p.text, p.box) for p in found] == [
        ("Mira plays.", "example"),
        ("Take care.", "note"),
        ("An example: this.", ""),
    ]


@given(strategies.text())
@example("__0__")
@example("a__b")
def test_words_are_escaped_so_that_they_are_printed_as_they_stand(text):
    text = re.sub(r"[{}\[\]\x00-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\u2028\u2029]", "", text)
    words = " ".join(text.split())
    assert "".join(span.text for span in markup.parse(escaped(words))) == words
    spans = [s for s in markup.parse(notation([(words, True, False)])) if s.text.strip()]
    assert "".join(span.text for span in spans) == words


FRAGMENTS = (
    "# ;## ;### A_01 ;A. ;1. ;- ;• ;    1. ;| a | b |;|---|---|;::: example;:::;**b**;_u_;`c`;<b>;"
    "&amp;;[[A_02]];[[x;]];{count};{x};[a](b);![[1 | cap]];\\;see A-02, 1.2;===;---;~~~;> q;"
    "Example: hello;Note:;한국어;① x;§ 3 X;:star:;\ue000;#;Γ. x;words words.;\n;\n;\n\n;\n\n; "
)


@given(strategies.lists(strategies.sampled_from(FRAGMENTS.split(";")), max_size=14))
def test_any_text_begins_a_source_that_can_be_read_or_is_told_why_not(parts):
    for markdown in (False, True):
        try:
            manuscript = parse_manuscript("".join(parts), "r.txt", markdown=markdown)
            made = begin.begun(manuscript, "game", "en", LABELS)
        except StonehandError as error:
            assert all(p.location.file == "r.txt" for p in error.problems)
        else:
            assert begin.checked(made.text, "rules.md", Problems()).blocks


# --- references put back

OURS = Guide(
    ids=frozenset({"A_02", "D"}),
    stems={"kind.free": ("Free card", "Free")},
    count={"free": 8, "moon": 8, "": 30}.__getitem__,
    card={"9": "Owl"}.__getitem__,
    titles={"decks": "Decks"},
)
THEIRS = Guide(
    ids=OURS.ids,
    stems={"kind.free": ("ελεύθερη κάρτα", "λεύθερ")},
    count=OURS.count,
    card={"9": "Κουκουβάγια"}.__getitem__,
    titles={"decks": "Τράπουλες"},
)
FREE = "{count kind=free}"


@pytest.mark.parametrize(
    ("source", "text", "made", "doubt"),
    [
        ("See [[A_02]].", "Βλ. A-02.", "Βλ. [[A_02]].", ""),
        ("See [[A_02]].", "Βλ. 1.2.", "Βλ. [[A_02]].", ""),
        ("See [[A_02]].", "Βλ. Α.2.", "Βλ. [[A_02]].", ""),
        ("See [[D]].", "Βλ. D.", "Βλ. [[D]].", ""),
        ("See [[decks]].", "Βλ. «Τράπουλες».", "Βλ. «[[decks]]».", ""),
        ("The [[card.9]].", "Η κουκουβάγια.", "Η [[card.9]].", ""),
        (f"{FREE} cards", "8 κάρτες, 18", f"{FREE} κάρτες, 18", ""),
        (f"{FREE} cards", "८ κάρτες", f"{FREE} κάρτες", ""),
        (f"{FREE} cards", "οκτώ κάρτες", "οκτώ κάρτες", f"no place found for {FREE} (8)"),
        (
            "A [[kind.free|Free card]].",
            "Μία ΕΛΕΥΘΕΡΗ κάρτα.",
            "Μία [[kind.free|ΕΛΕΥΘΕΡΗ κάρτα]].",
            "",
        ),
        (
            "[[kind.free|Free cards]]: a Free card",
            "ελεύθερες κάρτες: ελεύθερη",
            "[[kind.free|ελεύθερες κάρτες]]: ελεύθερη",
            "",
        ),
        (
            "A [[kind.free|Free card]].",
            "ελεύθερη ή ελεύθερες",
            "[[kind.free|ελεύθερη]] ή ελεύθερες",
            "2 places for [[kind.free]]: the first was taken",
        ),
        (f"{FREE} or {{count kind=moon}}", "8 ή 8", None, "which 8 is which value?"),
        ("[[D|that]] and [[A_02]]", "[[D|αυτό]] και A_02", "[[D|αυτό]] και [[A_02]]", ""),
        ("[[D|that]]", "αυτό", "αυτό", "no place found for [[D]]"),
    ],
)
def test_what_a_source_refers_to_is_found_in_a_text(source, text, made, doubt):
    found = restored(Text(source), text, THEIRS, OURS)
    assert found.doubts == ((doubt,) if doubt else ())
    if made:
        assert found.text == made


# --- the rules of Oniroo, in Greek and Korean


@pytest.fixture(scope="module")
def task_of(oniroo, rules_text, shipped):
    """A function that gives what a rulebook of Oniroo in a language is aligned with."""
    problems = Problems()
    terms = load_terms(shipped / "i18n/oniroo/terms.csv", problems)
    press = Press(oniroo.folder.project, problems)
    messages = wanted(oniroo, rules_text)
    [english] = press.languages_of(oniroo, [Text("en")])
    ours = guide(press, oniroo, rules_text, terms, english)

    def made(code: str) -> tuple[Task, po.PoFile, Names]:
        [language] = press.languages_of(oniroo, [Text(code)])
        theirs = guide(press, oniroo, rules_text, terms, language)
        task = Task(rules_text, messages, terms, language, "en", theirs, ours)
        names = Names(rules_text, press.layouter(oniroo, language), terms)
        file = brought_up(oniroo, messages, terms, code) if code != "en" else None
        return task, file, names

    return made


def said_by(names: Names, look: Look):
    """Return a function that gives a message as a book prints it, with its emphasis."""

    def shown(part: inline.Part, text: Text) -> str:
        if isinstance(part, inline.Words):
            return part.text
        if isinstance(part, inline.Value):
            return str(names.count(part.kind))
        words = part.words or names.reference(part.target, text)[0]
        return re.sub(r"^([A-Z])_(\d\d)$", rf"\g<1>{look.separator}\2", words)

    def said(message: Text) -> str:
        text = message
        if isinstance(message, Message):  # what is no text of the source is as it stands
            text = names.layouter.translations.text(message)
        return "".join(shown(part, text) for part in inline.parse(text))

    return said


def look_of(language, bullet: str, number: str, separator: str) -> Look:
    boxes = {box: str(language.words[Text(box)]) for box in ("example", "note", "tip", "optional")}
    return Look(bullet, number, separator, example=boxes)


def without_rules(file: po.PoFile, task: Task) -> po.PoFile:
    """Return a PO file in which the rules are not translated."""
    rules = {item.key for item in task.messages if item.of_rules}
    entries = [
        replace(e, translation=Text("")) if (e.context, e.source) in rules else e
        for e in file.entries
    ]
    return po.PoFile(file=file.file, header=file.header, entries=tuple(entries))


def flat(text: str) -> str:
    return re.sub(r"\[\[[^|\]]*\|([^\]]*)\]\]", r"\1", text)


def compared(new: po.PoFile, old: po.PoFile, task: Task) -> Counter[str]:
    """Count the rules of a PO file: exactly as before, fuzzy or not, and missing.

    What is neither fuzzy nor as it was may differ in the words of a term, and in nothing else.
    """
    rules = {item.key for item in task.messages if item.of_rules}
    before = {(e.context, e.source): e for e in old.entries}
    counts: Counter[str] = Counter()
    for entry in new.entries:
        if (entry.context, entry.source) in rules:
            was = before[entry.context, entry.source].translation
            if not entry.translation:
                counts["missing"] += 1
            elif entry.fuzzy:
                counts["fuzzy"] += 1
                assert any(c.startswith("import: ") for c in entry.translator_comments)
            else:
                counts["exact" if entry.translation == was else "near"] += 1
                assert flat(entry.translation) == flat(was)
                assert inline.protected(entry.translation) == inline.protected(was)
    return counts


EXTRA = "\n### P-01 Παραλλαγή\n\nΠαίξτε και ανάποδα.\n"


@pytest.mark.parametrize(
    ("code", "markdown", "bullet", "number", "separator", "least", "doubtful"),
    [
        ("el", True, "•", "({})", "-", 0.99, 2),
        ("ko", False, "‣", "{})", ".", 0.97, 10),
    ],
)
def test_a_rulebook_with_other_marks_comes_back_as_it_was(
    task_of, rules_text, code, markdown, bullet, number, separator, least, doubtful
):
    task, file, names = task_of(code)
    look = look_of(task.language, bullet, number, separator)
    said = said_by(names, look)
    title = said(rules_text.title)
    text = manuscripts.lines(chunks(rules_text), title, said, look, markdown)
    manuscript = parse_manuscript(text, "r.md", markdown=markdown)
    new, outcome = fill(task, manuscript, without_rules(file, task), labels([task.language]))
    counts = compared(new, file, task)
    assert counts["exact"] >= least * counts.total()
    assert counts["fuzzy"] <= doubtful
    assert counts["missing"] == 0
    assert not {MISSING, UNPLACED, LACKING} & set(outcome.told)
    assert po.parse(po.write(new), "x.po").entries == new.entries


def test_a_shuffled_rulebook_with_rules_too_many_and_too_few_is_aligned_and_the_rest_listed(
    task_of, rules_text
):
    task, file, names = task_of("el")
    look = look_of(task.language, "*", "{}.", ".")
    said = said_by(names, look)
    gone = {"B_03", "M", "M_01", "M_02", "M_03", "score-sheet", "M_04"}
    parts = [p for p in shuffled(chunks(rules_text)) if not p.heading or p.heading.id not in gone]
    text = manuscripts.lines(parts, said(rules_text.title), said, look, markdown=True) + EXTRA
    manuscript = parse_manuscript(text, "r.md", markdown=True)
    new, outcome = fill(task, manuscript, without_rules(file, task), labels([task.language]))
    counts = compared(new, file, task)
    lost = {item.key for item in task.messages if item.of_rules and item.message.context in gone}
    assert counts["missing"] == len(lost)
    assert counts["exact"] >= 0.8 * counts.total()
    assert {line.partition(":")[0] for line in outcome.told[MISSING]} == gone
    assert [line.partition(": ")[2] for line in outcome.told[UNPLACED]] == [
        "P_01 Παραλλαγή",
        "Παίξτε και ανάποδα.",
    ]
    assert LACKING not in outcome.told


@pytest.mark.parametrize("markdown", [False, True])
def test_rules_written_as_a_text_begin_a_source_with_the_same_ids_and_texts(
    task_of, rules_text, markdown
):
    task, _, names = task_of("en")
    look = look_of(task.language, "•", "{})", "_")
    said = said_by(names, look)
    text = manuscripts.lines(chunks(rules_text), said(rules_text.title), said, look, markdown)
    manuscript = parse_manuscript(text, "r.txt", markdown=markdown)
    made = begin.begun(manuscript, "oniroo", "en", labels([task.language]))
    rules = begin.checked(made.text, "rules.md", Problems())

    def printed(message: Text) -> str:
        return re.sub(r"[*]", "", said(Text(str(message), message.at)))

    def ids(blocks) -> list[str]:
        found = [str(b.id) for b in blocks if isinstance(b, Heading)]
        return [name for name in found if re.fullmatch(r"[A-Z](_\d\d)?", name)]

    names.layouter.translations.stale = "source"
    assert ids(rules.blocks) == ids(rules_text.blocks)
    assert [printed(m) for m in rules.texts()] == [printed(m) for m in rules_text.texts()]


# --- the command


@pytest.fixture
def pond(tmp_path, monkeypatch):
    """The game of the tutorial, at its end, as a project to stand in."""
    for block, _ in test_docs.steps(test_docs.ROOT / "docs/tutorial.md"):
        if block.file:
            target = tmp_path / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_on_importing_rules_can_be_followed_to_the_letter(stonehand, pond):
    page = test_docs.ROOT / "docs/how-to/import-rules.md"
    ran = 0
    for block, output in test_docs.steps(page):
        if block.file:
            target = pond / block.file
            if target.exists():
                made = target.read_text("utf-8").replace("of 9 animals", "of {count} animals")
                assert made.replace("the Frog", "the [[card.frog]]") == block.text
            target.write_text(block.text, encoding="utf-8")
            continue
        for line in block.text.splitlines():
            code, out, err = stonehand(*line.split()[1:])
            assert (code, err) == (0, "")
            assert output is None or out == output
            ran += 1
    assert ran == 3
    report = (pond / "output/pond/import-ko.txt").read_text("utf-8")
    assert report in {block.text for block in test_docs.blocks(page)}
    assert stonehand("translate", "update", "pond")[1].count("up to date") == 2
    before = (pond / "i18n/pond/ko.po").read_bytes()
    code, out, _ = stonehand("import", "rules", "rules-ko.md", "--game", "pond", "--lang", "ko")
    assert out.startswith("i18n/pond/ko.po: 1 fuzzy, 11 the same, 2 missing\n")
    assert (pond / "i18n/pond/ko.po").read_bytes() == before


RULES = "---\ngame: pond\nlanguage: en\n---\n\n# Pond\n\n## Race {#A}\n\nTake **one** card.\n"


def test_good_translations_stay_unless_they_are_to_be_overwritten(stonehand, pond):
    (pond / "i18n/pond/rules.md").write_text(RULES)
    text = pond / "ko.txt"
    text.write_text("연못\n\nA. 경주\n\n카드를 한 장 뽑습니다.\n", "utf-8")
    command = ("import", "rules", "ko.txt", "--game", "pond", "--lang", "ko")
    before = sorted(pond.rglob("*"))
    assert stonehand(*command, "--dry-run")[0] == 0
    assert sorted(pond.rglob("*")) == before
    assert stonehand(*command)[1].startswith("i18n/pond/ko.po: 2 certain, 1 fuzzy\n")
    file = polib.pofile(str(pond / "i18n/pond/ko.po"))
    entry = file.find("Take **one** card.")
    assert entry.fuzzy
    assert entry.tcomment == "import: 0 strong pieces, the source has 1"
    entry.msgstr, entry.flags, entry.tcomment = "카드 **한** 장을 뽑습니다.", [], ""
    file.save()
    _, out, _ = stonehand(*command)
    assert "2 the same, 1 kept" in out
    assert "A: 카드 **한** 장을 뽑습니다. | 카드를" in Path("output/pond/import-ko.txt").read_text()
    assert "1 fuzzy, 2 the same" in stonehand(*command, "--overwrite")[1]
    assert polib.pofile(str(pond / "i18n/pond/ko.po")).find("Take **one** card.").fuzzy


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("a.txt", "--lang", "en"), 1, "command line: error: pond has rules in 'en' already"),
        (("a.txt", "--lang", "fr"), 1, "command line: error: pond has no language 'fr'"),
        (("a.txt", "--lang", "art-x-pseudo"), 1, "command line: error: 'art-x-pseudo' is made"),
        (("a.pdf", "--lang", "ko"), 1, "a.pdf: error: '.pdf' files can't be imported"),
        (("b.txt", "--lang", "ko"), 1, "b.txt: error: not found"),
        (("old.txt", "--lang", "ko"), 1, "old.txt:1:2: error: not UTF-8 (byte 0xE9)"),
        (("empty.txt", "--lang", "ko"), 1, "empty.txt: error: there is no text in it"),
        (("bad.docx", "--lang", "ko"), 1, "bad.docx: error: the file is damaged, or no .docx"),
        (("a.txt", "--lang", "ko", "--id-pattern", "("), 2, "Error: --id-pattern: missing )"),
    ],
)
def test_what_cannot_be_imported_is_told(stonehand, pond, words, code, told):
    (pond / "i18n/pond/rules.md").write_text(RULES)
    (pond / "a.txt").write_text("A. x\n\ny\n")
    (pond / "old.txt").write_bytes("dé".encode("latin-1"))
    (pond / "empty.txt").write_text("---\n\n***\n")
    (pond / "bad.docx").write_bytes(b"PK\x03\x04 and no more")
    done = stonehand("import", "rules", *words, "--game", "pond")
    assert done[0] == (2 if told.startswith("command line") else code)
    assert told in done[2]
    assert "Traceback" not in done[2]
    assert not (pond / "output").exists()


def test_ids_out_of_order_are_told_where_they_stand(stonehand, pond):
    (pond / "a.txt").write_text("Title\n\nB. x\n\nB_02 y\nz\n\nB_01 y\nz\n\nA. x\n\nC_01 u\nv\n")
    assert stonehand("import", "rules", "a.txt", "--game", "pond", "--lang", "en") == (
        1,
        "",
        "a.txt:8: error: rule 'B_01' comes after rule 'B_02' (put the rules in the order of their "
        "ids)\n"
        "a.txt:11: error: section 'A' comes after section 'B' (put the sections in the order of "
        "their letters)\n"
        "a.txt:13: error: rule 'C_01' stands in section 'A'\n",
    )


def test_a_text_that_is_too_long_is_told():
    with pytest.raises(StonehandError, match="a rules text may have 20000"):
        pieces("x\n" * 20_001)
    with pytest.raises(StonehandError, match=r"r\.txt:2: error: the line has more than 10000"):
        pieces("x\n" + "y" * 10_001)
    with pytest.raises(StonehandError, match=r"r\.txt:3: error: the paragraph has more than"):
        pieces("x\n\n" + "yes no.\n" * 2000)


# --- DOCX


def docx_of(make) -> bytes:
    from docx import Document

    document = Document()
    make(document)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def read(tmp_path: Path, data: bytes):
    path = tmp_path / "r.docx"
    path.write_bytes(data)
    return docx.read_docx(path)


def test_a_docx_is_read_with_headings_lists_tables_and_emphasis(tmp_path):
    from PIL import Image

    picture = io.BytesIO()
    Image.new("L", (4, 4)).save(picture, "PNG")

    def make(document):
        document.add_heading("Pond", 0)
        document.add_heading("A. The race", 1)
        paragraph = document.add_paragraph("Take ")
        paragraph.add_run("one ").bold = True
        paragraph.add_run("card").italic = True
        paragraph.add_run(", * as it is.")
        document.add_paragraph("first", style="List Number")
        document.add_paragraph("second", style="List Bullet")
        table = document.add_table(2, 2)
        for i, cell in enumerate(c for row in table.rows for c in row.cells):
            cell.text = f"cell {i}"
        table.rows[1].cells[0].merge(table.rows[1].cells[1])
        document.add_picture(io.BytesIO(picture.getvalue()))

    found = read(tmp_path, docx_of(make))
    assert [(p.kind, p.id, p.text) for p in found.pieces] == [
        ("heading", "", "Pond"),
        ("heading", "A", "The race"),
        ("paragraph", "", "Take **one** *card*, \\* as it is."),
        ("item", "", "first"),
        ("item", "", "second"),
        ("cell", "", "cell 0"),
        ("cell", "", "cell 1"),
        ("cell", "", "cell 2 cell 3"),
    ]
    assert [piece.numbered for piece in found.pieces if piece.kind == "item"] == [True, False]
    assert [what for _, what in found.left_out] == ["a picture"]


def test_headings_of_a_docx_without_styles_are_short_strong_lines_and_ids(tmp_path):
    def make(document):
        document.add_paragraph().add_run("Pond").bold = True
        document.add_paragraph("A race.")
        document.add_paragraph("A_01 Shuffle")
        document.add_paragraph().add_run("Shuffle all the cards.").bold = True

    found = read(tmp_path, docx_of(make)).pieces
    assert [(p.kind, p.id, p.text) for p in found] == [
        ("heading", "", "Pond"),
        ("paragraph", "", "A race."),
        ("heading", "A_01", "Shuffle"),
        ("paragraph", "", "**Shuffle all the cards.**"),
    ]


NUMBERING = """<w:abstractNum xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 w:abstractNumId="77"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperLetter"/>
<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/>
<w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>"""


def test_numbers_that_word_shows_before_headings_are_ids(tmp_path):
    from docx.oxml import parse_xml

    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

    def make(document):
        root = document.part.numbering_part.element
        root.insert(0, parse_xml(NUMBERING))
        num = f'<w:num {space} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'
        root.append(parse_xml(num))
        for words, level in (("a", 0), ("b", 1), ("c", 1), ("d", 0), ("e", 1)):
            heading = document.add_heading(words, level + 1)
            heading._p.get_or_add_pPr().append(
                parse_xml(
                    f'<w:numPr {space}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>'
                )
            )
            document.add_paragraph("x")

    found = [p for p in read(tmp_path, docx_of(make)).pieces if p.kind == "heading"]
    assert [p.id for p in found] == ["A", "A_01", "A_02", "B", "B_01"]


def repacked(data: bytes, change) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d.replace(b"<w:body>", b"<w:body><w:p><w:ins/></w:p>"), "tracked changes"),
        (lambda d: d.replace(b"<w:document", b"<!DOCTYPE x []><w:document", 1), "entities"),
        (lambda d: d[:300], "can't be read as DOCX"),
        (lambda d: b"", "can't be read as DOCX"),
        (lambda d: b" " * 3_000_001, "unpacks to"),
    ],
)
def test_a_docx_that_is_hostile_or_damaged_is_told(tmp_path, monkeypatch, change, told):
    monkeypatch.setattr(docx, "UNPACKED_LIMIT", 3_000_000)
    data = docx_of(lambda document: document.add_paragraph("x"))
    broken = repacked(data, lambda n, d: change(d) if n == "word/document.xml" else d)
    with pytest.raises(StonehandError, match=told) as error:
        read(tmp_path, broken)
    assert error.value.problems[0].location == Location(docx.shown(tmp_path / "r.docx"))


def test_a_docx_of_the_rules_is_aligned_by_the_command(
    stonehand, tmp_path, monkeypatch, shipped, task_of, rules_text
):
    for folder in ("cards/oniroo", "i18n"):
        ignore = shutil.ignore_patterns("tweak", "witch", "hi.po")
        shutil.copytree(shipped / folder, tmp_path / folder, ignore=ignore)
    monkeypatch.chdir(tmp_path)
    task, file, names = task_of("ko")
    look = look_of(task.language, "•", "{}.", "-")
    said = said_by(names, look)
    parts = chunks(rules_text)[:22]
    data = manuscripts.docx(parts, said(rules_text.title), said, look)
    Path("rules.docx").write_bytes(data)
    path = Path("i18n/oniroo/ko.po")
    path.write_text(po.write(without_rules(file, task)), encoding="utf-8")
    code, out, err = stonehand(
        "import", "rules", "rules.docx", "--game", "oniroo", "--lang", "ko", "--quiet"
    )
    assert (code, out, err) == (0, "", "")
    counts = compared(po.read(path), file, task)
    there = {"title", *(str(part.heading.id) for part in parts if part.heading)}
    beyond = sum(i.of_rules and i.message.context not in there for i in task.messages)
    assert counts["missing"] == beyond
    assert counts["exact"] >= 0.97 * (counts.total() - beyond)
    assert "ko.po: up to date" in stonehand("translate", "update", "oniroo", "--lang", "ko")[1]
    assert "no problems" in stonehand("translate", "check", "oniroo", "--lang", "ko")[1]
