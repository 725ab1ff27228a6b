"""What an import did, told."""

from collections import Counter

import msgspec

UNPLACED = "Text without a place"
MISSING = "Rules without a counterpart"
LACKING = "Texts of other rules without a counterpart"
LEFT_OUT = "Left out"
KEPT = "Kept, though the text says otherwise (--overwrite takes the text)"
FUZZY = "Fuzzy"


class Outcome(msgspec.Struct):
    """What an import did: by state how many messages, and the lines of its report by section."""

    counts: Counter[str] = msgspec.field(default_factory=Counter)
    told: dict[str, list[str]] = {}

    def tell(self, section: str, line: str) -> None:
        """Add a line to a section of the report."""
        self.told.setdefault(section, []).append(line)

    def report(self, head: str) -> str:
        """Return the report as text."""
        lines = [head]
        for section, told in self.told.items():
            lines += ["", f"{section} ({len(told)})", *(f"  {line}" for line in told)]
        return "\n".join(lines) + "\n"
