"""The press check: whether a PDF is fit for what it is to be used for.

A path and what is asked come in; its facts go out, and what is found in them into `Problems`. A
file that says it is PDF/X is held to that, too.
"""

from pathlib import Path

from stonehand.inspection import pdfx  # noqa: F401 -- files its rules
from stonehand.inspection.facts import PdfFacts, read_facts
from stonehand.inspection.home import RULES, Asked, Standard
from stonehand.source.problems import Location, Problems

_CLAIMS: dict[str, Standard] = {"PDF/X-1a": "x-1a", "PDF/X-4": "x-4"}


def inspect(path: Path, standard: Standard, ink: float, problems: Problems) -> PdfFacts:
    """Return the facts of a PDF and add what is found to problems.

    `ink` is the most that a place of a page may take, in percent. A file that can't be read is a
    fault.
    """
    facts = read_facts(path)
    at = Location(facts.file)
    standards = {standard}
    for claim in facts.document.claims:
        claimed = next((s for name, s in _CLAIMS.items() if claim.startswith(name)), None)
        if claimed:
            standards.add(claimed)
        else:
            problems.finding("pdf-claim", at, f"the file says it is {claim}, which is not checked")
    asked = Asked(facts, frozenset(standards), ink)
    for belongs, rule in RULES:
        if belongs & asked.standards:
            for finding in rule(asked):
                problems.finding(finding.code, at, finding.message, finding.hint)
    return facts
