"""Leaflets: pages of blocks and figures with a title, running headers and footers.

Type and gaps adapt a little to avoid a last page with few lines: tighter if that saves a page, wider if there is space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Block, Paragraph
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, line, measure, wrap_text
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.figures import Figure, SideFigure, set_beside, set_figure
from printkit.drawing.text.flow import Strips, TextSection, TypeArea, fill_of, flow, height_of
from printkit.drawing.text.text_styles import LaidOutBlock, TextStyle, drawing_of, ornament_rule, rule, text_style
from printkit.drawing.text.typesetting import set_block

# --- Headers and footers of the pages of a leaflet --------------------------------------------------------------------

# Height in mm of the running header, and minimum height of the footer; long texts make the footer higher.
HEAD: Final = 8.5
FOOT: Final = 6.5

_TITLE_PT: Final = 25.0
_SUBTITLE_PT: Final = 11.5
_RUNNING_PT: Final = 9.0
_SMALL_PT: Final = 7.0
_SMALL_LEADING: Final = 1.15
_LOWEST: Final = 0.8
_BEFORE_NUMBER: Final = 6.0
_ABOVE_FOOT: Final = 1.0
_LINE: Final = 0.25
_LOZENGE: Final = 1.7
_HEAD_LEADING: Final = 1.12


def title_block(title: str, subtitle: str, width: float, style: Style) -> Drawing:
    """Return the title over the full width, with the subtitle and an ornamental rule below."""
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    rows, hand = fit_text(
        title, TypeStyle.for_style(style, Font.ROMAN, _TITLE_PT, ink, track=0.25), width, lines=1, least_share=0.7
    )
    italic = TypeStyle.for_style(style, Font.ITALIC, _SUBTITLE_PT, second, track=0.1)
    under, small = fit_text(subtitle, italic, width, lines=1, least_share=0.8) if subtitle else ((), italic)
    height = len(rows) * hand.height * _HEAD_LEADING + len(under) * small.height * 1.3 + 7.0
    items: list[Item] = []
    y = height
    for row in rows:
        y -= hand.height * _HEAD_LEADING
        items += line(row, (width / 2, y + 0.26 * hand.height), hand, anchor=Anchor.MIDDLE)
    for row in under:
        y -= small.height * 1.3
        items += line(row, (width / 2, y + 0.30 * small.height), small, anchor=Anchor.MIDDLE)
    y -= 2.2
    items += ornament_rule((0.0, width), y, _LOZENGE, _LOZENGE + 0.8, ink, _LINE * style.line_factor)
    return drawing_of(width, height, items)


def running_head(title: str, width: float, style: Style) -> Drawing:
    """Return a running header: the small title above a rule."""
    hand = TypeStyle.for_style(style, Font.SMALL_CAPITALS, _RUNNING_PT, style.solid("ink-secondary"), track=0.12)
    rows, hand = fit_text(title, hand, width, lines=1, least_share=0.8)
    items: list[Item] = [*line(rows[0] if rows else "", (0.0, HEAD - 3.6), hand)]
    y = HEAD - 5.0
    items.append(rule([(0.0, y), (width, y)], style.solid("ink"), _LINE * style.line_factor))
    return drawing_of(width, HEAD, items)


def explained_head(title: str, how: str, width: float, height: float, drafter: Drafter, *, air: float = 2.0) -> Drawing:
    """Return a running header with instructions for the page below; ``air`` mm stay free at the bottom."""
    top = running_head(title, width, drafter.style)
    said = drafter.prose((Paragraph(how),), Rect(0.0, air, width, height - top.height - air))
    return joined(
        width,
        height,
        [PlacedDrawing(top, 0.0, height - top.height), PlacedDrawing(drawing_of(width, height, said), 0.0, 0.0)],
    )


def running_foot(origin: str, number: str, width: float, style: Style, who: Sequence[str] = ()) -> Drawing:
    """Return a footer: the game on the left, the page number on the right, and above them the sides (``who``).

    Long texts wrap, and make the footer higher.
    """
    hand = TypeStyle.for_style(style, Font.FIGURES, _SMALL_PT, style.solid("ink-secondary"))
    rows = wrap_text(origin, hand.font, hand.size_pt, width - measure(number, hand) - _BEFORE_NUMBER)
    for said in reversed(who):
        rows = (*_parted(said, hand, width), *rows)
    items: list[Item] = [*line(number, (width, _LOWEST), hand, anchor=Anchor.END)]
    for place, row in enumerate(reversed(rows)):
        items += line(row, (0.0, _LOWEST + place * hand.height * _SMALL_LEADING), hand)
    height = max(FOOT, _LOWEST + len(rows) * hand.height * _SMALL_LEADING + _ABOVE_FOOT)
    return drawing_of(width, height, items)


def _parted(said: str, hand: TypeStyle, width: float) -> tuple[str, ...]:
    """Return the sides in one row if they fit, otherwise each side in separate rows."""
    parts = (said,) if measure(said, hand) <= width else said.split(SEPARATOR)
    return tuple(row for part in parts for row in wrap_text(part, hand.font, hand.size_pt, width))


def numbered(words: Words, number: int, count: int) -> str:
    """Return the page number as text, for example page 2 of 3; empty for a single page."""
    return words("leaflets.page", number=number, count=count) if count > 1 else ""


class Columns(Struct, frozen=True):
    """Blocks and figures that flow through columns side by side."""

    contents: tuple[Block | Figure, ...]
    count: int = 2


class NewPage(Struct, frozen=True):
    """A page break."""


Content: TypeAlias = Block | Figure | SideFigure | Columns | NewPage


class Leaflet(Struct, frozen=True, kw_only=True):
    """The contents of a leaflet.

    ``origin`` is the footer text that names the game; ``who`` names the sides there, one line for each language.
    ``level`` gives all pages about the same height; otherwise each page is filled before the next.
    """

    title: str
    contents: tuple[Content, ...]
    subtitle: str = ""
    origin: str = ""
    level: bool = True
    who: tuple[str, ...] = ()


class TextSpacing(NamedTuple):
    """Factors for type size, leading and gaps."""

    size: float
    leading: float
    air: float


# Normal and smallest size of running text on pages, in points.
SIZE_PT: Final = 10.5
LEAST_PT: Final = 9.0

_LEADING: Final = 1.2
_USUAL: Final = TextSpacing(1.0, 1.0, 1.0)
_CLOSER: Final = (
    TextSpacing(1.0, 0.97, 0.8),
    TextSpacing(0.95, 0.97, 0.8),
    TextSpacing(0.90, 0.97, 0.75),
    TextSpacing(LEAST_PT / SIZE_PT, 0.96, 0.7),
)
_WIDER: Final = (
    TextSpacing(1.12, 1.08, 1.7),
    TextSpacing(1.10, 1.05, 1.5),
    TextSpacing(1.05, 1.04, 1.4),
    TextSpacing(1.0, 1.03, 1.25),
)
_NEARLY_EMPTY: Final = 0.40
_HALF: Final = 0.72
_FULL: Final = 0.75
_MOST_STRETCHED: Final = 2.0
_HALVINGS: Final = 6
_ENDLESS: Final = 10_000.0
_FEW_PARTS: Final = 10
# Gap between columns in mm.
GUTTER: Final = 6.0


def leaflet_pages(
    leaflet: Leaflet, width: float, height: float, *, style: Style, words: Words, size_pt: float = SIZE_PT
) -> tuple[Drawing, ...]:
    """Return the pages of a leaflet as drawings of ``width`` by ``height`` mm.

    Raises:
        PageError: one figure or row is larger than a page.
    """
    head = title_block(leaflet.title, leaflet.subtitle, width, style)
    rooms = leaflet_rooms(leaflet, width, height, style=style, words=words)
    usual = text_style(style, size_pt, leading=_LEADING)
    pages = _filled(leaflet, usual, rooms)
    made = []
    for number, strips in enumerate(pages, 1):
        top = head if number == 1 else running_head(leaflet.title, width, style)
        room = rooms.first if number == 1 else rooms.other
        parts = [PlacedDrawing(top, 0.0, height - top.height)]
        parts += _hung(strips, height - top.height, room, last=number == len(pages))
        number_said = numbered(words, number, len(pages))
        parts.append(PlacedDrawing(running_foot(leaflet.origin, number_said, width, style, leaflet.who), 0.0, 0.0))
        made.append(joined(width, height, parts))
    return tuple(made)


def leaflet_rooms(leaflet: Leaflet, width: float, height: float, *, style: Style, words: Words) -> TypeArea:
    """Return the type area of the pages of a leaflet, between header and footer."""
    head = title_block(leaflet.title, leaflet.subtitle, width, style)
    foot = running_foot(leaflet.origin, numbered(words, 88, 88), width, style, leaflet.who).height
    return TypeArea(width, height - head.height - foot, height - HEAD - foot)


def contents_height(contents: Sequence[Content], width: float, style: Style) -> float:
    """Return the height in mm of contents in the normal type of a leaflet, stacked on one page.

    Raises:
        PageError: a figure is wider than the page.
    """
    stretches = tuple(_stretches(contents, text_style(style, SIZE_PT, leading=_LEADING), width))
    if not stretches:
        return 0.0
    (page,) = flow(tuple(replace(each, fresh=False) for each in stretches), TypeArea(width, _ENDLESS, _ENDLESS))
    return height_of(page)


def _filled(leaflet: Leaflet, usual: TextStyle, rooms: TypeArea) -> tuple[Strips, ...]:
    """Return the pages, with tighter type to save a nearly empty page, or wider type if there is space."""

    def tried(tight: TextSpacing) -> tuple[tuple[TextSection, ...], tuple[Strips, ...]]:
        own = usual.sized(tight.size).closer(_LEADING * tight.leading, tight.air)
        stretches = tuple(_stretches(leaflet.contents, own, rooms.width))
        return stretches, flow(stretches, rooms)

    stretches, pages = tried(_USUAL)
    if len(pages) > 1 and fill_of(pages, rooms) < _NEARLY_EMPTY:
        for tight in _CLOSER:
            _, closer = tried(tight)
            if len(closer) < len(pages):
                return closer
    if len(pages) > 1 and not leaflet.level:
        return pages
    for tight in _WIDER if len(pages) == 1 or fill_of(pages, rooms) < _FULL else ():
        loose, wider = tried(tight)
        if len(wider) == len(pages):
            stretches, pages = loose, wider
            break
    if len(pages) == 1 or fill_of(pages, rooms) >= _HALF:
        return pages
    return _levelled(pages, stretches, rooms)


def _levelled(pages: tuple[Strips, ...], stretches: Sequence[TextSection], rooms: TypeArea) -> tuple[Strips, ...]:
    """Return the same number of pages, all filled to a lower height, so that the last is not half empty."""
    low, high = 0.5, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        try:
            level = flow(stretches, TypeArea(rooms.width, rooms.first * middle, rooms.other * middle))
        except PageError:
            level = ()
        if len(level) == len(pages):
            pages, high = level, middle
        else:
            low = middle
    return pages


def _hung(strips: Strips, top: float, room: float, *, last: bool) -> Iterator[PlacedDrawing]:
    """Yield the drawings of a page from the top. On all pages but the last the gaps grow to fill the page."""
    gaps = plain_sum(strip.before for strip in strips[1:])
    free = room - height_of(strips)
    stretched = 1.0
    if not last and gaps > 0:
        stretched = min(1.0 + free / gaps, _MOST_STRETCHED)
    for place, strip in enumerate(strips):
        top -= strip.drawing.height + (strip.before * stretched if place else 0.0)
        yield PlacedDrawing(strip.drawing, 0.0, top)


def _stretches(contents: Sequence[Content], how: TextStyle, width: float) -> Iterator[TextSection]:
    """Yield the contents as sections, each over the full width or in columns."""
    settings: list[LaidOutBlock] = []
    fresh = False
    for content in contents:
        if isinstance(content, NewPage | Columns) and settings:
            yield TextSection(tuple(settings), fresh=fresh)
            settings, fresh = [], False
        match content:
            case NewPage():
                fresh = True
            case Columns():
                narrow = (width - GUTTER * (content.count - 1)) / content.count
                inner = tuple(_whole(_set(each, narrow, how)) for each in content.contents)
                yield TextSection(inner, columns=content.count, gap=GUTTER, fresh=fresh)
                fresh = False
            case SideFigure():
                settings += set_beside(content, width, how)
            case _:
                settings.append(_set(content, width, how))
    if settings:
        yield TextSection(tuple(settings), fresh=fresh)


def _set(content: Block | Figure, width: float, how: TextStyle) -> LaidOutBlock:
    return set_figure(content, width, how) if isinstance(content, Figure) else set_block(content, width, how)


def _whole(setting: LaidOutBlock) -> LaidOutBlock:
    """Return a block of few parts as one that no column breaks."""
    count = len(setting.parts)
    return replace(setting, least=count) if 1 < count <= _FEW_PARTS else setting
