"""A battlefield made by hand that keeps every clause, and the ways to spoil one thing of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from shapely import LineString, Point, Polygon, affinity, box
from shapely.ops import substring

from printkit.chance.dice import Act, Throw
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.field.record import Record

INCH = 25.4
SIDE = 24 * INCH
THIRD = SIDE / 3
BOARD = Board(SIDE, SIDE, GroundScale(pace=0.254, base_width=40.0))
GOINGS = {name: Going(rank=rank, name=name) for rank, name in ((0, "good"), (2, "bad"), (3, "impassable"))}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PLACED = ("2S", "9S", "AS", "7S", "JS", "QS", "4S", "AH", "3S")
"""The card of each zone, 1 to 9."""

TURNS = {1: ("A", 1), 5: ("B", 2), 2: ("A", 3), 6: ("B", 4), 3: ("A", 5), 7: ("B", 6), 4: ("A", 7), 8: ("B", 8)}

Change = Callable[[Record], Record]


def centre(zone: int) -> tuple[float, float]:
    row, column = divmod(zone - 1, 3)
    return (column + 0.5) * THIRD, SIDE - (row + 0.5) * THIRD


def oval(zone: int, width: float, depth: float) -> Polygon:
    """Return a smooth outline that fills a box of so many inches in the middle of a zone."""
    disc = Point(0, 0).buffer(0.5, quad_segs=32)
    return affinity.translate(affinity.scale(disc, width * INCH, depth * INCH, origin=(0, 0)), *centre(zone))


def block(zone: int, width: float, depth: float) -> Polygon:
    """Return a box of so many inches without one of its corners, so that it has five."""
    across, along = centre(zone)
    half, deep = width * INCH / 2, depth * INCH / 2
    corners = ((-1, -1), (1, -1), (1, 0.4), (0.4, 1), (-1, 1))
    return Polygon([(across + x * half, along + y * deep) for x, y in corners])


def side(outline: Polygon, number: int, count: int = 4) -> LineString:
    """Return a quarter of an oval: 0 about its right end, then on anticlockwise."""
    ring = LineString(outline.exterior.coords if outline.exterior.is_ccw else outline.exterior.coords[::-1])
    whole = LineString([*ring.coords, *list(ring.coords)[1:]])
    start = (number - 0.5) % count / count * ring.length
    return LineString(substring(whole, start, start + ring.length / count).coords)


def area(zone: int, kind: Kind, going: str, outline: Polygon, placed_by: str) -> Area:
    origin = Origin(zone=zone, placed_by=placed_by)
    return Area(id=f"z{zone}", kind=kind, outline=outline, going=GOINGS[going], origin=origin)


def hill(zone: int, sizes: Sequence[tuple[float, float]], steep: Sequence[int], going: str, placed_by: str) -> Hill:
    contours = tuple(oval(zone, *size) for size in sizes)
    return Hill(
        id=f"z{zone}",
        kind=Kind.HILL,
        contours=contours,
        faces=tuple(face(contours[0], number) for number in steep),
        cover={"bad": Kind.LIGHT_WOODS}.get(going),
        going=GOINGS[going],
        origin=Origin(zone=zone, placed_by=placed_by),
    )


def face(outline: Polygon, number: int) -> HillFace:
    return HillFace(line=side(outline, number), kind=Kind.STEEP_SLOPE, going=GOINGS["impassable"], side=number)


def course(identity: str, kind: Kind, placed_by: str, *points: tuple[float, float]) -> Course:
    width, going = (INCH, "impassable") if kind is Kind.RIVER else (0.75 * INCH, "good")
    line = LineString([(x * INCH, y * INCH) for x, y in points])
    return Course(
        id=identity, kind=kind, line=line, width=width, going=GOINGS[going], origin=Origin(placed_by=placed_by)
    )


R1 = course("R1", Kind.RIVER, "A", (8, 0), (8, 24))
R2 = course("R2", Kind.RIVER, "B", (24, 8), (20, 8), (20, 10.25))
D1 = course("D1", Kind.ROAD, "A", (0, 16), (20, 18.75))
D2 = course("D2", Kind.ROAD, "B", (16, 0), (16, 18.2))
X1 = Crossing(
    id="X1",
    kind=Kind.BRIDGE,
    at=Point(8 * INCH, 17.1 * INCH),
    bearing=7.8,
    route="D1",
    water="R1",
    going=GOINGS["good"],
)

GROUND: tuple[Feature, ...] = (
    area(1, Kind.HEAVY_WOODS, "impassable", oval(1, 4.5, 3.5), "A"),
    hill(2, [(5, 4)], [1], "good", "B"),
    area(3, Kind.BUA, "bad", block(3, 4, 3.5), "A"),
    area(4, Kind.MARSH, "bad", oval(4, 4.5, 3.5), "B"),
    hill(5, [(6, 5), (3.6, 3)], [0, 1], "bad", "A"),
    area(6, Kind.LAKE, "impassable", oval(6, 5, 4), "B"),
    area(7, Kind.LIGHT_WOODS, "bad", oval(7, 4.5, 3.5), "A"),
    area(9, Kind.BROKEN_GROUND, "bad", oval(9, 4.5, 3.5), "B"),
)


def pack(top: Sequence[str]) -> list[str]:
    whole = [rank + suit for suit in "SHDC" for rank in RANKS]
    return [*top, *(card for card in whole if card not in top)]


def die(stage: str, reason: str, answer: int, clause: str) -> Throw:
    return Throw(stage=stage, reason=reason, asked="d6", answer=str(answer), clause=clause)


SLOPE, WOODS = "BR-321,BR-322,BR-323,BR-324,BR-325", "BR-328,BR-329,BR-330,BR-331"


def hill_throws(identity: str, placer: str, *, slope: int, woods: int, steep: str) -> tuple[Throw, ...]:
    who = f"of {identity}, placed by {placer}"
    return (
        die("hills", f"slopes of {identity}", slope, SLOPE),
        die("hills", f"woods on {identity}", woods, WOODS),
        Throw(stage="hills", reason=f"steep sides {who}", asked="choice of 4", answer=steep, clause="BR-327"),
        Throw(stage="hills", reason=f"facing {who}", asked="choice of 72", answer="0", clause="BR-342"),
    )


def slots() -> list[dict[str, Any]]:
    found = []
    for zone, card in enumerate(PLACED, 1):
        player, turn = TURNS.get(zone, ("", None))
        found.append({"n": zone, "card": card, "placed_by": player or None, "turn": turn, "blind": turn is None})
    return found


def full_game() -> Record:
    """Every kind of ground, two rivers of which one ends in the lake, two roads that end in town and at a junction."""
    top = ["2S", "9S", "AS", "7S", "JS", "QS", "4S", "AH", "3S"]
    placing = [
        Throw(stage="placing", reason=f"{what}, turn {turn}", asked="choice of 4", answer=answer, clause="BR-M24")
        for zone, (_, turn) in sorted(TURNS.items(), key=lambda item: item[1][1])
        for what, answer in (("card", PLACED[zone - 1]), ("zone", str(zone)))
    ]
    log = (
        Throw(stage="deal", reason="shuffle", asked="52 cards", answer=" ".join(pack(top)), clause="BR-202"),
        *placing,
        *hill_throws("z2", "B", slope=5, woods=5, steep="1"),
        *hill_throws("z5", "A", slope=5, woods=2, steep="0,1"),
        die("rivers", "number of rivers", 3, "BR-401"),
        die("roads", "number of roads", 4, "BR-501"),
        die("order", "A", 2, "BR-702"),
        die("order", "B", 5, "BR-702"),
    )
    deep = 6 * INCH
    zones = (Overlay(kind="zone", shape=shape, label=str(at)) for at, shape in enumerate(BOARD.zones(3, 3), 1))
    overlays = (
        Overlay(kind="deployment", shape=box(0, SIDE - deep, SIDE, SIDE), side="A"),
        Overlay(kind="deployment", shape=box(0, 0, SIDE, deep), side="B"),
        *zones,
    )
    return Record(
        rules="brantley",
        battlefield=Battlefield(board=BOARD, features=(*GROUND, R1, R2, D1, D2, X1), overlays=overlays),
        seed=1,
        log=log,
        details={
            "zones": slots(),
            "deck": pack(top),
            "hands": {"A": top[:4], "B": top[4:8]},
            "rivers": [
                {"id": "R1", "placed_by": "A", "start": "S:8.0", "end": {"edge": "N:8.0"}},
                {"id": "R2", "placed_by": "B", "start": "E:8.0", "end": {"lake": "z6"}},
            ],
            "roads": [
                {"id": "D1", "placed_by": "A", "start": "W:16.0", "end": {"bua": "z3"}},
                {"id": "D2", "placed_by": "B", "start": "S:16.0", "end": {"road": "D1", "at": 0.8}},
            ],
            "hills": [
                {"zone": 2, "slope": 5, "modified": 5, "woods": 5},
                {"zone": 5, "slope": 5, "modified": 6, "woods": 2},
            ],
            "deployment": {"depth_mm": deep, "deploys_first": "A", "moves_first": "B"},
        },
    )


def small_game() -> Record:
    """One river and one road, both thrown for, after a tie at the river."""
    game = throw_anew(full_game(), "rivers", [1, 3, 3, 5, 1])
    game = throw_anew(game, "roads", [2, 2, 6])
    game = without("R2")(without("D2")(placed_by("D1", "B")(game)))
    return detail("rivers", game.details["rivers"][:1])(detail("roads", game.details["roads"][:1])(game))


def joined_rivers() -> Record:
    """The second river ends in the first."""
    game = changed("R2", line=LineString([(0, THIRD), (THIRD, THIRD)]))(full_game())
    river = {"id": "R2", "placed_by": "B", "start": "W:8.0", "end": {"river": "R1", "at": 0.33}}
    return detail("rivers", [game.details["rivers"][0], river])(game)


def setting(base: Callable[[], Record], **settings: str) -> Callable[[], Record]:
    """Return a game with settings; ``br_q12`` stands for ``br-q12``."""
    return lambda: replace(base(), settings={key.replace("_", "-"): value for key, value in settings.items()})


def features(change: Callable[[Sequence[Feature]], Sequence[Feature]]) -> Change:
    def spoil(record: Record) -> Record:
        field = record.battlefield
        return replace(record, battlefield=replace(field, features=tuple(change(field.features))))

    return spoil


def changed(identity: str, **members: Any) -> Change:
    """Return the change of a feature's members."""
    return features(lambda all_: [replace(f, **members) if f.id == identity else f for f in all_])


