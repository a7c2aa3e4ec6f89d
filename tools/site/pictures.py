"""Draws the pictures of the site with the program."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pypdfium2
from PIL import Image

import printkit
from printkit.cli.app import run
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
"""Seeds of battlefields that show most features of their rule systems."""

STYLES: Final = ("campaign", "ink-saver", "high-contrast")


BOTH: Final = ("board", "plan", "contents", "tiles", "card")
ENGLISH: Final = ("sheet", "player", "levels", "overlays", "march", "hidden", "fit", "layout", "league")
SPANISH: Final = ("march-es",)
"""Pictures of the guide: those in both languages, those in English only, and those in Spanish only."""

NAMES: Final = (
    *(f"{rules}-{style}" for rules in registry.NAMES for style in STYLES),
    *(f"{name}{mark}" for name in BOTH for mark in ("", "-es")),
    *ENGLISH,
    *SPANISH,
)
"""All pictures, by their names without ending."""


def draw_pictures(folder: Path) -> None:
    """Write all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in (*draw_boards(), *draw_guide("en", ""), *draw_guide("es", "-es"), *draw_commands()):
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(folder / f"{name}.png", optimize=True)


def draw_boards() -> Iterator[tuple[str, Image.Image]]:
    """Yield a board of each rule system in each style, with its name, for example ``acw-ink-saver``."""
    for rules in registry.NAMES:
        field = printkit.generate(rules, seed=SEEDS[rules])
        for style in STYLES:
            dressing = "full" if style == "campaign" else "light"
            yield f"{rules}-{style}", _board(field, style=style, dressing=dressing)


def draw_guide(lang: str, mark: str) -> Iterator[tuple[str, Image.Image]]:
    """Yield the pictures of the guide in a language."""
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
        solo = printkit.generate("solo-dba", seed=7, lang=lang)
        solo.handouts(folder / "solo", lang=lang)
        yield f"card{mark}", _page(folder / "solo" / "you" / "cards-npg.pdf", 0)
        if lang == "es":
            march = printkit.generate("collision-course", seed=8, lang=lang)
            march.handouts(folder / "march", lang=lang)
            yield f"march{mark}", _page(folder / "march" / "player-a" / "player-a.pdf", 0)
            return
        yield "sheet", _page(sheets, 2)
        yield "player", _page(folder / "night" / "player-a" / "player-a.pdf", 0)
        yield "levels", _page(plans, 1)
        (cut,) = (folder / "tiles").glob("*-to-cut.pdf")
        yield "overlays", _page(cut, 0)


def draw_commands() -> Iterator[tuple[str, Image.Image]]:
    """Yield the pictures of the guide that show what its commands print."""
    with TemporaryDirectory() as held, redirect_stdout(io.StringIO()):
        folder = Path(held)
        scenario, game, box, league = (str(folder / name) for name in ("march.toml", "game", "box.toml", "autumn"))
        run(["columns", "new", scenario, "viking", "gallic", "--seed", "8"])
        run(["handouts", "--scenario", scenario, "--only", "player-a", "--out", str(folder / "march"), "--quiet"])
        yield "march", _page(folder / "march" / "player-a" / "player-a.pdf", 0)
        run(["deal", "--open", "--seed", "7", "--out", game, "--quiet"])
        turns = [word for turn in ("A a4 9", "B b4 8", "A a3 7", "B b3 6") for word in ("--place", turn)]
        run(["status", game, *turns, "--out", str(folder / "hidden.pdf"), "--quiet"])
        yield "hidden", _page(folder / "hidden.pdf", 0)
        run(["box", "new", "--out", box, "--quiet"])
        run(["box", "fit", box, "--out", str(folder / "fit.pdf"), "--quiet"])
        yield "fit", _page(folder / "fit.pdf", 0)
        night = str(folder / "night")
        run(
            ["handouts", "--seed", "7", "--box", box, "--table", "build", "--only", "layout", "--out", night, "--quiet"]
        )
        yield "layout", _page(folder / "night" / "layout.pdf", 0)
        run(f"league new {league} --rules dba3 --games 2 --set home=arable --seed 11 --quiet".split())
        run(["league", "result", f"{league}/1", "Ann won 4 to 2", "--players", "Ann, Bob", "--quiet"])
        yield "league", _page(folder / "autumn" / "league.pdf", 0)


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
