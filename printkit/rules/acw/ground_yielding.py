"""Ground that is won for what people build: swamps and trees draw back from it, as long as they stay whole."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import shapely
from shapely import Polygon

from printkit.chance.streams import Stream
from printkit.rules.acw.ground_placing import Wish, place
from printkit.rules.acw.ground_table import Placed, Table
from printkit.rules.acw.pieces import Piece
from printkit.terrain.features import Area

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


def parts(shape: shapely.Geometry, by: float) -> int:
    """Return into how many parts a shape falls when its rim is taken away by so many mm."""
    return len(shapely.get_parts(shape.buffer(-by)))
