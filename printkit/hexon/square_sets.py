"""Sets of square tiles that build as many battlefields as possible, chosen from the battlefields of several seeds.

Open ground needs no tile of the set, because a table without tiles is open ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.hexon.square_tiles import SquareLayout, SquareTile, TilePlace, TileShape, assign_codes, find_turns

# The numbers of tiles to compare.
SIZES: Final = (12, 18, 24, 36)

_OPEN: Final = TileShape()


class SquareSet(Struct, frozen=True, kw_only=True):
    """A set of tiles with copies, and the battlefields that it builds.

    Attributes:
        size: the most different tiles.
        total_count: the number of battlefields for the choice of the set.
        tiles: the tiles by code; open ground has no copies.
        layouts: the battlefields by seed, with the codes of the set and the copies that each needs.
    """

    size: int
    total_count: int
    tiles: Mapping[str, SquareTile]
    layouts: Mapping[int, SquareLayout]

    @property
    def sentence(self) -> Sentence:
        """Return how many battlefields the set builds."""
        return Sentence(
            "{count} tiles ({copies} with copies) build {built} of {total} battlefields.",
            count=self.size,
            copies=sum(tile.copies for tile in self.tiles.values()),
            built=len(self.layouts),
            total=self.total_count,
        )


def choose_seeds(needs: Mapping[int, Counter[TileShape]], size: int) -> tuple[int, ...]:
    """Return the seeds whose battlefields a set of at most ``size`` different tiles builds, as many as it finds.

    ``needs`` has the copies of each pattern for each battlefield. From each seed, the search adds the battlefield that
    needs the fewest more different tiles, or of equal ones the fewest more copies, until the set is full. Of equal
    results the first one counts.
    """
    best: tuple[int, ...] = ()
    for start in needs:
        chosen_seeds: tuple[int, ...] = ()
        set_copies, remaining_needs, seed = Counter[TileShape](), dict(needs), start
        while len(set_copies | needs[seed]) <= size:
            set_copies |= remaining_needs.pop(seed)
            chosen_seeds = (*chosen_seeds, seed)
            if not remaining_needs:
                break
            totals = {other: set_copies | need for other, need in remaining_needs.items()}
            seed = min(totals, key=lambda other: (len(totals[other]), totals[other].total()))
        best = max(best, chosen_seeds, key=len)
    return tuple(sorted(best))


def make_set(layouts: Mapping[int, SquareLayout], size: int) -> SquareSet:
    """Return the best set of at most ``size`` different tiles for battlefields by seed; empty if it builds none."""
    needs = {seed: tile_needs(layout) for seed, layout in layouts.items()}
    set_copies, tiles_by_pattern = Counter[TileShape](), dict[TileShape, SquareTile]()
    seeds = choose_seeds(needs, size)
    for seed in seeds:
        set_copies |= needs[seed]
        for tile in layouts[seed].tiles.values():
            tiles_by_pattern.setdefault(tile.shape.pattern, tile)
    codes = assign_codes({pattern: set_copies[pattern] for pattern in tiles_by_pattern})
    tiles = {
        code: replace(tiles_by_pattern[pattern], code=code, copies=set_copies[pattern])
        for pattern, code in codes.items()
    }
    return SquareSet(
        size=size,
        total_count=len(layouts),
        tiles=tiles,
        layouts={seed: _recode(layouts[seed], tiles, codes) for seed in seeds},
    )


def tile_needs(layout: SquareLayout) -> Counter[TileShape]:
    """Return how many tiles of each pattern a battlefield needs, without open ground."""
    return Counter({tile.shape.pattern: tile.copies for tile in layout.tiles.values() if tile.shape != _OPEN})


def _recode(layout: SquareLayout, tiles: Mapping[str, SquareTile], codes: Mapping[TileShape, str]) -> SquareLayout:
    """Return a layout with the tiles of a set, whose codes are given by pattern."""
    places = []
    for place in layout.places:
        shape = layout.tiles[place.code].shape.rotate(place.turns)
        code = codes[shape.pattern]
        places.append(TilePlace(place.cell, code, find_turns(tiles[code].shape, shape)))
    copies = Counter(place.code for place in places)
    field_tiles = {
        code: replace(tile, copies=copies[code] if tile.shape != _OPEN else 0)
        for code, tile in tiles.items()
        if code in copies
    }
    return replace(layout, tiles=field_tiles, places=tuple(places))
