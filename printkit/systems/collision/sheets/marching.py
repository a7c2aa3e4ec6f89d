"""Marching columns at true scale: on the board, and in a strip beyond the edge where they wait (CC-O08).

The outline of an overlay is the base itself. Its label says the rest, parted by tabs: number of the column, place in
it, where the element looks, code of its type, name of its symbol, a star for the general, and its name in the army.
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
from printkit.drawing.lettering.lettering import TypeStyle, measure, shrunk
from printkit.drawing.map.overlays import OverlayPainter, side_token
from printkit.drawing.signs.lines.course_lines import on
from printkit.drawing.text.drafter import Drafter
from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
from printkit.systems.dba.elements.deployment import number_disc
from printkit.systems.dba.elements.element_face import ElementFace, element_face, unit_vector
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, Overlay

MARCHING: Final = "column-element"
WAITING: Final = "column-waiting"
"""The kinds of overlays: on the board, and beyond its edge."""

UP: Final = 90.0
"""Where somebody at the near edge looks; degrees anticlockwise from the right."""

_STAR: Final = "*"


class Marcher(Struct, frozen=True, kw_only=True):
    """An element of a column: its base in mm, and all that is lettered on it or beside it.

    ``place`` counts from 1 at the lead; ``symbol`` is empty where the type has none; ``side`` is A or B.
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
        """Return it as an overlay, on the board."""
        return self._as(MARCHING)

    @property
    def waiting(self) -> Overlay:
        """Return it as an overlay, beyond the edge."""
        return self._as(WAITING)

    @property
    def ahead(self) -> tuple[float, float]:
        """Return the direction in which it looks, one mm long."""
        return unit_vector(self.facing)

    @property
    def right(self) -> tuple[float, float]:
        """Return the direction of its right, one mm long."""
        return unit_vector(self.facing - UP)

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of its base."""
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
    """Return the elements of columns on the board, in their order."""
    return _of(field, MARCHING)


def waiting(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns beyond the edges, in their order."""
    return _of(field, WAITING)


def has_columns(field: Battlefield) -> bool:
    """Return whether an element of a column stands on the board."""
    return any(overlay.kind == MARCHING for overlay in field.overlays)


def column_ground(field: Battlefield, about: float) -> BaseGeometry:
    """Return where columns stand on the board with ``about`` mm around them for what is lettered beside them."""
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


# --- Columns at true scale --------------------------------------------------------------------------------------------

DISC: Final = 3.6
"""Radius in mm at 1:1 of the disc with the number of a column."""

GAP: Final = 1.2
"""Between an element and what is lettered beside it, in mm at 1:1."""

GROUND: Final = 2 * DISC + GAP
"""What an element of a column and its lettering take around its base, in mm at 1:1."""

_TAG_PT: Final = 9.0
_TAG_SHARE: Final = 0.6
_CODE_PT: Final = 12.0
_BAR: Final = 0.065
_PALE: Final = 0.86
_LINE: Final = 0.34
_RED: Final = "side-red"


