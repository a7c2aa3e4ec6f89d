"""The legend of a map, symbol entries for pages of text, and symbol samples for the keys of rule systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, box

from printkit.content.prose import Block, Paragraph
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.ink import symbol_inks
from printkit.drawing.canvas.items import Drawing, Font, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, defer_drawing, defer_items, flattened, group_by_layer, joined
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import Memo
from printkit.drawing.dressing.countryside_types import FieldUse, OpenCountry
from printkit.drawing.dressing.dressing import DressingShapes, draw_dressing
from printkit.drawing.dressing.parcels import Parcel
from printkit.drawing.furniture.frame import has_border
from printkit.drawing.furniture.stored_swatches import read_swatch
from printkit.drawing.furniture.swatches import (
    ENTRIES,
    SAMPLE_SIZE,
    SWATCH,
    UNSTATED,
    LegendEntry,
    sample_field,
    swatch_scale,
    uneven_patch,
)
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, least_size, wrap_words
from printkit.drawing.map.board_drawing import scaled
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import text_style
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Feature, Going, Hill, HillFace, Kind

# --- Entries of a symbol key on a page of text: the symbol in its swatch, with name and description beside it ---------

_SIZE_PT: Final = 9.5
_ENTRY_LEADING: Final = 1.1
_ENTRY_AIR: Final = 0.12
_BETWEEN_ENTRIES: Final = 2.6
_ENTRY_PADDING: Final = 0.6


def build_symbol_entry(swatch: Drawing, name: str, descriptions: Sequence[str], width: float, style: Style) -> Drawing:
    """Return an entry ``width`` printed mm wide: swatch and text, centred on the same line.

    The text is the name in bold, then each description that is not empty.
    """
    entry_style = text_style(style, _SIZE_PT, leading=_ENTRY_LEADING).with_spacing(_ENTRY_LEADING, _ENTRY_AIR)
    blocks: list[Block] = [Paragraph(f"**{name}**"), *(Paragraph(text) for text in descriptions if text)]
    available_mm = width - swatch.width - _BETWEEN_ENTRIES
    from printkit.drawing.text.typesetting import column_height, lay_out_blocks, stack_blocks

    settings = lay_out_blocks(blocks, available_mm, entry_style)
    text = stack_blocks(settings, available_mm)
    height = max(swatch.height, column_height(settings)) + 2 * _ENTRY_PADDING
    parts = [
        PlacedDrawing(swatch, 0.0, (height - swatch.height) / 2),
        PlacedDrawing(text, swatch.width + _BETWEEN_ENTRIES, (height - text.height) / 2),
    ]
    return joined(width, height, parts)


_SAMPLE_LANE: Final = LineString([(-2, 4.5), (6, 6.5), (12, 8.2), (20, 8.4), (34, 12.5)])


def _sample_parcel(corners: Sequence[tuple[float, float]], use: FieldUse) -> Parcel:
    """Return a sample parcel from its corners in mm of the swatch, starting at the left end of its front."""
    ring = np.array(corners)
    return Parcel(Polygon(ring), ring[:2], ring[:1:-1], use, is_along_front=False)


def _sample_parcels(left: FieldUse, right: FieldUse, bushes: Sequence[tuple[float, float, float]]) -> DressingShapes:
    """Return a sample with two parcels on a lane; ``bushes`` are x, y and size, in mm of the swatch."""
    parcels = (
        _sample_parcel([(-3.0, 7.4), (11.0, 11.2), (9.6, 24.0), (-4.0, 24.0)], left),
        _sample_parcel([(11.8, 11.4), (36.0, 16.4), (36.0, 24.0), (10.4, 24.0)], right),
    )
    return DressingShapes(lanes=(_SAMPLE_LANE,), parcels=parcels, bushes=np.array(bushes))


_LANE_SAMPLE: Final = DressingShapes(
    lanes=(_SAMPLE_LANE,),
    parcels=(
        _sample_parcel([(14.0, 12.0), (21.0, 12.6), (19.8, 24.0), (12.4, 24.0)], FieldUse.CROPS),
        _sample_parcel([(21.6, 12.7), (36.0, 17.2), (36.0, 24.0), (20.4, 24.0)], FieldUse.PASTURE),
    ),
    pale=True,
    meadow=(box(-2, -2, 34, 22),),
    bushes=np.array(
        [(3.0, 13.4, 1.3), (5.4, 14.3, 1.9), (8.2, 14.8, 1.4), (22.4, 3.6, 2.1), (25.2, 5.4, 1.5), (13.4, 2.9, 1.5)]
    ),
)


_HEDGE: Final = tuple((11.4 - 0.13 * step, 12.2 + 1.35 * step, 0.9 + 0.1 * (step % 3)) for step in range(6))
_SAMPLES: Final = {
    "dressing": _LANE_SAMPLE,
    "open-ground": DressingShapes(meadow=_LANE_SAMPLE.meadow, bushes=_LANE_SAMPLE.bushes),
    "parcels": _sample_parcels(FieldUse.PLOUGH, FieldUse.CROPS, [*_HEDGE, (22.4, 3.6, 1.9), (25.2, 5.4, 1.4)]),
    "old-furlongs": _sample_parcels(
        FieldUse.OLD_FALLOW, FieldUse.OLD_PASTURE, [(6.0, 14.6, 1.8), (8.6, 16.2, 1.3), (22.4, 3.6, 1.9)]
    ),
}
# Legend entries of the dressing, which has no effect in play, by the name of its symbol.
DRESSING_ENTRIES: Final = {sign: LegendEntry(sign, lambda _field: iter(()), tuple) for sign in _SAMPLES}

_PITCH: Final = 82.0
_ROW_GAP: Final = 7.5
_SMALL_ROW_GAP: Final = 4.0
_TEXT_GAP: Final = 3.4
_COLUMN_GAP: Final = 5.0
_LEADING: Final = 1.12
_SWATCHES: Final[Memo[tuple[Layer, ...]]] = Memo(96)


class _EntryRows(Struct, frozen=True):
    """The text rows of an entry, each with its type style."""

    rows: tuple[tuple[str, TypeStyle], ...]

    @property
    def height(self) -> float:
        """Return the height of the rows in printed mm, with leading."""
        return plain_sum(style.height * _LEADING for _, style in self.rows)


def legend_entries(field: Battlefield, cover: OpenCountry | None = None) -> tuple[LegendEntry, ...]:
    """Return the entries that a map needs, in legend order; the dressing comes last.

    A grid without features gets no entry for the dressing. ``cover`` is the dressing, or None.
    """
    entries = tuple(entry for entry in ENTRIES if any(True for _ in entry.goings(field)))
    has_dressing = cover is not None and (field.grid is None or field.features)
    return (*entries, DRESSING_ENTRIES[cover.sign]) if cover is not None and has_dressing else entries


def legend_columns(width: float, drafter: Drafter) -> int:
    """Return the number of legend columns that fit in ``width`` printed mm; 0 if not even one fits."""
    return max(0, int((width + drafter.size(_COLUMN_GAP)) / drafter.size(_PITCH)))


def build_legend(
    field: Battlefield,
    drafter: Drafter,
    width: float,
    *,
    columns: int | None = None,
    cover: OpenCountry | None = None,
) -> Drawing:
    """Return the legend in columns of equal width, to be read row by row; ``width`` is in printed mm.

    Its height fits the text. ``cover`` is the dressing between the features, or None. Without ``columns`` there are as
    many as the width allows.
    """
    entries = legend_entries(field, cover)
    columns = min(columns or legend_columns(width, drafter) or 1, max(1, len(entries)))
    pitch = width / columns
    measure_mm = pitch - drafter.size(SWATCH[0] + _TEXT_GAP + _COLUMN_GAP)
    entry_rows = [_entry_rows(entry, field, drafter, measure_mm) for entry in entries]
    min_height, gap = drafter.size(SWATCH[1]), drafter.size(_ROW_GAP if has_border(drafter) else _SMALL_ROW_GAP)
    heights = [
        max([min_height, *(rows.height for rows in entry_rows[first : first + columns])])
        for first in range(0, len(entries), columns)
    ]
    total = plain_sum(heights) + gap * max(0, len(heights) - 1)
    parts: list[PlacedDrawing] = []
    top = total
    for row, height in enumerate(heights):
        for column, index in enumerate(range(row * columns, min((row + 1) * columns, len(entries)))):
            drawing = _draw_entry(entries[index], entry_rows[index], drafter, pitch, height)
            parts.append(PlacedDrawing(drawing, column * pitch, top - height))
        top -= height + gap
    return joined(width, max(total, 0.0), parts)


def going_word(name: str, words: Words) -> str:
    """Return the translated name of a going, or ``name`` itself if there is no translation."""
    key = f"going.{name.replace(' ', '_')}"
    return words(key) if words.has(key) else name


def _entry_rows(entry: LegendEntry, field: Battlefield, drafter: Drafter, measure_mm: float) -> _EntryRows:
    """Return the rows of an entry: name in each language, then the goings of its features on the battlefield.

    They are at most ``measure_mm`` printed mm long. Equal rows of two languages appear once. Entries of the dressing
    have a notice in place of the going.
    """
    name_style, going_style = drafter.type_style(Font.ROMAN, 17), drafter.type_style(Font.ITALIC, 13.5, "ink-secondary")
    names = dict.fromkeys(words(f"legend.{entry.key}") for words in drafter.words.each())
    if len(names) > 1:
        name_style = name_style.resize(0.85, minimum_pt=least_size(Font.ROMAN))
    rows: list[tuple[str, TypeStyle]] = []
    for name in names:
        lines, style = fit_text(name, name_style, measure_mm, least_share=0.75)
        rows += [(line, style) for line in lines]
    if entry.key in DRESSING_ENTRIES:
        notices = dict.fromkeys(words("legend.for-the-eye") for words in drafter.words.each())
        lines = tuple(line for notice in notices for line in wrap_words(notice, going_style, measure_mm))
        return _EntryRows((*rows, *((line, going_style) for line in lines)))
    goings = sorted(set(entry.goings(field)))
    for words in drafter.words.each():
        going_names = ", ".join(dict.fromkeys(going_word(going.name, words) for going in goings if going.name))
        lines = wrap_words(going_names, going_style, measure_mm)
        rows += [(line, going_style) for line in lines if (line, going_style) not in rows]
    return _EntryRows(tuple(rows))


def _draw_entry(entry: LegendEntry, rows: _EntryRows, drafter: Drafter, width: float, height: float) -> Drawing:
    """Return swatch and text of an entry, centred on the same line, ``width`` by ``height`` printed mm."""
    swatch = swatch_drawing(entry, drafter)

    def draw_rows() -> Iterator[Item]:
        """Yield the rows of text beside the swatch."""
        baseline = (height + rows.height) / 2
        for text, style in rows.rows:
            baseline -= style.height * _LEADING
            position = (swatch.width + drafter.size(_TEXT_GAP), baseline + 0.30 * style.height)
            yield from drafter.text(text, position, style)

    words = defer_items(width, height, draw_rows)
    return joined(
        width, height, [PlacedDrawing(swatch, 0.0, (height - swatch.height) / 2), PlacedDrawing(words, 0.0, 0.0)]
    )


def swatch_drawing(entry: LegendEntry, drafter: Drafter) -> Drawing:
    """Return the symbol in a bordered swatch, at 0.8 of its size on the map; it is drawn when it is first read."""
    width, height = (drafter.size(side) for side in SWATCH)

    def draw_layers() -> tuple[Layer, ...]:
        """Return the layers of the swatch, drawn once for each context."""
        layers = read_swatch(entry.key, drafter)
        if layers is not None:
            return layers
        return _SWATCHES.draw_once(lambda: draw_swatch(entry, drafter), drafter.context, entry, purpose=drafter.growth)

    return defer_drawing(width, height, draw_layers, ink=lambda: symbol_inks(drafter.style).get(entry.key, 0.5))


def draw_swatch(entry: LegendEntry, drafter: Drafter) -> tuple[Layer, ...]:
    """Return the layers of the symbol of a legend entry in a swatch with a border, at 0.8 of its size on the map."""
    width, height = (drafter.size(side) for side in SWATCH)
    field = scaled(sample_field(entry), drafter.size(1))
    context = drafter.context.smaller(SAMPLE_SIZE)

    def draw_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield the ground and the symbol of the swatch, each item with its layer."""
        for item in fill(box(0, 0, width, height), drafter.style.ink("paper")):
            yield LayerName.PAPER, item
        shapes = _SAMPLES.get(entry.key)
        if shapes is None:
            yield from draw(field, context)
            return
        context_at_scale = replace(context, scale=drafter.size(1))
        yield from draw(field, context_at_scale, shapes)
        if not drafter.style.painted:
            yield from draw_dressing(shapes, box(0, 0, width, height), NOTHING, context_at_scale)

    picture = flattened(group_by_layer(draw_items()), LayerName.MARGIN, Rect(0, 0, width, height))
    border = Layer(LayerName.MARGIN, tuple(drafter.outline(box(0, 0, width, height).exterior, 0.40)))
    return picture, border


