"""Pictures to measure on: the middle of every cell lies where the grid of the file says, to the pixel."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from red_squares import fifty, grid_with, on_grid, seen

from printkit.cli.app import run
from printkit.core.words import find as language
from printkit.export import png
from printkit.kit.registry import find
from printkit.options.printing import MapOptions
from printkit.recipes.game.games import play
from printkit.recipes.game.request import ordered
from printkit.recipes.prints import exact_picture
from printkit.recipes.prints.exact_picture import picture_document, picture_scale
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.grids import GRAINS

ENGLISH = language("en")


@pytest.mark.parametrize("pixels", [37, 70])
@pytest.mark.parametrize("grain", [*GRAINS, "square", "free"])
def test_the_middles_of_fifty_cells_lie_where_the_grid_says(
    monkeypatch: pytest.MonkeyPatch, grain: str, pixels: int
) -> None:
    orders = ordered(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
    record = play(find("portable-2"), orders, 5, ENGLISH).record
    grid = grid_with(grain)
    record = on_grid(record, grid, free=grain == "free")
    places, board = fifty(grid)
    monkeypatch.setattr(exact_picture, "board_picture", lambda *_: board)
    order = map_context(MapOptions(), ENGLISH)
    made = picture_document(record, find("portable-2"), order, pixels)
    scale = picture_scale(record.battlefield, pixels)
    (picture,) = png.pictures(made, made.dpi)
    assert picture.size == scale.size
    for place in places:
        x, y = scale.at(*place)
        assert seen(np.asarray(picture), x, y, 0.4 * pixels) == pytest.approx((x, y), abs=1.0)


@pytest.mark.usefixtures("table")
def test_the_command_makes_the_board_alone_and_says_how_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    game = ["map", "--rules", "brantley", "--seed", "7", "--lang", "en", "--dressing", "none"]
    assert run([*game, "--to", "png", "--dpi", "20/cell", "--out", "board.png"]) == 0
    assert "480 x 480 pixels, 20 to an inch of the board" in capsys.readouterr().err
    with Image.open("board.png") as picture:
        assert picture.size == (480, 480)
    assert run([*game, "--to", "pdf", "--dpi", "20/cell"]) == 2
    assert "goes with --to png, uvtt, tts" in capsys.readouterr().err
    assert run([*game, "--scale", "fit", "--to", "png", "--dpi", "30", "--out", "sheet.png"]) == 0
    with Image.open("sheet.png") as picture:
        assert sorted(picture.size) == [248, 351]
