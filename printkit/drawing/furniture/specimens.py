"""The symbol sheet: every symbol of a style with name and going, and the sample it shows for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity, box

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, flattened, group_by_layer, joined
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.swatches import bend
from printkit.drawing.lettering.lettering import fit_text
from printkit.drawing.map.overlays import GRID, KEEP_CLEAR, QUARTERS, ZONE, overlaid
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.signs.relief.bare import ground
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind
from printkit.terrain.geometry.outlines import blob, inner_contour, settled

# --- A sample of every kind at any size -------------------------------------------------------------------------------

_UNSTATED: Final = Going(0, "")
_SCALE: Final = GroundScale(pace=0.254, base_width=40.0)

# Makes features that fill ``width`` by ``height`` mm.
Sample = Callable[[float, float], tuple[Feature, ...]]


class Specimen(Struct, frozen=True):
    """One field of the symbol sheet: the key of its words in ``specimen``, its kinds, and its features.

    A field for an overlay has ``overlays`` instead of kinds and features.
    """

    key: str
    kinds: tuple[Kind, ...]
    sample: Sample
    overlays: Callable[[Board], tuple[Overlay, ...]] | None = None

    def field(self, width: float, height: float) -> Battlefield:
        """Return the sample as a battlefield of ``width`` by ``height`` mm."""
        board = Board(width, height, _SCALE)
        laid_over = self.overlays(board) if self.overlays else ()
        return Battlefield(board=board, features=self.sample(width, height), overlays=laid_over)


def _patch(width: float, height: float, name: str, *, wide: float = 0.86, high: float = 0.80) -> Polygon:
    outline = blob(width * wide, height * high, Stream(f"specimen/{name}"), roughness=0.18)
    return affinity.translate(outline, width / 2, height / 2)


def _bend(*places: tuple[float, float]) -> LineString:
    return bend(*places, steps=60, soft=8)


def _ground(kind: Kind, outline: Polygon) -> tuple[Feature, ...]:
    return (Area(id=f"specimen-{kind}", kind=kind, outline=outline, going=_UNSTATED),)


def _area(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    return _ground(kind, _patch(width, height, kind))


def _field(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    corners = [(0.13, 0.15), (0.88, 0.20), (0.85, 0.83), (0.16, 0.87)]
    outline = Polygon([(across * width, up * height) for across, up in corners])
    return _ground(kind, outline)


def _yard(kind: Kind, width: float, height: float, *, wide: float, high: float) -> tuple[Feature, ...]:
    outline = settled(width * wide, height * high, Stream(f"specimen/{kind}"))
    outline = affinity.translate(outline, width / 2, height / 2)
    return _ground(kind, outline)


def _town(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return a built-up area that fills the field, so that its houses are visible, with a road into it."""
    (ground,) = _yard(kind, width, height, wide=0.92, high=0.90)
    middle = Point(width / 2, height / 2)
    road = LineString([(-0.1 * width, 0.42 * height), (0.2 * width, 0.46 * height), (middle.x, middle.y)])
    way = Course(id=f"specimen-{kind}-road", kind=Kind.ROAD, line=road, width=5.0, going=_UNSTATED)
    return way, ground


def _block(kind: Kind, width: float, height: float, *, wide: float, high: float) -> tuple[Feature, ...]:
    ground = affinity.rotate(box(-wide / 2, -high / 2, wide / 2, high / 2), 8)
    ground = affinity.translate(ground, width / 2, height / 2)
    return _ground(kind, ground)


