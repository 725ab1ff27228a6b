"""A drawing without colours: its shape, drawn in whatever colour is set where it is placed.

Form XObjects inherit the colours in force (ISO 32000-2, 8.10.1), so one colourless form serves
every tint. Gradients and patterns become the flat colour; opacity and soft masks stay, and so
do pictures, save stencils, which take the colour as PDF has it.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from stonehand.art.pdf import pack

if TYPE_CHECKING:
    from pikepdf import ContentStreamInlineImage, ContentStreamInstruction, Object, Pdf, Stream

    Instruction = ContentStreamInstruction | ContentStreamInlineImage

_COLOURS = {"g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN"}
_FAR = 16_384  # half of what the oldest readers take for a number


def colourless(pdf: "Pdf", form: "Object", made: dict[tuple[int, int], "Stream"]) -> "Stream":
    """Return a copy of a form of `pdf`, and of the forms in it, that sets no colour.

    `made` holds the copies by the object number of what they are copies of: a form used twice is
    copied once, and forms in a circle end.
    """
    import pikepdf
    from pikepdf import Dictionary

    if form.objgen in made:
        return made[form.objgen]
    copy = made[form.objgen] = pdf.make_stream(b"")
    for key, value in form.items():
        if key not in ("/Length", "/Filter", "/DecodeParms", "/Resources"):
            copy[key] = value
    resources = {
        key: value
        for key, value in form.get("/Resources", Dictionary()).items()
        if key not in ("/Pattern", "/Shading", "/XObject")
    }
    painted = form.get("/Resources", Dictionary()).get("/XObject", Dictionary())
    resources["/XObject"] = Dictionary(
        {
            name: colourless(pdf, part, made) if part.get("/Subtype") == "/Form" else part
            for name, part in painted.items()
        }
    )
    copy.Resources = Dictionary(resources)
    with_colours = pikepdf.parse_content_stream(form)
    pack(copy, pikepdf.unparse_content_stream(list(_without_colours(with_colours))))
    return copy


def _without_colours(instructions: "Iterable[Instruction]") -> "Iterator[Instruction]":
    from pikepdf import ContentStreamInstruction, Operator

    everywhere = ContentStreamInstruction([-_FAR, -_FAR, 2 * _FAR, 2 * _FAR], Operator("re"))
    fill = ContentStreamInstruction([], Operator("f"))
    for instruction in instructions:
        operator = str(instruction.operator)
        if operator == "sh":  # paints all that the clip lets through
            yield from (everywhere, fill)
        elif operator not in _COLOURS:
            yield instruction
