"""Boards of DBA 3 drawn by hand in base widths, and every way in which a defender may choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from shapely import LineString, Polygon, affinity, box

from printkit.chance.dice import Dice, Question, Throw
from printkit.kit.system import RuleSystem
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Feature, Going, Hill, HillFace, Kind
from printkit.terrain.field.record import Record

BASE = 40.0
GOOD, ROUGH, SPECIAL, BAD, WET = (
    Going(rank, name) for rank, name in ((0, "good"), (1, "rough"), (1, "special"), (2, "bad"), (3, "impassable"))
)
_GOINGS = {
    Kind.PLOUGH: GOOD, Kind.SCRUB: ROUGH, Kind.ROCKS: ROUGH, Kind.BOGGY_GROUND: ROUGH, Kind.ENCLOSURE: ROUGH,
    Kind.CITY: SPECIAL, Kind.FORT: SPECIAL, Kind.HAMLET: SPECIAL, Kind.EDIFICE: SPECIAL, Kind.WATERWAY: WET,
}  # fmt: skip

T = TypeVar("T")


def scaled(shape: Any) -> Any:
    """Return a shape given in base widths in mm."""
    return affinity.scale(shape, BASE, BASE, origin=(0, 0))


def area(identity: str, kind: Kind, *bounds: float) -> Area:
    """Return a rectangle of ground from left, low, right, high."""
    return Area(id=identity, kind=kind, outline=scaled(box(*bounds)), going=_GOINGS.get(kind, BAD))


def woods(identity: str, *bounds: float) -> Area:
    return area(identity, Kind.LIGHT_WOODS, *bounds)


def waterway(outline: Polygon) -> Area:
    return Area(id="waterway", kind=Kind.WATERWAY, outline=scaled(outline), going=WET)


def hill(identity: str, *bounds: float, steep: bool = False) -> Hill:
    shape = scaled(box(*bounds))
    face = HillFace(line=shape.exterior, kind=Kind.STEEP_SLOPE, going=BAD, side=0)
    return Hill(
        id=identity, kind=Kind.HILL, contours=(shape,), going=BAD if steep else GOOD, faces=(face,) if steep else ()
    )


def course(identity: str, kind: Kind, *points: tuple[float, float], wide: float = 0.5) -> Course:
    going = {Kind.RIVER: SPECIAL, Kind.GULLY: BAD}.get(kind, GOOD)
    return Course(id=identity, kind=kind, line=scaled(LineString(points)), width=wide * BASE, going=going)


def record(
    system: RuleSystem,
    features: Iterable[Feature],
    *,
    side: float = 15,
    log: Iterable[Throw] = (),
    details: Mapping[str, Any] | None = None,
    properties: Mapping[str, Mapping[str, Any]] | None = None,
    settings: Mapping[str, str] | None = None,
) -> Record:
    """Return a record of features on a board of so many base widths."""
    return Record(
        rules=system.name,
        battlefield=Battlefield(board=system.board(side * BASE), features=tuple(features)),
        log=tuple(log),
        details=details or {},
        properties=properties or {},
        settings=settings or {},
    )


def verdict(system: RuleSystem, clause: str, features: Iterable[Feature], **given: Any) -> tuple[str, str]:
    """Return how a clause is judged, and where it is broken."""
    found = next(each for each in system.judge(record(system, features, **given)) if each.clause == clause)
    return found.state, found.where


def kept(system: RuleSystem, clause: str, features: Iterable[Feature], **given: Any) -> bool:
    """Return whether a clause is kept; that nobody judges it is a fault of the test."""
    state, where = verdict(system, clause, features, **given)
    assert state != "not judged", where
    return state == "kept"


class _Path:
    """Answers along one way through a tree of choices."""

    def __init__(self, way: list[int]) -> None:
        self.way, self.counts = way, list[int]()

    def pick(self, question: Question) -> tuple[int, ...]:
        place = len(self.counts)
        self.counts.append(len(question.labels))
        if place == len(self.way):
            self.way.append(0)
        return (self.way[place],)


def every(run: Callable[[Dice], T]) -> Iterator[T]:
    """Yield what comes of every sequence of answers."""
    way: list[int] = []
    while True:
        path = _Path(way)
        yield run(Dice(path))
        way = path.way[: len(path.counts)]
        while way and way[-1] + 1 == path.counts[len(way) - 1]:
            way.pop()
        if not way:
            return
        way[-1] += 1
