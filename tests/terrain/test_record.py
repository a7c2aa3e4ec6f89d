"""The record: written, read back, and refused with a clear line where it is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity

from printkit.chance.dice import Throw
from printkit.core.errors import RecordError
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import KIND_ROWS, Area, Course, Crossing, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.field.record import FORMAT, Record, parse_record, read, read_back, write
from printkit.terrain.field.record_features import UNSTATED

GOOD, BAD, NONE = Going(rank=0, name="good"), Going(rank=2, name="bad"), Going(rank=3, name="impassable")
GOINGS = {going.name: going for going in (GOOD, BAD, NONE)}
BOARD = Board(609.6, 609.6, GroundScale(pace=0.254, base_width=40.0))


def round_shape(x: float, y: float, radius: float) -> Polygon:
    return Point(x, y).buffer(radius, quad_segs=12)


def sample() -> Record:
    """A small game with one feature of each shape."""
    outer = round_shape(304.8, 304.8, 70.0)
    arcs = ((2, outer.exterior.coords[20:32]), (0, outer.exterior.coords[3:15]))
    hill = Hill(
        id="z5",
        kind=Kind.HILL,
        contours=(outer, round_shape(304.8, 304.8, 40.0)),
        faces=tuple(HillFace(line=LineString(arc), kind=Kind.STEEP_SLOPE, going=NONE, side=side) for side, arc in arcs),
        cover=Kind.LIGHT_WOODS,
        going=BAD,
        origin=Origin(clauses=("BR-311", "BR-324"), throws=(3, 4), zone=5, placed_by="A"),
    )
    ring = Polygon(round_shape(101.6, 508.0, 60.0).exterior, [round_shape(101.6, 508.0, 9.0).exterior.coords])
    marsh = Area(id="z1", kind=Kind.MARSH, outline=ring, going=BAD, name="Mirkmere", cells=((1, 1), (2, 1)))
    river = Course(id="R1", kind=Kind.RIVER, line=LineString([(0, 203.2), (609.6, 203.2)]), width=25.4, going=NONE)
    road = Course(id="D1", kind=Kind.ROAD, line=LineString([(200, 0), (200.12345678, 609.6)]), width=19.05, going=GOOD)
    bridge = Crossing(
        id="X1", kind=Kind.BRIDGE, at=Point(200, 203.2), bearing=89.98765, route="D1", water="R1", going=GOOD
    )
    features = (hill, marsh, river, road, bridge)
    front = Overlay(kind="deployment", shape=LineString([(0, 152.4), (609.6, 152.4)]), label="600 p", side="B")
    return Record(
        rules="brantley",
        battlefield=Battlefield(board=BOARD, features=features, overlays=(front,), title="El vado de Peñarroya"),
        settings={"br-q12": "marsh", "br-q20": "blind"},
        seed=7,
        reseeded={"roads": 12},
        log=(Throw(stage="rivers", reason="number of rivers", asked="d6", answer="2", clause="BR-401"),),
        details={"zones": [{"n": 5, "card": "JS"}], "deployment": {"depth_mm": 152.4}},
        properties={"R1": {"start": "W:8.0"}},
    )


@pytest.mark.parametrize(
    ("tops", "levels"),
    [
        ([], 1),
        ([(280, 40)], 2),
        ([(250, 12), (310, 12), (340, 10)], 2),
        ([(280, 40), (285, 20), (340, 8)], 3),
    ],
)
def test_a_hill_has_as_many_levels_as_contours_lie_one_inside_another(
    tops: list[tuple[float, float]], levels: int
) -> None:
    record = sample()
    outer = round_shape(304.8, 304.8, 70.0)
    contours = (outer, *(round_shape(x, 304.8, radius) for x, radius in tops))
    hill = replace(record.battlefield.features[0], contours=contours)
    written = json.loads(write(replace(record, battlefield=replace(record.battlefield, features=(hill,)))))
    assert written["features"][0]["properties"]["levels"] == levels


def document(change: Callable[[dict[str, Any]], object]) -> str:
    tree = json.loads(write(sample()))
    change(tree)
    return json.dumps(tree)


def by_id(tree: dict[str, Any], identity: str) -> dict[str, Any]:
    found: dict[str, Any] = next(feature for feature in tree["features"] if feature.get("id") == identity)
    return found


def test_what_is_read_is_the_same_record_and_text_in_one_line_a_feature():
    text = write(sample())
    assert write(read(text, GOINGS)) == text
    assert text.endswith("}\n")
    lines = write(sample()).splitlines()
    assert sum('"type": "Feature"' in line for line in lines) == 8
    assert sum('"stage"' in line for line in lines) == 1
    settled = read_back(sample())
    assert settled == read(write(sample()), GOINGS)
    assert read_back(settled) == settled
    one = sample()
    other = replace(one, settings=dict(reversed(one.settings.items())))
    assert write(one) == write(other)
    settled, given_ = read_back(sample()), sample()
    for member in ("rules", "settings", "seed", "reseeded", "log", "details", "properties"):
        assert getattr(settled, member) == getattr(given_, member)
    assert settled.battlefield.board == BOARD
    assert settled.battlefield.title == given_.battlefield.title
    hill = settled.battlefield.find("z5")
    assert isinstance(hill, Hill)
    assert [face.side for face in hill.faces] == [2, 0]
    assert hill.origin == given_.battlefield.features[0].origin
    assert hill.cover is Kind.LIGHT_WOODS
    assert len(hill.contours) == 2
    marsh = settled.battlefield.find("z1")
    assert isinstance(marsh, Area)
    assert (marsh.name, marsh.cells, len(marsh.outline.interiors)) == ("Mirkmere", ((1, 1), (2, 1)), 1)
    assert [overlay.side for overlay in settled.battlefield.overlays] == ["B"]


@pytest.mark.clause("HX-64")
def test_the_text_has_valid_shapes_turned_as_the_standard_asks():
    tree = json.loads(write(sample()))
    assert tree["type"] == "FeatureCollection"
    assert tree["printkit"]["format"] == FORMAT
    assert tree["coordinates"].startswith("millimetres on the board, not degrees")
    assert {feature["type"] for feature in tree["features"]} == {"Feature"}
    assert tree["grid"] is None
    assert tree["board"] == {"width_mm": 609.6, "depth_mm": 609.6, "pace_mm": 0.254, "base_width_mm": 40.0}
    assert [feature["id"] for feature in tree["features"]] == ["z5", "z5-steep-1", "z5-steep-2", "z1", "R1", "D1", "X1"]
    hill = by_id(tree, "z5")["properties"]
    assert (hill["levels"], hill["steep"], hill["cover"]) == (2, [2, 0], "light_woods")
    assert hill["source"] == ["BR-311", "BR-324"]
    steep = by_id(tree, "z5-steep-1")
    assert steep["geometry"]["type"] == "LineString"
    assert (steep["properties"]["of"], steep["properties"]["impassable"]) == ("z5", True)
    assert by_id(tree, "R1")["properties"]["width_mm"] == 25.4
    assert by_id(tree, "R1")["properties"]["start"] == "W:8.0"
    assert by_id(tree, "X1")["properties"]["bearing"] == 89.988
    for feature in json.loads(write(sample()))["features"]:
        found = shapely.from_geojson(json.dumps(feature["geometry"]))
        assert found.is_valid
        if isinstance(found, Polygon):
            assert found.exterior.is_ccw
            assert not any(hole.is_ccw for hole in found.interiors)


def test_outlines_are_turned_and_stay_valid_though_rounding_closes_a_waist():
    clockwise = Area(id="a", kind=Kind.LAKE, outline=Polygon([(0, 0), (0, 9), (9, 9), (9, 0)]), going=NONE)
    field = Battlefield(board=BOARD, features=(clockwise,))
    found = read_back(Record(rules="brantley", battlefield=field)).battlefield.find("a")
    assert isinstance(found, Area)
    assert found.outline.exterior.is_ccw
    assert found.outline.equals(clockwise.outline)
    waist = Polygon([(0, 0), (40, 0), (20.0001, 10), (40, 20), (0, 20), (20, 10.0001)])
    thin = Area(id="a", kind=Kind.LAKE, outline=waist, going=NONE)
    record = Record(rules="brantley", battlefield=Battlefield(board=BOARD, features=(thin,)))
    settled = read_back(record)
    found = settled.battlefield.find("a")
    assert isinstance(found, Area)
    assert found.outline.is_valid
    assert found.outline.area > 150
    assert write(settled) == write(record)


angles = st.floats(0, 360)
places = st.floats(-5, 620)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(x=places, y=places, angle=angles, radius=st.floats(0.01, 90), width=st.floats(0.5, 40))
def test_any_shape_settles_within_a_thousandth(x: float, y: float, angle: float, radius: float, width: float):
    outline = affinity.rotate(affinity.scale(round_shape(x, y, radius), 1, 0.6), angle)
    line = affinity.rotate(LineString([(x, y), (x + radius, y), (x + 2 * radius, y + 1)]), angle)
    marsh = Area(id="a", kind=Kind.MARSH, outline=outline, going=BAD)
    river = Course(id="r", kind=Kind.RIVER, line=line, width=width, going=NONE)
    text = write(Record(rules="brantley", battlefield=Battlefield(board=BOARD, features=(marsh, river))))
    settled = read(text, GOINGS)
    assert write(settled) == text
    area, course = settled.battlefield.features
    assert isinstance(area, Area)
    assert isinstance(course, Course)
    assert area.outline.is_valid
    assert shapely.hausdorff_distance(area.outline, outline) < 0.00101
    assert shapely.hausdorff_distance(course.line, line) < 0.00101


HAND_DRAWN = """{
  "type": "FeatureCollection", "rules": "brantley", "author": "ignored",
  "board": {"width_mm": 609.6, "depth_mm": 609.6, "pace_mm": 0.254, "base_width_mm": 40},
  "features": [
    {"type": "Feature", "properties": {"kind": "hill", "colour": "green"},
     "geometry": {"type": "Polygon", "coordinates": [[[250, 250], [350, 250], [350, 340], [250, 250]]]}},
    {"type": "Feature", "id": "hill-2", "properties": {"kind": "hill"},
     "geometry": {"type": "Polygon", "coordinates": [[[50, 50], [150, 50], [150, 140], [50, 50]]]}},
    {"type": "Feature", "properties": {"kind": "steep_slope", "of": "hill-2"},
     "geometry": {"type": "LineString", "coordinates": [[50, 50, 7], [150, 50, 7]]}},
    {"type": "Feature", "properties": {"kind": "hill"},
     "geometry": {"type": "Polygon", "coordinates": [[[450, 450], [550, 450], [550, 540], [450, 450]]]}}
  ]
}"""


def test_a_record_drawn_by_hand_may_lack_much():
    record = read(HAND_DRAWN, GOINGS)
    assert [feature.id for feature in record.battlefield.features] == ["hill-1", "hill-2", "hill-3"]
    assert {feature.going for feature in record.battlefield.features} == {UNSTATED}
    assert (record.log, record.seed, record.details, dict(record.settings)) == ((), None, {}, {})
    steep = record.battlefield.find("hill-2")
    assert isinstance(steep, Hill)
    assert [(face.side, len(face.line.coords)) for face in steep.faces] == [(0, 2)]
    assert record.properties == {"hill-1": {"colour": "green"}}
    assert write(read(write(record), GOINGS)) == write(record)
    assert parse_record(HAND_DRAWN)["rules"] == "brantley"
    assert set(KIND_ROWS) == set(Kind)


def drop(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda tree: tree.pop(name)


def put(identity: str, **members: object) -> Callable[[dict[str, Any]], object]:
    return lambda tree: by_id(tree, identity).update(members)


def put_property(identity: str, **members: object) -> Callable[[dict[str, Any]], object]:
    return lambda tree: by_id(tree, identity)["properties"].update(members)


BOW_TIE = {"type": "Polygon", "coordinates": [[[0, 0], [9, 9], [9, 0], [0, 9], [0, 0]]]}
OPEN = {"type": "Polygon", "coordinates": [[[0, 0], [9, 9], [9, 0], [0, 9]]]}
SPOT = {"type": "Point", "coordinates": [1, 2]}

WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no collection": (
        lambda tree: tree.update(type="Feature"),
        'type = "Feature" is not valid. Write "Feat',
    ),
    "no type": (drop("type"), "not a saved battlefield"),
    "newer": (lambda tree: tree["printkit"].update(format=FORMAT + 1), "a newer printkit made it"),
    "no rules": (drop("rules"), "rules is missing"),
    "no board": (drop("board"), 'board is missing. Write an object such as {"width_mm"'),
    "no pace": (lambda tree: tree["board"].pop("pace_mm"), "board: pace_mm is missing. Write a length in millimetres"),
    "board of nothing": (
        lambda tree: tree["board"].update(width_mm=0),
        "board.width_mm = 0 is not valid. Write a length",
    ),
    "width as text": (
        lambda tree: tree["board"].update(width_mm="24in"),
        'board.width_mm = "24in" is not valid',
    ),
    "no features": (drop("features"), "features is missing"),
    "features no list": (
        lambda tree: tree.update(features={}),
        "features = {} is not valid. Write a list of up",
    ),
    "a feature no object": (
        lambda tree: tree.update(features=[3]),
        "features 1 = 3 is not valid. Write an object",
    ),
    "seed as text": (lambda tree: tree.update(seed="seven"), 'seed = "seven" is not valid. Write a whole number.'),
    "setting as number": (
        lambda tree: tree["settings"].update({"br-q20": 1}),
        "settings.br-q20 = 1 is not valid",
    ),
    "throw without answer": (
        lambda tree: tree["log"][0].pop("answer"),
        "log 1: answer is missing. Write text",
    ),
    "unknown kind": (
        put_property("z1", kind="volcano"),
        'features 4: properties.kind = "volcano" is not valid. Write one',
    ),
    "no kind": (
        lambda tree: by_id(tree, "z1")["properties"].pop("kind"),
        'kind is missing. Write one of "hill"',
    ),
    "unknown cover": (
        put_property("z5", cover="marsh"),
        'cover = "marsh" is not valid. Write one of "heavy_woods", "l',
    ),
    "unknown going": (put_property("z1", going="muddy"), "feature 'z1': unknown going 'muddy'; use one of good, bad"),
    "same id": (put("R1", id="D1"), "the id 'D1' belongs to an earlier feature"),
    "crosses itself": (
        put("z1", geometry=BOW_TIE),
        "feature 'z1': the outline is not a simple shape: Self-intersection",
    ),
    "open ring": (put("z1", geometry=OPEN), "is not closed"),
    "area as point": (put("z1", geometry=SPOT), "feature 'z1': the geometry is a Point; it must be a Polygon"),
    "course as polygon": (put("R1", geometry=OPEN), "feature 'R1': the geometry is a Polygon; it must be a LineString"),
    "course of a point": (
        put("R1", geometry={"type": "LineString", "coordinates": [[1, 1], [1, 1]]}),
        "a line needs at least two different points",
    ),
    "crossing as line": (
        put("X1", geometry={"type": "LineString", "coordinates": [[1, 1], [2, 1]]}),
        "feature 'X1': the geometry is a LineString; it must be a Point",
    ),
    "half a point": (
        put("X1", geometry={"type": "Point", "coordinates": [1]}),
        "coordinates = [1] is not valid. Write a point",
    ),
    "no geometry": (put("z1", geometry=None), "geometry = null is not valid. Write a shape such as"),
    "no width": (lambda tree: by_id(tree, "R1")["properties"].pop("width_mm"), "feature 'R1' needs its width"),
    "steep slope of nothing": (put_property("z5-steep-1", of="z9"), "features has no hill with that id"),
    "odd cells": (
        put_property("z1", cells=[[1, 2, 3]]),
        "cells 1 = [1, 2, 3] is not valid. Write [column, row].",
    ),
    "overlay of nonsense": (
        lambda tree: tree["overlays"][0].update(geometry={"type": "Blob", "coordinates": 3}),
        "overlays 1: its geometry is not a GeoJSON geometry",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_in_one_line(name: str):
    change, expected = WRONG[name]
    with pytest.raises(RecordError) as error:
        read(document(change), GOINGS)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "line 1: not valid JSON: Expecting property name"),
        ("[1, 2]", "the file must contain a JSON object, which begins with {"),
        ('{"seed": NaN}', "NaN is not a JSON number"),
    ],
)
def test_what_is_no_json_object_is_refused(text: str, expected: str):
    with pytest.raises(RecordError) as error:
        read(text, GOINGS)
    assert expected in str(error.value)
