"""Write documents as SVG: one file per page, in mm, with a group for each layer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path as FilePath
from typing import assert_never
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct, field

from printkit.core.errors import PageError
from printkit.core.reading import plain
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import (
    Affine,
    Artwork,
    FillRule,
    Font,
    Ink,
    Item,
    Layer,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.lettering.extent import (
    PER_MM,
    Extent,
    box_of,
    extents,
    text_extent,
    text_foot,
    window_of,
)
from printkit.drawing.lettering.typefaces import advances
from printkit.export.files import number, numbered
from printkit.export.glyphs import outline, units_per_em
from printkit.export.placing import replacing
from printkit.export.svg_pictures import Painted
from printkit.page.sheet import Document, Page, Placement

# --- Items as SVG elements, in hundredths of a millimetre with y up; the page flips the y axis ------------------------

_CAPS = ("butt", "round", "square")
_JOINS = ("miter", "round", "bevel")


class ItemCache(Struct):
    """A cache of bounds and path data of items, shared by the pages of a document.

    Keys are ``id(item)``, so a cache must not outlive its document.
    """

    _bounds: dict[int, list[Extent]] = field(default_factory=dict)
    _measured: dict[int, list[Extent]] = field(default_factory=dict)
    _data: dict[int, str] = field(default_factory=dict)

    def extents(self, item: Item) -> list[Extent]:
        """Return the bounds of the shapes of an item."""
        found = self._bounds.get(id(item))
        if found is None:
            found = self._bounds[id(item)] = extents(item, self._measured)
        return found

    def data(self, path: Path) -> str:
        """Return the runs of a path as path data."""
        found = self._data.get(id(path))
        if found is None:
            found = self._data[id(path)] = "".join(map(_data, path.runs))
        return found


class Definitions(Struct):
    """The definitions of a page for repeated use: artwork, letters and clip shapes."""

    kept: ItemCache = field(default_factory=ItemCache)
    elements: list[str] = field(default_factory=list)
    _artwork: dict[Artwork, str] = field(default_factory=dict)
    _known: dict[int, str] = field(default_factory=dict)
    _letters: dict[tuple[Font, str], str] = field(default_factory=dict)
    pictures: Painted = field(default_factory=Painted)
    _clips: dict[Extent | PathRun, str] = field(default_factory=dict)

    def clip(self, shape: Extent | PathRun) -> str:
        """Return the id of the clip path for a rectangle or a run."""
        if shape not in self._clips:
            name = self._clips[shape] = f"clip{len(self._clips) + 1}"
            match shape:
                case Extent(left, bottom, right, top):
                    size = f'width="{number(right - left)}" height="{number(top - bottom)}"'
                    drawn = f'<rect x="{number(left)}" y="{number(bottom)}" {size}/>'
                case PathRun():
                    drawn = f'<path d="{_data(shape)}"/>'
            self.elements.append(f'<clipPath id="{name}">{drawn}</clipPath>')
        return self._clips[shape]

    def artwork(self, artwork: Artwork) -> str:
        """Return the id of the group for an artwork."""
        known = self._known.get(id(artwork))
        if known is not None:
            return known
        # Equal artwork shares a group, but comparing takes as long as writing, so look up the identity first.
        if artwork not in self._artwork:
            name = self._artwork[artwork] = f"stamp{len(self._artwork) + 1}"
            drawn = [*paths(artwork.paths, self.kept), *(self.picture(picture) for picture in artwork.pictures)]
            self.elements.append(f'<g id="{name}">{"".join(drawn)}</g>')
        found = self._known[id(artwork)] = self._artwork[artwork]
        return found

    def picture(self, picture: Picture) -> str:
        """Return a painted picture as an element."""
        cut = "" if picture.clip is None else f' clip-path="url(#{self.clip(picture.clip)})"'
        drawn, defined = self.pictures.element(picture)
        self.elements += defined
        return f"<g{cut}>{drawn}</g>"

    def letter(self, font: Font, letter: str) -> str:
        """Return the id of a letter's outline, or an empty string for a space."""
        if (font, letter) not in self._letters:
            data = outline(font, letter)
            name = self._letters[font, letter] = f"letter{len(self._letters) + 1}" if data else ""
            if data:
                self.elements.append(f'<path id="{name}" d="{data}"/>')
        return self._letters[font, letter]


