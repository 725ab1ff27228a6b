"""Printers: calibration sheets written, and what was read from them kept in a person's settings."""

import re
from pathlib import Path

import msgspec

from stonehand.language.languages import find_language
from stonehand.output.files import Staged, forget
from stonehand.press import Press
from stonehand.project import Project
from stonehand.sheets import calibration
from stonehand.sheets.forme import Flip
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.sheets.printer import (
    LARGEST_SHIFT,
    Printer,
    landing_of,
    load_printer,
    parse_readings,
    profile_file,
    told,
    written,
)
from stonehand.source.bind import bind
from stonehand.source.files import shown
from stonehand.source.problems import Problems, fault
from stonehand.source.text import Fields, Text
from stonehand.typesetting.lettering import Lettering

CONTRADICTION = 0.4  # mm; readings that differ by more from any one way of landing are doubted


def build_calibration(
    project: Project,
    folder: Path,
    name: Text,
    problems: Problems,
    staged: Staged,
    target: Path,
    *,
    paper: Text | None,
    flip: Flip | None,
    language: Text,
) -> str:
    """Write the calibration sheet of a printer; return what was made, as a line.

    Its profile is begun if there is none, and remembers paper and flip.
    """
    from stonehand.output.pdf import PdfWriter

    press = Press(project, problems)
    path = profile_file(folder, name)
    printer = load_printer(folder, name, problems) if path.is_file() else Printer()
    if paper and printer.paper and paper != printer.paper:
        hint = "give it another name with another paper"
        raise fault(paper.at, f"printer '{name}' is for paper '{printer.paper}'", hint)
    printer = msgspec.structs.replace(
        printer,
        paper=printer.paper or paper or Text("a4", name.at),
        flip=flip or printer.flip or "long",
    )
    assert printer.paper
    assert printer.flip
    size = _upright(project, printer.paper, problems)
    found = find_language(language, press.languages)
    lettering = Lettering(press.fonts, found, press.languages, problems)
    pages = calibration.calibration(size, lettering, printer.flip, name, printer)
    writer = PdfWriter(f"{name}: calibration", found.code, press.art, printer.flip)
    for page in pages:
        writer.add_page(page)
    if not problems.errors:
        staged.write(target, writer.data())
        staged.write(path, written(printer).encode())
    state = f"adjusted by {told(printer)}" if printer.adjusts else "not adjusted yet"
    return f"{shown(target)}: calibration sheet of '{name}', {state}"


def set_printer(
    project: Project,
    folder: Path,
    name: Text,
    problems: Problems,
    staged: Staged,
    *,
    readings: tuple[Text, ...],
    rules: Text | None,
    fields: Fields,
    fresh: bool,
) -> str:
    """Write the profile of a printer, changed by what was read and told; return it in words."""
    path = profile_file(folder, name)
    printer = Printer()
    if path.is_file() and not fresh:
        printer = load_printer(folder, name, problems)
    told_of = bind(fields, Printer, problems)
    problems.raise_errors()
    changes = {str(field): getattr(told_of, str(field)) for field in fields}
    printer = msgspec.structs.replace(printer, **changes)
    if len(printer.margins) not in (0, 4):
        raise fault(name.at, "margins are four lengths", "top, right, bottom and left")
    if printer.paper is None:
        printer = msgspec.structs.replace(printer, paper=Text("a4", name.at))
    assert printer.paper
    size = _upright(project, printer.paper, problems)
    if rules is not None:
        printer = _sized(printer, rules, size)
    if readings:
        printer = _shifted(printer, readings, size, problems)
    staged.write(path, written(printer).encode())
    return f"{name}: {told(printer)}"


def remove_printer(folder: Path, name: Text, problems: Problems) -> None:
    """Remove the profile of a printer; one that does not exist is a fault."""
    load_printer(folder, name, problems)
    forget(profile_file(folder, name))


def _upright(project: Project, paper: Text, problems: Problems) -> tuple[float, float]:
    """Return a paper's size in mm, upright; one too small for the sheet is a fault."""
    papers = load_papers(project.files("layouts/papers.yaml"), problems)
    width, height = sorted(find_paper(paper, papers))
    if width < calibration.SMALLEST[0] or height < calibration.SMALLEST[1]:
        smallest = " x ".join(f"{mm:g}" for mm in calibration.SMALLEST)
        message = f"paper '{paper}' is too small for the calibration sheet"
        raise fault(paper.at, message, f"at least {smallest} mm")
    return width, height


def _sized(printer: Printer, rules: Text, paper: tuple[float, float]) -> Printer:
    """Return a profile with the true size of what is printed, from the rules as measured."""
    match = re.fullmatch(r"(\d+(?:[.,]\d+)?)\s*[x×]\s*(\d+(?:[.,]\d+)?)", rules)
    if match is None:
        raise fault(rules.at, f"'{rules}' are not two lengths", "write 169.5x256.2")
    measured = [float(text.replace(",", ".")) for text in match.groups()]
    # the sheet was adjusted by the size known so far
    before = (printer.size_x, printer.size_y)
    percent = [
        was * length / true
        for was, length, true in zip(before, measured, calibration.rules(*paper), strict=True)
    ]
    if not all(90 <= value <= 110 for value in percent):
        true = " x ".join(f"{mm:g}" for mm in calibration.rules(*paper))
        raise fault(rules.at, f"{rules} mm is far from {true} mm", "the rule across, then down")
    size_x, size_y = (round(value, 3) for value in percent)
    return msgspec.structs.replace(printer, size_x=size_x, size_y=size_y)


def _shifted(
    printer: Printer, readings: tuple[Text, ...], paper: tuple[float, float], problems: Problems
) -> Printer:
    """Return a profile with what was read added to where backs were known to land."""
    at = readings[0].at
    read = parse_readings(readings)
    landing, rest = landing_of(read, calibration.scales(*paper), paper)
    if rest > CONTRADICTION:
        message = f"the readings differ by {rest:.1f} mm from any one way of printing"
        problems.finding("printer-readings", at, message, "read the sheet again")
    # it came out so after the correction: what the printer does is both, one after the other
    made = printer.moved(landing.after(printer.landing))
    if max(abs(made.x.mm), abs(made.y.mm)) > LARGEST_SHIFT or abs(made.angle) > 3:
        raise fault(at, f"no printer is so far off: {told(made)}", "read the sheet again")
    return made
