"""PO files: what is read, what is refused and where, and that writing loses nothing."""

import shutil
import subprocess
from pathlib import Path

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stonehand.language.po import Entry, PoFile, parse, read, write
from stonehand.source.problems import Location, StonehandError
from stonehand.source.text import Text

HEAD = r"""msgid ""
msgstr ""
"Language: ko\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=n != 1;\n"

"""

RULES = (
    r"""# Korean rules of Oniroo
#, fuzzy
"""
    + HEAD
    + r"""# is "card" countable here?
#
#. paragraph; "symbol" is a fixed term
#: i18n/oniroo/rules.md cards/symbols.yaml
#, fuzzy, no-wrap
#| msgctxt "A_1"
#| msgid "There are cards."
msgctxt "A_01"
msgid "There are {count kind=symbol} [[kind.symbol|symbol cards]]."
msgstr "[[kind.symbol|상징 카드]]는 {count kind=symbol}장입니다."

msgctxt "B_01"
msgid ""
"a \"quote\", a \\, a\ttab\n"
"and a second line\n"
msgstr ""

msgid "one point"
msgid_plural "{points} points"
msgstr[0] "{points}점"
msgstr[1] "점수들"

# withdrawn
#~| msgid ""
#~| "Older\n"
#~| "text"
#~ msgctxt "B_04"
#~ msgid "Old"
#~ msgstr ""
#~ "옛\n"
#~ "글"
"""
)


def faults(text):
    with pytest.raises(StonehandError) as caught:
        parse(text, "ko.po")
    return [str(problem) for problem in caught.value.problems]


def entries(body):
    return parse(HEAD + body, "ko.po").entries


# --- what is read ---


def test_an_entry_has_its_texts_flags_and_comments():
    entry = parse(RULES, "ko.po").entries[0]
    assert entry == Entry(
        context=Text("A_01"),
        source=Text("There are {count kind=symbol} [[kind.symbol|symbol cards]]."),
        translation=Text("[[kind.symbol|상징 카드]]는 {count kind=symbol}장입니다."),
        flags=("fuzzy", "no-wrap"),
        translator_comments=('is "card" countable here?', ""),
        extracted_comments=('paragraph; "symbol" is a fixed term',),
        references=("i18n/oniroo/rules.md", "cards/symbols.yaml"),
        previous_context=Text("A_1"),
        previous_source=Text("There are cards."),
    )
    assert entry.fuzzy


def test_plural_forms_stand_in_their_order():
    entry = parse(RULES, "ko.po").entries[2]
    assert (entry.plural, entry.plurals) == ("{points} points", ("{points}점", "점수들"))
    assert entry.translation.empty


def test_an_obsolete_entry_is_read():
    entry = parse(RULES, "ko.po").entries[3]
    assert entry.obsolete
    assert (entry.context, entry.source, entry.translation) == ("B_04", "Old", "옛\n글")
    assert entry.previous_source == "Older\ntext"
    assert entry.translator_comments == ("withdrawn",)


def test_the_header_is_a_mapping_and_no_entry():
    po = parse(RULES, "ko.po")
    assert po.header["Language"] == "ko"
    assert po.header["Plural-Forms"].at == Location("ko.po", 7, 1)
    assert po.plural_count == 2
    assert po.preamble == ("# Korean rules of Oniroo", "#, fuzzy")
    assert len(po.entries) == 4


def test_every_text_knows_the_place_of_its_opening_quote():
    entry = parse(RULES, "ko.po").entries[0]
    assert entry.previous_source.at == Location("ko.po", 15, 10)
    assert entry.context.at == Location("ko.po", 16, 9)
    assert entry.source.at == Location("ko.po", 17, 7)
    assert entry.translation.at == Location("ko.po", 18, 8)


def test_an_untranslated_text_still_has_its_place():
    translation = parse(RULES, "ko.po").entries[1].translation
    assert translation == "" and not translation.empty
    assert translation.at == Location("ko.po", 24, 8)


def test_escapes_are_read_as_what_they_stand_for():
    (entry,) = entries(r'msgid "\a\b\t\n\v\f\r\"\\n"' + '\nmsgstr ""\n')
    assert entry.source == '\a\b\t\n\v\f\r"\\n'


def test_the_same_text_in_two_contexts_is_two_entries():
    one, two = entries('msgctxt "A"\nmsgid "x"\nmsgstr ""\n\nmsgid "x"\nmsgstr ""\n')
    assert (one.context, two.context, two.context.empty) == ("A", "", True)


