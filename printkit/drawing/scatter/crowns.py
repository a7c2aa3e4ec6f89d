"""Trees from above: families of crowns, drawn once and stamped often, and their shadows.

A shrub that touches no other plant has its shadow in its stamp.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert
from msgspec.structs import replace

from printkit.chance.streams import Stream
from printkit.core.resources import template
from printkit.drawing.canvas.items import (
    Affine,
    Artwork,
    Cap,
    FillRule,
    Ink,
    LayeredItems,
    LayerName,
    Path,
    PathRun,
    Stamp,
    Stroke,
)
from printkit.drawing.canvas.shapes import Line, dots, fill, runs
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crown_shapes import UNIT, parts, pieces

# Shadows of smaller crowns, by radius in printed mm, use only every second point.
_ROUND_FROM: Final = 2.5

# Maximum distance of a crown and its outline from its middle, in radii.
_REACH: Final = 1.1


class Family(Struct, frozen=True, kw_only=True):
    """A family of trees: variants, inks and line widths; widths in mm at 1:1.

    Attributes:
        inks: name of the ink of its crowns, and prefix of that of their lines.
        shade: name of the ink of the shade.
        variants: number of variants, without mirror images.
        crown: the name of its crown shape.
        light: name of the ink of the lit part.
        shadow: opacity of the shadow on the ground.
        hatch: width of hatching and fine lines in a style with hatching; 0 for no hatching.
        hatched_leaves: number of fine lines in such a style.
        cover: opacities of shade, deepest shade, light and fine lines.
        outline: width of the outline.
        hatched_outline: width of the outline in a style with hatching.
        fine: width of fine lines.
    """

    inks: str
    shade: str
    variants: int = 18
    crown: str = "lobed"
    light: str = "crown-light"
    shadow: float = 0.22
    hatch: float = 0.16
    hatched_leaves: int = 0
    cover: tuple[float, float, float, float] = (0.58, 0.45, 0.55, 0.55)
    outline: float = 0.26
    hatched_outline: float = 0.34
    fine: float = 0.16

    @property
    def line(self) -> str:
        """Return the name of the ink of outlines and fine lines."""
        return f"{self.inks}-line"


class Tree(Struct, frozen=True):
    """One tree with its position and radius in printed mm.

    ``variant`` counts the shapes of its family, then their mirror images. ``shaded`` is True if its shadow is part of
    its stamp, which is possible if it touches no other tree.
    """

    x: float
    y: float
    radius: float
    family: str
    variant: int
    shaded: bool = False


class _Look(Struct, frozen=True):
    """The inks and line widths of a family in a style; widths in mm of the artwork."""

    inks: tuple[Ink, ...]
    shadow: Ink | None
    shade: Ink | None
    light: Ink | None
    line: Ink
    hatched: bool
    outline: float
    leaf: float


def draw_trees(
    centres: Line | Sequence[tuple[float, float]],
    radii: Sequence[float],
    family: str,
    context: SymbolContext,
    stream: Stream,
    layer: LayerName = LayerName.CROWN,
) -> LayeredItems:
    """Yield (layer, item) pairs of trees of one family: all shadows as one shape, then crowns from north to south.

    Args:
        centres: the middles of the crowns, x and y in printed mm; may be empty.
        radii: radius of each crown in printed mm.
        family: key in ``FAMILIES``.
        context: style and scale.
        stream: random numbers for the variants.
        layer: the layer of the crowns. Shadows are on the same layer, but for ``CROWN`` they are on ``WOOD_SHADOW``.
    """
    yield from standing(grown(centres, radii, family, stream), context, layer)


def standing(grown_trees: Sequence[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN) -> LayeredItems:
    """Yield (layer, item) pairs of trees in printed mm: all shadows as one shape, then crowns from north to south.

    On other layers than ``CROWN``, a tree that touches no other has its shadow in its stamp. For ``CROWN``, the shadows
    are on the layer ``WOOD_SHADOW``.
    """
    if layer is not LayerName.CROWN and context.style.shadows:
        grown_trees = _mark_separate_trees(grown_trees)
    yield from draw_shadows([tree for tree in grown_trees if not tree.shaded], context, layer)
    yield from draw_crowns(grown_trees, context, layer)


def _mark_separate_trees(grown_trees: Sequence[Tree]) -> list[Tree]:
    """Return the trees, with ``shaded`` set if tree and shadow touch no other tree or shadow.

    The order is kept. Boxes around tree and shadow are compared.
    """
    if not grown_trees:
        return []
    feet = np.array([(tree.x, tree.y, tree.radius) for tree in grown_trees])
    x, y, radius = feet.T
    left, low, right, high = np.array([_bounds(tree.family, tree.variant) for tree in grown_trees]).T * radius
    boxes = shapely.box(x + left, y + low, x + right, y + high)
    indexes, _ = shapely.STRtree(boxes).query(boxes, "intersects")
    separate_flags = np.bincount(indexes, minlength=len(grown_trees)) == 1
    return [
        replace(tree, shaded=True) if is_separate else tree
        for tree, is_separate in zip(grown_trees, separate_flags, strict=True)
    ]


def grown(
    places: Line | Sequence[tuple[float, float]], radii: Sequence[float], family: str, stream: Stream
) -> list[Tree]:
    """Return a tree of random variant at every place, in order; places (x and y) and ``radii`` are in printed mm.

    Each tree draws one number from ``stream``. Mirror images count as variants. ``family`` is a key in ``FAMILIES``.
    """
    count = 2 * FAMILIES[family].variants
    points = np.asarray(places, dtype=float).reshape(-1, 2).tolist()
    return [
        Tree(x, y, float(radius), family, stream.draw_index(count))
        for (x, y), radius in zip(points, radii, strict=True)
    ]


def draw_shadows(
    grown_trees: Sequence[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the shadows of trees in printed mm, as one path with non-zero winding.

    Overlapping shadows are not darker. Nothing is drawn in a style without shadows. The opacity of all is that of the
    darkest family. They are on ``layer``, but for ``CROWN`` on ``WOOD_SHADOW``.
    """
    if not grown_trees or not context.style.shadows:
        return
    shadow_layer = LayerName.WOOD_SHADOW if layer is LayerName.CROWN else layer
    alpha = max(FAMILIES[name].shadow for name in dict.fromkeys(tree.family for tree in grown_trees))
    yield from (
        (shadow_layer, path)
        for path in fill(_shadow_rings(grown_trees), context.tint("shadow", alpha), rule=FillRule.NON_ZERO)
    )


