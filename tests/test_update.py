"""A PO file after its source has changed: nothing is lost, nothing guessed across contexts."""

import pytest

from stonehand.language import po
from stonehand.language.translation import Message
from stonehand.language.update import PLURAL_FORMS, Wanted, new_file, updated
from stonehand.source.text import Text

HEADER = r"""# by Ada
msgid ""
msgstr ""
"Language: el\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"X-Tool: kept\n"
"""


def wanted(context: str, text: str, *comments: str, rules: bool = True) -> Wanted:
    return Wanted(Message.of(Text(text), context), comments, "rules.md", rules)


def update(entries: str, *items: Wanted) -> str:
    """Return what follows the header of a file with some entries after it is brought up to date."""
    written = po.write(updated(po.parse(f"{HEADER}\n{entries}", "el.po"), items))
    assert written.startswith(HEADER)
    again = po.write(updated(po.parse(written, "el.po"), items))
    assert again == written, "a second run changes nothing"
    return written.removeprefix(HEADER).strip("\n")


OWL = 'msgctxt "A_01"\nmsgid "An owl sees all."\nmsgstr "Η κουκουβάγια"'


def test_a_new_message_is_empty_and_tells_what_it_is():
    assert update("", wanted("A_01", "An owl.", "paragraph", "a bird")) == (
        '#. paragraph\n#. a bird\n#: rules.md\nmsgctxt "A_01"\nmsgid "An owl."\nmsgstr ""'
    )


def test_an_unchanged_message_keeps_all_that_people_wrote():
    entry = f"# is this right?\n#. old\n#: old.md:7\n#, no-wrap\n{OWL}"
    assert update(entry, wanted("A_01", "An owl sees all.", "new")) == (
        f"# is this right?\n#. new\n#: rules.md\n#, no-wrap\n{OWL}"
    )


def test_a_changed_message_is_fuzzy_beside_its_old_text():
    assert update(OWL, wanted("A_01", "An owl sees it all.")) == (
        '#: rules.md\n#, fuzzy\n#| msgid "An owl sees all."\nmsgctxt "A_01"\n'
        'msgid "An owl sees it all."\nmsgstr "Η κουκουβάγια"'
    )


def test_a_message_that_changes_twice_keeps_the_text_that_was_translated():
    once = update(OWL, wanted("A_01", "An owl sees it all."))
    twice = update(once, wanted("A_01", "An owl sees it all at night."))
    assert '#| msgid "An owl sees all."' in twice
    assert 'msgid "An owl sees it all at night."' in twice


def test_a_message_that_changes_back_stays_fuzzy_for_somebody_may_have_begun():
    once = update(OWL, wanted("A_01", "An owl sees it all."))
    back = update(once, wanted("A_01", "An owl sees all."))
    assert back == f"#: rules.md\n#, fuzzy\n{OWL}"


def test_another_context_is_never_taken_from():
    done = update(OWL, wanted("A_02", "An owl sees all."))
    assert 'msgctxt "A_02"\nmsgid "An owl sees all."\nmsgstr ""' in done
    assert done.endswith('#~ msgid "An owl sees all."\n#~ msgstr "Η κουκουβάγια"')


def test_a_text_of_rules_that_is_not_alike_is_not_taken():
    done = update(OWL, wanted("A_01", "Take six cards from the pile."))
    assert 'msgid "Take six cards from the pile."\nmsgstr ""' in done
    assert "fuzzy" not in done


def test_a_text_of_a_card_has_only_one_older_state():
    entry = 'msgctxt "card.1.name"\nmsgid "Owl"\nmsgstr "Κουκουβάγια"'
    done = update(entry, wanted("card.1.name", "Bridge", rules=False))
    assert '#, fuzzy\n#| msgid "Owl"' in done


def test_the_most_alike_pair_is_matched_first():
    """Not the first message with the closest that is left, which may belong to the second."""
    entries = 'msgctxt "A_01"\nmsgid "Draw one card now."\nmsgstr "τώρα"'
    first, second = wanted("A_01", "Draw two cards."), wanted("A_01", "Draw one card now!")
    done = update(entries, first, second)
    assert 'msgid "Draw two cards."\nmsgstr ""' in done
    assert 'msgid "Draw one card now!"\nmsgstr "τώρα"' in done


def test_what_is_gone_becomes_obsolete_and_comes_back():
    gone = update(f"# mine\n{OWL}")
    assert gone == (
        '# mine\n#~ msgctxt "A_01"\n#~ msgid "An owl sees all."\n#~ msgstr "Η κουκουβάγια"'
    )
    back = update(gone, wanted("A_01", "An owl sees all."))
    assert back == f"# mine\n#: rules.md\n{OWL}"


def test_what_is_gone_without_a_translation_is_dropped():
    assert update('msgctxt "A_01"\nmsgid "Owl"\nmsgstr ""') == ""


def test_a_living_entry_goes_before_an_obsolete_one_of_the_same_text():
    obsolete = OWL.replace("Η κουκουβάγια", "παλιά").replace("msg", "#~ msg")
    done = update(f"{OWL}\n\n{obsolete}", wanted("A_01", "An owl sees all."))
    assert done == f"#: rules.md\n{OWL}"


def test_plural_forms_are_kept():
    entry = 'msgctxt "A_01"\nmsgid "a card"\nmsgid_plural "cards"\nmsgstr[0] "μία"\nmsgstr[1] "ν"'
    assert update(entry, wanted("A_01", "a card")) == f"#: rules.md\n{entry}"
    assert update(entry).count("#~") == 5


def test_the_order_is_that_of_the_source():
    done = update(OWL, wanted("B_01", "Last"), wanted("A_01", "An owl sees all."))
    assert done.index("B_01") < done.index("A_01")


def test_translations_are_composed():
    done = update(OWL.replace("ά", "α\u0301"), wanted("A_01", "An owl sees all."))
    assert "κουκουβάγια" in done


@pytest.mark.parametrize(("language", "count"), [("ko", 1), ("hi", 2), ("pt-BR", 2), ("pl", 3)])
def test_a_new_file_tells_the_plural_forms_of_usual_languages(language, count):
    file = new_file("pond", language)
    assert file.plural_count == count
    assert po.parse(po.write(file), "x.po").header["Language"] == language


def test_a_language_with_a_region_has_the_plurals_of_the_language():
    assert new_file("pond", "de-AT").header["Plural-Forms"] == PLURAL_FORMS["de"]
    assert "Plural-Forms" not in new_file("pond", "tlh").header
