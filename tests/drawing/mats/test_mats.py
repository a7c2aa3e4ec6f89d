"""Painted mats: every kind has its recipe, edges are true, what cannot be passed is closed, the light is one."""

from __future__ import annotations

import pathlib
from itertools import islice

import numpy as np
import pytest
import shapely
from msgspec.structs import replace
from PIL import Image
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from signs_scene import area, board, context, course, oval

from printkit.chance.streams import Stream
from printkit.core.errors import ResourceError
from printkit.core.resources import names
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, Path, Picture, Rect, Stamp
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.mats.mat import painted
from printkit.drawing.mats.painter import (
    COUNTRIES,
    LAP,
    PERIOD,
    Climate,
    cells_of,
    climate_of,
    is_sprite,
    sprite,
    texture,
)
from printkit.drawing.mats.raster import Raster, between, blurred, inside, lit, raster_about
from printkit.drawing.signs.catalogue import draw
from printkit.export.png import pictures
from printkit.kit.countryside import Countryside
from printkit.page.sheet import Document, page_of
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Going, Hill, Kind
from printkit.terrain.field.grids import grid_of

_ROOT = pathlib.Path(__file__).resolve().parents[3]
_STOCK = _ROOT / "templates" / "mats"
_OUTLINE = oval(120, 100, 70, 55)


def items(*features: object, climate: Climate = Climate.TEMPERATE) -> list[Item]:
    """Return what is painted of some features."""
    scene = context("painted")
    laid = list(painted(board(*features), in_climate(scene, climate)))
    assert {name for name, _ in laid} == {LayerName.MAT}
    return [item for _, item in laid]


def in_climate(scene: SymbolContext, climate: Climate) -> SymbolContext:
    return replace(scene, style=replace(scene.style, climate=climate.value))


def crowns(found: list[Item], sort: str) -> list[Polygon]:
    """Return the crowns of a sort as discs."""
    discs = []
    for item in found:
        if isinstance(item, Stamp) and item.artwork.name.startswith(sort):
            wide = sprite(item.artwork.name.split("/")[0]).size[0]
            for place in item.places:
                size = max(abs(place.a), abs(place.b))
                discs.append(Point(place.e, place.f).buffer(wide * 0.40 * size))
    return discs


def spread(values: np.ndarray, dots: Raster, x: float, y: float) -> float:
    """Return a value between the dots about a place."""
    return float(between(values, dots, Raster(x, y, 1e-9, 1, 1))[0, 0])


# --- The stock --------------------------------------------------------------------------------------------------------


def remade(folder: pathlib.Path, patch: pytest.MonkeyPatch, count: int | None) -> list[pathlib.Path]:
    """Make the stock anew, or so many of its textures and all else; return its files, each like that which is kept."""
    patch.syspath_prepend(str(_ROOT / "tools" / "mats"))
    import mat_stock

    every = mat_stock.textures
    patch.setattr(mat_stock, "textures", lambda: islice(every(), count))
    mat_stock.make(folder)
    made = sorted(path.relative_to(folder) for path in folder.rglob("*.*"))
    for path in made:
        ours, again = (np.asarray(Image.open(kept / path), dtype=int) for kept in (_STOCK, folder))
        assert np.abs(ours - again).max() <= 1, path
    return made


@pytest.mark.parametrize("count", [1, pytest.param(None, marks=pytest.mark.soak)])
def test_the_stock_is_what_its_tool_makes(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, count: int | None
) -> None:
    made = remade(tmp_path, monkeypatch, count)
    assert len(made) > 20
    assert count or made == sorted(path.relative_to(_STOCK) for path in _STOCK.rglob("*.*"))


def test_the_stock_is_small_its_textures_meet_themselves_without_a_seam_and_what_it_lacks_is_said() -> None:
    assert sum(path.stat().st_size for path in _STOCK.rglob("*.*")) <= 5_600_000
    for name in names("templates/mats", ".jpg"):
        dots = np.asarray(Image.open(_STOCK / f"{name}.jpg").convert("L"), dtype=float)
        lap = dots.shape[1] - 1024
        assert np.abs(dots[:, :lap] - dots[:, 1024:]).mean() < 8, name
    assert is_sprite("oak0")
    assert not is_sprite("grass")
    with pytest.raises(ResourceError, match="moss"):
        texture("moss")


