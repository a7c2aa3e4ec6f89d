"""Checks of areas and hills: in their zones, apart, of the allowed size, and as the cards say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from printkit.core import exact_math
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.kit.checks import Faults, UnseenError, check_maximum, check_minimum, combine_checks, ignoring_hand_edits
from printkit.systems.brantley.board.checked_courses import AreaOrHill
from printkit.systems.brantley.dealing.cards import RANKS
from printkit.systems.brantley.judge import slopes
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.terrain.field.features import Hill, Kind
from printkit.terrain.geometry.measure import MAX_WAVER_MM, count_corners

# --- Checks of the card results ---------------------------------------------------------------------------------------


def check_reveal_row(rank: str, case: BrantleyCase) -> Faults:
    """Check one row of the reveal table (BR-301 to BR-313).

    It yields a sentence for each fault in a zone with a card of ``rank``, such as ``10`` or ``K``; nothing if there is
    none.

    Raises:
        UnseenError: the record lacks the cards.
    """
    for zone, card in sorted(case.cards().items()):
        if card[:-1] != rank:
            continue
        expected, zone_features = case.look_up_card(card), case.features_in_zone(zone)
        if expected is None:
            yield from (
                Sentence(
                    "{card} in zone {number} is good going, but {feature} ({kind}) is there",
                    card=card,
                    number=zone,
                    feature=item.id,
                    kind=item.kind,
                )
                for item in zone_features
            )
            continue
        matches = [feature for feature in zone_features if feature.kind is expected.kind]
        if len(matches) != 1 or len(zone_features) != 1:
            present = ", ".join(f"{feature.id} ({feature.kind})" for feature in zone_features) or Sentence("nothing")
            yield Sentence(
                "{card} in zone {number} should give one {kind}; the zone has {lies}",
                card=card,
                number=zone,
                kind=expected.kind,
                lies=present,
            )
        for feature in matches:
            if isinstance(feature, Hill) and (count := len(feature.contours)) != expected.levels:
                yield Sentence(
                    "{feature} has {levels}; {card} gives a hill of {due}",
                    feature=feature.id,
                    levels=Sentence("one level") if count == 1 else Sentence("{count} levels", count=count),
                    card=card,
                    due=expected.levels,
                )
            # An empty name: the record does not state the going.
            if expected.going and feature.going.name not in (expected.going.name, ""):
                yield Sentence(
                    "{feature} is {going} going; {card} gives {due} going",
                    feature=feature.id,
                    going=feature.going.name,
                    card=card,
                    due=expected.going.name,
                )


def check_good_going_empty(case: BrantleyCase) -> Faults:
    """Check that a red card places nothing on the board (BR-344).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the cards.
    """
    for number, card in sorted(case.cards().items()):
        if case.look_up_card(card) is None:
            yield from (
                Sentence(
                    "zone {number} has {card}, but {feature} is there", number=number, card=card, feature=feature.id
                )
                for feature in case.features_in_zone(number)
            )


AREA_RESULT_CHECKS: Final[Mapping[str, Check]] = {
    **{
        f"BR-{301 + place}": ignoring_hand_edits(partial(check_reveal_row, rank), counts_features=True)
        for place, rank in enumerate(RANKS)
    },
    "BR-344": ignoring_hand_edits(check_good_going_empty),
}


# The angles in radians for measuring the box of an outline of unknown rotation.
_ANGLES_RAD: Final = np.radians(np.arange(0.0, 90.0, 0.25))


def check_board_square(case: BrantleyCase) -> Faults:
    """Check that the board is square (BR-105).

    It yields a sentence for each fault; nothing if there is none.
    """
    board = case.board
    if abs(board.width - board.depth) > case.touch_mm:
        yield Sentence("the board is {width:g} x {depth:g} mm; it must be square", width=board.width, depth=board.depth)


def check_inside_zone(case: BrantleyCase) -> Faults:
    """Check that each feature stays within its zone (BR-343).

    It yields a sentence for each fault; nothing if there is none.
    """
    for feature in case.ground:
        zone = case.zones[case.find_zone(feature) - 1]
        overhang = feature.outline.difference(zone.buffer(case.touch_mm, join_style="mitre"))
        if not overhang.is_empty:
            distance = max(zone.distance(point) for point in shapely.points(shapely.get_coordinates(overhang)))
            yield Sentence(
                "{feature} reaches {out:.1f} mm outside zone {zone}",
                feature=feature.id,
                out=distance,
                zone=case.find_zone(feature),
            )


def _measure_clearance(case: BrantleyCase, feature: AreaOrHill) -> float:
    """Return the smallest distance from an outline to the sides of its zone, in mm on the board.

    It is negative if the outline extends outside the zone.
    """
    left, low, right, high = case.zones[case.find_zone(feature) - 1].bounds
    west, south, east, north = feature.outline.bounds
    return float(min(west - left, south - low, right - east, high - north))


check_margin: Final = check_minimum(
    lambda case: case.ground,
    _measure_clearance,
    "margin",
    says="{it} is {short_in:.1f} in ({short:.0f} mm) too close to the sides of its zone",
)


def check_fits_free_zone(case: BrantleyCase) -> Faults:
    """Check that the outline on the board fits its zone without the margins (BR-G03).

    It yields a sentence for each fault; nothing if there is none.
    """
    side = free_side_mm(case)
    for feature in case.ground:
        width, height = box_extent(feature)
        if max(width, height) > side + 2 * case.rules.slack("margin"):
            yield Sentence(
                "{feature} is {width:.1f} x {height:.1f} mm; its zone has room for {side:.1f} mm",
                feature=feature.id,
                width=width,
                height=height,
                side=side,
            )
    yield from check_margin(case)


def free_side_mm(case: BrantleyCase) -> float:
    """Return the side of a zone without its margins, in mm on the board."""
    left, _, right, _ = case.zones[0].bounds
    return float((right - left) - 2 * case.rules.length("margin"))


def box_extent(feature: AreaOrHill) -> tuple[float, float]:
    """Return width (x) and depth (y) of the axis-parallel box of an outline, in mm on the board."""
    left, low, right, high = feature.outline.bounds
    return right - left, high - low


def rotated_extents(
    feature: AreaOrHill, angles: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return widths and depths (mm on the board) of an outline rotated back by some angles in radians.

    The angles are anticlockwise; each result has one value for each angle.
    """
    points = np.asarray(feature.outline.convex_hull.exterior.coords)
    cosine, sine = exact_math.cos(angles)[:, None], exact_math.sin(angles)[:, None]
    widths = np.ptp(points[:, 0] * cosine + points[:, 1] * sine, axis=1)
    return widths, np.ptp(points[:, 1] * cosine - points[:, 0] * sine, axis=1)


