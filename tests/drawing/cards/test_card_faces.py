"""Cards with a picture: true sizes, clear edges, legible type, pictures of every kind, suits and goings told apart."""

from __future__ import annotations

import pytest
import shapely
from card_deck import GOOD, HILL, SIZES, TEXT, bench, deck, layer, made, reach, said, texts
from msgspec.structs import replace
from signs_scene import shape

from printkit.content.cards import Art, Banner, Card, Index, Suit
from printkit.content.prose import Bullets, Paragraph
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import LayerName, Path, Rect, Text
from printkit.drawing.cards.art import field_of, picture
from printkit.drawing.cards.faces import front
from printkit.drawing.cards.parts import going_banner
from printkit.drawing.cards.suits import corner_index, suit_items, suit_shape
from printkit.terrain.field.features import Course, Crossing, Hill, Kind

HALF_A_RULE = 15
"""What a thin rule along the safe edge may stand over it, in hundredths of a millimetre."""


@pytest.mark.clause("BR-A01")
@pytest.mark.parametrize("size", SIZES)
def test_faces_are_exactly_as_large_as_the_card(size: str) -> None:
    plan = bench(size)
    for face in made(deck(GOOD, TEXT), size, bleed=3.0):
        assert (face.front.width, face.front.height) == (plan.size.width, plan.size.height)
        assert face.back is not None
        assert (face.back.width, face.back.height) == (plan.size.width, plan.size.height)


@pytest.mark.parametrize("size", ["poker-63x88", "mini"])
def test_nothing_but_ground_and_border_is_nearer_the_cut_than_the_safe_edge(size: str) -> None:
    plan = bench(size)
    safe = 100 * plan.size.safe - HALF_A_RULE
    for face in made(deck(GOOD, HILL, TEXT), size):
        near = []
        for item in layer(face.front, LayerName.MARGIN):
            box = reach(item)
            beyond = (
                min(box.left, box.bottom, 100 * plan.size.width - box.right, 100 * plan.size.height - box.top) < safe
            )
            near += [item] if beyond else []
        # The outer rule of the border lies on the safe edge, so half its width is nearer.
        assert len(near) == (0 if face.id == "R16" else 1)
        assert all(isinstance(item, Path) and item.stroke and item.stroke.width > 0.6 for item in near)


def test_only_the_ground_runs_out_over_the_cut_by_the_bleed() -> None:
    for face in made(deck(GOOD, TEXT), bleed=3.0):
        boxes = [reach(item) for item in layer(face.front, LayerName.SHEET)]
        assert boxes[0] == (-300, -300, 6600, 9100)
        rest = [reach(item) for item in layer(face.front, LayerName.MARGIN)]
        assert min(min(box.left, box.bottom) for box in rest) > 250


@pytest.mark.parametrize(
    ("size", "lang"), [("poker-63x88", "en+es"), ("mini", "en"), ("mini", "en+es"), ("90x60", "en")]
)
def test_no_type_is_smaller_than_seven_points(size: str, lang: str) -> None:
    for face in made(deck(GOOD, HILL, TEXT), size, lang=lang):
        for side in (face.front, face.back):
            assert side is not None
            assert min(text.size_pt for text in texts(side)) >= 7 - 1e-9


@pytest.mark.clause("BR-A01")
def test_rank_and_suit_stand_in_opposite_corners() -> None:
    plan = bench()
    items = corner_index(Index("K", Suit.SPADES), plan)
    ranks = [item for item in items if isinstance(item, Text)]
    suits = [shape(item).centroid for item in items if isinstance(item, Path)]
    assert [text.content for text in ranks] == ["K", "K"]
    assert ranks[0].at[1] == pytest.approx(77.1, abs=0.01)
    assert [text.angle for text in ranks] == [0.0, 180.0]
    assert ranks[1].at == pytest.approx((63 - ranks[0].at[0], 88 - ranks[0].at[1]))
    assert (suits[0].x + suits[1].x, suits[0].y + suits[1].y) == pytest.approx((63, 88), abs=0.01)
    assert (suits[0].x, suits[0].y) == pytest.approx((54.6, 78.6), abs=0.35)


def test_suits_differ_in_shape_and_where_there_is_no_colour_in_fill() -> None:
    shapes = {suit: suit_shape(suit, 4.3, (0.0, 0.0)) for suit in Suit}
    for suit, other in ((suit, other) for suit in Suit for other in Suit if suit < other):
        apart = shapely.symmetric_difference(shapes[suit], shapes[other]).area
        assert apart > 0.2 * min(shapes[suit].area, shapes[other].area)
    for suit, high in ((suit, found.bounds[3] - found.bounds[1]) for suit, found in shapes.items()):
        assert high == pytest.approx(4.3), suit
    plain = bench(manner="ink-saver")
    for suit in Suit:
        (item,) = suit_items(suit, 4.3, (0.0, 0.0), plain)
        assert isinstance(item, Path)
        assert (item.fill is None) == (suit in (Suit.HEARTS, Suit.DIAMONDS))
        (coloured,) = suit_items(suit, 4.3, (0.0, 0.0), bench())
        assert isinstance(coloured, Path)
        red = suit in (Suit.HEARTS, Suit.DIAMONDS)
        assert coloured.fill == bench().drafter.style.solid("side-red" if red else "ink")


