"""The oldest libraries that printkit says it works with: lines for ``pip install -c``, read from pyproject.toml.

What printkit itself needs stands at its lower bound, all else as constraints.txt pins it, so that what is set up
today is what is set up in a year. ``tools/smoke.py`` says whether printkit works with it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]

_NEEDED: Final = re.compile(r"(?P<name>[\w.-]+)(?P<rest>[^;]*)")
_LOWER: Final = re.compile(r">=\s*(?P<version>[\w.]+)")


def bounds(project: str) -> dict[str, str]:
    """Return the lower bound of each library that printkit needs, by its name.

    Args:
        project: the text of pyproject.toml.

    Raises:
        ValueError: a library has no lower bound, or not one of the kind ``>=1.2``.
    """
    found = {}
    for needed in tomllib.loads(project)["project"]["dependencies"]:
        match = _NEEDED.match(needed)
        lower = match and _LOWER.findall(match["rest"])
        if not match or not lower or len(lower) > 1:
            raise ValueError(f"{needed!r} does not say which version is the lowest: {needed}>=1.2")
        found[match["name"]] = lower[0]
    return found


def constraints(project: str, pinned: str) -> list[str]:
    """Return the lines of a constraints file: lower bounds, and the pins of all that has none.

    Args:
        project: the text of pyproject.toml.
        pinned: the text of constraints.txt.
    """
    lowest = bounds(project)
    pins = [line for line in pinned.splitlines() if "==" in line and line.split("==")[0] not in lowest]
    return [*(f"{name}=={version}" for name, version in lowest.items()), *pins]


def main() -> int:
    """Print the lines."""
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "constraints.txt"))
    print("\n".join(constraints(*texts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
