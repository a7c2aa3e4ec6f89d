"""Marching columns to scale: on the board, and waiting in a strip outside its edge (CC-O08).

The shape of an overlay is the base of the element. Its label has the other facts, separated by tabs: column, position
in it, direction in degrees, code, symbol, a star for the general, and name in the army.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Cap, Drawing, Font, Item, Join, LayeredItems, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, defer_items, joined
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.furniture.frame import FrameMargins
from printkit.drawing.lettering.lettering import TypeStyle, measure, shrink_to_fit
from printkit.drawing.map.overlays import OverlayPainter, side_token
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.text.drafter import Drafter
from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
from printkit.systems.dba.elements.deployment import draw_number_disc
from printkit.systems.dba.elements.element_face import ElementFace, draw_element, unit_vector
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, Overlay

# The kinds of overlays: on the board, and outside its edge.
MARCHING: Final = "column-element"
WAITING: Final = "column-waiting"

# Direction of an element at the near edge that faces the board; degrees anticlockwise from the right.
UP: Final = 90.0

_STAR: Final = "*"


class Marcher(Struct, frozen=True, kw_only=True):
    """An element of a column: its base in mm on the board or on paper, and its lettering.

    Attributes:
        side: A or B.
        place: position in the column, from 1 at the lead.
        facing: degrees anticlockwise from the right.
        symbol: empty for a type without a symbol.
    """

    base: Polygon
    side: str
    column: int
    place: int
    facing: float
    code: str = ""
    symbol: str = ""
    general: bool = False
    name: str = ""

    @property
    def overlay(self) -> Overlay:
        """Return the element as an overlay on the board."""
        return self._build_overlay(MARCHING)

    @property
    def waiting_overlay(self) -> Overlay:
        """Return the element as an overlay outside the edge."""
        return self._build_overlay(WAITING)

    @property
    def forward(self) -> tuple[float, float]:
        """Return the unit vector of the direction that the element faces."""
        return unit_vector(self.facing)

    @property
    def right(self) -> tuple[float, float]:
        """Return the unit vector to the right of the element."""
        return unit_vector(self.facing - UP)

    @property
    def middle(self) -> tuple[float, float]:
        """Return x and y of the centre of the element's base, in mm as its base."""
        return self.base.centroid.x, self.base.centroid.y

    @property
    def width(self) -> float:
        """Return the length of the element's front, in mm as its base."""
        return _measure_extent(self.base, self.right)

    @property
    def depth(self) -> float:
        """Return the depth of the element's base, in mm as its base (board or paper)."""
        return _measure_extent(self.base, self.forward)

    def _build_overlay(self, kind: str) -> Overlay:
        """Return the element as an overlay of a kind, with its facts in the label."""
        star = _STAR if self.general else ""
        label_parts = (str(self.column), str(self.place), f"{self.facing:.6g}", self.code, self.symbol, star, self.name)
        return Overlay(kind=kind, shape=self.base, label="\t".join(label_parts), side=self.side)


