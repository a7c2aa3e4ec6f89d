"""Elements and camps as they stand on a board, kept among the overlays of a record, so that a record redraws them.

The outline of an overlay is the base itself. Its label says the rest in words apart: for an element its code, its
type, the number of its group, its place and where it looks; for a camp who holds it and where it looks. ``side`` is
``NPG`` or ``YOU``. A place with an exclamation mark is one of which the list that goes with the map has a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from shapely import Polygon, affinity, box

from printkit.core.errors import RecordError
from printkit.core.numbers import is_number
from printkit.systems.dba.elements.troop_symbols import SYMBOLS
from printkit.terrain.field.battlefield import Battlefield, Overlay

ELEMENT: Final = "element"
CAMP: Final = "camp"
UNPLACED: Final = "unplaced"
"""The kinds of overlays; the last is the zone of a side, its label the codes of those who have no ground there."""

NPG: Final = "NPG"
YOU: Final = "YOU"
"""The sides."""

LANDING: Final = "landing"
GARRISON: Final = "garrison"
CAMP_PLACE: Final = "camp"
LINE: Final = "line"
"""Places besides those of the groups: at sea, in a town, in the camp, and YOUR line."""

_NOTED: Final = "!"
_ELEMENT_WORDS: Final = 5
_CAMP_WORDS: Final = 2
_STRAIGHT: Final = 90.0


class DeployedElement(Struct, frozen=True, kw_only=True):
    """One element on the board, in mm of the board or of the print.

    ``x`` and ``y`` are the middle of its base, ``facing`` degrees anticlockwise from +x, ``width`` and ``depth`` the
    base. ``group`` is the number of its group from 1, 0 where it is in none; ``code`` is written without the star.
    ``noted`` says that its group could not be stood as the rules want it.
    """

    side: str
    code: str
    type: str
    x: float
    y: float
    facing: float
    width: float
    depth: float
    general: bool = False
    group: int = 0
    place: str = LINE
    noted: bool = False

    @property
    def written(self) -> str:
        """Return its code, a general's with a star."""
        return f"{self.code}{'*' if self.general else ''}"

    @property
    def base(self) -> Polygon:
        """Return the outline of the base."""
        return _turned(self.x, self.y, self.width, self.depth, self.facing)


class DeployedCamp(Struct, frozen=True, kw_only=True):
    """A camp on the board: its middle, its side in mm, where it looks, and the code of who holds it, or nothing."""

    side: str
    x: float
    y: float
    size: float
    facing: float
    holder: str = ""

    @property
    def base(self) -> Polygon:
        """Return its outline."""
        return _turned(self.x, self.y, self.size, self.size, self.facing)


def element_overlay(element: DeployedElement) -> Overlay:
    """Return an element as an overlay of a record."""
    place = f"{element.place}{_NOTED if element.noted else ''}"
    label = f"{element.written} {element.type} {element.group} {place} {element.facing:g}"
    return Overlay(kind=ELEMENT, shape=element.base, label=label, side=element.side)


def camp_overlay(camp: DeployedCamp) -> Overlay:
    """Return a camp as an overlay of a record."""
    return Overlay(kind=CAMP, shape=camp.base, label=f"{camp.holder or '-'} {camp.facing:g}", side=camp.side)


def elements_of(field: Battlefield) -> tuple[DeployedElement, ...]:
    """Return the elements that stand on a battlefield, in the order of its record.

    Raises:
        RecordError: the label of one does not say what it has to.
    """
    return tuple(_element(overlay) for overlay in field.overlays if overlay.kind == ELEMENT)


def camps_of(field: Battlefield) -> tuple[DeployedCamp, ...]:
    """Return the camps of a battlefield.

    Raises:
        RecordError: the label of one does not say what it has to.
    """
    return tuple(_camp(overlay) for overlay in field.overlays if overlay.kind == CAMP)


def _element(overlay: Overlay) -> DeployedElement:
    said = overlay.label.split()
    if len(said) != _ELEMENT_WORDS or not is_number(said[2]) or said[1] not in SYMBOLS:
        raise RecordError(
            "overlay of kind {element!r}: the label {label!r} is not CODE TYPE GROUP PLACE FACING; write "
            "for example '3Kn* Kn 2 centre 270'",
            element=ELEMENT,
            label=overlay.label,
        )
    facing = _angle(said[4], overlay)
    x, y, width, depth = _measured(overlay, facing)
    return DeployedElement(
        side=overlay.side,
        code=said[0].rstrip("*"),
        type=said[1],
        x=x,
        y=y,
        facing=facing,
        width=width,
        depth=depth,
        general=said[0].endswith("*"),
        group=int(said[2]),
        place=said[3].removesuffix(_NOTED),
        noted=said[3].endswith(_NOTED),
    )


def _camp(overlay: Overlay) -> DeployedCamp:
    said = overlay.label.split()
    if len(said) != _CAMP_WORDS:
        raise RecordError(
            "overlay of kind {camp!r}: the label {label!r} is not HOLDER FACING; write for example 'CF 270'",
            camp=CAMP,
            label=overlay.label,
        )
    facing = _angle(said[1], overlay)
    x, y, size, _ = _measured(overlay, facing)
    return DeployedCamp(side=overlay.side, x=x, y=y, size=size, facing=facing, holder=said[0].strip("-"))


def _angle(text: str, overlay: Overlay) -> float:
    try:
        return float(text) % 360.0
    except ValueError:
        raise RecordError(
            "overlay of kind {kind!r}: {text!r} is not an angle; write degrees anticlockwise from the right",
            kind=overlay.kind,
            text=text,
        ) from None


def _measured(overlay: Overlay, facing: float) -> tuple[float, float, float, float]:
    """Return middle, width and depth of a base that looks somewhere."""
    upright = affinity.rotate(overlay.shape, _STRAIGHT - facing, origin="center")
    left, low, right, high = overlay.shape.bounds
    across, up, over, top = upright.bounds
    return (left + right) / 2, (low + high) / 2, over - across, top - up


def _turned(x: float, y: float, width: float, depth: float, facing: float) -> Polygon:
    upright = box(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)
    turned: Polygon = affinity.rotate(upright, facing - _STRAIGHT, origin=(x, y))
    return turned


def groups_of(elements: tuple[DeployedElement, ...]) -> Iterator[tuple[int, tuple[DeployedElement, ...]]]:
    """Yield each group that stands on the table with its number, in order."""
    for number in sorted({each.group for each in elements if each.group}):
        yield number, tuple(each for each in elements if each.group == number)
