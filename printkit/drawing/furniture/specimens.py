"""The symbol sheet: every symbol of a style with name and going, and the sample it shows for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity, box

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, flattened, group_by_layer, joined
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.swatches import smooth_line
from printkit.drawing.lettering.lettering import fit_text
from printkit.drawing.map.overlays import GRID, KEEP_CLEAR, QUARTERS, ZONE, draw_overlays
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.signs.relief.open_ground import ground
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind
from printkit.terrain.geometry.outlines import blob, draw_plot_outline, inner_contour

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
        """Return the sample as a battlefield of ``width`` by ``height`` mm at 1:1."""
        board = Board(width, height, _SCALE)
        overlays = self.overlays(board) if self.overlays else ()
        return Battlefield(board=board, features=self.sample(width, height), overlays=overlays)


def _sample_patch(
    width: float, height: float, name: str, *, width_share: float = 0.86, height_share: float = 0.80
) -> Polygon:
    """Return an irregular outline in the middle of a field of ``width`` by ``height`` mm at 1:1.

    The shares are its size relative to the field; ``name`` gives it its random shape.
    """
    outline = blob(width * width_share, height * height_share, Stream(f"specimen/{name}"), roughness=0.18)
    return affinity.translate(outline, width / 2, height / 2)


def _smooth_line(*places: tuple[float, float]) -> LineString:
    """Return a smooth line through places in mm at 1:1."""
    return smooth_line(*places, steps=60, window_side=8)


def _make_area(kind: Kind, outline: Polygon) -> tuple[Feature, ...]:
    """Return a sample with one area of a kind; ``outline`` is in mm at 1:1."""
    return (Area(id=f"specimen-{kind}", kind=kind, outline=outline, going=_UNSTATED),)


def _sample_area(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return an area with an irregular outline in a field of ``width`` by ``height`` mm at 1:1."""
    return _make_area(kind, _sample_patch(width, height, kind))


