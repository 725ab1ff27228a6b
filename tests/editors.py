"""YAML files as editors read them, to hold them against the schemas."""

from pathlib import Path
from typing import Any

import yaml


class Core(yaml.SafeLoader):
    """The core schema of YAML 1.2, as most editors have it: `yes` is a text."""


Core.yaml_implicit_resolvers = {
    first: [
        (tag, pattern) for tag, pattern in found if not tag.endswith(":bool") or first in "tTfF"
    ]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def as_editors_read(path: Path) -> list[Any]:
    """Return what is in a file by YAML 1.1 and by 1.2: `001` a number, keys texts."""

    def keyed(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): keyed(inner) for key, inner in value.items()}
        return [keyed(inner) for inner in value] if isinstance(value, list) else value

    text = path.read_text(encoding="utf-8")
    return [keyed(yaml.load(text, Loader=loader)) for loader in (yaml.SafeLoader, Core)]
