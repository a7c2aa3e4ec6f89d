"""Place area features on the board: their size, rotation and position in the zone. Hills use this too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from shapely import Polygon, affinity, box

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.core.errors import PlacementError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.cards import CardResult
from printkit.systems.brantley.dealing.deal import ACROSS
from printkit.systems.brantley.dealing.game_rules import inch_of
from printkit.systems.brantley.dealing.inputs import Recorded
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Kind, Origin
from printkit.terrain.geometry import outlines

Size = tuple[float, float]

# Step in inches between the sizes of automatic features.
_STEP: Final = 0.5

# Smallest and largest short side of an automatic feature, as shares of the long side.
_SLENDER, _STOUT = 0.66, 0.9

_TURNS: Final = tuple(range(0, 360, 5))
_TRIES: Final = 24

# The positions of a feature in its zone, with their directions.
_PLACES: Final[Mapping[str, tuple[int, int]]] = {
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
_ASIDE: Final = 0.4

_WITHIN: Final = 1e-6


class FeatureSite(Struct, frozen=True, kw_only=True):
    """A zone that gets a feature: the feature, its placer and the free area.

    ``room`` is the zone without its margins (BR-G02), in mm.
    """

    rules: Rules

    zone: int
    result: CardResult
    placer: str
    room: Polygon
    recorded: Recorded | None = None

    @property
    def id(self) -> str:
        """Return the ID of the feature."""
        return f"z{self.zone}"

    @property
    def inch(self) -> float:
        """Return one inch of the rules, in mm (BR-G01)."""
        return inch_of(self.rules)

    @property
    def least(self) -> float:
        """Return the minimum side length, in inches of the rules."""
        return self.rules.number(f"{self.result.name}_min")

    @property
    def most(self) -> float:
        """Return the maximum side length, in inches of the rules."""
        return self.rules.number(f"{self.result.name}_max")

    @property
    def side(self) -> float:
        """Return the side of the free area, in inches of the 24-inch board."""
        left, _, right, _ = self.room.bounds
        return float((right - left) / self.inch)


class Stance(Struct, frozen=True, kw_only=True):
    """The pose of a feature: its outline on the board, and the bearing of its long axis in degrees."""

    outline: Polygon
    turn: float


def site(
    rules: Rules, board: Board, zone: int, *, result: CardResult, placer: str, recorded: Recorded | None
) -> FeatureSite:
    """Return the site of a zone."""
    room = board.zones(ACROSS, ACROSS)[zone - 1].buffer(-rules.length("margin"), join_style="mitre")
    return FeatureSite(rules=rules, zone=zone, result=result, placer=placer, room=box(*room.bounds), recorded=recorded)


def area(spot: FeatureSite, dice: Dice, jitter: Jitter) -> Area:
    """Return an area feature, with size, rotation and position chosen or recorded (BR-341..BR-343, BR-M28).

    Raises:
        PlacementError: a recorded feature does not fit its zone (BR-X19).
    """
    before = len(dice.log)
    stance = stand(spot, dice, jitter.stream(f"{dice.stage}/{spot.id}/outline"))
    return Area(
        id=spot.id,
        kind=spot.result.kind,
        outline=stance.outline,
        going=spot.result.ground,
        origin=Origin(
            clauses=(spot.result.clause,),
            throws=tuple(range(before + 1, len(dice.log) + 1)),
            zone=spot.zone,
            placed_by=spot.placer,
        ),
    )


def stand(spot: FeatureSite, dice: Dice, stream: Stream) -> Stance:
    """Return the pose of a feature; its placer chooses size, rotation and position unless they are recorded."""
    recorded = spot.recorded
    size = recorded.size if recorded else None
    if size is None:
        reason = Sentence("size of {feature}, placed by {player}", feature=spot.id, player=spot.placer)
        offered = {f"{long:g}x{short:g}": (long, short) for long, short in sizes(spot)}
        size = offered[dice.choose(tuple(offered), reason, "BR-343", asks=True)]
    _check_size(spot, size)
    drawn = _outline(spot, size, stream)
    if recorded and recorded.turn is not None:
        turn, turned = recorded.turn, affinity.rotate(drawn, recorded.turn, origin=(0, 0))
        _check_turn(spot, size, turn)
    else:
        turn, turned = _turned(spot, size, drawn, dice)
    if recorded and recorded.at is not None:
        placed = affinity.translate(turned, recorded.at[0] * spot.inch, recorded.at[1] * spot.inch)
        _check_place(spot, placed)
        return Stance(outline=placed, turn=turn)
    reason = Sentence("place in its zone of {feature}, placed by {player}", feature=spot.id, player=spot.placer)
    place = dice.choose(tuple(_PLACES), reason, "BR-343", asks=True)
    return Stance(outline=_moved(turned, spot.room, _PLACES[place]), turn=turn)


def sizes(spot: FeatureSite) -> list[Size]:
    """Return the sizes that an automatic placer chooses from, in steps of half an inch from the default size.

    If the default does not fit the free area, they start from the minimum.
    """
    usual, least, high = spot.rules.number(f"{spot.result.name}_long"), spot.least, min(spot.most, spot.side)
    found = [
        (long, short)
        for long in _steps(usual if usual < high else least, high)
        for short in _steps(least, long)
        if _SLENDER * long <= short <= _STOUT * long
    ]
    return found or [(least, least)]


def _steps(low: float, high: float) -> list[float]:
    return [low + _STEP * step for step in range(int((high - low) / _STEP + 1e-9) + 1)]


def _outline(spot: FeatureSite, size: Size, stream: Stream) -> Polygon:
    """Return the outline of a feature around the origin, with its long axis along +x."""
    width, depth = size[0] * spot.inch, size[1] * spot.inch
    match spot.result.kind:
        case Kind.HILL:
            return outlines.rounded(width, depth, stream)
        case Kind.BUA:
            fewest, most = (spot.rules.whole(f"bua_corners_{end}") for end in ("min", "max"))
            return outlines.draw_plot_outline(width, depth, stream, corners=(fewest, most))
        case Kind.LAKE:
            return outlines.blob(width, depth, stream, roughness=0.18, bend=stream.between(-0.12, 0.12))
        case _:
            bend = stream.between(-0.12, 0.12)
            return outlines.blob(width, depth, stream, roughness=stream.between(0.19, 0.26), bend=bend)


def _turned(spot: FeatureSite, size: Size, drawn: Polygon, dice: Dice) -> tuple[float, Polygon]:
    """Return the chosen rotation in degrees and the rotated outline around the origin, shrunk if necessary (BR-G05).

    The program chooses again if the outline would become too small. Without rotation the outline always fits.
    """
    least = spot.least * spot.inch
    reason = Sentence("facing of {feature}, placed by {player}", feature=spot.id, player=spot.placer)
    room = _about_origin(spot.room)
    sides = (size[0] * spot.inch, size[1] * spot.inch)
    for _ in range(_TRIES):
        turn = float(dice.choose(_TURNS, reason, "BR-342", asks=True))
        fit = outlines.fit_outline(
            affinity.rotate(drawn, turn, origin=(0, 0)), room, size=sides, min_size=(least, least)
        )
        if fit is not None:
            return turn, fit[0]
        reason = Sentence("facing of {feature} anew, for it did not fit", feature=spot.id)
    return 0.0, drawn


def _about_origin(room: Polygon) -> Polygon:
    left, low, right, high = room.bounds
    return affinity.translate(room, -(left + right) / 2, -(low + high) / 2)


def _moved(outline: Polygon, room: Polygon, towards: tuple[int, int]) -> Polygon:
    """Return the outline in the free area: in the middle, or towards a side or corner."""
    left, low, right, high = room.bounds
    west, south, east, north = outline.bounds
    free_x, free_y = max(0.0, (right - left) - (east - west)), max(0.0, (high - low) - (north - south))
    across = (left + right - west - east) / 2 + towards[0] * _ASIDE * free_x
    along = (low + high - south - north) / 2 + towards[1] * _ASIDE * free_y
    return affinity.translate(outline, across, along)


def _check_size(spot: FeatureSite, size: Size) -> None:
    if size[1] < spot.least or size[0] > spot.most:
        raise PlacementError(
            "{spot} is {width:g} x {depth:g} inches; each side of this feature must be {low:g} to {high:g}",
            spot=spot.id,
            width=size[0],
            depth=size[1],
            low=spot.least,
            high=spot.most,
            clause="BR-X19",
        )


def _check_turn(spot: FeatureSite, size: Size, turn: float) -> None:
    """Refuse a recorded feature whose rotated box is larger than the free area of its zone (BR-T32)."""
    left, low, right, high = affinity.rotate(box(0, 0, *size), turn).bounds
    if max(right - left, high - low) > spot.side + _WITHIN:
        raise PlacementError(
            "{spot} ({width:g} x {depth:g} inches, turned by {turn:g} degrees) needs {wide:.2f} x "
            "{deep:.2f}; its zone has room for {side:g} x {side:g}",
            spot=spot.id,
            width=size[0],
            depth=size[1],
            turn=turn,
            wide=right - left,
            deep=high - low,
            side=spot.side,
            clause="BR-X19",
        )


def _check_place(spot: FeatureSite, placed: Polygon) -> None:
    left, low, right, high = spot.room.bounds
    west, south, east, north = placed.bounds
    beyond = max(left - west, low - south, east - right, north - high) / spot.inch
    if beyond > _WITHIN:
        raise PlacementError(
            "{spot} reaches {beyond:.2f} inches outside the usable part of its zone, the middle {side:g} x {side:g}",
            spot=spot.id,
            beyond=beyond,
            side=spot.side,
            clause="BR-X19",
        )
