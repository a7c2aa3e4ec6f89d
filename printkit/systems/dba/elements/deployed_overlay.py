"""Elements and camps on a board, stored as overlays of a record, so that a record redraws them, and their symbols.

The outline of an overlay is the base. Its label has the rest in separate words. For an element these are code, type,
group number, place and facing; for a camp, the holder and the facing. ``side`` is ``NPG`` or ``YOU``. An exclamation
mark after the place means that the list with the map has a note about the element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, json
from shapely import Polygon, affinity, box

from printkit.core.errors import RecordError
from printkit.core.numbers import is_number
from printkit.core.resources import resource
from printkit.drawing.canvas.items import Cap, Ink, Item, Join, Path, PathRun, Stroke
from printkit.terrain.field.battlefield import Battlefield, Overlay

# The kinds of overlays.
ELEMENT: Final = "element"
CAMP: Final = "camp"
# The zone of a side; its label lists the codes of elements without space there.
UNPLACED: Final = "unplaced"

# The sides.
NPG: Final = "NPG"
YOU: Final = "YOU"

# Places other than those of the groups: at sea, in a town, in the camp, and YOUR line.
LANDING: Final = "landing"
GARRISON: Final = "garrison"
CAMP_PLACE: Final = "camp"
LINE: Final = "line"

_NOTE_MARK: Final = "!"
_ELEMENT_WORDS: Final = 5
_CAMP_WORDS: Final = 2
_UPWARDS_DEG: Final = 90.0


class DeployedElement(Struct, frozen=True, kw_only=True):
    """One element on the board, in mm of the board or of the print.

    ``x`` and ``y`` are the centre of its base, ``width`` and ``depth`` its size. ``facing`` is in degrees anticlockwise
    from +x. ``group`` is its group number from 1; 0 means no group. ``code`` has no star. ``has_note`` is True if the
    rules could not be followed for its group.
    """

    side: str
    code: str
    type: str
    x: float
    y: float
    facing: float
    width: float
    depth: float
    is_general: bool = False
    group: int = 0
    place: str = LINE
    has_note: bool = False

    @property
    def code_text(self) -> str:
        """Return the element's code, with a star for a general."""
        return f"{self.code}{'*' if self.is_general else ''}"

    @property
    def base(self) -> Polygon:
        """Return the outline of the element's base, in the same mm as its position."""
        return _base_outline(self.x, self.y, self.width, self.depth, self.facing)


class DeployedCamp(Struct, frozen=True, kw_only=True):
    """A camp on the board: its centre and side, its facing, and the code of its holder or an empty text.

    Lengths are in mm of the board or of the print; the facing is in degrees anticlockwise from the right.
    """

    side: str
    x: float
    y: float
    size: float
    facing: float
    holder: str = ""

    @property
    def base(self) -> Polygon:
        """Return the outline of the camp, in the same mm as its position."""
        return _base_outline(self.x, self.y, self.size, self.size, self.facing)


def make_element_overlay(element: DeployedElement) -> Overlay:
    """Return an element as an overlay of a record: its base as the shape, the rest in the label."""
    place = f"{element.place}{_NOTE_MARK if element.has_note else ''}"
    label = f"{element.code_text} {element.type} {element.group} {place} {element.facing:g}"
    return Overlay(kind=ELEMENT, shape=element.base, label=label, side=element.side)


def make_camp_overlay(camp: DeployedCamp) -> Overlay:
    """Return a camp as an overlay of a record: its outline as the shape, the rest in the label."""
    return Overlay(kind=CAMP, shape=camp.base, label=f"{camp.holder or '-'} {camp.facing:g}", side=camp.side)


def read_elements(field: Battlefield) -> tuple[DeployedElement, ...]:
    """Return the elements on a battlefield, in the order of its record; empty if there are none.

    Raises:
        RecordError: a label is not valid.
    """
    return tuple(_parse_element(overlay) for overlay in field.overlays if overlay.kind == ELEMENT)


def read_camps(field: Battlefield) -> tuple[DeployedCamp, ...]:
    """Return the camps on a battlefield, in the order of its record; empty if there are none.

    Raises:
        RecordError: a label is not valid.
    """
    return tuple(_parse_camp(overlay) for overlay in field.overlays if overlay.kind == CAMP)


def _parse_element(overlay: Overlay) -> DeployedElement:
    """Return the element that an overlay stores in its shape and its label.

    Raises:
        RecordError: the label is not valid.
    """
    label_words = overlay.label.split()
    if len(label_words) != _ELEMENT_WORDS or not is_number(label_words[2]) or label_words[1] not in SYMBOLS:
        raise RecordError(
            "overlay of kind {element!r}: the label {label!r} is not CODE TYPE GROUP PLACE FACING; write "
            "for example '3Kn* Kn 2 centre 270'",
            element=ELEMENT,
            label=overlay.label,
        )
    facing = _parse_angle(label_words[4], overlay)
    x, y, width, depth = _measure_base(overlay, facing)
    return DeployedElement(
        side=overlay.side,
        code=label_words[0].rstrip("*"),
        type=label_words[1],
        x=x,
        y=y,
        facing=facing,
        width=width,
        depth=depth,
        is_general=label_words[0].endswith("*"),
        group=int(label_words[2]),
        place=label_words[3].removesuffix(_NOTE_MARK),
        has_note=label_words[3].endswith(_NOTE_MARK),
    )


