"""The grid of nine zones on sheets: three by three, numbered in reading order, a player at each edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Font, Ink, Item, Rect
from printkit.drawing.lettering.lettering import TypeStyle, measure, shrink_to_fit
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import make_disc

ZONES: Final = tuple(range(1, 10))
_ACROSS: Final = 3
_LETTER: Final = 1.25
_WHITE: Final = Ink(255, 255, 255)


class GridPlayer(NamedTuple):
    """A player: their letter, the name of their edge, and the ink and dashes of their lines (mm at 1:1)."""

    name: str
    edge: str
    token: str
    dash: tuple[float, ...] = ()


class ZoneGrid(Struct, frozen=True, kw_only=True):
    """Nine equal cells in a rectangle; ``turned`` by 180 degrees for the player at the far edge."""

    place: Rect
    turned: bool = False

    def cell(self, zone: int) -> Rect:
        """Return the rectangle of a zone (1 to 9) in printed mm.

        Zone 1 is in the upper left corner, and zone 3 in the upper right one; in a turned grid zone 1 is in the lower
        right one.
        """
        number = (10 - zone if self.turned else zone) - 1
        row, column = divmod(number, _ACROSS)
        width, height = self.place.width / _ACROSS, self.place.height / _ACROSS
        return Rect(self.place.x + column * width, self.place.top - (row + 1) * height, width, height)

    def lines(self, drafter: Drafter, *, outer: float = 0.6, inner: float = 0.25) -> Iterator[Item]:
        """Yield the lines between zones and the frame around them; ``inner`` and ``outer`` are their widths.

        Widths are in mm at 1:1.
        """
        place = self.place
        for part in (1, 2):
            x, y = place.x + part * place.width / _ACROSS, place.y + part * place.height / _ACROSS
            yield drafter.rule([(x, place.y), (x, place.top)], inner)
            yield drafter.rule([(place.x, y), (place.right, y)], inner)
        yield drafter.box(place, outer)

    def numbers(self, drafter: Drafter, size_pt: float, *, inset: float) -> Iterator[Item]:
        """Yield the number of each zone, in the upper left corner of its cell.

        ``size_pt`` is the type size in points, and ``inset`` the distance from the sides of the cell in printed mm.
        """
        style = drafter.type_style(Font.HEAVY, size_pt)
        for zone in ZONES:
            cell = self.cell(zone)
            position = (cell.x + inset, cell.top - inset - 0.72 * style.height)
            yield from drafter.text(str(zone), position, style, max_width_mm=cell.width)

    def edges(
        self, far: GridPlayer, near: GridPlayer, drafter: Drafter, *, size_pt: float = 10.0, gap: float = 1.6
    ) -> Iterator[Item]:
        """Yield the names of the players' edges above and below the grid, each between two lines.

        The far player is above, or below if the grid is turned. ``size_pt`` is the type size in points; ``gap`` is the
        distance of the names from the grid, in printed mm.
        """
        upper, lower = (near, far) if self.turned else (far, near)
        style = drafter.type_style(Font.BANNER, size_pt)
        capital = 0.72 * style.height
        for side, foot in ((upper, self.place.top + gap), (lower, self.place.y - gap - capital)):
            yield from draw_edge_name(
                side, Rect(self.place.x, foot, self.place.width, capital), drafter, size_pt=size_pt
            )


def draw_edge_name(side: GridPlayer, place: Rect, drafter: Drafter, *, size_pt: float = 10.0) -> Iterator[Item]:
    """Yield the name of a player's edge in the middle of a strip in printed mm, with a line on each side.

    ``size_pt`` is the preferred type size in points; a long name is smaller. A line that would be at most 1 mm long is
    left out.
    """
    style = drafter.type_style(Font.BANNER, size_pt, side.token, track=0.12 * size_pt / 10)
    length = measure(side.edge, shrink_to_fit(side.edge, style, place.width - 8.0))
    x, y = place.x + place.width / 2, place.y + place.height / 2
    yield from drafter.centred_text(side.edge, (x, y), style, max_width_mm=place.width - 8.0)
    for ends in ((place.x, x - length / 2 - 2.0), (x + length / 2 + 2.0, place.right)):
        if ends[1] - ends[0] > 1.0:
            yield drafter.dashed_line([(ends[0], y), (ends[1], y)], 0.5, side.dash, side.token)


def draw_medallion(
    text: str,
    centre: tuple[float, float],
    radius: float,
    drafter: Drafter,
    *,
    token: str = "ink",
    font: Font = Font.HEAVY,
) -> Iterator[Item]:
    """Yield a white letter or figure on a solid disc; centre and radius are in printed mm.

    ``token`` is the name of the ink of the disc.
    """
    style = TypeStyle.for_style(drafter.style, font, _LETTER * radius / MM_PER_POINT, _WHITE)
    yield make_disc(centre, radius, drafter.style.solid(token))
    yield from drafter.centred_text(text, centre, style, max_width_mm=1.6 * radius)