def test_an_obsolete_entry_may_repeat_one_in_use():
    assert len(entries('msgid "x"\nmsgstr ""\n\n#~ msgid "x"\n#~ msgstr ""\n')) == 2


def test_entries_need_no_blank_line_between_them():
    one, two = entries('msgid "a"\nmsgstr "1"\nmsgid "b"\nmsgstr "2"')
    assert (one.translation, two.translation) == ("1", "2")


def test_a_reference_may_hold_a_space():
    body = '#: \u2068i18n/my game/rules.md\u2069 b.md\nmsgid "x"\nmsgstr ""\n'
    assert entries(body)[0].references == ("i18n/my game/rules.md", "b.md")
    assert write(parse(HEAD + body, "ko.po")) == HEAD + body


def test_carriage_returns_and_a_byte_order_mark_are_no_matter(tmp_path):
    path = tmp_path / "ko.po"
    path.write_bytes(b"\xef\xbb\xbf" + RULES.replace("\n", "\r\n").encode())
    assert read(path).entries == parse(RULES, "ko.po").entries


def test_what_polib_reads_is_read_alike():
    ours = {(e.context, e.source, e.obsolete): e for e in parse(RULES, "ko.po").entries}
    theirs = polib.pofile(RULES)
    assert theirs.metadata == dict(parse(RULES, "ko.po").header)
    assert len(ours) == len(theirs)
    for entry in theirs:
        own = ours[entry.msgctxt or "", entry.msgid, entry.obsolete]
        assert own.translation == entry.msgstr
        assert own.plurals == tuple(entry.msgstr_plural.values())
        assert (own.plural or "") == entry.msgid_plural
        assert own.flags == tuple(entry.flags)
        if not entry.obsolete:  # polib loses the previous text of an obsolete entry
            assert (own.previous_source or None) == entry.previous_msgid
        assert (own.previous_context or None) == entry.previous_msgctxt
        assert "\n".join(own.translator_comments) == entry.tcomment
        assert "\n".join(own.extracted_comments) == entry.comment
        assert own.references == tuple(name for name, _ in entry.occurrences)


# --- what is refused: the body begins in line 7 ---

FAULTS = {
    'msgid "x"\nmsgstr "1\n': "8:8: error: the quote is not closed (end the line with '\"')",
    'msgid "x\\"\nmsgstr ""\n': "7:7: error: the quote is not closed (end the line with '\"')",
    'msgid "x\\\nmsgstr ""\n': "7:7: error: the quote is not closed (end the line with '\"')",
    'msgid "say "hi""\nmsgstr ""\n': (
        "7:13: error: text after the closing quote (write a quote inside a text as '\\\"')"
    ),
    'msgid "x"\nmsgstr "a\\q"\n': (
        "8:10: error: unknown escape '\\q' (write a backslash as '\\\\')"
    ),
    'msgid "a\tb"\nmsgstr ""\n': "7:9: error: tab inside a text (write it as '\\t')",
    'msgid "a\x1bb"\nmsgstr ""\n': (
        "7:9: error: control character U+001B inside a text (remove it)"
    ),
    '"stray"\n': (
        "7:1: error: text without a keyword (a text goes on right below, with nothing between)"
    ),
    'msgid "x"\nmsgstr "1"\n\n"2"\n': (
        "10:1: error: text without a keyword (a text goes on right below, with nothing between)"
    ),
    'msgid "x"\nmsgstr\n': "8:7: error: 'msgstr' without a text in quotes (write msgstr \"…\")",
    'msgid "x"\nmsgsrt "1"\n': "8:1: error: unknown keyword 'msgsrt' (did you mean 'msgstr'?)",
    "hello\n": (
        "7:1: error: unknown keyword 'hello' "
        "(known: msgctxt, msgid, msgid_plural, msgstr, msgstr[0])"
    ),
    'msgid "x"\n\n': "7:7: error: 'msgid' without 'msgstr'",
    'msgctxt "A"\n': "7:9: error: 'msgctxt' without 'msgid'",
    'msgctxt "A"\nmsgstr "1"\n': "8:8: error: 'msgstr' without 'msgid' above it",
    'msgstr "1"\nmsgid "x"\n': "7:8: error: 'msgstr' without 'msgid' above it",
    'msgid "x"\nmsgstr "1"\nmsgstr "2"\n': (
        "9:8: error: second 'msgstr' in an entry (first at line 8)"
    ),
    'msgctxt ""\nmsgid "x"\nmsgstr ""\n': "7:9: error: 'msgctxt' is empty (leave the line out)",
    'msgid "x"\nmsgstr ""\n\nmsgid "x"\nmsgstr "1"\n': (
        "10:7: error: entry appears twice (first at line 7)"
    ),
    'msgid ""\nmsgstr "Language: el\\n"\n': "7:7: error: entry appears twice (first at line 1)",
    'msgid "x"\nmsgid_plural "xs"\n': "8:14: error: 'msgid_plural' without 'msgstr[0]'",
    'msgid "x"\nmsgid_plural "xs"\nmsgstr "1"\n': (
        "9:8: error: 'msgstr' in an entry with plurals (write 'msgstr[0]')"
    ),
    'msgid "x"\nmsgstr "1"\nmsgid_plural "xs"\n': (
        "9:14: error: 'msgid_plural' below 'msgstr' (it stands below 'msgid')"
    ),
    'msgid "x"\nmsgstr[0] "1"\n': (
        "8:11: error: 'msgstr[0]' without 'msgid_plural' (write 'msgstr')"
    ),
    'msgid "x"\nmsgid_plural "xs"\nmsgstr[0] ""\nmsgstr[2] ""\n': (
        "10:11: error: 'msgstr[2]' out of order ('msgstr[1]' comes next)"
    ),
    'msgid "x"\nmsgid_plural "xs"\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n': (
        "11:11: error: 'msgstr[2]' is one too many (the header says nplurals=2)"
    ),
    '#| msgstr "x"\nmsgid "x"\nmsgstr ""\n': (
        "7:11: error: 'msgstr' has no previous text (remove the line)"
    ),
    'msgid "x"\nmsgstr ""\n# the end\n': (
        "9:1: error: comment without an entry (it stands above its entry)"
    ),
    '#| msgid "w"\n#~ msgid "x"\n#~ msgstr ""\n': (
        "7:1: error: comment without an entry (it stands above its entry)"
    ),
}


