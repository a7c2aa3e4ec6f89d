"""Checks of areas and hills: in their zones, apart, of the allowed size, and as the cards say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from printkit.core import elementary
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.kit.checks import Faults, UnseenError, check_maximum, check_minimum, combine_checks, ignoring_hand_edits
from printkit.systems.brantley.dealing.cards import RANKS
from printkit.systems.brantley.dealing.deal import feature_placers
from printkit.systems.brantley.judge import slopes
from printkit.systems.brantley.judge.cards import pack_of_the_log
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.ways import AreaOrHill
from printkit.terrain.field.features import Going, Hill, Kind
from printkit.terrain.geometry.measure import MAX_WAVER_MM, count_corners

# --- Checks of the card results ---------------------------------------------------------------------------------------


def row(rank: str, case: BrantleyCase) -> Faults:
    """Check one row of the reveal table (BR-301 to BR-313)."""
    for number, card in sorted(case.cards().items()):
        if card[:-1] != rank:
            continue
        due, found = case.reveal(card), case.in_zone(number)
        if due is None:
            yield from (
                Sentence(
                    "{card} in zone {number} is good going, but {feature} ({kind}) is there",
                    card=card,
                    number=number,
                    feature=f.id,
                    kind=f.kind,
                )
                for f in found
            )
            continue
        fitting = [feature for feature in found if feature.kind is due.kind]
        if len(fitting) != 1 or len(found) != 1:
            lies = ", ".join(f"{feature.id} ({feature.kind})" for feature in found) or Sentence("nothing")
            yield Sentence(
                "{card} in zone {number} should give one {kind}; the zone has {lies}",
                card=card,
                number=number,
                kind=due.kind,
                lies=lies,
            )
        for feature in fitting:
            if isinstance(feature, Hill) and len(feature.contours) != due.levels:
                yield Sentence(
                    "{feature} has {levels}; {card} gives a hill of {due}",
                    feature=feature.id,
                    levels=_levels(len(feature.contours)),
                    card=card,
                    due=due.levels,
                )
            if due.going and not _is(feature.going, due.going.name):
                yield Sentence(
                    "{feature} is {going} going; {card} gives {due} going",
                    feature=feature.id,
                    going=feature.going.name,
                    card=card,
                    due=due.going.name,
                )


def good_going_is_empty(case: BrantleyCase) -> Faults:
    """Check that a red card places nothing on the board (BR-344)."""
    for number, card in sorted(case.cards().items()):
        if case.reveal(card) is None:
            yield from (
                Sentence(
                    "zone {number} has {card}, but {feature} is there", number=number, card=card, feature=feature.id
                )
                for feature in case.in_zone(number)
            )


def placers_take_turns(case: BrantleyCase) -> Faults:
    """Check who placed each feature (BR-341, BR-Q03)."""
    if not any(feature.origin.placed_by for feature in case.ground):
        raise UnseenError("the record does not say who placed the features")
    ground = sorted(case.ground, key=case.zone_of)
    for feature, due in zip(ground, feature_placers(len(ground)), strict=True):
        if feature.origin.placed_by != due:
            yield Sentence(
                "{feature} was placed by {placer}, but it was {due}'s turn",
                feature=feature.id,
                placer=feature.origin.placed_by or Sentence("nobody"),
                due=due,
            )


def nothing_is_lost(case: BrantleyCase) -> Faults:
    """Check that the nine cards on the board are the two hands and the ninth (BR-M27)."""
    if case.rules.choice("br-q20") == "clear":
        raise UnseenError("the players agreed to keep the last zone clear")
    pack, cards = pack_of_the_log(case)[:9], case.cards().values()
    missing = Counter(pack) - Counter(cards)
    added = Counter(cards) - Counter(pack)
    if missing or added:
        yield Sentence(
            "extra cards on the board: {added}; missing: {missing}",
            added=" ".join(added) or Sentence("none"),
            missing=" ".join(missing) or Sentence("none"),
        )


def _levels(count: int) -> str:
    return Sentence("one level") if count == 1 else Sentence("{count} levels", count=count)


def _is(going: Going, name: str) -> bool:
    return going.name in (name, "")


AREA_RESULT_CHECKS: Final[Mapping[str, Check]] = {
    **{
        f"BR-{301 + place}": ignoring_hand_edits(partial(row, rank), counts_features=True)
        for place, rank in enumerate(RANKS)
    },
    "BR-341": ignoring_hand_edits(placers_take_turns),
    "BR-344": ignoring_hand_edits(good_going_is_empty),
    "BR-M27": nothing_is_lost,
    "BR-Q03": ignoring_hand_edits(placers_take_turns),
}


# The angles in radians for measuring the box of an outline of unknown rotation.
_TURNS: Final = np.radians(np.arange(0.0, 90.0, 0.25))


def square_board(case: BrantleyCase) -> Faults:
    """Check that the board is square (BR-105)."""
    board = case.board
    if abs(board.width - board.depth) > case.touch:
        yield Sentence("the board is {width:g} x {depth:g} mm; it must be square", width=board.width, depth=board.depth)


def inside_zone(case: BrantleyCase) -> Faults:
    """Check that each feature stays within its zone (BR-343)."""
    for feature in case.ground:
        zone = case.zones[case.zone_of(feature) - 1]
        beyond = feature.outline.difference(zone.buffer(case.touch, join_style="mitre"))
        if not beyond.is_empty:
            out = max(zone.distance(point) for point in shapely.points(shapely.get_coordinates(beyond)))
            yield Sentence(
                "{feature} reaches {out:.1f} mm outside zone {zone}",
                feature=feature.id,
                out=out,
                zone=case.zone_of(feature),
            )


def _clearance(case: BrantleyCase, feature: AreaOrHill) -> float:
    """Return the smallest distance from an outline to the sides of its zone, in mm; negative if it leaves the zone."""
    left, low, right, high = case.zones[case.zone_of(feature) - 1].bounds
    west, south, east, north = feature.outline.bounds
    return float(min(west - left, south - low, right - east, high - north))


clear_margin: Final = check_minimum(
    lambda case: case.ground,
    _clearance,
    "margin",
    says="{it} is {found:.1f} mm from the sides of its zone; the minimum is {limit:.1f} mm",
)


def inside_shrunken_zone(case: BrantleyCase) -> Faults:
    """Check that the outline on the board fits its zone without the margins (BR-G03)."""
    side = room(case)
    for feature in case.ground:
        width, height = extent(feature)
        if max(width, height) > side + 2 * case.rules.slack("margin"):
            yield Sentence(
                "{feature} is {width:.1f} x {height:.1f} mm; its zone has room for {side:.1f} mm",
                feature=feature.id,
                width=width,
                height=height,
                side=side,
            )
    yield from clear_margin(case)


def room(case: BrantleyCase) -> float:
    """Return the side of a zone without its margins, in mm."""
    left, _, right, _ = case.zones[0].bounds
    return float((right - left) - 2 * case.rules.length("margin"))


def extent(feature: AreaOrHill) -> tuple[float, float]:
    """Return width and depth in mm of the axis-parallel box of an outline."""
    left, low, right, high = feature.outline.bounds
    return right - left, high - low


def turned_sides(feature: AreaOrHill, turns: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return widths and depths in mm of the boxes of an outline rotated back by some angles in radians."""
    points = np.asarray(feature.outline.convex_hull.exterior.coords)
    cosine, sine = elementary.cos(turns)[:, None], elementary.sin(turns)[:, None]
    wide = np.ptp(points[:, 0] * cosine + points[:, 1] * sine, axis=1)
    return wide, np.ptp(points[:, 1] * cosine - points[:, 0] * sine, axis=1)


