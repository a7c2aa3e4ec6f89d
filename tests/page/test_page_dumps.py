"""What pages carry beside maps and cards stays as it was, line by line: test sheets, marks of cards and of tiles."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from card_samples import POKER, samples
from msgspec.structs import replace

from printkit.core.words import find as find_words
from printkit.drawing.canvas.items import Drawing, Layer, LayerName, Rect
from printkit.page.calibration import TestSheet as Sought
from printkit.page.calibration import calibration, upright
from printkit.page.imposition import CutPlan, impose
from printkit.page.marks import Imprint
from printkit.page.ruling import BLACK, filled
from printkit.page.sheet import Flip, Page, find
from printkit.page.tiling import tile

Golden = Callable[[Drawing, str], None]
ENGLISH = find_words("en")


def whole(page: Page) -> Drawing:
    """Return all layers of a page's drawings, as if none were moved."""
    layers = tuple(layer for put in page.placements for layer in put.drawing.layers)
    return Drawing(page.sheet.width, page.sheet.height, layers)


@pytest.mark.parametrize("flip", list(Flip))
def test_a_test_sheet(flip: Flip, golden: Golden) -> None:
    command = ("printkit calibrate --printer NAME", '--margins "C D E F mm"')
    made = calibration(Sought(sheet=upright(find("a4")), flip=flip, command=command), ENGLISH)
    for number, page in enumerate(made, 1):
        golden(whole(page), f"calibration-{flip}-{number}")


@pytest.mark.parametrize(("name", "more"), [("cut", {}), ("folded", {"fold": True}), ("apart", {"gutter": 4.0})])
def test_marks_about_cards(name: str, more: dict[str, object], golden: Golden) -> None:
    cutting = replace(CutPlan(size=POKER), **more)
    made = impose(samples(9, POKER), find("a4"), cutting, imprint=Imprint(title="Oaks"), words=ENGLISH)
    golden(whole(made.pages[0]), f"imposed-{name}")


@pytest.mark.parametrize("margin", [5.0, 12.0])
def test_marks_of_tiles(margin: float, golden: Golden) -> None:
    ground = Layer(LayerName.PAPER, (filled([Rect(0.0, 0.0, 300.0, 400.0)], BLACK),))
    paper = find("a4", margin=margin)
    made = tile(Drawing(300.0, 400.0, (ground,)), paper, imprint=Imprint(title="Oaks", seed="7"), words=ENGLISH)
    for page in made.pages[:2]:
        golden(whole(page), f"tile-{margin:g}-{page.label}")
