"""Trees seen from above: families of crowns drawn once and stamped often, their shadows beneath them as one shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import shapely
from shapely import Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.items import Affine, Artwork, Ink, Laid, LayerName, Rule, Stamp, Stroke
from printkit.drawing.pen import Pen
from printkit.drawing.shapes import Line, fill, outline, polygons
from printkit.drawing.washes import hatched

UNIT: Final = 10.0
"""Radius in mm at which artwork is drawn: large enough that the grid of 0.01 mm does not show in a shrub."""

_LOBED_VARIANTS: Final = 18
_LEAVES: Final = 4
_SPECK: Final = 0.03
"""Bits of shade under this area, of a crown of radius 1, are left out."""

_HATCH_PITCH: Final = 0.17
_SHADOW: Final = (0.51, -0.54, 1.03)
"""How far east and north a shadow lies, in radii, and how much larger than its crown it is."""

_SHADOW_WITHIN: Final = 0.05
_SHADOW_HOLE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Crown:
    """The parts of one crown of radius 1 about the origin; ``rim`` is the deepest of the shade."""

    silhouette: BaseGeometry
    shade: BaseGeometry
    rim: BaseGeometry
    light: BaseGeometry
    leaves: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Trees of one sort: their variants, the inks they want, and how dark their shadow falls.

    ``hatch`` is the line in mm that stands in for shade where the style hatches it, ``hatched_leaves`` how many
    leaves such a crown keeps.
    """

    variants: int
    crown: Callable[[int], Crown]
    inks: str
    shade: str
    light: str
    line: str
    shadow: float
    hatch: float
    hatched_leaves: int


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree where it stands: ``variant`` counts the shapes of its family and then their mirror images."""

    x: float
    y: float
    radius: float
    family: str
    variant: int


@dataclass(frozen=True, slots=True)
class _Look:
    """What of a style shows in the artwork of a family; widths in mm of the artwork."""

    inks: tuple[Ink, ...]
    shade: Ink | None
    light: Ink | None
    line: Ink
    hatched: bool
    outline: float
    leaf: float


def trees(
    places: Line | Sequence[tuple[float, float]],
    radii: Sequence[float],
    family: str,
    pen: Pen,
    stream: Stream,
    layer: LayerName = LayerName.CROWN,
) -> Laid:
    """Draw trees of a family of ``FAMILIES``: first all shadows as one shape, then crowns from north to south.

    Args:
        places: the middles of the crowns; may be empty.
        radii: printed mm, one a place.
        stream: chooses each tree's variant.
        layer: where crowns are painted. Shadows lie on the same layer, but those of ``CROWN`` on ``WOOD_SHADOW``.
    """
    stand = grown(places, radii, family, stream)
    yield from shadows(stand, pen, layer)
    yield from crowns(stand, pen, layer)


def grown(
    places: Line | Sequence[tuple[float, float]], radii: Sequence[float], family: str, stream: Stream
) -> list[Tree]:
    """Return a tree of ``radii`` printed mm at every place, each of a variant that the stream chooses."""
    count = 2 * FAMILIES[family].variants
    spots = np.asarray(places, dtype=float).reshape(-1, 2).tolist()
    return [Tree(x, y, float(radius), family, stream.below(count)) for (x, y), radius in zip(spots, radii, strict=True)]


def shadows(stand: Sequence[Tree], pen: Pen, layer: LayerName = LayerName.CROWN) -> Laid:
    """Draw what the trees throw to the south-east: one shape, so that where shadows meet they are no darker."""
    if not stand or not pen.style.shadows:
        return
    east, north, size = _SHADOW
    cast = []
    for tree in stand:
        middle = np.array([tree.x + east * tree.radius, tree.y + north * tree.radius])
        cast.append(Polygon(middle + tree.radius * size * _silhouette(tree.family, tree.variant)))
    least = _SHADOW_HOLE * min(tree.radius for tree in stand) ** 2
    whole = [
        Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > least])
        for part in polygons(shapely.union_all(cast))
    ]
    onto = LayerName.WOOD_SHADOW if layer is LayerName.CROWN else layer
    alpha = FAMILIES[stand[0].family].shadow
    for path in fill(whole, pen.tint("shadow", alpha), rule=Rule.NON_ZERO):
        yield onto, path


def crowns(stand: Iterable[Tree], pen: Pen, layer: LayerName = LayerName.CROWN) -> Laid:
    """Draw crowns from north to south, so that the nearer overlaps the farther."""
    ordered = sorted(stand, key=lambda tree: (-tree.y, tree.x))
    if not ordered:
        return
    middle = sorted(tree.radius for tree in ordered)[len(ordered) // 2]
    looks = {name: _look(FAMILIES[name], pen, middle) for name in dict.fromkeys(tree.family for tree in ordered)}
    for tree in ordered:
        size = tree.radius / UNIT
        # Mirrored along the light, a crown is a new one whose shade still lies to the south-east.
        mirrored = tree.variant >= FAMILIES[tree.family].variants
        turn = (0.0, -size, -size, 0.0) if mirrored else (size, 0.0, 0.0, size)
        yield layer, Stamp(_artwork(tree.family, _shape(tree), looks[tree.family]), (Affine(*turn, tree.x, tree.y),))


def _shape(tree: Tree) -> int:
    return tree.variant % FAMILIES[tree.family].variants


def _look(family: Family, pen: Pen, radius: float) -> _Look:
    """Return how a family is drawn where trees of about ``radius`` printed mm stand.

    Strokes of artwork grow with it, so they are drawn to print at their true width at that radius. Radii are classed
    by steps of the root of 2: neighbouring woods then share their artwork.
    """
    classed = 2 ** (round(2 * math.log2(max(radius, 0.1))) / 2)
    style, share = pen.style, UNIT / classed
    hatching = style.hatched
    return _Look(
        inks=style.family(family.inks),
        shade=style.ink(family.shade),
        light=style.ink(family.light),
        line=style.solid(family.line),
        hatched=hatching,
        outline=pen.width(0.34 if hatching else 0.26) * share,
        leaf=pen.width(family.hatch if hatching else 0.16) * share,
    )


@cache
def _artwork(name: str, variant: int, look: _Look) -> Artwork:
    family = FAMILIES[name]
    crown = family.crown(variant)
    large = {part: affinity.scale(getattr(crown, part), UNIT, UNIT, origin=(0, 0)) for part in _PARTS}
    paths = fill(large["silhouette"], look.inks[variant % len(look.inks)])
    leaves = [leaf * UNIT for leaf in crown.leaves]
    fine = Stroke(look.line, look.leaf)
    if look.hatched:
        paths += hatched(large["shade"].buffer(-0.02 * UNIT), look.line, _HATCH_PITCH * UNIT, look.leaf)
        paths += outline(leaves[: family.hatched_leaves], fine)
    else:
        if look.shade is not None:
            paths += fill(large["shade"], look.shade.thin(0.58))
            paths += fill(large["rim"], look.shade.thin(0.45))
        if look.light is not None:
            paths += fill(large["light"], look.light.thin(0.55))
        paths += outline(leaves, Stroke(look.line.thin(0.55), look.leaf))
    paths += outline(large["silhouette"], Stroke(look.line, look.outline))
    return Artwork(f"{name}-{variant + 1}", tuple(paths))


_PARTS: Final = ("silhouette", "shade", "rim", "light")


@cache
def _silhouette(name: str, variant: int) -> Line:
    """Return a coarse outline for shadows, mirrored for the upper half of the variants."""
    family = FAMILIES[name]
    shape = family.crown(variant % family.variants).silhouette.simplify(_SHADOW_WITHIN)
    points: Line = shapely.get_coordinates(polygons(shape)[0].exterior)
    return -points[:, ::-1] if variant >= family.variants else points


@cache
def _lobed(variant: int) -> Crown:
    """Return a leaf tree's crown: a disc with six to eight lobes, lit from the north-west."""
    stream = Stream(f"crown/lobed/{variant}")
    count = 6 + stream.below(3)
    first, step = stream.between(0, math.tau), math.tau / count
    lobes = [Point(0, 0).buffer(0.66, quad_segs=12)]
    for number in range(count):
        angle = first + step * (number + stream.between(-0.18, 0.18))
        reach, radius = stream.between(0.56, 0.66), stream.between(0.30, 0.42)
        lobes.append(Point(reach * math.cos(angle), reach * math.sin(angle)).buffer(radius, quad_segs=10))
    silhouette = shapely.union_all(lobes)
    lit = affinity.translate(affinity.scale(silhouette, 0.98, 0.98, origin=(0, 0)), -0.30, 0.30)
    edge = affinity.translate(affinity.scale(silhouette, 0.98, 0.98, origin=(0, 0)), -0.13, 0.13)
    return Crown(
        silhouette=silhouette,
        shade=_without_specks(silhouette.difference(lit)),
        rim=_without_specks(silhouette.difference(edge)),
        light=affinity.translate(affinity.scale(silhouette, 0.42, 0.36, origin=(0, 0)), -0.24, 0.27),
        leaves=tuple(_leaf(stream) for _ in range(_LEAVES)),
    )


