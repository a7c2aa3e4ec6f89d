"""The pictures of the site, all made by the program when the site is built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pypdfium2
from PIL import Image

import printkit
from printkit.kit import registry

WIDE: Final = 1100
PAGE: Final = 700
"""Pixels across a board, and across a printed page."""

COLOURS: Final = 160
SEEDS: Final = {
    "brantley": 14,
    "solo-dba": 5,
    "dba3": 2,
    "collision-course": 8,
    "portable-1": 3,
    "portable-2": 5,
    "acw": 63,
}
"""A field of each rule system that shows what it has."""

STYLES: Final = ("campaign", "ink-saver", "high-contrast")


BOTH: Final = ("board", "plan", "contents", "tiles")
ENGLISH: Final = ("sheet", "player", "levels", "overlays", "card")
"""What the pages of the three jobs show, in both languages and in English alone."""

NAMES: Final = (
    *(f"{rules}-{style}" for rules in registry.NAMES for style in STYLES),
    *(f"{name}{mark}" for name in BOTH for mark in ("", "-es")),
    *ENGLISH,
)
"""All pictures, by their names without ending."""


def drawn(folder: Path) -> None:
    """Write all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in (*boards(), *jobs("en", ""), *jobs("es", "-es")):
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(folder / f"{name}.png", optimize=True)


def boards() -> Iterator[tuple[str, Image.Image]]:
    """Yield a board of each rule system in each style, by names as ``acw-ink-saver``."""
    for rules in registry.NAMES:
        field = printkit.generate(rules, seed=SEEDS[rules])
        for style in STYLES:
            dressing = "full" if style == "campaign" else "light"
            yield f"{rules}-{style}", _board(field, style=style, dressing=dressing)


def jobs(lang: str, mark: str) -> Iterator[tuple[str, Image.Image]]:
    """Yield what the pages of the three jobs show, in a language."""
    field = printkit.generate("brantley", seed=7, lang=lang)
    yield f"board{mark}", _board(field, lang=lang)
    with TemporaryDirectory() as held:
        folder = Path(held)
        (sheets, *_) = field.pdf(folder / "map.pdf", lang=lang)
        yield f"plan{mark}", _page(sheets, 0)
        field.handouts(folder / "night", lang=lang)
        yield f"contents{mark}", _page(folder / "night" / "contents.pdf", 0)
        tiles = printkit.generate("portable-2", seed=5, lang=lang)
        plans, *_ = tiles.hexon(folder / "tiles", lang=lang, overlays=True)
        yield f"tiles{mark}", _page(plans, 0)
        if mark:
            return
        yield "sheet", _page(sheets, 2)
        yield "player", _page(folder / "night" / "player-a" / "player-a.pdf", 0)
        yield "levels", _page(plans, 1)
        (cut,) = (folder / "tiles").glob("*-to-cut.pdf")
        yield "overlays", _page(cut, 0)
        alone = printkit.generate("solo-dba", seed=7)
        alone.handouts(folder / "alone")
        yield "card", _page(folder / "alone" / "you" / "cards-npg.pdf", 0)


def _board(field: printkit.Field, *, lang: str = "en", style: str = "campaign", dressing: str = "light") -> Image.Image:
    with TemporaryDirectory() as folder:
        (path,) = field.png(
            Path(folder) / "board.png", dpi=72, sheet="one", furniture="none", style=style, dressing=dressing, lang=lang
        )
        with Image.open(path) as found:
            return found.resize((WIDE, round(found.height * WIDE / found.width)), Image.Resampling.LANCZOS)


def _page(file: Path, number: int) -> Image.Image:
    document = pypdfium2.PdfDocument(file)
    page = document[number]
    found: Image.Image = page.render(scale=2 * PAGE / page.get_width()).to_pil()
    return found.resize((PAGE, round(found.height * PAGE / found.width)), Image.Resampling.LANCZOS)
