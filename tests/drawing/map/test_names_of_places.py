"""Names beside what they name: close to towns, off the edge row of closed woods."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Font, LayerName, Path, Rect, Stamp, Text
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.lettering.extent import PER_MM, extents
from printkit.drawing.lettering.glyphs import letters_area
from printkit.drawing.map.board_drawing import board_drawing, scaled
from printkit.drawing.map.labels import labels
from printkit.drawing.text.drafter import Drafter
from printkit.page.sheet import Sheet
from printkit.page.tiling import Zone, seam_areas, zone_lattice
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Going, Kind
from printkit.terrain.geometry.outlines import draw_plot_outline

_BAD = Going(1, "bad")


def _field(kind: Kind, outline: Polygon, name: str) -> Battlefield:
    board = Board(400.0, 400.0, GroundScale(pace=0.254, base_width=40.0))
    return Battlefield(board=board, features=(Area(id="z5", kind=kind, outline=outline, going=_BAD, name=name),))


def _drafter(style: str = "campaign") -> Drafter:
    return Drafter.map(find_style(style), find_words("en"), Jitter(3))


def _texts(field: Battlefield) -> list[Text]:
    return [
        item for layer, item in labels(field, _drafter()).items if layer is LayerName.LABEL and isinstance(item, Text)
    ]


@settings(max_examples=20)
@given(st.integers(0, 999), st.floats(60, 140), st.floats(60, 140), st.sampled_from(["Ur", "Cannae Minores"]))
@example(93, 75.25, 121.75, "Cannae Minores")
def test_the_name_of_a_town_stands_close_to_it(seed: int, wide: float, deep: float, name: str) -> None:
    outline = shapely.affinity.translate(draw_plot_outline(wide, deep, Stream(f"town/{seed}")), 200, 200)
    field = _field(Kind.BUA, outline, name)
    assert _texts(field)
    # The name keeps its distance from the outline without bends of less than a tenth of a millimetre.
    gap = letters_area(_texts(field), 0.0).envelope.distance(shapely.simplify(outline, _drafter().size(0.1)))
    assert 1.5 <= gap <= 6.2


@pytest.mark.parametrize("name", ["Elm", "Wolves' Wood", "The Forest of Arden"])
@pytest.mark.parametrize("side", [60.0, 100.0, 180.0])
def test_no_name_stands_in_the_edge_row_of_a_closed_wood(name: str, side: float) -> None:
    outline = box(200 - side / 2, 200 - side / 2, 200 + side / 2, 200 + side / 2).buffer(-12).buffer(12)
    field = _field(Kind.HEAVY_WOODS, outline, name)
    row = outline.difference(outline.buffer(-10.0))
    assert _texts(field)
    assert not letters_area(_texts(field), 1.0).intersects(row)


def test_the_edge_row_of_a_wood_is_closed_where_crowns_give_way_to_names() -> None:
    outline = box(110, 130, 290, 270).buffer(-15).buffer(15)
    field = _field(Kind.HEAVY_WOODS, outline, "Wolves' Wood")

    def crowns(style: str) -> set[tuple[float, float]]:
        drawing = board_drawing(field, _drafter(style), numbers=False, zones=False)
        stamps = [item for layer, item in drawing.items() if layer.name is LayerName.CROWN and isinstance(item, Stamp)]
        return {(place.e, place.f) for item in stamps for place in item.places}

    def row(style: str) -> set[tuple[float, float]]:
        return {at for at in crowns(style) if outline.exterior.distance(shapely.Point(at)) < 6.5}

    assert row("ink-saver") == row("campaign") != set()
    assert len(crowns("ink-saver")) < len(crowns("campaign"))


# --- Where roads lead -------------------------------------------------------------------------------------------------


def _roads(*lines: list[tuple[float, float]], kind: Kind = Kind.ROAD, width: float = 12.0) -> Battlefield:
    board = Board(400.0, 300.0, GroundScale(pace=0.254, base_width=40.0))
    road = Going(0, "road")
    ways = tuple(
        Course(id=f"road-{number}", kind=kind, line=LineString(line), width=width, going=road)
        for number, line in enumerate(lines, 1)
    )
    return Battlefield(board=board, features=ways)


def _ends(field: Battlefield, language: str = "en", period: str = "ancient", style: str = "campaign") -> list[Text]:
    drafter = Drafter.map(find_style(style), find_words(language), Jitter(3))
    found = labels(field, drafter, numbers=False, period=period).items
    return [item for layer, item in found if isinstance(item, Text)]


_ACROSS = [(-20.0, 150.0), (200.0, 140.0), (420.0, 150.0)]


@pytest.mark.parametrize("kind", [Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK])
def test_a_road_says_beside_it_at_each_edge_where_it_leads(kind: Kind) -> None:
    field = _roads(_ACROSS, kind=kind)
    texts = _ends(field)
    assert len(texts) == 2
    assert all(text.content.startswith("to ") and text.font is Font.ITALIC for text in texts)
    assert len({text.content for text in texts}) == 2
    way = field.features[0]
    assert isinstance(way, Course)
    for text in texts:
        feet = [Point(x, y) for x, y, _ in text.glyphs]
        assert 6.0 <= min(field.board.shape.exterior.distance(foot) for foot in feet) <= 60.0
        assert min(foot.distance(way.line) for foot in feet) > way.width / 2 + 1


def test_where_roads_lead_is_said_in_the_language_of_the_map_alike_in_every_style_unless_a_map_has_no_names() -> None:
    field = _roads(_ACROSS)
    assert all(text.content.startswith("a ") for text in _ends(field, "es"))
    assert all(text.content.startswith("to ") for text in _ends(field, "en+es"))
    assert [_ends(field, period=period) for period in ("none", "stone-age")] == [[], []]
    assert [text.glyphs for text in _ends(field)] == [text.glyphs for text in _ends(field, style="ink-saver")]


def test_no_road_leads_to_a_place_on_the_board_and_nothing_is_said_where_no_place_is_free() -> None:
    town = Area(id="z5", kind=Kind.BUA, outline=box(180, 40, 220, 80), going=_BAD)
    first = _ends(_roads(_ACROSS))[0].content.removeprefix("to ")
    field = _roads(_ACROSS).add(replace(town, name=first))
    assert f"to {first}" not in {text.content for text in _ends(field)}
    marsh = Area(id="z4", kind=Kind.MARSH, outline=box(-1, 60, 120, 240), going=_BAD)
    assert len(_ends(_roads(_ACROSS).add(marsh))) == 1
    # A road that ends on the board leaves it at one edge alone.
    assert len(_ends(_roads([(-20.0, 150.0), (250.0, 150.0)]))) == 1


# --- Waters and what people built -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "size"), [(Kind.RIVER, 20.0), (Kind.STREAM, 17.0), (Kind.CREEK, 17.0)])
def test_streams_and_creeks_have_names_as_rivers_have(kind: Kind, size: float) -> None:
    field = _roads(_ACROSS, kind=kind, width=8.0)
    field = replace(field, features=(replace(field.features[0], name="Plum Run"),))
    (text,) = _texts(field)
    assert (text.content, text.font, text.size_pt) == ("Plum Run", Font.ITALIC, size)
    assert text.ink == _drafter().style.solid("water-name")


@pytest.mark.parametrize(("far", "times"), [(150.0, 2), (450.0, 1)])
def test_a_long_water_is_named_again_unless_it_bends_there(far: float, times: int) -> None:
    straight = [(x, 150.0) for x in (-10.0, 600.0)]
    bends = [(600.0 + 12.0 * n, 150.0 + (far - 150.0) / 300 * 40 * (-1) ** n) for n in range(50)]
    field = _roads([*straight, *bends], kind=Kind.STREAM, width=6.0)
    board = Board(1150.0, 300.0, field.board.scale)
    texts = _texts(replace(field, board=board, features=(replace(field.features[0], name="Plum Run"),)))
    assert len(texts) >= times
    assert far == 150.0 or all(x < 620 for text in texts for x, _, _ in text.glyphs)


def test_farms_and_buildings_have_the_names_of_their_owners_beside_them_and_pools_are_lettered_as_water() -> None:
    for kind, name in ((Kind.FARM, "D. Miller"), (Kind.BUILDING, "Poor House"), (Kind.SETTLEMENT, "Zion")):
        (text,) = _texts(_field(kind, box(180, 180, 230, 215), name))
        assert (text.content, text.font, text.size_pt) == (name, Font.ROMAN, 17.0)
    (text,) = _texts(_field(Kind.POOL, box(180, 180, 220, 205).buffer(4), "Mill Pond"))
    assert (text.font, text.ink) == (Font.ITALIC, _drafter().style.solid("water-name"))


# --- Seams of sheets, and ground that no label covers -----------------------------------------------------------------


def test_a_name_keeps_off_the_seams_that_lie_about_the_cuts_between_sheets_where_another_place_is_free() -> None:
    field = _field(Kind.MARSH, box(100, 100, 300, 300), "Fen")
    seam = box(188, 0, 212, 400)
    usual, moved = (
        labels(field, _drafter(), numbers=False, seams=ground).clear.centroid for ground in (Polygon(), seam)
    )
    assert seam.contains(usual)
    assert not seam.buffer(5).contains(moved)
    a4 = Sheet("a4", 210.0, 297.0, 10.0)
    part = Zone("", Rect(0.0, 0.0, 500.0, 500.0))
    lattice = zone_lattice(part, a4)
    seams = shapely.union_all([box(seam.x, seam.y, seam.right, seam.top) for seam in seam_areas(part, a4)])
    assert lattice.count > 1
    for column in range(1, lattice.columns):
        middle = lattice.tile(0, column).window.x + lattice.overlap / 2
        assert seams.contains(box(middle - 11.9, 1, middle + 11.9, 499))
    assert not seams.contains(Point(lattice.window.width / 2, lattice.tile(0, 0).window.y + 60))


@pytest.mark.parametrize(
    ("kind", "water", "name", "told"),
    [
        (Kind.BRIDGE, Kind.RIVER, "", ["Bridge"]),
        (Kind.FORD, Kind.RIVER, "", ["Ford"]),
        (Kind.FORD, Kind.STREAM, "", []),
        (Kind.FORD, Kind.STREAM, "Eel", ["Eel"]),
    ],
)
def test_a_crossing_has_its_word_at_rivers_elsewhere_its_name_alone_and_nothing_where_no_place_is_free(
    kind: Kind, water: Kind, name: str, told: list[str]
) -> None:
    going, at = Going(0, "road"), Point(200, 200)
    road = Course(id="road-1", kind=Kind.ROAD, line=LineString([(0, 200), (400, 200)]), width=12.0, going=going)
    under = Course(id="water-1", kind=water, line=LineString([(200, 0), (200, 400)]), width=30.0, going=_BAD)
    over = Crossing(id="c", kind=kind, at=at, bearing=0.0, route="road-1", water="water-1", going=going, name=name)
    board = Board(400.0, 400.0, GroundScale(pace=0.254, base_width=40.0))
    field = Battlefield(board=board, features=(road, under, over))
    assert [text.content for text in _texts(field)] == told
    wood = Area(id="z", kind=Kind.FOREST, outline=box(0, 0, 400, 400), going=_BAD)
    assert not _texts(field.add(wood))


@pytest.mark.parametrize("kind", [Kind.ROCKS, Kind.LIGHT_WOODS, Kind.LAKE, Kind.MARSH])
@pytest.mark.parametrize("scale", [1.0, 0.3])
@pytest.mark.parametrize(("side", "is_inside"), [(40.0, False), (54.0, False), (56.0, True), (90.0, True)])
def test_the_name_of_a_small_area_is_beside_it(kind: Kind, scale: float, side: float, is_inside: bool) -> None:
    ground = box(110, 200, 290, 200 + side)
    field = scaled(_field(kind, ground, "Elm"), scale)
    drafter = Drafter.map(find_style("campaign"), find_words("en"), Jitter(3), scale=scale)
    texts = [item for _, item in labels(field, drafter, numbers=False).items if isinstance(item, Text)]
    assert [text.content for text in texts] == ["Elm"]
    name, outline = letters_area(texts, 0.0), shapely.affinity.scale(ground, scale, scale, origin=(0, 0))
    assert outline.contains(name) if is_inside else not outline.intersects(name)


# --- Symbols round a name ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Kind.ROCKS, Kind.ROUGH_GROUND, Kind.MARSH, Kind.LIGHT_WOODS, Kind.SCRUB])
def test_symbols_give_way_to_the_letters_of_a_name_and_not_to_its_box(kind: Kind) -> None:
    outline = box(60, 60, 340, 340).buffer(-30).buffer(30)
    named = _field(kind, outline, "Keller's Lower Elms")
    nameless = replace(named, features=tuple(replace(feature, name="") for feature in named.features))

    def symbols(field: Battlefield) -> BaseGeometry:
        """Return the lines and stamps of the symbol, without shadows and tints."""
        drawing = board_drawing(field, _drafter(), numbers=False, zones=False)
        layers = (LayerName.GROUND_PATTERN, LayerName.CROWN)
        shapes: list[BaseGeometry] = []
        for item in (item for layer, item in drawing.items() if layer.name in layers):
            if isinstance(item, Path) and (item.fill is None or item.fill.alpha == 1):
                lines = [np.reshape(run.points, (-1, 2)) / PER_MM for run in item.runs]
                shapes += [LineString(line) for line in lines if len(line) > 1]
            elif isinstance(item, Stamp):
                for left, low, right, high in extents(item):
                    middle = Point((left + right) / 2 / PER_MM, (low + high) / 2 / PER_MM)
                    shapes.append(middle.buffer(0.85 * (right - left) / 2 / PER_MM))
        return shapely.union_all(shapes)

    texts = _texts(named)
    assert texts
    box_around = letters_area(texts, 0.0).minimum_rotated_rectangle.buffer(2.0, join_style="mitre")
    beside = box_around - letters_area(texts, 1.25)
    drawn, usual = symbols(named), symbols(nameless)
    assert not drawn.intersects(letters_area(texts, 0.85))
    assert usual.intersects(letters_area(texts, 0.85))
    assert drawn.intersection(beside).length > 0.05 * usual.intersection(beside).length