# --- Samples of symbols for keys of a rule system: those of the legend, and complete hills ----------------------------

_OUTER: Final = (13.2, 8.0)
_INNER: Final = (6.6, 3.6)
# The share of a hill's outline that is cliff or scree: start and end, anticlockwise from the east.
_ARC: Final = (0.53, 0.86)


def _sample_hill(*, steep: bool = False, face: Kind | None = None) -> tuple[Feature, ...]:
    """Return a complete hill in a swatch.

    A steep hill has a second contour, and steep slopes except at the face. Shapes are in mm of the swatch. The result
    has one hill, without a going.
    """
    outline = uneven_patch(15.0, 9.5, *_OUTER)
    contours = (outline, uneven_patch(15.0, 9.6, *_INNER)) if steep else (outline,)
    ring = LineString(outline.exterior.coords)
    faces: list[HillFace] = []
    if face is not None:
        faces.append(HillFace(line=_ring_section(ring, *_ARC), kind=face, going=UNSTATED, side=0))
    if steep:
        slope_line = ring if face is None else _ring_section(ring, _ARC[1], 1.0 + _ARC[0])
        faces.append(HillFace(line=slope_line, kind=Kind.STEEP_SLOPE, going=UNSTATED, side=1))
    name = f"key-hill-{'steep' if steep else 'gentle'}-{face or ''}"
    return (Hill(id=name, kind=Kind.HILL, contours=contours, going=UNSTATED, faces=tuple(faces)),)