def _leaf(stream: Stream) -> Line:
    """Return a little arc, open to the north-west as lit leaves are."""
    angle, reach = stream.between(0, math.tau), stream.between(0.05, 0.5)
    radius, turn = stream.between(0.14, 0.22), stream.between(-0.3, 0.3)
    bow = np.linspace(-2.6, -0.3, 7) + turn
    middle = np.array([reach * math.cos(angle), reach * math.sin(angle)])
    return middle + radius * np.column_stack([np.cos(bow), np.sin(bow)])


def _without_specks(shape: BaseGeometry) -> BaseGeometry:
    return shapely.MultiPolygon([part for part in polygons(shape) if part.area > _SPECK])


FAMILIES: Final[Mapping[str, Family]] = {
    "crown": Family(
        variants=_LOBED_VARIANTS,
        crown=_lobed,
        inks="crown",
        shade="crown-shade",
        light="crown-light",
        line="crown-line",
        shadow=0.26,
        hatch=0.24,
        hatched_leaves=2,
    ),
    "light-crown": Family(
        variants=_LOBED_VARIANTS,
        crown=_lobed,
        inks="light-crown",
        shade="light-crown-shade",
        light="crown-light",
        line="light-crown-line",
        shadow=0.22,
        hatch=0.16,
        hatched_leaves=0,
    ),
    "olive-crown": Family(
        variants=_LOBED_VARIANTS,
        crown=_lobed,
        inks="olive-crown",
        shade="olive-crown-shade",
        light="olives-ground",
        line="olive-crown-line",
        shadow=0.22,
        hatch=0.16,
        hatched_leaves=0,
    ),
}
"""Every family by the token of its crowns' inks; another one needs a shape, a row here and its inks in the styles."""