def standing_columns(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Draw the columns that stand on a battlefield in printed mm."""
    found = marching(field)
    for each in found:
        yield from on(LayerName.OVERLAY, marcher_face(each, field.board, drafter))
    for each in found:
        yield from on(LayerName.OVERLAY, _beside(each, field.board, drafter))
    for lead in leads(found):
        yield from on(LayerName.OVERLAY, column_disc(lead, field.board, drafter))


def marcher_face(each: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield an element on its base: its symbol and code, or a block with its front edge where its type has none."""
    token = _token(each, board)
    if each.symbol:
        side = NPG if token == _RED else YOU
        face = ElementFace(side=side, code=each.code, type=each.symbol, general=each.general)
        x, y = each.middle
        yield from element_face(face, x, y, each.width, each.depth, drafter.style, facing=each.facing)
        return
    yield from _block(each, token, drafter)


def column_disc(lead: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield the number of a column on a disc, left of the front corner of its lead."""
    radius = drafter.size(DISC)
    aside = lead.width / 2 + drafter.size(GAP) + radius
    forward = max(lead.depth / 2 - radius, 0.0)
    x, y = _off(lead, -aside, forward)
    yield from number_disc(str(lead.column), (x, y), radius, drafter.style.solid(_token(lead, board)), drafter)


def tag_behind(each: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield place and name of an element behind its rear, as it stands beside others."""
    text, hand = tag(each, board, drafter)
    half = _half(text, hand, abs(each.ahead[0]))
    x, y = _off(each, 0.0, -(each.depth / 2 + drafter.size(GAP) + half))
    yield from drafter.centred(text, (x, y), hand)


def tag_room(found: Sequence[Marcher], board: Board, drafter: Drafter) -> float:
    """Return how far in mm ``tag_behind`` reaches behind the rear of any of these elements."""
    reach = 0.0
    for each in found:
        text, hand = tag(each, board, drafter)
        reach = max(reach, measure(text, hand) if abs(each.ahead[0]) > abs(each.ahead[1]) else hand.height)
    return reach + 2 * drafter.size(GAP)


def tag(each: Marcher, board: Board, drafter: Drafter) -> tuple[str, TypeStyle]:
    """Return place and name of an element as they are lettered beside it."""
    text = f"{each.place}. {each.name}" if each.name else str(each.place)
    hand = drafter.hand(Font.HEAVY, _TAG_PT, _token(each, board)).haloed(drafter.halo("halo", 1.4))
    return text, shrunk(text, hand, _TAG_SHARE * each.width)


def _half(text: str, hand: TypeStyle, along: float) -> float:
    """Return how far half a tag reaches in a direction that runs ``along`` its line, from 0 across it to 1."""
    return along * measure(text, hand) / 2 + (1 - along) * 0.36 * hand.height


def _beside(each: Marcher, board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield place and name of an element right of it, where others of its column stand before and behind it."""
    text, hand = tag(each, board, drafter)
    half = _half(text, hand, abs(each.right[0]))
    x, y = _off(each, each.width / 2 + drafter.size(GAP) + half, 0.0)
    # Beside somebody at an edge who looks along the line of type, it would reach beyond the board.
    within = measure(text, hand) / 2 + drafter.size(GAP)
    x = min(max(x, within), board.width - within)
    yield from drafter.centred(text, (x, y), hand)


def _block(each: Marcher, token: str, drafter: Drafter) -> Iterator[Item]:
    """Yield a base with its code in the middle and a bar along its front."""
    style, ink = drafter.style, drafter.style.solid(token)
    paper = style.solid("halo")
    yield from fill(each.base, paper.towards(style.solid("plough"), 1 - _PALE) if style.washes else paper)
    points = [_off(each, side * each.width / 2, each.depth / 2) for side in (-1, 1)]
    bar = _BAR * each.width
    points += [_off(each, side * each.width / 2, each.depth / 2 - bar) for side in (1, -1)]
    yield from fill(shapely.Polygon(points), ink)
    stroke = drafter.context.stroke(ink, _LINE, cap=Cap.BUTT, join=Join.MITRE, least=LEAST_MEANING)
    yield from outline(each.base, stroke)
    if each.code:
        hand = shrunk(each.code, drafter.hand(Font.HEAVY, _CODE_PT), 0.8 * each.width)
        x, y = _off(each, 0.0, -bar / 2)
        yield from drafter.centred(each.code, (x, y), hand)


def leads(found: Sequence[Marcher]) -> Iterator[Marcher]:
    """Yield the first element of each column that is there."""
    seen: set[tuple[str, int]] = set()
    for each in found:
        if (each.side, each.column) not in seen:
            seen.add((each.side, each.column))
            yield each


def _token(each: Marcher, board: Board) -> str:
    return side_token(each.overlay, board)


def _off(each: Marcher, aside: float, forward: float) -> tuple[float, float]:
    """Return the point so many mm to the right of the middle of an element, and before it."""
    x, y = each.middle
    right, ahead = each.right, each.ahead
    return x + aside * right[0] + forward * ahead[0], y + aside * right[1] + forward * ahead[1]


# --- The strip outside the frame, along the edges of the board where columns wait that are not on it yet (CC-O08) -----

_APART: Final = 2.5
"""Between frame and strip, in mm at 1:1."""

_EDGES: Final = {90: Edge.NEAR, 270: Edge.FAR, 0: Edge.LEFT, 180: Edge.RIGHT}
"""The edge behind somebody who looks there."""

_OUT: Final = {Edge.NEAR: (0, -1), Edge.FAR: (0, 1), Edge.LEFT: (-1, 0), Edge.RIGHT: (1, 0)}


def with_waiting(
    framed: tuple[Drawing, Rect], field: Battlefield, drafter: Drafter, about: FrameMargins
) -> tuple[Drawing, Rect]:
    """Return a framed board with a strip beyond each edge behind which columns wait; as it is where none does.

    Args:
        framed: the board in its frame, and where the board lies on that.
        field: the battlefield in printed mm.
        drafter: context and words; a draft only grows.
        about: what the frame itself takes of each side; a border that lies beyond it comes to lie beyond the strip.
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
    """Return who waits behind each edge, moved out as far as the frame reaches."""
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
    """Return where beyond an edge of the board a shape begins and ends, in mm."""
    left, low, right, high = shape.bounds
    near, far = {
        Edge.NEAR: (-high, -low),
        Edge.FAR: (low - board.depth, high - board.depth),
        Edge.LEFT: (-right, -left),
        Edge.RIGHT: (left - board.width, right - board.width),
    }[edge]
    return float(near), float(far)


def _reach(edge: Edge, strip: Sequence[Marcher], board: Board, drafter: Drafter) -> float:
    """Return how far beyond the edge of the board a strip reaches with its lettering."""
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


PAINTER: Final = OverlayPainter(marks=standing_columns, ground=_ground, margin=with_waiting)
"""Draws the columns on the board, and those that wait beyond its edge."""
