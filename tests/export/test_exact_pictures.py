"""Pictures to measure on: the middle of every cell lies where the grid of the file says, to the pixel."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from printkit.cli.app import run
from printkit.core.words import find as language
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Path, PathRun
from printkit.export import png
from printkit.kit.registry import find
from printkit.recipes.game.games import play
from printkit.recipes.game.request import ordered
from printkit.recipes.prints import exact_picture
from printkit.recipes.prints.exact_picture import picture_document, picture_scale
from printkit.recipes.prints.maps import MapRequest, map_sheet
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.grids import GRAINS, Grid, grid_of
from printkit.terrain.field.record import Record

ENGLISH = language("en")
RED = Ink(255, 0, 0)
HALF = 3.0


def square(x: float, y: float) -> Path:
    """Return a red square about a point of the board."""
    corners = ((x - HALF, y - HALF), (x + HALF, y - HALF), (x + HALF, y + HALF), (x - HALF, y + HALF))
    return Path((PathRun(tuple(round(100 * value) for corner in corners for value in corner), True),), fill=RED)


def seen(picture: NDArray[np.uint8], x: float, y: float, reach: float) -> tuple[float, float]:
    """Return the middle of what is red near a pixel."""
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    near = picture[top : int(y + reach) + 1, left : int(x + reach) + 1]
    rows, columns = np.nonzero((near[..., 0] > 200) & (near[..., 1] < 120))
    return left + float(columns.mean()) + 0.5, top + float(rows.mean()) + 0.5


@pytest.mark.parametrize("pixels", [37, 70])
@pytest.mark.parametrize("grain", [*GRAINS, "square", "free"])
def test_the_middles_of_fifty_cells_lie_where_the_grid_says(
    monkeypatch: pytest.MonkeyPatch, grain: str, pixels: int
) -> None:
    orders = ordered(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
    record = play(find("portable-2"), orders, 5, ENGLISH).record
    name, cell = ("sq-8x8", 76.2) if grain == "square" else ("hex-9x8", 100.0)
    grid: Grid = grid_of(name, cell=cell, grain=grain if grain in GRAINS else GRAINS[0])
    record = _on(record, grid, free=grain == "free")
    places = [grid.centre(each) for each in grid.cells()][:50]
    board = Drawing(grid.width, grid.depth, (Layer(LayerName.OVERLAY, tuple(square(*place) for place in places)),))
    monkeypatch.setattr(exact_picture, "board_picture", lambda *_: board)
    order = map_sheet(MapRequest(), ENGLISH)
    made = picture_document(record, find("portable-2"), order, pixels)
    scale = picture_scale(record.battlefield, pixels)
    (picture,) = png.pictures(made, made.dpi)
    assert picture.size == scale.size
    for place in places:
        x, y = scale.at(*place)
        assert seen(np.asarray(picture), x, y, 0.4 * pixels) == pytest.approx((x, y), abs=1.0)


def _on(record: Record, grid: Grid, *, free: bool) -> Record:
    """Return a record whose board is that of a grid, which is not drawn where it is free."""
    board = Board(grid.width, grid.depth, record.battlefield.board.scale)
    return replace(record, battlefield=replace(record.battlefield, board=board, grid=None if free else grid))


def test_the_command_makes_the_board_alone_and_says_how_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    game = ["map", "--rules", "brantley", "--seed", "7", "--lang", "en", "--dressing", "none"]
    assert run([*game, "--to", "png", "--pixels-per-cell", "20", "--out", "board.png"]) == 0
    assert "480 x 480 pixels, 20 to an inch of the board" in capsys.readouterr().err
    with Image.open("board.png") as picture:
        assert picture.size == (480, 480)
    assert run([*game, "--to", "pdf", "--pixels-per-cell", "20"]) == 2
    assert "goes with --to png" in capsys.readouterr().err
    assert run([*game, "--scale", "fit", "--to", "png", "--dpi", "30", "--out", "sheet.png"]) == 0
    with Image.open("sheet.png") as picture:
        assert sorted(picture.size) == [248, 351]