def test_a_lattice_covers_its_frame() -> None:
    frame, side = Rect(30, 40, 500, 300), PERIOD
    for turn in (0.0, 37.0, -29.0, 90.0):
        cells = list(cells_of(frame, (210.0, 90.0), turn, side))
        assert len(cells) == len(set(cells))
        shown = [
            box(column * side, row * side - LAP, (column + 1) * side + LAP, (row + 1) * side) for column, row in cells
        ]
        lattice = shapely.affinity.translate(
            shapely.affinity.rotate(shapely.union_all(shown), turn, origin=(0, 0)), 210.0, 90.0
        )
        assert lattice.buffer(1e-6).contains(box(frame.x, frame.y, frame.right, frame.top))


# --- Masks ------------------------------------------------------------------------------------------------------------


def test_depths_are_distances_to_the_outline() -> None:
    ground = oval(60, 50, 40, 25)
    dots = raster_about(ground.bounds, 8, 75)
    found = inside(ground, dots)
    chance = Stream("depths")
    for _ in range(300):
        x, y = chance.between(14, 106), chance.between(20, 80)
        due = ground.exterior.distance(Point(x, y)) * (1 if ground.contains(Point(x, y)) else -1)
        # Deep within, where slopes meet, the ridge is rounded off.
        assert spread(found, dots, x, y) == pytest.approx(due, abs=0.35 if abs(due) < 9 else 2.5)


def test_a_blur_keeps_what_is_even_and_light_falls_from_the_north_west() -> None:
    assert np.allclose(blurred(np.full((20, 30), 3.0), 2), 3.0)
    spot = np.zeros((41, 41))
    spot[20, 20] = 1.0
    spread = blurred(spot, 2)
    assert spread.sum() == pytest.approx(1.0)
    assert spread[20, 20] == spread.max() < 0.1
    down, across = np.mgrid[0:50, 0:50].astype(float)
    dome = -((down - 25) ** 2 + (across - 25) ** 2) / 100
    light = lit(dome, 1.0)
    assert light[10, 10] > 0 > light[40, 40]


# --- Kinds ------------------------------------------------------------------------------------------------------------


def test_every_country_has_its_climate() -> None:
    mild = (Countryside.TEMPERATE, Countryside.PASTORAL, Countryside.ARABLE, Countryside.AMERICAN)
    dry = (Countryside.DRY, Countryside.STEPPE)
    climates = dict.fromkeys(mild, Climate.TEMPERATE) | dict.fromkeys(dry, Climate.DRY)
    assert {country: climate_of(country) for country in Countryside} == climates
    assert set(COUNTRIES) == set(Climate)


