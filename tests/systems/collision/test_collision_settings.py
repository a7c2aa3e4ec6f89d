"""Settings of Collision Course change the texts that speak of them, and no other; the reference cards are whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from columns_scene import rules, tree
from msgspec.structs import replace
from shapely import Polygon

from printkit.chance.streams import Jitter
from printkit.content.prose import Paragraph
from printkit.core.words import catalogue, find_words
from printkit.drawing.canvas.items import Drawing, Text
from printkit.drawing.canvas.style import find as style
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size
from printkit.drawing.map.overlays import keep_clear_squares
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find as system
from printkit.kit.rules import Rules
from printkit.page.sheet import Page
from printkit.page.sheet import find_sheet as paper
from printkit.recipes.output.handout import HandoutContext
from printkit.systems.collision.judge.columns import column_facts
from printkit.systems.collision.march.decks import COLUMNS, NUMBERS, TWO_SIDED, card_texts, decks
from printkit.systems.collision.march.ground import build_overlays
from printkit.systems.collision.sheets.blank_form import blank_map
from printkit.systems.collision.sheets.cut_outs import build_cut_pages
from printkit.systems.collision.sheets.pages import below_cards, column_pages, tracker_notes, tracker_pages
from printkit.systems.dba3.placing.placement import Shore
from printkit.systems.dba3.placing.zones import BaseEdges
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.field.record import Record

SYSTEM = system("collision-course")
BOARD = Board(900, 900, GroundScale(pace=38.1, base_width=60.0))
SEA = Polygon([(0, 0), (900, 0), (900, 90), (0, 110)])
WAGONS = ("WWg", "WWg", *["Bd"] * 10)
BARE = {"role": "attacker", "baggage": ""}
ARMIES = (
    {"defender": tree(name="Us"), "attacker": tree(allies=(3, 1), role="attacker")},
    {"defender": tree(types=WAGONS), "attacker": tree((4, 4, 3), types=["Bd"] * 11, **BARE)},
    {"defender": tree(allies=(4,), two_allies=True), "attacker": tree(types=WAGONS[::-1], allies=(4,), **BARE)},
)
TOUCHED: Final = {
    "landing": {"map"},
    "cc-q09": {"cards", "orders"},
    "cc-q19": {"cards", "orders"},
    "cc-q22": {"cards", "orders"},
}
"""What each setting touches of these games."""

CHANGED: Final = {each.key: each.values[-1] for each in SYSTEM.book.settings if each.key in TOUCHED}
"""Another value of each of them."""


def handout(given: dict[str, str], inputs: dict[str, object] | None = None, lang: str = "en") -> HandoutContext:
    """Return what pages are made from, with water behind the defender."""
    water = Area(id="waterway", kind=Kind.WATERWAY, outline=SEA, going=Going(3, "impassable"))
    record = Record(
        rules=SYSTEM.name,
        battlefield=Battlefield(board=BOARD, features=(water,), title="Tolbiac"),
        settings=SYSTEM.book.settle(given),
        details={"inputs": inputs or {}},
    )
    return HandoutContext(
        record=record, system=SYSTEM, sheet=paper("a4"), style=style("ink-saver"), words=find_words(lang)
    )


def letters(pages: Sequence[Page]) -> str:
    """Return all that is lettered on pages, where, and how much is drawn there."""
    drawings = [placed.drawing for page in pages for placed in page.placements]
    items = [item for drawing in drawings for layer in drawing.layers for item in layer.items]
    words = " ".join(item.content for item in items if isinstance(item, Text))
    places = [item.at for item in items if isinstance(item, Text)]
    return f"{words} {len(items)} {places}"


@cache
def _pages(settings: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    paged = handout(dict(settings))
    return letters(build_cut_pages(paged)), letters((blank_map(paged).page,))


@cache
def texts(key: str = "", value: str = "") -> dict[str, str]:
    """Return what the parts of an evening say under one changed setting, or under none."""
    given = {key: value} if key else {}
    made, found = rules(60.0, **{name.replace("-", "_"): text for name, text in given.items()}), {}
    drawn = tuple(build_overlays(made, BaseEdges(defender=Edge.NEAR), Shore(Edge.NEAR, SEA), littoral=True))
    drafter = Drafter.map(style("ink-saver"), find_words("en"), Jitter(1))
    labelled = keep_clear_squares(Battlefield(board=BOARD, overlays=drawn), drafter)
    said = " ".join(item.content for _, item in labelled if isinstance(item, Text))
    found["map"] = said + str([(each.kind, each.side, each.label, each.shape.wkt) for each in drawn])
    for words in find_words("en+es").each():
        cards, below = card_texts(words, made), below_cards(words, made)
        found["cards"] = found.get("cards", "") + str(cards)
        found["labels"] = found.get("labels", "") + str(below[-1])
        found["table"] = found.get("table", "") + str(below[:-1])
        found["tracker notes"] = found.get("tracker notes", "") + str(tracker_notes(words, made))
    # Pages take longest, so the settings, which touch none of them, share theirs.
    found["cut-outs"], found["form"] = _pages(tuple(CHANGED.items()) if key else ())
    games = [handout(given, {"army": armies}).record for armies in ARMIES]
    facts = [side for game in games for side in column_facts(game, SYSTEM.book)]
    found["orders"] = str([(side.faults, side.lengths) for side in facts])
    return found


@pytest.mark.clause("CC-Q09", "CC-Q19", "CC-Q22", "CC-O06")
@pytest.mark.parametrize("key", TOUCHED)
def test_a_setting_changes_what_speaks_of_it(key: str) -> None:
    setting = next(each for each in SYSTEM.book.settings if each.key == key)
    changed = set()
    for value in setting.values[1:]:
        # In littoral country a landing of the defender is what there is without a setting.
        found = {part for part, text in texts().items() if text != texts(key, value)[part]}
        assert found or (key, value) == ("landing", "defender"), value
        changed |= found
    assert changed == TOUCHED[key]


def test_every_setting_is_tried_or_is_one_of_dba_3() -> None:
    plain = {setting.key for setting in system("dba3").book.settings}
    assert {setting.key for setting in SYSTEM.book.settings} - plain == set(TOUCHED)


@pytest.mark.clause("CC-Q12", "CC-K13", "CC-E23")
def test_one_tracker_does_not_contradict_itself() -> None:
    lines = ["defender 1 5: column-2 1 on, other 4", "defender 2 1: baggage"]
    told = handout({}, {"army": ARMIES[0], "pips": lines})
    said = letters(tracker_pages(column_facts(told.record, SYSTEM.book)[0], told)).replace(" ", "")
    assert "2PIPsspent,1available" in said
    assert "Baggagecosts2alone" in said


@pytest.mark.clause("CC-A04", "CC-A05", "CC-A06", "CC-A08", "CC-A09")
def test_everything_fits_where_every_setting_is_changed() -> None:
    told = handout(CHANGED, {"army": ARMIES[0]}, "en+es")
    assert "4 × 4 BW" in letters((*column_pages(told), *build_cut_pages(told), blank_map(told).page))
    for deck in SYSTEM.decks(told.words, told.record):
        assert faces(deck, find_size("poker-63x88"), style=told.style, words=told.words)


RULES = Rules.of(system("collision-course").book)
SPANISH = (
    *("Bordes despejados", "Tres columnas", "Orden de marcha", "Bagaje", "Entra la columna 3", "Entrada forzosa"),
    *("General", "Desembarco", "Poblaciones", "Lucha en el borde", "Caminos y aliados"),
)
ENGLISH = (
    *("Clear edges", "Three columns", "Marching order", "Baggage", "Bringing on column 3", "Must enter"),
    *("General", "Landing", "Towns", "Fighting at the edge", "Roads and allies"),
)


def lettered(side: Drawing | None) -> str:
    """Return what is lettered on a side of a face."""
    assert side is not None
    return " ".join(item.content for _, item in side.items() if isinstance(item, Text))


@pytest.mark.clause("CC-C01..CC-C11", "CC-A04")
@pytest.mark.parametrize(("lang", "titles"), [("en", ENGLISH), ("es", SPANISH)])
def test_the_rule_system_offers_eleven_cards_in_each_language(lang: str, titles: tuple[str, ...]) -> None:
    (deck,) = decks(find_words(lang), RULES, is_standalone=True)
    assert (deck.name, deck.reference, deck.backs) == (COLUMNS, True, "none")
    assert tuple(card.title for card in deck.cards) == titles
    assert [card.id for card in deck.cards] == [f"CC-C{number:02}" for number in NUMBERS]
    assert [deck.name for deck in system("collision-course").decks(find_words(lang))] == [COLUMNS]


@pytest.mark.clause("CC-A04")
def test_two_languages_are_two_decks_or_two_sides() -> None:
    deck, turned = decks(find_words("en+es"), RULES, is_standalone=True)
    assert tuple(card.title for card in deck.cards) == (*ENGLISH, *SPANISH)
    assert (turned.name, turned.backs, len(turned.cards)) == (TWO_SIDED, "content", 11)
    assert [card.facts["title"] for card in turned.cards] == list(SPANISH)
    told = [tuple(block for block in card.back if isinstance(block, Paragraph)) for card in turned.cards]
    assert told == [blocks for _, blocks in card_texts(find_words("es"), RULES)]


@pytest.mark.clause("CC-A04", "CC-C12")
@pytest.mark.parametrize(("lang", "size"), [("en", "poker-63x88"), ("es", "poker-63x88"), ("es", "mini")])
def test_every_text_fits_its_card(lang: str, size: str) -> None:
    (deck,) = decks(find_words(lang), RULES, is_standalone=True)
    made = faces(deck, find_size(size), style=style("campaign"), words=find_words(lang))
    assert len(made) == 11
    assert "WWg" in lettered(made[3].front)


@pytest.mark.clause("CC-A04")
def test_the_back_has_its_own_title() -> None:
    words = find_words("en+es")
    turned = decks(words, RULES, is_standalone=True)[1]
    assert turned.cards[0].title == "Clear edges"
    (made,) = faces(replace(turned, cards=turned.cards[:1]), find_size(""), style=style("campaign"), words=words)
    assert "despejados" in lettered(made.back).lower()


@pytest.mark.clause("CC-C12")
def test_spanish_terms() -> None:
    spanish = {key: text for key, text in catalogue("es").items() if key.startswith("columns.")}
    everything = " ".join(spanish.values())
    for term in ("terreno difícil", "muy difícil", "campo arado", "zona de amenaza", "turno", "PIP", "BW", "cabeza"):
        assert term in everything.lower() or term in everything
    assert not re.search(r"\bPIPs\b", everything)


DEPLOYING = (
    "The defender places columns first, the attacker second",
    "lead's front within 4 BW of your edge and 2 BW of the centre line",
    "lead on the board within 2 BW", "the rest queue off the board", "in plain view, numbered and in marching order",
    "the shore is your edge",
)  # fmt: skip
BAGGAGE = (
    "40 mm deep", "Moves as WWg", "may not enter rough or bad going", "fights like camp followers in camp",
    "2 PIPs alone", "nothing extra in a group", "Losing it = losing a camp", "Not needed with 2+ WWg",
    "May not move into contact", "contact; gives no overlap from rear, side or corner",
    "not used by a defender with a city",
)  # fmt: skip
MARCHING = (
    "Baggage is last in column 2 or first in column 3", "with allies or for a landing it is last in column 2",
    "No allies: 4-4-4. One ally: 4-5-3. Two allies: 4-4-4.",
)  # fmt: skip
LANDING = (
    "Only column 3 may land", "every army in it must be Littoral", "4 PIPs",
    "its rear element or one full flank on the water",
    "There must be room", "in the first bound", "the column comes on normally", "at most one contingent",
)  # fmt: skip
GENERAL = ("any column of your own army", "of command range", "measure from where the column came on")
TOWNS = ("No forts", "may place a city", "may not garrison it", "no baggage", "Otherwise the normal rules apply")
ROADS = (
    "middle of front and rear edges on the road, at right angles to it", "No free first move",
    "stop 1 BW or more from an enemy", "Allies are column 3", "as one group until all are on, then split",
)  # fmt: skip


@pytest.mark.clause("CC-2.1", "CC-2.2", "CC-2.3", "CC-2.4", "CC-2.5", "CC-2.6", "CC-2.7", "CC-2.8", "CC-2.9")
@pytest.mark.clause("CC-3.1", "CC-3.2", "CC-3.3", "CC-3.4", "CC-3.5", "CC-3.6", "CC-3.7", "CC-3.8", "CC-3.9", "CC-3.10")
@pytest.mark.clause("CC-5.1", "CC-5.2", "CC-5.3", "CC-6.1", "CC-6.2", "CC-6.3", "CC-6.4", "CC-6.5", "CC-6.7")
@pytest.mark.clause("CC-7.4", "CC-7.5", "CC-9.1", "CC-9.2", "CC-9.3")
@pytest.mark.clause("CC-10.2", "CC-10.3", "CC-10.4", "CC-10.5", "CC-10.6", "CC-10.7", "CC-10.8")
def test_the_cards_tell_the_clauses_of_the_rules() -> None:
    (deck,) = decks(find_words("en"), RULES, is_standalone=True)
    told = {2: DEPLOYING, 3: MARCHING, 4: BAGGAGE, 7: GENERAL, 8: LANDING, 9: TOWNS, 11: ROADS}
    for number, phrases in told.items():
        blocks = deck.cards[number - 1].blocks
        text = " ".join(block.text for block in blocks if isinstance(block, Paragraph)).replace("**", "")
        assert [phrase for phrase in phrases if phrase not in text] == []


ENTRY = (
    ("CC-4.1", "From your second bound, once column 2 is all on"),
    ("CC-4.2", ": {entry_pips} PIPs. "),
    ("CC-4.3", "Anywhere on your edge in the deployment zone"),
    ("CC-4.4", ", lead's front on the edge (or shore)"),
    ("CC-4.5", ", at the speed of its slowest element."),
)
FORCED = (
    ("CC-4.6", "After your first bound, on a {forcing_score}, a column that is still off must start to come on."),
    ("CC-4.8", " A column half on gets at least {partly_pips} PIP a bound."),
    (
        "CC-4.7",
        " An element with its rear edge on the board may leave the column; LH may then move more than once.",
    ),
)
FIGHT = (
    ("CC-8.1", "A column half on can be attacked only if its lead's whole front is on."),
    ("CC-8.3", " It may attack on arrival if that front fits."),
    ("CC-8.2", " The next base gives rear support from off the board."),
    ("CC-8.4", " Nobody leaves the board to pursue, turn a flank or push back."),
    ("CC-8.5", " The column counts as more than {counted_deep} deep."),
    ("CC-8.6", " If its lead recoils, the lead is destroyed; the rest stay."),
    (
        "CC-8.7",
        " If the lead is in contact or in a threat zone, elements off the board may close up past the edge."
        " They may do so even in a threat zone that reaches them through other elements (“X-ray”).",
    ),
    ("CC-8.8", " Elsewhere that rule applies."),
)


@pytest.mark.clause("CC-4.1..CC-4.8", "CC-8.1..CC-8.8", "CC-C05", "CC-C06", "CC-C10")
@pytest.mark.parametrize(("number", "clauses"), [(5, ENTRY), (6, FORCED), (10, FIGHT)])
@pytest.mark.parametrize("more", [0, 1])
def test_a_card_says_its_clauses_and_nothing_else(number: int, clauses: Sequence[tuple[str, str]], more: int) -> None:
    """Whoever leaves out a clause, alters one or adds to them changes this text; its numbers are those of the rules."""
    book = system("collision-course").book
    changed = {name: value + more for name, value in book.numbers.items()}
    made = Rules.of(replace(book, numbers=changed))
    values = {name: f"{value:g}" for name, value in changed.items()}
    _, blocks = card_texts(find_words("en"), made)[number - 1]
    assert " ".join(block.text for block in blocks).replace("**", "") == "".join(
        text.format(**values) for _, text in clauses
    )
    heads = {"CC-4": 8, "CC-8": 8}
    named = sorted(clause for clause, _ in (*ENTRY, *FORCED, *FIGHT))
    assert named == sorted(f"{head}.{place}" for head, count in heads.items() for place in range(1, count + 1))
