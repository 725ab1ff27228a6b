"""SVG to PDF by Typst's SVG engine: many drawings in, a PDF with one page for each out.

One compile serves all: 150 icons take 55 ms, so no cache is kept on disk. Nothing is written
and nothing read: the sources travel as inputs of the document, and Typst is given no fonts.
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stonehand.art.picture import Vector
from stonehand.source.problems import Location, Problems, StonehandError, fault

if TYPE_CHECKING:
    import pikepdf

# pt, the longer side of every page: Typst draws the few things PDF can't hold as pixels at four
# to the pt, and so has 288 dpi or more on anything up to a tarot card
LONGER_SIDE = 340
_PROLOGUE = "#set page(width: auto, height: auto, margin: 0pt, fill: none)\n"


def pages(drawings: Sequence[Vector]) -> "pikepdf.Pdf":
    """Return a PDF whose pages are the drawings, each as large as its picture.

    What Typst can't draw is a fault at its file; all such files of a batch are told together.
    """
    import pikepdf

    try:
        data = _compiled(drawings)
    except ValueError as error:
        problems = Problems()
        for drawing in drawings:
            with problems.gather():
                _alone(drawing)
        problems.raise_errors()
        raise _failed(drawings[0], error) from None  # each goes well alone
    pdf = pikepdf.open(io.BytesIO(data))
    _use_device_colours(pdf)
    return pdf


def _alone(drawing: Vector) -> None:
    try:
        _compiled([drawing])
    except ValueError as error:
        raise _failed(drawing, error) from None


def _failed(drawing: Vector, error: ValueError) -> StonehandError:
    hint = "export it as plain SVG, or as PDF"
    return fault(Location(drawing.where), f"SVG can't be drawn: {error}", hint)


def _compiled(drawings: Sequence[Vector]) -> bytes:
    import typst

    inputs, images = {}, []
    for number, drawing in enumerate(drawings):
        width = LONGER_SIDE * min(1.0, drawing.aspect)
        inputs[str(number)] = drawing.source.decode()
        images.append(
            f'#image(bytes(sys.inputs.at("{number}")), format: "svg", width: {width:.4f}pt)\n'
        )
    try:
        return typst.compile(
            (_PROLOGUE + "#pagebreak()\n".join(images)).encode(),
            format="pdf",
            sys_inputs=inputs,
            ignore_system_fonts=True,
            pdf_tags=False,
            timestamp=0,
        )
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic in Rust is raised as no Exception
        message = getattr(error, "message", "") or "the engine failed"
        raise ValueError(message.removeprefix("failed to parse SVG ").strip("()")) from None


def _use_device_colours(pdf: "pikepdf.Pdf") -> None:
    """Write colours as DeviceRGB and DeviceGray, as all other colours of a card are.

    Typst tags them with its sRGB and gray profiles; next to an untagged field of the same colour,
    a tagged icon could print differently.
    """
    from pikepdf import Array, Dictionary, Name, Object, Stream

    def plain(value: Object) -> Object:
        if isinstance(value, Array) and len(value) == 2 and value[0] == Name.ICCBased:
            return Name.DeviceRGB if value[1].N == 3 else Name.DeviceGray
        return value

    def walk(value: Object) -> None:
        if isinstance(value, (Dictionary, Stream)):
            for key, part in value.items():
                if (colours := plain(part)) is not part:
                    value[key] = colours
                elif isinstance(part, (Dictionary, Array)) and not part.is_indirect:
                    walk(part)
        elif isinstance(value, Array):
            for part in value:
                if isinstance(part, (Dictionary, Array)) and not part.is_indirect:
                    walk(part)

    for value in pdf.objects:
        walk(value)
