"""`i18n/languages.yaml`: how each language is set in type.

Quotes, digits and line breaking are not taken from a locale database: the usual ones have no
quotation marks and answer questions of software, not of print (docs/languages.md). The table is
small, reviewed by people, and a project's own file adds to or replaces the shipped one.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from stonehand.source import yaml
from stonehand.source.bind import Spec, bind_table
from stonehand.source.problems import Problems, did_you_mean, fault
from stonehand.source.text import Text

Doc = msgspec.Meta
_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z")  # BCP 47, section 2.1


class Hyphenation(Spec, frozen=True, kw_only=True, eq=False):
    """Where words may be divided at a line's end."""

    dictionary: Annotated[Text, Doc(description="Name of a Pyphen dictionary, such as `el_GR`.")]
    before: Annotated[int, Doc(ge=1, le=9, description="Fewest letters before the hyphen.")] = 3
    after: Annotated[int, Doc(ge=1, le=9, description="Fewest letters after the hyphen.")] = 3


class Language(Spec, frozen=True, kw_only=True, eq=False):
    """How one language is set in type."""

    name: Annotated[Text, Doc(description="The language's name in the language itself.")]
    script: Annotated[Text, Doc(description="ISO 15924 code of its script, such as `Deva`.")]
    fonts: Annotated[
        dict[Text, tuple[Text, ...]],
        Doc(description="For each role (`sans`, ...) the font families, best first."),
    ]
    breaking: Annotated[
        Text | None,
        Doc(description="ICU locale whose rules say where lines may break; default: the code."),
    ] = None
    breaking_tight: Annotated[
        Text | None,
        Doc(description="ICU locale whose further breaks are used where a line would not fit."),
    ] = None
    hyphenation: Annotated[
        Hyphenation | None, Doc(description="Word division; none if left out.")
    ] = None
    emphasis: Annotated[
        Literal["italic", "bold"], Doc(description="What `*emphasis*` looks like.")
    ] = "italic"
    justify: Annotated[
        bool, Doc(description="Whether running text of rulebooks has even edges on both sides.")
    ] = True
    leading: Annotated[float, Doc(ge=0.5, le=3, description="Factor on every style's leading.")] = (
        1.0
    )
    quotes: Annotated[
        tuple[Text, ...], Doc(description="Outer opening and closing, inner opening and closing.")
    ] = ()
    list_marks: Annotated[
        dict[Text, Text], Doc(description="Marks of lists: `dash`, and `number` with `{}` in it.")
    ] = {}
    words: Annotated[
        dict[Text, Text], Doc(description="Words that Stonehand itself prints on a sheet.")
    ] = {}

    @property
    def code(self) -> Text:
        """The language's code, which is its name in the table."""
        code: Text = self.__dict__["code"]
        return code

    @property
    def break_locale(self) -> str:
        """The ICU locale for line breaking."""
        return self.breaking or self.code


Languages = dict[str, Language]

RIGHT_TO_LEFT = ("Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg")


def load_languages(files: Iterable[Path], problems: Problems) -> Languages:
    """Read language tables; a language in a later file replaces one in an earlier."""
    languages: Languages = {}
    for file in files:
        with problems.gather():
            for code, language in bind_table(yaml.load(file), Language, problems).items():
                if not _CODE.match(code):  # it becomes part of the names of files
                    problems.error(language.at, f"'{code}' is no language code", "such as pt-BR")
                    continue
                if "sans" not in language.fonts:
                    problems.error(language.at, f"'{code}' has no fonts of the role 'sans'")
                    continue
                language.__dict__["code"] = Text(code)
                languages[code] = language
    return languages


def find_language(code: Text, languages: Languages) -> Language:
    """Return a language by its code; an unknown one is a fault at the place of the code."""
    if code not in languages:
        raise fault(code.at, f"unknown language '{code}'", did_you_mean(code, languages))
    language = languages[code]
    if language.script in RIGHT_TO_LEFT:
        message = f"'{code}' is written from right to left, which is not supported yet"
        raise fault(language.script.at, message)
    return language
