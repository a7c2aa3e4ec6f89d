"""Place area features on the board: their size, rotation and position in the zone. Hills use this too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from shapely import Polygon, affinity, box

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.core.errors import PlacementError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.board.area_rules import (
    FIT_RULE,
    MARGIN_RULE,
    SIZE_RULES,
    AreaRule,
    AreaSurroundings,
    CheckedArea,
)
from printkit.systems.brantley.dealing.cards import CardResult
from printkit.systems.brantley.dealing.deal import ZONES_PER_SIDE
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.systems.brantley.dealing.inputs import RecordedFeature
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Kind, Origin
from printkit.terrain.geometry import outlines

Size = tuple[float, float]

# Step in inches between the sizes of automatic features.
_SIZE_STEP_IN: Final = 0.5

# Smallest and largest short side of an automatic feature, as shares of the long side.
_SLENDER, _STOUT = 0.66, 0.9

_ROTATIONS_DEG: Final = tuple(range(0, 360, 5))
_MAX_TRIES: Final = 24

# The positions of a feature in its zone, with their directions.
_POSITIONS: Final[Mapping[str, tuple[int, int]]] = {
    "middle": (0, 0),
    "far": (0, 1),
    "near": (0, -1),
    "left": (-1, 0),
    "right": (1, 0),
    "far left": (-1, 1),
    "far right": (1, 1),
    "near left": (-1, -1),
    "near right": (1, -1),
}

# Distance of a feature from the middle of its zone, as a share of the free width; half would touch the side.
_OFFSET_SHARE: Final = 0.4

_TOLERANCE_IN: Final = 1e-6


class FeatureSite(Struct, frozen=True, kw_only=True):
    """A zone that gets a feature: the feature, its placer and the free area.

    ``zone_square`` is the zone in mm on the board, ``free_area`` the zone without its margins (BR-G02).
    """

    rules: Rules

    zone: int
    result: CardResult
    placer: str
    zone_square: Polygon
    free_area: Polygon
    recorded_feature: RecordedFeature | None = None

    @property
    def id(self) -> str:
        """Return the ID of the feature."""
        return f"z{self.zone}"

    @property
    def inch(self) -> float:
        """Return one inch of the rules, in mm on the board (BR-G01)."""
        return rule_inch_mm(self.rules)

    @property
    def side_min(self) -> float:
        """Return the minimum side length, in inches of the rules."""
        return self.rules.number(f"{self.result.name}_min")

    @property
    def side_max(self) -> float:
        """Return the maximum side length, in inches of the rules."""
        return self.rules.number(f"{self.result.name}_max")

    @property
    def side(self) -> float:
        """Return the side of the free area, in inches of the 24-inch board."""
        left, _, right, _ = self.free_area.bounds
        return float((right - left) / self.inch)


class FeaturePose(Struct, frozen=True, kw_only=True):
    """The pose of a feature: its outline in mm on the board, and the rotation of its long axis.

    The rotation is in degrees anticlockwise from the x-axis.
    """

    outline: Polygon
    turn: float


def build_site(
    rules: Rules, board: Board, zone: int, *, result: CardResult, placer: str, recorded_feature: RecordedFeature | None
) -> FeatureSite:
    """Return the site for a feature in a zone, with the free area of the zone in mm on the board.

    ``zone`` counts from 1. The free area is the zone without the margin of the rules. ``placer`` is A or B. None as
    ``recorded_feature`` means that the program chooses everything.
    """
    zone_square = board.zones(ZONES_PER_SIDE, ZONES_PER_SIDE)[zone - 1]
    free_area = zone_square.buffer(-rules.length("margin"), join_style="mitre")
    return FeatureSite(
        rules=rules,
        zone=zone,
        result=result,
        placer=placer,
        zone_square=zone_square,
        free_area=box(*free_area.bounds),
        recorded_feature=recorded_feature,
    )


def place_area(feature_site: FeatureSite, dice: Dice, jitter: Jitter) -> Area:
    """Return an area feature, with size, rotation and position chosen or recorded.

    The clauses are BR-341 to BR-343 and BR-M28. The outline is in mm on the board. Choices go into the log of ``dice``;
    ``jitter`` does not change.

    Raises:
        PlacementError: a recorded feature does not fit its zone (BR-X19).
    """
    first_roll = len(dice.log)
    pose = choose_pose(feature_site, dice, jitter.stream(f"{dice.stage}/{feature_site.id}/outline"))
    return Area(
        id=feature_site.id,
        kind=feature_site.result.kind,
        outline=pose.outline,
        going=feature_site.result.area_going,
        origin=Origin(
            clauses=(feature_site.result.clause,),
            throws=tuple(range(first_roll + 1, len(dice.log) + 1)),
            zone=feature_site.zone,
            placed_by=feature_site.placer,
        ),
    )


def choose_pose(feature_site: FeatureSite, dice: Dice, stream: Stream) -> FeaturePose:
    """Return the pose of a feature: its outline in mm on the board, and its rotation in degrees.

    The placer chooses size, rotation and position unless they are recorded. Choices are logged in ``dice``. The outline
    comes from ``stream``, which is used up.

    Raises:
        PlacementError: a recorded feature does not fit its zone (BR-X19).
    """
    recorded_feature = feature_site.recorded_feature
    size = recorded_feature.size if recorded_feature else None
    if size is None:
        reason = Sentence("size of {feature}, placed by {player}", feature=feature_site.id, player=feature_site.placer)
        options = {f"{long:g}x{short:g}": (long, short) for long, short in automatic_sizes(feature_site)}
        size = options[dice.choose(tuple(options), reason, "BR-343", asks=True)]
    _check_size(feature_site, size)
    outline = _draw_outline(feature_site, size, stream)
    if recorded_feature and recorded_feature.turn is not None:
        turn, rotated = recorded_feature.turn, affinity.rotate(outline, recorded_feature.turn, origin=(0, 0))
        _check_rotation(feature_site, size, turn)
    else:
        turn, rotated = _choose_rotation(feature_site, size, outline, dice)
    if recorded_feature and recorded_feature.at is not None:
        final_outline = affinity.translate(
            rotated, recorded_feature.at[0] * feature_site.inch, recorded_feature.at[1] * feature_site.inch
        )
        _check_area(feature_site, (MARGIN_RULE,), final_outline)
        return FeaturePose(outline=final_outline, turn=turn)
    reason = Sentence(
        "place in its zone of {feature}, placed by {player}", feature=feature_site.id, player=feature_site.placer
    )
    position = dice.choose(tuple(_POSITIONS), reason, "BR-343", asks=True)
    return FeaturePose(outline=_move_outline(rotated, feature_site.free_area, _POSITIONS[position]), turn=turn)


def automatic_sizes(feature_site: FeatureSite) -> list[Size]:
    """Return the sizes for an automatic placer: long and short side, in inches of the rules.

    They are in steps of half an inch from the default size. If the default does not fit the free area, they start from
    the minimum. The short side is 0.66 to 0.9 of the long side. If no such size exists, the only size is the minimum
    for both sides.
    """
    default, minimum, maximum = (
        feature_site.rules.number(f"{feature_site.result.name}_long"),
        feature_site.side_min,
        min(feature_site.side_max, feature_site.side),
    )
    results = [
        (long, short)
        for long in _size_steps(default if default < maximum else minimum, maximum)
        for short in _size_steps(minimum, long)
        if _SLENDER * long <= short <= _STOUT * long
    ]
    return results or [(minimum, minimum)]


def _size_steps(low: float, high: float) -> list[float]:
    """Return the lengths from ``low`` up to at most ``high`` in steps of half an inch; all are in inches.

    The list is empty if ``high`` is more than a step below ``low``.
    """
    return [low + _SIZE_STEP_IN * step for step in range(int((high - low) / _SIZE_STEP_IN + 1e-9) + 1)]


def _draw_outline(feature_site: FeatureSite, size: Size, stream: Stream) -> Polygon:
    """Return the outline of a feature in mm on the board around the origin, with its long axis along +x.

    ``size`` is the long and the short side, in inches of the rules. The kind of outline depends on the feature: round,
    straight-sided or irregular. ``stream`` gives the random shape, and is used up.
    """
    width, depth = size[0] * feature_site.inch, size[1] * feature_site.inch
    match feature_site.result.kind:
        case Kind.HILL:
            return outlines.rounded(width, depth, stream)
        case Kind.BUA:
            fewest, most = (feature_site.rules.whole(f"bua_corners_{end}") for end in ("min", "max"))
            return outlines.draw_plot_outline(width, depth, stream, corners=(fewest, most))
        case Kind.LAKE:
            return outlines.blob(width, depth, stream, roughness=0.18, bend=stream.between(-0.12, 0.12))
        case _:
            bend = stream.between(-0.12, 0.12)
            return outlines.blob(width, depth, stream, roughness=stream.between(0.19, 0.26), bend=bend)


def _choose_rotation(feature_site: FeatureSite, size: Size, outline: Polygon, dice: Dice) -> tuple[float, Polygon]:
    """Return the chosen rotation and the outline rotated around the origin (mm on the board).

    The rotation is a multiple of 5 degrees, anticlockwise. ``size`` is the long and the short side in inches of the
    rules. The outline shrinks if necessary (BR-G05). The program chooses again, up to 24 times, if it would become too
    small. At last it returns 0 degrees and the outline unchanged, which always fits. Choices are logged in ``dice``.
    """
    least = feature_site.side_min * feature_site.inch
    reason = Sentence("facing of {feature}, placed by {player}", feature=feature_site.id, player=feature_site.placer)
    left, low, right, high = feature_site.free_area.bounds
    centred_area = affinity.translate(feature_site.free_area, -(left + right) / 2, -(low + high) / 2)
    sides = (size[0] * feature_site.inch, size[1] * feature_site.inch)
    for _ in range(_MAX_TRIES):
        turn = float(dice.choose(_ROTATIONS_DEG, reason, "BR-342", asks=True))
        result = outlines.fit_outline(
            affinity.rotate(outline, turn, origin=(0, 0)), centred_area, size=sides, min_size=(least, least)
        )
        if result is not None:
            return turn, result[0]
        reason = Sentence("facing of {feature} anew, for it did not fit", feature=feature_site.id)
    return 0.0, outline


def _move_outline(outline: Polygon, free_area: Polygon, towards: tuple[int, int]) -> Polygon:
    """Return an outline moved into the free area: to the middle, or towards a side or corner.

    Both are in mm on the board. ``towards`` has -1, 0 or 1 for x and for y; 1 is to the right or the far side. The
    shift from the middle is 0.4 of the free space.
    """
    left, low, right, high = free_area.bounds
    west, south, east, north = outline.bounds
    free_x, free_y = max(0.0, (right - left) - (east - west)), max(0.0, (high - low) - (north - south))
    offset_x = (left + right - west - east) / 2 + towards[0] * _OFFSET_SHARE * free_x
    offset_y = (low + high - south - north) / 2 + towards[1] * _OFFSET_SHARE * free_y
    return affinity.translate(outline, offset_x, offset_y)


def _check_size(feature_site: FeatureSite, size: Size) -> None:
    """Refuse a size outside the limits of the feature: long and short side, in inches of the rules.

    Raises:
        PlacementError: a side is too short or too long (BR-X19).
    """
    long, short = (side * feature_site.inch for side in size)
    _check_area(feature_site, SIZE_RULES, box(0, 0, long, short), sides=(short, long))


def _check_rotation(feature_site: FeatureSite, size: Size, turn: float) -> None:
    """Refuse a recorded feature whose rotated box is larger than the free area of its zone (BR-T32).

    ``size`` is the long and the short side in inches of the rules, ``turn`` the rotation in degrees anticlockwise.

    Raises:
        PlacementError: the box is too large (BR-X19).
    """
    long, short = (side * feature_site.inch for side in size)
    _check_area(feature_site, (FIT_RULE,), affinity.rotate(box(0, 0, long, short), turn))


def _check_area(
    feature_site: FeatureSite, rules: Iterable[AreaRule], outline: Polygon, *, sides: tuple[float, ...] = ()
) -> None:
    """Refuse an outline that breaks one of some rules; it is in mm on the board, as are the sides before rotation.

    Raises:
        PlacementError: it breaks a rule (BR-X19).
    """
    area = CheckedArea(
        id=feature_site.id,
        size_name=feature_site.result.name,
        outline=outline,
        sides=sides,
        zone_number=feature_site.zone,
        zone=feature_site.zone_square,
    )
    surroundings = AreaSurroundings(rules=feature_site.rules, rounding_mm=_TOLERANCE_IN * feature_site.inch)
    for rule in rules:
        for fault in rule.find_faults(area, surroundings):
            raise PlacementError("{fault}", fault=fault, clause=rule.error_clause)
