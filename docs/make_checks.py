"""Write docs/checks.md from the table of codes: `python docs/make_checks.py`.

tests/test_docs.py fails where the page is older than the table.
"""

from collections.abc import Iterator
from pathlib import Path

from stonehand.source.codes import SECTIONS

PAGE = Path(__file__).with_name("checks.md")
HEAD = """\
# Checks

*This page is made from the code by `docs/make_checks.py`.*

Every finding of `stonehand check`, `build` and the other commands has a code, which stands in
brackets at the end of its line. This page has all of them, with cause and cure;
[check a game](how-to/check.md) tells how to run the checks, silence a finding, and set limits.

An *error* stops the work: nothing is written. A *warning* does not, unless with `--strict`. A
*note* tells a decision, or what matters to some only. A problem without a code is something that
can't be read or made as it is asked; its line says what to do.
"""


def render() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_table(), *_entries()])


def _table() -> Iterator[str]:
    for section, codes in SECTIONS.items():
        links = ", ".join(f"[`{code.name}`](#{code.name})" for code in codes)
        yield f"- **{section}:** {links}"
    yield ""


def _entries() -> Iterator[str]:
    for section, codes in SECTIONS.items():
        yield f"## {section}\n"
        for code in codes:
            yield f"### {code.name}\n"
            yield f"*{code.severity.capitalize()}.* **{code.title}.** {code.cause}\n"
            yield f"{code.cure}\n"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
