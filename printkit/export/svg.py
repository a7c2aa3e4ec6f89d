"""Write documents as SVG: one file per page, in mm, with a group for each layer, and letters as outlines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
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
from printkit.drawing.lettering.glyphs import Contour, GlyphPoint, contour_segments, letter_contours, units_per_em
from printkit.drawing.lettering.typefaces import advances, typeface
from printkit.export.placing import format_number, page_paths, replace_file
from printkit.export.svg_pictures import Painted
from printkit.page.sheet import Document, Page, Placement


@cache
def outline(font: Font, letter: str) -> str:
    """Return the SVG path data of a letter in typeface units, y up; empty for a space.

    Raises:
        PageError: the typeface does not have the letter.
    """
    face = typeface(font).face
    if ord(letter) not in face.charToGlyph:
        raise PageError("{font} has no character {letter!r} (U+{code:04X})", font=font, letter=letter, code=ord(letter))
    return "".join(_contour_path(contour) for contour in letter_contours(font, letter))


def _contour_path(contour: Contour) -> str:
    """Return a contour as SVG path data in typeface units."""
    first, *segments = contour_segments(contour)
    parts = [f"M{_xy(first[1])}"]
    parts += [f"L{_xy(end)}" if control is None else f"Q{_xy(control)} {_xy(end)}" for control, end in segments]
    return "".join(parts) + "Z"


def _xy(point: GlyphPoint) -> str:
    """Return the rounded coordinates of a point with a space between them, in typeface units."""
    return f"{round(point.x)} {round(point.y)}"


# --- Items as SVG elements, in hundredths of a millimetre with y up; the page flips the y axis ------------------------

_CAPS = ("butt", "round", "square")
_JOINS = ("miter", "round", "bevel")


class ItemCache(Struct):
    """A cache of bounds and path data of items, shared by the pages of a document.

    Keys are ``id(item)``, so a cache must not outlive its document.
    """

    _bounds: dict[int, list[Extent]] = field(default_factory=dict)
    _text_extents: dict[int, list[Extent]] = field(default_factory=dict)
    _data: dict[int, str] = field(default_factory=dict)

    def extents(self, item: Item) -> list[Extent]:
        """Return the bounds of each shape of an item, in units of 0.01 mm of its drawing."""
        cached_value = self._bounds.get(id(item))
        if cached_value is None:
            cached_value = self._bounds[id(item)] = extents(item, self._text_extents)
        return cached_value

    def data(self, path: Path) -> str:
        """Return the lines of a path as SVG path data, in units of 0.01 mm of its drawing."""
        cached_value = self._data.get(id(path))
        if cached_value is None:
            cached_value = self._data[id(path)] = "".join(map(_run_data, path.runs))
        return cached_value


class Definitions(Struct):
    """The definitions of a page for repeated use: artwork, letters and clip shapes."""

    cache: ItemCache = field(default_factory=ItemCache)
    elements: list[str] = field(default_factory=list)
    _artwork: dict[Artwork, str] = field(default_factory=dict)
    _artwork_ids: dict[int, str] = field(default_factory=dict)
    _letters: dict[tuple[Font, str], str] = field(default_factory=dict)
    pictures: Painted = field(default_factory=Painted)
    _clips: dict[Extent | PathRun, str] = field(default_factory=dict)

    def clip_id(self, shape: Extent | PathRun) -> str:
        """Return the ID of the clip path for a rectangle or closed line, given in units of 0.01 mm.

        The clip path is added to ``elements`` at the first call.
        """
        if shape not in self._clips:
            name = self._clips[shape] = f"clip{len(self._clips) + 1}"
            match shape:
                case Extent(left, bottom, right, top):
                    size = f'width="{format_number(right - left)}" height="{format_number(top - bottom)}"'
                    shape_element = f'<rect x="{format_number(left)}" y="{format_number(bottom)}" {size}/>'
                case PathRun():
                    shape_element = f'<path d="{_run_data(shape)}"/>'
            self.elements.append(f'<clipPath id="{name}">{shape_element}</clipPath>')
        return self._clips[shape]

    def artwork_id(self, artwork: Artwork) -> str:
        """Return the ID of the group for an artwork, which is added at the first call."""
        known_name = self._artwork_ids.get(id(artwork))
        if known_name is not None:
            return known_name
        # Equal artwork shares a group, but comparing takes as long as writing, so look up the identity first.
        if artwork not in self._artwork:
            name = self._artwork[artwork] = f"stamp{len(self._artwork) + 1}"
            group_elements = [
                *path_elements(artwork.paths, self.cache),
                *(self.picture_element(picture) for picture in artwork.pictures),
            ]
            self.elements.append(f'<g id="{name}">{"".join(group_elements)}</g>')
        group_name = self._artwork_ids[id(artwork)] = self._artwork[artwork]
        return group_name

    def picture_element(self, picture: Picture) -> str:
        """Return a painted picture as an SVG element; the definitions that it needs are added to ``elements``.

        Raises:
            ResourceError: the stock has no picture of its name.
        """
        clip_attribute = "" if picture.clip is None else f' clip-path="url(#{self.clip_id(picture.clip)})"'
        picture_group, new_definitions = self.pictures.picture_element(picture)
        self.elements += new_definitions
        return f"<g{clip_attribute}>{picture_group}</g>"

    def letter_id(self, font: Font, letter: str) -> str:
        """Return the ID of a letter's outline, or an empty string for a space.

        The outline is added to ``elements`` at the first call.

        Raises:
            PageError: the typeface does not have the letter.
        """
        if (font, letter) not in self._letters:
            data = outline(font, letter)
            name = self._letters[font, letter] = f"letter{len(self._letters) + 1}" if data else ""
            if data:
                self.elements.append(f'<path id="{name}" d="{data}"/>')
        return self._letters[font, letter]


def elements(items: tuple[Item, ...], window: Extent, definitions: Definitions) -> Iterator[str]:
    """Yield the SVG elements of the items that are visible in a window, in order.

    The window is in units of 0.01 mm of the drawing. Without visible items nothing is yielded.
    """
    for kind, group in groupby(items, key=type):
        if kind is Path:
            visible_paths = (item for item in group if isinstance(item, Path) and _is_visible(item))
            shown_paths = (
                item for item in visible_paths if any(box.meets(window) for box in definitions.cache.extents(item))
            )
            yield from path_elements(tuple(shown_paths), definitions.cache)
            continue
        for item in group:
            match item:
                case Text():
                    if item.content.strip() and text_extent(item).meets(window):
                        yield text_element(item, definitions)
                case Stamp():
                    yield from _stamp_elements(item, window, definitions)
                case Picture():
                    if box_of(item.frame).meets(window):
                        yield definitions.picture_element(item)
                case Path():
                    pass
                case _:
                    assert_never(item)


def path_elements(visible_paths: tuple[Path, ...], cache: ItemCache) -> Iterator[str]:
    """Yield SVG elements of paths; neighbours with the same paint share a group."""
    for paint, group in groupby(filter(_is_visible, visible_paths), key=_paint_attributes):
        shapes = [f'd="{cache.data(path)}"' for path in group]
        if len(shapes) == 1:
            yield f"<path {paint} {shapes[0]}/>"
        else:
            yield f"<g {paint}>" + "".join(f"<path {shape}/>" for shape in shapes) + "</g>"


def text_element(item: Text, definitions: Definitions) -> str:
    """Return a text as an SVG group of outlines: letters above their halo.

    The content without marks is its label for screen readers.
    """
    scale = item.size_pt * MM_PER_POINT * PER_MM / units_per_em(item.font)
    letters = "".join(_letter_elements(item, scale, definitions))
    halo = ""
    if item.halo is not None:
        # The outlines are scaled to the type size, which scales the halo too.
        stroke = Stroke(item.halo.ink, item.halo.width / scale, join=item.halo.join)
        halo = f'<g fill="none" {_stroke_attributes(stroke)}>{letters}</g>'
    label = quoteattr(plain(item.content))
    return f'<g role="img" aria-label={label}>{halo}<g {_fill_attributes(item.ink)}>{letters}</g></g>'


def matrix_attribute(transform: Affine) -> str:
    """Return a transform whose shift is in mm as an SVG ``matrix`` with its shift in units of 0.01 mm."""
    rotation = " ".join(format_number(value, 6) for value in transform[:4])
    return f"matrix({rotation} {format_number(transform.e * PER_MM)} {format_number(transform.f * PER_MM)})"


def _letter_elements(item: Text, scale: float, definitions: Definitions) -> Iterator[str]:
    """Yield an SVG element for each visible letter of a text.

    ``scale`` is in units of 0.01 mm on paper per typeface unit. The outlines of new letters are added to
    ``definitions``.
    """
    size = item.size_pt * MM_PER_POINT
    positions = list(item.glyphs)
    content = item.content if len(positions) in (0, len(item.content)) else item.content.replace(" ", "")
    if not positions:
        (x, y), angle_rad = text_foot(item), math.radians(item.angle)
        for share in advances(item.font).steps(content):
            positions.append((x, y, item.angle))
            step = share * size + item.track
            x, y = x + step * math.cos(angle_rad), y + step * math.sin(angle_rad)
    for letter, (x, y, angle) in zip(content, positions, strict=True):
        name = definitions.letter_id(item.font, letter)
        if name:
            angle_rad = math.radians(angle)
            cosine, sine = scale * math.cos(angle_rad), scale * math.sin(angle_rad)
            yield f'<use href="#{name}" transform="{matrix_attribute(Affine(cosine, sine, -sine, cosine, x, y))}"/>'


def _stamp_elements(stamp: Stamp, window: Extent, definitions: Definitions) -> Iterator[str]:
    """Yield an SVG element for each visible position of a stamp (a picture drawn many times).

    ``window`` is the visible area, in units of 0.01 mm of the drawing.
    """
    for transform, box in zip(stamp.places, definitions.cache.extents(stamp), strict=False):
        if box.meets(window):
            yield f'<use href="#{definitions.artwork_id(stamp.artwork)}" transform="{matrix_attribute(transform)}"/>'


def _is_visible(path: Path) -> bool:
    """Return whether a path has runs, and a fill or a stroke."""
    return bool(path.runs) and (path.fill is not None or path.stroke is not None)


def _paint_attributes(path: Path) -> str:
    """Return the SVG attributes for the fill and stroke of a path."""
    fill = 'fill="none"' if path.fill is None else _fill_attributes(path.fill)
    if path.fill is not None and path.rule is FillRule.EVEN_ODD:
        fill += ' fill-rule="evenodd"'
    return fill if path.stroke is None else f"{fill} {_stroke_attributes(path.stroke)}"


def _fill_attributes(ink: Ink) -> str:
    """Return the SVG attributes to fill with an ink."""
    return f'fill="{_hex_colour(ink)}"' + (f' fill-opacity="{format_number(ink.alpha)}"' if ink.alpha < 1 else "")


def _stroke_attributes(stroke: Stroke) -> str:
    """Return the SVG attributes of a stroke, in units of 0.01 mm; the stroke is in mm of the drawing."""
    parts = [f'stroke="{_hex_colour(stroke.ink)}" stroke-width="{format_number(stroke.width * PER_MM, 1)}"']
    if stroke.ink.alpha < 1:
        parts.append(f'stroke-opacity="{format_number(stroke.ink.alpha)}"')
    if stroke.cap:
        parts.append(f'stroke-linecap="{_CAPS[stroke.cap]}"')
    parts.append(f'stroke-linejoin="{_JOINS[stroke.join]}"' + ("" if stroke.join else ' stroke-miterlimit="10"'))
    if stroke.dash:
        dashes = " ".join(format_number(length * PER_MM, 1) for length in stroke.dash)
        parts.append(f'stroke-dasharray="{dashes}" stroke-dashoffset="{format_number(stroke.phase * PER_MM, 1)}"')
    return " ".join(parts)


def _hex_colour(ink: Ink) -> str:
    """Return the colour of an ink as ``#rrggbb``."""
    return f"#{ink.red:02x}{ink.green:02x}{ink.blue:02x}"


