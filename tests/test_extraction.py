"""What is copied, searched or read aloud from the card sheets is what was written.

The sheets of Oniroo in all its languages are read back with pypdf, pdfium and Poppler and compared
with the catalogues and PO files, which are read here by other code than Stonehand's own (PyYAML
and polib). For every page:

- every text of every card on it (the name, what a special card does, the title of its kind, its id,
  its codes and signs) and the label and ruler of the sheet are found as whole words, exactly;
- all its characters together are those of these texts, each as often: nothing is lost, nothing is
  there twice, nothing else is there.

White space counts as one space whatever it is, as a line may end at a space and readers end lines
as they like; in the comparison of all characters it does not count. A hyphen that divides a word
at a line's end is read as U+00AD (pdfium: U+FFFE) and is left out, with the line's end after it;
a line's end after a hyphen that was written is no space either.
The order of the texts on a page is not compared.
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pypdf
import pypdfium2
import pytest
import yaml

LANGUAGES = ("en", "hi", "el", "ko")
READERS = ("pypdf", "pdfium", "pdftotext", "pdftotext -raw")
CARDS, ON_A_SHEET = 173, 9


def read_pages(reader: str, path: Path) -> list[str]:
    if reader == "pypdf":
        return [page.extract_text() for page in pypdf.PdfReader(path).pages]
    if reader == "pdfium":
        with pypdfium2.PdfDocument(path) as document:
            return [page.get_textpage().get_text_range() for page in document]
    program, *options = reader.split()
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    made = subprocess.run(
        [program, *options, "-enc", "UTF-8", path, "-"], capture_output=True, check=True
    )
    return made.stdout.decode().split("\f")[:-1]


def folded(text: str) -> str:
    text = re.sub(r"[\u00ad\ufffe]\s*", "", text)
    return " ".join(re.sub(r"(?<=\S[-–—/])\s*\n\s*(?=\w)", "", text).split())


def characters(text: str) -> Counter[str]:
    return Counter(folded(text).replace(" ", ""))


class Written:
    """What the files say is to be printed, in a language."""

    def __init__(self, shipped: Path, language: str) -> None:
        def read(name: str) -> Any:
            text = (shipped / name).read_text(encoding="utf-8")
            return yaml.load(text, yaml.BaseLoader)

        self.game = read("cards/oniroo/game.yaml")
        self.catalogues = [read(f"cards/oniroo/{name}") for name in self.game["catalogues"]]
        self.language = read("i18n/languages.yaml")[language]
        self.translations: dict[str, str] = {}
        if language != "en":
            po = polib.pofile(str(shipped / "i18n" / "oniroo" / f"{language}.po"))
            self.translations = {entry.msgctxt: entry.msgstr for entry in po}

    def translated(self, context: str, source: str) -> str:
        return self.translations[context] if self.translations else source

    def cards(self) -> Iterator[list[str]]:
        """The texts of each card, in the order of the deck."""
        for catalogue in self.catalogues:
            kind = catalogue["kind"]
            title = self.translated(f"kind.{kind}.title", self.game["kinds"][kind]["title"])
            for card in catalogue["cards"]:

                def text(field: str) -> str:
                    if field in card:  # noqa: B023 - used at once
                        return self.translated(f"card.{card['id']}.{field}", card[field])  # noqa: B023
                    return self.translated(f"kind.{kind}.{field}", catalogue["defaults"][field])  # noqa: B023

                values = catalogue.get("defaults", {}) | card
                if kind == "symbol":
                    yield [text("name"), card["id"], card["letter"], card["digit"]]
                elif kind == "free":
                    yield [
                        text("name"),
                        *self.game["lists"]["letter"],
                        *self.game["lists"]["digit"],
                    ]
                elif kind == "magiccode":
                    yield [title, text("name"), card.get("letter", ""), card.get("digit", "")]
                else:
                    yield [title, text("name"), text("text"), values.get("sign", "")]

    def furniture(self, sheet: int, sheets: int, side: str) -> list[str]:
        """The texts beside the cards."""
        words = self.language["words"]
        parts = (
            self.translated("game.title", self.game["title"]),
            self.language["name"],
            words["sheet"].format(page=sheet, pages=sheets),
            words[side],
            "A4 (210 × 297 mm)",
            words["flip_long"],
        )
        return [" · ".join(parts), "50 mm", "2 in", words["ruler"]]

    def pages(self) -> list[list[str]]:
        cards = list(self.cards())
        sheets = -(-len(cards) // ON_A_SHEET)
        pages = []
        for i in range(sheets):
            on_it = cards[i * ON_A_SHEET : (i + 1) * ON_A_SHEET]
            texts = [text for card in on_it for text in card if text]
            pages.append(texts + self.furniture(i + 1, sheets, "front"))
            pages.append(self.furniture(i + 1, sheets, "back"))
        return pages


def test_the_files_hold_173_cards_with_their_texts(shipped: Path) -> None:
    cards = list(Written(shipped, "ko").cards())
    assert len(cards) == CARDS
    assert cards[0] == ["부엉이", "001", "D", "7"]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_comes_back_from_the_sheets(
    language: str, reader: str, shipped: Path, oniroo_pdfs: dict[str, Path]
) -> None:
    written = Written(shipped, language).pages()
    read = read_pages(reader, oniroo_pdfs[language])
    assert len(read) == len(written)
    for number, (page, texts) in enumerate(zip(read, written, strict=True), 1):
        whole = f" {folded(page)} "
        lost = [text for text in texts if f" {folded(text)} " not in whole]
        assert not lost, f"page {number} of {language} in {reader} lacks {lost}"
        # beside the cards, the numbers of the cuts stand alone; readers join them to what is near
        cuts = "12345678" if number % 2 else ""
        assert characters(page) == characters(" ".join([*texts, cuts])), f"page {number}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_qpdf_finds_no_fault_in_the_file(language: str, oniroo_pdfs: dict[str, Path]) -> None:
    if not shutil.which("qpdf"):
        pytest.skip("qpdf is not installed")
    made = subprocess.run(
        ["qpdf", "--check", oniroo_pdfs[language]], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "No syntax or stream encoding errors found" in made.stdout
    assert not made.stderr