def check_rotated_by_placer(case: BrantleyCase) -> Faults:
    """Check that the placer of each feature chose its rotation (BR-342).

    Yield a sentence for each feature that another player rotated, according to the log.

    Raises:
        UnseenError: there are features, but the log does not say who turned them.
    """
    rotations = [throw for throw in case.throws() if throw.clause == "BR-342"]
    if case.ground and not rotations:
        raise UnseenError("the log does not say who turned the features")
    for throw in rotations:
        for feature in (feature for feature in case.ground if feature.id in case.find_named_ids(throw)):
            placer = feature.origin.placed_by
            if "placed by" in throw.reason and placer and not throw.reason.endswith(f"placed by {placer}"):
                yield Sentence(
                    "{feature} was placed by {placer}, but the log of its facing says {turned}",
                    feature=feature.id,
                    placer=placer,
                    turned=throw.reason.split(", ")[-1],
                )


def check_areas_apart(case: BrantleyCase) -> Faults:
    """Check that no two areas overlap or touch (BR-G06).

    It yields a sentence for each fault; nothing if there is none.
    """
    for first, second in combinations(case.ground, 2):
        if first.outline.intersects(second.outline):
            yield Sentence("{one} and {two} touch or overlap", one=first.id, two=second.id)


def size_check(kind: Kind, name: str, levels: int = 0) -> Check:
    """Return the check of the side lengths of a kind, measured before rotation.

    The check takes a case and yields a sentence for each side that is too short or too long.

    Args:
        kind: the kind of the areas or hills.
        name: the prefix of the minimum and the maximum in the rule book.
        levels: 1 or 2 to check only hills with so many levels; 2 includes hills with more. 0 checks all of the kind.
    """

    def fitting(case: BrantleyCase) -> Iterator[AreaOrHill]:
        """Return the features of the kind; hills only if they have the right number of levels."""
        return (area for area in case.areas(kind) if not levels or min(len(_contours(area)), 2) == levels)

    def measure_side(index: int) -> Callable[[BrantleyCase, AreaOrHill], float]:
        """Return a function that measures a side in mm on the board: ``index`` 0 is the short, 1 the long."""
        return lambda case, feature: _original_sides(case, feature, name)[index]

    return combine_checks(
        check_minimum(
            fitting,
            measure_side(0),
            f"{name}_min",
            says="{it} has a side of {found:.1f} mm; the minimum is {limit:.1f} mm",
        ),
        check_maximum(
            fitting,
            measure_side(1),
            f"{name}_max",
            says="{it} has a side of {found:.1f} mm; the maximum is {limit:.1f} mm",
        ),
    )