def marching_elements(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns on the board, in the order of the overlays."""
    return _read_marchers(field, MARCHING)


def waiting_elements(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns outside the edges, in the order of the overlays."""
    return _read_marchers(field, WAITING)


def has_columns(field: Battlefield) -> bool:
    """Return whether an element of a column is on the board."""
    return any(overlay.kind == MARCHING for overlay in field.overlays)


def column_ground(field: Battlefield, margin: float) -> BaseGeometry:
    """Return the ground of columns on the board, plus ``margin`` around it for their lettering.

    Both are in printed mm. The ground is empty without columns.
    """
    ground: BaseGeometry = shapely.union_all([marcher.base for marcher in marching_elements(field)]).buffer(
        margin, join_style="mitre"
    )
    return ground


def _read_marchers(field: Battlefield, kind: str) -> tuple[Marcher, ...]:
    """Return the elements that are stored in the overlays of a kind.

    They are in the order of the record; empty without such overlays.
    """
    return tuple(_parse_marcher(overlay) for overlay in field.overlays if overlay.kind == kind)


def _parse_marcher(overlay: Overlay) -> Marcher:
    """Return the element that is stored in an overlay."""
    column, place, facing, code, symbol, star, name = overlay.label.split("\t")
    assert isinstance(overlay.shape, Polygon)
    return Marcher(
        base=overlay.shape,
        side=overlay.side,
        column=int(column),
        place=int(place),
        facing=float(facing),
        code=code,
        symbol=symbol,
        general=star == _STAR,
        name=name,
    )


def _measure_extent(base: Polygon, direction: tuple[float, float]) -> float:
    """Return the extent of a base along a direction, a unit vector, in the unit of the base."""
    distances = exact_math.product(shapely.get_coordinates(base), direction)
    return float(distances.max() - distances.min())


# --- Columns to scale -------------------------------------------------------------------------------------------------

# Radius of the disc with the number of a column, in mm at 1:1.
DISC: Final = 3.6

# Gap between an element and its lettering, in mm at 1:1.
GAP: Final = 1.2

# Margin for lettering around the base of an element, in mm at 1:1.
GROUND: Final = 2 * DISC + GAP

_TAG_PT: Final = 9.0
_TAG_SHARE: Final = 0.6
_CODE_PT: Final = 12.0
_BAR: Final = 0.065
_PALE: Final = 0.86
_LINE: Final = 0.34
_RED: Final = "side-red"


def draw_columns(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs that draw the columns on a battlefield in printed mm."""
    marchers = marching_elements(field)
    for marcher in marchers:
        yield from on_layer(LayerName.OVERLAY, draw_marcher(marcher, field.board, drafter))
    for marcher in marchers:
        yield from on_layer(LayerName.OVERLAY, _draw_side_tag(marcher, field.board, drafter))
    for lead in find_leads(marchers):
        yield from on_layer(LayerName.OVERLAY, draw_column_disc(lead, field.board, drafter))


def draw_marcher(marcher: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw an element on its base, in printed mm: symbol and code, or a block with a marked front."""
    token = _token(marcher, board)
    if marcher.symbol:
        side = NPG if token == _RED else YOU
        face = ElementFace(side=side, code=marcher.code, type=marcher.symbol, is_general=marcher.general)
        x, y = marcher.middle
        yield from draw_element(face, x, y, marcher.width, marcher.depth, drafter.style, facing=marcher.facing)
        return
    yield from _draw_block(marcher, token, drafter)


def draw_column_disc(lead: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the number of a column on a disc, left of the front corner of its first element.

    Items are in printed mm.
    """
    radius = drafter.size(DISC)
    offset = lead.width / 2 + drafter.size(GAP) + radius
    forward = max(lead.depth / 2 - radius, 0.0)
    x, y = _offset_point(lead, -offset, forward)
    yield from draw_number_disc(str(lead.column), (x, y), radius, drafter.style.solid(_token(lead, board)), drafter)


def draw_tag_behind(marcher: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw position and name of an element behind its rear, for elements that wait side by side.

    Items are in printed mm.
    """
    text, type_style = tag(marcher, board, drafter)
    half = _half_extent(text, type_style, abs(marcher.forward[0]))
    x, y = _offset_point(marcher, 0.0, -(marcher.depth / 2 + drafter.size(GAP) + half))
    yield from drafter.centred_text(text, (x, y), type_style)


def measure_tags(marchers: Sequence[Marcher], board: Board, drafter: Drafter) -> float:
    """Return how far in printed mm ``draw_tag_behind`` extends behind the rear of any of these elements."""
    reach = 0.0
    for marcher in marchers:
        text, type_style = tag(marcher, board, drafter)
        reach = max(
            reach, measure(text, type_style) if abs(marcher.forward[0]) > abs(marcher.forward[1]) else type_style.height
        )
    return reach + 2 * drafter.size(GAP)


def tag(marcher: Marcher, board: Board, drafter: Drafter) -> tuple[str, TypeStyle]:
    """Return the text with position and name of an element, and the type style that fits its width.

    The position counts from 1 at the front of the column, and an element without a name has only that. The marcher's
    base is in printed mm.
    """
    text = f"{marcher.place}. {marcher.name}" if marcher.name else str(marcher.place)
    type_style = drafter.type_style(Font.HEAVY, _TAG_PT, _token(marcher, board)).with_halo(drafter.halo("halo", 1.4))
    return text, shrink_to_fit(text, type_style, _TAG_SHARE * marcher.width)


def _half_extent(text: str, type_style: TypeStyle, share: float) -> float:
    """Return half the extent of a tag in printed mm; ``share`` is 1 along its line of type, 0 across it.

    ``text`` is the text of the tag.
    """
    return share * measure(text, type_style) / 2 + (1 - share) * 0.36 * type_style.height


def _draw_side_tag(marcher: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw position and name of an element to its right, because its column is in front and behind.

    Items are in printed mm.
    """
    text, type_style = tag(marcher, board, drafter)
    half = _half_extent(text, type_style, abs(marcher.right[0]))
    x, y = _offset_point(marcher, marcher.width / 2 + drafter.size(GAP) + half, 0.0)
    # For an element that faces along the line of type, a tag near an edge could extend past the board.
    margin = measure(text, type_style) / 2 + drafter.size(GAP)
    x = min(max(x, margin), board.width - margin)
    yield from drafter.centred_text(text, (x, y), type_style)


def _draw_block(marcher: Marcher, token: str, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw a base in printed mm with its code in the middle and a bar along its front.

    ``token`` names the ink of the outline and the bar. An element without a code gets no text.
    """
    style, ink = drafter.style, drafter.style.solid(token)
    paper = style.solid("halo")
    yield from fill(marcher.base, paper.mix(style.solid("plough"), 1 - _PALE) if style.washes else paper)
    points = [_offset_point(marcher, side * marcher.width / 2, marcher.depth / 2) for side in (-1, 1)]
    bar = _BAR * marcher.width
    points += [_offset_point(marcher, side * marcher.width / 2, marcher.depth / 2 - bar) for side in (1, -1)]
    yield from fill(shapely.Polygon(points), ink)
    stroke = drafter.context.stroke(ink, _LINE, cap=Cap.BUTT, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    yield from outline(marcher.base, stroke)
    if marcher.code:
        type_style = shrink_to_fit(marcher.code, drafter.type_style(Font.HEAVY, _CODE_PT), 0.8 * marcher.width)
        x, y = _offset_point(marcher, 0.0, -bar / 2)
        yield from drafter.centred_text(marcher.code, (x, y), type_style)


def find_leads(marchers: Sequence[Marcher]) -> Iterator[Marcher]:
    """Yield the first element of each column, in the given order."""
    seen_columns: set[tuple[str, int]] = set()
    for marcher in marchers:
        if (marcher.side, marcher.column) not in seen_columns:
            seen_columns.add((marcher.side, marcher.column))
            yield marcher


def _token(marcher: Marcher, board: Board) -> str:
    """Return the name of the ink for the side of an element."""
    return side_token(marcher.overlay, board)


def _offset_point(marcher: Marcher, right_mm: float, forward_mm: float) -> tuple[float, float]:
    """Return a point in printed mm, to the right of an element's centre and in front of it."""
    x, y = marcher.middle
    right, ahead = marcher.right, marcher.forward
    return x + right_mm * right[0] + forward_mm * ahead[0], y + right_mm * right[1] + forward_mm * ahead[1]


# --- The strip outside the frame, along the edges of the board where columns wait (CC-O08) ----------------------------

# Gap between frame and strip, in mm at 1:1.
_APART: Final = 2.5

# The base edge of an element, by the direction that it faces in degrees.
_EDGES: Final = {90: Edge.NEAR, 270: Edge.FAR, 0: Edge.LEFT, 180: Edge.RIGHT}

_OUT: Final = {Edge.NEAR: (0, -1), Edge.FAR: (0, 1), Edge.LEFT: (-1, 0), Edge.RIGHT: (1, 0)}


def add_waiting_strips(
    framed_board: tuple[Drawing, Rect], field: Battlefield, drafter: Drafter, margins: FrameMargins
) -> tuple[Drawing, Rect]:
    """Return a framed board with a strip outside each edge where columns wait; unchanged without any.

    The result is the larger drawing and the position of the board on it, both in printed mm.

    Args:
        framed_board: the board in its frame, and the position of the board on it.
        field: the battlefield in printed mm.
        drafter: context and words.
        margins: the frame's width on each side; a border outside the frame is then outside the strip.
    """
    drawing, board_rect = framed_board
    strips = _waiting_strips(field, margins, drafter)
    if not strips:
        return framed_board
    board, growth = field.board, dict.fromkeys(Edge, 0.0)
    frame = _frame_widths(margins)
    for edge, strip in strips.items():
        ground = shapely.union_all([marcher.base for marcher in strip])
        reach = _outside_range(edge, ground, board)[1] + measure_tags(strip, board, drafter)
        growth[edge] = max(0.0, reach - frame[edge])
    by_x, by_y = growth[Edge.LEFT], growth[Edge.NEAR]
    width, height = by_x + drawing.width + growth[Edge.RIGHT], by_y + drawing.height + growth[Edge.FAR]

    def draw_items() -> Iterator[Item]:
        """Yield the waiting elements of each edge."""
        for strip in strips.values():
            yield from _draw_strip(strip, board, drafter)

    strip_drawing = defer_items(board.width, board.depth, draw_items, LayerName.OVERLAY)
    moved_board = board_rect._replace(x=board_rect.x + by_x, y=board_rect.y + by_y)
    return joined(
        width, height, [PlacedDrawing(drawing, by_x, by_y), PlacedDrawing(strip_drawing, moved_board.x, moved_board.y)]
    ), moved_board


def _waiting_strips(field: Battlefield, margins: FrameMargins, drafter: Drafter) -> dict[Edge, tuple[Marcher, ...]]:
    """Return the waiting elements of each edge, moved outside the frame; bases are in printed mm.

    Edges without any are missing.
    """
    board, gap = field.board, drafter.size(_APART)
    edges: dict[Edge, list[Marcher]] = {}
    for marcher in waiting_elements(field):
        edges.setdefault(_EDGES[round(marcher.facing) % 360], []).append(marcher)
    frame, strips = _frame_widths(margins), {}
    for edge, group in edges.items():
        start = _outside_range(edge, shapely.union_all([marcher.base for marcher in group]), board)[0]
        shift = frame[edge] + gap - start
        x, y = _OUT[edge]
        strips[edge] = tuple(replace(marcher, base=translate(marcher.base, x * shift, y * shift)) for marcher in group)
    return strips


def _frame_widths(margins: FrameMargins) -> dict[Edge, float]:
    """Return the width of the frame at each edge, in printed mm."""
    return {Edge.NEAR: margins.bottom, Edge.FAR: margins.top, Edge.LEFT: margins.left, Edge.RIGHT: margins.right}


def _outside_range(edge: Edge, shape: BaseGeometry, board: Board) -> tuple[float, float]:
    """Return how far outside an edge of the board a shape begins and ends, in printed mm, the smaller one first.

    A value is negative inside the edge.
    """
    left, low, right, high = shape.bounds
    near, far = {
        Edge.NEAR: (-high, -low),
        Edge.FAR: (low - board.depth, high - board.depth),
        Edge.LEFT: (-right, -left),
        Edge.RIGHT: (left - board.width, right - board.width),
    }[edge]
    return float(near), float(far)


def _draw_strip(strip: Sequence[Marcher], board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the elements outside an edge, with their lettering and the numbers of their columns.

    The items are in printed mm, all elements first, each followed by its lettering, then the discs with numbers.
    """
    for marcher in strip:
        yield from draw_marcher(marcher, board, drafter)
        yield from draw_tag_behind(marcher, board, drafter)
    for lead in find_leads(strip):
        yield from draw_column_disc(lead, board, drafter)


def _overlay_ground(field: Battlefield, drafter: Drafter) -> BaseGeometry:
    """Return the ground of columns and their lettering in printed mm; empty without columns."""
    return column_ground(field, drafter.size(GROUND)) if has_columns(field) else Polygon()


# Draws the columns on the board, and those that wait outside its edge.
PAINTER: Final = OverlayPainter(marks=draw_columns, ground=_overlay_ground, margin=add_waiting_strips)
