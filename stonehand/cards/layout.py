"""From cards to Scenes: what the faces of a game need in one language."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from stonehand.cards import forms, template
from stonehand.cards.deck import (
    Card,
    LoadedGame,
    PictureFile,
    check_text,
    hex_colour,
)
from stonehand.cards.face import Face
from stonehand.cards.game import Back, TuckBox
from stonehand.cards.reading import find_picture
from stonehand.cards.scope import Scope
from stonehand.language.languages import Language, Languages
from stonehand.language.translation import Message, Translations
from stonehand.scene import ArtLike, Box, Outline, Scene
from stonehand.source.problems import Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.typesetting import markup
from stonehand.typesetting.fonts import FontLibrary
from stonehand.typesetting.paragraph import Paragraph, Voices
from stonehand.typesetting.style import Style, StyleFields

if TYPE_CHECKING:
    from stonehand.art.library import ArtLibrary


class Measure(NamedTuple):
    """What is cut out for a card: size, corners and bleed in mm, outline, how it nests, folds."""

    width: float
    height: float
    corner: float
    bleed: float
    outline: Outline | None = None
    nest: str = ""
    folds: tuple[forms.Line, ...] = ()
    tiled: bool = False


Watch = Callable[[Face, Card, str, Scene], None]
"""Looks at a face of a card and a side, which came out as a Scene."""


KEPT_FRONTS = 500


class _Front(NamedTuple):
    card: Card  # kept, too, so that no other takes its identity
    scene: Scene
    anchors: Mapping[str, Box]


class Layouter:
    """Makes the Scenes of a game's cards in one language."""

    def __init__(
        self,
        game: LoadedGame,
        language: Language,
        languages: Languages,
        translations: Translations,
        templates: template.Templates,
        fonts: FontLibrary,
        art: "ArtLibrary",
        problems: Problems,
        *,
        proof: bool = False,
        watch: "Watch | None" = None,
    ) -> None:
        """Make ready for laying out; `watch` gets every face that is, each time."""
        self.proof = proof
        self.watch = watch
        self.game = game
        self.language = language
        self.languages = languages
        self.translations = translations
        self.templates = templates
        self.fonts = fonts
        self.art = art
        self.problems = problems
        project = game.folder.project
        self.sizes = templates.sizes(project.files("layouts/sizes.yaml"))
        self._faces: dict[tuple[Any, ...], Face | None] = {}
        self._pictures: dict[str, PictureFile] = {}  # of templates, by name
        self._fronts: dict[int, _Front] = {}  # by the identity of cards
        self._paragraphs: dict[tuple[Any, ...], Paragraph] = {}
        self._voices: dict[tuple[Any, ...], Voices] = {}
        self._styles: dict[Text | None, StyleFields] = {}

    def front(self, card: Card) -> Scene | None:
        """Return the front of a card; None when its template has faults."""
        kept = self._front(card)
        return kept.scene if kept else None

    def anchors(self, card: Card) -> Mapping[str, Box]:
        """Return the boxes of the named parts of a card's front."""
        kept = self._front(card)
        return kept.anchors if kept else {}

    def _front(self, card: Card) -> "_Front | None":
        """Lay out the front of a card; rulebooks show the same ones again and again."""
        kept = self._fronts.get(id(card))
        if kept is None:
            face = self.face(self.game.spec.kinds[Text(card.kind)].front)
            if face is None:
                return None
            if len(self._fronts) >= KEPT_FRONTS:
                self._fronts.clear()
            kept = _Front(card, self.drawn(face, card, "front"), face.anchors)
            self._fronts[id(card)] = kept
        return kept

    def drawn(self, face: Face, card: Card, side: str) -> Scene:
        """Return a face of a card; `side` is front or back, or the panel of a box."""
        scene = face.scene(card)
        if self.watch:
            self.watch(face, card, side, scene)
        return scene

    def back(self, card: Card) -> Scene | None:
        """Return the back of a card; None when it has none or its template has faults."""
        if card.back is None:
            return None
        face = self.back_face(card.back)
        front = self.face(self.game.spec.kinds[Text(card.kind)].front)
        if face and front and face.size != front.size:
            sizes = " and ".join(f"{w:g} x {h:g} mm" for w, h in (front.size, face.size))
            message = f"front and back of '{card.kind}' differ in size: {sizes}"
            at = card.back.template.at
            self.problems.finding("unequal-sides", at, message, "a card has one size")
            return None
        return self.drawn(face, card, "back") if face else None

    def called(self, card: Card) -> str:
        """Return what a card is called: its name, else what its kind says, else its id."""
        translations = self.translations
        name = card.values.get("name")
        if isinstance(name, Message):
            return str(translations.text(name))
        pattern = self.game.names.get(card.kind)
        if not name and pattern is not None:
            if isinstance(pattern, Message):
                pattern = translations.text(pattern)
            with self.problems.gather():
                name = Scope(self.game, card, translations).text(pattern)
        return str(name or card.id)

    def measure(self, card: Card) -> "Measure | None":
        """Return what is cut out for a card; None when its template has faults."""
        kind = self.game.spec.kinds[Text(card.kind)]
        face = self.face(kind.front)
        if face is None:
            return None
        if kind.form == "flat":
            return Measure(
                *face.size,
                face.corner,
                face.bleed,
                outline=face.shape,
                nest=face.nest,
                folds=face.folds,
                tiled=face.spec.tiled,
            )
        standing = kind.form == "standee"
        size = forms.standee_size(face.size) if standing else forms.tent_size(face.size)
        folds = forms.standee_folds(face.size) if standing else forms.tent_folds(face.size)
        return Measure(*size, 0.0, face.bleed, folds=folds)

    def two_sided(self, card: Card) -> bool:
        """Tell whether a card has something on the other side of the paper."""
        flat = self.game.spec.kinds[Text(card.kind)].form == "flat"
        return flat and card.back is not None

    def printed(self, card: Card, side: str) -> Scene | None:
        """Return what is printed of a card on a side: of what is folded, the net on the front."""
        form = self.game.spec.kinds[Text(card.kind)].form
        if form == "flat":
            return self.front(card) if side == "front" else self.back(card)
        front = self.front(card)
        if side == "back" or front is None:
            return None
        back = self.back(card)
        return forms.standee(front, back) if form == "standee" else forms.tent(front, back)

    def box(self, name: Text, box: TuckBox, size: forms.BoxSize, card: Card) -> Scene:
        """Return the net of a tuck box; `card` is one that lies in it."""
        named = {
            "front": box.front,
            "back": box.back or box.front,
            "left": box.side,
            "right": box.side,
            "lid": box.lid,
            "floor": box.lid,
        }
        panels = size.panels()
        faces: dict[str, Scene] = {}
        bleed = 0.0
        for panel, template_name in named.items():
            if template_name is None:
                continue
            with self.problems.gather():
                path = self.game.folder.project.layout(template_name)
                spec = self.templates.template(path)
                if spec:
                    where = panels[panel]
                    face = Face(self, spec, {}, (where.width, where.height))
                    faces[panel] = self.drawn(face, replace(card, id=name), panel)
        return forms.tuck_box(size, faces, bleed)

    def back_face(self, back: Back) -> "Face | None":
        """Return the template of a back made ready for drawing, with the values it is given."""
        return self.face(back.template, back.values)

    def safe(self, card: Card, *, back: bool) -> float:
        """Return the safe margin of a side of a card, in mm."""
        if back and card.back:
            face = self.back_face(card.back)
        else:
            face = self.face(self.game.spec.kinds[Text(card.kind)].front)
        return face.safe if face else 0.0

    def face(self, name: Text, values: Mapping[Text, Text] = MappingProxyType({})) -> "Face | None":
        """Return a template made ready for drawing; `values` are for names that it uses."""
        key = (str(name), *((str(k), str(v)) for k, v in values.items()))
        if key not in self._faces:
            self._faces[key] = None
            with self.problems.gather():
                spec = self.templates.template(self.game.folder.project.layout(name))
                if spec:
                    self._faces[key] = Face(self, spec, values)
        return self._faces[key]

    def colour(self, text: Text) -> str:
        """Return a colour as #rrggbb from what a template or style says."""
        if colour := self.game.colours.get(text) or hex_colour(text):
            return colour
        hint = did_you_mean(text, self.game.colours)
        raise fault(text.at, f"unknown colour '{text}'", hint or "write #rrggbb")

    def style(self, name: Text | None) -> StyleFields:
        """Return a style of the game as it is in the language."""
        if name not in self._styles:
            self._styles[name] = self._style(name)
        return self._styles[name]

    def _style(self, name: Text | None) -> StyleFields:
        if name is None:
            return Style()
        if name not in self.game.spec.styles:
            hint = did_you_mean(name, self.game.spec.styles)
            raise fault(name.at, f"unknown style '{name}'", hint)
        return self.game.spec.styles[name].for_language(self.language.code)

    def voices(self, style: StyleFields, language: Language | None = None) -> Voices:
        """Return the faces of a style's plain, strong and emphasised text."""
        language = language or self.language
        role = style.font or Text("sans", style.at)
        weight = float(style.weight or 400)
        strong = float(style.strong or max(700, min(900, weight + 200)))
        italic = bool(style.italic)
        key = (role, weight, strong, italic, language.code)
        if key not in self._voices:
            slants = language.emphasis == "italic"

            def chain(weight: float, italic: bool) -> Any:
                return self.fonts.chain(role, weight, italic, language, self.languages)

            self._voices[key] = Voices(
                chain(weight, italic),
                chain(strong, italic),
                chain(weight if slants else strong, not italic if slants else italic),
                chain(strong, not italic if slants else italic),
            )
        return self._voices[key]

    def paragraph(self, text: Text, style: StyleFields, where: str) -> Paragraph:
        """Return a shaped text; `where` tells people which text is meant."""
        check_text(text)
        hyphenate = style.hyphenate is not False
        place = Text(where, text.at)
        return self.shaped(markup.parse(text), style, self.language, hyphenate, place)

    def shaped(
        self,
        spans: Sequence[markup.Span],
        style: StyleFields,
        language: Language,
        hyphenate: bool,
        where: Text,
        indent: float = 0.0,
    ) -> Paragraph:
        """Return shaped spans, each run once; `where` says and places what is wrong."""
        voices = self.voices(style, language)
        key = (tuple(spans), id(voices), hyphenate, indent)
        if key not in self._paragraphs:
            if len(self._paragraphs) > 5000:
                self._paragraphs.clear()
            self._paragraphs[key] = Paragraph(
                spans,
                voices,
                language,
                hyphenate=hyphenate,
                icon=lambda name: self.icon(Text(name, where.at)),
                indent=indent,
            )
        paragraph = self._paragraphs[key]
        for character in paragraph.missing:
            what = f"no font of '{language.code}' has U+{ord(character):04X} '{character}'"
            self.problems.finding(
                "missing-glyph", where.at, f"{what} ({where})", "add a font to fonts/"
            )
        return paragraph

    def icon(self, name: Text) -> ArtLike | None:
        """Return an icon that a text names; an unknown one is reported."""
        with self.problems.gather():
            folder = self.game.spec.icons
            if folder is None:
                raise fault(
                    name.at, f"':{name}:' names an icon, but the game has no 'icons' folder"
                )
            return self.picture(Text(f"{folder}/{name}", name.at))
        return None

    def picture(self, name: Text) -> ArtLike:
        """Return a picture: a card's, or one that a template names in `art/` or `layouts/`."""
        if isinstance(name, PictureFile):
            return self.art.load(name.path, name, name.page)
        if str(name) not in self._pictures:
            folders = [self.game.folder.art, *self.game.folder.project.folders("layouts")]
            self._pictures[str(name)] = find_picture(name, folders)
        found = self._pictures[str(name)]
        return self.art.load(found.path, name, found.page)
