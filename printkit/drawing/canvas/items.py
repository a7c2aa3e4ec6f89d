"""The display list: drawn items as numbers and strings on named layers.

It is independent of shapely and of file formats. Points are integers in hundredths of a millimetre (``GRID``), x to
the right, y up, in one flat tuple: x0, y0, x1, y1 ... This makes a drawing identical on every machine, small in memory,
and ready to write without further rounding. Widths, sizes and offsets are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

GRID: Final = 0.01


class Rect(NamedTuple):
    """A rectangle given by its lower left corner, width and height, in printed mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the x of the right side, in printed mm."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """Return the y of the upper side, in printed mm."""
        return self.y + self.height

    def meets(self, other: Rect) -> bool:
        """Return whether the two rectangles share a point; touching sides count."""
        return self.x <= other.right and other.x <= self.right and self.y <= other.top and other.y <= self.top

    def padded(self, margin: float) -> Rect:
        """Return the rectangle with ``margin`` printed mm more on every side; a negative margin makes it smaller."""
        return Rect(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)


class Affine(NamedTuple):
    """An affine map: x' = a x + c y + e, y' = b x + d y + f; the order of PDF and SVG.

    ``e`` and ``f`` are a shift in mm for stamps and placed drawings; the other four are factors.
    """

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return x and y of the image of a point, in the unit of the map (mm for stamps)."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


class Ink(NamedTuple):
    """An RGB colour (0 to 255) and its opacity (0 to 1)."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0

    def with_alpha(self, alpha: float) -> Ink:
        """Return the ink with another opacity, from 0 (transparent) to 1 (opaque)."""
        return self._replace(alpha=alpha)

    def mix(self, other: Ink, share: float) -> Ink:
        """Return the ink mixed with another: ``share`` 0 keeps its colour, 1 gives the other; it keeps its opacity."""
        red, green, blue = (
            round(value + (target - value) * share) for value, target in zip(self[:3], other[:3], strict=True)
        )
        return Ink(red, green, blue, self.alpha)

    @classmethod
    def parse(cls, text: str) -> Ink:
        """Return the opaque ink of ``#RRGGBB`` in hexadecimal digits; raises ValueError for any other text."""
        if len(text) != 7 or not text.startswith("#"):
            raise ValueError(text)
        return cls(int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


class Cap(IntEnum):
    """Line caps, by their PDF numbers."""

    BUTT = 0
    ROUND = 1
    SQUARE = 2


class Join(IntEnum):
    """Line joins, by their PDF numbers."""

    MITRE = 0
    ROUND = 1
    BEVEL = 2


class FillRule(Enum):
    """The rules that decide which points are inside a path."""

    EVEN_ODD = "evenodd"
    NON_ZERO = "nonzero"


class Anchor(StrEnum):
    """The part of a text that is at its position."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


class Font(StrEnum):
    """The typefaces, by file name in ``fonts`` without the extension."""

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
    """A line style in printed mm: width, dash lengths (on, off, ...) and start position in the dashes."""

    ink: Ink
    width: float
    dash: tuple[float, ...] = ()
    phase: float = 0.0
    cap: Cap = Cap.ROUND
    join: Join = Join.ROUND


class PathRun(Struct, frozen=True):
    """Points connected by straight lines: flat x0, y0, x1, y1 ... in units of 0.01 mm."""

    points: tuple[int, ...]
    closed: bool = True


class Path(Struct, frozen=True):
    """Runs that are filled together, stroked together, or filled and then stroked."""

    runs: tuple[PathRun, ...]
    fill: Ink | None = None
    stroke: Stroke | None = None
    rule: FillRule = FillRule.EVEN_ODD


class Text(Struct, frozen=True, kw_only=True):
    """One line of type.

    ``angle`` rotates it anticlockwise, in degrees; ``track`` is printed mm added between letters.

    ``glyphs`` sets it along a curve: x, y and angle of the left foot of each letter, in mm and degrees. ``at``,
    ``anchor`` and ``angle`` are then ignored. ``halo`` is stroked under the letters. ``link`` is the name of a file
    that opens on a click, relative to the folder of the document.
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
    link: str = ""


class Mask(Struct, frozen=True):
    """The opacity of a picture, pixel by pixel: rows from the top, one byte a pixel, 255 for opaque."""

    width: int
    height: int
    levels: bytes


class Picture(Struct, frozen=True, kw_only=True):
    """A painted surface: a texture, a sprite or an ink, shown through a mask.

    Attributes:
        paint: name of a texture, which is tiled over ``frame``, or of a sprite, which fills it once; or an ink.
        mask: opacity, stretched over ``frame``.
        clip: outline that cuts the picture.
        turn: rotation of the texture's lattice about ``origin``, in degrees.
        size: scale of the texture; 1 is its natural size.
        veil: share of white mixed into a texture or sprite.
        alpha: opacity of a sprite.
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
    """A small drawing that is stored once and used often; its strokes scale with it.

    Its pictures are painted above its paths. ``name`` helps people who read the output.
    """

    name: str
    paths: tuple[Path, ...]
    pictures: tuple[Picture, ...] = ()


class Stamp(Struct, frozen=True):
    """One artwork at several places."""

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
    """Items in painting order, clipped to a rectangle or to the inside of a run if ``clip`` is set.

    A Rect is in printed mm, the points of a run are in units of 0.01 mm.
    """

    name: LayerName
    items: tuple[Item, ...]
    clip: Rect | PathRun | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of ``width`` by ``height`` printed mm, origin at its lower left corner.

    It is a dataclass because ``layers.defer_drawing`` returns a subclass that computes its layers on first use.
    """

    width: float
    height: float
    layers: tuple[Layer, ...]

    def items(self) -> Iterator[tuple[Layer, Item]]:
        """Yield each layer with each of its items, in painting order."""
        for layer in self.layers:
            for item in layer.items:
                yield layer, item


# The items of a symbol, each with its layer.
LayeredItems: TypeAlias = Iterator[tuple[LayerName, Item]]
