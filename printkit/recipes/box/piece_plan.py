"""Plan for a board built from the user's pieces: numbered outlines, and the list of pieces in placing order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from shapely import Polygon

from printkit.content.prose import Align, Block, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.forms.layout_plan import PlanPiece
from printkit.recipes.box.box_list import piece_name
from printkit.recipes.box.piece_box import shape_of
from printkit.recipes.box.piece_matching import MatchedPieces, Use
from printkit.recipes.output.handout import Measures
from printkit.terrain.field.features import STILL_WATERS, Kind
from printkit.terrain.field.record_features import SHAPES, Shape

# Smallest uncovered area that is drawn in chalk, in mm².
LEAST_CHALK: Final = 600.0

# Half the width in mm of the widest uncovered strip that is not drawn.
_NARROW: Final = 6.0

_WATERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.DITCH, Kind.RAVINE, Kind.GULLY)
_SHARES: Final = (0.6, 3.2, 1.4, 1.4, 1.9, 0.9)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _LEFT, _RIGHT, _RIGHT, _LEFT, _LEFT)
_HEAD: Final = ("piece", "what", "left", "near", "lies", "for")


def in_order(found: MatchedPieces) -> tuple[Use, ...]:
    """Return the pieces in placing order: hills, waters, other areas, roads and railways, crossings."""
    return tuple(sorted(found.uses, key=lambda use: (_turn(use.need.kind), use.need.number, use.number)))


def _turn(kind: Kind) -> int:
    if SHAPES[kind] is Shape.HILL:
        return 0
    if kind in _WATERS or kind in STILL_WATERS:
        return 1
    return {Shape.AREA: 2, Shape.COURSE: 3}.get(shape_of(kind), 4)


def plan_pieces(found: MatchedPieces) -> Iterator[PlanPiece]:
    """Yield every piece that has a position, in placing order."""
    for use in in_order(found):
        if use.spot is not None:
            outline = tuple((float(x), float(y)) for x, y in shapely.get_coordinates(use.spot.shape)[:-1])
            yield PlanPiece(str(use.number), outline, use.spot.corner)


def chalked(found: MatchedPieces) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield the outlines of areas that pieces leave uncovered, and of features without a piece."""
    for uses in found.by_need():
        ground = uses[0].need.ground
        spots = [use.spot.shape for use in uses if use.spot is not None]
        if ground is not None and uses[0].length is None and len(spots) == len(uses):
            yield from _outlines(shapely.difference(ground, shapely.union_all(spots)).buffer(-_NARROW).buffer(_NARROW))
    for lack in found.lacks:
        if lack.need.ground is not None and lack.length is None:
            yield from _outlines(lack.need.ground)


def _outlines(ground: shapely.Geometry) -> Iterator[tuple[tuple[float, float], ...]]:
    for part in shapely.get_parts(ground):
        if isinstance(part, Polygon) and part.area >= LEAST_CHALK:
            yield tuple((float(x), float(y)) for x, y in shapely.get_coordinates(part.exterior))


def laying_blocks(found: MatchedPieces, words: Words, *, chalk: bool) -> Iterator[Block]:
    """Yield the list of pieces in placing order: number, position of the marked corner, and rotation.

    Args:
        found: the matched pieces.
        words: the languages.
        chalk: whether the plan shows uncovered areas.
    """
    rows = tuple(_rows(in_order(found), words))
    if not rows:
        return
    yield Heading(words("box.laying"), aside=words("box.laying-aside"))
    for one in words.each():
        yield Paragraph(one("box.laying-how") + (" " + one("box.chalk") if chalk else ""), "note")
    head = tuple(words(f"box.head-{name}") for name in _HEAD)
    yield Table(rows=rows, head=head, shares=_SHARES, aligns=_ALIGNS)


def _rows(uses: Sequence[Use], words: Words) -> Iterator[tuple[str, ...]]:
    said = Measures(words)
    for use in uses:
        name = piece_name(use.piece, words)
        if use.spot is None:
            place = ("", "", words("box.as-drawn"))
        else:
            x, y = use.spot.corner
            bend = words("box.bent", degrees=f"{abs(use.spot.bend):.0f}") if use.spot.bend else ""
            turned = said.turned(use.spot.turn)
            place = (said.length(max(x, 0.0)), said.length(max(y, 0.0)), f"{turned}, {bend}" if bend else turned)
        yield (f"**{use.number}**", name, *place, str(use.need.number))