def _ring_section(ring: LineString, start: float, end: float) -> LineString:
    """Return the part of a closed line between two shares of its length; above 1 it continues at 0.

    The part is from ``start`` to ``end``. The line is in mm of the swatch.
    """
    shares = np.linspace(start, end, 60) % 1.0
    return LineString([ring.interpolate(float(share) or 1e-9, normalized=True) for share in shares])


def _no_goings(_field: Battlefield) -> Iterator[Going]:
    """Return no goings, for samples that are not in the legend."""
    return iter(())


# Samples of complete hills by name; all other samples come from the legend.
HILLS: Final[Mapping[str, Callable[[], tuple[Feature, ...]]]] = {
    "hill": _sample_hill,
    "steep_hill": partial(_sample_hill, steep=True),
    "hill_cliff": partial(_sample_hill, face=Kind.CLIFF),
    "hill_scree": partial(_sample_hill, face=Kind.SCREE),
    "steep_hill_cliff": partial(_sample_hill, steep=True, face=Kind.CLIFF),
}

# Everything that has a swatch: entries of the legend, of the dressing, and samples of complete hills, by key.
SWATCH_ENTRIES: Final[Mapping[str, LegendEntry]] = {
    **{entry.key: entry for entry in ENTRIES},
    **DRESSING_ENTRIES,
    **{key: LegendEntry(key, _no_goings, sample) for key, sample in HILLS.items()},
}


def sign_swatch(key: str, width: float, style: Style, words: Words) -> Drawing:
    """Return the map symbol of a style in a bordered swatch.

    Args:
        key: a key of ``HILLS`` or of a legend entry.
        width: width of the swatch in printed mm; below 10.5 mm symbols do not shrink further.
        style: the symbol set.
        words: words for the drafter; the swatch has no text.

    Raises:
        KeyError: there is no such symbol.
    """
    drafter = Drafter.furniture(style, words, scale=swatch_scale(width))
    return swatch_drawing(SWATCH_ENTRIES[key], drafter)