def turned_by_its_placer(case: BrantleyCase) -> Faults:
    """Check that the placer of each feature chose its rotation (BR-342)."""
    turns = [throw for throw in case.throws() if throw.clause == "BR-342"]
    if case.ground and not turns:
        raise UnseenError("the log does not say who turned the features")
    for throw in turns:
        for feature in (feature for feature in case.ground if feature.id in case.named_in(throw)):
            placer = feature.origin.placed_by
            if "placed by" in throw.reason and placer and not throw.reason.endswith(f"placed by {placer}"):
                yield Sentence(
                    "{feature} was placed by {placer}, but the log of its facing says {turned}",
                    feature=feature.id,
                    placer=placer,
                    turned=throw.reason.split(", ")[-1],
                )


def areas_apart(case: BrantleyCase) -> Faults:
    """Check that no two areas overlap or touch (BR-G06)."""
    for one, two in combinations(case.ground, 2):
        if one.outline.intersects(two.outline):
            yield Sentence("{one} and {two} touch or overlap", one=one.id, two=two.id)


def size(kind: Kind, name: str, levels: int = 0) -> Check:
    """Return the check of the side lengths of a kind, measured before rotation; ``levels`` selects hills."""

    def fitting(case: BrantleyCase) -> Iterator[AreaOrHill]:
        return (each for each in case.areas(kind) if not levels or min(len(_contours(each)), 2) == levels)

    def side(place: int) -> Callable[[BrantleyCase, AreaOrHill], float]:
        return lambda case, feature: _box(case, feature, name)[place]

    return combine_checks(
        check_minimum(
            fitting,
            side(0),
            f"{name}_min",
            says="{it} has a side of {found:.1f} mm; the minimum is {limit:.1f} mm",
        ),
        check_maximum(
            fitting,
            side(1),
            f"{name}_max",
            says="{it} has a side of {found:.1f} mm; the maximum is {limit:.1f} mm",
        ),
    )


