"""The reference cards: which there are, that their numbers are those of the rule book, and what is worked out of it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace
from solo_games import RULES

from printkit.chance.tables import DieTable, Span
from printkit.content.cards import Card
from printkit.content.prose import Boxes, CheckBoxes, Diagram, Heading, Modifiers, Paragraph, Results, Steps, Table
from printkit.core.errors import BookError
from printkit.core.words import Words
from printkit.systems.solo.cards import reference, tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import build_reference_cards, build_reference_deck
from printkit.systems.solo.tactics.tactics_tables import Action, Stance, tactics

IDS = [*(f"R{number:02}" for number in range(1, 21)), "P-A", "P-C", "P-D", "G1", "G2", "G3", "G4"]
LANGUAGES = ("en", "es")
TEXT = CardText(Words(("en",)), RULES)


@cache
def cards(language: str = "en") -> dict[str, Card]:
    return {card.id: card for card in build_reference_cards(CardText(Words((language,)), RULES))}


def cells(table: Table) -> dict[str, tuple[str, ...]]:
    """Return the rows of a table by their first cell, which is strong."""
    return {row[0].strip("*"): row[1:] for row in table.rows}


def test_there_are_27_cards_in_a_language_and_every_one_says_something() -> None:
    for language in LANGUAGES:
        assert list(cards(language)) == IDS
        assert all(card.title and card.blocks and card.back for card in cards(language).values())
    deck = build_reference_deck(Words(("en", "es")), RULES)
    assert [card.id for card in deck.cards] == [f"{name}-{code}" for code in LANGUAGES for name in IDS]
    assert (deck.backs, deck.reference) == ("content", True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_modifier_of_the_rule_book_stands_on_one_card_with_its_amount(language: str) -> None:
    text = CardText(Words((language,)), RULES)
    blocks = [block for card in cards(language).values() for block in card.blocks]
    shown = [row for block in blocks if isinstance(block, Modifiers) for row in block.rows]
    tables = [table for name, table in text.rules.book.tables.items() if table.modifiers and name != "candidate"]
    wanted = [row for table in tables for row in text.build_modifiers(table.name).rows]
    assert sorted(shown) == sorted(wanted)
    assert len(shown) == 69
    assert all("-" not in amount and (amount[0] in "+−") for amount, _ in shown)


@pytest.mark.parametrize(
    ("card", "boxes", "lines"),
    [("R02", 3, 7), ("R03", 1, 5), ("R04", 1, 5), ("R08", 1, 3), ("R09", 1, 8), ("R11", 1, 12), ("R12", 1, 8),
     ("R16", 1, 5), ("R17", 1, 7)],
)  # fmt: skip
def test_boxes_to_tick_are_those_of_the_specification(card: str, boxes: int, lines: int) -> None:
    found = [block for block in cards()[card].blocks if isinstance(block, Modifiers)]
    assert {block.boxes for block in found} == {boxes}
    assert sum(len(block.rows) for block in found) == lines


def test_other_boxes_of_the_specification() -> None:
    ticks = {name: [block for block in cards()[name].blocks if isinstance(block, CheckBoxes)] for name in IDS}
    items = {name: [len(block.items) for block in ticks[name]] for name in ("R01", "R13", "R14", "R16")}
    assert items == {"R01": [10], "R13": [5], "R14": [5], "R16": [3]}
    assert [block.boxes for block in ticks["R18"]] == [4, 4]
    assert [len(block.labels) for block in cards()["R18"].blocks if isinstance(block, Boxes)] == [3]
    assert [block.letters for block in cards()["R07"].blocks if isinstance(block, Modifiers)] == [True]
    grid = next(block for block in cards()["R07"].back if isinstance(block, Table))
    assert [row[0] for row in grid.rows[1:-1]] == [
        "a +3", "b +3", "c +1", "d +1", "e −1", "f −1", "g −2", "h −2", "i −3",
    ]  # fmt: skip
    assert grid.head[1:] == ("near", "left", "far", "right")


def test_a_changed_rule_changes_its_card() -> None:
    """Amounts, scores and counts are read when a card is made; none stands in the words."""
    book = RULES.book
    table = book.tables["compulsory"]
    other = replace(table, modifiers=(replace(table.modifiers[0], amount=-3), *table.modifiers[1:]))
    rows = tuple(replace(row, span=Span(None, 2) if row.outcome == "bua" else Span(3, None)) for row in table.rows)
    other = replace(other, rows=rows)
    changed = CardText(TEXT.words, replace(RULES, book=replace(book, tables={**book.tables, "compulsory": other})))
    assert changed.build_modifiers("compulsory").rows[0][0] == "−3"
    assert changed.build_results([["compulsory.bua", "compulsory.road"]]).rows == (
        (("2 or less", "BUA"), ("3 or more", "Road")),
    )


def test_a_card_of_a_die_table_is_one_row_of_the_template() -> None:
    row = reference.CardRow(id="R08", front=({"table": "camp", "boxes": 1},), back=({"table": "second_piece"},))
    card = reference._build_card(row, TEXT, {}, False)
    modifiers, results = card.blocks
    assert modifiers == TEXT.build_modifiers("camp", boxes=1)
    assert results == Results(((("5 or less", "followers"), ("6 or more", "one Sp")),))
    # An outcome without a text, here "no second piece", has no box.
    assert card.back[1] == Results(((("4 or more", "take a second of the same kind"),),))


def test_scores_as_players_read_them() -> None:
    spans = ((None, 3), (4, None), (5, 9), (10, 10), (None, None))
    assert [TEXT.format_span(Span(*span)) for span in spans] == ["3 or less", "4 or more", "5–9", "10", "any"]


def test_what_the_book_lacks_is_named() -> None:
    with pytest.raises(BookError, match=r"solo-dba: no table has the modifier SD-9"):
        TEXT.find_amount("SD-9")
    with pytest.raises(BookError, match=r"solo-dba: table 'bua' has no row that gives 'middle'"):
        TEXT.find_row("bua", "middle")
    bare = reference.CardRow(id="R01", front=({"made": "nothing"},))
    with pytest.raises(BookError, match="card R01: \\{'made': 'nothing'\\} is not a block that printkit can print"):
        reference._build_card(bare, TEXT, {}, False)


@pytest.mark.clause("ST-05", "SD-2.2.1-a")
def test_the_worked_example_is_right() -> None:
    table = next(block for block in cards()["R02"].back if isinstance(block, Table))
    assert cells(table) == {
        "Kn": ("6", "−2", "4", "3 → 1"),
        "El": ("5", "−1", "4", "2 → 1"),
        "Pk": ("5", "−2 +1", "4", "6 → 5"),
    }


@pytest.mark.clause("SD-3.1-a")
def test_the_topography_table_whose_columns_grow_with_what_they_list() -> None:
    found = cells(tables.topography(TEXT))
    assert found["Arable"] == ("BUA or Road 1–2", "River, Steep Hill, Gentle Hill, Woods, Road, Waterway")
    assert found["Steppe"] == ("Gentle Hill 1–2", "River, Rough, BUA")
    assert found["Littoral"] == ("Waterway", "Steep Hill or Marsh, Woods or Dunes, BUA, River")
    assert len(found) == 7
    shares = tables.topography(TEXT).shares
    assert list(shares) == sorted(set(shares))
    assert shares[1] < 1.5 * shares[0]
    assert max(shares) < sum(shares) / 2


@pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
def test_a_pair_stands_where_its_first_type_is_listed_even_if_they_are_listed_apart() -> None:
    apart = ["marsh", "bua", "steep_hill", "river", "woods", "dunes"]
    listed = [{**row, "optional": apart} if row["home"] == "littoral" else row for row in RULES.book.rows["topography"]]
    book = replace(RULES.book, rows={**RULES.book.rows, "topography": tuple(listed)})
    found = cells(tables.topography(CardText(Words(("en",)), replace(RULES, book=book))))
    assert found["Littoral"] == ("Waterway", "BUA, Steep Hill or Marsh, River, Woods or Dunes")


@pytest.mark.clause("ST-57", "SD-4.7-e", "SD-4.7-r1..SD-4.7-r5", "ST-63", "SD-5.2-r1..SD-5.2-r3", "ST-67")
def test_odds_of_places_levels_and_stances_by_modifier_and_losses_on_their_cards() -> None:
    places = cells(tables.position_odds(TEXT))
    assert places["0"] == ("6", "24", "3", "2", "1")
    assert places["+4"] == ("–", "10", "5", "6", "15")
    assert places["−5"] == ("30", "6", "–", "–", "–")
    assert all(sum(int(cell) for cell in row if cell != "–") == 36 for row in places.values())
    levels = {"−3": "51–", "−2": "42–", "−1": "321", "0": "222", "+1": "123", "+2": "–24", "+3": "–15", "+4": "––6"}
    found = cells(tables.level_odds(TEXT))
    assert list(found.items()) == [(added, tuple(odds)) for added, odds in levels.items()]
    stances = cells(tables.stance_odds(TEXT))
    assert stances["−3"] == ("30", "6", "–")
    assert stances["+4"] == ("–", "2", "34")
    assert cells(tables.loss_index(TEXT))["3"] == ("+1", "+2", "+3", "0")


@pytest.mark.clause("ST-67")
def test_even_luck_against_true_dice_in_decimals_of_each_language() -> None:
    rows = [row[1:] for row in tables.luck(TEXT).rows]
    assert rows[0] == ("33", "33")
    assert rows[1] == (f"{float(Fraction(100, 9)):.1f}", f"{float(Fraction(12 * 11 * 100, 36 * 35)):.1f}")
    assert rows[1:3] == [("11.1", "10.5"), ("3.7", "3.1")]
    assert rows[-1][1] == "100"
    assert tables.luck(CardText(Words(("es",)), RULES)).rows[1][1:] == ("11,1", "10,5")


@pytest.mark.clause("ST-59", "SD-4.7-d6", "SD-4.7-d7")
def test_frontages_and_their_faces() -> None:
    rows = cells(tables.frontages(TEXT))
    assert rows["8"] == ("4", "5")
    assert rows["10"] == ("5", "6")
    assert [tables.warband_ranks(TEXT).labels[name] for name in ("deep", "thin")] == ["1–3", "4–6"]
    assert [tables.spear_ranks(TEXT).labels[name] for name in ("deep", "thin")] == ["1–3", "4–6"]


@pytest.mark.clause(
    "SD-3.3.1-r1..SD-3.3.1-r4",
    "SD-3.3.2-r1..SD-3.3.2-r4",
    "SD-3.3.3-r1..SD-3.3.3-r4",
    "SD-3.3.4-r1..SD-3.3.4-r6",
    "SD-3.3.5-r1..SD-3.3.5-r6",
)
def test_plans_bear_the_faces_of_their_tables() -> None:
    corners = tables.corners(TEXT)
    assert [corners.labels[edge] for edge in ("right", "left", "far", "near")] == ["1–2", "3–4", "5", "6"]
    quarters = ("near-right", "near-left", "far-right", "far-left")
    assert [corners.labels[name] for name in quarters] == ["1–2", "3–4", "5", "6"]
    bands = tables.bands(TEXT)
    names = ("across-far", "across-near", "up-left", "up-right")
    assert [bands.labels[name] for name in names] == ["1–2", "3", "4", "5–6"]
    assert [(bands.numbers[f"{name}-from"], bands.numbers[f"{name}-to"]) for name in names] == [
        (12, 18), (6, 12), (6, 12), (12, 18),
    ]  # fmt: skip
    # Each result of the river die tells its own band.
    assert TEXT.build_results(
        [("river.across-far", "river.across-near"), ("river.up-left", "river.up-right")]
    ).rows == (
        (("1–2", "left to right, 12–18 in from near"), ("3", "left to right, 6–12 in from near")),
        (("4", "near to far, 6–12 in from left"), ("5–6", "near to far, 12–18 in from left")),
    )
    sectors = tables.sectors(TEXT)
    assert [sectors.labels[f"{name}-die"] for name in ("left", "centre", "right", "near", "middle", "far")] == [
        "1–2", "3–4", "5–6", "1–2", "3–4", "5–6",
    ]  # fmt: skip
    roads = ("across-near", "across-middle", "across-far", "up-left", "up-centre", "up-right")
    assert [sectors.labels[name] for name in roads] == list("123456")


@pytest.mark.clause("SD-4.8.1-b1..SD-4.8.1-b8")
def test_bad_match_ups_and_the_same_turned_round() -> None:
    front = next(block for block in cards()["R15"].blocks if isinstance(block, Results))
    assert [row[0] for row in front.rows] == [
        ("Ps", "by Cv Cm Kn"),
        ("El", "by Ps Ax LH Art"),
        ("Kn", "by El SCh LH Bw"),
        ("Cv Cm LH Wb", "by SCh"),
        ("Pk Sp", "by El Kn SCh"),
        ("Bd", "by Kn SCh"),
        ("Hd", "by El Kn SCh Wb Bw Art"),
        ("WWg", "by El Art"),
    ]
    turned = cells(tables.turned(TEXT))
    pairs = {(bad, by) for row in tactics(RULES).match_ups for bad in row.bad_for for by in row.by}
    assert {(bad, by) for by, row in turned.items() for bad in row[0].split()} == pairs
    assert all(tactics(RULES).bad(bad, by) for bad, by in pairs)
    assert not any(tactics(RULES).bad(bad, by) for bad in ("Ax", "Bw", "Art", "SCh") for by in turned)


@pytest.mark.clause("SD-5.1-act01..SD-5.1-act13")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_is_explained_once(language: str) -> None:
    text = CardText(Words((language,)), RULES)
    found: dict[str, str] = {}
    for name in ("G1", "G2", "G3", "G4"):
        blocks = cards(language)[name].blocks
        for head, said in zip(blocks[::2], blocks[1::2], strict=True):
            assert isinstance(head, Heading)
            assert isinstance(said, Paragraph)
            found[head.text] = said.text
    assert sorted(found) == sorted(text(f"action.{action}") for action in Action)
    assert len(set(found.values())) == 13
    actions = tactics(RULES).actions
    assert [actions[action] for action in Action] == [f"SD-5.1-act{number:02}" for number in range(1, 14)]


@pytest.mark.clause("SD-5.3-A1..SD-5.3-A11", "SD-5.3-C1..SD-5.3-C10", "SD-5.3-D1..SD-5.3-D9", "ST-69")
@pytest.mark.parametrize(("name", "stance"), [("P-A", "aggressive"), ("P-C", "cautious"), ("P-D", "defensive")])
def test_the_stance_cards_bear_their_lists_and_a_line_on_each_action(name: str, stance: str) -> None:
    card = cards()[name]
    permitted = tactics(RULES).permitted[Stance(stance)]
    front, back = card.blocks[0], card.back[0]
    assert isinstance(front, Steps)
    assert isinstance(back, Steps)
    assert front.items == tuple(TEXT(f"action.{each.action}") for each in permitted)
    assert all(said.startswith(f"**{head}:** ") for said, head in zip(back.items, front.items, strict=True))
    assert (card.facts["stance"], card.facts["letter"]) == (stance, name[-1])


@pytest.mark.clause("SD-4.4-p1..SD-4.4-p9", "SD-4.4-r1", "SD-4.4-r2", "SD-4.4-b", "AMB-26", "AMB-28", "AMB-29")
def test_the_garrison_has_its_order_its_odds_and_who_counts() -> None:
    said = [block.text for block in cards()["R09"].blocks if isinstance(block, Paragraph)][-1]
    assert said.replace("*", "") == (
        "1 Bd, unless 3, 6, 9, 12; 2 Sp if odd; 3 Bd; 4 Sp; 5 Pk if odd; 6 Art; 7 Hd; 8 Ax; 9 Wb"
    )
    bullets, _, table = cards()["R09"].back
    assert isinstance(table, Table)
    assert table.rows[0] == ("**−3 or less**", "–")
    assert [row[1] for row in table.rows[1:]] == list("123456")
    assert table.rows[-1][0] == "**+3 or more**"
    told = str(bullets)
    for said in ("without the Sp that holds its camp", "only the general is left", "its centre", "no die, no garrison"):
        assert said in told


def test_backs_that_the_specification_asks_for() -> None:
    shown = {name: [block.name for block in card.back if isinstance(block, Diagram)] for name, card in cards().items()}
    assert {name: found for name, found in shown.items() if found} == {
        "R05": ["corners", "bands"],
        "R06": ["sectors"],
        "R07": ["edges"],
        "R08": ["camp"],
        "R11": ["shore"],
        "R13": ["places", "pikes", "ranks"],
        "R14": ["ranks"],
    }
    method = next(block for block in cards()["R10"].back if isinstance(block, Steps))
    assert len(method.items) == 6
    grid = next(block for block in cards()["R04"].back if isinstance(block, Table))
    assert len(grid.rows) == 10


@pytest.mark.clause("SD-5.3-r1", "SD-5.3-r2", "SD-5.3-r3")
def test_tables_of_the_tactical_engine_cover_all_totals() -> None:
    assert isinstance(tactics(RULES).stance, DieTable)
    assert [tactics(RULES).stance_at(total) for total in (-9, 0, 2, 3, 4, 5, 12)] == [
        "defensive", "defensive", "defensive", "cautious", "cautious", "aggressive", "aggressive",
    ]  # fmt: skip
