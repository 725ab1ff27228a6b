"""What PDF/X asks of a file: ISO 15930-1 and -4 (X-1a, of 2001 and 2003) and -7 (X-4).

Beside it, what print shops ask of the files they get: bleed, and small type in one ink.
"""

from collections import defaultdict
from collections.abc import Iterator

from stonehand.inspection.colours import Space
from stonehand.inspection.document import Intent
from stonehand.inspection.home import (
    PDF_X,
    Asked,
    Finding,
    pages_told,
    rule,
    together,
)

BLEED = 3.0  # mm
_SLACK = 0.05  # mm
_SMALL = 8.0  # pt
_NAMES = {"x-1a": "PDF/X-1a", "x-4": "PDF/X-4"}
_VERSIONS = {"PDF/X-1a:2001": "1.3", "PDF/X-1a": "1.4", "PDF/X-4": "1.6"}


def _wanted(asked: Asked) -> list[str]:
    return [name for standard, name in _NAMES.items() if standard in asked.standards]


@rule(*PDF_X)
def claims(asked: Asked) -> Iterator[Finding]:
    """Compare what a file says it is with what it is to be."""
    said = asked.facts.document
    for name in _wanted(asked):
        own = next((claim for claim in said.claims if claim.startswith(name)), "")
        if not own:
            hint = f"it says {', '.join(said.claims)}" if said.claims else ""
            yield Finding("pdf-x-name", f"the file does not say that it is {name}", hint)
        most = _VERSIONS.get(own, _VERSIONS[name])
        if said.version > most:
            yield Finding("pdf-x-version", f"PDF {said.version}; {own or name} goes to {most}")
    missing = [
        what
        for what, value in (
            ("a title", said.title),
            ("a date of creation", said.created),
            ("a date of change", said.modified),
        )
        if not value
    ]
    if missing:
        yield Finding("pdf-x-metadata", f"the file lacks {', '.join(missing)}")
    if said.trapped not in ("True", "False"):
        yield Finding("pdf-x-trapped", "the file does not say whether it is trapped")
    if not said.identified:
        yield Finding("pdf-x-id", "the file has no ID")


@rule(*PDF_X)
def intent(asked: Asked) -> Iterator[Finding]:
    """Look at what the file says of the press it is for."""
    intents = [one for one in asked.facts.document.intents if one.kind == "GTS_PDFX"]
    if len(intents) != 1:
        told = f"{len(intents)} output intents" if intents else "no output intent"
        yield Finding("pdf-x-intent", f"{told} of PDF/X")
    for one in intents:
        yield from (Finding("pdf-x-intent", told) for told in _faults(one, asked))


def _faults(one: Intent, asked: Asked) -> Iterator[str]:
    if not one.condition:
        yield "the output intent names no output condition"
    if not one.profile and ("x-4" in asked.standards or not one.registry):
        yield "the output intent has no profile" + ("" if one.registry else " and no registry")
    if one.profile and not one.profile.startswith("prtr"):
        yield f"the profile of the output intent is not one of a printer ({one.profile})"
    elif one.profile and "x-1a" in asked.standards and one.profile != "prtr CMYK":
        yield f"the profile of the output intent is not of CMYK ({one.profile})"


@rule(*PDF_X)
def page_boxes(asked: Asked) -> Iterator[Finding]:
    """Look for pages without a trim, or with little bleed around it."""
    pages = asked.facts.pages
    none = [page.number for page in pages if not page.trim and not page.art]
    both = [page.number for page in pages if page.trim and page.art]
    for what, found in (("no trim box", none), ("both a trim and an art box", both)):
        if found:
            yield Finding("pdf-x-boxes", f"{what}, {pages_told(found)}")
    narrow: dict[int, float] = {}
    for page in pages:
        if page.trim:
            outer, trim = page.bleed or page.trim, page.trim
            bleed = min(
                trim.left - outer.left,
                trim.bottom - outer.bottom,
                outer.right - trim.right,
                outer.top - trim.top,
            )
            if bleed < BLEED - _SLACK:
                narrow[page.number] = max(0.0, bleed)
    if narrow:
        told = f"{min(narrow.values()):.3g} mm, {pages_told(narrow)}"
        yield Finding("pdf-x-bleed", f"the bleed is only {told}", f"most ask for {BLEED:g} mm")


@rule(*PDF_X)
def listed_fonts(asked: Asked) -> Iterator[Finding]:
    """Look for fonts that are not used, but listed and not embedded."""
    for font in asked.facts.fonts:
        if not font.pages and not font.embedded:
            yield Finding("pdf-x-font", f"font '{font.name}' is listed and not embedded")


@rule(*PDF_X)
def colours(asked: Asked) -> Iterator[Finding]:
    """Look for colours that a press can't take as they are."""
    rgb_press = any(one.profile.endswith(" RGB") for one in asked.facts.document.intents)
    found: dict[str, set[int]] = defaultdict(set)
    for colour, pages in asked.facts.colours.items():
        for part in colour.space.parts():
            bad = _foreign_x4(part, rgb_press)
            if "x-1a" in asked.standards:
                bad = part.family not in ("gray", "cmyk", "spot") or not (part.device or part.spots)
            if bad:
                found[part.name].update(pages)
    for name, on in found.items():
        yield Finding("pdf-x-colour", f"colours in {name}, {pages_told(on)}")
    small = [
        (size, pages)
        for (size, count), pages in asked.facts.texts.items()
        if count > 1 and size < _SMALL
    ]
    if small:
        on_pages = pages_told(together(pages for _, pages in small))
        told = f"type of {min(small)[0]:.3g} pt is printed in several inks, {on_pages}"
        yield Finding("pdf-x-small-type", told)


def _foreign_x4(part: Space, rgb_press: bool) -> bool:
    """Tell whether colours of the printer are used that are not those of the output intent."""
    return part.device and part.family == ("cmyk" if rgb_press else "rgb")


_PACKINGS = ("LZWDecode", "LZW")
_PACKINGS_1A = (*_PACKINGS, "JPXDecode", "JBIG2Decode")


@rule(*PDF_X)
def content(asked: Asked) -> Iterator[Finding]:
    """Look for what a press can't do, or would do in its own way."""
    facts = asked.facts
    unpackable = _PACKINGS_1A if "x-1a" in asked.standards else _PACKINGS
    for feature, pages in facts.features.items():
        if feature.kind == "filter" and feature.what in unpackable:
            yield Finding(
                "pdf-x-filter", f"content is packed as {feature.what}, {pages_told(pages)}"
            )
        elif feature.kind in ("halftone", "foreign"):
            yield Finding("pdf-x-foreign", f"{feature.what}, {pages_told(pages)}")
    within = [page.number for page in facts.pages if page.notes_within]
    if within:
        told = f"notes or links lie where the page is printed, {pages_told(within)}"
        yield Finding("pdf-x-annotation", told)


@rule("x-1a")
def old_readers(asked: Asked) -> Iterator[Finding]:
    """Look for what came into PDF after the version that X-1a is of."""
    if asked.facts.document.packed:
        yield Finding("pdf-x-packed", "objects or their table are packed in streams")
    if asked.facts.document.layers:
        yield Finding("pdf-x-layers", "the file has layers")