def test_goings_are_told_by_word_fill_and_pattern() -> None:
    plain = bench(manner="ink-saver")
    told = {}
    for kind in Banner:
        items = going_banner(kind, "Going", 20.6, plain).items
        plate = next(item for item in items if isinstance(item, Path))
        word = next(item for item in items if isinstance(item, Text))
        pattern = sum(len(item.runs) for item in items if isinstance(item, Path)) - 2
        told[kind] = (plate.fill, word.ink, pattern)
        assert word.content == "GOING"
    assert len(set(told.values())) == 4
    assert told[Banner.GOOD][2] == told[Banner.IMPASSABLE][2] == 0
    assert told[Banner.DIE][2] == 10
    assert told[Banner.BAD][2] > 10


def test_a_banner_too_long_for_a_row_has_a_row_for_each_language() -> None:
    plan = bench("mini")
    one = going_banner(Banner.GOOD, "Good going", 20.6, plan)
    two = going_banner(Banner.BAD, "Bad going indeed · Terreno muy malo", 20.6, plan)
    assert one.higher == 0
    assert two.higher > 2
    assert [item.content for item in two.items if isinstance(item, Text)] == ["BAD GOING INDEED", "TERRENO MUY MALO"]


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_is_a_picture(kind: Kind) -> None:
    field = field_of(Art((kind,)), 80, 70, fills=0.9)
    assert field.features
    bounds = shapely.union_all([_shape(feature) for feature in field.features]).bounds
    assert bounds[0] < 80
    assert bounds[2] > 0
    assert bounds[2] - bounds[0] > 80 * 0.2


def _shape(feature: object) -> shapely.Geometry:
    if isinstance(feature, Course):
        return feature.line
    return feature.at if isinstance(feature, Crossing) else feature.outline  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "kinds",
    [
        (),
        (Kind.POOL,),
        (Kind.HILL, Kind.STEEP_SLOPE, Kind.LIGHT_WOODS),
        (Kind.STREAM, Kind.TRACK),
        (Kind.FORD,),
        (Kind.PLOUGH, Kind.SCRUB),
    ],
)
def test_a_picture_is_drawn_on_one_layer_and_cut_to_its_window(kinds: tuple[Kind, ...]) -> None:
    plan = bench(manner="ink-saver")
    drawn = picture(Art(kinds), plan)
    assert drawn.clip == plan.terrain.picture
    assert len(drawn.items) > 1
    assert picture(Art(kinds), plan) is drawn


def test_kinds_are_shown_together() -> None:
    hill = next(iter(field_of(Art((Kind.HILL, Kind.FOREST, Kind.CLIFF)), 80, 70, fills=0.9).features))
    assert isinstance(hill, Hill)
    assert (hill.cover, [face.kind for face in hill.faces]) == (Kind.FOREST, [Kind.CLIFF])
    assert len(hill.contours) == 1
    upper = next(iter(field_of(Art((Kind.HILL,), levels=2), 80, 70, fills=0.9).features))
    assert isinstance(upper, Hill)
    assert len(upper.contours) == 2
    bridge = field_of(Art((Kind.RIVER, Kind.BRIDGE)), 80, 70, fills=0.9)
    assert sorted(feature.kind for feature in bridge.features) == [Kind.BRIDGE, Kind.RIVER, Kind.ROAD]
    ways = [feature.line for feature in field_of(Art((Kind.ROAD, Kind.STREAM)), 80, 70, fills=0.9).features]
    assert ways[0].crosses(ways[1])
    left, right = field_of(Art((Kind.MARSH, Kind.ROCKS)), 80, 70, fills=0.9).features
    assert left.outline.intersection(right.outline).area < 0.1 * right.outline.area


def test_a_picture_gives_room_to_a_long_text_and_no_more_than_it_must() -> None:
    plan = bench()
    windows = []
    for count in (1, 5, 10):
        card = Card(id="X", title="X", art=Art(()), blocks=(Paragraph("stony ground " * 4 * count),))
        windows.append(next(found.clip for found in front(card, plan).layers if found.name is LayerName.PAPER))
    tops = {round(window.top, 6) for window in windows if isinstance(window, Rect)}
    first, second, third = (window.height for window in windows if isinstance(window, Rect))
    assert windows[0] == plan.terrain.picture
    assert first > second > third
    assert tops == {81.8}


@pytest.mark.parametrize(
    ("card", "said_"),
    [
        (Card(id="8C", title="Wood", art=Art(()), blocks=(Paragraph("all too many words " * 40),)), "card 8C has "),
        (Card(id="9C", title="Wood", art=Art(()), blocks=(Bullets(("words",) * 40),)), "card 9C has "),
        (Card(id="Q1", title="Q", face="nowhere"), "card Q1: no face is called 'nowhere'"),
    ],
)
def test_what_cannot_be_drawn_names_its_card(card: Card, said_: str) -> None:
    with pytest.raises(PageError, match=said_):
        front(card, bench())


def test_lists_stand_below_a_picture_clear_of_the_indices() -> None:
    card = Card(id="5C", title="Wood", index=Index("5", Suit.CLUBS), art=Art(()), blocks=(Bullets(("dense", "dark")),))
    drawing = front(card, bench())
    low = min(text.at[1] for text in texts(drawing) if text.content in ("dense", "dark"))
    assert low > 10.9
    assert "dense dark" in said(drawing)


def test_copies_are_multiplied_out_and_pictures_drawn_once() -> None:
    found = made(deck(replace(GOOD, copies=3), replace(GOOD, id="9H")))
    assert [face.id for face in found] == ["10H", "10H", "10H", "9H"]
    pictures = [next(layer for layer in face.front.layers if layer.name is LayerName.PAPER) for face in found]
    assert all(picture is pictures[0] for picture in pictures)
