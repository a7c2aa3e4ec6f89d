"""The sheets of the card system as they are printed: sizes, what stands on them, and what shines through."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from msgspec.structs import replace
from playing import rules
from reading import Outline, opened, outlines, texts
from shapely import box as oblong
from telling_words import told

from printkit.core.errors import PageError
from printkit.core.words import Words, find_words
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import LayerName, Rect, Text
from printkit.export.pdf import data
from printkit.options.printing import PrintOptions
from printkit.page import sheet as sheets
from printkit.page.sheet import Document, Flip, Page
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.systems.brantley.dealing.cards import PACK, read_card
from printkit.systems.brantley.dealing.closed_game import game_name
from printkit.systems.brantley.dealing.deal import Deal, HiddenZone, deal_hands
from printkit.systems.brantley.dealing.decks import build_face, describe_card
from printkit.systems.brantley.dealing.facts import HillDice, Seal
from printkit.systems.brantley.dealing.readers import (
    CourseAccount,
    HandSheet,
    HiddenBoard,
    NinthSheet,
    RevealedGame,
    TurnedZone,
    build_hand_sheet,
    build_ninth_sheet,
)
from printkit.systems.brantley.sheets.documents import (
    build_board_document,
    build_form_document,
    build_hand_document,
    build_hidden_document,
    build_ninth_document,
    build_reveal_document,
)
from printkit.systems.brantley.sheets.secret import draw_hand_sides, draw_ninth_sides
from printkit.systems.brantley.sheets.zone_board import who
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.record import Record

FIRST = ["KS", "7H", "9C", "2D", "QC", "3S", "10H", "JS", "5C"]
PLAIN = ["2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "10H"]
OTHERS = ["AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D"]
"""Cards of good going alone: their pictures are drawn in a moment."""

SALT = "0" * 32
COMMITMENT = "7f00000100000000a5a5a5a5deadbeef"
SEAL = Seal(game=game_name(COMMITMENT), commitment=COMMITMENT)
LEAST_PT = 6.4
"""Figures in small type are set at nine tenths of it."""

every_paper = pytest.mark.parametrize("sheet", ["a4", "letter"])


def order(sheet: str = "a4", language: str = "en") -> SheetContext:
    return print_context(PrintOptions(sheet=sheet, style="ink-saver"), find_words(language))


def pack(codes: list[str]) -> list[str]:
    return [*codes, *(str(card) for card in PACK if str(card) not in codes)]


def dealt(codes: list[str]) -> Deal:
    return deal_hands([read_card(code) for code in pack(codes)])


def hand(codes: list[str], words: Words, player: str = "A") -> HandSheet:
    """Return the hand of a pack that begins with these cards, its seal that of the first pack."""
    return build_hand_sheet(dealt(codes), player, "A", seal=SEAL, rules=rules(), words=words)


def ninth(codes: list[str], words: Words) -> NinthSheet:
    return build_ninth_sheet(dealt(codes), seal=SEAL, rules=rules(), words=words)


def complete() -> HiddenBoard:
    zones = [HiddenZone(zone, "AB"[(zone + 1) % 2], zone) for zone in range(1, 9)]
    return HiddenBoard(zones=(*zones, HiddenZone(9, "", None)), blind=9, seal=SEAL)


def turned(words: Words) -> RevealedGame:
    def zone(number: int, code: str) -> TurnedZone:
        card = read_card(code)
        blind = number == 9
        return TurnedZone(
            zone=number,
            card=build_face(card, rules(), words),
            becomes=describe_card(card, rules(), words),
            placed_by="" if blind else "AB"[(number + 1) % 2],
            turn=None if blind else number,
            is_blind=blind,
            turned_by="B" if code[-1] in "SC" else "",
            dice=HillDice(slope=4, modified=5, woods=2) if code == "JS" else None,
        )

    return RevealedGame(
        title="",
        zones=tuple(zone(number, code) for number, code in enumerate(FIRST, 1)),
        courses=(CourseAccount(id="r1", name="The Alder", account="River die 1: one river."),),
        deploys_first="A",
        moves_first="B",
        order=(3, 3, 2, 5),
        pack=tuple(pack(FIRST)),
        seal=SEAL,
        salt=SALT,
    )


@cache
def hand_of(player: str = "A", sheet: str = "a4", language: str = "en") -> Document:
    how = order(sheet, language)
    return build_hand_document(hand(PLAIN, how.words, player), how)


@cache
def last_of(sheet: str = "a4", language: str = "en") -> Document:
    how = order(sheet, language)
    return build_ninth_document(ninth(PLAIN, how.words), how)


def strokes(document: Document, number: int = 0) -> list[Outline]:
    with opened(data(document)) as made:
        return list(outlines(made.pages[number]))


def sized(found: list[Outline], width: float, height: float) -> list[Outline]:
    return [each for each in found if abs(each.size[0] - width) < 0.011 and abs(each.size[1] - height) < 0.011]


def tints(page: Page) -> list[Rect]:
    """Return the rectangles of a page that the pattern of a tint fills."""
    (placed,) = page.placements
    found = [layer.clip for layer in placed.drawing.layers if layer.name is LayerName.GROUND_PATTERN and layer.items]
    at = placed.transform
    # The pictures of cards are cut to their windows too, which are much smaller.
    rects = [clip for clip in found if isinstance(clip, Rect) and clip.width > 63.0]
    return [rect._replace(x=rect.x + at.e, y=rect.y + at.f) for rect in rects]


# --- Zone board and record form ---------------------------------------------------------------------------------------


@every_paper
@pytest.mark.clause("BR-A02")
def test_nine_whole_cards_lie_on_the_zone_board_with_boxes_beside_them(sheet: str) -> None:
    found = strokes(build_board_document(order(sheet)))
    places = [each for each in found if 63.0 <= each.size[0] < 64.0 and 88.0 <= each.size[1] < 89.0]
    assert len(places) == 9
    assert len({(round(each.left, 1), round(each.bottom, 1)) for each in places}) == 9
    boxes = [each for each in found if min(each.size) >= 4.0 and max(each.size) < 20.0]
    assert len(boxes) == 18
    assert not any(
        place.left < box.right - 0.1
        and box.left < place.right - 0.1
        and place.bottom < box.top - 0.1
        and box.bottom < place.top - 0.1
        for box in boxes
        for place in places
    )
    wide, high = sheets.named_sheets()[sheet]
    assert min(min(each.left, each.bottom) for each in found) >= 4.99
    assert max(each.right for each in found) <= wide - 4.99
    assert max(each.top for each in found) <= high - 4.99


@pytest.mark.parametrize(("sheet", "language"), [("a4", "en"), ("letter", "es"), ("letter", "en+es")])
@pytest.mark.clause("BR-A02", "BR-A04", "BR-A05", "BR-A06", "BR-A08")
def test_every_sheet_is_one_page_or_two_and_can_be_read(sheet: str, language: str) -> None:
    how = order(sheet, language)
    made = {
        1: [build_board_document(how), build_form_document(how, rules()), build_hidden_document(complete(), how)],
        2: [hand_of("A", sheet, language), last_of(sheet, language)],
    }
    for count, documents in made.items():
        for document in documents:
            assert len(document.pages) == count
            # The cards on a page are drawn elsewhere, at another scale.
            kept = [each.drawing for page in document.pages for each in page.placements if each.transform.a == 1.0]
            assert min(text.size_pt for each in kept for _, text in each.items() if isinstance(text, Text)) >= LEAST_PT


@pytest.mark.clause("BR-A04")
def test_the_form_has_eight_turns_a_sketch_and_the_dice_in_their_order() -> None:
    (text,) = texts(data(build_form_document(order(), rules())))
    parts = ["First to place", "Hills, zone by zone", "Rivers", "Roads", "Crossings", "Deployment order"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert all(part in text for part in ("Turn", "Player", "Zone", "Card", "slope", "woods", "Player A’s edge"))
    squares = sized(strokes(build_form_document(order(), rules())), 8.6, 8.6)
    # A roll-off has three boxes a player: the first throw, and two more for equal scores.
    assert len(squares) == 6 + 18 + 2 * (1 + 6) + 6 + 6


@pytest.mark.clause("BR-A02", "BR-A05")
def test_paper_that_is_too_small_is_refused_in_one_line() -> None:
    how = order("148x210mm")
    for make in (
        lambda: build_board_document(how),
        lambda: build_hand_document(hand(PLAIN, how.words), how),
        lambda: build_hidden_document(complete(), order("100x140mm")),
    ):
        with pytest.raises(PageError, match=r"\A.*use larger paper.*\Z"):
            make()


# --- Hand and ninth card ----------------------------------------------------------------------------------------------


@every_paper
@pytest.mark.clause("BR-A05")
def test_the_four_cards_of_a_hand_are_cut_at_the_size_of_the_deck(sheet: str) -> None:
    document = hand_of("A", sheet)
    cards = sized(strokes(document, 1), 63.0, 88.0)
    assert len([each for each in cards if each.width < 0.13]) == 4
    lefts = sorted(each.left for each in cards if each.width < 0.13)
    assert [round(right - left, 2) for left, right in pairwise(lefts)] == [63.0] * 3
    # Folded on the middle, no card is creased.
    assert lefts[2] == pytest.approx(document.pages[1].sheet.width / 2, abs=0.02)


@pytest.mark.clause("BR-A05", "BR-Q25")
def test_a_hand_says_whose_it_is_what_each_card_becomes_and_has_a_log_and_a_map() -> None:
    lake = hand([*OTHERS[:4], "QC", *PLAIN[:4]], find_words("en"), "B")
    cover, inside = texts(data(build_hand_document(lake, order())))
    parts = ("The Hand of Player B", "For player B only", "fold", "Game ", "commitment", "Player A places the first")
    assert [part for part in parts if part not in cover] == []
    for part in ("b1", "b4", "Queen of clubs: lake, impassable", "Three of hearts", "Your turns", "Turn", "Zone"):
        assert part in inside
    assert told(cover) == set()
    rows = " ".join(inside.split())
    assert rows.index("Player A’s edge") < rows.index("Player B’s edge")
    own = " ".join(texts(data(hand_of("A")))[1].split())
    assert own.index("Player B’s edge") < own.index("Player A’s edge")


@pytest.mark.clause("BR-A05", "BR-A06", "BR-M12")
def test_a_cover_is_drawn_without_its_cards() -> None:
    drafter = order().drafter
    for sides, sheet in ((draw_hand_sides, hand), (draw_ninth_sides, ninth)):
        covers = [sides(sheet(codes, drafter.words), 277.0, 190.0, drafter)[0] for codes in (PLAIN, OTHERS)]
        assert covers[0] == covers[1]


@pytest.mark.parametrize("large", [False, True])
def test_who_is_who_stands_on_a_hand_unless_large_print_in_two_languages_leaves_it_no_room(large: bool) -> None:
    how = print_context(PrintOptions(large_print=large), find_words("en+es"), None)
    for document in (
        build_hand_document(hand(PLAIN, how.words), how),
        build_ninth_document(ninth(PLAIN, how.words), how),
    ):
        said = [
            [item.content for each in page.placements for _, item in each.drawing.items() if isinstance(item, Text)]
            for page in document.pages
        ]
        assert all(any("dashed lines, far edge" in text for text in page) is not large for page in said) or large


@every_paper
@pytest.mark.clause("BR-A05", "BR-A06")
def test_a_tint_lies_behind_every_card_and_before_the_ninth(sheet: str) -> None:
    lying = sheets.find_sheet(sheet).rotated()
    for document, count in ((hand_of("A", sheet), 4), (last_of(sheet), 1)):
        cover, inside = document.pages
        assert document.flip is Flip.SHORT_EDGE
        assert [cover.back, inside.back] == [False, True]
        cards = [each for each in sized(strokes(document, 1), 63.0, 88.0) if each.width < 0.13]
        assert len(cards) == count
        (behind,) = tints(cover)
        before = tints(inside)
        assert len(before) == (1 if count == 1 else 0)
        for card in cards:
            # Turned over like the page of a book, or folded on the middle: what is at the left comes to the right.
            for tint in (behind, *before):
                assert tint.x <= lying.width - card.right
                assert lying.width - card.left <= tint.right
                assert tint.y <= card.bottom
                assert card.top <= tint.top


@pytest.mark.clause("BR-A06")
def test_the_sealed_sheet_has_its_rule_its_box_and_behind_them_the_card() -> None:
    cover, inside = texts(data(build_ninth_document(ninth(FIRST, find_words("en")), order())))
    parts = (
        "The Ninth Card",
        "Seal this sheet without reading it",
        "Sticker here",
        "A and B both sign",
        "fold",
        "commitment",
    )
    assert [part for part in parts if part not in " ".join(cover.split())] == []
    assert told(cover) == set()
    assert "Five of clubs: light woods, bad going" in " ".join(inside.split())


# --- Face down and turned up ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["es", "en+es"])
@pytest.mark.clause("BR-A08", "BR-T38", "BR-M16")
def test_the_hidden_sheet_shows_nine_backs_or_empty_zones_and_tells_no_card(language: str) -> None:
    document = build_hidden_document(complete(), order(language=language))
    (page,) = document.pages
    backs = [each.drawing for each in page.placements if each.drawing is page.placements[0].drawing]
    assert len(backs) == 9
    (text,) = texts(data(document))
    assert told(text) == set()
    words = find_words(language)
    for part in (words("dealing.blind"), words("dealing.laid", player="B", turn=8), *"123456789"):
        assert part in text
    board = replace(complete(), blind=None, next="A", zones=tuple(HiddenZone(zone, "", None) for zone in range(1, 10)))
    empty = build_hidden_document(board, order())
    assert len(empty.pages[0].placements) == 1
    assert texts(data(empty))[0].count("empty") == 9


@pytest.mark.clause("BR-A09", "BR-M13")
def test_the_reveal_shows_nine_faces_and_the_whole_proof() -> None:
    words = find_words("en+es")
    document = build_reveal_document(turned(words), order(language="en+es"))
    faces = [each for each in document.pages[0].placements if each.drawing.width == 63.0]
    assert len(faces) == len({id(each.drawing) for each in faces}) == 9
    assert 0.4 < faces[0].transform.a < 0.8
    first, *others = (" ".join(text.split()) for text in texts(data(document)))
    for part in (
        words("dealing.laid", player="A", turn=1),
        words("dealing.blind"),
        words("brantley.sheets.reveal.put_down", player="B"),
        words("dealing.reveal.slope_counts", score=4, modified=5),
        words("dealing.reveal.woods", score=2),
    ):
        assert part in first
    rest = " ".join(others)
    for part in (
        " ".join(pack(FIRST)),
        SALT,
        SEAL.grouped_commitment,
        "The Alder",
        words("dealing.reveal.scores", a=2, b=5),
    ):
        assert part in rest


@pytest.mark.parametrize(("sheet", "said"), [("a4", ("Zone 1", "Zona 1")), ("letter", ("Zone 1 · Zona 1",))])
def test_two_languages_stand_above_each_other_where_a_strip_is_too_short(sheet: str, said: tuple[str, ...]) -> None:
    told = [" ".join(line.split()) for line in texts(data(build_board_document(order(sheet, "en+es"))))[0].splitlines()]
    assert all(any(part in line for line in told) for part in said)
    assert any("Zone 1 · Zona 1" in line for line in told) == (len(said) == 1)


def test_once_there_is_a_record_its_ground_says_who_sits_where() -> None:
    board = Board(width=600.0, depth=600.0, scale=GroundScale(base_width=40.0, pace=0.254))
    near = Overlay(kind="deployment", shape=oblong(0, 0, 600, 150), side="A")
    field = Battlefield(board=board, overlays=(near,))
    (dealt,) = who(find_words("en"), styles.find("campaign"))
    (played,) = who(find_words("en"), styles.find("campaign"), Record(rules="brantley", battlefield=field, settings={}))
    assert "Player A: blue, dashed lines, far edge" in dealt
    assert "Player A: blue, dashed lines, near edge" in played
