"""The facts of a PDF as people read them, and as other programs do.

Sizes are in millimetres, boxes to a hundredth; lines and type are in points.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from stonehand.inspection.document import Box, PageFacts
from stonehand.inspection.facts import PdfFacts
from stonehand.inspection.fonts import FontFacts
from stonehand.inspection.home import millimetres, pages_told
from stonehand.inspection.images import ImageFacts
from stonehand.source.problems import LONGEST, bytes_told, plain

_WIDTH = 14  # letters before what is told
_MANY = 12  # fonts or sizes that are told one by one


def as_text(facts: PdfFacts) -> str:
    """Return a summary in lines, the name of the file first."""
    lines = [facts.file]
    for name, told in _told(facts):
        lines.append(f"  {name:{_WIDTH}}{told[:LONGEST]}".rstrip())
    return "\n".join(map(plain, lines))  # titles and names come from the file


def _told(facts: PdfFacts) -> Iterator[tuple[str, str]]:
    said = facts.document
    count = f"{facts.page_count:,} page{'s' if facts.page_count > 1 else ''}"
    standard = "".join(f", {claim}" for claim in said.claims)
    yield f"PDF {said.version}", f"{count}, {bytes_told(facts.bytes)}{standard}"
    yield "title", said.title or "none"
    yield "language", said.language or "none"
    yield "tags", "yes" if said.tagged else "no"
    yield from _sizes(facts.pages)
    yield from _fonts(facts.fonts)
    yield "images", _images(facts.images)
    spaces = sorted({colour.space.name for colour in facts.colours})
    yield "colours", ", ".join(spaces) or "none"
    ink = most_ink(facts)
    yield "most ink", "not known, no colours of a press" if ink is None else f"{ink:.0f} %"
    yield "transparency", ", ".join(transparency(facts)) or "no"
    yield "overprint", "yes" if _has(facts, "overprint") else "no"
    yield "thinnest line", f"{min(facts.lines):.3g} pt" if facts.lines else "none"
    yield "smallest type", f"{min(facts.texts)[0]:.3g} pt" if facts.texts else "none"
    for intent in said.intents:
        parts = (intent.condition or intent.info, intent.profile)
        yield "intent", ", ".join(part for part in parts if part) or "unnamed"
    acts = sorted({*said.acts, *(act for page in facts.pages for act in page.acts)})
    locked = ["encryption"] if said.encrypted else []
    if acts or locked:
        yield "has", ", ".join(locked + acts)


def _sizes(pages: tuple[PageFacts, ...]) -> Iterator[tuple[str, str]]:
    """Yield the sizes and boxes of pages that have the same ones."""
    alike: dict[str, list[int]] = defaultdict(list)
    for page in pages:
        alike[_page(page)].append(page.number)
    for told, numbers in list(alike.items())[:_MANY]:
        yield (
            ("pages" if len(alike) > 1 else "size"),
            (f"{pages_told(numbers).partition(' ')[2]}: {told}" if len(alike) > 1 else told),
        )
    if len(alike) > _MANY:
        yield "", f"and {len(alike) - _MANY} other sizes"


def _page(page: PageFacts) -> str:
    told = [millimetres(*page.size)]
    if page.turn:
        told.append(f"turned by {page.turn} degrees")
    if page.crop:
        told.append(f"media {_measures(page.media)}, crop {_measures(page.crop)}")
    boxes = {"bleed": page.bleed, "trim": page.trim, "art": page.art}
    told += [f"{name} {_measures(box)}" for name, box in boxes.items() if box and box != page.media]
    same = [name for name, box in boxes.items() if box == page.media]
    if same:
        told.append(f"{' and '.join(same)} box the same")
    return ", ".join(told)


def _measures(box: Box) -> str:
    return millimetres(box.width, box.height)


def _fonts(fonts: tuple[FontFacts, ...]) -> Iterator[tuple[str, str]]:
    if not fonts:
        yield "fonts", "none"
    for number, font in enumerate(fonts[:_MANY]):
        told = [font.name, font.kind, "embedded" if font.embedded else "NOT embedded"]
        told += ["subset"] if font.subset else []
        told += [] if font.extractable else ["no text"]
        told += [] if font.pages else ["not used"]
        yield "" if number else "fonts", ", ".join(told)
    if len(fonts) > _MANY:
        loose = sum(not font.embedded for font in fonts[_MANY:])
        yield "", f"and {len(fonts) - _MANY} more, {loose or 'none'} not embedded"


def _images(images: tuple[ImageFacts, ...]) -> str:
    if not images:
        return "none"
    spaces = ", ".join(sorted({image.colours for image in images}))
    dots = sorted(image.dpi for image in images if image.dpi)
    fine = f", {dots[0]:.0f} to {dots[-1]:.0f} dpi" if dots else ""
    return f"{len(images):,} ({spaces}){fine}"


def most_ink(facts: PdfFacts) -> float | None:
    """Return the most ink of a place in percent; None where no colour is one of a press."""
    press = ("cmyk", "spot")
    found = [c.ink for c in facts.colours if c.ink is not None and c.space.family in press]
    return max(
        [*found, *(image.ink for image in facts.images if image.ink is not None)], default=None
    )


def transparency(facts: PdfFacts) -> list[str]:
    """Return the kinds of transparency there are."""
    return sorted(feature.what for feature in facts.features if feature.kind == "transparency")


def _has(facts: PdfFacts, kind: str) -> bool:
    return any(feature.kind == kind for feature in facts.features)


def as_data(facts: PdfFacts) -> dict[str, Any]:
    """Return the facts as plain values for JSON: boxes are left, bottom, right and top in mm."""
    said = facts.document
    return {
        **said._asdict(),
        "intents": [intent._asdict() for intent in said.intents],
        "bytes": facts.bytes,
        "mended": facts.mended,
        "page_count": facts.page_count,
        "unread": facts.unread,
        "broken": facts.broken,
        "pages": [_page_data(page) for page in facts.pages],
        "fonts": [font._asdict() for font in facts.fonts],
        "images": [image._asdict() for image in facts.images],
        "colours": sorted({colour.space.name for colour in facts.colours}),
        "most_ink": most_ink(facts),
        "transparency": transparency(facts),
        "overprint": _has(facts, "overprint"),
        "thinnest_line": min(facts.lines, default=None),
        "smallest_type": min(facts.texts)[0] if facts.texts else None,
    }


def _page_data(page: PageFacts) -> dict[str, Any]:
    boxes = {name: getattr(page, name) for name in ("media", "crop", "bleed", "trim", "art")}
    rounded = {n: box and [round(side, 3) for side in box] for n, box in boxes.items()}
    return {**page._asdict(), "size": [round(side, 3) for side in page.size], **rounded}
