"""What every stage of version 1 works with: grid, book, settings, country, what was given, and what blocks an area."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from printkit.core.errors import PlacementError
from printkit.kit.book import RuleBook
from printkit.systems.portable.grid.counting import CountOrder, May, Sides
from printkit.systems.portable.grid.edges import Ring, address
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.overrides import Given, GivenPlace
from printkit.systems.portable.grid.sketch import ROADS, Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid


class Version1Terms(Struct, frozen=True, kw_only=True):
    """The terms of one game."""

    grid: Grid
    book: RuleBook
    settings: Mapping[str, str]
    country: Geography
    given: Given
    counting: CountOrder
    sides: Sides
    ring: Ring

    @classmethod
    def of(cls, grid: Grid, book: RuleBook, settings: Mapping[str, str], inputs: Mapping[str, object]) -> Version1Terms:
        """Return the terms of the settings and lists of a scenario.

        Raises:
            ScenarioError: a list or a line is wrong.
            UsageError: a setting does not fit the grid.
        """
        return cls(
            grid=grid,
            book=book,
            settings=settings,
            country=Geography.of(book, settings),
            given=Given.read(inputs, grid),
            counting=CountOrder.of(grid, settings),
            sides=Sides.of(grid, settings["pwa-08"]),
            ring=Ring.of(book, settings["pw1.stations"]),
        )

    @property
    def sliver(self) -> float:
        """Return how much of an area a river or road may cover for it to be empty still (PW1-25)."""
        return float(self.settings["pw1.sliver"])

    def cover(self, sketch: Sketch, cell: Cell) -> float:
        """Return how much of an area rivers and roads cover: each kind added up, both together, or the larger (PWA-18).

        Several rivers, or several roads, of one area add up in any case.
        """
        river, road = (sum(way.share(cell) for way in sketch.ways_of(*kinds)) for kinds in ((Kind.RIVER,), ROADS))
        return min(1.0, river + road if self.settings["pwa-18"] == "sum" else max(river, road))

    def dry(self, sketch: Sketch, cell: Cell) -> bool:
        """Return whether an area is empty of rivers and roads but for a sliver (PW1-25)."""
        return self.cover(sketch, cell) <= self.sliver

    def within(self, may: May) -> May:
        """Return the same condition, and that an area counts at all where only an inner rectangle does (PW0-15)."""
        return lambda cell: self.counting.holds(cell) and may(cell)


def given_area(given: GivenPlace, may: May) -> Cell:
    """Return the one area of a given place.

    Raises:
        PlacementError: it has several, or its area may not take it.
    """
    return given_areas(given, 1, may)[0]


def given_areas(given: GivenPlace, count: int, may: May) -> tuple[Cell, ...]:
    """Return the areas of a given place.

    Raises:
        PlacementError: there are not as many as it has, or one may not take it.
    """
    if len(given.cells) != count:
        raise PlacementError(
            "{place}: a {kind} has {count} areas here, not {given}",
            place=given.place,
            kind=given.kind,
            count=count,
            given=len(given.cells),
        )
    for cell in given.cells:
        if not may(cell):
            raise PlacementError(
                "{place}: area {cell} holds something already or takes no {kind}",
                place=given.place,
                cell=address(cell),
                kind=given.kind,
            )
    return given.cells
