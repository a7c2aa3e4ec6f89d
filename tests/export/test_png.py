"""PNG: exact numbers of dots, the same bytes, a limit, and cells that lie where the grid of the file says."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from red_squares import fifty, grid_with, on_grid, seen
from sample_board import board, rectangle

from printkit.cli.app import run
from printkit.core.errors import PageError
from printkit.core.words import find_words as language
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Path
from printkit.export import png
from printkit.kit.registry import find
from printkit.options.printing import MapOptions
from printkit.page.sheet import Document, Sheet, document_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import build_orders
from printkit.recipes.prints import exact_picture
from printkit.recipes.prints.exact_picture import picture_document, picture_scale
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.grids import GRAINS

CORNERS = Drawing(
    100.0,
    50.0,
    (Layer(LayerName.PAPER, (Path((rectangle(0, 0, 10, 10), rectangle(90, 40, 10, 10)), fill=Ink(0, 0, 0)),)),),
)


@pytest.mark.parametrize(("dpi", "size"), [(254.0, (1000, 500)), (150.0, (591, 295)), (72.0, (283, 142))])
def test_a_page_has_exactly_its_dots(tmp_path, dpi, size):
    (path,) = png.write(document_of(CORNERS), tmp_path / "map.png", dpi=dpi)
    with Image.open(path) as picture:
        assert picture.size == size
        assert picture.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)


def test_dots_lie_where_the_drawing_says(tmp_path):
    (path,) = png.write(document_of(CORNERS), tmp_path / "map.png", dpi=254)
    with Image.open(path) as picture:
        assert picture.convert("L").crop((0, 400, 100, 500)).getextrema() == (0, 0)
        assert picture.convert("L").crop((900, 0, 1000, 100)).getextrema() == (0, 0)
        assert picture.convert("L").crop((102, 102, 898, 398)).getextrema() == (255, 255)


def test_pages_are_numbered_files_of_the_same_bytes(tmp_path):
    one, two = (png.write(document_of(board()), tmp_path / name, dpi=40)[0] for name in ("a.png", "b.png"))
    assert one.read_bytes() == two.read_bytes()
    page = document_of(CORNERS).pages[0]
    paths = png.write(Document(title="", pages=(page,) * 10), tmp_path / "map.png", dpi=20)
    assert [path.name for path in paths] == [f"map-{number:02d}.png" for number in range(1, 11)]


def test_a_bitmap_that_is_too_large_or_of_nothing_is_refused():
    with pytest.raises(PageError, match="mm can have at most 589 dots per inch"):
        png.size_in_dots(Sheet("one", 609.6, 609.6, 0.0), 600)
    assert png.size_in_dots(Sheet("one", 609.6, 609.6, 0.0), 589) == (14136, 14136)
    for dpi in (0.0, -1.0):
        with pytest.raises(PageError, match="dots per inch is not a resolution; use more than 0, for example"):
            png.size_in_dots(Sheet("a4", 210, 297, 10), dpi)


ENGLISH = language("en")


@pytest.mark.parametrize("pixels", [37, 70])
@pytest.mark.parametrize("grain", [*GRAINS, "square", "free"])
def test_the_middles_of_fifty_cells_lie_where_the_grid_says(
    monkeypatch: pytest.MonkeyPatch, grain: str, pixels: int
) -> None:
    orders = build_orders(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
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
    assert "480 x 480 pixels, 20 per inch of the board" in capsys.readouterr().err
    with Image.open("board.png") as picture:
        assert picture.size == (480, 480)
    assert run([*game, "--to", "pdf", "--dpi", "20/cell"]) == 2
    assert "use it with --to png, uvtt, tts" in capsys.readouterr().err
    assert run([*game, "--scale", "fit", "--to", "png", "--dpi", "30", "--out", "sheet.png"]) == 0
    with Image.open("sheet.png") as picture:
        assert sorted(picture.size) == [248, 351]