@pytest.mark.parametrize("climate", Climate)
def test_every_specimen_is_painted_in_every_climate(climate: Climate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each paints something besides open ground; a third of them in each climate."""
    for name in ("paint_ground", "paint_litter"):
        monkeypatch.setattr(f"printkit.drawing.mats.ground.{name}", lambda *_, **__: None)
    scene = in_climate(context("painted"), climate)
    assert list(draw(board(), scene)) == []
    for number, specimen in enumerate(specimens()):
        if number % 3 == list(Climate).index(climate):
            assert list(draw(specimen.field(34.0, 23.0), scene)), specimen.key


@pytest.mark.parametrize("kind", [Kind.HEAVY_WOODS, Kind.CONIFER_FOREST, Kind.PALM_FOREST])
def test_a_closed_wood_ends_in_a_closed_row_on_its_outline(kind: Kind) -> None:
    """No gap of more than 3 mm, and no crown that reaches over the outline by more than 2 mm."""
    sort = {Kind.HEAVY_WOODS: "oak", Kind.CONIFER_FOREST: "conifer", Kind.PALM_FOREST: "palm"}[kind]
    ground = shapely.union_all(crowns(items(area("w1", kind, _OUTLINE)), sort))
    bare = shapely.difference(_OUTLINE.exterior, ground.buffer(2.0))
    assert max((part.length for part in shapely.get_parts(bare)), default=0.0) <= 3.0
    assert shapely.difference(ground, _OUTLINE.buffer(2.0)).area < 0.002 * _OUTLINE.area


def test_in_winter_trees_and_bushes_are_bare_and_conifers_keep_their_needles() -> None:
    wooded = (area("w1", Kind.HEAVY_WOODS, _OUTLINE), area("w2", Kind.CONIFER_FOREST, oval(300, 100, 60, 40)))
    found = items(*wooded, area("s1", Kind.SCRUB, oval(300, 230, 60, 40)), climate=Climate.WINTER)
    stamped = {item.artwork.name.split("/")[0].rstrip("0123456789") for item in found if isinstance(item, Stamp)}
    assert {"bare-oak", "bare-bush", "conifer"} <= stamped
    assert not {"oak", "bush", "tuft"} & stamped


def test_surf_breaks_along_the_shore_of_a_sea_and_nowhere_else() -> None:
    sea = box(0, 0, 400, 90)
    for kind, lines in ((Kind.SEA, 3), (Kind.LAKE, 0)):
        paints = [item.paint for item in items(area("p1", kind, sea)) if isinstance(item, Picture)]
        assert sum(not isinstance(paint, str) and paint[:3] == (238, 242, 238) for paint in paints) == lines


@pytest.mark.parametrize(
    "water",
    [area("p1", Kind.SEA, box(0, 0, 400, 90)), course("r1", Kind.RIVER, [(-30, 150), (430, 150)], width=40)],
)
def test_water_that_leaves_the_board_has_no_bank_along_the_edge(water: object) -> None:
    """Reeds and stones stand along the shore, and none along the edge of the board."""
    shore = [90.0] if water.id == "p1" else [130.0, 170.0]  # type: ignore[attr-defined]
    for item in items(water):
        if isinstance(item, Stamp) and item.artwork.name.startswith("reed"):
            for place in item.places:
                if 0 < place.e < 400 and 0 < place.f < 300:
                    assert min(abs(place.f - high) for high in shore) < 6


def test_no_tree_stands_on_a_way_through_the_wood_and_light_woods_leave_room_between_theirs() -> None:
    road = course("r1", Kind.ROAD, [(20, 100), (220, 104)], width=20)
    found = crowns(items(area("w1", Kind.HEAVY_WOODS, _OUTLINE), road), "oak")
    way = road.line.buffer(10)
    middles = [disc.centroid for disc in found]
    assert len(middles) > 100
    assert not any(way.contains(middle) for middle in middles)
    ground = shapely.union_all(crowns(items(area("w2", Kind.LIGHT_WOODS, _OUTLINE)), "oak"))
    assert 0.1 < ground.area / _OUTLINE.area < 0.6
    denser = shapely.union_all(crowns(items(area("w2", Kind.WOODLAND, _OUTLINE)), "oak"))
    assert 1.1 * ground.area < denser.area < 0.75 * _OUTLINE.area


def test_rocks_have_the_largest_stones_and_rough_ground_the_smallest_and_more_bushes() -> None:
    painted_kinds = [items(area("s1", kind, _OUTLINE)) for kind in (Kind.ROCKS, Kind.BROKEN_GROUND, Kind.ROUGH_GROUND)]
    stones = [[disc.area for disc in crowns(found, "stone")] for found in painted_kinds]
    largest = [max(sizes) for sizes in stones]
    assert largest[0] > 1.5 * largest[1] > 1.5 * largest[2]
    bushes = [len(crowns(found, "bush")) for found in painted_kinds]
    assert bushes[0] < bushes[1] < bushes[2]


def test_sprites_are_never_turned_for_their_light_is_in_them() -> None:
    found = items(area("w1", Kind.HEAVY_WOODS, _OUTLINE), area("b1", Kind.ROUGH_GROUND, oval(300, 100, 60, 40)))
    places = [place for item in found if isinstance(item, Stamp) for place in item.places]
    upright = [place for place in places if place.b == place.c == 0 and place.a == place.d > 0]
    mirrored = [place for place in places if place.a == place.d == 0 and place.b == place.c < 0]
    assert min(len(upright), len(mirrored)) > 100
    assert len(upright) + len(mirrored) == len(places)


def test_a_veil_leaves_lines_and_shade_dark() -> None:
    light = style.find("painted-light")
    assert (light.painted, light.veil) == (True, 0.36)
    scene = context("painted-light")
    found = [item for _, item in painted(board(area("p1", Kind.LAKE, _OUTLINE)), scene)]
    veils = {item.veil for item in found if isinstance(item, Picture) and isinstance(item.paint, str)}
    assert veils == {0.36}
    inks = [item.paint for item in found if isinstance(item, Picture) and not isinstance(item.paint, str)]
    assert any(max(ink[:3]) <= 72 for ink in inks)


def test_cells_are_marked_by_their_corners_alone() -> None:
    """Every side of a hex has an arm at both ends, 14 % of it long, and none runs on to the next corner."""
    grid = grid_of("hex-3x3", cell=100.0)
    scene = context("painted")
    bare, marked = (list(painted(replace(board(), grid=cells), scene)) for cells in (None, grid))
    assert len(marked) == len(bare) + 2
    arms = marked[-1][1]
    assert isinstance(arms, Path)
    lengths = [np.hypot(run.points[2] - run.points[0], run.points[3] - run.points[1]) / 100 for run in arms.runs]
    assert max(lengths) == pytest.approx(0.14 * 100 / np.sqrt(3), abs=0.05)


# --- Mats as they are seen: edges where the record has them, nothing repeats, what is barred is told ------------------


_WIDE, _DEEP = 600.0, 300.0
_DPI = 150
_GOING = Going(3, "impassable")
_SCENE = {
    "lake": area("p1", Kind.LAKE, oval(65, 225, 50, 55)),
    "broken": area("b1", Kind.BROKEN_GROUND, oval(190, 235, 55, 45)),
    "marsh": area("m1", Kind.MARSH, oval(325, 235, 60, 45)),
    "light woods": area("l1", Kind.LIGHT_WOODS, oval(70, 60, 55, 45)),
    "hill": Hill(id="h1", kind=Kind.HILL, contours=(oval(200, 65, 60, 45),), going=Going(0, "good")),
    "heavy woods": area("w1", Kind.HEAVY_WOODS, oval(500, 150, 60, 100)),
    "barred": replace(area("r1", Kind.ROUGH_GROUND, oval(335, 65, 50, 45)), going=_GOING),
    "road": course("d1", Kind.ROAD, [(-20, 145), (120, 155), (300, 140), (420, 150)], width=18),
}


def lightness_seen(field: Battlefield, dpi: float, style: str = "painted") -> np.ndarray:
    """Return how light each dot of a painted board is, from 0 to 255, rows from the top."""
    items = tuple(item for _, item in painted(field, context(style)))
    drawing = Drawing(field.board.width, field.board.depth, (Layer(LayerName.MAT, items),))
    (picture,) = pictures(Document(title="Mat", pages=(page_of(drawing),)), dpi)
    return np.asarray(picture.convert("RGB"), dtype=float) @ (0.2126, 0.7152, 0.0722)


@pytest.fixture(scope="module")
def mats() -> dict[str, np.ndarray]:
    """Return a scene at 150 dots an inch in both painted styles."""
    field = board(*_SCENE.values(), width=_WIDE, depth=_DEEP)
    return {style: lightness_seen(field, _DPI, style) for style in ("painted", "painted-light")}


def outline_of(name: str) -> Polygon:
    feature = _SCENE[name]
    return feature.line.buffer(feature.width / 2, cap_style="flat") if name == "road" else feature.outline


OPEN = shapely.box(0, 0, _WIDE, _DEEP).difference(shapely.union_all([outline_of(each).buffer(8) for each in _SCENE]))
"""Ground without a feature."""


def normals(outline: Polygon, step: float, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return places on lines across an outline, n x m x 2, and how far out each of m lies, in mm."""
    ring = outline.exterior
    along = np.arange(0, ring.length, step)
    at, ahead = (shapely.get_coordinates(ring.interpolate(along + off)) for off in (-0.5, 0.5))
    way = (ahead - at) / np.hypot(*(ahead - at).T)[:, None]
    out = np.arange(-reach, reach + 0.05, 0.1)
    sign = 1.0 if ring.is_ccw else -1.0
    across = np.column_stack([way[:, 1], -way[:, 0]]) * sign
    places = ((at + ahead) / 2)[:, None, :] + across[:, None, :] * out[None, :, None]
    inside = (places[..., 0] > 6) & (places[..., 0] < _WIDE - 6) & (places[..., 1] > 6) & (places[..., 1] < _DEEP - 6)
    return places[inside.all(axis=1)], out


def sampled(shown: np.ndarray, places: np.ndarray) -> np.ndarray:
    column = np.clip((places[..., 0] * _DPI / 25.4).astype(int), 0, shown.shape[1] - 1)
    row = np.clip(((_DEEP - places[..., 1]) * _DPI / 25.4).astype(int), 0, shown.shape[0] - 1)
    return shown[row, column]


def lightness(shown: np.ndarray) -> np.ndarray:
    """Return L* of luminance from 0 to 255, taken as sRGB."""
    linear = (shown / 255) ** 2.2
    return np.where(linear > 0.008856, 116 * np.cbrt(linear) - 16, 903.3 * linear)


def light_within(shown: np.ndarray, ground: BaseGeometry) -> np.ndarray:
    """Return how light every fourth dot of some ground is, as L*."""
    row, column = np.mgrid[0 : shown.shape[0] : 4, 0 : shown.shape[1] : 4]
    x, y = (column + 0.5) * 25.4 / _DPI, _DEEP - (row + 0.5) * 25.4 / _DPI
    return lightness(shown[::4, ::4][shapely.contains_xy(ground, x, y)])


@pytest.mark.parametrize("style", ["painted", "painted-light"])
@pytest.mark.parametrize("name", [name for name in _SCENE if name != "heavy woods"])
def test_the_darkest_line_about_a_feature_is_its_outline(mats: dict[str, np.ndarray], name: str, style: str) -> None:
    """Of the places all 2 mm, 95 of 100 lie within 2 mm, and half within 0.7: a soft edge of gentle ground as well."""
    places, out = normals(outline_of(name), 2.0, 3.2)
    off = out[sampled(mats[style], places).argmin(axis=1)]
    assert len(off) > 100
    assert np.mean(np.abs(off) <= 2.0) >= 0.95
    assert abs(np.median(off)) <= 0.7


@pytest.mark.parametrize("style", ["painted", "painted-light"])
@pytest.mark.parametrize("name", ["lake", "heavy woods", "barred"])
def test_what_cannot_be_passed_is_told_by_an_unbroken_line(mats: dict[str, np.ndarray], name: str, style: str) -> None:
    """Nowhere for more than 3 mm is the outline not darker by 8 L* than the ground beyond it."""
    shown = mats[style]
    ground = light_within(shown, OPEN).mean()
    places, _ = normals(outline_of(name), 0.5, 1.6)
    bare = lightness(sampled(shown, places).min(axis=1)) > ground - 8
    longest = max((len(run) for run in "".join("x" if each else " " for each in [*bare, *bare]).split()), default=0)
    assert longest * 0.5 <= 3.0


@pytest.mark.parametrize("style", ["painted", "painted-light"])
@pytest.mark.parametrize("name", ["lake", "heavy woods"])
def test_what_cannot_be_passed_is_told_by_its_tone(mats: dict[str, np.ndarray], name: str, style: str) -> None:
    assert light_within(mats[style], outline_of(name)).mean() <= light_within(mats[style], OPEN).mean() - 9


def test_open_ground_shows_no_lattice() -> None:
    """Laid on itself one period of the textures away, bare ground is like itself by at most 0.22; from afar 0.09."""
    bare = lightness_seen(board(width=609.6, depth=609.6), 75)
    period = round(PERIOD / 25.4 * 75)
    for ground, most in ((bare, 0.22), (blurred(bare, 2), 0.09)):
        detail = (ground - blurred(ground, 4))[20:-20, 20:-20]
        detail = detail - detail.mean()
        for down, right in ((0, period), (period, 0), (period, period)):
            height, width = detail.shape
            like = (detail[down:, right:] * detail[: height - down, : width - right]).mean() / (detail**2).mean()
            assert abs(like) <= most