def _parse_camp(overlay: Overlay) -> DeployedCamp:
    """Return the camp that an overlay stores in its shape and its label.

    Raises:
        RecordError: the label is not valid.
    """
    label_words = overlay.label.split()
    if len(label_words) != _CAMP_WORDS:
        raise RecordError(
            "overlay of kind {camp!r}: the label {label!r} is not HOLDER FACING; write for example 'CF 270'",
            camp=CAMP,
            label=overlay.label,
        )
    facing = _parse_angle(label_words[1], overlay)
    x, y, size, _ = _measure_base(overlay, facing)
    return DeployedCamp(side=overlay.side, x=x, y=y, size=size, facing=facing, holder=label_words[0].strip("-"))


def _parse_angle(text: str, overlay: Overlay) -> float:
    """Return a facing in degrees anticlockwise from +x, from 0 to under 360; the error names the kind of ``overlay``.

    Raises:
        RecordError: the text is not a number.
    """
    try:
        return float(text) % 360.0
    except ValueError:
        raise RecordError(
            "overlay of kind {kind!r}: {text!r} is not an angle; write degrees anticlockwise from the right",
            kind=overlay.kind,
            text=text,
        ) from None


def _measure_base(overlay: Overlay, facing: float) -> tuple[float, float, float, float]:
    """Return the centre x and y, the width and the depth of a base, in the mm of the overlay.

    ``facing`` is in degrees anticlockwise from the right.
    """
    upright = affinity.rotate(overlay.shape, _UPWARDS_DEG - facing, origin="center")
    left, low, right, high = overlay.shape.bounds
    x_min, y_min, x_max, y_max = upright.bounds
    return (left + right) / 2, (low + high) / 2, x_max - x_min, y_max - y_min


def _base_outline(x: float, y: float, width: float, depth: float, facing: float) -> Polygon:
    """Return the outline of a base from its centre and its size, in the same mm.

    ``facing`` is in degrees anticlockwise from the right.
    """
    upright = box(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)
    rotated_outline: Polygon = affinity.rotate(upright, facing - _UPWARDS_DEG, origin=(x, y))
    return rotated_outline


def iterate_groups(elements: tuple[DeployedElement, ...]) -> Iterator[tuple[int, tuple[DeployedElement, ...]]]:
    """Yield the number and the elements of each group, in the order of the numbers.

    Elements without a group (number 0) are left out.
    """
    for number in sorted({element.group for element in elements if element.group}):
        yield number, tuple(element for element in elements if element.group == number)


_Point: TypeAlias = tuple[float, float]

# The symbols of the 17 troop types, in solid black and line: the weapon or the mount. Each is in a square of ten units
# around its centre. ``tools/patterns/drawn_symbols.py`` draws them.

# Units of the square for a symbol.
SIDE: Final = 10.0

# The name of the star of a general, which is drawn like a symbol.
STAR: Final = "general"

_MIN_LINE_MM: Final = 0.12
_GRID: Final = 100


class SymbolPart(Struct, frozen=True):
    """A shape of a symbol: ``ink`` and ``paper`` are filled, a ``line`` has a width, a ``ring`` is a closed line.

    Points and the width of a line are in units of the symbol, which is 10 units wide.
    """

    kind: Literal["ink", "paper", "line", "ring"]
    points: tuple[_Point, ...]
    width: float = 0.7


# The symbol of each type by its code, and the star of a general.
SYMBOLS: Final[Mapping[str, tuple[SymbolPart, ...]]] = json.decode(
    resource("templates/patterns", "troop-symbols.json").read_bytes(), type=dict[str, tuple[SymbolPart, ...]]
)


def draw_symbol(name: str, x: float, y: float, side: float, ink: Ink, paper: Ink) -> list[Item]:
    """Return the symbol of a troop type, at most ``side`` mm high and wide on paper.

    Args:
        name: the code of the type, for example ``Kn``, or ``general``.
        x: of the centre, in mm on paper.
        y: of the centre, in mm on paper.
        side: of the square, in mm on paper.
        ink: of the symbol.
        paper: of the parts cut out of it.

    Raises:
        KeyError: no type has this code.
    """
    scale = side / SIDE
    items: list[Item] = []
    for symbol_part in SYMBOLS[name]:
        numbers = tuple(
            round(_GRID * value)
            for unit_x, unit_y in symbol_part.points
            for value in (x + unit_x * scale, y + unit_y * scale)
        )
        run = PathRun(numbers, symbol_part.kind != "line")
        if symbol_part.kind in ("ink", "paper"):
            items.append(Path((run,), fill=ink if symbol_part.kind == "ink" else paper))
        else:
            stroke = Stroke(ink, max(symbol_part.width * scale, _MIN_LINE_MM), cap=Cap.BUTT, join=Join.ROUND)
            items.append(Path((run,), stroke=stroke))
    return items
