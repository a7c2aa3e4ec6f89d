"""Ground that is won for what has to lie there: swamps and trees draw back from it, as long as they stay whole."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import Polygon

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.make_room import Wish, place
from printkit.systems.acw.ground.placement import Placed, Table
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Area

_EDGE, _GROVE, _STANDING = 0.012, 0.03, 0.6
"""What a forest keeps from what lies where it was cleared, half of what it is wide at least, as parts of the unit, and
the share of it that stays."""

_FORESTS: Final = (Piece.FOREST,)

Stays = Callable[[Placed, Polygon], bool]
"""Says whether what is left of a piece is still that piece."""


def without(table: Table, pieces: Collection[Piece], wished: Callable[[], list[Wish]]) -> list[Wish]:
    """Return what is wished for as if none of some pieces lay on the table."""
    everything = table.placed
    table.placed = [one for one in everything if one.piece not in pieces]
    wishes = wished()
    table.placed = everything
    return wishes


def won(
    table: Table,
    pieces: Collection[Piece],
    wishes: Sequence[Wish],
    stream: Stream,
    *,
    gap: float,
    stays: Stays,
    wanted: Callable[[Polygon], bool] = lambda _shape: True,
) -> Polygon | None:
    """Return the first place found from which some pieces can draw back by a gap in mm, and let them; None for none."""
    for wish in wishes:
        found = place(wish, stream)
        if found is None or not wanted(found):
            continue
        rests: dict[int, Placed] = {}
        for number, one in enumerate(table.placed):
            if one.piece not in pieces or not isinstance(one.feature, Area):
                continue
            clear = found.buffer(gap)
            if not one.outline.intersects(clear):
                continue
            rest = one.outline.difference(clear)
            if not isinstance(rest, Polygon) or not stays(one, rest):
                break
            rests[number] = replace(one, feature=replace(one.feature, outline=rest))
        else:
            for number, one in rests.items():
                table.placed[number] = one
            return found
    return None


def cleared(table: Table, zone: int, wished: Callable[[], list[Wish]], stream: Stream) -> Polygon | None:
    """Return the first place found on ground that the forest of a zone can leave, and let it; None for none."""
    unit, woods = table.sites[zone].unit, table.measure(Piece.FOREST)
    least = [(length or 0.0) * woods.least * unit for length in (woods.long, woods.short)]

    def stays(trees: Placed, rest: Polygon) -> bool:
        whole = parts(rest, _GROVE * unit) <= parts(trees.outline, _GROVE * unit)
        return whole and rest.area > max(_STANDING * trees.outline.area, _STANDING * least[0] * least[1])

    return won(table, _FORESTS, without(table, _FORESTS, wished), stream, gap=_EDGE * unit, stays=stays)


def parts(shape: shapely.Geometry, by: float) -> int:
    """Return into how many parts a shape falls when its rim is taken away by so many mm."""
    return len(shapely.get_parts(shape.buffer(-by)))
