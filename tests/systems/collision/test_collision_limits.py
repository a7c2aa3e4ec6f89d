"""Every number of Collision Course from both sides of the limit that it sets, and that every number counts."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

import pytest
from changed_books import number_changed
from columns_scene import USUAL, rules, tree
from dba3_boards import kept, record, scaled, woods
from msgspec.structs import replace
from shapely import affinity, box

from printkit.core.words import find_words as words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.collision.march.columns import Role, read_army, read_troops
from printkit.systems.collision.march.columns_check import check_army
from printkit.systems.collision.march.decks import card_texts
from printkit.systems.collision.march.duties import BoardPresence, Landing, State, duty_rows
from printkit.systems.collision.march.entry import March, play_bound, read_log
from printkit.systems.collision.march.ground import build_overlays, forbidden_pieces
from printkit.systems.collision.march.positions import XY, Base, ElementPosition, check_positions
from printkit.systems.collision.sheets.pages import below_cards, tracker_notes
from printkit.systems.collision.system import CollisionCourse
from printkit.systems.dba3.placing.zones import BaseEdges
from printkit.terrain.field.battlefield import Edge, Overlay

SYSTEM = find("collision-course")
BOOK = read_book("collision-course")
SOUTH = Base(side=15.0)


def faults(column: int | str, stand: ElementPosition) -> list[str]:
    """Return the codes of what is wrong with a lead of a column."""
    return [fault.code for fault in check_positions({column: (stand,)}, SOUTH, rules())]


def front(x: float, y: float, *, depth: float = 0.4) -> ElementPosition:
    """Return an element that faces north, by the left end of its front."""
    return ElementPosition(left=XY(x, y), right=XY(x + 1.0, y), depth=depth)


@pytest.mark.clause("CC-E31", "CC-E32", "CC-E34", "CC-4.4", "CC-O11", "CC-Q07")
@pytest.mark.parametrize(
    ("code", "number", "column", "sign", "stand"),
    [
        ("CC-E31", "column_box_bw_deep", 1, 1, lambda v: front(7.0, v)),
        ("CC-E32", "column_box_bw_aside", 1, 1, lambda v: front(6.5 + v, 3.0)),
        ("CC-E32", "column_box_bw_aside", 2, 1, lambda v: front(7.5 - v, 0.4)),
        ("CC-E34", "zone_side_bw", 3, -1, lambda v: front(v, 0.0)),
        ("CC-E34", "zone_side_bw", 3, -1, lambda v: front(14.0 - v, 0.0)),
        ("CC-4.4", "touch_bw_max", 3, 1, lambda v: front(7.0, v)),
        ("CC-Q07", "touch_bw_max", 2, 1, lambda v: front(7.0, 0.4 + v)),
    ],
)
def test_a_lead_may_stand_so_far_and_no_farther(code: str, number: str, column: int, sign: int, stand: object) -> None:
    limit, slack = BOOK.numbers[number], BOOK.slacks.get(number, 0.0)
    assert slack <= 0.02 * limit
    assert callable(stand)
    assert faults(column, stand(limit * (1 - 0.01 * sign))) == []
    assert faults(column, stand(limit * (1 + 0.01 * sign) + slack * sign)) == [code]


@pytest.mark.clause("CC-G04", "CC-1.1", "CC-E30")
def test_a_breach_is_an_overlap_larger_than_a_sliver() -> None:
    least = BOOK.numbers["breach_sqbw_least"]
    for clause in ("CC-1.1", "CC-G04", "CC-E30"):
        assert kept(SYSTEM, clause, [woods("woods-1", 3, 1, 5.5 + 0.99 * least / 2, 3)])
        assert not kept(SYSTEM, clause, [woods("woods-1", 3, 1, 5.5 + 1.01 * least / 2, 3)])


@pytest.mark.clause("CC-O01..CC-O05", "CC-O07")
@pytest.mark.parametrize(
    ("clause", "kind"), [("CC-O02", "centre-line"), ("CC-O07", "keep-clear"), ("CC-O03", "column")]
)
def test_what_is_drawn_may_lie_so_far_from_its_place(clause: str, kind: str) -> None:
    found = play(SYSTEM, Orders(rules=SYSTEM.name, settings={"home": "steppe"}), 7, words("en")).record
    most = BOOK.numbers["drawn_bw_max"] * 40
    for share, state in ((0.99, "kept"), (1.01, "broken")):
        drawn = tuple(
            replace(each, shape=affinity.translate(each.shape, share * most, 0)) if each.kind == kind else each
            for each in found.battlefield.overlays
        )
        judged = SYSTEM.judge(replace(found, battlefield=replace(found.battlefield, overlays=drawn)))
        assert next(each.state for each in judged if each.clause == clause) == state


# --- Every number counts ----------------------------------------------------------------------------------------------


JUDGED: Final = {"drawn_bw_max": "CC-O07", "breach_sqbw_least": "CC-G04"}
"""Numbers that only the judge of a board knows, and the clause that tells."""

OWN: Final = sorted(set(BOOK.numbers) - set(read_book("dba3").numbers) - set(JUDGED))


def evidence(book: RuleBook) -> str:
    """Return what a book makes of texts, armies, logs, positions and of what is drawn on a board."""
    made = Rules.of(book, board=rules().board)
    troops = read_troops(made)
    trees = (tree(), tree((4, 5, 3), allies=(3,)), tree(allies=(3, 1)), tree(baggage="", types=("WWg", *USUAL[1:])))
    armies = [check_army(read_army({**each, "baggage_depth_mm": 41}, "army", troops), made) for each in trees]
    log = ("defender 1 6: landing", "defender 2 6: column-2 1 on, column-3 1, baggage", "defender 3 5: column-3 1")
    bounds = read_log(log)[Role.DEFENDER]
    steps = [play_bound(State(bound=n + 1), bound, March(landing=True), made) for n, bound in enumerate(bounds)]
    found = [(step.pips, step.fault, step.duty) for step in steps]
    stood = check_positions({1: (front(9.4, 4.3),), 3: (front(4.0, 0.021),)}, SOUTH, made)
    drawn = build_overlays(made, BaseEdges(defender=Edge.NEAR), None, littoral=False)
    texts = (card_texts(words("en"), made), below_cards(words("en"), made), tracker_notes(words("en"), made))
    return str((texts, armies, found, stood, [each.shape.wkt for each in drawn]))


@pytest.mark.parametrize("number", OWN)
def test_a_number_that_is_changed_is_told_or_judged_by(number: str) -> None:
    value = BOOK.numbers[number]
    changed = value + 1 if value == round(value) else value * 1.1
    assert evidence(replace(BOOK, numbers={**BOOK.numbers, number: changed})) != _usual()


@cache
def _usual() -> str:
    return evidence(BOOK)


@pytest.mark.parametrize("number", JUDGED)
def test_a_number_of_the_judge_that_is_changed_is_judged_by(number: str) -> None:
    least = BOOK.numbers["breach_sqbw_least"]
    square = box(5.5 + 1.05 * BOOK.numbers["drawn_bw_max"], 0, 9.5, 4)
    overlay = Overlay(kind="keep-clear", shape=scaled(square), label="K")
    found = record(SYSTEM, [woods("woods-1", 3, 1, 5.5 + 1.05 * least / 2, 3)])
    told = replace(found, battlefield=replace(found.battlefield, overlays=(overlay,)))

    def where() -> str:
        return next(each for each in CollisionCourse().judge(told) if each.clause == JUDGED[number]).where

    usual = where()
    with number_changed("collision-course", number, 1.1):
        assert where() != usual


STATES: Final = [
    State(bound=bound, second=second, third=third, landing=landing)
    for bound in (1, 2)
    for second in (BoardPresence.PARTLY, BoardPresence.ON)
    for third in BoardPresence
    for landing in (Landing.NONE, Landing.PLANNED)
]


def duties(book: RuleBook) -> list[str]:
    """Return the duty of every state and score, room or none; empty where no row fits."""
    made = Rules.of(book)
    asked = product(STATES, range(1, 7), (True, False))
    rows = duty_rows(made)
    return [str(next((row for row in rows if row.is_match(state, p, room=room)), "")) for state, p, room in asked]


@pytest.mark.clause("CC-K01..CC-K11", "CC-1.1")
def test_every_row_of_the_lists_counts() -> None:
    for place in range(len(BOOK.rows["duties"])):
        rest = tuple(row for at, row in enumerate(BOOK.rows["duties"]) if at != place)
        assert duties(replace(BOOK, rows={**BOOK.rows, "duties": rest})) != duties(BOOK), place
    for place in range(len(BOOK.rows["kept_free"])):
        rest = tuple(row for at, row in enumerate(BOOK.rows["kept_free"]) if at != place)
        less = Rules.of(replace(BOOK, rows={**BOOK.rows, "kept_free": rest}))
        assert forbidden_pieces(less) < forbidden_pieces(rules())
