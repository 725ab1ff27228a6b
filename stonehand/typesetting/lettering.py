"""Small type on sheets: labels, notes and numbers, in one language."""

from stonehand.language.languages import Language, Languages
from stonehand.scene import Box, Mark
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.typesetting import markup
from stonehand.typesetting.breaking import Align
from stonehand.typesetting.fonts import FontLibrary
from stonehand.typesetting.paragraph import Paragraph, Setting, VAlign, Voices

SIZE, SMALLEST = 2.2, 1.0  # mm; of type
COLOUR = "#404040"
_KEPT = 500  # texts; numbers of sheets would grow without end


class Lettering:
    """Sets the words that Stonehand itself prints."""

    def __init__(
        self, fonts: FontLibrary, language: Language, languages: Languages, problems: Problems
    ) -> None:
        self.language = language
        self.problems = problems
        regular = fonts.chain(Text("sans", language.at), 400, False, language, languages)
        self._voices = Voices(regular, regular, regular, regular)
        self._shaped: dict[str, Paragraph] = {}

    def word(self, name: str) -> str:
        """Return a word of the language's table, or the English one where it has none."""
        return str(self.language.words.get(Text(name), ENGLISH[name]))

    def line(
        self,
        text: str,
        box: Box,
        align: Align = "left",
        size: float = SIZE,
        colour: str = COLOUR,
        valign: VAlign = "middle",
    ) -> list[Mark]:
        """Return a text of so many mm in a box, made smaller where it is too long for it.

        What its tallest letters need beyond a low box is theirs: it is empty above and below.
        """
        setting = Setting(size, min(SMALLEST, size), 1.2, colour, align, valign)
        face = self._voices.plain[0]
        more = max(0.0, (face.ascender - face.descender) / face.upem * size - box.height)
        tall = Box(box.x, box.y - more / 2, box.width, box.height + more)
        return self._set(text, tall, setting)

    def block(self, text: str, box: Box, size: float) -> list[Mark]:
        """Return a text of several lines at the top of a box, smaller where it is too long."""
        return self._set(text, box, Setting(size, min(SMALLEST, size), 1.25, COLOUR, "left", "top"))

    def _set(self, text: str, box: Box, setting: Setting) -> list[Mark]:
        if len(self._shaped) > _KEPT:
            self._shaped.clear()
        if text not in self._shaped:
            self._shaped[text] = Paragraph(
                [markup.Span(text)],
                self._voices,
                self.language,
                hyphenate=False,
                icon=lambda name: None,
            )
        paragraph = self._shaped[text]
        for character in paragraph.missing:
            code = self.language.code
            what = f"no font of '{code}' has U+{ord(character):04X} '{character}' (sheet label)"
            at = self.language.at
            self.problems.finding("missing-glyph", at, what, "add a font to fonts/")
        at_size, _ = paragraph.fit(box, setting)
        return paragraph.marks(box, setting, at_size)


ENGLISH = {
    "front": "front",
    "back": "back",
    "sheet": "{page}/{pages}",
    "flip_long": "long edge",
    "flip_short": "short edge",
    "separate": "backs are in a file of their own",
    "fold": "cut into strips, fold on the dashed lines, glue, cut out",
    "stack": "cut the stack, lay pile 1 on pile 2, both on pile 3, and so on",
    "ruler": "50 mm, 2 in",
    "mean": "mean",
    "printer": "adjusted for {printer}",
    "calibrate_1": "1. Print this sheet at 100 % ({flip}).",
    "calibrate_2": "2. Hold it against the light, this side to you. Read which mm of each short "
    "scale the line of the back crosses. If all are 0: read where two lines of a long scale meet.",
    "calibrate_3": "3. Tell what you have read, print the sheet again, and go on until all are 0.",
    "calibrate_4": "4. Measure the long rules, and find the smallest whole step at each edge.",
}
"""What is printed where a language's own table lacks a word."""
