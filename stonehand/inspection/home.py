"""What is looked for in a PDF whatever it is for, and what a printer at home needs.

A rule takes the facts of a file with what is asked, and yields findings; `@rule` files it under
the standards that it belongs to. The rules of PDF/X are in `pdfx`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Literal, NamedTuple

from stonehand.inspection.facts import PAGE_LIMIT, Pages, PdfFacts
from stonehand.inspection.images import ImageFacts

Standard = Literal["home", "x-1a", "x-4"]

COARSE = 200  # dpi; under it pixels show at arm's length
FINE = 300  # dpi, what print services ask for
THIN = 0.25  # pt
_SHEETS = ((210.0, 297.0), (215.9, 279.4))  # mm, A4 and Letter: what stands in homes and offices
_SLACK = 0.5  # mm by which a page may be larger than the paper


class Asked(NamedTuple):
    """What rules are about: a file, what it is for, and the most ink in percent."""

    facts: PdfFacts
    standards: frozenset[Standard]
    ink: float


class Finding(NamedTuple):
    """What a rule has found; its code says how grave it is."""

    code: str
    message: str
    hint: str = ""


Rule = Callable[[Asked], Iterator[Finding]]
RULES: list[tuple[frozenset[Standard], Rule]] = []

ANY: tuple[Standard, ...] = ("home", "x-1a", "x-4")
PDF_X: tuple[Standard, ...] = ("x-1a", "x-4")


def rule(*standards: Standard) -> Callable[[Rule], Rule]:
    """File a function as a rule of some standards."""

    def file(function: Rule) -> Rule:
        RULES.append((frozenset(standards), function))
        return function

    return file


def pages_told(pages: Iterable[int]) -> str:
    """Return pages as people write them: `page 3`, `pages 1-9, 12`."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    told = ", ".join("-".join(f"{page:,}" for page in run) for run in runs)
    return f"page{'s' if len(runs) > 1 or len(runs[0]) > 1 else ''} {told}"


def together(pages: Iterable[Pages]) -> Pages:
    """Return all the pages of some lists of pages."""
    return tuple(sorted(set(chain.from_iterable(pages))))


def millimetres(width: float, height: float) -> str:
    """Return a size as people write it, to a hundredth of a millimetre."""
    return f"{round(width, 2):g} x {round(height, 2):g} mm"


@rule(*ANY)
def whole(asked: Asked) -> Iterator[Finding]:
    """Look for what can't be read, or was not looked at."""
    facts = asked.facts
    if facts.mended:
        yield Finding("pdf-damaged", f"the file had to be mended to be read: {facts.mended}")
    for what, pages in facts.broken.items():
        yield Finding("pdf-broken-page", f"{what}: {pages_told(pages)}")
    unread = (*facts.unread, *range(PAGE_LIMIT + 1, facts.page_count + 1))
    if unread:
        yield Finding("pdf-unread", f"too much to look at: {pages_told(unread)}")


@rule(*ANY)
def fonts(asked: Asked) -> Iterator[Finding]:
    """Look for fonts that other machines lack, and for text that can't be read back."""
    for font in asked.facts.fonts:
        if font.pages and not font.embedded:
            message = f"font '{font.name}' is not embedded, {pages_told(font.pages)}"
            yield Finding("pdf-font", message)
        if font.pages and not font.extractable:
            message = f"what is set in '{font.name}' can't be searched, {pages_told(font.pages)}"
            yield Finding("pdf-lost-text", message)


@rule(*ANY)
def boxes(asked: Asked) -> Iterator[Finding]:
    """Look for boxes that do not lie in each other, and for pages of several sizes."""
    outside: dict[str, list[int]] = defaultdict(list)
    for page in asked.facts.pages:
        for name, inner in (("trim", page.trim), ("art", page.art), ("bleed", page.bleed)):
            outer = page.bleed if name != "bleed" else None
            within = "bleed" if outer else "media"
            if inner and not (outer or page.media).holds(inner):
                outside[f"the {name} box reaches out of the {within} box"].append(page.number)
    for message, pages in outside.items():
        yield Finding("pdf-boxes", f"{message}, {pages_told(pages)}")
    sizes: dict[str, list[int]] = defaultdict(list)
    for page in asked.facts.pages:
        # upright or on its side, it is the same paper
        sizes[millimetres(*sorted(round(side, 1) for side in page.size))].append(page.number)
    if len(sizes) > 1:
        told = "; ".join(f"{size} ({pages_told(on)})" for size, on in list(sizes.items())[:4])
        yield Finding("pdf-page-sizes", f"pages have {len(sizes)} sizes: {told}")


@rule(*ANY)
def images(asked: Asked) -> Iterator[Finding]:
    """Look for images with few pixels for their size."""
    coarse = [image for image in asked.facts.images if (image.dpi or COARSE) < COARSE]
    soft = [image for image in asked.facts.images if COARSE <= (image.dpi or FINE) < FINE]
    for code, found in (("pdf-coarse-image", coarse), ("pdf-soft-image", soft)):
        if found:
            worst = min(found, key=lambda image: image.dpi or 0)
            yield Finding(code, f"{_dots(worst)}, {pages_told(worst.pages)}{_others(found)}")


