"""The rules of a game on its board: pieces with their going and sizes, numbers in mm, and home lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import BookError
from printkit.kit.book import BookRow
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.legal import CourseLimits, SizeLimits, Terrain
from printkit.systems.dba.ground.placed import TerrainSort
from printkit.systems.dba.ground.shapes import OutlineLook, OutlineStyle
from printkit.systems.dba.ground.waters import Depths
from printkit.systems.dba3.placing.zones import strip
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Kind

WET: Final = "wet"


class HomeTopography(StrEnum):
    """A home topography."""

    ARABLE = "arable"
    FOREST = "forest"
    HILLY = "hilly"
    STEPPE = "steppe"
    DRY = "dry"
    TROPICAL = "tropical"
    LITTORAL = "littoral"


class QuarterReach(StrEnum):
    """How far a feature extends beyond its quarter (D3-32..D3-35)."""

    INSIDE = "inside"
    MAY = "may"
    MUST = "must"


class PieceRules(TerrainSort, frozen=True, kw_only=True):
    """The rules of a piece: maximum number, proportions, reach, and whether it hinders."""

    most: int
    reach: QuarterReach
    serves: bool
    longest: float | None
    shortest: float | None


class Town(Struct, frozen=True, kw_only=True):
    """A type of built-up area: its symbol kind, its position, and its look."""

    name: str
    kind: Kind
    corner: bool
    on_hill: bool
    look: OutlineLook


class Compelled(Struct, frozen=True):
    """One way to satisfy the compulsory part: a range of features of one piece."""

    terrain: Terrain
    least: int
    most: int


class Topography(Struct, frozen=True, kw_only=True):
    """The options of a home topography; if ``mixed``, each compulsory feature may be of any of its pieces."""

    home: HomeTopography
    clause: str
    compulsory: tuple[Compelled, ...]
    optional: tuple[Terrain, ...]
    pairs: tuple[tuple[Terrain, ...], ...]
    mixed: bool


class Terms(Struct, frozen=True, kw_only=True):
    """The rules of a game with the lists for choosing and placing. Lengths are mm."""

    rules: Rules
    sorts: Mapping[Terrain, PieceRules]
    towns: Mapping[str, Town]
    sizes: tuple[tuple[float, float], ...]
    gullies: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, rules: Rules) -> Terms:
        """Return the terms of a game.

        Raises:
            BookError: a row lacks an entry; names it.
        """
        return cls(
            rules=rules,
            sorts={Terrain(row.need("piece", str)): _sort(row, rules) for row in rules.rows("pieces")},
            towns={row.need("bua", str): _town(row) for row in rules.rows("bua")},
            sizes=_sizes(rules, "sizes"),
            gullies=_sizes(rules, "gullies"),
        )

    def topography(self, home: HomeTopography) -> Topography:
        """Return the lists of a home topography without pieces that the settings exclude."""
        row = next(row for row in self.rules.rows("topography") if row.need("home", str) == home.value)
        ways = tuple(
            Compelled(Terrain(each["piece"]), int(each["least"]), int(each["most"]))
            for each in row.need("compulsory", list)
        )
        optional = tuple(Terrain(name) for name in row.need("optional", list))
        if not self.town_names:
            ways = tuple(each for each in ways if each.terrain is not Terrain.BUA)
            optional = tuple(each for each in optional if each is not Terrain.BUA)
        if not ways:
            raise BookError(
                "{place}: home topography {home} has no compulsory piece. Add one.", place=row.place, home=home.value
            )
        pairs = tuple(
            tuple(Terrain(name) for name in pair.need("pieces", list))
            for pair in self.rules.rows("either")
            if pair.need("home", str) == home.value
        )
        return Topography(
            home=home,
            clause=row.need("clause", str),
            compulsory=ways,
            optional=optional,
            pairs=pairs,
            mixed=row.get("mixed", bool, False),
        )

    @property
    def town_names(self) -> tuple[str, ...]:
        """Return the types of built-up areas that the settings allow (D3-40)."""
        used = self.rules.choice("bua").split(",")
        return tuple(name for name in self.towns if name in used)

    def limits(self, terrain: Terrain) -> SizeLimits:
        """Return the size limits of an area piece (D3-22, D3-23, D3-25)."""
        return SizeLimits(
            both=self.rules.length("area_sides_bw_max"),
            least=self.rules.length("area_side_bw_min"),
            longest=self.sorts[terrain].longest,
        )

    def depths(self) -> Depths:
        """Return the usual depths of waterways, within the legal range (D3-44)."""
        least, most = (self.rules.length(f"waterway_depth_bw_{end}") for end in ("min", "max"))
        low = max(least, self.rules.length("waterway_usual_bw_min"))
        high = min(most, self.rules.length("waterway_usual_bw_max"))
        shallow = min(max(self.rules.length("waterway_usual_bw_shallow"), low), high)
        return Depths(least=min(low, high), most=high, shallow=shallow)

    def width(self, terrain: Terrain) -> float:
        """Return the width of a river or a road, in mm."""
        return self.rules.length(f"{terrain}_width_bw")

    def course(self, terrain: Terrain, axis: Axis, quarter: int, board: Board) -> CourseLimits:
        """Return the limits of a river or road along an axis in a quarter (D3-35, D3-48, D3-49, D3-51)."""
        width, river = self.width(terrain), terrain is Terrain.RIVER
        return CourseLimits(
            axis=axis,
            band=strip(board, quarter, axis),
            longest=self.rules.number(f"{terrain}_sinuosity_max"),
            quarters=2,
            clearance=self.rules.length("river_clearance_bw") if river else 0.0,
            half_width=width / 2,
            short=0.0 if river else self.rules.number("road_short_max") * width,
        )


def _sort(row: BookRow, rules: Rules) -> PieceRules:
    going = row.need("going", str)
    if rules.choice("plough") == WET:
        going = row.get("wet", str, going)
    if going not in rules.book.going:
        raise BookError(
            "{place}: unknown going {going!r}. Use one of {goings}.",
            place=row.place,
            going=going,
            goings=", ".join(rules.book.going),
        )
    return PieceRules(
        kind=Kind(row.need("kind", str)),
        going=rules.book.going[going],
        most=row.need("most", int),
        reach=QuarterReach(row.need("reach", str)),
        serves=row.get("serves", bool, False),
        longest=row.get("longest", float, 0.0) or None,
        shortest=row.get("shortest", float, 0.0) or None,
    )


def _town(row: BookRow) -> Town:
    return Town(
        name=row.need("bua", str),
        kind=Kind(row.need("kind", str)),
        corner=row.need("corner", bool),
        on_hill=row.need("on_hill", bool),
        look=OutlineLook(style=OutlineStyle.PLOT, long=_pair(row, "long"), slender=_pair(row, "slender")),
    )


def _pair(row: BookRow, name: str) -> tuple[float, float]:
    values: Sequence[Any] = row.need(name, list)
    return float(values[0]), float(values[1])


def _sizes(rules: Rules, name: str) -> tuple[tuple[float, float], ...]:
    return tuple((row.need("long", float), row.need("short", float)) for row in rules.rows(name))
