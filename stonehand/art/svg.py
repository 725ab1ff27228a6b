"""The one door through which SVG is read: a gate that lets pass what is safe to draw.

SVG is a program: it can name files and addresses, expand without end, and hold text that each
machine sets in another font. expat, told of no outside thing, walks the file once; what passes is
well-formed, closed in itself, bounded in size, depth, numbers and expansion, and has a size. The
drawing is Typst's (`draw.py`), whose SVG engine ends the whole process on infinite coordinates
and may take minutes for a filter: both are refused here.
"""

import base64
import hashlib
import math
import re
from collections.abc import Iterator
from xml.parsers import expat

from stonehand.art import raster
from stonehand.art.expansion import DEPTH_LIMIT, ELEMENT_LIMIT, Element, check_bounds
from stonehand.art.picture import Vector
from stonehand.source.problems import Location, StonehandError, fault
from stonehand.source.text import Text

SIZE_LIMIT = 10_000_000  # bytes
DECLARED_LIMIT = 1_000_000  # declarations of style sheets, times the elements they may select
MM = {"": 25.4 / 96, "px": 25.4 / 96, "pt": 25.4 / 72, "pc": 25.4 / 6}
MM |= {"in": 25.4, "mm": 1.0, "cm": 10.0}  # CSS Values 4, section 6.2

