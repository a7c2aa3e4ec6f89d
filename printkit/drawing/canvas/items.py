"""The display list: what is drawn, as numbers and strings on named layers. Nothing here knows shapely or a file format.

Points are whole hundredths of a millimetre (``GRID``), x to the right, y up, in one flat tuple: x0, y0, x1, y1 ...
So a drawing is equal on every machine, small in memory, and written to a page without rounding again.
Widths, sizes and offsets are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

GRID: Final = 0.01


class Rect(NamedTuple):
    """A rectangle by its lower left corner, in millimetres."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the right side."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """Return the upper side."""
        return self.y + self.height

    def meets(self, other: Rect) -> bool:
        """Return whether the two have a point in common."""
        return self.x <= other.right and other.x <= self.right and self.y <= other.top and other.y <= self.top

    def grown(self, by: float) -> Rect:
        """Return the rectangle with ``by`` added on every side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class Affine(NamedTuple):
    """x' = a x + c y + e, y' = b x + d y + f; the order of PDF and SVG."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point comes to lie."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


class Ink(NamedTuple):
    """A colour 0 to 255, and how much of it covers."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0

    def thin(self, alpha: float) -> Ink:
        """Return the ink with another cover."""
        return self._replace(alpha=alpha)

    def towards(self, other: Ink, share: float) -> Ink:
        """Return the ink mixed with ``share`` of another."""
        red, green, blue = (round(own + (its - own) * share) for own, its in zip(self[:3], other[:3], strict=True))
        return Ink(red, green, blue, self.alpha)

    @classmethod
    def parse(cls, text: str) -> Ink:
        """Return the ink of ``#RRGGBB``; raises ValueError where it is none."""
        if len(text) != 7 or not text.startswith("#"):
            raise ValueError(text)
        return cls(int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


class Cap(IntEnum):
    """How a line ends; the numbers of PDF."""

    BUTT = 0
    ROUND = 1
    SQUARE = 2


class Join(IntEnum):
    """How a line turns; the numbers of PDF."""

    MITRE = 0
    ROUND = 1
    BEVEL = 2


class FillRule(Enum):
    """What counts as inside."""

    EVEN_ODD = "evenodd"
    NON_ZERO = "nonzero"


class Anchor(StrEnum):
    """Which part of a text stands at its point."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class Font(StrEnum):
    """The typefaces, by their file in ``fonts`` without its ending."""

    ROMAN = "EBGaramond12-Regular"
    ITALIC = "EBGaramond12-Italic"
    SMALL = "EBGaramond08-Regular"
    SMALL_ITALIC = "EBGaramond08-Italic"
    SMALL_CAPITALS = "EBGaramondSC12-Regular"
    FIGURES = "Lato-Regular"
    FIGURES_ITALIC = "Lato-Italic"
    FIGURES_MEDIUM = "Lato-Medium"
    BANNER = "Lato-Semibold"
    HEAVY = "Lato-Heavy"
    INDEX = "OldStandard-Bold"


class Stroke(Struct, frozen=True):
    """A line of a width in mm, with dashes on, off, ... in mm and where in them it begins."""

    ink: Ink
    width: float
    dash: tuple[float, ...] = ()
    phase: float = 0.0
    cap: Cap = Cap.ROUND
    join: Join = Join.ROUND


class PathRun(Struct, frozen=True):
    """Points joined by straight lines: flat x0, y0, x1, y1 ... on the grid of 0.01 mm."""

    points: tuple[int, ...]
    closed: bool = True


class Path(Struct, frozen=True):
    """Runs filled together, stroked together, or both; filled first."""

    runs: tuple[PathRun, ...]
    fill: Ink | None = None
    stroke: Stroke | None = None
    rule: FillRule = FillRule.EVEN_ODD


class Text(Struct, frozen=True, kw_only=True):
    """One line of type. ``angle`` turns it anticlockwise in degrees; ``track`` is mm added between letters.

    ``glyphs`` sets it along a curve: for each letter x, y and angle of its left foot, in mm and degrees; ``at``,
    ``anchor`` and ``angle`` then count for nothing. ``halo`` is stroked beneath the letters.
    """

    content: str
    at: tuple[float, float]
    size_pt: float
    ink: Ink
    font: Font
    anchor: Anchor = Anchor.START
    angle: float = 0.0
    track: float = 0.0
    halo: Stroke | None = None
    glyphs: tuple[tuple[float, float, float], ...] = ()


class Mask(Struct, frozen=True):
    """How much of a picture covers, dot by dot: rows from the top, a byte a dot, 255 for all of it."""

    width: int
    height: int
    levels: bytes


class Picture(Struct, frozen=True, kw_only=True):
    """A painted surface: a picture of the stock, or an ink, shown through a mask.

    ``paint`` is the name of a texture, which is repeated all over ``frame``; of a sprite, which fills ``frame`` once;
    or an ink. The lattice of a texture is turned by ``turn`` degrees about ``origin`` and ``size`` times as large as
    it was made. ``mask`` is stretched over ``frame``; ``clip`` cuts by an outline; ``veil`` is the share of white that
    is mixed with pictures of the stock; ``alpha`` how much a sprite covers.
    """

    paint: str | Ink
    frame: Rect
    mask: Mask | None = None
    clip: PathRun | None = None
    turn: float = 0.0
    origin: tuple[float, float] = (0.0, 0.0)
    size: float = 1.0
    veil: float = 0.0
    alpha: float = 1.0


class Artwork(Struct, frozen=True):
    """A small drawing kept once and used often; its strokes grow with it. ``name`` is for the eye of the reader.

    Its pictures are painted above its paths.
    """

    name: str
    paths: tuple[Path, ...]
    pictures: tuple[Picture, ...] = ()


class Stamp(Struct, frozen=True):
    """The same artwork at several places."""

    artwork: Artwork
    places: tuple[Affine, ...]


Item: TypeAlias = Path | Text | Stamp | Picture


class LayerName(Enum):
    """The layers in painting order, lowest first."""

    SHEET = auto()
    PAPER = auto()
    MAT = auto()
    MOTTLE = auto()
    HILL_TINT = auto()
    RELIEF = auto()
    GRASS = auto()
    HACHURE = auto()
    CONTOUR = auto()
    GROUND_WASH = auto()
    GROUND_PATTERN = auto()
    GROUND_EDGE = auto()
    FIELD = auto()
    WOOD_FLOOR = auto()
    BANK = auto()
    CUT = auto()
    WATER = auto()
    WATER_LINE = auto()
    TOWN_WASH = auto()
    TOWN_EDGE = auto()
    RAIL = auto()
    CASING = auto()
    COURSE = auto()
    COURSE_DETAIL = auto()
    CROSSING = auto()
    GARDEN = auto()
    HOUSE = auto()
    WORKS = auto()
    MOUNTAIN = auto()
    WOOD_SHADOW = auto()
    CROWN = auto()
    CAMP = auto()
    GRID = auto()
    OVERLAY = auto()
    NUMBER = auto()
    LABEL = auto()
    FRAME = auto()
    MARGIN = auto()
    PRINTER = auto()


class Layer(Struct, frozen=True):
    """Items painted in their order, cut to ``clip`` where there is one: to a rectangle, or to the inside of a run."""

    name: LayerName
    items: tuple[Item, ...]
    clip: Rect | PathRun | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of ``width`` by ``height`` mm, origin at its lower left corner.

    No ``Struct``, since layers may come late (``composing.joined``), which a structure has no room for.
    """

    width: float
    height: float
    layers: tuple[Layer, ...]

    def items(self) -> Iterator[tuple[Layer, Item]]:
        """Yield every item with its layer in painting order."""
        for layer in self.layers:
            for item in layer.items:
                yield layer, item


LayeredItems: TypeAlias = Iterator[tuple[LayerName, Item]]
"""What a sign returns: its items, each with the layer it belongs on."""
