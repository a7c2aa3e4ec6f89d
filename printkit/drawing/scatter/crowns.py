"""Trees seen from above: families of crowns drawn once and stamped often, their shadows beneath them as one shape.

A shrub that stands alone has its shadow in its stamp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.streams import Stream
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
from printkit.drawing.scatter.crown_shapes import (
    CONIFER_VARIANTS,
    LOBED_VARIANTS,
    PALM_VARIANTS,
    SNAG_VARIANTS,
    UNIT,
    Crown,
    conifer,
    lobed,
    palm,
    parts,
    pieces,
    snag,
)

_ROUND_FROM: Final = 2.5
"""The radius in printed mm from which the shadow of a crown has all its points; of a smaller one every second does."""

_REACH: Final = 1.1
"""No crown reaches farther from its middle, in radii, nor with its line."""


class Family(Struct, frozen=True, kw_only=True):
    """Trees of one sort: their variants, the inks they want, and how dark their shadow falls.

    ``cover`` is how much shade, deepest shade, light and fine lines cover; ``outline`` and ``fine`` are widths of lines
    in mm. Where the style hatches, ``hatched_outline`` and ``hatch`` take their place, ``hatch`` also for the strokes
    that stand in for shade (none where it is 0), and a crown keeps ``hatched_leaves`` of its fine lines.
    """

    inks: str
    shade: str
    variants: int = LOBED_VARIANTS
    crown: Callable[[int], Crown] = lobed
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
        """Return the ink of its outlines and fine lines."""
        return f"{self.inks}-line"


class Tree(Struct, frozen=True):
    """One tree where it stands: ``variant`` counts the shapes of its family and then their mirror images.

    ``shaded`` is whether its shadow is drawn with its crown, as may be where it meets no other tree.
    """

    x: float
    y: float
    radius: float
    family: str
    variant: int
    shaded: bool = False


class _Look(Struct, frozen=True):
    """What of a style shows in the artwork of a family; widths in mm of the artwork."""

    inks: tuple[Ink, ...]
    shadow: Ink | None
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
    context: SymbolContext,
    stream: Stream,
    layer: LayerName = LayerName.CROWN,
) -> LayeredItems:
    """Draw trees of a family of ``FAMILIES``: first all shadows as one shape, then crowns from north to south.

    Args:
        places: the middles of the crowns; may be empty.
        radii: printed mm, one a place.
        stream: chooses each tree's variant.
        layer: where crowns are painted. Shadows lie on the same layer, but those of ``CROWN`` on ``WOOD_SHADOW``.
    """
    yield from standing(grown(places, radii, family, stream), context, layer)


def standing(stand: Sequence[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN) -> LayeredItems:
    """Draw trees: first all shadows as one shape, then crowns from north to south.

    Below the layer of woods a tree that meets no other has its shadow in its stamp.
    """
    if layer is not LayerName.CROWN and context.style.shadows:
        stand = _shaded(stand)
    yield from shadows([tree for tree in stand if not tree.shaded], context, layer)
    yield from crowns(stand, context, layer)


def _shaded(stand: Sequence[Tree]) -> list[Tree]:
    """Return trees, of which those have their shadows that with them meet no other tree, nor its shadow."""
    if not stand:
        return []
    feet = np.array([(tree.x, tree.y, tree.radius) for tree in stand])
    x, y, radius = feet.T
    left, low, right, high = np.array([_bounds(tree.family, tree.variant) for tree in stand]).T * radius
    boxes = shapely.box(x + left, y + low, x + right, y + high)
    one, _ = shapely.STRtree(boxes).query(boxes, "intersects")
    alone = np.bincount(one, minlength=len(stand)) == 1
    return [replace(tree, shaded=True) if by_itself else tree for tree, by_itself in zip(stand, alone, strict=True)]


def grown(
    places: Line | Sequence[tuple[float, float]], radii: Sequence[float], family: str, stream: Stream
) -> list[Tree]:
    """Return a tree of ``radii`` printed mm at every place, each of a variant that the stream chooses."""
    count = 2 * FAMILIES[family].variants
    spots = np.asarray(places, dtype=float).reshape(-1, 2).tolist()
    return [Tree(x, y, float(radius), family, stream.below(count)) for (x, y), radius in zip(spots, radii, strict=True)]


def shadows(stand: Sequence[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN) -> LayeredItems:
    """Draw what the trees throw to the south-east: one path, filled by winding, is no darker where shadows meet."""
    if not stand or not context.style.shadows:
        return
    onto = LayerName.WOOD_SHADOW if layer is LayerName.CROWN else layer
    alpha = max(FAMILIES[name].shadow for name in dict.fromkeys(tree.family for tree in stand))
    yield from ((onto, path) for path in fill(_cast(stand), context.tint("shadow", alpha), rule=FillRule.NON_ZERO))


def _cast(stand: Sequence[Tree]) -> list[Line]:
    """Return the ring of the shadow of every tree; all wind the same way."""
    rings = [_shadow(tree.family, tree.variant)[:: 1 if tree.radius > _ROUND_FROM else 2] for tree in stand]
    sizes = np.array([len(ring) for ring in rings])
    feet = np.repeat(np.array([(tree.x, tree.y, tree.radius) for tree in stand]), sizes, axis=0)
    points = feet[:, :2] + feet[:, 2:] * np.concatenate(rings)
    return np.split(points, np.cumsum(sizes)[:-1])


def crowns(stand: Iterable[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN) -> LayeredItems:
    """Draw crowns from north to south, so that the nearer overlaps the farther.

    Those that meet no other are stamped together first, all that look alike in one go.
    """
    ordered = sorted(stand, key=lambda tree: (-tree.y, tree.x))
    if not ordered:
        return
    middle = sorted(tree.radius for tree in ordered)[len(ordered) // 2]
    looks = {name: _look(FAMILIES[name], context, middle) for name in dict.fromkeys(tree.family for tree in ordered)}
    alike: dict[tuple[str, int], list[Tree]] = {}
    for tree in ordered:
        if tree.shaded:
            alike.setdefault((tree.family, _shape(tree)), []).append(tree)
    for (family, shape), alone in alike.items():
        yield layer, Stamp(_artwork(family, shape, looks[family], True), tuple(map(_placed, alone)))
    for tree in ordered:
        if not tree.shaded:
            yield layer, Stamp(_artwork(tree.family, _shape(tree), looks[tree.family], False), (_placed(tree),))


def _placed(tree: Tree) -> Affine:
    """Return where and how large a crown is stamped; sizes are rounded, so that writers spell a few hundred.

    Mirrored along the light, it is a new one whose shade still lies to the south-east.
    """
    size = round(tree.radius / UNIT, 3)
    mirrored = tree.variant >= FAMILIES[tree.family].variants
    return Affine(*((0.0, -size, -size, 0.0) if mirrored else (size, 0.0, 0.0, size)), tree.x, tree.y)


def _shape(tree: Tree) -> int:
    return tree.variant % FAMILIES[tree.family].variants


def _look(family: Family, context: SymbolContext, radius: float) -> _Look:
    """Return how a family is drawn where trees of about ``radius`` printed mm stand.

    Strokes of artwork grow with it, so they are drawn to print at their true width at that radius. Radii are classed
    by steps of the root of 2: neighbouring woods then share their artwork.
    """
    classed = 2 ** (round(2 * math.log2(max(radius, 0.1))) / 2)
    style, share = context.style, UNIT / classed
    hatching = style.hatched
    return _Look(
        inks=style.family(family.inks),
        shadow=context.tint("shadow", family.shadow) if style.shadows else None,
        shade=style.ink(family.shade),
        light=style.ink(family.light),
        line=style.solid(family.line),
        hatched=hatching,
        outline=context.width(family.hatched_outline if hatching else family.outline) * share,
        leaf=context.width(family.hatch if hatching else family.fine) * share,
    )


@cache
def _artwork(name: str, variant: int, look: _Look, shaded: bool) -> Artwork:
    family = FAMILIES[name]
    crown, count = parts(family.crown, variant), len(look.inks)
    shade, rim, light, lines = family.cover
    found: list[tuple[tuple[PathRun, ...], Ink | None, Stroke | None]] = []
    if shaded:
        found.append((runs(crown.shadow * UNIT, closed=True), look.shadow, None))
    for number, ink in enumerate(look.inks):
        found.append((pieces(family.crown, variant, (number - variant) % count, count), ink, None))
    if look.hatched:
        fine = Stroke(look.line, look.leaf)
        if crown.strokes:
            found.append((crown.strokes, None, fine))
        elif family.hatch:
            strokes = tuple([run for run, length in crown.hatch if length > look.leaf])
            found.append((strokes, None, Stroke(look.line, look.leaf, cap=Cap.BUTT)))
        found.append((crown.leaves[: family.hatched_leaves], None, fine))
    else:
        if look.shade is not None:
            found += [(crown.shade, look.shade.thin(shade), None), (crown.rim, look.shade.thin(rim), None)]
        if look.light is not None:
            found.append((crown.light, look.light.thin(light), None))
        found.append((crown.leaves, None, Stroke(look.line.thin(lines), look.leaf)))
    found.append((crown.edge, None, Stroke(look.line, look.outline)))
    paths = [Path(drawn, fill=ink, stroke=stroke) for drawn, ink, stroke in found if drawn]
    if crown.heart:
        paths += dots([(0.0, 0.0)], crown.heart * UNIT, look.line)
    return Artwork(f"{name}-{variant + 1}{'s' if shaded else ''}", tuple(paths))


@cache
def _shadow(name: str, variant: int) -> Line:
    """Return a coarse outline of what a tree throws, mirrored for the upper half of the variants."""
    family = FAMILIES[name]
    points = parts(family.crown, variant % family.variants).shadow
    # Turned back, for what is mirrored winds the other way.
    return -points[::-1, ::-1] if variant >= family.variants else points


@cache
def _bounds(name: str, variant: int) -> tuple[float, float, float, float]:
    """Return the box of a crown of radius 1 and its shadow."""
    east, north = np.vstack([_shadow(name, variant), ((-_REACH, -_REACH), (_REACH, _REACH))]).T
    return float(east.min()), float(north.min()), float(east.max()), float(north.max())


FAMILIES: Final[Mapping[str, Family]] = {
    family.inks: family
    for family in (
        Family(inks="crown", shade="crown-shade", shadow=0.26, hatch=0.24, hatched_leaves=2),
        Family(inks="light-crown", shade="light-crown-shade"),
        Family(inks="olive-crown", shade="olive-crown-shade", light="olives-ground"),
        Family(
            variants=CONIFER_VARIANTS,
            crown=conifer,
            inks="conifer",
            shade="conifer-shade",
            shadow=0.26,
            hatch=0.14,
            hatched_leaves=11,
            hatched_outline=0.26,
            cover=(0.50, 0.30, 0.30, 0.90),
            fine=0.17,
        ),
        Family(
            variants=PALM_VARIANTS,
            crown=palm,
            inks="palm",
            shade="palm-line",
            shadow=0.24,
            hatch=0.12,
            hatched_leaves=99,
            cover=(0.32, 0.0, 0.30, 0.90),
            outline=0.22,
            hatched_outline=0.20,
        ),
        Family(
            inks="scrub",
            shade="scrub-line",
            light="scrub",
            hatch=0.0,
            cover=(0.35, 0.0, 0.0, 0.0),
            outline=0.22,
            hatched_outline=0.24,
        ),
        Family(
            inks="bush",
            shade="bush-line",
            light="bush",
            shadow=0.13,
            hatch=0.0,
            cover=(0.14, 0.0, 0.0, 0.0),
            outline=0.19,
            hatched_outline=0.19,
        ),
        Family(
            variants=SNAG_VARIANTS,
            crown=snag,
            inks="snag",
            shade="snag-shade",
            light="snag",
            shadow=0.26,
            outline=0.22,
            hatched_outline=0.26,
        ),
    )
}
"""Every family by the token of its crowns' inks; another one needs a shape, a row here and its inks in the styles."""