def _built_up(case: BrantleyCase) -> tuple[AreaOrHill, ...]:
    return case.areas(Kind.BUA)


def _corners(case: BrantleyCase, area: AreaOrHill) -> float:
    return count_corners(area.outline, case.rules.length("corner_over"))


def _clear_corners(case: BrantleyCase, area: AreaOrHill) -> float:
    return count_corners(area.outline, case.rules.length("corner_over") + MAX_WAVER_MM)


# BR-G11: a built-up area has at least the minimum of corners, and at most the maximum of clear corners.
few_corners: Final = combine_checks(
    check_minimum(
        _built_up, _corners, "bua_corners_min", says="{it} has {found:.0f} corners; the minimum is {limit:.0f}"
    ),
    check_maximum(
        _built_up, _clear_corners, "bua_corners_max", says="{it} has {found:.0f} corners; the maximum is {limit:.0f}"
    ),
)


def _contours(feature: AreaOrHill) -> tuple[Polygon, ...]:
    return feature.contours if isinstance(feature, Hill) else (feature.outline,)


def _box(case: BrantleyCase, feature: AreaOrHill, name: str) -> tuple[float, float]:
    """Return the short and long side in mm of an outline's box before rotation.

    The log gives the rotation. Without it, the best fitting of the tight boxes counts; for outlines drawn by hand, the
    tightest.
    """
    low, high = (case.rules.length(f"{name}_{end}") for end in ("min", "max"))
    facings = case.decided(feature.id, "facing of")
    turns = np.radians([float(facings[-1])]) if facings and is_number(facings[-1]) else _TURNS
    wide, deep = turned_sides(feature, turns)
    short, long = np.minimum(wide, deep), np.maximum(wide, deep)
    tight = case.rules.number("tight_frame") if case.record.log else 1.0
    off = np.where(short * long <= tight * (short * long).min(), np.maximum(low - short, long - high), np.inf)
    best = int(np.argmin(off))
    return float(short[best]), float(long[best])


CHECKS: Final[Mapping[str, Check]] = {
    "BR-105": square_board,
    "BR-G02": clear_margin,
    "BR-G03": inside_shrunken_zone,
    "BR-G06": areas_apart,
    "BR-G11": combine_checks(size(Kind.BUA, "bua"), few_corners),
    "BR-G12": size(Kind.HEAVY_WOODS, "heavy_woods"),
    "BR-G13": size(Kind.BROKEN_GROUND, "broken_ground"),
    "BR-G14": size(Kind.LIGHT_WOODS, "light_woods"),
    "BR-G15": size(Kind.MARSH, "marsh"),
    "BR-G16": combine_checks(slopes.levels, size(Kind.HILL, "hill_1", 1)),
    "BR-G17": combine_checks(slopes.inner_contour, size(Kind.HILL, "hill_2", 2)),
    "BR-G18": size(Kind.LAKE, "lake"),
}