_OUTSIDE = "SVG refers to outside content"
_PLAIN = "export it as plain SVG"
_REFERRING = {"use", "linearGradient", "radialGradient", "pattern", "mask", "clipPath"}
_NUMBERS = {"d", "points", "x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "transform"}
_NUMBERS |= {"x1", "x2", "y1", "y2", "fx", "fy", "fr", "viewBox", "stroke-width", "offset"}
_NUMBERS |= {"gradientTransform", "patternTransform", "markerWidth", "markerHeight"}
_NUMBERS |= {"refX", "refY", "stroke-dasharray", "stroke-dashoffset"}
_HUGE = re.compile(r"\d{8}|[eE]\+?0*(?:[7-9]|[1-9]\d)|inf|nan", re.IGNORECASE)
_URL = re.compile(r"""url\(\s*["']?\s*([^"')]*)""", re.IGNORECASE)
# what is open is closed before the next opens, so that a hostile text costs no more than its length
_SCALING = re.compile(r"(matrix|scale)\s*+\(([^()]*+)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,(.*)", re.DOTALL)


def read(data: bytes, file: str) -> Vector:
    """Return the drawing in an SVG file; `file` is the name that faults carry."""
    if len(data) > SIZE_LIMIT:
        raise fault(Location(file), f"SVG has more than {SIZE_LIMIT // 1_000_000} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise fault(Location(file), "not SVG: not UTF-8 text", "save it as plain SVG") from None
    width, height = _Gate(file).read(text)
    return Vector(hashlib.sha256(data).hexdigest(), file, width, height, "svg", text.encode())


class _Gate:
    """One walk through a file; `read` returns the natural size in mm."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.ProcessingInstructionHandler = self.instruction
        self.open: list[Element] = []
        self.all: list[Element] = []
        self.ids: dict[str, Element] = {}
        self.style: list[str] = []
        self.size = (0.0, 0.0)
        self.pixels = 0

    def read(self, text: str) -> tuple[float, float]:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            at = Location(self.file, error.lineno, error.offset + 1)
            raise fault(at, f"not SVG: {expat.ErrorString(error.code)}") from None
        self.style_sheet("".join(self.style))
        check_bounds(self.all[0], self.ids)
        return self.size

    def at(self) -> Location:
        column = self.parser.CurrentColumnNumber + 1
        return Location(self.file, self.parser.CurrentLineNumber, column)

    def refused(self, message: str, hint: str = "") -> StonehandError:
        return fault(self.at(), message, hint)

    def doctype(self, *_: object) -> None:
        raise self.refused("DOCTYPE is not allowed in SVG", "remove it; nothing in art needs it")

    def instruction(self, target: str, _: str) -> None:
        if target == "xml-stylesheet":
            raise self.refused(_OUTSIDE, "put the style sheet inside")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if not self.open and tag != "svg":
            raise self.refused(f"not SVG: the root is <{tag}>")
        if len(self.open) >= DEPTH_LIMIT:
            raise self.refused(f"SVG is nested deeper than {DEPTH_LIMIT} levels")
        if len(self.all) >= ELEMENT_LIMIT:
            raise self.refused(f"SVG has more than {ELEMENT_LIMIT:,} elements")
        if tag in ("script", "foreignObject"):
            raise self.refused(f"<{tag}> is not allowed in SVG", _PLAIN)
        if tag == "text":
            raise self.refused("text in SVG depends on fonts", "convert text to paths")
        words = {tag, *attributes.get("class", "").split()}
        element = Element(tag, self.at(), words)
        if id_ := attributes.get("id"):
            words.add(id_)
            self.ids.setdefault(id_, element)
        if self.open:
            self.open[-1].inside.append(element)
        else:
            self.size = self.natural_size(attributes)
        self.open.append(element)
        self.all.append(element)
        element.points += len(attributes.get("d", attributes.get("points", ""))) // 2
        for attribute, value in attributes.items():
            self.attribute(element, attribute, value)

    def end(self, _: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        if self.open[-1].tag == "style":
            self.style.append(text)

    def attribute(self, element: Element, name: str, value: str) -> None:
        local = name.rpartition(":")[2]
        if name.startswith("on"):
            raise self.refused(f"'{name}' is not allowed in SVG", _PLAIN)
        if local in ("href", "src"):
            self.link(element, value.strip())
        elif name == "style":
            for declaration in _declarations(value):
                self.declare(element, *declaration)
        else:
            self.declare(element, name, value)

    def link(self, element: Element, value: str) -> None:
        if value.startswith("#"):
            if element.tag in _REFERRING:
                element.targets.append((value[1:], 1))
        elif element.tag == "image" and value.startswith("data:"):
            self.picture(value)
        elif value:
            raise self.refused(_OUTSIDE, f"'{value[:40]}'")

    def picture(self, value: str) -> None:
        match = _DATA.fullmatch(value)
        if not match:
            raise self.refused("a picture inside SVG is PNG, JPEG, GIF or WebP in base64")
        try:
            data = base64.b64decode("".join(match[1].split()), validate=True)
        except ValueError:
            raise self.refused("a picture inside SVG is damaged: not base64") from None
        self.pixels += raster.check(data, Text("inside SVG", self.at()))
        if self.pixels > raster.PIXEL_LIMIT:
            limit = raster.PIXEL_LIMIT // 1_000_000
            raise self.refused(f"pictures inside SVG have more than {limit} million pixels")

    def declare(self, element: Element, name: str, value: str) -> None:
        """Note what a presentation attribute or a declaration of a style sheet brings along."""
        if name in _NUMBERS and _HUGE.search(value):
            raise fault(element.at, f"SVG has numbers out of range in '{name}'")
        if name == "filter" and value.strip() not in ("", "none"):
            hint = "save the picture as PNG, or export it as PDF"
            raise fault(element.at, "SVG uses a filter, which has no sharp print", hint)
        for target in _URL.findall(value):
            if not target.startswith("#"):
                raise fault(element.at, _OUTSIDE, f"'{target[:40]}'")
            element.targets.append(
                (target[1:].strip(), element.points if name.startswith("marker") else 1)
            )
        if name in ("transform", "gradientTransform", "patternTransform"):
            for function, numbers in _SCALING.findall(value):
                factors = [abs(float(n)) for n in _NUMBER.findall(numbers)]
                element.scale += _magnitude(max(factors[: 4 if function == "matrix" else 2] or [1]))
        elif name in ("width", "height"):
            element.scale += max(map(_magnitude, _first(value, 1)), default=0.0) / 2
        elif name == "viewBox":
            box = _first(value, 4)[2:]
            if any(0 < side < 1e-3 for side in box):
                raise fault(element.at, "SVG has numbers out of range in 'viewBox'")
            element.scale += max(map(_magnitude, box), default=0.0)

    def style_sheet(self, sheet: str) -> None:
        """Give every element what rules that may select it declare."""
        at = next((element.at for element in self.all if element.tag == "style"), self.all[0].at)
        if sheet.rfind("/*") > sheet.rfind("*/"):
            raise fault(at, "SVG has a comment in its style sheet that is not closed")
        sheet = _COMMENT.sub("", sheet)
        if "@import" in sheet.lower():
            raise fault(at, _OUTSIDE, "@import")
        for target in _URL.findall(sheet):
            if not target.startswith("#"):
                raise fault(at, _OUTSIDE, f"'{target[:40]}'")
        named: dict[str, list[tuple[str, str]]] = {}
        for selector, body in _rules(sheet):
            telling = [d for d in _declarations(body) if _tells(*d)]
            # a selector that goes by anything but tag, class and id may select every element
            words = ["*"] if re.search(r"[*\[:]", selector) else re.findall(r"[\w-]+", selector)
            for word in dict.fromkeys(words) if telling else ():
                named.setdefault(word, []).extend(telling)
        declared = 0
        for element in self.all if named else ():
            for word in sorted(named.keys() & (element.words | {"*"})):
                declared += len(named[word])
                if declared > DECLARED_LIMIT:
                    raise fault(at, "SVG has too many rules in its style sheet", _PLAIN)
                for declaration in named[word]:
                    self.declare(element, *declaration)

    def natural_size(self, attributes: dict[str, str]) -> tuple[float, float]:
        """Return mm: `width` and `height`, or for what is missing the viewBox, in px."""
        box = _first(attributes.get("viewBox", ""), 4)
        size = []
        for name, side in zip(("width", "height"), box[2:] or (None, None), strict=True):
            written = attributes.get(name, "100%").strip()
            match = _NUMBER.match(written)
            unit = written[match.end() :].strip() if match else "?"
            if match and unit == "%" and side is not None:
                size.append(float(match[0]) / 100 * side * MM["px"])
            elif match and unit in MM:
                size.append(float(match[0]) * MM[unit])
            elif unit == "%":
                raise self.refused("SVG has no size", "give it width and height, or a viewBox")
            else:
                raise self.refused(f"SVG has {name} '{written[:20]}'", "use mm, cm, in, pt or px")
        width, height = size
        if not (1e-3 < width < 1e6 and 1e-3 < height < 1e6 and 1e-3 < width / height < 1e3):
            raise self.refused(f"SVG has no usable size ({width:g} x {height:g} mm)")
        return width, height


def _first(value: str, count: int) -> list[float]:
    """Return the numbers at the start of an attribute if there are `count`, else nothing."""
    numbers = [float(n) for n in _NUMBER.findall(value[:200])]
    return numbers[:count] if len(numbers) >= count else []


def _magnitude(factor: float) -> float:
    return abs(math.log10(factor)) if factor > 0 else 0.0


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield selector and body of each rule of a style sheet, of nested ones the innermost."""
    *closed, _ = sheet.split("}")
    for part in closed:
        head, opening, body = part.rpartition("{")
        if opening:
            yield head.rpartition("{")[2], body


def _declarations(body: str) -> list[tuple[str, str]]:
    pairs = (declaration.partition(":") for declaration in body.split(";"))
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def _tells(name: str, value: str) -> bool:
    return name in _NUMBERS or name == "filter" or "url(" in value.lower()
