"""Cards with a picture: true sizes, clear edges, legible type, pictures of every kind, suits and goings told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path as FilePath

import pytest
import shapely
from card_deck import GOOD, HILL, SIZES, TEXT, bench, deck, layer, made, reach, said, texts
from msgspec.structs import replace
from signs_scene import shape

from printkit.content.cards import Art, Banner, Card, Index, Suit
from printkit.content.prose import Block, Bullets, Paragraph, Steps
from printkit.core import words
from printkit.core.errors import PageError, UsageError
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Font, Item, LayerName, Path, Rect, Text
from printkit.drawing.cards.art import build_field, picture
from printkit.drawing.cards.back import secret_back
from printkit.drawing.cards.faces import blank_faces, draw_front
from printkit.drawing.cards.layouts import find_size, named_sizes
from printkit.drawing.cards.parts import corner_index, going_banner, suit_items, suit_shape
from printkit.drawing.cards.text_card import card_text_styles
from printkit.drawing.lettering.extent import union_extents
from printkit.drawing.lettering.lettering import width
from printkit.terrain.field.features import Course, Crossing, Hill, Kind

HALF_A_RULE = 15
"""What a thin rule along the safe edge may stand over it, in hundredths of a millimetre."""


@pytest.mark.clause("BR-A01")
@pytest.mark.parametrize("size", SIZES)
def test_faces_are_exactly_as_large_as_the_card(size: str) -> None:
    plan = bench(size)
    sides = [side for face in made(deck(GOOD, TEXT), size, bleed=3.0) for side in (face.front, face.back)]
    measures = [(side.width, side.height) for side in sides if side is not None]
    assert measures == [(plan.size.width, plan.size.height)] * 4


@pytest.mark.parametrize("size", ["poker-63x88", "mini"])
def test_nothing_but_ground_and_border_is_nearer_the_cut_than_the_safe_edge(size: str) -> None:
    card = bench(size).size
    for face in made(deck(GOOD, HILL, TEXT), size):
        near = []
        for item in layer(face.front, LayerName.MARGIN):
            box = reach(item)
            edges = box.left, box.bottom, 100 * card.width - box.right, 100 * card.height - box.top
            near += [item] if min(edges) < 100 * card.safe - HALF_A_RULE else []
        # The outer rule of the border lies on the safe edge, so half its width is nearer.
        assert len(near) == (0 if face.id == "R16" else 1)
        assert all(isinstance(item, Path) and item.stroke and item.stroke.width > 0.6 for item in near)


def test_only_the_ground_runs_out_over_the_cut_by_the_bleed_and_an_edge_keeps_everything_off_it() -> None:
    for face in made(deck(GOOD, TEXT), bleed=3.0):
        boxes = [reach(item) for item in layer(face.front, LayerName.SHEET)]
        assert boxes[0] == (-300, -300, 6600, 9100)
        rest = [reach(item) for item in layer(face.front, LayerName.MARGIN)]
        assert min(min(box.left, box.bottom) for box in rest) > 250
    (face,) = made(deck(TEXT_ALONE, back_edge=4.0), bleed=3.0)
    assert face.back is not None
    assert layer(face.back, LayerName.SHEET) == ()
    edge = union_extents(reach(item) for item in layer(face.back, LayerName.MARGIN))
    assert min(edge.left, edge.bottom, 6300 - edge.right, 8800 - edge.top) >= 395


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
    for suit, found in shapes.items():
        assert found.bounds[3] - found.bounds[1] == pytest.approx(4.3), suit
        red = suit in (Suit.HEARTS, Suit.DIAMONDS)
        (plain,), (coloured,) = (
            suit_items(suit, 4.3, (0.0, 0.0), bench(manner=how)) for how in ("ink-saver", "campaign")
        )
        assert isinstance(plain, Path)
        assert isinstance(coloured, Path)
        assert (plain.fill is None) == red
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
    two = going_banner(Banner.BAD, "Bad going indeed · Terreno muy malo", 20.6, plan)
    assert going_banner(Banner.GOOD, "Good going", 20.6, plan).higher == 0
    assert two.higher > 2
    assert [item.content for item in two.items if isinstance(item, Text)] == ["BAD GOING INDEED", "TERRENO MUY MALO"]


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_is_a_picture(kind: Kind) -> None:
    field = build_field(Art((kind,)), 80, 70, fills=0.9)
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


@pytest.mark.parametrize("kind", [Kind.LIGHT_WOODS, Kind.MARSH, Kind.HILL])
def test_variants_differ_and_stay_in_the_window(kind: Kind) -> None:
    outlines = [
        next(iter(build_field(Art((kind,), variant=variant), 80, 70, fills=0.86).features)).outline  # type: ignore[union-attr]
        for variant in range(6)
    ]
    for number, outline in enumerate(outlines):
        assert shapely.box(-1, -1, 81, 71).covers(outline)
        assert all(outline.symmetric_difference(other).area > 0.02 * other.area for other in outlines[:number])
    bridge = Art((Kind.RIVER, Kind.BRIDGE))
    assert build_field(replace(bridge, variant=3), 80, 70, fills=0.9) == build_field(bridge, 80, 70, fills=0.9)


def test_kinds_are_shown_together() -> None:
    hill = next(iter(build_field(Art((Kind.HILL, Kind.FOREST, Kind.CLIFF)), 80, 70, fills=0.9).features))
    assert isinstance(hill, Hill)
    assert (hill.cover, [face.kind for face in hill.faces]) == (Kind.FOREST, [Kind.CLIFF])
    assert len(hill.contours) == 1
    upper = next(iter(build_field(Art((Kind.HILL,), levels=2), 80, 70, fills=0.9).features))
    assert isinstance(upper, Hill)
    assert len(upper.contours) == 2
    bridge = build_field(Art((Kind.RIVER, Kind.BRIDGE)), 80, 70, fills=0.9)
    assert sorted(feature.kind for feature in bridge.features) == [Kind.BRIDGE, Kind.RIVER, Kind.ROAD]
    ways = [feature.line for feature in build_field(Art((Kind.ROAD, Kind.STREAM)), 80, 70, fills=0.9).features]
    assert ways[0].crosses(ways[1])
    left, right = build_field(Art((Kind.MARSH, Kind.ROCKS)), 80, 70, fills=0.9).features
    assert left.outline.intersection(right.outline).area < 0.1 * right.outline.area


def test_lists_stand_below_a_picture_clear_of_the_indices_and_a_long_text_gets_room_and_no_more_than_it_must() -> None:
    plan = bench()
    windows = []
    for count in (1, 5, 10):
        card = Card(id="X", title="X", art=Art(()), blocks=(Paragraph("stony ground " * 4 * count),))
        windows.append(next(found.clip for found in draw_front(card, plan).layers if found.name is LayerName.PAPER))
    tops = {round(window.top, 6) for window in windows if isinstance(window, Rect)}
    first, second, third = (window.height for window in windows if isinstance(window, Rect))
    assert windows[0] == plan.terrain.picture
    assert first > second > third
    assert tops == {81.8}
    listed = Card(
        id="5C", title="Wood", index=Index("5", Suit.CLUBS), art=Art(()), blocks=(Bullets(("dense", "dark")),)
    )
    drawing = draw_front(listed, bench())
    low = min(text.at[1] for text in texts(drawing) if text.content in ("dense", "dark"))
    assert low > 10.9
    assert "dense dark" in said(drawing)


@pytest.mark.parametrize(
    ("card", "refusal"),
    [
        (Card(id="8C", title="Wood", art=Art(()), blocks=(Paragraph("all too many words " * 40),)), "card 8C is "),
        (Card(id="9C", title="Wood", art=Art(()), blocks=(Bullets(("words",) * 40),)), "card 9C is "),
        (Card(id="Q1", title="Q", face="nowhere"), "card Q1: there is no face 'nowhere'"),
    ],
)
def test_what_cannot_be_drawn_names_its_card(card: Card, refusal: str) -> None:
    with pytest.raises(PageError, match=refusal):
        draw_front(card, bench())


def test_copies_are_multiplied_out_and_pictures_drawn_once() -> None:
    found = made(deck(replace(GOOD, copies=3), replace(GOOD, id="9H")))
    assert [face.id for face in found] == ["10H", "10H", "10H", "9H"]
    pictures = [next(layer for layer in face.front.layers if layer.name is LayerName.PAPER) for face in found]
    assert all(picture is pictures[0] for picture in pictures)


# --- Sizes: those that have names, one's own, and what is refused -----------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "width", "height"),
    [
        ("", "poker-63x88", 63.0, 88.0),
        ("Poker-63x88", "poker-63x88", 63.0, 88.0),
        ("us-2.5x3.5in", "us-2.5x3.5in", 63.5, 88.9),
        ("mini", "mini", 44.0, 68.0),
        ("tarot", "tarot", 70.0, 120.0),
        ("60x92", "60x92", 60.0, 92.0),
        ("6 x 9.2cm", "60x92", 60.0, 92.0),
        ("2.75×4.75in", "69.85x120.65", 69.85, 120.65),
    ],
)
def test_a_size_is_found_by_its_name_or_read(text: str, name: str, width: float, height: float) -> None:
    size = find_size(text)
    assert (size.name, size.width, size.height, size.safe, size.bleed) == (name, width, height, 3.0, 0.0)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("bridge", "use one of poker-63x88, us-2.5x3.5in, mini, tarot, or a size in mm, for example 60x92"),
        ("20x30", "a card of 20 x 30 mm is not possible; it must be 40 to 210 mm wide and 55 to 210 mm high"),
        ("60x300", "a card of 60 x 300 mm is not possible"),
        ("63", "has no unit"),
    ],
)
def test_what_is_no_card_is_refused(text: str, refusal: str) -> None:
    with pytest.raises(UsageError, match=refusal):
        find_size(text)


@pytest.mark.parametrize("bleed", [-1.0, 11.0, float("nan")])
def test_what_is_no_bleed_is_refused(bleed: float) -> None:
    with pytest.raises(UsageError, match="use 0 to 10 mm"):
        find_size("mini", bleed=bleed)


def test_the_first_card_has_the_measures_of_the_cartography() -> None:
    layout = bench().terrain
    assert layout.picture == pytest.approx((6.2, 37.5, 50.6, 44.3))
    assert [(rule.inset, rule.radius, rule.line) for rule in layout.border] == [(3.0, 2.4, 0.62), (4.1, 1.6, 0.2)]
    assert layout.height_below_picture("name", "foot") == pytest.approx(30.6)
    assert layout.height_below_picture("banner", "bottom") == pytest.approx(20.6)
    assert layout.height_below_picture("text", "foot") == pytest.approx(16.9)
    assert bench().text.box == pytest.approx((3.0, 7.0, 57.0, 69.0))


@pytest.mark.parametrize("size", [*named_sizes(), *SIZES, "148x105", "40x55", "210x55", "210x210"])
def test_every_size_has_room_for_all_parts(size: str) -> None:
    plan = bench(size)
    layout, text = plan.terrain, plan.text
    picture = layout.picture
    assert picture.height > 8
    assert picture.x > layout.border[-1].inset
    assert picture.top < plan.size.height - layout.border[-1].inset
    assert layout.height_below_picture("text", "foot") > layout.number("text", "lowest")
    assert text.box.y == pytest.approx(text.foot.top)
    assert text.box.top == pytest.approx(text.band.y)
    assert text.box.height > 20


# --- The secret back: the same on every card and upside down, and nothing on it that tells a card ---------------------


Points = tuple[tuple[int, int], ...]
TEXT_ALONE = replace(TEXT, back=())


def turned(points: Points, drawing: Drawing) -> Points:
    """Return points turned by half about the middle of a drawing, on its grid."""
    across, up = round(drawing.width * 100), round(drawing.height * 100)
    return tuple((across - x, up - y) for x, y in points)


def same_ring(points: Points, closed: bool) -> Points:
    """Return points in an order that does not depend on where a closed run begins."""
    first = points.index(min(points)) if closed else 0
    return points[first:] + points[:first]


def described(item: Item, drawing: Drawing, *, upside_down: bool) -> object:
    """Return what an item looks like, as the drawing lies or turned by half."""
    if isinstance(item, Text):
        places = item.glyphs or ((*item.at, item.angle),)
        if upside_down:
            places = tuple((drawing.width - x, drawing.height - y, angle + 180) for x, y, angle in places)
        spots = tuple((round(x, 3), round(y, 3), round(angle % 360, 3) % 360) for x, y, angle in places)
        return item.content, item.size_pt, item.font, item.ink, spots
    assert isinstance(item, Path)
    found = []
    for run in item.runs:
        points = tuple(zip(run.points[::2], run.points[1::2], strict=True))
        found.append((same_ring(turned(points, drawing) if upside_down else points, run.closed), run.closed))
    return frozenset(found), item.fill, item.stroke


@pytest.mark.clause("BR-M04")
@pytest.mark.parametrize("size", SIZES)
def test_the_back_is_unchanged_by_a_half_turn(size: str) -> None:
    back = secret_back(bench(size, lang="en+es" if size == "poker-63x88" else "en"))
    items = [item for _, item in back.items()]
    as_it_lies = Counter(described(item, back, upside_down=False) for item in items)
    assert as_it_lies == Counter(described(item, back, upside_down=True) for item in items)
    assert len(items) > 15


@pytest.mark.clause("BR-M04")
@pytest.mark.parametrize("manner", ["campaign", "ink-saver", "high-contrast"])
def test_all_cards_have_one_back_whatever_they_show(manner: str) -> None:
    faces = made(deck(HILL if manner == "campaign" else TEXT_ALONE, GOOD), manner=manner)
    others = made(deck(TEXT_ALONE, name="other", title="Other"), manner=manner)
    assert {face.back for face in (*faces, *others)} == {faces[0].back}
    assert faces[0].back is not None


@pytest.mark.clause("BR-M04")
def test_the_back_names_no_card_and_its_words_are_those_of_the_language() -> None:
    back = secret_back(bench())
    assert said(back).split() == ["HIDDEN", "GROUND", "HIDDEN", "GROUND"]
    inks = {item.fill for _, item in back.items() if isinstance(item, Path)}
    assert bench().drafter.style.solid("side-red") not in inks
    assert len(Suit) == 4
    assert said(secret_back(bench(lang="es"))) == "TERRENO OCULTO TERRENO OCULTO"
    both = said(secret_back(bench(lang="en+es")))
    assert both == "HIDDEN GROUND HIDDEN GROUND TERRENO OCULTO TERRENO OCULTO"
    assert said(secret_back(bench("mini", lang="en+es"))) == "HIDDEN GROUND HIDDEN GROUND"
    assert min(text.size_pt for text in texts(secret_back(bench("mini")))) >= 7


def test_ink_is_saved_by_drawing_lines_alone_and_every_fifth_contour_is_heavier() -> None:
    plain, saved = secret_back(bench()), secret_back(bench(manner="ink-saver"))
    panel = next(item for item in layer(plain, LayerName.MARGIN) if isinstance(item, Path))
    line = next(item for item in layer(saved, LayerName.MARGIN) if isinstance(item, Path))
    assert panel.runs == line.runs
    assert panel.fill is not None
    assert line.fill is None
    assert layer(saved, LayerName.SHEET) == ()
    widths = [item.stroke.width for _, item in secret_back(bench()).items() if isinstance(item, Path) and item.stroke]
    assert {0.17, 0.34} <= set(widths)


# --- Cards of text: the largest type in which they fit, what does not fit, cards to write on --------------------------


CAPACITIES = FilePath(__file__).parents[3] / "docs" / "dev" / "map-quality.md"
SAMPLE = "Groups in bad going halt at its edge unless the general is with them; then they go on by 200 paces."
"""English as it stands on cards, to count how many letters a line has."""


def one_liners(count: int) -> tuple[Block, ...]:
    """Return so many blocks of one line without gaps."""
    return (Steps(("word",) * count),)


def size_of_text(drawing: Drawing) -> float:
    return next(text.size_pt for text in texts(drawing) if text.content == "word")


@pytest.mark.parametrize(("count", "size_pt"), [(4, 8.0), (18, 8.0), (19, 7.5), (20, 7.0), (22, 7.0)])
def test_text_is_set_in_the_largest_type_in_which_it_fits_and_larger_on_a_larger_card(
    count: int, size_pt: float
) -> None:
    assert size_of_text(draw_front(Card(id="R1", title="R", blocks=one_liners(count)), bench())) == size_pt
    few = Card(id="R1", title="R", blocks=one_liners(3))
    assert size_of_text(draw_front(few, bench("tarot"))) == pytest.approx(8 * 70 / 63)


@pytest.mark.parametrize("side", ["front", "back"])
def test_what_does_not_fit_runs_on_and_each_part_says_which_it_is(side: str) -> None:
    """No word is lost, and every side has the same frame."""
    numbers = [f"word{number}" for number in range(11 * 40)]
    blocks = (Paragraph(" ".join(numbers)),)
    card = Card(id="R7", title="R", blocks=blocks) if side == "front" else Card(id="R7", title="R", back=blocks)
    cards = made(deck(card, backs="content"))
    sides = [shown for face in cards for shown in (face.front, face.back) if shown is not None]
    told = [word for shown in sides for text in texts(shown) for word in text.content.split() if "word" in word]
    assert sorted(told) == sorted(numbers)
    assert [face.id for face in cards] == ["R7"] * len(cards)
    parts = sum("of" in said(shown) for shown in sides)
    assert parts == len([shown for shown in sides if any("word" in text.content for text in texts(shown))]) > 1


def test_what_runs_on_is_not_shuffled_in_among_cards_with_a_secret_back() -> None:
    """Each card stays one card; its other part lies aside, with a white back, once for all that say the same."""
    long = (Paragraph(" ".join(["word"] * 11 * 40)),)
    same = [Card(id=name, title="R", blocks=long) for name in "AB"]
    cards = made(deck(*same, Card(id="C", title="S"), backs="secret"))
    assert [face.id for face in cards[:3]] == ["A", "B", "C"]
    assert all(face.back is not None for face in cards[:3])
    assert {face.id for face in cards[3:]} == {"A"}
    assert all(face.back is None for face in cards[3:])


def test_title_index_and_foot_stand_on_the_card() -> None:
    card = replace(TEXT, index=Index("K", Suit.HEARTS), banner=(Banner.BAD, "Bad going"))
    drawing = draw_front(card, bench())
    for text in ("Aggression", "K", "R16", "1 of 2", "BAD GOING", "Throw."):
        assert text in said(drawing)
    foot = next(text for text in texts(drawing) if text.content == "R16")
    assert (foot.size_pt, foot.at) == (7.0, (3.0, 3.0))


def test_a_title_of_two_languages_shrinks_and_then_parts() -> None:
    short = draw_front(replace(TEXT, title="Level · Nivel"), bench())
    long = draw_front(replace(TEXT, title="The aggression of the general · La agresividad del general"), bench())
    capitals = [
        [text for text in texts(side) if text.font is Font.SMALL_CAPITALS and text.at[1] > 76] for side in (short, long)
    ]
    assert [text.content for text in capitals[0]] == ["Level · Nivel"]
    assert [text.content for text in capitals[1]] == ["The aggression of the general", "La agresividad del general"]
    assert capitals[1][0].size_pt < capitals[0][0].size_pt


@pytest.mark.parametrize("art", [None, Art(())])
def test_a_title_or_a_foot_that_is_too_long_is_refused(art: Art | None) -> None:
    title = "The Aggression of the Most Excellent General and of all his Officers · La agresividad"
    with pytest.raises(PageError, match=r"^card R16: the title 'The .*' does not fit in \d+ mm on two lines at 7 pt"):
        draw_front(Card(id="R16", title=title + " de todos los oficiales", art=art), bench())
    with pytest.raises(PageError, match=r"card R16: the footer 'once.*' is too long; only \d+ mm are free at 7 pt"):
        draw_front(replace(TEXT, foot="once and again " * 8), bench())


def test_backs_are_what_the_deck_says() -> None:
    secret, content, none = (made(deck(TEXT, GOOD, backs=backs)) for backs in ("secret", "content", "none"))
    told = [said(face.back) for face in (secret[0], *content) if face.back is not None]
    assert ["Odds." in text for text in told] == [True, True, False]
    assert "Aggression" in told[1]
    assert "10H" in told[2]
    assert none[0].back is none[1].back is None


@pytest.mark.parametrize("size", ["poker-63x88", "mini"])
def test_cards_to_write_on_are_ruled_and_have_the_back_of_the_deck(size: str) -> None:
    manner, language, card = style.find("campaign"), words.find_words("es"), find_size(size)
    found = blank_faces(3, card, style=manner, words=language, deck=deck(GOOD))
    assert len(found) == 3
    assert found[0].back == made(deck(GOOD), size, lang="es")[0].back
    assert blank_faces(1, card, style=manner, words=language, deck=deck(GOOD, backs="none"))[0].back is None
    ruled = blank_faces(1, card, style=manner, words=language, deck=deck(TEXT, backs="content"))[0]
    assert ruled.back == ruled.front
    assert said(ruled.front) == ""
    assert len(layer(ruled.front, LayerName.MARGIN)) > 5
    with pytest.raises(PageError, match="-1 blank cards"):
        blank_faces(-1, card, style=manner, words=language)


def test_the_capacities_of_the_docs_are_those_of_the_cards() -> None:
    table = CAPACITIES.read_text(encoding="utf-8")
    for name in named_sizes():
        assert capacity_row(name) in table, capacity_row(name)


def capacity_row(name: str) -> str:
    """Return the row of the docs for a size: lines x letters in each type that is tried at full leading."""
    plan = bench(name)
    box = plan.text.box
    cells = []
    for how in card_text_styles(plan)[-4:-1]:
        letters = box.width * len(SAMPLE) / width(SAMPLE, how.text.font, how.text.size_pt)
        cells.append(f"{int(box.height / how.row_height() + 1e-6)} × {int(letters)}")
    return f"| `{name}` | {box.width:g} × {box.height:.4g} | {' | '.join(cells)} |"


def test_a_card_of_text_stays_as_it_was(golden: Callable[[Drawing, str], None]) -> None:
    card = Card(id="R2", title="Level", blocks=(Paragraph("Throw **one** die."),), foot="2")
    golden(draw_front(card, bench("mini", manner="ink-saver")), "card-text")