def _run_data(run: PathRun) -> str:
    """Return a line as SVG path data: first point, then steps, in units of 0.01 mm of the drawing."""
    points = run.points
    if not points:
        return ""
    steps = [str(value - before) for value, before in zip(points[2:], points[:-2], strict=True)]
    line = f"l{' '.join(steps)}" if steps else "h0"
    return f"M{points[0]} {points[1]}{line}" + ("z" if run.closed else "")


_IDENTITY = Affine()


def write(document: Document, path: FilePath) -> tuple[FilePath, ...]:
    """Write a document as one SVG per page, and return the paths: ``map.svg``, or ``map-1.svg``, ``map-2.svg`` ...

    Raises:
        PageError: there is no page, or a file cannot be written.
    """
    if not document.pages:
        raise PageError("a document needs at least one page")
    paths, cache = page_paths(path, len(document.pages)), ItemCache()
    for target, page in zip(paths, document.pages, strict=True):
        with replace_file(target) as temporary:
            temporary.write_text(text(document, page, cache), encoding="utf-8", newline="\n")
    return paths


def text(document: Document, page: Page, cache: ItemCache | None = None) -> str:
    """Return one page as SVG text, as large as its sheet in mm.

    If the document has several pages, the title of the SVG has the label of the page. ``cache`` is the cache that the
    pages of the document share; None for a new one.
    """
    definitions = Definitions(ItemCache() if cache is None else cache)
    body = [line for placement in page.placements for line in _placement_lines(placement, page, definitions)]
    width, height = page.sheet.width, page.sheet.height
    size = f'width="{format_number(width)}mm" height="{format_number(height)}mm"'
    view = f'viewBox="0 0 {format_number(width * PER_MM)} {format_number(height * PER_MM)}"'
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
    flip_group = f'<g transform="matrix(1 0 0 -1 0 {format_number(height * PER_MM)})">'
    return "\n".join([*parts, flip_group, *body, "</g>", "</svg>", ""])


