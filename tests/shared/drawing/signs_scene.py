"""What the tests of signs share: a context, a board with features, and items turned back into shapes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import GRID, Item, LayerName, Path
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Kind
from printkit.terrain.geometry.outlines import Noise

STYLES = ("campaign", "high-contrast", "ink-saver")
GOOD = Going(0, "good")
_NOISE = Noise.from_stream(Jitter(7).stream("draw/noise"))


def context(
    name: str = "campaign", *, seed: int = 7, clear: BaseGeometry | None = None, scale: float = 1.0
) -> SymbolContext:
    """Return a context of a style."""
    free = clear if clear is not None else Polygon()
    return SymbolContext(style=style.find(name), jitter=Jitter(seed), noise=_NOISE, scale=scale, clear=free)


def board(*features: Feature, width: float = 400.0, depth: float = 300.0) -> Battlefield:
    """Return a battlefield with these features."""
    return Battlefield(board=Board(width, depth, GroundScale(pace=0.254, base_width=40.0)), features=features)


def course(identity: str, kind: Kind, points: Iterable[tuple[float, float]], width: float) -> Course:
    """Return a river or road."""
    return Course(id=identity, kind=kind, line=LineString(list(points)), width=width, going=GOOD)


def area(identity: str, kind: Kind, outline: Polygon) -> Area:
    """Return an area."""
    return Area(id=identity, kind=kind, outline=outline, going=GOOD)


def crossing(identity: str, kind: Kind, at: tuple[float, float], bearing: float) -> Crossing:
    """Return a crossing of the road D1 and the river R1."""
    return Crossing(id=identity, kind=kind, at=Point(at), bearing=bearing, route="D1", water="R1", going=GOOD)


def winding(length: float, swing: float, *, middle: float = 150.0) -> list[tuple[float, float]]:
    """Return points of a course from the left edge to the right that swings up and down in 240 mm."""
    x = np.linspace(0, length, 201)
    return [(float(a), float(b)) for a, b in zip(x, middle + swing * np.sin(2 * np.pi * x / 240), strict=True)]


def oval(x: float, y: float, wide: float, high: float) -> Polygon:
    """Return an ellipse as a polygon."""
    return shapely.affinity.translate(shapely.affinity.scale(Point(0, 0).buffer(1.0, quad_segs=32), wide, high), x, y)


def shape(path: Path) -> BaseGeometry:
    """Return what a path fills, or else the lines that it strokes."""
    rings = [np.array(run.points).reshape(-1, 2) * GRID for run in path.runs]
    if path.fill is None:
        closed = [
            np.vstack([ring, ring[:1]]) if run.closed else ring for ring, run in zip(rings, path.runs, strict=True)
        ]
        return shapely.union_all([LineString(ring) for ring in closed])
    parts: list[BaseGeometry] = [shapely.make_valid(Polygon(ring)) for ring in rings]
    if path.rule.value != "evenodd":
        return shapely.union_all(parts)
    # Halves of halves: a pile to which part after part is added would be gone over again for each.
    while len(parts) > 1:
        pairs = [parts[place : place + 2] for place in range(0, len(parts), 2)]
        parts = [pair[0].symmetric_difference(pair[1]) if len(pair) > 1 else pair[0] for pair in pairs]
    return parts[0] if parts else Polygon()


def corners(path: Path) -> np.ndarray:
    """Return all points of a path in mm."""
    return np.concatenate([run.points for run in path.runs]).reshape(-1, 2) * GRID


def paths(items: Iterable[tuple[LayerName, Item]], layer: LayerName) -> list[Path]:
    """Return the paths of one layer."""
    return [item for name, item in items if name is layer and isinstance(item, Path)]


def filled(items: Iterable[tuple[LayerName, Item]], ink: object) -> BaseGeometry:
    """Return all ground that is filled with an ink."""
    return shapely.union_all([shape(item) for _, item in items if isinstance(item, Path) and item.fill == ink])


def stroked(items: Iterable[tuple[LayerName, Item]], ink: object) -> BaseGeometry:
    """Return all lines that are stroked with an ink."""
    found = [shape(item) for _, item in items if isinstance(item, Path) and item.stroke and item.stroke.ink == ink]
    return shapely.union_all(found)