def _dots(image: ImageFacts) -> str:
    return f"an image of {image.width} x {image.height} pixels has {image.dpi:.0f} dpi"


def _others(found: list[ImageFacts]) -> str:
    """Return what else was found than the worst."""
    if len(found) == 1:
        return ""
    more = "1 more image" if len(found) == 2 else f"{len(found) - 1} more images"
    return f", the least; {more}, {pages_told(together(image.pages for image in found))}"


@rule(*PDF_X)
def thin_lines(asked: Asked) -> Iterator[Finding]:
    """Look for lines that a press does not hold."""
    yield from _thin(asked, "pdf-thin-line")


@rule("home")
def fine_lines(asked: Asked) -> Iterator[Finding]:
    """Look for lines that may come out paler than meant."""
    if asked.standards == {"home"}:
        yield from _thin(asked, "pdf-fine-line")


def _thin(asked: Asked, code: str) -> Iterator[Finding]:
    thin = {width: pages for width, pages in asked.facts.lines.items() if width < THIN}
    if thin:
        least = f"{min(thin):.3g} pt" if min(thin) else "as thin as the printer can"
        yield Finding(code, f"lines down to {least}, {pages_told(together(thin.values()))}")


@rule(*ANY)
def inks(asked: Asked) -> Iterator[Finding]:
    """Look for more ink than paper takes, and for white that vanishes on a press."""
    facts, most = asked.facts, asked.ink + 0.5  # values of 8 bits are rounded
    full = [(c.ink, pages) for c, pages in facts.colours.items() if (c.ink or 0) > most]
    if full:
        told = f"{max(full)[0]:.0f} % of ink, {pages_told(together(p for _, p in full))}"
        yield Finding("pdf-ink", f"colours take up to {told}", f"at most {asked.ink:g} %")
    heavy = [image for image in facts.images if (image.ink or 0) > most]
    if heavy:
        told = f"{max(image.ink or 0 for image in heavy):.0f} % of ink"
        on = pages_told(together(image.pages for image in heavy))
        yield Finding("pdf-ink", f"images take up to {told}, {on}", f"at most {asked.ink:g} %")
    lost = [pages for colour, pages in facts.colours.items() if colour.white_overprint]
    if lost:
        yield Finding("pdf-white-overprint", f"white overprints, {pages_told(together(lost))}")


@rule("home")
def home_printing(asked: Asked) -> Iterator[Finding]:
    """Look for what a printer at home does otherwise than a press."""
    facts = asked.facts
    large = [page for page in facts.pages if not _fits(page.size)]
    if large:
        size = millimetres(*max(page.size for page in large))
        told = f"{pages_told(page.number for page in large)}: up to {size}"
        yield Finding("pdf-large-page", f"larger than A4 and Letter, {told}")
    colours = sorted(
        (part.name, pages)
        for colour, pages in facts.colours.items()
        for part in colour.space.parts()
        if part.family in ("cmyk", "spot")
    )
    if colours and asked.standards == {"home"}:
        names = ", ".join(dict.fromkeys(name for name, _ in colours))
        told = pages_told(together(pages for _, pages in colours))
        yield Finding("pdf-press-colours", f"colours of a press ({names}), {told}")


def _fits(size: tuple[float, float]) -> bool:
    short, long = sorted(size)
    return any(short <= s + _SLACK and long <= height + _SLACK for s, height in _SHEETS)


@rule("home")
def home_reading(asked: Asked) -> Iterator[Finding]:
    """Look for what helps people who read the file on a screen, or have it read to them."""
    said = asked.facts.document
    if not said.title and asked.standards == {"home"}:
        yield Finding("pdf-title", "the file has no title")
    if not said.language:
        yield Finding("pdf-language", "the file does not say in which language it is")
    if not said.tagged:
        yield Finding("pdf-untagged", "the file has no tags")


@rule(*ANY)
def active(asked: Asked) -> Iterator[Finding]:
    """Look for what acts in a file, or locks it."""
    code = "pdf-active" if asked.standards == {"home"} else "pdf-x-active"
    facts = asked.facts
    if facts.document.encrypted:
        yield Finding(code, "the file is encrypted")
    for what in facts.document.acts:
        yield Finding(code, f"the file has {what}")
    on: dict[str, list[int]] = defaultdict(list)
    for page in facts.pages:
        for what in page.acts:
            on[what].append(page.number)
    for what, pages in on.items():
        yield Finding(code, f"{what} on {pages_told(pages)}")


@rule(*ANY)
def transparency(asked: Asked) -> Iterator[Finding]:
    """Look for what lets shine through what lies below: PDF/X-1a forbids it."""
    strict = "x-1a" in asked.standards
    if asked.standards == {"x-4"}:
        return
    kinds = ("transparency", "group") if strict else ("transparency",)
    found = {f: pages for f, pages in asked.facts.features.items() if f.kind in kinds}
    if found:
        what = ", ".join(sorted({f.what or "transparency group" for f in found}))
        told = f"{what}, {pages_told(together(found.values()))}"
        yield Finding("pdf-x-transparency" if strict else "pdf-transparency", told)
