"""What boards are looked at by: how full a picture is, and the places that are cut out to be read."""

import sys
import tarfile

import pytest
import shapely
from imports import ROOT
from msgspec.structs import replace
from PIL import Image, ImageDraw
from shapely import Point

from printkit.api import generate, load
from printkit.chance.streams import Jitter
from printkit.core import words
from printkit.drawing.canvas.items import Font, LayerName
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.map.labels import draw_disc
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.features import Crossing

sys.path.insert(0, str(ROOT / "tools" / "look"))

from country import largest_turn, parcel_share
from fullness import fill
from lettered import labels_of, lettered, lettered_board
from looked_at import OPEN, PLACES, places

_PAPER = "#EDE8CC"


def _board(colour: str, width: int = 900) -> Image.Image:
    picture = Image.new("RGB", (width, 900), _PAPER)
    ImageDraw.Draw(picture).rectangle((0, 0, width // 4 - 1, 899), fill=colour)
    return picture


@pytest.mark.parametrize(("colour", "plain", "faint"), [("#7C9B52", 0.25, 0.25), ("#DDD8BC", 0.0, 0.25)])
def test_a_quarter_of_a_board_that_is_covered_is_a_quarter(colour, plain, faint):
    found = fill(_board(colour))
    assert found.plain == pytest.approx(plain, abs=0.01)
    assert found.faint == pytest.approx(faint, abs=0.01)


def test_the_bare_circle_is_measured_in_depths_of_the_board_and_lines_are_no_ground():
    for width, circle in ((900, 0.75), (1800, 1.0)):
        assert fill(_board("#7C9B52", width)).circle == pytest.approx(circle, abs=0.05)
    picture = Image.new("RGB", (900, 900), _PAPER)
    pen = ImageDraw.Draw(picture)
    for x in range(0, 900, 40):
        pen.line((x, 0, x, 899), fill="black", width=2)
    assert fill(picture).plain == 0


def test_parcels_are_measured_by_their_ground_and_crossings_by_their_angle_to_the_road():
    field = generate("brantley", seed=14)
    assert parcel_share(field, "none") == 0.0
    assert parcel_share(field, "light") < 0.10 < 0.18 < parcel_share(field, "full")
    field = generate("brantley", seed=6)
    assert largest_turn(field) < 20.0
    crossing = next(feature for feature in field.record.battlefield.features if isinstance(feature, Crossing))
    turned = replace(crossing, bearing=crossing.bearing + 40.0)
    features = tuple(turned if feature is crossing else feature for feature in field.record.battlefield.features)
    battlefield = replace(field.record.battlefield, features=features)
    assert largest_turn(replace(field, record=replace(field.record, battlefield=battlefield))) > 30.0


def test_kept_boards_of_version_0_2_have_parcels_and_crossings_on_their_roads(tmp_path):
    # These boards are compared with pictures that were drawn by hand from the same records.
    with tarfile.open(ROOT / "tests" / "fixtures" / "look.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    fields = {path.stem: load(path) for path in sorted(tmp_path.glob("*.json"))}
    assert len(fields) == 9
    for name, field in fields.items():
        assert largest_turn(field) < 20.0, name
        if field.record.rules in ("brantley", "solo-dba") or name == "dba3-31":
            assert 0.18 <= parcel_share(field, "full") <= 0.40, name


def test_a_place_to_read_lies_on_what_its_answer_says():
    field = generate("dba3", seed=31)
    found = places(field, 31)
    areas = [
        (feature.kind.value, feature.outline)
        for feature in field.record.battlefield.features
        if hasattr(feature, "outline")
    ]
    assert len(found) == PLACES
    for place in found:
        on = {kind for kind, outline in areas if outline.covers(Point(place.x, place.y))}
        assert on <= set(place.kind.split(" + "))
        assert (place.kind == OPEN) <= (not on)
    assert {place.kind == OPEN for place in found} == {True, False}


def test_what_is_measured_of_labels_is_the_ground_of_their_type():
    drafter = Drafter.map(find_style("campaign"), words.find_words("en"), Jitter(1))
    name = drafter.text("Corvinum", (100.0, 50.0), drafter.type_style(Font.ROMAN, 25))
    items = [(LayerName.LABEL, item) for item in name] + [
        (LayerName.NUMBER, item) for item in draw_disc(7, (9, 9), drafter)
    ]
    number, town = labels_of(items)
    assert number.number
    assert shapely.hausdorff_distance(number.ground.centroid, Point(9, 9)) < 0.01
    left, low, right, high = town.ground.bounds
    assert town.text == "Corvinum"
    assert left == pytest.approx(100.0, abs=0.1)
    assert low < 50.0 < high
    assert 5 * (high - low) < right - left < 8 * (high - low)


# On these a road's end stood on a square to keep clear, a hill's name on a settlement, a town's name 8 mm off, a name
# on a cut that had another place, and the letters of a winding river in its water. Every place near the town of the
# third board is on a cut, which passes between two letters of its name.
@pytest.mark.parametrize(
    ("system", "seed", "cut"),
    [
        ("collision-course", 1, 0),
        ("portable-1", 8, 0),
        ("portable-1", 3, 1),
        ("portable-1", 2, 0),
        ("portable-2", 124, 0),
    ],
)
def test_no_label_stands_on_what_counts_and_none_is_cut_that_has_another_place(system, seed, cut):
    found = lettered(lettered_board(system, seed))
    assert found.labels > 2
    assert (found.over, found.signs, found.rows, found.guides, found.far) == (0, 0, 0, 0, 0)
    assert found.cut == cut
    assert found.left <= 1
