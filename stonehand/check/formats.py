"""Findings for other programs: as JSON, and as SARIF for editors and code hosts.

SARIF is version 2.1.0 (OASIS, 2020): https://docs.oasis-open.org/sarif/sarif/v2.1.0/
"""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from stonehand import __version__
from stonehand.source.codes import CODES
from stonehand.source.problems import Problem
from stonehand.source.silence import Silence

HOME = "https://github.com/stonehand/stonehand"
FAULT = "fault"  # the rule of problems without a code: what can't be read or made

Told = Iterable[tuple[Problem, Silence | None]]
"""Problems, each with what silences it."""


def as_json(problems: Told) -> str:
    """Return findings as JSON: a list, and how many there are of each severity."""
    findings = []
    counts = {"error": 0, "warning": 0, "note": 0, "silenced": 0}
    for problem, silence in problems:
        file, line, column, sheet = problem.location
        counts["silenced" if silence else problem.severity] += 1
        findings.append(
            {
                "file": file,
                "line": line or None,
                "column": column or None,
                **({"sheet": sheet} if sheet else {}),
                "severity": problem.severity,
                "code": problem.code or None,
                "message": problem.message,
                "hint": problem.hint or None,
                "silenced": silence.reason if silence else None,
            }
        )
    data = {"stonehand": __version__, "findings": findings, "counts": counts}
    return json.dumps(data, ensure_ascii=False, indent=1)


def as_sarif(problems: Told) -> str:
    """Return findings as a SARIF log of one run; silenced ones are in it, as suppressed."""
    told = list(problems)
    used = sorted({problem.code for problem, _ in told} & CODES.keys())
    index = {code: i for i, code in enumerate([*used, FAULT])}
    driver = {
        "name": "Stonehand",
        "version": __version__,
        "informationUri": HOME,
        "rules": [*map(_rule, used), _FAULT_RULE],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(problem, silence, index) for problem, silence in told],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1)


def _rule(name: str) -> dict[str, Any]:
    code = CODES[name]
    return {
        "id": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.cause},
        "help": {"text": f"{code.cause} {code.cure}"},
        "helpUri": f"{HOME}/blob/main/docs/checks.md#{name}",
        "defaultConfiguration": {"level": code.severity},
    }


_FAULTY = "Something can't be read or made as it is."
_FAULT_RULE = {
    "id": FAULT,
    "shortDescription": {"text": _FAULTY},
    "fullDescription": {"text": f"{_FAULTY} Until it is mended, nothing is written."},
    "help": {"text": "The message says what is wrong, and what to do."},
    "helpUri": f"{HOME}/blob/main/docs/how-to/errors.md",
    "defaultConfiguration": {"level": "error"},
}


def _uri(file: str) -> str:
    """Return the name of a file as a URI reference (RFC 3986): relative, or with its scheme."""
    quoted = re.sub(
        r"[^\w/.~-]", lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), file, flags=re.ASCII
    )
    return f"file://{quoted}" if file.startswith("/") else quoted


def _result(problem: Problem, silence: Silence | None, index: dict[str, int]) -> dict[str, Any]:
    file, line, column, sheet = problem.location
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if line:
        place["region"] = {"startLine": line, **({"startColumn": column} if column else {})}
    named: dict[str, Any] = {}
    if sheet:
        name = f"{sheet}!{problem.location.cell}" if line else sheet
        named = {"logicalLocations": [{"fullyQualifiedName": name, "kind": "element"}]}
    hint = f" ({problem.hint})" if problem.hint else ""
    code = problem.code if problem.code in CODES else FAULT
    # the same finding in another line is the same finding
    same = hashlib.sha256("\0".join((file, code, problem.message)).encode()).hexdigest()
    result: dict[str, Any] = {
        "ruleId": code,
        "ruleIndex": index[code],
        "level": problem.severity,
        "message": {"text": f"{problem.message}{hint}"},
        "locations": [{"physicalLocation": place, **named}],
        "partialFingerprints": {"stonehand/v1": same},
    }
    if silence:
        result["suppressions"] = [{"kind": "inSource", "justification": silence.reason}]
    return result
