"""Draw the overlays of a map: deployment zones, quarters, zones, squares to keep clear, grid lines and guide marks.

Source: the cartography, 6 and 14.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Cap, Drawing, Font, Ink, Item, Join, LayeredItems, LayerName, Path, Rect
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.shapes import Line, _Shape, fill, lines, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, draw_hatching
from printkit.drawing.lettering.lettering import TypeStyle, shrink_to_fit
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.text.drafter import Drafter
from printkit.kit.plugin import load
from printkit.kit.registry import merge_plugin_table
from printkit.kit.sides import DEPLOYMENT, SideLook, find_look
from printkit.terrain.field.battlefield import Battlefield, Board, Overlay
from printkit.terrain.field.features import Area, Hill

# The highest contrast of a guide mark with the paper (WCAG 2, from 1 to 21); outlines of terrain have more.
MOST_CONTRAST: Final = 3.0

# The width in mm of the widest guide line on a board at 1:1, in all styles.
WIDEST: Final = 0.30

_STEPS: Final = 50
_LUMINANCE_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)


def guide_ink(drafter: Drafter, token: str, max_contrast: float = MOST_CONTRAST) -> Ink:
    """Return an ink, thinned until its contrast with the paper is at most ``max_contrast``.

    ``token`` is the name of the ink in the style. Contrast is the WCAG 2 ratio, from 1 to 21.
    """
    style = drafter.style
    paper = style.ink("paper") or WHITE
    return _thin_ink(style.solid(token), paper, max_contrast)


def guide_width(drafter: Drafter, mm: float = WIDEST) -> float:
    """Return the width in mm at 1:1 to request, so that a guide line has the width ``mm`` at 1:1.

    It cancels the line factor of the style.
    """
    return mm / drafter.style.line_factor


@cache
def _thin_ink(ink: Ink, paper: Ink, max_contrast: float) -> Ink:
    """Return the ink with the highest opacity at which its contrast with ``paper`` is at most ``max_contrast``.

    Contrast is the WCAG 2 ratio, from 1 to 21. If no opacity is low enough, the ink is unchanged.
    """
    covers = (step / _STEPS for step in range(_STEPS, 0, -1))
    return next(
        (ink.with_alpha(cover) for cover in covers if _contrast(paper.mix(ink, cover), paper) <= max_contrast), ink
    )


def _contrast(first_ink: Ink, second_ink: Ink) -> float:
    """Return the contrast of two opaque inks: the WCAG 2 ratio, from 1 to 21."""
    darker, lighter = sorted(_luminance(ink) for ink in (first_ink, second_ink))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(ink: Ink) -> float:
    """Return the relative luminance of an opaque ink by WCAG 2, from 0 (black) to 1 (white)."""
    shares = [part / 255 for part in ink[:3]]
    linear = [
        share / 12.92 if share <= 0.04045 else float(exact_math.power((share + 0.055) / 1.055, 2.4)) for share in shares
    ]
    return plain_sum(weight * part for weight, part in zip(_LUMINANCE_WEIGHTS, linear, strict=True))


ZONE: Final = "zone"
QUARTERS: Final = "quarters"
KEEP_CLEAR: Final = "keep-clear"
GRID: Final = "grid"

# The end of a label that gives the depth of a deployment zone in paces.
PACES: Final = " p"
CENTRE_LINE: Final = "centre-line"

_PALE: Final = (0.55, 1.0)
_QUARTER: Final = 0.26
_HATCH_CONTRAST: Final = 1.7
_FIGURES: Final = 2.5
_ON_EDGE: Final = 0.5
_ARM: Final = 3.2
_CORNER: Final = 7.0
_HATCH: Final = 3.0
# The width of the band inside a square to keep clear, in mm at 1:1, and its opacity.
_BAND: Final = 4.0
_BAND_ALPHA: Final = 0.12
_CLEAR: Final = (2.6, 1.6)
# Distance in mm at 1:1 that the halo of a guide line extends from it.
_MARK_REACH: Final = 1.0


def draw_overlays(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs that draw all overlays of a battlefield in printed mm.

    The order is deployment lines, zones, quarters, squares to keep clear, grid lines.
    """
    for sign in (deployment_lines, zone_crosses, quarter_lines, keep_clear_squares, grid_lines):
        yield from sign(field, drafter)


