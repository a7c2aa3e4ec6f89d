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

from printkit.core import elementary
from printkit.drawing.canvas.items import Cap, Drawing, Font, Item, Join, Layer, LayeredItems, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined
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
    """An element of a column: its base in mm, and its lettering.

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
        """Return it as an overlay on the board."""
        return self._as(MARCHING)

    @property
    def waiting(self) -> Overlay:
        """Return it as an overlay outside the edge."""
        return self._as(WAITING)

    @property
    def ahead(self) -> tuple[float, float]:
        """Return the unit vector of its direction."""
        return unit_vector(self.facing)

    @property
    def right(self) -> tuple[float, float]:
        """Return the unit vector to its right."""
        return unit_vector(self.facing - UP)

    @property
    def middle(self) -> tuple[float, float]:
        """Return the centre of its base."""
        return self.base.centroid.x, self.base.centroid.y

    @property
    def width(self) -> float:
        """Return the length of its front in mm."""
        return _along(self.base, self.right)

    @property
    def depth(self) -> float:
        """Return the depth of its base in mm."""
        return _along(self.base, self.ahead)

    def _as(self, kind: str) -> Overlay:
        star = _STAR if self.general else ""
        said = (str(self.column), str(self.place), f"{self.facing:.6g}", self.code, self.symbol, star, self.name)
        return Overlay(kind=kind, shape=self.base, label="\t".join(said), side=self.side)


def marching(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns on the board, in order."""
    return _of(field, MARCHING)


