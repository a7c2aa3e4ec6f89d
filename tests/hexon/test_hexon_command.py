"""The command for Hexon tiles: what it writes and says, what it refuses, and how free battlefields come onto hexes."""

from __future__ import annotations

import csv
import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from reading import texts
from shapely import LineString, Point, box

from printkit.cli.app import run
from printkit.core.words import find_words
from printkit.hexon.job import TileContext, make_hexon_plan, tile_context
from printkit.hexon.layout.layout import lay_out
from printkit.hexon.layout.stock import read_stock
from printkit.hexon.layout.strips import StripName
from printkit.kit import registry
from printkit.options.printing import TileOptions
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import Orders, build_orders
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Going, Kind
from printkit.terrain.field.grids import Cell, neighbours

pytestmark = pytest.mark.usefixtures("table")

Captured = pytest.CaptureFixture[str]
GOOD = Going(0, "good")
SEEDS = (1, 4, 7)
GRIDDED = ["--rules", "portable-2", "--seed", "5", "--lang", "en"]


@pytest.fixture(scope="module")
def gridded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of the record of a gridded game, played once."""
    folder = tmp_path_factory.mktemp("gridded")
    assert run(["hexon", *GRIDDED, "--to", "json", "--to", "csv", "--out", str(folder), "--quiet"]) == 0
    return str(next(folder.glob("records/*.json")))


@cache
def brantley(seed: int) -> GeneratedGame:
    """Return a game on a board without a grid."""
    system = registry.find("brantley")
    return play(system, Orders(rules="brantley", seed=seed), seed, find_words("en"))


def order(**given: str) -> TileContext:
    """Return how to plan, in English on A4."""
    return tile_context(TileOptions(style="ink-saver", **given), find_words("en"))


def refused(capsys: Captured, arguments: list[str], status: int, *parts: str) -> None:
    """Run a command that has to be refused in one line on stderr, with nothing written."""
    before = sorted(Path().rglob("*"))
    assert run(["hexon", *arguments]) == status
    said, line = capsys.readouterr()
    assert (said, line.count("\n")) == ("", 1)
    assert all(part in line for part in parts), line
    assert sorted(Path().rglob("*")) == before


@pytest.mark.clause("HX-54", "HX-63", "HX-50", "HX-60", "HX-61")
def test_a_gridded_battlefield_becomes_a_layout_and_files_of_other_programs(gridded: str) -> None:
    folder, stem = Path(gridded).parents[1], Path(gridded).stem
    names = {f"{stem}-hexon.json", f"{stem}-hexon.csv", f"{stem}-hexon-parts.csv", "records"}
    assert {path.name for path in folder.iterdir()} == names
    layout = json.loads((folder / f"{stem}-hexon.json").read_text())
    assert sum(len(tile["cells"]) for tile in layout["pieces"] if tile["level"] == 0) == 72
    rows = list(csv.DictReader((folder / f"{stem}-hexon.csv").read_text().splitlines()))
    assert {"row", "col", "q", "s", "level", "piece", "rot"} <= set(rows[0])
    assert json.loads(Path(gridded).read_text())["seed"] == 5
    arguments = ["hexon", "--from", gridded, "--lang", "en", "--to", "tiled", "--to", "text-mapper", "--quiet"]
    assert run([*arguments, "--out", "one"]) == 0
    (tiled,) = Path("one").glob("*.tmj")
    tree = json.loads(tiled.read_text())
    images = [tileset["image"] for tileset in tree["tilesets"]]
    assert images
    assert all((tiled.parent / image).is_file() for image in images)
    assert any(path.suffix == ".txt" for path in Path("one").iterdir())
    assert run([*arguments, "--out", "two"]) == 0
    for path in Path("one").glob("*.*"):
        assert path.read_bytes() == (Path("two") / path.name).read_bytes()


@pytest.mark.clause("HX-54")
def test_a_sampled_battlefield_is_printed_and_says_how_it_was_stretched() -> None:
    arguments = ["hexon", "--seed", "5", "--to", "pdf", "--style", "ink-saver", "--lang", "en", "--quiet"]
    assert run([*arguments, "--out", "mine.pdf"]) == 0
    assert {path.name for path in Path().iterdir()} == {"mine.pdf", "mine-record.json"}
    pages = texts(Path("mine.pdf").read_bytes())
    assert "stretched to 9 x 8 hexes" in " ".join(pages[0].split())
    assert "12" in pages[0]
    assert len(pages) > 1


def test_a_plan_writes_nothing_and_one_file_goes_to_standard_output(capfd: Captured, gridded: str) -> None:
    assert run(["hexon", "--from", gridded, "--to", "json", "--out", "-"]) == 0
    assert json.loads(capfd.readouterr().out)["grid"]["columns"] == 9
    assert run(["hexon", "--from", gridded, "--lang", "en", "--to", "json", "--plan"]) == 0
    said = capfd.readouterr().out
    assert "  output/field-under-hawk-knoll-seed5-hexon.json\n" in said
    assert ": 23 Hexon pieces (12 x six-hex board, 11 x single hex)." in said
    assert "No layout needs fewer pieces." in said
    assert "Hill 2 (hex 0404) has vertical sides" in said
    assert not Path("output").exists()


@pytest.mark.clause("HX-32")
def test_a_stock_is_written_filled_in_and_heeded(capsys: Captured) -> None:
    assert run(["schema", "stock", "--example", "--out", "mine.toml"]) == 0
    assert read_stock("mine.toml").own["boards"] == 21
    Path("mine.toml").write_text('title = "Mine"\n[own]\nboards = 10\nsingles = 5\nC1 = 3\n')
    capsys.readouterr()
    own = ["--hills", "slope", "--stock", "mine.toml", "--to", "csv", "--lang", "en"]
    assert run(["hexon", *GRIDDED, "--set", "relief=mountainous", *own]) == 0
    said = capsys.readouterr().err
    assert "10 x six-hex board" in said
    assert "Hill 4 (hex 0307) has vertical sides: its slopes would need 6 × slope C, one level, and you own 3." in said
    assert "does not list these, so you own none: " in said
    parts = list(csv.DictReader(next(Path("output").glob("*-parts.csv")).read_text().splitlines()))
    assert any(row["missing"] not in ("", "0") for row in parts)
    record = str(next(Path("output").glob("records/*.json")))
    assert run(["hexon", "--from", record, *own, "--hills", "step"]) == 0
    assert "slope C" not in capsys.readouterr().err


@pytest.mark.clause("HX-53")
def test_what_is_wrong_is_said_in_one_line(capsys: Captured, gridded: str) -> None:
    refused(capsys, ["--hills", "up"], 2, "--hills 'up' is not valid; use one of auto, slope, step")
    refused(capsys, ["--repair", "x"], 2, "--repair was removed; hexes where no slope fits are raised")
    refused(capsys, ["--to", "svg"], 2, "svg", "text-mapper, tiled")
    refused(capsys, ["--grain", "wavy"], 2, "flat, pointed")
    refused(capsys, ["--stock", "none.toml"], 2, "To write one: printkit schema stock --example --out tiles.toml")
    refused(capsys, ["--seed", "5", "--hexes", "wide"], 2, "COLUMNSxROWS")
    refused(capsys, ["--seed", "5", "--hexes", "2x2"], 2, "3 to 60")
    refused(capsys, ["--from", gridded, "--hexes", "9x8"], 2, "hex-9x8")
    refused(capsys, ["--stock-template", "mine.toml"], 2, "--stock-template was removed; write printkit schema stock")
    squares = [*GRIDDED, "--set", "grid=sq-8x8"]
    refused(capsys, [*squares, "--overlays", "--to", "tiled"], 2, "remove --overlays and --to tiled", "sq-8x8")


@pytest.mark.clause("HX-52")
def test_the_board_decides_how_many_hexes_there_are_and_each_feature_takes_one() -> None:
    def grid(width: float, depth: float, **given: str) -> tuple[int, int, str]:
        board = Board(width, depth, GroundScale(pace=0.254, base_width=40.0))
        found = make_hexon_plan(Battlefield(board=board), order(**given))[0].grid
        return found.columns, found.rows, found.grain

    assert grid(609.6, 609.6) == (9, 8, "flat-odd-low")
    assert grid(1828.8, 1219.2) == (21, 12, "flat-odd-low")
    assert grid(1828.8, 1219.2, grain="pointed") == (18, 14, "pointy-odd-right")
    assert grid(609.6, 609.6, hexes="12x10") == (12, 10, "flat-odd-low")
    board = Board(808.29, 850.0, GroundScale(pace=0.254, base_width=40.0))
    farm = Area(id="farm", kind=Kind.FARM, outline=box(400, 410, 408, 418), going=GOOD)
    lane = Course(id="lane", kind=Kind.ROAD, line=LineString([(-5, 425), (404, 414)]), width=20.0, going=GOOD)
    plan, _ = make_hexon_plan(Battlefield(board=board, features=(farm, lane)), order())
    (held,) = [plot.cell for plot in plan.plots if "farm" in plot.features]
    nearest = min(plan.grid.cells(), key=lambda cell: Point(404, 414).distance(Point(plan.grid.centre(cell))))
    assert held == nearest
    (strip,) = plan.strips
    assert strip.cells[-1] == nearest
    assert (strip.enters is not None, strip.leaves) == (True, None)


@pytest.mark.clause("HX-51", "HX-52")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_sampled_feature_has_a_hex_and_courses_keep_their_ends(seed: int) -> None:
    field = brantley(seed).record.battlefield
    plan, _ = make_hexon_plan(field, order())
    courses = {feature.id: feature for feature in field.features if isinstance(feature, Course)}
    assert {strip.feature for strip in plan.strips} == set(courses)
    rim = field.ground.boundary
    for strip in plan.strips:
        ends = courses[strip.feature].line.boundary.geoms
        outside = sum(1 for end in ends if not field.ground.contains(end) or rim.distance(end) <= 0.5)
        assert sum(side is not None for side in (strip.enters, strip.leaves)) == outside
    held = {feature for plot in plan.plots for feature in plot.features}
    areas = {feature.id for feature in field.features if not hasattr(feature, "line") and not hasattr(feature, "at")}
    assert held == areas


@pytest.mark.clause("HX-51", "PW1-15")
@pytest.mark.parametrize(("rules", "seed"), [("portable-1", 107), ("portable-1", 42), ("portable-2", 5), ("acw", 3)])
def test_courses_are_one_chain_and_bend_sharply_but_seldom(rules: str, seed: int) -> None:
    """A straight band covers hexes that are no chain; a wide river has both its banks; a drawn line zigzags."""
    orders = build_orders(rules=rules, settings=(), scenario=None, board=None, seed=None, dice=None)
    field = play(registry.find(rules), orders, seed, find_words("en")).record.battlefield
    plan, _ = make_hexon_plan(field, order())
    layout = lay_out(plan, "step")
    for strip in plan.strips:
        assert all(other in neighbours(plan.grid, one) for one, other in pairwise(strip.cells))
        assert all(not set(neighbours(plan.grid, cell)).isdisjoint(strip.cells) for cell in strip.wide)
    assert sum(piece.name is StripName.SHARP for piece in layout.strips) <= len(layout.strips) // 20
    if rules == "portable-2":
        assert [strip.wide for strip in plan.strips] == [(Cell(8, 1), Cell(8, 2)), ()]