def without(identity: str) -> Change:
    return features(lambda all_: [f for f in all_ if f.id != identity])


def with_feature(feature: Feature) -> Change:
    return features(lambda all_: [*all_, feature])


def first_to_last(identity: str) -> Change:
    return features(lambda all_: [*(f for f in all_ if f.id != identity), *(f for f in all_ if f.id == identity)])


def placed_by(identity: str, player: str) -> Change:
    def spoil(record: Record) -> Record:
        origin = record.battlefield.find(identity).origin
        return changed(identity, origin=replace(origin, placed_by=player))(record)

    return spoil


def moved(identity: str, across: float, along: float) -> Change:
    """Return the shift of an area by inches."""

    def spoil(record: Record) -> Record:
        found = record.battlefield.find(identity)
        if isinstance(found, Hill):
            shifted = tuple(affinity.translate(contour, across * INCH, along * INCH) for contour in found.contours)
            lines = [replace(f, line=affinity.translate(f.line, across * INCH, along * INCH)) for f in found.faces]
            return changed(identity, contours=shifted, faces=tuple(lines))(record)
        assert isinstance(found, Area)
        return changed(identity, outline=affinity.translate(found.outline, across * INCH, along * INCH))(record)

    return spoil


def detail(name: str, value: Any) -> Change:
    return lambda record: replace(record, details={**record.details, name: value})