def waiting(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns outside the edges, in order."""
    return _of(field, WAITING)


def has_columns(field: Battlefield) -> bool:
    """Return whether an element of a column is on the board."""
    return any(overlay.kind == MARCHING for overlay in field.overlays)


def column_ground(field: Battlefield, about: float) -> BaseGeometry:
    """Return the ground of columns on the board, with a margin of ``about`` mm for their lettering."""
    ground: BaseGeometry = shapely.union_all([each.base for each in marching(field)]).buffer(about, join_style="mitre")
    return ground


def _of(field: Battlefield, kind: str) -> tuple[Marcher, ...]:
    return tuple(_read(overlay) for overlay in field.overlays if overlay.kind == kind)


def _read(overlay: Overlay) -> Marcher:
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


def _along(base: Polygon, direction: tuple[float, float]) -> float:
    reached = elementary.product(shapely.get_coordinates(base), direction)
    return float(reached.max() - reached.min())


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


def standing_columns(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Draw the columns on a battlefield in printed mm."""
    found = marching(field)
    for each in found:
        yield from on_layer(LayerName.OVERLAY, marcher_face(each, field.board, drafter))
    for each in found:
        yield from on_layer(LayerName.OVERLAY, _beside(each, field.board, drafter))
    for lead in leads(found):
        yield from on_layer(LayerName.OVERLAY, column_disc(lead, field.board, drafter))


def marcher_face(each: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Draw an element on its base: symbol and code, or a block with a marked front."""
    token = _token(each, board)
    if each.symbol:
        side = NPG if token == _RED else YOU
        face = ElementFace(side=side, code=each.code, type=each.symbol, is_general=each.general)
        x, y = each.middle
        yield from draw_element(face, x, y, each.width, each.depth, drafter.style, facing=each.facing)
        return
    yield from _block(each, token, drafter)


def column_disc(lead: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Draw the number of a column on a disc, left of the front corner of its lead."""
    radius = drafter.size(DISC)
    aside = lead.width / 2 + drafter.size(GAP) + radius
    forward = max(lead.depth / 2 - radius, 0.0)
    x, y = _off(lead, -aside, forward)
    yield from draw_number_disc(str(lead.column), (x, y), radius, drafter.style.solid(_token(lead, board)), drafter)


def tag_behind(each: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Draw position and name of an element behind its rear, for elements that wait side by side."""
    text, hand = tag(each, board, drafter)
    half = _half(text, hand, abs(each.ahead[0]))
    x, y = _off(each, 0.0, -(each.depth / 2 + drafter.size(GAP) + half))
    yield from drafter.centred_text(text, (x, y), hand)


def tag_room(found: Sequence[Marcher], board: Board, drafter: Drafter) -> float:
    """Return how far in mm ``tag_behind`` extends behind the rear of any of these elements."""
    reach = 0.0
    for each in found:
        text, hand = tag(each, board, drafter)
        reach = max(reach, measure(text, hand) if abs(each.ahead[0]) > abs(each.ahead[1]) else hand.height)
    return reach + 2 * drafter.size(GAP)


def tag(each: Marcher, board: Board, drafter: Drafter) -> tuple[str, TypeStyle]:
    """Return the text with position and name of an element, and its type style."""
    text = f"{each.place}. {each.name}" if each.name else str(each.place)
    hand = drafter.type_style(Font.HEAVY, _TAG_PT, _token(each, board)).with_halo(drafter.halo("halo", 1.4))
    return text, shrink_to_fit(text, hand, _TAG_SHARE * each.width)


def _half(text: str, hand: TypeStyle, along: float) -> float:
    """Return half the extent of a tag; ``along`` is 1 along its line of type, 0 across it."""
    return along * measure(text, hand) / 2 + (1 - along) * 0.36 * hand.height


def _beside(each: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Draw position and name of an element to its right, because its column is in front and behind."""
    text, hand = tag(each, board, drafter)
    half = _half(text, hand, abs(each.right[0]))
    x, y = _off(each, each.width / 2 + drafter.size(GAP) + half, 0.0)
    # For an element that faces along the line of type, a tag near an edge could extend past the board.
    within = measure(text, hand) / 2 + drafter.size(GAP)
    x = min(max(x, within), board.width - within)
    yield from drafter.centred_text(text, (x, y), hand)


def _block(each: Marcher, token: str, drafter: Drafter) -> Iterator[Item]:
    """Draw a base with its code in the middle and a bar along its front."""
    style, ink = drafter.style, drafter.style.solid(token)
    paper = style.solid("halo")
    yield from fill(each.base, paper.mix(style.solid("plough"), 1 - _PALE) if style.washes else paper)
    points = [_off(each, side * each.width / 2, each.depth / 2) for side in (-1, 1)]
    bar = _BAR * each.width
    points += [_off(each, side * each.width / 2, each.depth / 2 - bar) for side in (1, -1)]
    yield from fill(shapely.Polygon(points), ink)
    stroke = drafter.context.stroke(ink, _LINE, cap=Cap.BUTT, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    yield from outline(each.base, stroke)
    if each.code:
        hand = shrink_to_fit(each.code, drafter.type_style(Font.HEAVY, _CODE_PT), 0.8 * each.width)
        x, y = _off(each, 0.0, -bar / 2)
        yield from drafter.centred_text(each.code, (x, y), hand)


def leads(found: Sequence[Marcher]) -> Iterator[Marcher]:
    """Yield the first element of each column."""
    seen: set[tuple[str, int]] = set()
    for each in found:
        if (each.side, each.column) not in seen:
            seen.add((each.side, each.column))
            yield each


def _token(each: Marcher, board: Board) -> str:
    return side_token(each.overlay, board)


def _off(each: Marcher, aside: float, forward: float) -> tuple[float, float]:
    """Return the point ``aside`` mm to the right of an element's centre, and ``forward`` mm in front."""
    x, y = each.middle
    right, ahead = each.right, each.ahead
    return x + aside * right[0] + forward * ahead[0], y + aside * right[1] + forward * ahead[1]


# --- The strip outside the frame, along the edges of the board where columns wait (CC-O08) ----------------------------

# Gap between frame and strip, in mm at 1:1.
_APART: Final = 2.5

# The base edge of an element, by the direction that it faces in degrees.
_EDGES: Final = {90: Edge.NEAR, 270: Edge.FAR, 0: Edge.LEFT, 180: Edge.RIGHT}

_OUT: Final = {Edge.NEAR: (0, -1), Edge.FAR: (0, 1), Edge.LEFT: (-1, 0), Edge.RIGHT: (1, 0)}


def with_waiting(
    framed: tuple[Drawing, Rect], field: Battlefield, drafter: Drafter, about: FrameMargins
) -> tuple[Drawing, Rect]:
    """Return a framed board with a strip outside each edge where columns wait; unchanged without any.

    Args:
        framed: the board in its frame, and the position of the board on it.
        field: the battlefield in printed mm.
        drafter: context and words; for a draft, only the size changes.
        about: the frame's width on each side; a border outside the frame is then outside the strip.
    """
    drawing, at = framed
    strips = _strips(field, about, drafter)
    if not strips:
        return framed
    board, grown = field.board, dict.fromkeys(Edge, 0.0)
    frame = _frame(about)
    for edge, strip in strips.items():
        grown[edge] = max(0.0, _reach(edge, strip, board, drafter) - frame[edge])
    by_x, by_y = grown[Edge.LEFT], grown[Edge.NEAR]
    width, height = by_x + drawing.width + grown[Edge.RIGHT], by_y + drawing.height + grown[Edge.FAR]
    items = () if drafter.draft else tuple(item for strip in strips.values() for item in _drawn(strip, board, drafter))
    shown = Drawing(board.width, board.depth, (Layer(LayerName.OVERLAY, items),) if items else ())
    moved = at._replace(x=at.x + by_x, y=at.y + by_y)
    return joined(width, height, [PlacedDrawing(drawing, by_x, by_y), PlacedDrawing(shown, moved.x, moved.y)]), moved


def _strips(field: Battlefield, about: FrameMargins, drafter: Drafter) -> dict[Edge, tuple[Marcher, ...]]:
    """Return the waiting elements of each edge, moved outside the frame."""
    board, gap = field.board, drafter.size(_APART)
    edges: dict[Edge, list[Marcher]] = {}
    for each in waiting(field):
        edges.setdefault(_EDGES[round(each.facing) % 360], []).append(each)
    frame, found = _frame(about), {}
    for edge, group in edges.items():
        over = _beyond(edge, shapely.union_all([each.base for each in group]), board)[0]
        by = frame[edge] + gap - over
        x, y = _OUT[edge]
        found[edge] = tuple(replace(each, base=translate(each.base, x * by, y * by)) for each in group)
    return found


def _frame(about: FrameMargins) -> dict[Edge, float]:
    return {Edge.NEAR: about.bottom, Edge.FAR: about.top, Edge.LEFT: about.left, Edge.RIGHT: about.right}


def _beyond(edge: Edge, shape: BaseGeometry, board: Board) -> tuple[float, float]:
    """Return the distances from an edge of the board at which a shape begins and ends outside it, in mm."""
    left, low, right, high = shape.bounds
    near, far = {
        Edge.NEAR: (-high, -low),
        Edge.FAR: (low - board.depth, high - board.depth),
        Edge.LEFT: (-right, -left),
        Edge.RIGHT: (left - board.width, right - board.width),
    }[edge]
    return float(near), float(far)


def _reach(edge: Edge, strip: Sequence[Marcher], board: Board, drafter: Drafter) -> float:
    """Return how far outside the edge of the board a strip extends with its lettering."""
    ground = shapely.union_all([each.base for each in strip])
    return _beyond(edge, ground, board)[1] + tag_room(strip, board, drafter)


def _drawn(strip: Sequence[Marcher], board: Board, drafter: Drafter) -> Iterator[Item]:
    for each in strip:
        yield from marcher_face(each, board, drafter)
        yield from tag_behind(each, board, drafter)
    for lead in leads(strip):
        yield from column_disc(lead, board, drafter)


def _ground(field: Battlefield, drafter: Drafter) -> BaseGeometry:
    return column_ground(field, drafter.size(GROUND)) if has_columns(field) else Polygon()


# Draws the columns on the board, and those that wait outside its edge.
PAINTER: Final = OverlayPainter(marks=standing_columns, ground=_ground, margin=with_waiting)
