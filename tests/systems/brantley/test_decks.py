"""The decks of the card system: what each card says, by the very tables of the book, and that it has room for it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from msgspec.structs import replace
from playing import BOOK, BRANTLEY, rules

from printkit.chance.tables import Span
from printkit.content.cards import Art, Banner, Card, Deck, Suit
from printkit.content.prose import Block, Bullets, Heading, Paragraph, ScoreTable, Steps, Table
from printkit.core.words import Words
from printkit.drawing.canvas import style as styles
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size
from printkit.systems.brantley.dealing.cards import PACK, RevealTable, read_card
from printkit.systems.brantley.dealing.decks import decks
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

ENGLISH = Words(("en",))


def made(words: Words = ENGLISH, **settings: str) -> tuple[Deck, Deck]:
    terrain, reference = decks(rules(settings), words)
    return terrain, reference


def card(code: str, **settings: str) -> Card:
    return next(each for each in made(**settings)[0].cards if each.id == code)


def said(blocks: tuple[Block, ...]) -> str:
    """Return all text of blocks, in order."""
    lines: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(text) | Heading(text):
                lines.append(text)
            case Steps(items) | Bullets(items):
                lines += items
            case ScoreTable(rows=rows, title=title):
                lines += [title, *(" ".join(row) for row in rows)]
            case Table(rows=rows, head=head):
                lines += [" ".join(row) for row in (head, *rows)]
            case _:
                pytest.fail(f"{block} is not expected on a card")
    return "\n".join(lines)


@pytest.mark.clause("BR-A01", "BR-M01", "BR-M02", "BR-M04", "BR-201")
def test_the_terrain_deck_is_the_pack_and_two_spare_cards_without_backs_of_their_own_and_needs_no_game():
    terrain, reference = made()
    assert [each.id for each in terrain.cards] == [*map(str, PACK), "reference-1", "reference-2"]
    assert [(each.copies, each.back) for each in terrain.cards] == [(1, ())] * 54
    assert (terrain.backs, reference.backs) == ("secret", "content")
    (whole,) = reference.cards
    assert [each.blocks for each in terrain.cards[52:]] == [whole.blocks, whole.back]
    assert [(each.index, each.art) for each in terrain.cards[52:]] == [(None, None)] * 2
    assert [(each.name, each.reference) for each in made()] == [
        ("terrain", False),
        ("reference", True),
    ]
    assert BRANTLEY.decks(ENGLISH) == made()


@pytest.mark.clause("BR-A01", "BR-M03", "BR-301..BR-313")
@pytest.mark.parametrize("code", [str(each) for each in PACK if each.is_black])
def test_a_black_card_names_its_ground_and_going(code):
    result, face = RevealTable.from_book(BOOK).look_up(read_card(code)), card(code)
    assert result is not None
    assert face.index is not None
    assert face.index.text + (face.index.suit or "") == code
    assert face.art is not None
    assert (face.art.kinds, face.art.levels) == ((result.kind,), 2 if result.name == "hill_2" else 1)
    assert face.title == ENGLISH(f"brantley.cards.title.{result.name}")
    assert face.banner is not None
    assert face.banner[0] == (Banner.DIE if result.going is None else Banner(result.going.name))


def test_cards_of_one_terrain_differ_by_rank():
    for ranks in (("4", "5", "6"), ("7", "8"), ("9", "10")):
        faces = [card(f"{rank}S") for rank in ranks]
        assert len({face.title for face in faces}) == 1
        assert len({face.art for face in faces}) == len(ranks)


@pytest.mark.clause("BR-A01", "BR-M03", "BR-344")
@pytest.mark.parametrize("code", [str(each) for each in PACK if not each.is_black])
def test_a_red_card_places_nothing(code):
    face = card(code)
    assert face.index is not None
    assert face.index.suit in (Suit.HEARTS, Suit.DIAMONDS)
    assert (face.title, face.banner, face.art) == ("Good going", (Banner.GOOD, "Good going"), Art(()))
    assert said(face.blocks) == "Place nothing"


@pytest.mark.clause("BR-A01", "BR-M03", "BR-321..BR-325", "BR-328..BR-331")
def test_hills_carry_both_dice_tables_and_the_jack_has_its_one_added():
    sides = (("5", "one steep slope, impassable"), ("6", "two steep slopes, impassable"))
    for code in ("9S", "9C", "10S", "10C"):
        slope, woods = card(code).blocks
        assert isinstance(slope, ScoreTable)
        assert slope.rows == (("1–4", "gentle all round"), *sides)
    for code in ("JS", "JC"):
        slope, woods = card(code).blocks
        assert isinstance(slope, ScoreTable)
        assert isinstance(woods, ScoreTable)
        assert [span for span, _ in slope.rows] == ["1–3", "4", "5", "6"]
        assert slope.rows[3][1] == "steep all round, all impassable"
        wooded = (("1", "heavily wooded, impassable"), ("2–3", "lightly wooded, bad going"))
        assert woods.rows == (*wooded, ("4–6", "open"))


@pytest.mark.clause("BR-Q04")
def test_the_hill_dice_stand_in_the_order_thrown():
    record = Record(rules="brantley", battlefield=Battlefield(board=BRANTLEY.board()), settings={"names": "none"})
    for deck in (made()[0], BRANTLEY.decks(ENGLISH, record)[0]):
        (hill,) = [each for each in deck.cards if each.id == "9S"]
        assert [block.title for block in hill.blocks if isinstance(block, ScoreTable)] == ["Slope die", "Woods die"]
        assert "Die Hill 9 10 Hill J Woods" in said(deck.cards[52].blocks)


@pytest.mark.clause("BR-406", "BR-506", "BR-342", "BR-343")
def test_a_card_says_what_may_end_in_its_ground_and_nothing_that_no_rule_says():
    cards = made()[0].cards[:52]
    texts = Counter(said(each.blocks) for each in cards if not isinstance(each.blocks[0], ScoreTable))
    placed = "Whoever places it chooses its size and facing in the zone."
    assert texts == {
        "Place nothing": 26,
        placed: 14,
        f"{placed} A road may end here.": 4,
        f"{placed} A river may end here.": 2,
    }
    assert {each.title for each in cards if "road" in said(each.blocks)} == {"Built-up area"}
    assert {each.title for each in cards if "river" in said(each.blocks)} == {"Lake"}


@pytest.mark.clause("BR-A03", "BR-M03")
def test_the_first_side_has_the_sequence_the_reveal_table_and_the_hill_dice():
    steps, reveal, hills = made()[1].cards[0].blocks
    assert isinstance(steps, Steps)
    assert isinstance(reveal, Table)
    assert isinstance(hills, Table)
    assert reveal.rows == (
        ("A K", "Built-up area", "Bad going"),
        ("2", "Heavy woods", "Impassable"),
        ("3", "Broken ground", "Bad going"),
        ("4 5 6", "Light woods", "Bad going"),
        ("7 8", "Marsh", "Bad going"),
        ("9 10", "Hill", "Two dice"),
        ("J", "Two-level hill", "Two dice"),
        ("Q", "Lake", "Impassable"),
        ("Red", "Place nothing", "Good going"),
    )
    assert hills.rows == (
        ("1", "gentle", "gentle", "impassable"),
        ("2–3", "gentle", "gentle", "bad going"),
        ("4", "gentle", "1 steep slope", "open"),
        ("5", "1 steep slope", "2 steep slopes", "open"),
        ("6", "2 steep slopes", "impassable", "open"),
    )


@pytest.mark.clause("BR-A03", "BR-401", "BR-501", "BR-601", "BR-701", "BR-702", "BR-703")
def test_the_second_side_has_the_courses_their_ends_crossings_and_deployment():
    counts, *rest = made()[1].cards[0].back
    assert isinstance(counts, Table)
    assert counts.rows == (("1–2", "one", "one"), ("3", "two", "one"), ("4", "none", "two"), ("5–6", "none", "none"))
    text = said(tuple(rest))
    for part in (
        "another edge, a lake or another river",
        "a built-up area or another road",
        "a ford or a bridge",
        "600 paces",
    ):
        assert part in text
    assert "the lower score deploys first. The higher deploys second and has the first bound" in text


def test_another_book_is_another_card():
    """The tables on the cards are those of the book, and nothing is written twice."""
    slope = BOOK.tables["slope"]
    steeper = replace(slope, modifiers=(replace(slope.modifiers[0], amount=0),))
    book = replace(BOOK, tables={**BOOK.tables, "slope": steeper}, numbers={**BOOK.numbers, "deployment_paces": 700})
    terrain, reference = decks(rules(book=book), ENGLISH)
    (jack,) = [each for each in terrain.cards if each.id == "JS"]
    assert "1–4 gentle all round" in said(jack.blocks)
    assert "700 paces" in said(reference.cards[0].back)


@pytest.mark.parametrize("words", [ENGLISH, Words(("es",))], ids=["en", "es"])
@pytest.mark.clause("BR-A01", "BR-A03")
def test_what_is_said_has_room_on_a_card_and_names_no_clause_and_no_file(words):
    style = styles.find("ink-saver")
    terrain, reference = made(words)
    # Plain grass takes the place of the pictures: it leaves as much room to the text, and is drawn in a moment.
    wordy = [replace(each, art=Art(())) for each in terrain.cards if each.id in ("AS", "JC", "QS", "KH")]
    for deck in (replace(terrain, cards=tuple(wordy)), reference):
        assert len(faces(deck, find_size(), style=style, words=words)) == len(deck.cards)
    for each in (*terrain.cards, *reference.cards):
        assert not re.search(r"BR-|\.toml|brantley", said(each.blocks) + said(each.back) + each.title)


@pytest.mark.clause("BR-Q16", "BR-D5")
def test_the_reference_tells_the_die_of_a_crossing_as_the_table_has_it():
    crossing = BOOK.tables["crossing"]
    rows = (replace(crossing.rows[0], span=Span(1, 2)), replace(crossing.rows[1], span=Span(3, 6)))
    book = replace(BOOK, tables={**BOOK.tables, "crossing": replace(crossing, rows=rows)})
    _, reference = decks(rules({"br-q16": "die"}, book=book), ENGLISH)
    assert "roll a die: ford (1-2) or bridge (3-6)" in str(reference.cards[0].back)


@pytest.mark.clause("BR-Q19", "BR-Q20", "BR-703")
def test_the_reference_follows_what_was_settled():
    settled = {"ninth": "clear", "order": "B"}
    changed, usual = (made(**settings)[1].cards[0] for settings in (settled, {}))
    for where, text, is_new in (
        ("blocks", "The last zone stays empty", True),
        ("back", "player A deploys first. Player B deploys second and has the first bound", True),
        ("blocks", "A ninth, unseen, in the last zone", False),
        ("back", "roll: the lower score deploys", False),
    ):
        assert (text in str(getattr(changed, where))) is is_new
        assert (text in str(getattr(usual, where))) is not is_new
