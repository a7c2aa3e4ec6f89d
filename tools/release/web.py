"""Puts the page without installation together: web/ with our wheel and those that Pyodide lacks, into dist/web/.

The folder is static and is served as it is: ``python -m http.server --directory dist/web``. Python itself, numpy,
shapely, msgspec, Pillow and contourpy come from Pyodide, by default from its own address; ``--pyodide`` names another
one, as a folder of your own server, to which the page then keeps.

    python tools/release/web.py [--pyodide ADDRESS] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "web"

PYODIDE: Final = "https://cdn.jsdelivr.net/pyodide/v0.29.0/full/"
"""Where Pyodide lies, if nobody names another place: the one setting of the page."""

PURE: Final = ("reportlab", "charset-normalizer", "pyphen")
"""What printkit loads between a field and its sheets and Pyodide does not have; all of it is Python alone."""

_PLACE: Final = "{{pyodide}}"


def written(out: Path, pyodide: str) -> list[Path]:
    """Write the page with its one setting, and return its files."""
    out.mkdir(parents=True, exist_ok=True)
    found = []
    for path in sorted(PAGE.iterdir()):
        text = path.read_text(encoding="utf-8").replace(_PLACE, pyodide)
        (out / path.name).write_text(text, encoding="utf-8", newline="\n")
        found.append(out / path.name)
    return found


def wheels(out: Path) -> list[str]:
    """Put our wheel and the others into a folder, and return their names in the order in which they are set up."""
    python = [sys.executable, "-m"]
    subprocess.run(
        [*python, "build", "--wheel", "--outdir", str(out), str(ROOT)], check=True, stdout=subprocess.DEVNULL
    )
    pure = ["--no-deps", "--only-binary=:all:", "--platform", "any", "--dest", str(out)]
    quiet = ["--quiet", "--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([*python, "pip", "download", *quiet, *pure, *PURE], check=True)
    names = sorted(path.name for path in out.glob("*.whl"))
    return sorted(names, key=lambda name: name.startswith("wargame_printkit"))


def main(arguments: Sequence[str]) -> int:
    """Build the folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pyodide", default=PYODIDE, metavar="ADDRESS", help="where Pyodide lies, ending in /")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "web", metavar="FOLDER")
    asked = parser.parse_args(arguments)
    if not asked.pyodide.endswith("/"):
        parser.error("the address of Pyodide ends in /")
    shutil.rmtree(asked.out, ignore_errors=True)
    written(asked.out, asked.pyodide)
    names = wheels(asked.out)
    (asked.out / "wheels.json").write_text(json.dumps(names, indent=2) + "\n", encoding="utf-8", newline="\n")
    total = sum(path.stat().st_size for path in asked.out.iterdir()) / 1e6
    print(f"{asked.out}: {len(names)} wheels, {total:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
