"""The generator refuses a line of a course by the rows by which ``check`` judges it."""

from __future__ import annotations

from functools import partial

import pytest
from broken_rules import break_rule
from drawn_by_hand import oval
from shapely import LineString, box
from tables_by_hand import INCH
from test_acw_kept_clauses import put, table_of

from printkit.systems.acw.ground.course_rules import COURSE_RULES, CourseRule, keeps_rules
from printkit.systems.acw.ground.legs import EASY, LegSpec, led, plain, way
from printkit.systems.acw.ground.rails import add_rails
from printkit.systems.acw.ground.streams import add_streams
from printkit.systems.acw.ground.zone_crossings import Joints
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece

ALL = (*ROADS, Piece.RAILROAD, *STREAMS)


def find_rule(pieces: tuple[Piece, ...], clause: str) -> CourseRule:
    """Return the rule of a clause for these pieces."""
    (rule,) = (rule for rule in COURSE_RULES[pieces] if rule.clause == clause)
    return rule


@pytest.mark.parametrize("piece", [*ROADS, *STREAMS])
def test_a_road_or_stream_that_breaks_a_row_becomes_a_simple_curve(piece: Piece) -> None:
    table, zone = table_of({1: piece.value}), box(0, 0, 24 * INCH, 24 * INCH)
    rules = partial(keeps_rules, table, 1, piece)
    spec = LegSpec(box=zone, unit=24 * INCH, half=4.0, sort=EASY, keeps_rules=rules)
    ends = led((0.0, 200.0), (-1.0, 0.0), 24 * INCH), led((24 * INCH, 350.0), (1.0, 0.0), 24 * INCH)

    def is_plain() -> bool:
        return way(spec, *ends, (LineString(),), table.stream("z1", "way")).equals(plain(*ends, zone))

    assert not is_plain()
    for rule in (find_rule(ALL, "AC-G08"), find_rule(ROADS if piece in ROADS else STREAMS, "AC-G08")):
        with pytest.MonkeyPatch.context() as patch:
            break_rule(patch, rule)
            assert is_plain()


def test_a_branch_of_a_railroad_that_breaks_a_row_gives_way_to_another() -> None:
    def draw_branch() -> LineString:
        table = table_of(dict.fromkeys((1, 2, 3, 5), "Railroad"), "72x48", seed=0)
        add_rails(table, Joints(table))
        (branch,) = (leg.line for leg in table.legs if leg.meets is not None)
        return branch

    usual = draw_branch()
    for rule in (find_rule(ALL, "AC-G08"), find_rule((Piece.RAILROAD,), "AC-F26")):
        with pytest.MonkeyPatch.context() as patch:
            break_rule(patch, rule)
            assert not draw_branch().equals(usual)


def test_a_stream_from_a_hill_beyond_that_breaks_a_row_is_not_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    def count_legs() -> int:
        table = table_of({1: "Stream", 2: "Hill"}, "48x24")
        put(table, "z2-1", Piece.HILL, oval(36, 12, 11, 8.6))
        add_streams(table, Joints(table))
        return len(table.legs)

    usual = count_legs()
    break_rule(monkeypatch, find_rule(STREAMS, "AC-G06"))
    assert count_legs() == usual - 1
