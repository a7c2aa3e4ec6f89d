"""Textures, sprites and masks in an SVG; each is embedded in the file once."""

from __future__ import annotations

import io
from base64 import b64encode

from msgspec import Struct, field
from PIL import Image

from printkit.drawing.canvas.items import Ink, Mask, Picture
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of
from printkit.drawing.mats.stock import LAP, PERIOD, is_sprite, sprite, texture
from printkit.export.files import number


class Painted(Struct):
    """The shared textures, sprites and masks of a page, by ID."""

    _held: dict[str, str] = field(default_factory=dict)
    _masks: dict[tuple[Mask, Extent], str] = field(default_factory=dict)

    def element(self, picture: Picture) -> tuple[str, list[str]]:
        """Return a picture as an element, and the new definitions that it needs.

        Raises:
            ResourceError: the stock has no picture of its name.
        """
        box, defined = box_of(picture.frame), list[str]()
        covers = picture.alpha * (picture.paint.alpha if isinstance(picture.paint, Ink) else 1.0)
        seen = f' opacity="{number(covers)}"' if covers < 1 else ""
        mask = "" if picture.mask is None else f' mask="url(#{self._mask(picture.mask, box, defined)})"'
        if isinstance(picture.paint, Ink):
            red, green, blue = picture.paint[:3]
            return f'<rect {_sides(box)} fill="#{red:02X}{green:02X}{blue:02X}"{seen}{mask}/>', defined
        if is_sprite(picture.paint):
            name = self._sprite(picture.paint, picture.veil, defined)
            wide, high = box.right - box.left, box.top - box.bottom
            place = f"matrix({number(wide)} 0 0 {number(high)} {number(box.left)} {number(box.bottom)})"
            return f'<use href="#{name}" transform="{place}"{seen}{mask}/>', defined
        name = self._pattern(picture, picture.paint, defined)
        drawn = f'<rect {_sides(box)} fill="url(#{name})"/>'
        if picture.veil:
            drawn += f'<rect {_sides(box)} fill="#FFFFFF" fill-opacity="{number(picture.veil)}"/>'
        return f"<g{seen}{mask}>{drawn}</g>", defined

    def _pattern(self, picture: Picture, name: str, defined: list[str]) -> str:
        """Return the id of the pattern for a texture with the picture's rotation, origin and size."""
        if name not in self._held:
            self._held[name] = f"texture-{name}"
            data = b64encode(texture(name).data).decode()
            side = number((PERIOD + LAP) * PER_MM)
            defined.append(
                f'<image id="texture-{name}" width="{side}" height="{side}" preserveAspectRatio="none" '
                f'transform="matrix(1 0 0 -1 0 {number(PERIOD * PER_MM)})" href="data:image/jpeg;base64,{data}"/>'
            )
        key = f"{name} {picture.turn} {picture.origin} {picture.size}"
        if key not in self._held:
            self._held[key] = f"pattern{len(self._held) + 1}"
            across, up = (number(place * PER_MM) for place in picture.origin)
            side = number(PERIOD * PER_MM)
            turned = f"translate({across} {up}) rotate({number(picture.turn)}) scale({number(picture.size)})"
            defined.append(
                f'<pattern id="{self._held[key]}" patternUnits="userSpaceOnUse" width="{side}" height="{side}" '
                f'patternTransform="{turned}"><use href="#texture-{name}"/></pattern>'
            )
        return self._held[key]

    def _sprite(self, name: str, veil: float, defined: list[str]) -> str:
        """Return the id of the image for a sprite, stretched to a unit square with y up."""
        key = f"{name} {veil}"
        if key not in self._held:
            self._held[key] = f"sprite{len(self._held) + 1}"
            held = sprite(name)
            colours = Image.frombytes("RGB", (held.width, held.height), held.colours)
            if veil:
                colours = Image.blend(colours, Image.new("RGB", colours.size, "white"), veil)
            colours.putalpha(Image.frombytes("L", colours.size, held.cover))
            defined.append(_unit(self._held[key], colours))
        return self._held[key]

    def _mask(self, mask: Mask, box: Extent, defined: list[str]) -> str:
        if (mask, box) not in self._masks:
            name = self._masks[mask, box] = f"mask{len(self._masks) + 1}"
            shown = _image(Image.frombytes("L", (mask.width, mask.height), mask.levels))
            wide, high = number(box.right - box.left), number(box.top - box.bottom)
            place = f"matrix(1 0 0 -1 {number(box.left)} {number(box.top)})"
            defined.append(
                f'<mask id="{name}" maskUnits="userSpaceOnUse" {_sides(box)}><image width="{wide}" height="{high}" '
                f'preserveAspectRatio="none" transform="{place}" href="{shown}"/></mask>'
            )
        return self._masks[mask, box]


def _unit(name: str, image: Image.Image) -> str:
    return (
        f'<image id="{name}" width="1" height="1" preserveAspectRatio="none" transform="matrix(1 0 0 -1 0 1)" '
        f'href="{_image(image)}"/>'
    )


def _image(image: Image.Image) -> str:
    held = io.BytesIO()
    image.save(held, "PNG")
    return f"data:image/png;base64,{b64encode(held.getvalue()).decode()}"


def _sides(box: Extent) -> str:
    sides = {"x": box.left, "y": box.bottom, "width": box.right - box.left, "height": box.top - box.bottom}
    return " ".join(f'{name}="{number(side)}"' for name, side in sides.items())
