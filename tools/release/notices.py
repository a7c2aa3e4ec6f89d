"""Tells whose work printkit carries: the libraries with which it is installed, their licences, the typefaces.

Without options it writes THIRD-PARTY.md; ``--texts FILE`` writes all licences whole, as the stand-alone program has
them beside it. Both are read off the libraries that are installed.

    python tools/release/notices.py [--texts FILE]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final, NamedTuple

DISTRIBUTION: Final = "wargame-printkit"
PAGE: Final = Path(__file__).resolve().parents[2] / "THIRD-PARTY.md"
FONTS: Final = Path(__file__).resolve().parents[2] / "fonts"
EXTRAS: Final = ("", "studio")
"""What is installed: printkit by itself, and with its studio."""

HEAD: Final = """# Whose work printkit carries

printkit itself is under the MIT licence, its typefaces under the SIL Open Font License, whose texts lie in `fonts/`; EB
Garamond and Old Standard without the glyphs that no letter stands for (`tools/release/typefaces.py`).
It is installed with the libraries below, which its wheel does not hold; the stand-alone program does, with their
licences whole in `THIRD-PARTY.txt`. `python tools/release/notices.py` writes this page; it is never edited by hand.

| library | version | licence |
| --- | --- | --- |
"""

_PROGRAM: Final = """The stand-alone printkit holds the works below, each under its own licence.

Python {python} (PSF-2.0, https://docs.python.org/3/license.html), and what PyInstaller starts a program with
(GPL-2.0, but for programs that it starts, which may have any licence: https://pyinstaller.org/en/stable/license.html).
"""

_NAMES: Final = {
    "BSD-3-Clause": ("bsd 3", "new bsd", "modified bsd", "bsd-3-clause", "3-clause bsd"),
    "MIT": ("mit license", "mit"),
    "Apache-2.0": ("apache software license", "apache-2.0", "apache 2.0", "apache license 2.0"),
}
_LICENCE: Final = re.compile(r"/licenses/|/(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)
_TYPEFACES: Final = {"EBGaramond": "EB Garamond", "Lato": "Lato", "OldStandard": "Old Standard"}


class Library(NamedTuple):
    """A library that printkit is installed with."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]


def needed(name: str, extras: Sequence[str] = ("",), seen: set[str] | None = None) -> Iterator[Distribution]:
    """Yield a distribution and all that it needs on this system, each once."""
    from packaging.requirements import Requirement

    seen = set() if seen is None else seen
    found = distribution(name)
    key = re.sub(r"[-_.]+", "-", found.name.lower())
    if key in seen:
        return
    seen.add(key)
    yield found
    for text in found.requires or ():
        asked = Requirement(text)
        if asked.marker is None or any(asked.marker.evaluate({"extra": extra}) for extra in extras):
            try:
                yield from needed(asked.name, ("", *asked.extras), seen)
            except PackageNotFoundError:
                raise SystemExit(f"{asked.name} is not installed; set up the extra studio first") from None


def libraries() -> tuple[Library, ...]:
    """Return the libraries that printkit is installed with, by name."""
    found = [each for each in needed(DISTRIBUTION, EXTRAS) if each.name != DISTRIBUTION]
    return tuple(sorted(map(library, found), key=lambda each: each.name.lower()))


def library(found: Distribution) -> Library:
    """Return what a distribution says of itself."""
    told = found.metadata
    licence = told.get("License-Expression") or _classified(told.get_all("Classifier") or ())
    licence = licence or (told.get("License") or "").strip().splitlines()[:1] or "see its text"
    if isinstance(licence, list):
        licence = licence[0]
    files = [
        path for path in found.files or () if _LICENCE.search(path.as_posix()) and ".dist-info/" in path.as_posix()
    ]
    texts = tuple(path.read_text(encoding="utf-8", errors="replace") for path in map(_located(found), files))
    return Library(told["Name"], found.version, _short(licence), texts)


def _located(found: Distribution):  # type: ignore[no-untyped-def]
    return lambda path: Path(str(found.locate_file(path)))


def _classified(classifiers: Sequence[str]) -> str:
    named = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License :: OSI Approved :: ")]
    return " or ".join(named)


def _short(licence: str) -> str:
    """Return the usual short name of a licence, where it is one that we know by another name."""
    plain = " ".join(licence.lower().split())
    for name, others in _NAMES.items():
        if plain in others:
            return name
    return licence.replace("|", "/")


def page(found: Sequence[Library]) -> str:
    """Return the page as Markdown."""
    rows = [f"| {each.name} | {each.version} | {each.licence} |\n" for each in found]
    faces = [f"| {name} (typeface) | | OFL-1.1 |\n" for name in _TYPEFACES.values()]
    return HEAD + "".join([*rows, *faces])


def texts(found: Sequence[Library]) -> str:
    """Return the licences of all libraries and typefaces, whole."""
    parts = [_PROGRAM.format(python=sys.version.split()[0])]
    parts += [f"{each.name} {each.version} ({each.licence})\n\n{chr(10).join(each.texts)}" for each in found]
    parts += [f"{path.stem}\n\n{path.read_text(encoding='utf-8')}" for path in sorted(FONTS.glob("OFL-*.txt"))]
    return f"\n\n{'-' * 80}\n\n".join(part.strip() for part in parts) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the page, or the licences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    found = libraries()
    if asked.texts is not None:
        asked.texts.write_text(texts(found), encoding="utf-8", newline="\n")
    else:
        PAGE.write_text(page(found), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