def _placement_lines(placement: Placement, page: Page, definitions: Definitions) -> Iterator[str]:
    """Yield the lines of SVG for a placed drawing: only the items that are visible on the page.

    Layers without any are left out.
    """
    window = window_of(page.sheet.area if placement.clip is None else placement.clip, placement.transform)
    clip_attribute = (
        f' clip-path="url(#{definitions.clip_id(box_of(placement.clip))})"' if placement.clip is not None else ""
    )
    transform_attribute = (
        f' transform="{matrix_attribute(placement.transform)}"' if placement.transform != _IDENTITY else ""
    )
    # The clip is in mm of the page, so it is outside the transform.
    yield f"<g{clip_attribute}><g{transform_attribute}>"
    for layer in placement.drawing.layers:
        layer_elements = list(elements(layer.items, window, definitions))
        if layer_elements:
            label = layer.name.name.lower().replace("_", " ")
            clip_attribute = layer_clip_attribute(layer, definitions)
            yield f'<g inkscape:groupmode="layer" inkscape:label="{label}"{clip_attribute}>'
            yield from layer_elements
            yield "</g>"
    yield "</g></g>"


def layer_clip_attribute(layer: Layer, definitions: Definitions) -> str:
    """Return the SVG clip attribute of a layer with a space before it; empty if the layer has no clip.

    The clip path is added to ``definitions``.
    """
    if layer.clip is None:
        return ""
    clip_shape = box_of(layer.clip) if isinstance(layer.clip, Rect) else layer.clip
    return f' clip-path="url(#{definitions.clip_id(clip_shape)})"'