def elements(items: tuple[Item, ...], window: Extent, definitions: Definitions) -> Iterator[str]:
    """Yield the elements of the items that are visible in a window, in order."""
    for kind, group in groupby(items, key=type):
        if kind is Path:
            drawn = (item for item in group if isinstance(item, Path) and _shows(item))
            met = (item for item in drawn if any(box.meets(window) for box in definitions.kept.extents(item)))
            yield from paths(tuple(met), definitions.kept)
            continue
        for item in group:
            match item:
                case Text():
                    if item.content.strip() and text_extent(item).meets(window):
                        yield text_element(item, definitions)
                case Stamp():
                    yield from _places(item, window, definitions)
                case Picture():
                    if box_of(item.frame).meets(window):
                        yield definitions.picture(item)
                case Path():
                    pass
                case _:
                    assert_never(item)


def paths(drawn: tuple[Path, ...], kept: ItemCache) -> Iterator[str]:
    """Yield path elements; neighbours with the same paint share a group."""
    for painting, group in groupby(filter(_shows, drawn), key=_painting):
        shapes = [f'd="{kept.data(path)}"' for path in group]
        if len(shapes) == 1:
            yield f"<path {painting} {shapes[0]}/>"
        else:
            yield f"<g {painting}>" + "".join(f"<path {shape}/>" for shape in shapes) + "</g>"


def text_element(item: Text, definitions: Definitions) -> str:
    """Return a text as outlines: letters above their halo."""
    scale = item.size_pt * MM_PER_POINT * PER_MM / units_per_em(item.font)
    letters = "".join(_letters(item, scale, definitions))
    halo = ""
    if item.halo is not None:
        # The outlines are scaled to the type size, which scales the halo too.
        stroke = Stroke(item.halo.ink, item.halo.width / scale, join=item.halo.join)
        halo = f'<g fill="none" {_stroke(stroke)}>{letters}</g>'
    return f'<g role="img" aria-label={quoteattr(plain(item.content))}>{halo}<g {_fill(item.ink)}>{letters}</g></g>'


def matrix(place: Affine) -> str:
    """Return a transform in mm as an attribute value."""
    turned = " ".join(number(value, 6) for value in place[:4])
    return f"matrix({turned} {number(place.e * PER_MM)} {number(place.f * PER_MM)})"


def _letters(item: Text, scale: float, definitions: Definitions) -> Iterator[str]:
    size = item.size_pt * MM_PER_POINT
    places = list(item.glyphs)
    content = item.content if len(places) in (0, len(item.content)) else item.content.replace(" ", "")
    if not places:
        (x, y), turn = text_foot(item), math.radians(item.angle)
        for share in advances(item.font).steps(content):
            places.append((x, y, item.angle))
            step = share * size + item.track
            x, y = x + step * math.cos(turn), y + step * math.sin(turn)
    for letter, (x, y, angle) in zip(content, places, strict=True):
        name = definitions.letter(item.font, letter)
        if name:
            turn = math.radians(angle)
            cosine, sine = scale * math.cos(turn), scale * math.sin(turn)
            yield f'<use href="#{name}" transform="{matrix(Affine(cosine, sine, -sine, cosine, x, y))}"/>'


def _places(stamp: Stamp, window: Extent, definitions: Definitions) -> Iterator[str]:
    for place, box in zip(stamp.places, definitions.kept.extents(stamp), strict=False):
        if box.meets(window):
            yield f'<use href="#{definitions.artwork(stamp.artwork)}" transform="{matrix(place)}"/>'


def _shows(path: Path) -> bool:
    return bool(path.runs) and (path.fill is not None or path.stroke is not None)


def _painting(path: Path) -> str:
    fill = 'fill="none"' if path.fill is None else _fill(path.fill)
    if path.fill is not None and path.rule is FillRule.EVEN_ODD:
        fill += ' fill-rule="evenodd"'
    return fill if path.stroke is None else f"{fill} {_stroke(path.stroke)}"


def _fill(ink: Ink) -> str:
    return f'fill="{_colour(ink)}"' + (f' fill-opacity="{number(ink.alpha)}"' if ink.alpha < 1 else "")