@pytest.mark.parametrize(("body", "said"), FAULTS.items(), ids=FAULTS.values())
def test_a_fault_is_told_once_at_its_place(body, said):
    assert faults(HEAD + body) == [f"ko.po:{said}"]


CHARSET = '"Content-Type: text/plain; charset=UTF-8\\n"\n'
MISSING = (
    "the header is missing (the first entry is 'msgid \"\"' with 'Language: …' in its 'msgstr')"
)
HEADER_FAULTS = {
    "": f"ko.po: error: {MISSING}",
    'msgid "x"\nmsgstr ""\n': f"ko.po:1:7: error: {MISSING}",
    'msgid ""\nmsgid_plural ""\nmsgstr[0] ""\n': f"ko.po:1:7: error: {MISSING}",
    'msgid ""\nmsgstr ""\n' + CHARSET: (
        "ko.po:2:8: error: the header has no 'Language' (add 'Language: …\\n')"
    ),
    'msgid ""\nmsgstr ""\n"Language: \\n"\n' + CHARSET: (
        "ko.po:3:1: error: the header has no 'Language' (add 'Language: …\\n')"
    ),
    'msgid ""\nmsgstr "Language: ko\\n"\n': (
        "ko.po:2:8: error: the header has no charset "
        "(add 'Content-Type: text/plain; charset=UTF-8\\n')"
    ),
    'msgid ""\nmsgstr "Language: ko\\n"\n' + CHARSET.replace("UTF-8", "EUC-KR"): (
        "ko.po:3:1: error: charset is 'EUC-KR' (only UTF-8 is read)"
    ),
    'msgid ""\nmsgstr "Language: ko\\n"\n' + CHARSET + '"Language: el\\n"\n': (
        "ko.po:4:1: error: 'Language' appears twice in the header (first at line 2)"
    ),
    'msgid ""\nmsgstr "Language: ko\\n"\n' + CHARSET + '"oops"\n': (
        "ko.po:4:1: error: 'oops' in the header (write 'Name: value')"
    ),
    'msgid ""\nmsgstr "Language: ko\\n"\n' + CHARSET + '\nmsgid "x"\nmsgid_plural "xs"\n'
    'msgstr[0] ""\n': "ko.po:6:14: error: plurals need 'Plural-Forms' in the header",
    'msgid ""\n\nmsgid "x"\nmsgstr ""\n': "ko.po:1:7: error: 'msgid' without 'msgstr'",
}


@pytest.mark.parametrize(("text", "said"), HEADER_FAULTS.items(), ids=HEADER_FAULTS.values())
def test_a_fault_of_the_header_is_told_once_at_its_place(text, said):
    assert faults(text) == [said]


