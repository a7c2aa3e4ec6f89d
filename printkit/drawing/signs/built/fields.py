"""Fields: plough, crops, pasture, orchards, olives, vines, each in its border. Source: the cartography, 10.7."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from printkit.drawing.canvas.area_fill import wash
from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import dots
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.scatter.crowns import crowns, grown, shadows
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.built.field_rows import beside, kept, lattice, rows, waved
from printkit.drawing.signs.built.plots import BORDERS, Plot, plot
from printkit.drawing.signs.lines.course_lines import Measured, on, ruled
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.drawing.signs.lines.works import along
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Kind

Pattern: TypeAlias = Callable[[Plot, str, Pen], Laid]

_RINGS: Final = ((3.0, 0.06), (1.4, 0.10))
_LEAST_ROW: Final = 2.0
_TREE: Final = 2.75
_TREES_APART: Final = (8.6, 7.7)
_FROM_BORDER: Final = 0.4


def farmland(area: Area, pen: Pen, field: Battlefield, *, borders: Mapping[Kind, Kind] = BORDERS) -> Laid:
    """Draw a field of any use with its border; neighbours share theirs.

    Args:
        borders: the work about a field of each kind: ``BORDERS``, or ``AMERICAN_BORDERS``.
    """
    laid = plot(area, pen, field, borders)
    token, pattern = _USES[use(area, pen)]
    yield from on(LayerName.FIELD, wash(laid.ground, pen.style.ink(token), None, pen, _RINGS))
    yield from pattern(laid, area.id, pen)
    border = pen.stream(f"draw/{area.id}/border")
    if not laid.border.is_empty:
        yield from along(borders[area.kind], laid.border, pen, border)


def use(area: Area, pen: Pen) -> Kind:
    """Return what a field is used for; where that is unstated, crops or plough by chance."""
    if area.kind is not Kind.ENCLOSURE:
        return area.kind
    return Kind.PLOUGH if pen.stream(f"draw/{area.id}/use").unit() < 0.5 else Kind.CROPS


def _furrows(field: Plot, identity: str, pen: Pen) -> Laid:
    """Draw furrows, and beside each the lit side of its ridge."""
    found = rows(field, 2.5, pen, pen.stream(f"draw/{identity}/rows"), bend=0.05)
    lit = [beside(row, pen.size(0.75)) for row in found]
    least = pen.size(_LEAST_ROW)
    yield from on(LayerName.FIELD, ruled(kept(lit, field.inner, least), pen, "furrow-light", 0.50))
    yield from on(LayerName.FIELD, ruled(kept(found, field.inner, least), pen, "furrow", 0.42))


def _stalks(field: Plot, identity: str, pen: Pen) -> Laid:
    """Draw standing corn: rows of short strokes."""
    stream = pen.stream(f"draw/{identity}/rows")
    on_off = (pen.size(1.3), pen.size(2.5)), (pen.size(0.9), pen.size(1.7))
    found = kept(rows(field, 2.1, pen, stream, bend=0.03), field.inner, pen.size(1.3))
    strokes = [stroke for row in found for stroke in Measured.of(row).broken(*on_off, stream)]
    yield from on(LayerName.FIELD, ruled(strokes, pen, "crops-dash", 0.34))


def _meadow(field: Plot, identity: str, pen: Pen) -> Laid:
    stream = pen.stream(f"draw/{identity}/tufts")
    places = planted(field.inner.buffer(-pen.size(1.5)), pen.size(6.6), stream)
    blades = Tufts.at(places.tolist(), pen.size(1.9), 3, stream).blades
    yield from on(LayerName.FIELD, ruled(blades, pen, "pasture-tuft", 0.30))


def _fruit_trees(field: Plot, identity: str, pen: Pen) -> Laid:
    yield from _trees(field, identity, pen, "light-crown")


def _olive_trees(field: Plot, identity: str, pen: Pen) -> Laid:
    """Draw olive trees: grey crowns, each with a dot where its trunk stands."""
    yield from _trees(field, identity, pen, "olive-crown")


def _trees(field: Plot, identity: str, pen: Pen, family: str) -> Laid:
    stream = pen.stream(f"draw/{identity}/trees")
    radius = pen.size(_TREE)
    places = lattice(field, field.inner.buffer(pen.size(_FROM_BORDER) - radius), _TREES_APART, pen, stream)
    stand = grown(places, [radius * stream.between(0.9, 1.1) for _ in places], family, stream)
    yield from shadows(stand, pen, LayerName.FIELD)
    yield from crowns(stand, pen, LayerName.FIELD)
    if family == "olive-crown":
        trunks = [(tree.x - 0.1 * tree.radius, tree.y + 0.1 * tree.radius) for tree in stand]
        sizes = [0.30 * tree.radius for tree in stand]
        yield from on(LayerName.FIELD, dots(trunks, sizes or 0.0, pen.tint("olive-crown-line", 0.55)))


def _vines(field: Plot, identity: str, pen: Pen) -> Laid:
    """Draw vines that wind along wires from stake to stake."""
    stream = pen.stream(f"draw/{identity}/rows")
    found = kept(rows(field, 3.9, pen, stream, noise=0.25), field.inner.buffer(-pen.size(0.6)), pen.size(4.0))
    vines = [waved(row, pen.size(0.55), pen.size(3.3), stream.between(0, 6.28)) for row in found]
    stakes: list[tuple[float, float]] = []
    for row in found:
        way = Measured.of(row)
        count = max(1, round(way.length / pen.size(5.2)))
        stakes += [(float(x), float(y)) for x, y in way.at([way.length * step / count for step in range(count + 1)])]
    yield from on(LayerName.FIELD, ruled(found, pen, "timber", 0.18))
    yield from on(LayerName.FIELD, ruled(vines, pen, "vine-row", 0.36))
    yield from on(LayerName.FIELD, dots(stakes, pen.size(0.42), pen.style.ink("timber")))


_USES: Final[Mapping[Kind, tuple[str, Pattern]]] = {
    Kind.PLOUGH: ("plough", _furrows),
    Kind.CROPS: ("crops", _stalks),
    Kind.PASTURE: ("pasture", _meadow),
    Kind.ORCHARD: ("orchard", _fruit_trees),
    Kind.OLIVES: ("olives-ground", _olive_trees),
    Kind.VINEYARD: ("vineyard", _vines),
}