def _stroke(stroke: Stroke) -> str:
    parts = [f'stroke="{_colour(stroke.ink)}" stroke-width="{number(stroke.width * PER_MM, 1)}"']
    if stroke.ink.alpha < 1:
        parts.append(f'stroke-opacity="{number(stroke.ink.alpha)}"')
    if stroke.cap:
        parts.append(f'stroke-linecap="{_CAPS[stroke.cap]}"')
    parts.append(f'stroke-linejoin="{_JOINS[stroke.join]}"' + ("" if stroke.join else ' stroke-miterlimit="10"'))
    if stroke.dash:
        dashes = " ".join(number(length * PER_MM, 1) for length in stroke.dash)
        parts.append(f'stroke-dasharray="{dashes}" stroke-dashoffset="{number(stroke.phase * PER_MM, 1)}"')
    return " ".join(parts)


def _colour(ink: Ink) -> str:
    return f"#{ink.red:02x}{ink.green:02x}{ink.blue:02x}"


def _data(run: PathRun) -> str:
    """Return a run as path data: its first point, then relative steps, which are shorter."""
    points = run.points
    if not points:
        return ""
    steps = [str(value - before) for value, before in zip(points[2:], points[:-2], strict=True)]
    line = f"l{' '.join(steps)}" if steps else "h0"
    return f"M{points[0]} {points[1]}{line}" + ("z" if run.closed else "")


_AS_IT_IS = Affine()


def write(document: Document, path: FilePath) -> tuple[FilePath, ...]:
    """Write a document as one SVG per page, and return the paths: ``map.svg``, or ``map-1.svg``, ``map-2.svg`` ...

    Raises:
        PageError: there is no page, or a file cannot be written.
    """
    if not document.pages:
        raise PageError("a document needs at least one page")
    paths, kept = numbered(path, len(document.pages)), ItemCache()
    for target, page in zip(paths, document.pages, strict=True):
        with replacing(target) as unfinished:
            unfinished.write_text(text(document, page, kept), encoding="utf-8", newline="\n")
    return paths


def text(document: Document, page: Page, kept: ItemCache | None = None) -> str:
    """Return one page as SVG; ``kept`` is the cache that the pages of the document share."""
    definitions = Definitions(ItemCache() if kept is None else kept)
    body = [line for placement in page.placements for line in _placement(placement, page, definitions)]
    width, height = page.sheet.width, page.sheet.height
    size = f'width="{number(width)}mm" height="{number(height)}mm"'
    view = f'viewBox="0 0 {number(width * PER_MM)} {number(height * PER_MM)}"'
    title = document.title if len(document.pages) == 1 else f"{document.title} – {page.label}"
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {spaces} {size} {view} xml:lang="{escape(document.language)}">',
        f"<title>{escape(plain(title))}</title>",
    ]
    if document.subject:
        parts.append(f"<desc>{escape(plain(document.subject))}</desc>")
    if definitions.elements:
        parts += ["<defs>", *definitions.elements, "</defs>"]
    upright = f'<g transform="matrix(1 0 0 -1 0 {number(height * PER_MM)})">'
    return "\n".join([*parts, upright, *body, "</g>", "</svg>", ""])


def _placement(placement: Placement, page: Page, definitions: Definitions) -> Iterator[str]:
    window = window_of(page.sheet.area if placement.clip is None else placement.clip, placement.transform)
    cut = f' clip-path="url(#{definitions.clip(box_of(placement.clip))})"' if placement.clip is not None else ""
    moved = f' transform="{matrix(placement.transform)}"' if placement.transform != _AS_IT_IS else ""
    # The clip is in mm of the page, so it is outside the transform.
    yield f"<g{cut}><g{moved}>"
    for layer in placement.drawing.layers:
        shown = list(elements(layer.items, window, definitions))
        if shown:
            yield _opening(layer, definitions)
            yield from shown
            yield "</g>"
    yield "</g></g>"


def _opening(layer: Layer, definitions: Definitions) -> str:
    label = layer.name.name.lower().replace("_", " ")
    return f'<g inkscape:groupmode="layer" inkscape:label="{label}"{layer_clip(layer, definitions)}>'


def layer_clip(layer: Layer, definitions: Definitions) -> str:
    """Return the clip attribute of a layer; empty if it has no clip."""
    return f' clip-path="url(#{definitions.clip(_cut_to(layer.clip))})"' if layer.clip is not None else ""


def _cut_to(clip: Rect | PathRun) -> Extent | PathRun:
    return box_of(clip) if isinstance(clip, Rect) else clip
