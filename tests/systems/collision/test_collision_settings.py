"""Every setting of Collision Course changes every text of an evening that speaks of it, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from columns_scene import rules, tree
from shapely import Polygon

from printkit.chance.streams import Jitter
from printkit.core.words import find
from printkit.drawing.canvas.items import Text
from printkit.drawing.canvas.style import find as style
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.sizes import find_size
from printkit.drawing.map.overlays import keep_clear_squares
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find as system
from printkit.page.sheet import Page
from printkit.page.sheet import find as paper
from printkit.recipes.output.handout import Handout
from printkit.systems.collision.judge.columns import column_facts
from printkit.systems.collision.march.decks import card_texts
from printkit.systems.collision.march.ground import overlays
from printkit.systems.collision.sheets.blank_form import blank_map
from printkit.systems.collision.sheets.cut_outs import cut_pages
from printkit.systems.collision.sheets.pages import below_cards, column_pages, tracker_notes, tracker_pages
from printkit.systems.dba3.placing.placement import Shore
from printkit.systems.dba3.placing.zones import Edges
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


def handout(given: dict[str, str], inputs: dict[str, object] | None = None, lang: str = "en") -> Handout:
    """Return what pages are made from, with water behind the defender."""
    water = Area(id="waterway", kind=Kind.WATERWAY, outline=SEA, going=Going(3, "impassable"))
    record = Record(
        rules=SYSTEM.name,
        battlefield=Battlefield(board=BOARD, features=(water,), title="Tolbiac"),
        settings=SYSTEM.book.settle(given),
        details={"inputs": inputs or {}},
    )
    return Handout(record=record, system=SYSTEM, sheet=paper("a4"), style=style("ink-saver"), words=find(lang))


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
    return letters(cut_pages(paged)), letters((blank_map(paged).page,))


@cache
def texts(key: str = "", value: str = "") -> dict[str, str]:
    """Return what the parts of an evening say under one changed setting, or under none."""
    given = {key: value} if key else {}
    made, found = rules(60.0, **{name.replace("-", "_"): text for name, text in given.items()}), {}
    drawn = tuple(overlays(made, Edges(defender=Edge.NEAR), Shore(Edge.NEAR, SEA), littoral=True))
    drafter = Drafter.map(style("ink-saver"), find("en"), Jitter(1))
    labelled = keep_clear_squares(Battlefield(board=BOARD, overlays=drawn), drafter)
    said = " ".join(item.content for _, item in labelled if isinstance(item, Text))
    found["map"] = said + str([(each.kind, each.side, each.label, each.shape.wkt) for each in drawn])
    for words in find("en+es").each():
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
    assert "Baggagealonetakes2" in said


@pytest.mark.clause("CC-A04", "CC-A05", "CC-A06", "CC-A08", "CC-A09")
def test_everything_fits_where_every_setting_is_changed() -> None:
    told = handout(CHANGED, {"army": ARMIES[0]}, "en+es")
    assert "4 × 4 BW" in letters((*column_pages(told), *cut_pages(told), blank_map(told).page))
    for deck in SYSTEM.decks(told.words, told.record):
        assert faces(deck, find_size("poker-63x88"), style=told.style, words=told.words)
