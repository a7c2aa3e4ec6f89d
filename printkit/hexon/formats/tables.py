"""A Hexon layout as numbers and strings, for the writers of files that other programs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct


class Place(Struct, frozen=True, order=True):
    """A cell by row and column from 1, counted from the far left, and by axial coordinates."""

    row: int
    column: int
    q: int
    s: int


class Tile(Struct, frozen=True, kw_only=True):
    """A piece in layer ``level``; ``rotation`` counts steps of 60 degrees clockwise, ``number`` boards of a layer."""

    piece: str
    level: int
    places: tuple[Place, ...]
    rotation: int = 0
    number: int = 0
    hill: int = 0
    matched: bool = True

    @property
    def label(self) -> str:
        """Return the number of a board, and nothing for all else."""
        return str(self.number) if self.number else ""


class Link(Struct, frozen=True, kw_only=True):
    """One hex of a course: the sides that it passes as bits, and the least mask that turns onto it."""

    feature: str
    level: int
    place: Place
    piece: str
    mask: int
    pattern: int
    rotation: int
    label: str = ""


class Mark(Struct, frozen=True, kw_only=True):
    """What stands on a hex."""

    feature: str
    level: int
    place: Place
    label: str = ""


class Way(Struct, frozen=True, kw_only=True):
    """A course from cell to cell."""

    feature: str
    places: tuple[Place, ...]
    label: str = ""


class LayerSum(Struct, frozen=True, kw_only=True):
    """How well a layer is covered: boards, single hexes, and the most boards that any covering could have."""

    level: int
    boards: int
    singles: int
    bound: int


class PartRow(Struct, frozen=True, kw_only=True):
    """A row of the parts list; None where nothing is known."""

    name: str
    need: int
    own: int | None = None
    missing: int = 0
    code: str = ""
    packets: int | None = None


class HexonTable(Struct, frozen=True, kw_only=True):
    """All of a layout. ``tops`` are all cells in reading order with the level of their surface and what they hold.

    ``cell`` is in mm across the flats; ``grain`` as ``flat-odd-low``; ``notes`` are sentences for the person.
    """

    title: str
    columns: int
    rows: int
    grain: str
    cell: float
    tops: tuple[tuple[Place, int, str], ...]
    tiles: tuple[Tile, ...]
    links: tuple[Link, ...] = ()
    marks: tuple[Mark, ...] = ()
    ways: tuple[Way, ...] = ()
    layers: tuple[LayerSum, ...] = ()
    parts: tuple[PartRow, ...] = ()
    cut: tuple[Tile, ...] = ()
    unbuildable: tuple[tuple[Place, int, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def flat(self) -> bool:
        """Return whether hexes have a side, not a corner, on top."""
        return self.grain.startswith("flat")

    @property
    def odd_lags(self) -> bool:
        """Return whether odd columns stand low, or odd rows right, counted from 1."""
        return self.grain in ("flat-odd-low", "pointy-odd-right")

    def levels(self) -> range:
        """Return the levels that hold anything, the base first."""
        groups: tuple[Iterable[Tile | Link | Mark], ...] = (self.tiles, self.links, self.marks)
        return range(max((each.level for group in groups for each in group), default=0) + 1)

    def on(self, level: int) -> Iterator[Tile]:
        """Yield the pieces of a layer."""
        return (tile for tile in self.tiles if tile.level == level)
