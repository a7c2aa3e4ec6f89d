"""What the judge of Solo DBA promises: nothing that is missing goes unseen, limits hold from both sides, and whatever
is written into a record is a verdict or an error of the record."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from changed_books import without
from msgspec.structs import replace
from shapely import LineString, Polygon, box

from printkit.core.errors import RecordError
from printkit.core.words import find_words as language
from printkit.kit.checks import UnseenError
from printkit.kit.registry import find, read_record
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.solo.cards.pair import read_recorded_pair
from printkit.systems.solo.judge.case import SoloCase
from printkit.systems.solo.judge.judge import CHECKS
from printkit.systems.solo.sheets.battle_sheets import make_case
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Feature, Going, Kind
from printkit.terrain.field.record import Record, write

SYSTEM = find("solo-dba")
EN = language("en")
INCH = 25.4
BASE = 40.0
SIDE = 24 * INCH


@cache
def played(seed: int, **options: str) -> Record:
    return play(SYSTEM, Orders(rules="solo-dba", options=options), seed, EN).record


def broken(record: Record) -> set[str]:
    return {verdict.clause for verdict in SYSTEM.judge(record) if verdict.state == "broken"}


GAMES: tuple[tuple[int, Mapping[str, str]], ...] = (
    (2, {"home": "littoral"}), (7, {"home": "arable"}), (3, {"home": "tropical"}), (11, {"home": "forest"}),
)  # fmt: skip


@pytest.mark.clause("SD-3.2.3-d", "SD-3.3.5-d")
@pytest.mark.parametrize(("seed", "options"), GAMES)
def test_every_feature_that_is_taken_away_is_missed(seed: int, options: Mapping[str, str]) -> None:
    record = played(seed, **options)
    text = write(record)
    assert broken(record) == set()
    for feature in record.battlefield.features:
        _, less = read_record(without(text, feature.id))
        assert broken(less), feature.id


@pytest.mark.clause("AMB-16")
def test_a_piece_left_out_is_excused_and_one_without_an_excuse_is_not() -> None:
    record = played(7, home="arable")
    details = copy.deepcopy(dict(record.details))
    gone = details["terrain"]["pieces"][-1]
    gone["result"] = None
    rest = tuple(each for each in record.battlefield.features if not each.id.startswith(gone["id"]))
    field = replace(record.battlefield, features=rest)
    assert "SD-3.2.3-d" in broken(replace(record, battlefield=field, details=details))
    details["terrain"]["left_out"] = [{"id": gone["id"], "by": ["no room"]}]
    assert "SD-3.2.3-d" not in broken(replace(record, battlefield=field, details=details))


def test_an_unknown_setting_is_an_error_that_names_it() -> None:
    with pytest.raises(RecordError, match=r"settings\.use_buas is not a setting of solo-dba"):
        SYSTEM.judge(replace(played(7, home="arable"), settings={"use_buas": "true"}))


# --- Limits from both sides -------------------------------------------------------------------------------------------

GOING = {name: Going(rank, name) for rank, name in enumerate(("good", "special", "bad", "impassable"))}
ELSEWHERE = (
    Area(id="rough-8", kind=Kind.ROUGH_GROUND, outline=box(420, 60, 520, 140), going=GOING["bad"]),
    Area(id="rough-9", kind=Kind.ROUGH_GROUND, outline=box(60, 420, 160, 500), going=GOING["bad"]),
)


def area(kind: Kind, *bounds: float, going: str = "bad") -> Area:
    return Area(id=f"{kind}-1", kind=kind, outline=box(*bounds), going=GOING[going])


def course(kind: Kind, *points: tuple[float, float]) -> Course:
    return Course(id=str(kind), kind=kind, line=LineString(points), width=20.0, going=GOING["special"])


def winding(factor: float, kind: Kind) -> Course:
    """Return a course across the board so many times as long as straight."""
    high = SIDE / 4 * (factor**2 - 1) ** 0.5
    points = [(place * SIDE / 4, 330.0 + (high if place % 2 else 0.0)) for place in range(5)]
    return course(kind, *points)


def triangle(share: float) -> Polygon:
    """Return a piece of which such a share lies left of the middle."""
    return box(300 - 100 * share, 50, 300 + 100 * (1 - share), 110)


def limits() -> Iterator[Any]:
    """Yield clause, what is measured at so many times its limit, and whether it may be no more than that."""
    room = (60.0, 200.0)
    yield "SD-3.3-b", lambda by: [area(Kind.MARSH, *room, 60 + 5 * BASE * by, 200 + 4 * BASE * by)], True
    yield "SD-3.3-b", lambda by: [area(Kind.MARSH, *room, 60 + 2 * BASE, 200 + BASE * by)], False
    yield "SD-3.3-b", lambda by: [area(Kind.LIGHT_WOODS, *room, 60 + 4 * BASE * by, 200 + 2 * BASE)], True
    yield (
        "SD-3.3-b",
        lambda by: [
            area(Kind.MARSH, *room, 140, 280),
            area(Kind.DUNES, 140 + BASE * by, 200, 230 + BASE * by, 280),
        ],
        False,
    )
    yield "SD-3.3-b", lambda by: [area(Kind.WATERWAY, 0, SIDE - 2.5 * BASE * by, SIDE, SIDE, going="impassable")], True
    yield "SD-3.3-b", lambda by: [area(Kind.WATERWAY, 0, SIDE - BASE * by, SIDE, SIDE, going="impassable")], False
    corner = 900 * INCH / 100
    yield "SD-3.3.2-a", lambda by: [area(Kind.BUA, corner * by - 80, 10, corner * by, 90, going="special")], True
    yield "SD-3.3.3-b", lambda by: [winding(1.5 * by, Kind.RIVER)], True
    yield "SD-3.3.5-b", lambda by: [winding(1.15 * by, Kind.ROAD)], True
    edge = 6 * INCH
    yield "SD-3.3.3-c", lambda by: [course(Kind.RIVER, (0, 300), (300, edge * by), (SIDE, 300))], False


EMPTY_BOARD = ("SD-3.3.2-a", "SD-3.3.3-b", "SD-3.3.5-b", "SD-3.3.3-c")


@pytest.mark.parametrize(("clause", "at", "most"), list(limits()))
def test_a_limit_holds_within_a_hundredth_on_both_sides(clause: str, at: Any, most: bool) -> None:
    for by in (0.99, 1.03):
        features: tuple[Feature, ...] = tuple(at(by))
        rest: tuple[Feature, ...] = () if clause in EMPTY_BOARD else ELSEWHERE
        if any(each.kind is Kind.WATERWAY for each in features):
            rest = rest[:1]
        field = Battlefield(board=SYSTEM.board(), features=(*features, *rest))
        record = Record(rules="solo-dba", battlefield=field, log=())
        assert (clause not in broken(record)) is ((by < 1) is most), by


@pytest.mark.clause("SD-3.3.4-b")
@pytest.mark.parametrize(("share", "kept"), [(0.505, True), (0.494, False)])
def test_half_of_a_piece_within_a_hundredth(share: float, kept: bool) -> None:
    record = played(11, home="forest")
    case = SoloCase.of_record(record, SYSTEM.book)
    piece = next(each for each in case.area_pieces if "/" in case.find_result(each))
    column, row = case.find_result(piece).split("/")
    low = {"left": 0, "centre": 1, "right": 2}[column] * SIDE / 3
    y = {"near": 0, "middle": 1, "far": 2}[row] * SIDE / 3 + 50
    start = low - 100 * (1 - share) if low else SIDE / 3 - 100 * share
    moved = Area(id=piece.id, kind=Kind.LIGHT_WOODS, outline=box(start, y, start + 100, y + 60), going=GOING["bad"])
    features = tuple(moved if each.id == piece.id else each for each in record.battlefield.features)
    changed = replace(record, battlefield=replace(record.battlefield, features=features))
    assert ("SD-3.3.4-b" not in broken(changed)) is kept


@pytest.mark.clause("SD-3.3-b")
def test_every_slack_is_small_and_has_its_reason() -> None:
    for name, slack in SYSTEM.book.slacks.items():
        assert 0 < slack <= 0.02 * SYSTEM.book.numbers[name], name


# --- Whatever is written into a record --------------------------------------------------------------------------------


def paths(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value below a tree; of a list only to its last."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        if isinstance(tree, list) and key != len(tree) - 1:
            continue
        yield (*path, key)
        yield from paths(value, (*path, key))


WRONG: tuple[object, ...] = (None, "x", -1, [], {})


@pytest.mark.parametrize("shift", [0, *(pytest.param(shift, marks=pytest.mark.soak) for shift in range(1, len(WRONG)))])
def test_what_cannot_be_read_is_an_error_of_the_record(shift: int) -> None:
    record = played(2, home="littoral")
    every = list(enumerate(paths(dict(record.details))))
    for number, path in every[shift % 3 :: 3]:
        details = copy.deepcopy(dict(record.details))
        held: Any = details
        for key in path[:-1]:
            held = held[key]
        held[path[-1]] = WRONG[(number + shift) % len(WRONG)]
        changed = replace(record, details=details)
        for read in (_judge, _account, _sheets):
            with suppress(RecordError, UnseenError):
                read(changed)


def _judge(record: Record) -> None:
    case = SoloCase.of_record(record, SYSTEM.book)
    for clause in ("SD-3.2.3-d", "SD-3.3.4-b", "AMB-14"):
        list(CHECKS[clause](case))


def _account(record: Record) -> None:
    SYSTEM.account(record, EN)
    SYSTEM.subtitle(record, EN)


def _sheets(record: Record) -> None:
    bare = replace(record, battlefield=replace(record.battlefield, features=()))
    make_case(bare, read_recorded_pair(bare, SYSTEM.book), secret=True)