def _sample_field(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return a four-sided field in a specimen of ``width`` by ``height`` mm at 1:1."""
    corners = [(0.13, 0.15), (0.88, 0.20), (0.85, 0.83), (0.16, 0.87)]
    outline = Polygon([(x_share * width, y_share * height) for x_share, y_share in corners])
    return _make_area(kind, outline)


def _sample_town(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return a built-up area with a road into it, in a specimen of ``width`` by ``height`` mm at 1:1.

    It fills the specimen, so that its houses are visible.
    """
    outline = draw_plot_outline(width * 0.92, height * 0.90, Stream(f"specimen/{kind}"))
    (ground,) = _make_area(kind, affinity.translate(outline, width / 2, height / 2))
    middle = Point(width / 2, height / 2)
    road_line = LineString([(-0.1 * width, 0.42 * height), (0.2 * width, 0.46 * height), (middle.x, middle.y)])
    road_course = Course(id=f"specimen-{kind}-road", kind=Kind.ROAD, line=road_line, width=5.0, going=_UNSTATED)
    return road_course, ground


def _sample_block(
    kind: Kind, width: float, height: float, *, width_share: float, height_share: float
) -> tuple[Feature, ...]:
    """Return a slightly rotated rectangle in the middle of a specimen.

    All lengths are in mm at 1:1; ``width_share`` and ``height_share`` are the sides of the rectangle, despite their
    names.
    """
    ground = affinity.rotate(box(-width_share / 2, -height_share / 2, width_share / 2, height_share / 2), 8)
    ground = affinity.translate(ground, width / 2, height / 2)
    return _make_area(kind, ground)


def _sample_shore(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return water along the lower edge of a specimen of ``width`` by ``height`` mm at 1:1."""
    shore = _smooth_line((-0.1 * width, 0.52 * height), (0.3 * width, 0.66 * height), (0.7 * width, 0.50 * height),
                  (1.1 * width, 0.62 * height))  # fmt: skip
    water = Polygon([*shore.coords, (1.1 * width, -0.3 * height), (-0.1 * width, -0.3 * height)])
    return _make_area(kind, water)


def _sample_clearing(width: float, height: float) -> tuple[Feature, ...]:
    """Return a wood with a clearing in a specimen of ``width`` by ``height`` mm at 1:1.

    The first area is the wood with a hole, the second the clearing in it.
    """
    wood = _sample_patch(width, height, "clearing-wood", width_share=0.92, height_share=0.90)
    opening = affinity.translate(
        blob(width * 0.38, height * 0.34, Stream("specimen/clearing")), width * 0.52, height * 0.5
    )
    return (
        Area(id="specimen-forest", kind=Kind.HEAVY_WOODS, outline=wood.difference(opening), going=_UNSTATED),
        Area(id="specimen-clearing", kind=Kind.CLEARING, outline=opening, going=_UNSTATED),
    )


def _sample_course(
    kind: Kind, width: float, height: float, *, course_width: float = 0.0, rise: float = 0.18
) -> tuple[Feature, ...]:
    """Return a winding course across a specimen of ``width`` by ``height`` mm at 1:1.

    ``course_width`` is in mm; 0 is the default width of its kind. ``rise`` is the height of its bends as a share of
    ``height``.
    """
    line = _smooth_line(
        (-0.1 * width, (0.5 - rise) * height),
        (0.25 * width, (0.5 + 0.4 * rise) * height),
        (0.65 * width, (0.5 - 0.3 * rise) * height),
        (1.1 * width, (0.5 + rise) * height),
    )
    return (Course(id=f"specimen-{kind}", kind=kind, line=line, width=course_width, going=_UNSTATED),)


def _sample_work(kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return a winding wall, ditch or the like inside a specimen of ``width`` by ``height`` mm at 1:1."""
    line = _smooth_line((0.07 * width, 0.3 * height), (0.35 * width, 0.66 * height), (0.65 * width, 0.38 * height),
                 (0.93 * width, 0.68 * height))  # fmt: skip
    return (Course(id=f"specimen-{kind}", kind=kind, line=line, width=0.0, going=_UNSTATED),)


def _sample_crossing(
    kind: Kind, upper_kind: Kind, lower_kind: Kind, upper_width: float, lower_width: float, width: float, height: float
) -> tuple[Feature, ...]:
    """Return two courses and their crossing in a specimen of ``width`` by ``height`` mm at 1:1.

    They are the lower course, the upper course and the crossing, in this order; widths are in mm at 1:1.
    """
    (lower,) = _sample_course(lower_kind, width, height, course_width=lower_width, rise=0.07)
    line = LineString([(0.46 * width, -0.2 * height), (0.54 * width, 1.2 * height)])
    upper = Course(id=f"specimen-{kind}-way", kind=upper_kind, line=line, width=upper_width, going=_UNSTATED)
    assert isinstance(lower, Course)
    overlap = lower.line.intersection(upper.line)
    bearing = float(np.degrees(exact_math.arctan2(1.4 * height, 0.08 * width)))
    crossing = Crossing(
        id=f"specimen-{kind}", kind=kind, at=Point(overlap.centroid), bearing=bearing, route=upper.id, water=lower.id,
        going=_UNSTATED,
    )  # fmt: skip
    return lower, upper, crossing


def _sample_junction(width: float, height: float) -> tuple[Feature, ...]:
    """Return a track that joins a road, in a specimen of ``width`` by ``height`` mm at 1:1.

    They are the track, the road and the junction, in this order. The track begins on the middle of the road.
    """
    (road,) = _sample_course(Kind.ROAD, width, height, rise=0.12)
    assert isinstance(road, Course)
    meets = road.line.interpolate(0.5, normalized=True)
    branch = LineString([(meets.x, meets.y), (0.58 * width, 0.85 * height), (0.66 * width, 1.2 * height)])
    track = Course(id="specimen-track", kind=Kind.TRACK, line=branch, width=0.0, going=_UNSTATED)
    junction = Crossing(
        id="specimen-junction",
        kind=Kind.JUNCTION,
        at=meets,
        bearing=80.0,
        route=track.id,
        water=road.id,
        going=_UNSTATED,
    )
    return track, road, junction


def _sample_hill(
    width: float,
    height: float,
    *,
    kind: Kind = Kind.HILL,
    levels: int = 1,
    face: Kind | None = None,
    face_range: tuple[float, float] = (0.55, 0.80),
    cover: Kind | None = None,
    height_share: float = 0.82,
) -> tuple[Feature, ...]:
    """Return a hill in the middle of a specimen of ``width`` by ``height`` mm at 1:1.

    Args:
        kind: the kind of hill.
        levels: number of contours, 1 or 2.
        face: the kind of slope on a part of its outline, or None.
        face_range: start and end of this slope, as shares of the outline.
        cover: the woods on it, or None.
        height_share: its height relative to the specimen.
    """
    outline = _sample_patch(width, height, f"hill-{kind}-{levels}", width_share=0.88, height_share=height_share)
    contours = [outline]
    if levels > 1:
        contours.append(inner_contour(outline, Stream("specimen/upper"), inset=0.10 * height))
    faces: tuple[HillFace, ...] = ()
    if face is not None:
        ring = LineString(outline.exterior.coords)
        first, last = face_range
        ring_shares = np.linspace(first, last, 80)
        line = LineString([ring.interpolate(ring_share % 1.0 or 1e-9, normalized=True) for ring_share in ring_shares])
        faces = (HillFace(line=line, kind=face, going=_UNSTATED, side=0),)
    name = f"specimen-{kind}-{levels}-{face or ''}-{cover or ''}"
    return (Hill(id=name, kind=kind, contours=tuple(contours), going=_UNSTATED, faces=faces, cover=cover),)


def _samples_by_kind(draw: Callable[[Kind, float, float], tuple[Feature, ...]], *kinds: Kind) -> dict[Kind, Sample]:
    """Return a function for each kind that makes its sample from width and height in mm at 1:1."""
    return {kind: partial(draw, kind) for kind in kinds}


# The upper and the lower course of each crossing, and their widths in mm at 1:1.
_CROSSINGS: Final[Mapping[Kind, tuple[Kind, Kind, float, float]]] = {
    Kind.FORD: (Kind.TRACK, Kind.RIVER, 5.4, 11.0),
    Kind.BRIDGE: (Kind.ROAD, Kind.RIVER, 8.2, 12.0),
    Kind.TIMBER_BRIDGE: (Kind.TRACK, Kind.RIVER, 5.4, 11.0),
    Kind.RAILWAY_BRIDGE: (Kind.RAILWAY, Kind.RIVER, 7.5, 12.0),
    Kind.LEVEL_CROSSING: (Kind.ROAD, Kind.RAILWAY, 8.2, 7.5),
}

_BY_KIND: Final[Mapping[Kind, Sample]] = {
    Kind.HILL: _sample_hill,
    Kind.RISE: partial(_sample_hill, kind=Kind.RISE, height_share=0.62),
    Kind.SPUR: partial(_sample_hill, kind=Kind.SPUR, height_share=0.56),
    Kind.LONG_HILL: partial(_sample_hill, kind=Kind.LONG_HILL, height_share=0.44),
    Kind.MOUNTAIN: partial(_sample_hill, kind=Kind.MOUNTAIN, height_share=0.90),
    Kind.STEEP_SLOPE: partial(_sample_hill, face=Kind.STEEP_SLOPE),
    Kind.CLEARING: _sample_clearing,
    **_samples_by_kind(_sample_shore, Kind.SEA, Kind.WATERWAY),
    Kind.RIVER: partial(_sample_course, Kind.RIVER, course_width=13.0),
    Kind.CREEK: partial(_sample_course, Kind.CREEK, course_width=6.0),
    **_samples_by_kind(
        _sample_course, Kind.STREAM, Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY
    ),
    **_samples_by_kind(
        _sample_work,
        Kind.DITCH,
        Kind.RAVINE,
        Kind.GULLY,
        Kind.WALL,
        Kind.FENCE,
        Kind.WORM_FENCE,
        Kind.HEDGE,
        Kind.CLIFF,
    ),
    **{kind: partial(_sample_crossing, kind, *courses) for kind, courses in _CROSSINGS.items()},
    Kind.JUNCTION: _sample_junction,
    **_samples_by_kind(
        _sample_field, Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD, Kind.ENCLOSURE
    ),
    **_samples_by_kind(_sample_town, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.BUA),
    Kind.BUILDING: partial(_sample_block, Kind.BUILDING, width_share=24.0, height_share=18.0),
    Kind.FARM: partial(_sample_block, Kind.FARM, width_share=44.0, height_share=32.0),
    Kind.EDIFICE: partial(_sample_block, Kind.EDIFICE, width_share=50.0, height_share=36.0),
    Kind.FORT: partial(_sample_block, Kind.FORT, width_share=36.0, height_share=36.0),
    Kind.CAMP: partial(_sample_block, Kind.CAMP, width_share=54.0, height_share=34.0),
    Kind.BAGGAGE: partial(_sample_block, Kind.BAGGAGE, width_share=40.0, height_share=26.0),
}

_VARIANTS: Final[Mapping[Kind, tuple[Specimen, ...]]] = {
    Kind.HILL: (
        Specimen("two_levels", (Kind.HILL,), partial(_sample_hill, levels=2)),
        Specimen(
            "steep_all_round",
            (Kind.HILL, Kind.STEEP_SLOPE),
            partial(_sample_hill, face=Kind.STEEP_SLOPE, face_range=(0, 1)),
        ),
        Specimen("light_wooded_hill", (Kind.HILL,), partial(_sample_hill, cover=Kind.LIGHT_WOODS)),
        Specimen("heavy_wooded_hill", (Kind.HILL,), partial(_sample_hill, cover=Kind.HEAVY_WOODS)),
        Specimen("hill_and_cliff", (Kind.HILL, Kind.CLIFF), partial(_sample_hill, face=Kind.CLIFF)),
        Specimen("hill_and_scree", (Kind.HILL, Kind.SCREE), partial(_sample_hill, face=Kind.SCREE)),
    ),
}


def specimens() -> Iterator[Specimen]:
    """Yield the fields of the symbol sheet: every ``Kind`` in order, each followed by its variants."""
    for kind in Kind:
        yield Specimen(kind.value, (kind,), _BY_KIND.get(kind, partial(_sample_area, kind)))
        yield from _VARIANTS.get(kind, ())


def overlay_specimens() -> Iterator[Specimen]:
    """Yield the fields of the overlays of a map, for example deployment zones."""
    for kind in (DEPLOYMENT, ZONE, QUARTERS, KEEP_CLEAR, GRID):
        yield Specimen(f"overlay_{kind.replace('-', '_')}", (), _no_features, partial(_sample_overlays, kind))


def _no_features(_width: float, _height: float) -> tuple[Feature, ...]:
    """Return an empty tuple: the sample of an overlay has no features; its size is ignored."""
    return ()


def _sample_overlays(kind: str, board: Board) -> tuple[Overlay, ...]:
    """Return a sample of an overlay kind on a board: zones, quarters, a grid or another area.

    Areas are in the mm of the board. Deployment has two areas: of side B along the near edge, of side A along the far
    one. Zones have their numbers as labels, from 1.
    """
    width, depth = board.width, board.depth
    divisions = {"zone": (3, 2), "quarters": (2, 2), "grid": (6, 4)}
    if kind in divisions:
        shapes = list(board.zones(*divisions[kind]))
    elif kind == "deployment":
        shapes = [box(0, 0, width, 0.3 * depth), box(0, 0.7 * depth, width, depth)]
    else:
        shapes = [box(0.32 * width, 0.22 * depth, 0.68 * width, 0.78 * depth)]
    sides = ("B", "A") if kind == "deployment" else ()
    overlays = []
    for index, shape in enumerate(shapes):
        label, side = str(index + 1) if kind == "zone" else "", sides[index] if index < len(sides) else ""
        overlays.append(Overlay(kind=kind, shape=shape, label=label, side=side))
    return tuple(overlays)


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


def build_symbol_sheet(style: Style, words: Words, goings: GoingWords) -> Drawing:
    """Return all symbols on one sheet at the size of a 1:1 board.

    Args:
        style: the symbol set.
        words: words for titles and names: the keys ``kind.*`` and ``specimen.*``.
        goings: returns the going of a specimen; see ``GoingWords``.
    """
    drafter = Drafter.furniture(style, words)
    fields = [*specimens(), *overlay_specimens()]
    captions = [_draw_caption(specimen, drafter, goings(specimen)) for specimen in fields]
    rows = [captions[first : first + COLUMNS] for first in range(0, len(captions), COLUMNS)]
    row_gaps = [max(_GAP[1], *(note.height for note in row)) for row in rows]
    width = 2 * _MARGIN + COLUMNS * FIELD[0] + (COLUMNS - 1) * _GAP[0]
    height = 2 * _MARGIN + _HEAD + len(rows) * FIELD[1] + plain_sum(row_gaps)
    parts = [PlacedDrawing(_draw_sheet(width, height, drafter), 0.0, 0.0)]
    top = height - _MARGIN - _HEAD
    for row, gap in enumerate(row_gaps):
        bottom = top - FIELD[1]
        for column, note in enumerate(rows[row]):
            x = _MARGIN + column * (FIELD[0] + _GAP[0])
            parts.append(PlacedDrawing(specimen_field(fields[row * COLUMNS + column], drafter.context), x, bottom))
            parts.append(PlacedDrawing(note, x, bottom - note.height))
        top = bottom - gap
    return joined(width, height, parts)


def specimen_field(specimen: Specimen, context: SymbolContext) -> Drawing:
    """Return one symbol on its ground in a field with a border, 66 by 46 mm at 1:1."""
    width, height = FIELD
    field = specimen.field(width, height)
    board = box(0, 0, width, height)
    drafter = Drafter(context=context, words=Words(("en",)))

    def draw_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield the ground, the symbol and the overlays of the field, each item with its layer."""
        if not context.style.painted:
            yield from ground(board, context, box(0, 0, 0, 0))
        yield from draw(field, context)
        yield from draw_overlays(field, drafter)

    clip = Rect(0.0, 0.0, width, height)
    picture = flattened(group_by_layer(draw_items()), LayerName.MARGIN, clip)
    border = drafter.outline(board, 0.45)
    return Drawing(width, height, (picture, Layer(LayerName.MARGIN, tuple(border))))


def specimen_name(specimen: Specimen, words: Words) -> str:
    """Return the name of a specimen in the language of ``words``: the name of its variant, or of its kind."""
    key = f"specimen.{specimen.key}"
    return words(key) if words.has(key) else words(f"kind.{specimen.key}")


def _draw_sheet(width: float, height: float, drafter: Drafter) -> Drawing:
    """Return the background, the border and the title of a sheet of ``width`` by ``height`` mm at 1:1.

    The background is left out in styles without washes.
    """
    items: list[Item] = []
    if drafter.style.washes:
        items += fill(box(0, 0, width, height), drafter.style.ink("sheet"))
    items += drafter.outline(box(7, 7, width - 7, height - 7), 1.2)
    items += drafter.outline(box(9, 9, width - 9, height - 9), 0.35)
    top = height - _MARGIN
    title = drafter.words("specimen.title")
    items += drafter.text(
        title, (width / 2, top - 11), drafter.type_style(Font.ROMAN, 44, track=0.8), anchor=Anchor.MIDDLE
    )
    subtitle = drafter.words("specimen.subtitle", style=drafter.style.name)
    style = drafter.type_style(Font.ITALIC, 18, "ink-secondary", track=0.2)
    items += drafter.text(subtitle, (width / 2, top - 21), style, anchor=Anchor.MIDDLE)
    return Drawing(width, height, (Layer(LayerName.SHEET, tuple(items)),))


def _draw_caption(specimen: Specimen, drafter: Drafter, going_text: str) -> Drawing:
    """Return name and going, centred, for the space below a field; the height fits the text."""
    width = FIELD[0]
    names, name_style = fit_text(
        specimen_name(specimen, drafter.words), drafter.type_style(Font.ROMAN, 15.0), width, lines=2, least_share=0.8
    )
    notes, note_style = fit_text(
        going_text, drafter.type_style(Font.ITALIC, 9.5, "ink-secondary"), width, lines=2, least_share=0.8
    )
    rows = [(line, name_style, _NAME_PITCH) for line in names] + [(line, note_style, _NOTE_PITCH) for line in notes]
    height = plain_sum(pitch for _, _, pitch in rows) + _NOTE_FOOT
    items: list[Item] = []
    baseline = height
    for text, style, pitch in rows:
        baseline -= pitch
        items += drafter.text(text, (width / 2, baseline), style, anchor=Anchor.MIDDLE)
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))