def _shore(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    shore = _bend((-0.1 * width, 0.52 * height), (0.3 * width, 0.66 * height), (0.7 * width, 0.50 * height),
                  (1.1 * width, 0.62 * height))  # fmt: skip
    water = Polygon([*shore.coords, (1.1 * width, -0.3 * height), (-0.1 * width, -0.3 * height)])
    return _ground(kind, water)


def _clearing(width: float, height: float) -> tuple[Feature, ...]:
    wood = _patch(width, height, "clearing-wood", wide=0.92, high=0.90)
    opening = affinity.translate(
        blob(width * 0.38, height * 0.34, Stream("specimen/clearing")), width * 0.52, height * 0.5
    )
    return (
        Area(id="specimen-forest", kind=Kind.HEAVY_WOODS, outline=wood.difference(opening), going=_UNSTATED),
        Area(id="specimen-clearing", kind=Kind.CLEARING, outline=opening, going=_UNSTATED),
    )


def _course(kind: Kind, width: float, height: float, *, wide: float = 0.0, rise: float = 0.18) -> tuple[Feature, ...]:
    line = _bend(
        (-0.1 * width, (0.5 - rise) * height),
        (0.25 * width, (0.5 + 0.4 * rise) * height),
        (0.65 * width, (0.5 - 0.3 * rise) * height),
        (1.1 * width, (0.5 + rise) * height),
    )
    return (Course(id=f"specimen-{kind}", kind=kind, line=line, width=wide, going=_UNSTATED),)


def _work(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    line = _bend((0.07 * width, 0.3 * height), (0.35 * width, 0.66 * height), (0.65 * width, 0.38 * height),
                 (0.93 * width, 0.68 * height))  # fmt: skip
    return (Course(id=f"specimen-{kind}", kind=kind, line=line, width=0.0, going=_UNSTATED),)


def _crossed(
    kind: Kind, width: float, height: float, *, way: Kind, across: Kind, way_width: float, across_width: float
) -> tuple[Feature, ...]:
    (under,) = _course(across, width, height, wide=across_width, rise=0.07)
    line = LineString([(0.46 * width, -0.2 * height), (0.54 * width, 1.2 * height)])
    over = Course(id=f"specimen-{kind}-way", kind=way, line=line, width=way_width, going=_UNSTATED)
    assert isinstance(under, Course)
    at = under.line.intersection(over.line)
    bearing = float(np.degrees(elementary.arctan2(1.4 * height, 0.08 * width)))
    crossing = Crossing(
        id=f"specimen-{kind}", kind=kind, at=Point(at.centroid), bearing=bearing, way=over.id, water=under.id,
        going=_UNSTATED,
    )  # fmt: skip
    return under, over, crossing


def _junction(width: float, height: float) -> tuple[Feature, ...]:
    (road,) = _course(Kind.ROAD, width, height, rise=0.12)
    assert isinstance(road, Course)
    meets = road.line.interpolate(0.5, normalized=True)
    branch = LineString([(meets.x, meets.y), (0.58 * width, 0.85 * height), (0.66 * width, 1.2 * height)])
    track = Course(id="specimen-track", kind=Kind.TRACK, line=branch, width=0.0, going=_UNSTATED)
    spot = Crossing(
        id="specimen-junction", kind=Kind.JUNCTION, at=meets, bearing=80.0, way=track.id, water=road.id, going=_UNSTATED
    )
    return track, road, spot


def _hill(
    width: float,
    height: float,
    *,
    kind: Kind = Kind.HILL,
    levels: int = 1,
    face: Kind | None = None,
    share: tuple[float, float] = (0.55, 0.80),
    cover: Kind | None = None,
    high: float = 0.82,
) -> tuple[Feature, ...]:
    outline = _patch(width, height, f"hill-{kind}-{levels}", wide=0.88, high=high)
    contours = [outline]
    if levels > 1:
        contours.append(inner_contour(outline, Stream("specimen/upper"), inset=0.10 * height))
    faces: tuple[HillFace, ...] = ()
    if face is not None:
        ring = LineString(outline.exterior.coords)
        first, last = share
        spots = np.linspace(first, last, 80)
        line = LineString([ring.interpolate(spot % 1.0 or 1e-9, normalized=True) for spot in spots])
        faces = (HillFace(line=line, kind=face, going=_UNSTATED, side=0),)
    name = f"specimen-{kind}-{levels}-{face or ''}-{cover or ''}"
    return (Hill(id=name, kind=kind, contours=tuple(contours), going=_UNSTATED, faces=faces, cover=cover),)


def _each(draw: Callable[[Kind, float, float], tuple[Feature, ...]], *kinds: Kind) -> dict[Kind, Sample]:
    return {kind: partial(draw, kind) for kind in kinds}


_BY_KIND: Final[Mapping[Kind, Sample]] = {
    Kind.HILL: _hill,
    Kind.RISE: partial(_hill, kind=Kind.RISE, high=0.62),
    Kind.SPUR: partial(_hill, kind=Kind.SPUR, high=0.56),
    Kind.LONG_HILL: partial(_hill, kind=Kind.LONG_HILL, high=0.44),
    Kind.MOUNTAIN: partial(_hill, kind=Kind.MOUNTAIN, high=0.90),
    Kind.STEEP_SLOPE: partial(_hill, face=Kind.STEEP_SLOPE),
    Kind.CLEARING: _clearing,
    **_each(_shore, Kind.SEA, Kind.WATERWAY),
    Kind.RIVER: partial(_course, Kind.RIVER, wide=13.0),
    Kind.CREEK: partial(_course, Kind.CREEK, wide=6.0),
    **_each(_course, Kind.STREAM, Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY),
    **_each(_work, Kind.DITCH, Kind.RAVINE, Kind.GULLY, Kind.WALL, Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE, Kind.CLIFF),
    Kind.FORD: partial(_crossed, Kind.FORD, way=Kind.TRACK, across=Kind.RIVER, way_width=5.4, across_width=11.0),
    Kind.BRIDGE: partial(_crossed, Kind.BRIDGE, way=Kind.ROAD, across=Kind.RIVER, way_width=8.2, across_width=12.0),
    Kind.TIMBER_BRIDGE: partial(
        _crossed, Kind.TIMBER_BRIDGE, way=Kind.TRACK, across=Kind.RIVER, way_width=5.4, across_width=11.0
    ),
    Kind.RAILWAY_BRIDGE: partial(
        _crossed, Kind.RAILWAY_BRIDGE, way=Kind.RAILWAY, across=Kind.RIVER, way_width=7.5, across_width=12.0
    ),
    Kind.LEVEL_CROSSING: partial(
        _crossed, Kind.LEVEL_CROSSING, way=Kind.ROAD, across=Kind.RAILWAY, way_width=8.2, across_width=7.5
    ),
    Kind.JUNCTION: _junction,
    **_each(_field, Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.ENCLOSURE),
    **_each(_town, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.BUA),
    Kind.BUILDING: partial(_block, Kind.BUILDING, wide=24.0, high=18.0),
    Kind.FARM: partial(_block, Kind.FARM, wide=44.0, high=32.0),
    Kind.EDIFICE: partial(_block, Kind.EDIFICE, wide=50.0, high=36.0),
    Kind.FORT: partial(_block, Kind.FORT, wide=36.0, high=36.0),
    Kind.CAMP: partial(_block, Kind.CAMP, wide=54.0, high=34.0),
    Kind.BAGGAGE: partial(_block, Kind.BAGGAGE, wide=40.0, high=26.0),
}

_VARIANTS: Final[Mapping[Kind, tuple[Specimen, ...]]] = {
    Kind.HILL: (
        Specimen("two_levels", (Kind.HILL,), partial(_hill, levels=2)),
        Specimen("steep_all_round", (Kind.HILL, Kind.STEEP_SLOPE), partial(_hill, face=Kind.STEEP_SLOPE, share=(0, 1))),
        Specimen("light_wooded_hill", (Kind.HILL,), partial(_hill, cover=Kind.LIGHT_WOODS)),
        Specimen("heavy_wooded_hill", (Kind.HILL,), partial(_hill, cover=Kind.HEAVY_WOODS)),
        Specimen("hill_and_cliff", (Kind.HILL, Kind.CLIFF), partial(_hill, face=Kind.CLIFF)),
        Specimen("hill_and_scree", (Kind.HILL, Kind.SCREE), partial(_hill, face=Kind.SCREE)),
    ),
}


def specimens() -> Iterator[Specimen]:
    """Yield the fields of the symbol sheet: every ``Kind`` in order, each followed by its variants."""
    for kind in Kind:
        yield Specimen(kind.value, (kind,), _BY_KIND.get(kind, partial(_area, kind)))
        yield from _VARIANTS.get(kind, ())


def overlay_specimens() -> Iterator[Specimen]:
    """Yield the fields of the overlays of a map, for example deployment zones."""
    for kind in (DEPLOYMENT, ZONE, QUARTERS, KEEP_CLEAR, GRID):
        yield Specimen(f"overlay_{kind.replace('-', '_')}", (), _bare, partial(_over, kind))


def _bare(_width: float, _height: float) -> tuple[Feature, ...]:
    return ()


def _over(kind: str, board: Board) -> tuple[Overlay, ...]:
    """Return a sample of an overlay kind on a board."""
    width, depth = board.width, board.depth
    parted = {"zone": (3, 2), "quarters": (2, 2), "grid": (6, 4)}
    if kind in parted:
        shapes = list(board.zones(*parted[kind]))
    elif kind == "deployment":
        shapes = [box(0, 0, width, 0.3 * depth), box(0, 0.7 * depth, width, depth)]
    else:
        shapes = [box(0.32 * width, 0.22 * depth, 0.68 * width, 0.78 * depth)]
    sides = ("B", "A") if kind == "deployment" else ()
    found = []
    for place, shape in enumerate(shapes):
        label, side = str(place + 1) if kind == "zone" else "", sides[place] if place < len(sides) else ""
        found.append(Overlay(kind=kind, shape=shape, label=label, side=side))
    return tuple(found)


FIELD: Final = (66.0, 46.0)
COLUMNS: Final = 12
_GAP: Final = (6.0, 15.0)
_NAME_PITCH: Final = 5.6
_NOTE_PITCH: Final = 4.4
_NOTE_FOOT: Final = 4.8
_MARGIN: Final = 20.0
_HEAD: Final = 34.0

# Returns the going that the rule systems give the ground of a specimen, as text; empty if no system uses it.
GoingWords = Callable[[Specimen], str]


def specimen_sheet(style: Style, words: Words, goings: GoingWords) -> Drawing:
    """Return all symbols on one sheet at the size of a 1:1 board.

    Args:
        style: the symbol set.
        words: words for titles and names: the keys ``kind.*`` and ``specimen.*``.
        goings: returns the going of a specimen; see ``GoingWords``.
    """
    drafter = Drafter.furniture(style, words)
    shown = [*specimens(), *overlay_specimens()]
    noted = [_named(specimen, drafter, goings(specimen)) for specimen in shown]
    rows = [noted[first : first + COLUMNS] for first in range(0, len(noted), COLUMNS)]
    below = [max(_GAP[1], *(note.height for note in row)) for row in rows]
    width = 2 * _MARGIN + COLUMNS * FIELD[0] + (COLUMNS - 1) * _GAP[0]
    height = 2 * _MARGIN + _HEAD + len(rows) * FIELD[1] + plain_sum(below)
    parts = [PlacedDrawing(_sheet(width, height, drafter), 0.0, 0.0)]
    top = height - _MARGIN - _HEAD
    for row, gap in enumerate(below):
        foot = top - FIELD[1]
        for column, note in enumerate(rows[row]):
            x = _MARGIN + column * (FIELD[0] + _GAP[0])
            parts.append(PlacedDrawing(specimen_field(shown[row * COLUMNS + column], drafter.context), x, foot))
            parts.append(PlacedDrawing(note, x, foot - note.height))
        top = foot - gap
    return joined(width, height, parts)


def specimen_field(specimen: Specimen, context: SymbolContext) -> Drawing:
    """Return one symbol on its ground in a bordered field."""
    width, height = FIELD
    field = specimen.field(width, height)
    board = box(0, 0, width, height)
    drafter = Drafter(context=context, words=Words(("en",)))

    def laid() -> Iterator[tuple[LayerName, Item]]:
        if not context.style.painted:
            yield from ground(board, context, box(0, 0, 0, 0))
        yield from draw(field, context)
        yield from overlaid(field, drafter)

    clip = Rect(0.0, 0.0, width, height)
    picture = flattened(group_by_layer(laid()), LayerName.MARGIN, clip)
    border = drafter.outline(board, 0.45)
    return Drawing(width, height, (picture, Layer(LayerName.MARGIN, tuple(border))))


def specimen_name(specimen: Specimen, words: Words) -> str:
    """Return the name of a specimen: the name of its variant, or of its kind."""
    key = f"specimen.{specimen.key}"
    return words(key) if words.has(key) else words(f"kind.{specimen.key}")


def _sheet(width: float, height: float, drafter: Drafter) -> Drawing:
    items: list[Item] = []
    if drafter.style.washes:
        items += fill(box(0, 0, width, height), drafter.style.ink("sheet"))
    items += drafter.outline(box(7, 7, width - 7, height - 7), 1.2)
    items += drafter.outline(box(9, 9, width - 9, height - 9), 0.35)
    top = height - _MARGIN
    title = drafter.words("specimen.title")
    items += drafter.text(title, (width / 2, top - 11), drafter.hand(Font.ROMAN, 44, track=0.8), anchor=Anchor.MIDDLE)
    under = drafter.words("specimen.subtitle", style=drafter.style.name)
    hand = drafter.hand(Font.ITALIC, 18, "ink-secondary", track=0.2)
    items += drafter.text(under, (width / 2, top - 21), hand, anchor=Anchor.MIDDLE)
    return Drawing(width, height, (Layer(LayerName.SHEET, tuple(items)),))


def _named(specimen: Specimen, drafter: Drafter, going: str) -> Drawing:
    """Return name and going, centred, for the space below a field; the height fits the text."""
    width = FIELD[0]
    names, name_hand = fit_text(
        specimen_name(specimen, drafter.words), drafter.hand(Font.ROMAN, 15.0), width, lines=2, least_share=0.8
    )
    notes, note_hand = fit_text(going, drafter.hand(Font.ITALIC, 9.5, "ink-secondary"), width, lines=2, least_share=0.8)
    rows = [(line, name_hand, _NAME_PITCH) for line in names] + [(line, note_hand, _NOTE_PITCH) for line in notes]
    height = plain_sum(pitch for _, _, pitch in rows) + _NOTE_FOOT
    items: list[Item] = []
    foot = height
    for text, hand, pitch in rows:
        foot -= pitch
        items += drafter.text(text, (width / 2, foot), hand, anchor=Anchor.MIDDLE)
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))
