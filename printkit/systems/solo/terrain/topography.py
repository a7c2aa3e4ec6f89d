"""Home topographies and pieces of terrain as the rule book lists them: what may come, how often, and its going."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from msgspec import Struct

from printkit.core.errors import BookError
from printkit.kit.book import BookRow, RuleBook
from printkit.systems.dba.ground.pieces import Pick, Terrain
from printkit.systems.solo.armies.force import Home

BAD: Final = "bad"
ON: Final = "true"

_WATERS: Final = (Terrain.WATERWAY, Terrain.RIVER)

Named = TypeVar("Named", Terrain, Home)


class Topography(Struct, frozen=True, kw_only=True):
    """What a home topography compels, of which one is taken, and what it offers, in the order of its table (F-03)."""

    home: Home
    compulsory: tuple[Terrain, ...]
    optional: tuple[Terrain, ...]


class PieceRule(Struct, frozen=True, kw_only=True):
    """What the rules say of a type of terrain (F-04, F-05).

    ``most`` is how many a field holds, ``shape`` one of edge, area and course, ``ratio`` how many times an area may be
    longer than wide, None without a limit. ``doubled`` says that a second compulsory one may come, ``bad_goers`` that
    many bad-going troops make it likelier.
    """

    terrain: Terrain
    most: int
    going: str
    shape: str
    ratio: float | None
    doubled: bool
    bad_goers: bool
    clause: str


class Pair(Struct, frozen=True):
    """Two types of which a littoral field has one, in the order of their dice, and their key in the army file."""

    key: str
    either: tuple[Terrain, Terrain]
    clause: str


class Country(Struct, frozen=True, kw_only=True):
    """All topographies and pieces, read by the settings of a game."""

    topographies: Mapping[Home, Topography]
    pieces: Mapping[Terrain, PieceRule]
    pairs: tuple[Pair, ...]
    uses_bua: bool
    bua_is_bad_going: bool
    cap_counts_compulsory: bool

    @classmethod
    def of(cls, book: RuleBook, settings: Mapping[str, str]) -> Country:
        """Return what a rule book lists.

        Raises:
            BookError: a row is wrong, or a topography is missing.
        """
        rows = [_topography(row) for row in book.own("topography")]
        missing = [home for home in Home if home not in [row.home for row in rows]]
        if missing:
            raise BookError("{file}: [rows] topography has no row for {missing}", file=book.file, missing=missing[0])
        pieces = [_piece(row, book) for row in book.own("pieces")]
        return cls(
            topographies={row.home: row for row in rows},
            pieces={piece.terrain: piece for piece in pieces},
            pairs=tuple(_pair(row) for row in book.own("littoral")),
            uses_bua=settings["use_bua"] == ON,
            bua_is_bad_going=settings["bua_is_bad_going"] == ON,
            cap_counts_compulsory=settings["cap_counts_compulsory"] == ON,
        )

    def compulsory_of(self, home: Home) -> tuple[Terrain, ...]:
        """Return the compulsory features of a home, without built-up areas where nobody uses them (SD-3.1.1-a)."""
        return self._used(self.topographies[home].compulsory)

    def optional_of(self, home: Home) -> tuple[Terrain, ...]:
        """Return the optional features of a home in the order of the table, without built-up areas if need be."""
        return self._used(self.topographies[home].optional)

    def is_bad_going(self, terrain: Terrain) -> bool:
        """Return whether a piece is bad going; a built-up area is where a setting says so (AMB-14)."""
        return self.pieces[terrain].going == BAD or (terrain is Terrain.BUA and self.bua_is_bad_going)

    def is_required(self, terrain: Terrain) -> bool:
        """Return whether a piece is of the kinds of which every field has one (SD-3.2.3-c)."""
        return terrain in _WATERS or self.is_bad_going(terrain)

    def lacks_required(self, picks: Iterable[Pick]) -> bool:
        """Return whether no piece among these is bad going, a waterway or a river."""
        return not any(self.is_required(pick.terrain) for pick in picks)

    def candidates(self, optional: Iterable[Terrain], compulsory: Iterable[Pick]) -> tuple[Terrain, ...]:
        """Return a type for every piece that may still come, in the order of the table (SD-3.2.3-a, AMB-12)."""
        taken = Counter(pick.terrain for pick in compulsory) if self.cap_counts_compulsory else Counter[Terrain]()
        return tuple(terrain for terrain in optional for _ in range(max(0, self.pieces[terrain].most - taken[terrain])))

    def _used(self, features: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
        return tuple(terrain for terrain in features if self.uses_bua or terrain is not Terrain.BUA)


def _topography(row: BookRow) -> Topography:
    row.only("home", "compulsory", "optional", "confidence", "clause")
    return Topography(
        home=_named(row, Home, row.need("home", str)),
        compulsory=tuple(_named(row, Terrain, name) for name in row.need("compulsory", list)),
        optional=tuple(_named(row, Terrain, name) for name in row.need("optional", list)),
    )


def _piece(row: BookRow, book: RuleBook) -> PieceRule:
    row.only(
        "piece", "most", "going", "shape", "ratio", "doubled", "bad_goers", "kind", "confidence", "clause"
    )  # fmt: skip
    going = row.need("going", str)
    if going not in book.going:
        raise BookError(
            "{place}: going = {going!r}; there are {goings}", place=row.place, going=going, goings=", ".join(book.going)
        )
    return PieceRule(
        terrain=_named(row, Terrain, row.need("piece", str)),
        most=row.need("most", int),
        going=going,
        shape=row.need("shape", str),
        ratio=row.need("ratio", float) if "ratio" in row.values else None,
        doubled=row.get("doubled", bool, False),
        bad_goers=row.get("bad_goers", bool, False),
        clause=row.need("clause", str),
    )


def _pair(row: BookRow) -> Pair:
    row.only("key", "either", "confidence", "clause")
    first, second = (_named(row, Terrain, name) for name in row.need("either", list))
    return Pair(row.need("key", str), (first, second), row.need("clause", str))


def _named(row: BookRow, names: type[Named], name: str) -> Named:
    if name not in [member.value for member in names]:
        raise BookError(
            "{place}: {name!r} is none of {names}",
            place=row.place,
            name=name,
            names=", ".join(member.value for member in names),
        )
    return names(name)
