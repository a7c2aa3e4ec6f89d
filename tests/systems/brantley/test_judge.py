"""The judge finds a planted violation of every clause that it can judge, and none where nothing was planted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest
from by_hand import (
    BOARD,
    GOINGS,
    INCH,
    RANKS,
    SIDE,
    X1,
    Change,
    Plants,
    block,
    changed,
    detail,
    face,
    first_to_last,
    full_game,
    joined_rivers,
    moved,
    oval,
    overlays,
    placed_by,
    score,
    setting,
    slot,
    small_game,
    then,
    throw_anew,
    with_feature,
    with_log,
    without,
)
from msgspec.structs import replace
from shapely import LineString, Point, affinity

from printkit.chance.dice import Throw
from printkit.kit.book import read_book
from printkit.kit.system import Verdict
from printkit.systems.brantley.judge.judge import CHECKS, judge
from printkit.terrain.field.battlefield import Board, GroundScale
from printkit.terrain.field.features import Hill, HillFace
from printkit.terrain.field.record import Record, read_back

BOOK = read_book("brantley")


def broken(record: Record) -> dict[str, str]:
    return {verdict.clause: verdict.where for verdict in judge(record, BOOK) if verdict.state == "broken"}


def line(*points: tuple[float, float]) -> LineString:
    return LineString([(x * INCH, y * INCH) for x, y in points])


def swapped(*ranks: str) -> dict[str, tuple[Callable[[], Record], Change]]:
    """Lay a card of each rank where something else lies than it gives: the marsh of zone 4, the broken ground of 9."""
    numbers = {rank: 301 + place for place, rank in enumerate(RANKS)}
    return {f"BR-{numbers[rank]}": (full_game, slot(9 if rank in "478" else 4, card=f"{rank}C")) for rank in ranks}


def faced(identity: str, faces: Callable[[Hill], Sequence[HillFace]]) -> Change:
    """Return the change of the steep sides of a hill."""

    def spoil(record: Record) -> Record:
        found = record.battlefield.find(identity)
        assert isinstance(found, Hill)
        return changed(identity, faces=tuple(faces(found)))(record)

    return spoil


def first_face(change: Callable[[HillFace], HillFace]) -> Change:
    return faced("z2", lambda hill: [change(hill.faces[0])])


def rounded_hill(count: int) -> Change:
    """Return the change that makes so many sides of the hill of zone 5 steep, from side 0."""
    return faced("z5", lambda hill: [face(hill.outline, number) for number in range(count)])


def size(identity: str, width: float, depth: float) -> Change:
    number = int(identity[1:])
    return changed(identity, outline=oval(number, width, depth))


def relogged(stage: str, change: Callable[[list[Throw], list[int]], object]) -> Change:
    """Return the change of the log, which is told the places of the lines of a stage."""

    def spoil(record: Record) -> Record:
        log = list(record.log)
        change(log, [place for place, throw in enumerate(log) if throw.stage == stage])
        return replace(record, log=tuple(log))

    return spoil


def dropped(stage: str, number: int) -> Change:
    return relogged(stage, lambda log, places: log.pop(places[number]))


def scores(stage: str, *dice: int) -> Change:
    return lambda record: throw_anew(record, stage, dice)


def on_board(board: Board) -> Change:
    return lambda record: replace(record, battlefield=replace(record.battlefield, board=board))


def with_settings(**settings: str) -> Change:
    return lambda record: setting(lambda: record, **settings)()


def chosen(clause: str, identity: str, answer: str) -> Change:
    """Return the change of a decision of the log that names a feature."""
    return with_log(lambda t: replace(t, answer=answer) if t.clause == clause and identity in t.reason else t)


def facing_game() -> Record:
    """A small game whose steep sides look at the enemy of their placers."""
    outline = oval(5, 6, 5)
    turned = then(changed("z5", faces=(face(outline, 0), face(outline, 3))), chosen("BR-327", "z5", "0,3"))
    return turned(setting(small_game, steep="facing-enemy")())


def steep_game() -> Record:
    """The hill of zone 5 thrown steep on every side, as it should look."""
    steep = then(score("hills", 2, 6), chosen("BR-327", "z5", "0,1,2,3"), rounded_hill(4))
    return then(steep, changed("z5", going=GOINGS["impassable"]))(full_game())


PLANTS: Plants = {
    "BR-105": (full_game, on_board(Board(SIDE, SIDE + INCH, BOARD.scale))),
    "BR-106": (full_game, slot(9, n=8)),
    "BR-107": (full_game, overlays(lambda one: replace(one, side={"A": "B", "B": "A"}.get(one.side, "")))),
    **swapped(*RANKS),
    "BR-326": (full_game, first_face(lambda side: replace(side, going=GOINGS["good"]))),
    "BR-327": (full_game, changed("z5", faces=(face(oval(5, 6, 5), 0), replace(face(oval(5, 6, 5), 1), side=3)))),
    "BR-342": (full_game, placed_by("z5", "B")),
    "BR-343": (full_game, moved("z7", 3, 0)),
    "BR-344": (full_game, slot(7, card="4H")),
    "BR-404": (full_game, changed("R1", line=line((8, 2), (8, 24)))),
    "BR-405": (full_game, changed("R1", line=line((8, 0), (8, 22)))),
    "BR-406": (full_game, detail("rivers", [{"id": "R1", "start": "S:8.0", "end": {"lake": "z6"}}])),
    "BR-407": (joined_rivers, first_to_last("R1")),
    "BR-504": (full_game, changed("D1", line=line((1, 16.1), (20, 18.75)))),
    "BR-505": (full_game, changed("D1", line=line((0, 16), (17, 18.3)))),
    "BR-506": (full_game, changed("D1", line=line((0, 16), (24, 16)))),
    "BR-507": (full_game, first_to_last("D1")),
    "BR-601": (full_game, without("X1")),
    "BR-G02": (full_game, moved("z7", 1.4, 0)),
    "BR-G03": (full_game, changed("z4", outline=oval(4, 6.7, 6))),
    "BR-G06": (full_game, moved("z4", 0, -6)),
    "BR-G11": (full_game, changed("z3", outline=block(3, 4, 2.2))),
    "BR-G12": (full_game, size("z1", 2.4, 3.4)),
    "BR-G13": (full_game, size("z9", 4.5, 2)),
    "BR-G14": (full_game, size("z7", 4.5, 1.6)),
    "BR-G15": (full_game, size("z4", 4.5, 1.6)),
    "BR-G16": (full_game, changed("z2", contours=(oval(2, 5, 1.8),))),
    "BR-G17": (full_game, changed("z5", contours=(oval(5, 6, 5), oval(5, 2.5, 2)))),
    "BR-G18": (full_game, size("z6", 5, 2)),
    "BR-G21": (full_game, first_face(lambda side: replace(side, line=LineString(side.line.coords[:12])))),
    "BR-G22": (full_game, rounded_hill(3)),
    "BR-G23": (full_game, first_face(lambda side: replace(side, line=affinity.translate(side.line, 4, 4)))),
    "BR-G24": (full_game, changed("z5", going=GOINGS["good"])),
    "BR-G25": (steep_game, changed("z5", going=GOINGS["bad"])),
    "BR-G31": (full_game, changed("R2", width=1.7 * INCH)),
    "BR-G32": (full_game, changed("R2", line=line((24, 8), (18, 8), (18, 8.6), (22, 8.6), (20, 10.25)))),
    "BR-G33": (full_game, changed("R2", line=line((24, 0.6), (20, 8), (20, 10.25)))),
    "BR-G34": (full_game, changed("R1", line=line((8, 0), (8, 4), (0.5, 6), (8, 8), (8, 24)))),
    "BR-G35": (full_game, changed("R1", line=line((8, 0), (8, 4), (8.4, 4.4), (8.4, 4), (7.6, 4.4), (8, 5), (8, 24)))),
    "BR-G36": (full_game, changed("R1", line=line((8, 0), (8, 12), (10, 12), (8, 13), (8, 24)))),
    "BR-G38": (full_game, changed("R2", line=line((24, 8), (20, 8), (20, 12)))),
    "BR-G39": (joined_rivers, changed("R2", line=line((0, 8), (6, 8), (8, 2)))),
    "BR-G40": (full_game, changed("R2", line=line((0, 8), (9, 8.5)))),
    "BR-G51": (full_game, changed("D2", width=1.2 * INCH)),
    "BR-G52": (full_game, changed("D2", line=line((16, 0), (16, 8), (17, 8), (17, 9), (16, 9), (16, 18.2)))),
    "BR-G53": (full_game, changed("D1", line=line((0, 23.4), (20, 18.75)))),
    "BR-G54": (full_game, changed("D2", line=line((16, 0), (18, 12), (16, 18.2)))),
    "BR-G55": (full_game, changed("D1", line=line((0, 16), (20, 18.4)))),
    "BR-G56": (full_game, changed("D2", line=line((16, 0), (16, 17), (17.6, 18.42)))),
    "BR-G57": (full_game, changed("D1", line=line((0, 16), (7.6, 16), (8.4, 23), (20, 18.75)))),
    "BR-G61": (full_game, with_feature(replace(X1, id="X2", at=Point(300, 300)))),
    "BR-G62": (full_game, with_feature(replace(X1, id="X2", at=Point(16 * INCH, 18.2 * INCH)))),
    "BR-G71": (full_game, on_board(Board(SIDE, SIDE, GroundScale(pace=0.26, base_width=40.0)))),
    "BR-G72": (full_game, overlays(lambda one: replace(one, shape=BOARD.zones(1, 3)[2]) if one.side == "B" else one)),
    "BR-G90": (full_game, detail("rivers", [{"id": "R1", "start": "S:9.0"}, {"id": "R2", "start": "E:8.0"}])),
    "BR-M13": (full_game, then(detail("seal", {"game": "", "commitment": "0123456789abcdef"}), detail("salt", "1"))),
    "BR-M28": (facing_game, changed("z2", faces=(face(oval(2, 5, 4), 3),))),
    "BR-Q06": (full_game, changed("z2", faces=(replace(face(oval(2, 5, 4), 1), side=5),))),
    "BR-Q07": (full_game, faced("z5", lambda hill: [*hill.faces, face(hill.contours[1], 2)])),
    "BR-Q08": (full_game, changed("z2", going=GOINGS["bad"])),
    "BR-Q09": (full_game, changed("R1", line=line((8, 0), (8, 4), (16, 4), (16, 0)))),
    "BR-Q12": (full_game, changed("R1", line=line((8, 0), (8, 12), (10, 12), (8, 13), (8, 24)))),
    "BR-Q14": (joined_rivers, first_to_last("R1")),
    "BR-Q15": (
        full_game,
        then(with_settings(br_q15="clear-only"), changed("D2", line=line((16, 0), (19, 4), (16, 18.2)))),
    ),
    "BR-Q16": (full_game, with_settings(br_q16="ford")),
    "BR-Q18": (full_game, on_board(Board(SIDE, SIDE, GroundScale(pace=INCH / 80, base_width=40.0)))),
    "BR-Q23": (full_game, changed("R2", line=line((20, 10.25), (20, 8), (24, 8)))),
    "BR-Q21": (full_game, changed("z5", going=GOINGS["good"])),
}


@pytest.mark.parametrize("game", [full_game, small_game, joined_rivers, steep_game, facing_game])
def test_a_good_game_breaks_nothing(game: Callable[[], Record]):
    assert broken(settled(game)) == {}


@cache
def settled(game: Callable[[], Record]) -> Record:
    return read_back(game())


@cache
def judged(game: Callable[[], Record]) -> dict[str, Verdict]:
    return {verdict.clause: verdict for verdict in judge(settled(game), BOOK)}


@pytest.mark.parametrize("clause", [pytest.param(clause, marks=pytest.mark.clause(clause)) for clause in PLANTS])
def test_a_planted_violation_is_found(clause: str):
    game, spoil = PLANTS[clause]
    good = settled(game)
    assert judged(game)[clause].state != "broken"
    assert broken(read_back(spoil(good))).get(clause)


def test_every_clause_that_can_be_judged_has_its_plant():
    assert set(PLANTS) == set(CHECKS)


@pytest.mark.clause("BR-G40")
@pytest.mark.parametrize(
    ("game", "points", "found"),
    [
        (joined_rivers, [(24, 4), (6, 4), (6, 8), (8, 8)], True),
        (joined_rivers, [(0, 4), (6, 4), (6, 8), (8, 8)], False),
        (full_game, [(24, 8), (4, 8), (0, 12)], True),
    ],
)
def test_a_river_meets_another_only_where_it_ends_in_it(
    game: Callable[[], Record], points: list[tuple[float, float]], found: bool
) -> None:
    assert ("BR-G40" in broken(read_back(changed("R2", line=line(*points))(settled(game))))) is found
