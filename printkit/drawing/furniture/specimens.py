"""The symbol sheet: every symbol of a style with name and going, and the sample it shows for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from msgspec import Struct
from shapely import box

from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, flattened, group_by_layer, joined
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.swatches import make_field_size, make_hill, make_sample
from printkit.drawing.lettering.lettering import fit_text
from printkit.drawing.map.overlays import GRID, KEEP_CLEAR, QUARTERS, ZONE, draw_overlays
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.signs.relief.open_ground import ground
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Feature, Kind

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


def _make_sampler(make: Callable[..., tuple[Feature, ...]], *kinds: Kind, **values: Any) -> Sample:
    """Return a function that makes a sample from width and height in mm at 1:1."""
    return lambda width, height: make(make_field_size(width, height), *kinds, **values)


# The samples of a hill that follow its own.
_HILLS: Final = (
    Specimen("two_levels", (Kind.HILL,), _make_sampler(make_hill, levels=2)),
    Specimen(
        "steep_all_round",
        (Kind.HILL, Kind.STEEP_SLOPE),
        _make_sampler(make_hill, face=Kind.STEEP_SLOPE, face_range=(0, 1)),
    ),
    Specimen("light_wooded_hill", (Kind.HILL,), _make_sampler(make_hill, cover=Kind.LIGHT_WOODS)),
    Specimen("heavy_wooded_hill", (Kind.HILL,), _make_sampler(make_hill, cover=Kind.HEAVY_WOODS)),
    Specimen("hill_and_cliff", (Kind.HILL, Kind.CLIFF), _make_sampler(make_hill, face=Kind.CLIFF)),
    Specimen("hill_and_scree", (Kind.HILL, Kind.SCREE), _make_sampler(make_hill, face=Kind.SCREE)),
)


def specimens() -> Iterator[Specimen]:
    """Yield the fields of the symbol sheet: every ``Kind`` in order, each followed by its variants."""
    for kind in Kind:
        yield Specimen(kind.value, (kind,), _make_sampler(make_sample, kind))
        if kind is Kind.HILL:
            yield from _HILLS


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
