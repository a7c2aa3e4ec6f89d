"""The pieces of terrain that a judge of DBA sees in a record, whichever edition it judges by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.kit.case import JudgedRecord
from printkit.kit.checks import UnseenError
from printkit.systems.dba.ground.legal import Terrain, sides
from printkit.systems.dba.ground.placed import COURSES
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.geometry.measure import ribbon


class JudgedPiece(Struct, frozen=True):
    """A piece of terrain on the board; a crossing is none."""

    id: str
    terrain: Terrain
    feature: Area | Hill | Course

    @property
    def shape(self) -> BaseGeometry:
        """Return its outline, or the centre line of a course."""
        return self.feature.line if isinstance(self.feature, Course) else self.feature.outline

    @property
    def ground(self) -> BaseGeometry:
        """Return the ground that it covers, a course its width."""
        return ribbon(self.feature.line, self.feature.width) if isinstance(self.feature, Course) else self.shape

    @property
    def line(self) -> LineString:
        """Return the centre line of a course.

        Raises:
            UnseenError: the piece is drawn as something else.
        """
        if not isinstance(self.feature, Course):
            raise UnseenError("{id} is drawn as an area and has no centre line", id=self.id)
        return self.feature.line

    @property
    def sides(self) -> tuple[float, float]:
        """Return length and width of the smallest rectangle about it."""
        return sides(self.ground)


def sorted_out(
    features: Iterable[Feature], kinds: Mapping[Kind, Terrain]
) -> tuple[tuple[JudgedPiece, ...], tuple[str, ...]]:
    """Return the pieces among features, and the IDs of what is no terrain of these rules; crossings are neither.

    Args:
        features: what the record lists.
        kinds: the types of the edition that judges; a hill is steep where its going or one of its faces is.
    """
    pieces, strange = [], []
    for feature in features:
        if isinstance(feature, Crossing):
            continue
        terrain = _steepness(feature) if isinstance(feature, Hill) else kinds.get(feature.kind)
        if terrain is None:
            strange.append(feature.id)
        else:
            pieces.append(JudgedPiece(feature.id, terrain, feature))
    return tuple(pieces), tuple(strange)


def _steepness(hill: Hill) -> Terrain:
    return Terrain.GENTLE_HILL if hill.going.rank == 0 and not hill.faces else Terrain.STEEP_HILL


class DbaCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record laid open for a judge of DBA. ``strange`` are features that are no terrain of its edition."""

    pieces: tuple[JudgedPiece, ...]
    strange: tuple[str, ...]

    @property
    def base(self) -> float:
        """Return the mm of a base width."""
        return self.board.scale.base_width

    @property
    def areas(self) -> tuple[JudgedPiece, ...]:
        """Return the area pieces, built-up areas and gullies among them; no water."""
        return tuple(piece for piece in self.pieces if piece.terrain not in (*COURSES, Terrain.WATERWAY))

    def of_type(self, *terrains: Terrain) -> tuple[JudgedPiece, ...]:
        """Return the pieces of some types."""
        return tuple(piece for piece in self.pieces if piece.terrain in terrains)