def deployment_lines(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Draw the deployment line of each side in its colour and dashes; the battlefield is in printed mm.

    Yields (layer, item) pairs.
    """
    for overlay in overlays_of_kind(field, DEPLOYMENT):
        look = side_look(overlay, field.board)
        ink, width = guide_ink(drafter, look.ink), guide_width(drafter)
        limit = limit_lines(overlay, field.board)
        yield from on_layer(
            LayerName.OVERLAY, stroke_with_halo(limit, drafter, ink, width, halo=_PALE, dash=look.dash())
        )


def zone_crosses(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs of a cross where zone corners meet inside the board, and the pale number of each zone.

    The number is in the upper left corner of its zone. The battlefield is in printed mm.
    """
    arm = drafter.size(_ARM)
    crosses: list[Line] = []
    for x, y in _inner_corners(field):
        crosses += [np.array([(x - arm, y), (x + arm, y)]), np.array([(x, y - arm), (x, y + arm)])]
    if crosses:
        ink, width = guide_ink(drafter, "ink"), guide_width(drafter)
        yield from on_layer(LayerName.OVERLAY, stroke_with_halo(crosses, drafter, ink, width, halo=_PALE))
    for overlay in overlays_of_kind(field, ZONE):
        yield from on_layer(LayerName.OVERLAY, _draw_zone_number(overlay, drafter))


def quarter_lines(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs of the lines between quarters, thin and dashed on a halo; a shared line is drawn once.

    The battlefield is in printed mm.
    """
    centre = [overlay.shape for overlay in overlays_of_kind(field, CENTRE_LINE)]
    merged = _merge_lines(limit_lines(overlay, field.board) for overlay in overlays_of_kind(field, QUARTERS))
    if centre:
        # The centre line has different dashes, which quarter lines on top of it would hide.
        merged = shapely.difference(merged, shapely.union_all(centre).buffer(_ON_EDGE))
    ink, width = guide_ink(drafter, "ink"), guide_width(drafter, _QUARTER)
    yield from on_layer(LayerName.OVERLAY, stroke_with_halo(merged, drafter, ink, width, halo=_PALE, dash=(5, 2.6)))
    for overlay in (quarter for quarter in overlays_of_kind(field, QUARTERS) if quarter.label):
        yield from on_layer(LayerName.OVERLAY, _draw_zone_number(overlay, drafter))


def playing_edge(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs of the table edge where the board extends past it; the battlefield is in printed mm."""
    edges = [shapely.get_coordinates(edge) for edge in _playing_edges(field.board)]
    if edges:
        ink = drafter.style.solid("ink")
        yield from on_layer(LayerName.OVERLAY, stroke_with_halo(edges, drafter, ink, 0.50, halo=(0.60, 1.8)))


def _playing_edges(board: Board) -> list[BaseGeometry]:
    """Return the table edges that the board extends past, as lines in the mm of the board.

    An edge without ground beyond it is missing; the order is left, near, right, far.
    """
    left, near_extent, right, far_extent = board.outer_margins
    width, depth = board.width, board.depth
    sides = (
        (left, [(left, 0.0), (left, depth)]),
        (near_extent, [(0.0, near_extent), (width, near_extent)]),
        (right, [(width - right, 0.0), (width - right, depth)]),
        (far_extent, [(0.0, depth - far_extent), (width, depth - far_extent)]),
    )
    return [shapely.linestrings(line) for extent, line in sides if extent > 0]


def keep_clear_squares(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs that draw the squares to keep clear of terrain, in printed mm.

    A square has a dashed border, a pale band inside it, and a label in the corner. The band is hatched in a style
    without washes. The square of a side has the side's colour.
    """
    context = drafter.context
    for overlay in _keep_clear_overlays(field):
        ground = overlay.shape
        token = side_token(overlay, field.board) if overlay.side else "ink"
        faint, ink = guide_ink(drafter, token, _HATCH_CONTRAST), guide_ink(drafter, token)
        band = shapely.difference(ground, ground.buffer(-context.size(_BAND), join_style="mitre"))
        if drafter.style.washes:
            strokes = fill(band, ink.with_alpha(_BAND_ALPHA))
        else:
            strokes = draw_hatching(band, faint, context.size(_HATCH), context.width(guide_width(drafter, 0.20)))
        dash = side_look(overlay, field.board).dash(_CLEAR) if overlay.side else _CLEAR
        border = stroke_with_halo(ground, drafter, ink, guide_width(drafter), halo=_PALE, dash=dash)
        yield from on_layer(LayerName.OVERLAY, (*strokes, *border, *_draw_clear_label(overlay, field.board, drafter)))


def _keep_clear_overlays(field: Battlefield) -> tuple[Overlay, ...]:
    """Return the squares to keep clear, clipped to the board.

    A square round a point of the edge extends past it.
    """
    board = field.board.shape
    return tuple(
        replace(overlay, shape=shapely.intersection(overlay.shape, board))
        for overlay in overlays_of_kind(field, KEEP_CLEAR)
    )


def grid_lines(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs that draw the cell borders as thin lines on a halo, each once, above all terrain.

    The battlefield is in printed mm.
    """
    merged = _merge_lines(limit_lines(overlay, field.board) for overlay in overlays_of_kind(field, GRID))
    yield from draw_cell_lines(merged, drafter)


def draw_cell_lines(lines: BaseGeometry, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs that draw lines between cells (in printed mm), thin on a halo."""
    cover, ink_cover = cell_mark_opacities(drafter)
    ink = drafter.style.solid("grid").with_alpha(ink_cover)
    yield from on_layer(LayerName.GRID, stroke_with_halo(lines, drafter, ink, 0.46, halo=(cover, 1.3), cap=Cap.ROUND))


def cell_mark_opacities(drafter: Drafter) -> tuple[float, float]:
    """Return the opacity (0 to 1) of the halo and of the lines of cell marks.

    Both are higher in a style without washes.
    """
    return (0.42, 0.74) if drafter.style.washes else (0.80, 0.80)


def stroke_with_halo(
    shape: _Shape,
    drafter: Drafter,
    ink: Ink,
    mm: float,
    *,
    halo: tuple[float, float] = (0.60, 1.5),
    dash: tuple[float, ...] = (),
    cap: Cap = Cap.BUTT,
    join: Join = Join.ROUND,
) -> list[Path]:
    """Return the lines of a shape in printed mm on a halo; both are empty for an empty shape.

    Args:
        shape: geometry or points in printed mm.
        drafter: style and scale.
        ink: the ink of the lines.
        mm: width of the lines, in mm at 1:1.
        halo: opacity (0 to 1) and width (mm at 1:1) of the halo.
        dash: lengths of dashes and gaps, in mm at 1:1; empty for solid lines.
        cap: the ends of lines.
        join: the corners of lines.
    """
    below = drafter.context.stroke(drafter.style.solid("halo").with_alpha(halo[0]), halo[1], cap=cap, join=join)
    above = drafter.context.stroke(ink, mm, dash=dash, cap=cap, join=join, minimum_mm=LEAST_MEANING)
    return [*outline(shape, below), *outline(shape, above)]


def _merge_lines(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return the union of lines, in their unit, so that shared parts appear once."""
    joined: BaseGeometry = shapely.line_merge(shapely.union_all(list(shapes)))
    return joined


def overlays_of_kind(field: Battlefield, kind: str) -> tuple[Overlay, ...]:
    """Return the overlays of one kind in their order."""
    return tuple(overlay for overlay in field.overlays if overlay.kind == kind)


def limit_lines(overlay: Overlay, board: Board) -> BaseGeometry:
    """Return the lines of an overlay: its line, or the border of its area, in the mm of the board.

    Parts on the board edge are left out; the line is empty if there are no other parts. Parts up to 0.5 mm long are
    left out too. Ends near the board edge are moved onto it.
    """
    rim = board.shape.exterior.buffer(_ON_EDGE)
    shape = overlay.shape.boundary if overlay.shape.area > 0 else overlay.shape
    inner = [part for part in lines(shapely.line_merge(shapely.difference(shape, rim))) if part.length > _ON_EDGE]
    full_lines = [_extend_to_edge(part, board) for part in inner]
    return shapely.multilinestrings(full_lines) if full_lines else shapely.LineString()


def side_look(overlay: Overlay, board: Board) -> SideLook:
    """Return the ink and dashes of the lines of an overlay's side, independent of the map's rotation.

    If the overlay names no side, its half of the board decides. Overlay and board have the same unit.
    """
    return find_look(overlay.side, far=is_on_far_half(overlay, board))


def side_token(overlay: Overlay, board: Board) -> str:
    """Return the name of the ink of an overlay's side in the style."""
    return side_look(overlay, board).ink


def is_on_far_half(overlay: Overlay, board: Board) -> bool:
    """Return whether the centroid of an overlay is on the far half of the board."""
    return bool(overlay.shape.centroid.y > board.depth / 2)


def is_along_near_or_far(overlay: Overlay, board: Board) -> bool:
    """Return whether an area is along the near or far edge, and not along the left or right edge.

    In a corner its longer side decides; an area away from all edges counts too.
    """
    left, bottom, right, top = overlay.shape.bounds
    touches = bottom <= _ON_EDGE or top >= board.depth - _ON_EDGE
    return bool(touches and right - left >= top - bottom) or not (left <= _ON_EDGE or right >= board.width - _ON_EDGE)


def deployment_depth(overlay: Overlay, board: Board) -> float:
    """Return the deployment depth of a side from its base edge, in the mm of the board.

    It is half the board's depth if the overlay has no limit line. For a side at the left or right edge it is the width
    of the overlay.
    """
    line = limit_lines(overlay, board)
    if line.is_empty:
        return board.depth / 2
    if not is_along_near_or_far(overlay, board):
        left, _, right, _ = overlay.shape.bounds
        return float(right - left)
    _, bottom, _, top = line.bounds
    return float(board.depth - bottom if is_on_far_half(overlay, board) else top)


def _extend_to_edge(part: BaseGeometry, board: Board) -> BaseGeometry:
    """Return a line with ends at most 0.75 mm from the board edge moved onto the edge, in the mm of the board."""
    points = shapely.get_coordinates(part).copy()
    for end in (0, -1):
        x, y = points[end]
        points[end] = (
            0.0 if x <= 1.5 * _ON_EDGE else board.width if x >= board.width - 1.5 * _ON_EDGE else x,
            0.0 if y <= 1.5 * _ON_EDGE else board.depth if y >= board.depth - 1.5 * _ON_EDGE else y,
        )
    return shapely.linestrings(points)


def _inner_corners(field: Battlefield) -> list[tuple[float, float]]:
    """Return x and y of the corners of zones inside the board, in the mm of the board, each once."""
    board = field.board
    corners: dict[tuple[float, float], None] = {}
    for overlay in overlays_of_kind(field, ZONE):
        for x, y in shapely.get_coordinates(overlay.shape).round(3).tolist():
            if _ON_EDGE < x < board.width - _ON_EDGE and _ON_EDGE < y < board.depth - _ON_EDGE:
                corners[(x, y)] = None
    return list(corners)


def guide_mark_area(field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the area of all guide marks, in printed mm.

    These are deployment and quarter lines, zone crosses and numbers, and squares to keep clear. Marks that the map does
    not show count too, so that its labels do not move.
    """
    board = field.board
    line_overlays = [*overlays_of_kind(field, DEPLOYMENT), *overlays_of_kind(field, QUARTERS)]
    arm, halo_mm = drafter.size(_ARM), drafter.size(_MARK_REACH)
    crosses = [shapely.box(x - arm, y - arm, x + arm, y + arm) for x, y in _inner_corners(field)]
    line_shapes = shapely.union_all([limit_lines(overlay, board) for overlay in line_overlays] + _playing_edges(board))
    squares = [overlay.shape for overlay in _keep_clear_overlays(field)]
    if squares:
        # Features inside such a square can have a label there; the rest of it stays clear.
        feature_areas = shapely.union_all(
            [feature.outline for feature in field.features if isinstance(feature, Area | Hill)]
        )
        squares = [piece for square in squares for piece in (square - feature_areas, square.boundary.buffer(halo_mm))]
    ground: BaseGeometry = shapely.union_all(
        [line_shapes.buffer(halo_mm), *crosses, *squares, zone_number_ground(field, drafter)]
    )
    return ground


def zone_number_ground(field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the area of the numbers of zones and squares to keep clear, in printed mm.

    No grass is drawn there. It is a disc for each number; empty without labelled overlays.
    """
    labelled_overlays = (
        *overlays_of_kind(field, ZONE),
        *overlays_of_kind(field, QUARTERS),
        *_keep_clear_overlays(field),
    )
    positions = [_number_position(overlay, drafter) for overlay in labelled_overlays if overlay.label]
    ground: BaseGeometry = shapely.MultiPoint(positions).buffer(0.8 * _number_style(drafter).height)
    return ground


def _draw_zone_number(overlay: Overlay, drafter: Drafter) -> tuple[Item, ...]:
    """Return the pale number of a zone in its upper left corner, in printed mm; it is the label of the overlay."""
    style, (x, y) = _number_style(drafter), _number_position(overlay, drafter)
    return drafter.centred_text(overlay.label, (x, y), style)


def _draw_clear_label(overlay: Overlay, board: Board, drafter: Drafter) -> tuple[Item, ...]:
    """Return the label of a square to keep clear, in printed mm.

    It is a number in its corner, or text along half of its upper side. The text may contain ``{longer}`` and
    ``{shorter}``, its side lengths in base widths.
    """
    if not drafter.words.has(overlay.label):
        return _draw_zone_number(overlay, drafter)
    left, bottom, right, top = overlay.shape.bounds
    shorter, longer = sorted((right - left, top - bottom))
    base = board.scale.base_width
    text = drafter.words(overlay.label, longer=f"{longer / base:.3g}", shorter=f"{shorter / base:.3g}")
    # The other half is for a line through the middle, and for the column numbers.
    style = shrink_to_fit(text, drafter.type_style(Font.FIGURES_ITALIC, 11, "ink-secondary"), 0.44 * (right - left))
    return drafter.text(
        text, (left + 0.03 * (right - left), top - 1.4 * style.height), style.with_halo(drafter.halo("halo", 1.0))
    )


def _number_style(drafter: Drafter) -> TypeStyle:
    """Return the pale type style of zone numbers."""
    return drafter.type_style(Font.FIGURES, 13, "ink-secondary").with_alpha(
        guide_ink(drafter, "ink-secondary", _FIGURES).alpha
    )


def _number_position(overlay: Overlay, drafter: Drafter) -> tuple[float, float]:
    """Return x and y of the middle of the number of an overlay, in printed mm: in its upper left corner."""
    left, _, _, top = overlay.shape.bounds
    return left + drafter.size(_CORNER), top - drafter.size(_CORNER)


class OverlayPainter(Struct, frozen=True, kw_only=True):
    """Drawing functions of a rule system for its own overlay kinds.

    ``marks`` draws them on a battlefield in printed mm. ``ground`` returns the area that names and grass must avoid.
    ``margin`` widens a framed board for drawings outside its edge.
    """

    marks: Callable[[Battlefield, Drafter], LayeredItems]
    ground: Callable[[Battlefield, Drafter], BaseGeometry] | None = None
    margin: Callable[[tuple[Drawing, Rect], Battlefield, Drafter, Any], tuple[Drawing, Rect]] | None = None


def painters_of(field: Battlefield) -> tuple[OverlayPainter, ...]:
    """Return the painters for the overlay kinds that rule systems add to a battlefield, each once."""
    if not field.overlays:
        return ()
    kinds = {overlay.kind for overlay in field.overlays}
    painter_names = dict.fromkeys(text for kind, text in merge_plugin_table("painters").items() if kind in kinds)
    return tuple(load(text) for text in painter_names)
