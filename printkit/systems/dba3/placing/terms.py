"""The rules of a game on its board: pieces with their going and sizes, numbers in mm, and home lists."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.kit.book import BookRow
from printkit.kit.book_file import BookEntry
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.shapes import OutlineLook, OutlineStyle
from printkit.systems.dba.ground.terrain_limits import (
    CourseLimits,
    Depths,
    PiecePick,
    Terrain,
    TerrainTerms,
    TerrainType,
)
from printkit.systems.dba3.placing.zones import quarter_strip
from printkit.terrain.field.features import Kind

WET: Final = "wet"
# The value of a setting that leaves a number to the defender.
CHOICE: Final = "choice"


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


class PieceRules(TerrainType, frozen=True, kw_only=True):
    """The rules of a piece: also its reach, whether it hinders, and the minimum of length divided by width."""

    reach: QuarterReach
    is_hindering: bool
    ratio_min: float | None


class Town(BookEntry, frozen=True, kw_only=True):
    """A type of built-up area: its symbol kind, its position, its length in base widths and its proportions."""

    name: str = field(name="bua")
    kind: Kind
    is_in_corner: bool = field(name="corner")
    may_be_on_hill: bool = field(name="on_hill")
    long: tuple[float, float]
    slender: tuple[float, float]

    @property
    def look(self) -> OutlineLook:
        """Return the look of its outline."""
        return OutlineLook(style=OutlineStyle.PLOT, long_range=self.long, slender_range=self.slender)


class CompulsoryRange(Struct, frozen=True, forbid_unknown_fields=True):
    """One way to satisfy the compulsory part: a range of features of one piece."""

    terrain: Terrain = field(name="piece")
    count_min: int = field(name="least")
    count_max: int = field(name="most")


class Topography(Struct, frozen=True, kw_only=True):
    """The options of a home topography; if ``is_mixed``, each compulsory feature may be of any of its pieces."""

    home: HomeTopography
    clause: str
    compulsory: tuple[CompulsoryRange, ...]
    optional: tuple[Terrain, ...]
    pairs: tuple[tuple[Terrain, ...], ...]
    is_mixed: bool


class Terms(TerrainTerms, frozen=True, kw_only=True):
    """The rules of a game with the lists for choosing and placing. Lengths are mm on the board."""

    side_number: ClassVar[str] = "area_side_bw_min"
    crossing_clause: ClassVar[str] = "D3-54"

    piece_rules: Mapping[Terrain, PieceRules]
    towns: Mapping[str, Town]
    sizes: tuple[tuple[float, float], ...]
    gullies: tuple[tuple[float, float], ...]

    @classmethod
    def from_rules(cls, rules: Rules) -> Terms:
        """Return the terms of a game.

        Raises:
            FileError: a row lacks an entry; names it.
        """
        return cls(
            rules=rules,
            piece_rules={row.need("piece", Terrain): _parse_piece_rules(row, rules) for row in rules.rows("pieces")},
            towns={town.name: town for town in rules.read("bua", Town)},
            sizes=_read_sizes(rules, "sizes"),
            gullies=_read_sizes(rules, "gullies"),
        )

    def topography(self, home: HomeTopography) -> Topography:
        """Return the lists of a home topography without pieces and numbers that the settings exclude.

        A set number of compulsory features counts if a piece of the home topography allows it (D3-10).

        Raises:
            FileError: no compulsory piece remains.
        """
        row = self.rules.row("topography", "home", home.value)
        choices = row.need("compulsory", tuple[CompulsoryRange, ...])
        optional = row.need("optional", tuple[Terrain, ...])
        if not self.town_names:
            choices = tuple(item for item in choices if item.terrain is not Terrain.BUA)
            optional = tuple(item for item in optional if item is not Terrain.BUA)
        if not choices:
            raise row.error(Sentence("home topography {home} has no compulsory piece. Add one.", home=home.value))
        setting = self.rules.choice("compulsory")
        if setting != CHOICE:
            number = int(setting)
            fitting = (item for item in choices if item.count_min <= number <= item.count_max)
            choices = tuple(replace(item, count_min=number, count_max=number) for item in fitting) or choices
        pairs = tuple(
            pair.need("pieces", tuple[Terrain, ...])
            for pair in self.rules.rows("either")
            if pair.need("home", str) == home.value
        )
        return Topography(
            home=home,
            clause=row.need("clause", str),
            compulsory=choices,
            optional=optional,
            pairs=pairs,
            is_mixed=row.get("mixed", bool, False),
        )

    @property
    def town_names(self) -> tuple[str, ...]:
        """Return the types of built-up areas that the settings allow, in the order of the rule book (D3-40)."""
        allowed_names = self.rules.choice("bua").split(",")
        return tuple(name for name in self.towns if name in allowed_names)

    def type_of(self, pick: PiecePick) -> TerrainType:
        """Return the terrain type of a pick; a built-up area has the symbol kind of its type."""
        piece_rules = self.piece_rules[pick.terrain]
        return replace(piece_rules, kind=self.towns[pick.town].kind) if pick.town else piece_rules

    def waterway_depths(self) -> Depths:
        """Return the usual depths of waterways in mm on the board, within the legal range (D3-44)."""
        depth_min, depth_max = (self.rules.length(f"waterway_depth_bw_{end}") for end in ("min", "max"))
        usual_min = max(depth_min, self.rules.length("waterway_usual_bw_min"))
        usual_max = min(depth_max, self.rules.length("waterway_usual_bw_max"))
        shallow = min(max(self.rules.length("waterway_usual_bw_shallow"), usual_min), usual_max)
        return Depths(depth_min=min(usual_min, usual_max), depth_max=usual_max, shallow_max=shallow)

    def course_limits(self, terrain: Terrain, axis: Axis, quarter: int) -> CourseLimits:
        """Return the limits of a river or road through a quarter, 1 to 4 (D3-35, D3-48, D3-49, D3-51).

        The course runs along ``axis`` in the half of the board with the quarter. Lengths are in mm on the board; the
        longest course is a ratio to the straight distance.
        """
        return CourseLimits(
            axis=axis,
            band=quarter_strip(self.board, quarter, axis),
            longest=self.rules.number(f"{terrain}_sinuosity_max"),
            clearance=self.rules.length("river_clearance_bw") if terrain is Terrain.RIVER else 0.0,
            half_width=self.width(terrain) / 2,
        )


def _parse_piece_rules(row: BookRow, rules: Rules) -> PieceRules:
    """Return the rules of a terrain type from its row in the rule book.

    Raises:
        FileError: an entry is missing, or the going is unknown.
    """
    is_wet = rules.choice("plough") == WET and "wet" in row.values
    return PieceRules(
        kind=row.need("kind", Kind),
        going=row.find("wet" if is_wet else "going", rules.book.going),
        count_max=row.need("most", int),
        reach=row.need("reach", QuarterReach),
        is_hindering=row.get("serves", bool, False),
        ratio_max=row.get("longest", float, 0.0) or None,
        ratio_min=row.get("shortest", float, 0.0) or None,
    )


def _read_sizes(rules: Rules, name: str) -> tuple[tuple[float, float], ...]:
    """Return the sizes in a table of the rule book, each as long and short side in base widths.

    ``name`` is the name of the table.
    """
    return tuple((row.need("long", float), row.need("short", float)) for row in rules.rows(name))
