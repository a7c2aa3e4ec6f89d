"""Boards with everything on them, and the ways to spoil one thing of such a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace
from shapely import LineString, affinity

from printkit.chance.dice import Dice, Seeded, Throw
from printkit.chance.streams import Jitter
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.kit.system import Scenario
from printkit.systems.portable.judge.case import LocatedPart, PortableCase
from printkit.systems.portable.judge.counting import find_parts
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record, read_back

Change = Callable[[Record], Record | None]
"""Spoils one thing of a board, or returns None where there is nothing of the sort on it."""

GAMES: dict[str, tuple[dict[str, str], ...]] = {
    "portable-1": (
        {"preset": "undulating-urban", "pw1.places": "2-3", "grid": "hex-6x8"},
        {"preset": "mountainous", "pw1.chains": "on"},
        {"preset": "hilly-rural", "pw1.order": "hills-first", "pw1.course": "chain", "grid": "sq-8x8"},
        {"preset": "undulating-urban"},
        {"preset": "hilly-forest", "pw1.order": "hills-first", "grid": "hex-6x8"},
    ),
    "portable-2": (
        {"preset": "undulating-rural", "railway": "1", "lakes": "die", "marshes": "die"},
        {"preset": "undulating-urban", "railway": "2", "grid": "sq-8x8"},
        {"preset": "mountainous", "grid": "sq-8x8", "road": "2"},
        {"preset": "hilly-rural", "railway": "1", "river": "2", "grid": "hex-6x8"},
        {"preset": "undulating-urban", "pw2.exit": "sep30", "river-areas": "2"},
    ),
}
SEEDS = {"portable-1": (1, 3, 19, 8, 5), "portable-2": (5, 1, 8, 6, 9)}


@cache
def game(name: str, number: int) -> Record:
    """Return a board that the rules made."""
    system = find(name)
    settings, seed = system.book.settle(GAMES[name][number]), SEEDS[name][number]
    scenario = Scenario(board=system.board(settings=settings), settings=settings, seed=seed)
    made = system.lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
    return read_back(
        Record(
            rules=name, battlefield=made.battlefield, settings=settings, seed=seed, log=made.log, details=made.details
        )
    )


def case(record: Record) -> PortableCase:
    """Return a record laid open; the log of a game is counted out but once for all that is spoilt of it."""
    place = SEEDS[record.rules].index(record.seed or 0)
    good, known = game(record.rules, place), _laid_open(record.rules, place)
    if record is good:
        return known
    found = _open(record)
    if record.log is good.log and record.settings is good.settings:
        vars(found)["recount"] = known.recount
    return found


@cache
def _laid_open(name: str, number: int) -> PortableCase:
    return _open(game(name, number))


def _open(record: Record) -> PortableCase:
    grid = record.battlefield.grid
    assert grid is not None
    system: Any = find(record.rules)
    rules = Rules.of_record(system.book, record, units={"cell": grid.cell})
    return PortableCase(record=record, rules=rules, grid=grid, steps=system.steps)


def with_features(record: Record, features: Iterator[Feature] | tuple[Feature, ...]) -> Record:
    return replace(record, battlefield=replace(record.battlefield, features=tuple(features)))


def put(record: Record, feature: Feature) -> Record:
    """Return a record with another feature in place of the one of that ID."""
    return with_features(record, (feature if one.id == feature.id else one for one in record.battlefield.features))


def first(record: Record, *kinds: Kind) -> Any:
    return next((one for one in record.battlefield.features if one.kind in kinds), None)


def changed(*kinds: Kind, **members: Any) -> Change:
    """Return the change of members of the first feature of some kinds; a callable is given the feature."""

    def spoil(record: Record) -> Record | None:
        one = first(record, *kinds)
        if one is None:
            return None
        found = {key: value(one) if callable(value) else value for key, value in members.items()}
        return put(record, replace(one, **found))

    return spoil


def without(*kinds: Kind) -> Change:
    def spoil(record: Record) -> Record | None:
        one = first(record, *kinds)
        if one is None:
            return None
        return with_features(record, tuple(each for each in record.battlefield.features if each is not one))

    return spoil


def shifted(feature: Any, right: float, up: float) -> Any:
    match feature:
        case Area():
            return replace(feature, outline=affinity.translate(feature.outline, right, up))
        case Hill():
            return replace(feature, contours=tuple(affinity.translate(one, right, up) for one in feature.contours))
        case Course():
            return replace(feature, line=affinity.translate(feature.line, right, up))
        case Crossing():
            return replace(feature, at=affinity.translate(feature.at, right, up))
    return feature


def to(record: Record, feature: Any, cell: Cell) -> Record:
    """Return a record with ground of a single area on another area, in shape and by name."""
    seen = case(record)
    (x, y), (to_x, to_y) = seen.grid.centre(Cell(*feature.cells[0])), seen.grid.centre(cell)
    parts = [each for each in seen.ground if (each.kind, each.cells) == (feature.kind, feature.cells)]
    for part in parts:
        record = put(record, replace(shifted(part, to_x - x, to_y - y), cells=(tuple(cell),)))
    return record


def free(record: Record) -> Cell:
    """Return the last area that holds nothing and has no neighbour that holds anything, or just nothing."""
    seen = case(record)
    found = [cell for cell in seen.grid.cells() if not seen.at(cell) and not seen.courses_at(cell)]
    return found[-1]


def moved(*kinds: Kind, fits: Callable[[LocatedPart], bool] = lambda _: True) -> Change:
    """Return the change that moves something of a single area, that the dice put there, to a free area."""

    def spoil(record: Record) -> Record | None:
        seen = case(record)
        for part in find_parts(seen):
            for feature in seen.at(part.cell) if fits(part) and (not kinds or part.piece.kind in kinds) else ():
                if len(feature.cells) == 1 and feature.kind is part.piece.kind:
                    return to(record, feature, free(record))
        return None

    return spoil


def left_out(fits: Callable[[LocatedPart], bool]) -> Change:
    """Return the change that takes an area away from a feature of several."""

    def spoil(record: Record) -> Record | None:
        seen = case(record)
        for part in find_parts(seen):
            for feature in seen.at(part.cell) if fits(part) else ():
                if len(feature.cells) > 1 and feature.kind is part.piece.kind:
                    return put(
                        record, replace(feature, cells=tuple(each for each in feature.cells if each != part.cell))
                    )
        return None

    return spoil


def onto(kind: Kind, *others: Kind) -> Change:
    """Return the change that moves something of a single area onto an area of another feature."""

    def spoil(record: Record) -> Record | None:
        seen = case(record)
        single = [feature for feature in seen.find_ground(kind) if len(feature.cells) == 1]
        there = [cell for other in others for cell in seen.find_cells(other)]
        for course in seen.find_courses(*others):
            run = [Cell(*cell) for cell in course.cells]
            there.append(max(run, key=lambda cell: seen.outline(cell).intersection(course.line).length))
        if not single or not there:
            return None
        return to(record, single[0], sorted(there)[0])

    return spoil


def bulged(line: LineString, by: float) -> LineString:
    (x, y), (to_x, to_y) = line.coords[0], line.coords[-1]
    across = (to_y - y, x - to_x)
    length = (across[0] ** 2 + across[1] ** 2) ** 0.5 or 1.0
    middle = (x + to_x) / 2 + by * across[0] / length, (y + to_y) / 2 + by * across[1] / length
    return LineString([(x, y), middle, (to_x, to_y)])


def asked(**settings: str) -> Change:
    """Return the change of settings."""
    return lambda record: replace(record, settings={**record.settings, **settings})


def with_log(change: Callable[[list[Throw]], None]) -> Change:
    def spoil(record: Record) -> Record:
        log = list(record.log)
        change(log)
        return replace(record, log=tuple(log))

    return spoil


def other_die(reason: str) -> Change:
    """Return the change of the first die thrown for a reason to the score farthest from it."""

    def spoil(record: Record) -> Record | None:
        place = next((at for at, throw in enumerate(record.log) if throw.reason.startswith(reason)), None)
        if place is None:
            return None
        log = list(record.log)
        log[place] = replace(log[place], answer="6" if int(log[place].answer) <= 3 else "1")
        return replace(record, log=tuple(log))

    return spoil


def last_first(stage: str) -> Change:
    """Return the change that puts the last throw of a stage before its first."""

    def spoil(record: Record) -> Record | None:
        own = [throw for throw in record.log if throw.stage == stage]
        if len({throw.reason for throw in own}) < 2:
            return None
        order = iter([own[-1], *own[:-1]])
        return replace(record, log=tuple(next(order) if throw.stage == stage else throw for throw in record.log))

    return spoil


def stages_turned(record: Record) -> Record:
    last = record.log[-1].stage
    late = [throw for throw in record.log if throw.stage == last]
    return replace(record, log=(*late, *(throw for throw in record.log if throw.stage != last)))


def then(*changes: Change) -> Change:
    def spoil(record: Record) -> Record | None:
        found: Record | None = record
        for change in changes:
            found = change(found) if found is not None else None
        return found

    return spoil