def _shadow_rings(grown_trees: Sequence[Tree]) -> list[Line]:
    """Return the ring of every shadow as points in printed mm; all rings have the same direction."""
    rings = [
        _shadow_outline(tree.family, tree.variant)[:: 1 if tree.radius > _ROUND_FROM else 2] for tree in grown_trees
    ]
    sizes = np.array([len(ring) for ring in rings])
    feet = np.repeat(np.array([(tree.x, tree.y, tree.radius) for tree in grown_trees]), sizes, axis=0)
    points = feet[:, :2] + feet[:, 2:] * np.concatenate(rings)
    return np.split(points, np.cumsum(sizes)[:-1])


def draw_crowns(
    grown_trees: Iterable[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN
) -> LayeredItems:
    """Yield (layer, item) pairs of crowns in printed mm from north to south, so that nearer trees overlap farther ones.

    Trees with ``shaded`` touch no others; they come first, with one stamp for all that look alike.
    """
    tree_order = sorted(grown_trees, key=lambda tree: (-tree.y, tree.x))
    if not tree_order:
        return
    middle_radius = sorted(tree.radius for tree in tree_order)[len(tree_order) // 2]
    looks = {
        name: _build_look(FAMILIES[name], context, middle_radius)
        for name in dict.fromkeys(tree.family for tree in tree_order)
    }
    equal_trees: dict[tuple[str, int], list[Tree]] = {}
    for tree in tree_order:
        if tree.shaded:
            equal_trees.setdefault((tree.family, _shape_number(tree)), []).append(tree)
    for (family, shape), separate_trees in equal_trees.items():
        yield (
            layer,
            Stamp(_draw_artwork(family, shape, looks[family], True), tuple(map(_stamp_transform, separate_trees))),
        )
    for tree in tree_order:
        if not tree.shaded:
            yield (
                layer,
                Stamp(
                    _draw_artwork(tree.family, _shape_number(tree), looks[tree.family], False),
                    (_stamp_transform(tree),),
                ),
            )


def _stamp_transform(tree: Tree) -> Affine:
    """Return the transform of a crown's stamp, from its artwork to printed mm.

    Sizes are rounded, so that writers need only a few hundred transforms. Mirror images are mirrored along the
    direction of light, so that the shade stays in the south-east.
    """
    size = round(tree.radius / UNIT, 3)
    is_mirrored = tree.variant >= FAMILIES[tree.family].variants
    return Affine(*((0.0, -size, -size, 0.0) if is_mirrored else (size, 0.0, 0.0, size)), tree.x, tree.y)


def _shape_number(tree: Tree) -> int:
    """Return the number of a tree's shape in its family, without the mirror images."""
    return tree.variant % FAMILIES[tree.family].variants


def _build_look(family: Family, context: SymbolContext, radius: float) -> _Look:
    """Return the look of a family for trees of about ``radius`` printed mm.

    Its line widths are in mm of the artwork. Strokes scale with the artwork, so their widths are correct at this
    radius. Radii are rounded to steps of the square root of 2, so that neighbouring woods share artworks.
    """
    radius_class = 2 ** (round(2 * math.log2(max(radius, 0.1))) / 2)
    style, share = context.style, UNIT / radius_class
    is_hatched = style.hatched
    return _Look(
        inks=style.family(family.inks),
        shadow=context.tint("shadow", family.shadow) if style.shadows else None,
        shade=style.ink(family.shade),
        light=style.ink(family.light),
        line=style.solid(family.line),
        hatched=is_hatched,
        outline=context.width(family.hatched_outline if is_hatched else family.outline) * share,
        leaf=context.width(family.hatch if is_hatched else family.fine) * share,
    )


@cache
def _draw_artwork(name: str, variant: int, look: _Look, shaded: bool) -> Artwork:
    """Return the artwork of a crown of radius ``UNIT`` (10 mm), with its shadow if it is ``shaded``.

    ``name`` is the family, and ``variant`` the number of the shape in it.
    """
    family = FAMILIES[name]
    crown, count = parts(family.crown, variant), len(look.inks)
    shade, rim, light, lines = family.cover
    layers: list[tuple[tuple[PathRun, ...], Ink | None, Stroke | None]] = []
    if shaded:
        layers.append((runs(crown.shadow * UNIT, closed=True), look.shadow, None))
    for number, ink in enumerate(look.inks):
        layers.append((pieces(family.crown, variant, (number - variant) % count, count), ink, None))
    if look.hatched:
        fine = Stroke(look.line, look.leaf)
        if crown.strokes:
            layers.append((crown.strokes, None, fine))
        elif family.hatch:
            strokes = tuple([run for run, length in crown.hatch if length > look.leaf])
            layers.append((strokes, None, Stroke(look.line, look.leaf, cap=Cap.BUTT)))
        layers.append((crown.leaves[: family.hatched_leaves], None, fine))
    else:
        if look.shade is not None:
            layers += [(crown.shade, look.shade.with_alpha(shade), None), (crown.rim, look.shade.with_alpha(rim), None)]
        if look.light is not None:
            layers.append((crown.light, look.light.with_alpha(light), None))
        layers.append((crown.leaves, None, Stroke(look.line.with_alpha(lines), look.leaf)))
    layers.append((crown.edge, None, Stroke(look.line, look.outline)))
    paths = [Path(path_runs, fill=ink, stroke=stroke) for path_runs, ink, stroke in layers if path_runs]
    if crown.heart:
        paths += dots([(0.0, 0.0)], crown.heart * UNIT, look.line)
    return Artwork(f"{name}-{variant + 1}{'s' if shaded else ''}", tuple(paths))


@cache
def _shadow_outline(name: str, variant: int) -> Line:
    """Return a coarse outline of the shadow of a tree of radius 1, as points, n x 2.

    ``variant`` counts from 0; from the number of shapes of the family on, shapes are mirrored.
    """
    family = FAMILIES[name]
    points = parts(family.crown, variant % family.variants).shadow
    # Reverse the points, because mirroring reverses the direction of the ring.
    return -points[::-1, ::-1] if variant >= family.variants else points


@cache
def _bounds(name: str, variant: int) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a crown and its shadow, in radii of the crown."""
    east, north = np.vstack([_shadow_outline(name, variant), ((-_REACH, -_REACH), (_REACH, _REACH))]).T
    return float(east.min()), float(north.min()), float(east.max()), float(north.max())


# Every family by the token of its inks.
FAMILIES: Final = {inks: convert({"inks": inks, **row}, Family) for inks, row in template("symbols", "crowns").items()}
