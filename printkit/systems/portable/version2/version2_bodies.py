"""Features of several areas: those that a person gave, those that hang together, those that found no room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from printkit.core.errors import PlacementError
from printkit.systems.portable.grid.chains import Spot
from printkit.systems.portable.grid.counting import May
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.overrides import GivenPlace
from printkit.systems.portable.grid.sketch import Note, Placing, Sketch
from printkit.systems.portable.grid.telling import placed
from printkit.systems.portable.version2.terms import Count, Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell


def given_areas(terms: Terms, *kinds: str, may: May) -> tuple[tuple[GivenPlace, Cell], ...]:
    """Return the areas of the given places of some kinds, each with its place (PW0-13).

    Raises:
        PlacementError: one is given twice, or may not take what was given.
    """
    found: dict[Cell, GivenPlace] = {}
    for place in terms.given.of(*kinds):
        for cell in place.cells:
            if cell in found or not may(cell):
                raise PlacementError(
                    "{place}: area {cell} holds something already or takes no {kind}",
                    place=place.place,
                    cell=address(cell),
                    kind=place.kind,
                    clause="PW0-13",
                )
            found[cell] = place
    return tuple((place, cell) for cell, place in found.items())


def body(
    sketch: Sketch,
    kind: Kind,
    cells: tuple[Cell, ...],
    spots: Mapping[Cell, Spot],
    *,
    number: Count,
    clause: str,
) -> Placing:
    """Return areas side by side as one feature, with what the dice said of each of them."""
    located = [spots[cell] for cell in cells if cell in spots]
    return Placing(
        id=sketch.next_id(kind.value),
        kind=kind,
        cells=cells,
        throws=(*(number.throws if located else ()), *(throw for spot in located for throw in spot.throws)),
        clauses=(clause, *(("PW0-13",) if len(located) < len(cells) else ())),
        told={
            **(number.told if located else {}),
            "areas": [{"cell": list(cell), **(spots[cell].told if cell in spots else placed())} for cell in cells],
        },
    )


def full(what: str, missing: int) -> Iterator[Note]:
    """Yield a note where some features found no area (PW0-11)."""
    if missing > 0:
        yield Note(key="dropped", clause="PW0-11", values={"kind": what, "count": missing})