def slot(number: int, **members: Any) -> Change:
    """Return the change of what the record says of a zone."""

    def spoil(record: Record) -> Record:
        zones = [{**zone, **members} if zone["n"] == number else zone for zone in record.details["zones"]]
        return detail("zones", zones)(record)

    return spoil


def deployment(**members: Any) -> Change:
    return lambda record: detail("deployment", {**record.details["deployment"], **members})(record)


def with_log(change: Callable[[Throw], Throw | None]) -> Change:
    def spoil(record: Record) -> Record:
        found = [change(throw) for throw in record.log]
        return replace(record, log=tuple(throw for throw in found if throw is not None))

    return spoil


def throw_anew(record: Record, stage: str, scores: Sequence[int]) -> Record:
    """Return the record with other dice for a stage, at the place where that stage's first die was."""
    first = next(place for place, throw in enumerate(record.log) if throw.stage == stage and throw.act is Act.DIE)
    clause = record.log[first].clause
    kept = [throw for throw in record.log if throw.stage != stage or throw.act is not Act.DIE]
    new = [die(stage, f"die {number}", score, clause) for number, score in enumerate(scores, 1)]
    return replace(record, log=(*kept[:first], *new, *kept[first:]))


def score(stage: str, place: int, answer: int) -> Change:
    """Return the change of one die of a stage, counted from 0."""

    def spoil(record: Record) -> Record:
        dice = [throw for throw in record.log if throw.stage == stage and throw.act is Act.DIE]
        return with_log(lambda throw: replace(throw, answer=str(answer)) if throw is dice[place] else throw)(record)

    return spoil


def overlays(change: Callable[[Overlay], Overlay]) -> Change:
    def spoil(record: Record) -> Record:
        field = record.battlefield
        return replace(record, battlefield=replace(field, overlays=tuple(change(one) for one in field.overlays)))

    return spoil


def then(*changes: Change) -> Change:
    def spoil(record: Record) -> Record:
        for change in changes:
            record = change(record)
        return record

    return spoil


Plants = Mapping[str, tuple[Callable[[], Record], Change]]
