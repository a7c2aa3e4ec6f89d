"""Square tiles: courses in the middles of sides, equal tiles, a plan that builds the battlefield, sets, and pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from reading import texts
from shapely import LineString, Point, box

from printkit.cli.app import run
from printkit.core.words import find_words
from printkit.hexon.square_sets import choose_seeds, make_set, tile_needs
from printkit.hexon.square_tiles import SquareLayout, TileShape, lay_out_squares
from printkit.kit import registry
from printkit.recipes.game.games import play
from printkit.recipes.game.request import build_orders
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.gridded.gridplan import GridPlan, build_plan

pytestmark = [pytest.mark.usefixtures("table"), pytest.mark.clause("HX-53")]

SIZE = 50.0
SQUARES = ["--rules", "portable-1", "--set", "grid=sq-8x8", "--cell", "50mm", "--lang", "en"]
# Seed 1 has a road beside a river, seed 3 a ford, and seed 4 a river that fills its squares.
SEEDS = (1, 3, 4)


@cache
def laid(seed: int, rules: str = "portable-1") -> tuple[GridPlan, SquareLayout]:
    """Return the plan and the tiles of a battlefield on 8 x 8 squares of 50 mm."""
    orders = build_orders(
        rules=rules, settings=("grid=sq-8x8",), scenario=None, board=None, cell="50mm", seed=None, dice=None
    )
    field = play(registry.find(rules), orders, seed, find_words("en")).record.battlefield
    plan = build_plan(field)
    return plan, lay_out_squares(field, plan)


@pytest.mark.parametrize("seed", SEEDS)
def test_courses_meet_the_sides_in_the_middle(seed: int) -> None:
    edge = box(0, 0, SIZE, SIZE).exterior
    middles = [(SIZE / 2, SIZE), (SIZE, SIZE / 2), (SIZE / 2, 0), (0, SIZE / 2)]
    for tile in laid(seed)[1].tiles.values():
        for kind, sides in tile.shape.courses:
            lines = [each for each in tile.field.features if isinstance(each, Course) and each.kind == kind]
            ends = [point for course in lines for point in crossings(course.line, edge)]
            assert len(ends) == len(sides or (0, 2))
            for side in sides:
                assert min(Point(middles[side]).distance(end) for end in ends) < 0.5


def crossings(line: LineString, edge: LineString) -> list[Point]:
    """Return the points where a line crosses the edge of a tile."""
    meets = line.intersection(edge)
    return [meets] if isinstance(meets, Point) else list(meets.geoms)


def test_a_road_from_edge_to_edge_has_no_end_on_the_board() -> None:
    for seed in range(1, 13):
        for tile in laid(seed)[1].tiles.values():
            assert all(len(sides) == 2 for kind, sides in tile.shape.courses if kind is Kind.ROAD)


@pytest.mark.parametrize("seed", SEEDS)
def test_courses_of_two_kinds_share_no_side(seed: int) -> None:
    for tile in laid(seed)[1].tiles.values():
        used = [side for _, sides in tile.shape.courses for side in sides]
        assert len(used) == len(set(used))
        crossed = {each.kind for each in tile.field.features if isinstance(each, Crossing)}
        assert crossed == set(tile.shape.crossings)


def test_turned_tiles_are_equal_and_mirrored_ones_are_not() -> None:
    road, river = (Kind.ROAD, (0, 3)), (Kind.RIVER, (2,))
    tile = TileShape(kinds=(Kind.WOODLAND,), courses=(river, road))
    assert len({tile.rotate(turns) for turns in range(4)}) == 4
    assert {tile.rotate(turns).pattern for turns in range(4)} == {tile.pattern}
    assert tile.rotate(1).courses == ((Kind.RIVER, (3,)), (Kind.ROAD, (0, 1)))
    mirrored = TileShape(kinds=tile.kinds, courses=((Kind.RIVER, (2,)), (Kind.ROAD, (0, 1))))
    assert mirrored.pattern != tile.pattern
    assert TileShape(courses=((Kind.ROAD, (0, 1)),)).pattern == TileShape(courses=((Kind.ROAD, (0, 3)),)).pattern


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plan_builds_the_battlefield_from_codes_and_turns(seed: int) -> None:
    plan, layout = laid(seed)
    built = {place.cell: layout.tiles[place.code].shape.rotate(place.turns) for place in layout.places}
    assert [*built] == [plot.cell for plot in plan.plots]
    for plot in plan.plots:
        assert (built[plot.cell].kinds, built[plot.cell].height) == (tuple(sorted(plot.kinds)), plot.height)
    assert sum(tile.copies for tile in layout.tiles.values()) == len(plan.plots)
    assert len({tile.shape.pattern for tile in layout.tiles.values()}) == len(layout.tiles)
    for cell, shape in built.items():
        ways = {(kind, side) for kind, sides in shape.courses for side in sides}
        for kind, side in ways:
            beyond = plan.grid.neighbour(cell, side)
            # Each course goes on in the next square.
            assert beyond is None or (kind, (side + 2) % 4) in {
                (other, end) for other, sides in built[beyond].courses for end in sides
            }


def test_a_set_builds_its_battlefields_with_its_own_codes() -> None:
    layouts = {seed: laid(seed)[1] for seed in (*SEEDS, 6)}
    needs = {seed: tile_needs(layout) for seed, layout in layouts.items()}
    assert choose_seeds(needs, 5) == ()
    assert choose_seeds(needs, 99) == tuple(layouts)
    found = make_set(layouts, 14)
    assert len(found.layouts) >= 2
    copies = {code: tile.copies for code, tile in found.tiles.items() if tile.copies}
    assert len(copies) <= 14
    assert str(found.sentence).startswith("14 tiles (")
    for seed, layout in found.layouts.items():
        assert all(tile.copies <= copies.get(code, 0) for code, tile in layout.tiles.items())
        for place, own in zip(layout.places, layouts[seed].places, strict=True):
            shape = layouts[seed].tiles[own.code].shape.rotate(own.turns)
            assert found.tiles[place.code].shape.rotate(place.turns) == shape


def test_pages_are_as_large_as_the_paper_and_show_all_codes() -> None:
    assert run(["tiles", *SQUARES, "--seed", "1", "--sheet", "letter", "--quiet"]) == 0
    data = next(Path("output").glob("*-tiles-letter.pdf")).read_bytes()
    pages = texts(data)
    _, layout = laid(1)
    assert len(pages) == 1 + -(-64 // 15)
    for page in pypdfium2.PdfDocument(data):
        assert page.get_size() == pytest.approx((612.0, 792.0), abs=0.1)
    for code, tile in layout.tiles.items():
        assert " ".join(pages[1:]).split().count(code) == tile.copies
        # The plan has the code of each square, and one in the list of parts.
        assert pages[0].split().count(code) == tile.copies + 1


def test_spanish_pages_and_messages(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiles", *SQUARES[:-1], "es", "--seed", "3"]) == 0
    assert "64 losetas cuadradas de 50 mm, 17 de ellas distintas" in capsys.readouterr().err
    pages = texts(next(Path("output").glob("*-tiles-a4-es.pdf")).read_bytes())
    assert "Plano de losetas".casefold() in pages[0].casefold()
    assert "Terreno despejado" in pages[0]


def test_seeds_compare_sets_and_a_count_prints_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiles", *SQUARES, "--seeds", "1,3,4"]) == 0
    said = capsys.readouterr().err
    assert "36 tiles (" in said
    assert "build 3 of 3 battlefields." in said
    assert not list(Path().rglob("*.pdf"))
    assert run(["tiles", *SQUARES, "--seeds", "1,3,4", "--count", "36"]) == 0
    pages = texts(next(Path("output").glob("*set36*.pdf")).read_bytes())
    assert "Squares without a code are open ground" in " ".join(pages[0].split())
    assert run(["tiles", *SQUARES, "--seeds", "1,3,4", "--count", "2"]) == 2
    assert "use a larger --count" in capsys.readouterr().err


def test_tiles_is_a_second_name_of_hexon(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for name in ("hexon", "tiles"):
        assert run([name, "--help", "--lang", "en"]) == 0
        hexes = ["--rules", "portable-2", "--seed", "5", "--out", name, "--lang", "en"]
        assert run([name, *hexes]) == 0
        out, err = capsys.readouterr()
        shown.append((out, err.replace(f"{name}/", "")))
    assert shown[0] == shown[1]
    files = [
        {path.relative_to(name): path.read_bytes() for path in Path(name).rglob("*") if path.is_file()}
        for name in ("hexon", "tiles")
    ]
    assert files[0] == files[1]