def test_all_faults_of_a_file_are_told_together():
    body = r"""msgid "a\q\w"
msgstr "1

msgid "b"

msgid "c"
msgstr "3" 4

#~ msgid "d"
"""
    assert faults(HEAD + body) == [
        r"ko.po:7:9: error: unknown escape '\q' (write a backslash as '\\')",
        r"ko.po:7:11: error: unknown escape '\w' (write a backslash as '\\')",
        "ko.po:8:8: error: the quote is not closed (end the line with '\"')",
        "ko.po:10:7: error: 'msgid' without 'msgstr'",
        "ko.po:13:12: error: text after the closing quote (write a quote inside a text as '\\\"')",
        "ko.po:15:10: error: 'msgid' without 'msgstr'",
    ]


def test_a_hostile_line_costs_no_more_than_its_length():
    assert len(faults(HEAD + " " * 300_000 + "x")) == 1
    assert len(faults(HEAD + 'msgid "' + "\\n" * 300_000)) == 2
    body = "#: " + "\u2068a" * 300_000 + '\nmsgid "x"\nmsgstr ""\n'
    assert len(entries(body)) == 1


def test_a_merge_conflict_is_told_as_such(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ko.po").write_text(
        HEAD + '<<<<<<< ours\nmsgid "x"\n=======\n>>>>>>> theirs\n', encoding="utf-8"
    )
    with pytest.raises(StonehandError, match=r"ko\.po:7:1: error: unresolved merge conflict"):
        read(Path("ko.po"))


# --- what is written ---


def test_a_written_file_is_byte_identical_to_the_one_read():
    assert write(parse(RULES, "ko.po")) == RULES


def test_a_text_breaks_after_each_newline_and_nowhere_else():
    text = "long " * 50 + "\nend"
    po = PoFile(file="", header={}, entries=(Entry(source=Text("x"), translation=Text(text)),))
    assert write(po).splitlines()[-3:] == ['msgstr ""', f'"{"long " * 50}\\n"', '"end"']


def test_a_control_character_is_not_written():
    entry = Entry(source=Text("a\x01", Location("rules.md", 3, 1)))
    with pytest.raises(StonehandError, match=r"rules\.md:3:1: error: control character U\+0001"):
        write(PoFile(file="ko.po", header={}, entries=(entry,)))


words = st.text(
    st.one_of(
        st.sampled_from('\n\t\r"\\n #~|:'),
        st.characters(exclude_categories=("Cc", "Cs")),
    )
).map(Text)
comments = st.text(st.characters(exclude_categories=("Cc", "Cs"))).map(str.rstrip)


@st.composite
def some_entries(draw):
    plural = draw(st.none() | words)
    return Entry(
        context=draw(words),
        source=draw(words.filter(bool)),
        translation=Text("") if plural is not None else draw(words),
        plural=plural,
        plurals=() if plural is None else draw(st.tuples(words, words)),
        flags=draw(st.sampled_from([(), ("fuzzy",), ("fuzzy", "numbers-as-words")])),
        translator_comments=tuple(draw(st.lists(comments, max_size=2))),
        extracted_comments=tuple(draw(st.lists(comments, max_size=2))),
        references=draw(st.sampled_from([(), ("rules.md", "a b.md")])),
        previous_context=draw(st.none() | words),
        previous_source=draw(st.none() | words),
        obsolete=draw(st.booleans()),
    )


some_files = st.lists(
    some_entries(), max_size=4, unique_by=lambda entry: (entry.context, entry.source)
).map(
    lambda entries: PoFile(file="ko.po", header=parse(HEAD, "ko.po").header, entries=tuple(entries))
)


@given(some_files)
def test_what_is_written_is_read_the_same(po):
    assert parse(write(po), "ko.po") == po


@given(st.text(st.sampled_from('msgidctr_plural[012] "\\\n#~|,.:x')))
def test_no_text_is_read_with_anything_but_problems(body):
    try:
        po = parse(HEAD + body, "ko.po")
    except StonehandError as error:
        assert all(problem.location.line for problem in error.problems)
    else:
        assert parse(write(po), "ko.po") == po


def gettext(*command, text):
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} of GNU gettext is not installed")
    done = subprocess.run([*command, "-"], input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_msgfmt_accepts_what_is_written():
    gettext("msgfmt", "--check", "--output-file=/dev/null", text=write(parse(RULES, "ko.po")))


def test_what_is_written_is_what_msgcat_writes():
    assert gettext("msgcat", "--no-wrap", text=RULES) == RULES