def _built_up_areas(case: BrantleyCase) -> tuple[AreaOrHill, ...]:
    """Return the built-up areas in the record."""
    return case.areas(Kind.BUA)


def _count_corners(case: BrantleyCase, area: AreaOrHill) -> float:
    """Return the number of corners of an area, as a number for a check of limits."""
    return count_corners(area.outline, case.rules.length("corner_over"))


def _count_clear_corners(case: BrantleyCase, area: AreaOrHill) -> float:
    """Return the number of corners of an area that are clear if its sides waver by some mm on the board."""
    return count_corners(area.outline, case.rules.length("corner_over") + MAX_WAVER_MM)


# BR-G11: a built-up area has at least the minimum of corners, and at most the maximum of clear corners.
check_corner_count: Final = combine_checks(
    check_minimum(
        _built_up_areas,
        _count_corners,
        "bua_corners_min",
        says="{it} has {found:.0f} corners; the minimum is {limit:.0f}",
    ),
    check_maximum(
        _built_up_areas,
        _count_clear_corners,
        "bua_corners_max",
        says="{it} has {found:.0f} corners; the maximum is {limit:.0f}",
    ),
)


def _contours(feature: AreaOrHill) -> tuple[Polygon, ...]:
    """Return a hill's contours (mm on the board), the outermost first; else the outline alone."""
    return feature.contours if isinstance(feature, Hill) else (feature.outline,)


def _original_sides(case: BrantleyCase, feature: AreaOrHill, name: str) -> tuple[float, float]:
    """Return the short and long side of an outline's box before rotation, in mm on the board.

    The log gives the rotation. Without it, the best fitting of the tight boxes counts; for outlines drawn by hand, the
    tightest. ``name`` is the prefix of the limits in the rule book.
    """
    low, high = (case.rules.length(f"{name}_{end}") for end in ("min", "max"))
    facings = case.find_decisions(feature.id, "facing of")
    turns = np.radians([float(facings[-1])]) if facings and is_number(facings[-1]) else _ANGLES_RAD
    widths, depths = rotated_extents(feature, turns)
    short_sides, long_sides = np.minimum(widths, depths), np.maximum(widths, depths)
    tightness = case.rules.number("tight_frame") if case.record.log else 1.0
    misfit = np.where(
        short_sides * long_sides <= tightness * (short_sides * long_sides).min(),
        np.maximum(low - short_sides, long_sides - high),
        np.inf,
    )
    best = int(np.argmin(misfit))
    return float(short_sides[best]), float(long_sides[best])


CHECKS: Final[Mapping[str, Check]] = {
    "BR-105": check_board_square,
    "BR-G02": check_margin,
    "BR-G03": check_fits_free_zone,
    "BR-G06": check_areas_apart,
    "BR-G11": combine_checks(size_check(Kind.BUA, "bua"), check_corner_count),
    "BR-G12": size_check(Kind.HEAVY_WOODS, "heavy_woods"),
    "BR-G13": size_check(Kind.BROKEN_GROUND, "broken_ground"),
    "BR-G14": size_check(Kind.LIGHT_WOODS, "light_woods"),
    "BR-G15": size_check(Kind.MARSH, "marsh"),
    "BR-G16": combine_checks(slopes.check_levels, size_check(Kind.HILL, "hill_1", 1)),
    "BR-G17": combine_checks(slopes.check_inner_contour, size_check(Kind.HILL, "hill_2", 2)),
    "BR-G18": size_check(Kind.LAKE, "lake"),
}
