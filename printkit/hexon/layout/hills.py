"""Hills of a plan as levels of flat hexes and slopes: hill by hill slopes if they fit, and steps if not (HX-50)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from printkit.hexon.layout.pieces import Hex, PieceKind, components, distance
from printkit.hexon.layout.settings import HexonSettings
from printkit.hexon.layout.slopes import HexShape, HexSlope, SlopeRelief, plateau_of, relief
from printkit.hexon.layout.stock import NAMES, Shortage, Stock, given_up

Reason = Literal["occupied", "steep", "meets", "thin", "owned"]
"""Why a hill cannot have slopes: its rim is not open ground, no piece climbs its side in one, its rim is that of a
higher hill too, nothing of it is left as plateau, or the person does not own the pieces."""


class HexGround(Struct, frozen=True, kw_only=True):
    """The hexes of the table in reading order with their heights in levels; ``open`` ones hold nothing but a hill."""

    heights: Mapping[Hex, int]
    open: frozenset[Hex]

    def on_board(self, hexes: Iterable[Hex]) -> list[Hex]:
        """Return those of some hexes that lie on the table."""
        return [each for each in hexes if each in self.heights]


class HexHill(Struct, frozen=True):
    """The hexes of one hill, numbered from 1 in reading order, and how it is built."""

    number: int
    hexes: tuple[Hex, ...]
    sloped: bool


class Fallback(Struct, frozen=True):
    """A hill that is laid as steps because slopes do not fit, and the hexes where they do not; or what lacks."""

    hill: int
    reason: Reason
    hexes: tuple[Hex, ...] = ()
    lacks: Shortage | None = None


class Rim(Struct, frozen=True):
    """A slope of a hill: ``level`` is the layer it lies in, ``rise`` how many levels it climbs."""

    level: int
    rise: int
    slope: HexSlope
    hill: int

    @property
    def piece(self) -> PieceKind:
        """Return the piece that is a slope of this rise."""
        return PieceKind(f"{self.slope.shape}{self.rise}")


class Misfit(Struct, frozen=True):
    """A hex that no piece fits."""

    level: int
    at: Hex
    shape: HexShape
    hill: int


class Hills(Struct, frozen=True, kw_only=True):
    """All hills as they are built. ``flats`` has the flat hexes of each level from 1.

    ``cut`` are slopes off the table, ``raised`` hexes that repair made plateau, ``thin`` those left out of a hill.
    """

    hills: tuple[HexHill, ...]
    flats: tuple[tuple[Hex, ...], ...]
    rims: tuple[Rim, ...]
    cut: tuple[Rim, ...]
    misfits: tuple[Misfit, ...]
    raised: tuple[Hex, ...]
    thin: tuple[Hex, ...]
    fallbacks: tuple[Fallback, ...]

    def level(self, at: Hex) -> int:
        """Return the level of the flat top of a hex, 0 for the base and for slopes."""
        return sum(at in flat for flat in self.flats)


class _Terrace(Struct, frozen=True):
    """Slopes that are found together: those of one level, or those that climb two levels at once."""

    level: int
    rise: int
    found: SlopeRelief


def built(
    ground: HexGround, settings: HexonSettings, *, stepped: frozenset[Hex] = frozenset(), stock: Stock | None = None
) -> Hills:
    """Return the hills of a table, sloped where the settings ask for it, slopes fit, and the person owns them.

    Args:
        ground: the table.
        settings: how hills are built.
        stepped: hexes whose hills are laid as steps whatever the settings say.
        stock: a person's own pieces; without it there are as many as are asked for.
    """
    hills = _fitting(ground, settings, stepped)
    lacking: list[Fallback] = []
    while stock is not None and (found := given_up(slopes_by_hill(hills.rims), stock)):
        number, lacks = found
        lacking.append(Fallback(number, "owned", lacks=lacks))
        stepped |= frozenset(next(hill.hexes for hill in hills.hills if hill.number == number))
        hills = _fitting(ground, settings, stepped)
    return replace(hills, fallbacks=(*hills.fallbacks, *lacking))


def slopes_by_hill(rims: Iterable[Rim]) -> Mapping[int, Mapping[str, int]]:
    """Return how many slopes of each sort every hill has, by its number and by the names that a stock has for them."""
    found: dict[int, Counter[str]] = {}
    for rim in rims:
        found.setdefault(rim.hill, Counter())[NAMES[rim.piece]] += 1
    return found


def _fitting(ground: HexGround, settings: HexonSettings, stepped: frozenset[Hex]) -> Hills:
    """Return the hills of a table, sloped where the settings ask for it and slopes fit.

    Of hills whose slopes cannot stand, the one nearest to the fault is laid as steps, and all is tried again.
    """
    hills = _hills(ground, settings, stepped)
    fallbacks: list[Fallback] = []
    while True:
        fallen = {each.hill for each in fallbacks}
        now = tuple(HexHill(each.number, each.hexes, each.sloped and each.number not in fallen) for each in hills)
        fault = _thin_fault(now, ground, settings)
        terraces = () if fault else _terraces(now, ground, settings)
        fault = fault or _fault(now, terraces, ground)
        if fault is None:
            return _gathered(now, terraces, ground, settings=settings, fallbacks=tuple(fallbacks))
        fallbacks.append(fault)


def _hills(ground: HexGround, settings: HexonSettings, stepped: frozenset[Hex]) -> tuple[HexHill, ...]:
    order = {at: place for place, at in enumerate(ground.heights)}
    high = [at for at, height in ground.heights.items() if height]
    parts = sorted((sorted(part, key=order.__getitem__) for part in components(high)), key=lambda part: order[part[0]])
    return tuple(
        HexHill(number, tuple(part), _wants_slopes(part, settings) and stepped.isdisjoint(part))
        for number, part in enumerate(parts, 1)
    )


def _wants_slopes(part: Sequence[Hex], settings: HexonSettings) -> bool:
    match settings.hills:
        case "auto":
            return len(part) > 1
        case "slope":
            return True
        case "step":
            return False


def _levels(hill: HexHill, ground: HexGround, settings: HexonSettings) -> list[frozenset[Hex]]:
    """Return the plateau of each level of a hill from 1, as slopes need it."""
    levels = []
    for level in range(1, max(ground.heights[at] for at in hill.hexes) + 1):
        area = frozenset(at for at in hill.hexes if ground.heights[at] >= level)
        if settings.footprint != "plateau":
            area = frozenset(plateau_of(area, settings.footprint).plateau)
        if area:
            levels.append(area)
    if settings.two_high == "stacked":
        for below in range(len(levels) - 2, -1, -1):
            levels[below] |= _relief(levels[below + 1], settings).footprint
    return levels


def _climbs_two(levels: Sequence[frozenset[Hex]], settings: HexonSettings) -> bool:
    return settings.two_high == "pieces" and len(levels) == 2 and levels[0] == levels[1]


def _relief(plateau: frozenset[Hex], settings: HexonSettings) -> SlopeRelief:
    return relief(plateau, repair=settings.repair)


def _terraces(hills: Iterable[HexHill], ground: HexGround, settings: HexonSettings) -> tuple[_Terrace, ...]:
    """Return the slopes of all sloped hills together, so that hills side by side share what lies between them."""
    plateaus: dict[tuple[int, int], frozenset[Hex]] = {}
    for hill in hills:
        if not hill.sloped:
            continue
        levels = _levels(hill, ground, settings)
        climbs = {(1, 2): levels[0]} if _climbs_two(levels, settings) else {
            (level, 1): area for level, area in enumerate(levels, 1)
        }  # fmt: skip
        for key, area in climbs.items():
            plateaus[key] = plateaus.get(key, frozenset()) | area
    return tuple(_Terrace(*key, _relief(plateaus[key], settings)) for key in sorted(plateaus))


def _thin_fault(hills: Iterable[HexHill], ground: HexGround, settings: HexonSettings) -> Fallback | None:
    thin = (hill for hill in hills if hill.sloped and not _levels(hill, ground, settings))
    return next((Fallback(hill.number, "thin", hill.hexes) for hill in thin), None)


def _fault(hills: Sequence[HexHill], terraces: Sequence[_Terrace], ground: HexGround) -> Fallback | None:
    """Return the first hill whose slopes cannot stand, with every hex where they cannot for that reason."""
    steps = {at for hill in hills if not hill.sloped for at in hill.hexes}
    free = ground.open - steps
    wrong = []
    for terrace, at in _claims(terraces, ground):
        # Where the plan has a hill of that height anyway, its flat top may hold what it likes.
        given = at in terrace.found.plateau and ground.heights[at] >= terrace.level
        wrong.append((at, _why(at, terrace, terraces, free=given or at in free)))
    faults = [(_nearest(at, hills, last=True), reason, at) for at, reason in wrong if reason is not None]
    if not faults:
        return None
    hill, reason, _ = faults[0]
    return Fallback(hill, reason, tuple(dict.fromkeys(at for *same, at in faults if same == [hill, reason])))


def _claims(terraces: Iterable[_Terrace], ground: HexGround) -> list[tuple[_Terrace, Hex]]:
    """Return every hex of the table on which a terrace lies, in reading order."""
    order = {at: place for place, at in enumerate(ground.heights)}
    claims = [(order[at], terrace, at) for terrace in terraces for at in ground.on_board(terrace.found.footprint)]
    claims.sort(key=lambda claim: (claim[0], claim[1].level, claim[1].rise))
    return [(terrace, at) for _, terrace, at in claims]


def _why(at: Hex, terrace: _Terrace, terraces: Sequence[_Terrace], *, free: bool) -> Reason | None:
    if not free:
        return "occupied"
    below = [other.found.plateau for other in terraces if other.level == terrace.level - 1 and other.rise == 1]
    if terrace.level > 1 and not any(at in flat for flat in below):
        return "steep"
    beside = (other for other in terraces if other.level == terrace.level and other.rise != terrace.rise)
    return "meets" if any(at in other.found.footprint for other in beside) else None


def _nearest(at: Hex, hills: Iterable[HexHill], *, last: bool = False) -> int:
    """Return the sloped hill nearest to a hex; of several the last, or the first."""
    ranks = {hill.number: min(distance(at, each) for each in hill.hexes) for hill in hills if hill.sloped}
    return min(ranks, key=lambda number: (ranks[number], -number if last else number))


def _gathered(
    hills: tuple[HexHill, ...],
    terraces: Sequence[_Terrace],
    ground: HexGround,
    *,
    settings: HexonSettings,
    fallbacks: tuple[Fallback, ...],
) -> Hills:
    order = {at: place for place, at in enumerate(ground.heights)}
    rims = [
        Rim(terrace.level, terrace.rise, slope, _nearest(slope.at, hills))
        for terrace in terraces
        for slope in terrace.found.slopes
    ]
    misfits = [
        Misfit(terrace.level, at, shape, _nearest(at, hills))
        for terrace in terraces
        for at, shape in terrace.found.unbuildable
        if at in ground.heights
    ]
    return Hills(
        hills=hills,
        flats=_flats(hills, terraces, ground),
        rims=tuple(
            sorted((rim for rim in rims if rim.slope.at in order), key=lambda rim: (rim.level, order[rim.slope.at]))
        ),
        cut=tuple(rim for rim in rims if rim.slope.at not in order),
        misfits=tuple(misfits),
        raised=tuple(at for at in order if any(at in each.found.raised for each in terraces)),
        thin=_left_out(hills, terraces, settings),
        fallbacks=fallbacks,
    )


def _flats(hills: Iterable[HexHill], terraces: Iterable[_Terrace], ground: HexGround) -> tuple[tuple[Hex, ...], ...]:
    """Return the flat hexes of each level: those under a plateau of two levels lie on both."""
    flats: dict[int, set[Hex]] = {}
    for terrace in terraces:
        for level in range(terrace.level, terrace.level + terrace.rise):
            flats.setdefault(level, set()).update(ground.on_board(terrace.found.plateau))
    for hill in hills:
        for at in () if hill.sloped else hill.hexes:
            for level in range(1, ground.heights[at] + 1):
                flats.setdefault(level, set()).add(at)
    return tuple(tuple(at for at in ground.heights if at in flats[level]) for level in sorted(flats))


def _left_out(hills: Iterable[HexHill], terraces: Iterable[_Terrace], settings: HexonSettings) -> tuple[Hex, ...]:
    if settings.footprint != "drop":
        return ()
    kept = {at for terrace in terraces for at in terrace.found.footprint}
    return tuple(at for hill in hills if hill.sloped for at in hill.hexes if at not in kept)
