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
from printkit.recipes.output.handout import LengthFormatter
from printkit.terrain.field.features import STILL_WATERS, Kind
from printkit.terrain.field.record_features import SHAPES, Shape

# Smallest uncovered area that is drawn in chalk, in mm².
LEAST_CHALK_MM2: Final = 600.0

# Half the width in mm of the widest uncovered strip that is not drawn.
_HALF_NARROW_MM: Final = 6.0

_WATERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.DITCH, Kind.RAVINE, Kind.GULLY)
_SHARES: Final = (0.6, 3.2, 1.4, 1.4, 1.9, 0.9)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _LEFT, _RIGHT, _RIGHT, _LEFT, _LEFT)
_HEAD: Final = ("piece", "what", "left", "near", "lies", "for")


def sort_for_placing(match: MatchedPieces) -> tuple[Use, ...]:
    """Return the pieces in placing order: hills, waters, other areas, roads and railways, crossings."""
    return tuple(sorted(match.uses, key=lambda use: (_placing_rank(use.need.kind), use.need.number, use.number)))


def _placing_rank(kind: Kind) -> int:
    """Return the rank of a kind in the placing order, 0 to 4."""
    if SHAPES[kind] is Shape.HILL:
        return 0
    if kind in _WATERS or kind in STILL_WATERS:
        return 1
    return {Shape.AREA: 2, Shape.COURSE: 3}.get(shape_of(kind), 4)


def plan_pieces(match: MatchedPieces) -> Iterator[PlanPiece]:
    """Yield every piece with a position, in placing order; its outline is in mm on the board."""
    for use in sort_for_placing(match):
        if use.position is not None:
            outline = tuple((float(x), float(y)) for x, y in shapely.get_coordinates(use.position.shape)[:-1])
            yield PlanPiece(str(use.number), outline, use.position.corner)


def chalk_outlines(match: MatchedPieces) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield outlines of areas that pieces leave uncovered, and of features without a piece.

    The points (x, y) are in mm on the board. Gaps narrower than 12 mm are left out, and courses have no outline.
    """
    for uses in match.group_by_need():
        ground = uses[0].need.ground
        shapes = [use.position.shape for use in uses if use.position is not None]
        if ground is not None and uses[0].length is None and len(shapes) == len(uses):
            yield from _outlines(
                shapely.difference(ground, shapely.union_all(shapes)).buffer(-_HALF_NARROW_MM).buffer(_HALF_NARROW_MM)
            )
    for missing_piece in match.missing_pieces:
        if missing_piece.need.ground is not None and missing_piece.length is None:
            yield from _outlines(missing_piece.need.ground)


def _outlines(ground: shapely.Geometry) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield the outer points (x, y) of each part of a shape that has at least 600 mm².

    Lengths are in mm on the board.
    """
    for part in shapely.get_parts(ground):
        if isinstance(part, Polygon) and part.area >= LEAST_CHALK_MM2:
            yield tuple((float(x), float(y)) for x, y in shapely.get_coordinates(part.exterior))


def placing_blocks(match: MatchedPieces, words: Words, *, chalk: bool) -> Iterator[Block]:
    """Yield the list of pieces in placing order: number, position of the marked corner, and rotation.

    Args:
        match: the matched pieces.
        words: the languages.
        chalk: whether the plan shows uncovered areas.
    """
    rows = tuple(_rows(sort_for_placing(match), words))
    if not rows:
        return
    yield Heading(words("box.laying"), remark=words("box.laying-aside"))
    for language in words.each():
        yield Paragraph(language("box.laying-how") + (" " + language("box.chalk") if chalk else ""), "note")
    head = tuple(words(f"box.head-{name}") for name in _HEAD)
    yield Table(rows=rows, head=head, shares=_SHARES, aligns=_ALIGNS)


def _rows(uses: Sequence[Use], words: Words) -> Iterator[tuple[str, ...]]:
    """Yield a row of the list for each piece: number, piece, x, y, rotation, and number in the key.

    x and y are the distances of the marked corner from the left and the near edge, as texts.
    """
    measures = LengthFormatter(words)
    for use in uses:
        name = piece_name(use.piece, words)
        if use.position is None:
            position = ("", "", words("box.as-drawn"))
        else:
            x, y = use.position.corner
            bend = words("box.bent", degrees=f"{abs(use.position.bend):.0f}") if use.position.bend else ""
            rotation = measures.describe_rotation(use.position.turn)
            position = (
                measures.format_two_lines(max(x, 0.0)),
                measures.format_two_lines(max(y, 0.0)),
                f"{rotation}, {bend}" if bend else rotation,
            )
        yield (f"**{use.number}**", name, *position, str(use.need.number))
