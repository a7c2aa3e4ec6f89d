"""Textures, sprites and masks in an SVG; each is embedded in the file once."""

from __future__ import annotations

import io
from base64 import b64encode

from msgspec import Struct, field
from PIL import Image

from printkit.drawing.canvas.items import Ink, Mask, Picture
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of
from printkit.drawing.mats.painter import LAP, PERIOD, is_sprite, sprite, texture
from printkit.export.placing import format_number


class Painted(Struct):
    """The shared textures, sprites and masks of a page, by ID."""

    _ids: dict[str, str] = field(default_factory=dict)
    _masks: dict[tuple[Mask, Extent], str] = field(default_factory=dict)

    def picture_element(self, picture: Picture) -> tuple[str, list[str]]:
        """Return a picture as an SVG element, and the definitions that it needs and that are not stored yet.

        Raises:
            ResourceError: the stock has no picture of its name.
        """
        box, new_definitions = box_of(picture.frame), list[str]()
        opacity = picture.alpha * (picture.paint.alpha if isinstance(picture.paint, Ink) else 1.0)
        opacity_attribute = f' opacity="{format_number(opacity)}"' if opacity < 1 else ""
        mask = "" if picture.mask is None else f' mask="url(#{self._mask_id(picture.mask, box, new_definitions)})"'
        if isinstance(picture.paint, Ink):
            red, green, blue = picture.paint[:3]
            return (
                f'<rect {_rect_attributes(box)} fill="#{red:02X}{green:02X}{blue:02X}"{opacity_attribute}{mask}/>',
                new_definitions,
            )
        if is_sprite(picture.paint):
            name = self._sprite_id(picture.paint, picture.veil, new_definitions)
            width, height = format_number(box.right - box.left), format_number(box.top - box.bottom)
            matrix = f"matrix({width} 0 0 {height} {format_number(box.left)} {format_number(box.bottom)})"
            return f'<use href="#{name}" transform="{matrix}"{opacity_attribute}{mask}/>', new_definitions
        name = self._pattern_id(picture, picture.paint, new_definitions)
        element = f'<rect {_rect_attributes(box)} fill="url(#{name})"/>'
        if picture.veil:
            element += f'<rect {_rect_attributes(box)} fill="#FFFFFF" fill-opacity="{format_number(picture.veil)}"/>'
        return f"<g{opacity_attribute}{mask}>{element}</g>", new_definitions

    def _pattern_id(self, picture: Picture, name: str, new_definitions: list[str]) -> str:
        """Return the ID of the pattern for a texture with the picture's rotation, origin and size.

        ``name`` is that of the texture. New definitions are added to ``new_definitions``.
        """
        if name not in self._ids:
            self._ids[name] = f"texture-{name}"
            data = b64encode(texture(name).data).decode()
            side = format_number((PERIOD + LAP) * PER_MM)
            new_definitions.append(
                f'<image id="texture-{name}" width="{side}" height="{side}" preserveAspectRatio="none" '
                f'transform="matrix(1 0 0 -1 0 {format_number(PERIOD * PER_MM)})" '
                f'href="data:image/jpeg;base64,{data}"/>'
            )
        key = f"{name} {picture.turn} {picture.origin} {picture.size}"
        if key not in self._ids:
            self._ids[key] = f"pattern{len(self._ids) + 1}"
            origin_x, origin_y = (format_number(coordinate * PER_MM) for coordinate in picture.origin)
            side = format_number(PERIOD * PER_MM)
            turn, size = format_number(picture.turn), format_number(picture.size)
            pattern_transform = f"translate({origin_x} {origin_y}) rotate({turn}) scale({size})"
            new_definitions.append(
                f'<pattern id="{self._ids[key]}" patternUnits="userSpaceOnUse" width="{side}" height="{side}" '
                f'patternTransform="{pattern_transform}"><use href="#texture-{name}"/></pattern>'
            )
        return self._ids[key]

    def _sprite_id(self, name: str, veil: float, new_definitions: list[str]) -> str:
        """Return the ID of the image for a sprite, stretched to a unit square with y up.

        ``veil`` is the share of white over it, 0 to 1. New definitions are added to ``new_definitions``.
        """
        key = f"{name} {veil}"
        if key not in self._ids:
            self._ids[key] = f"sprite{len(self._ids) + 1}"
            stock_sprite = sprite(name)
            colours = Image.frombytes("RGB", (stock_sprite.width, stock_sprite.height), stock_sprite.colours)
            if veil:
                colours = Image.blend(colours, Image.new("RGB", colours.size, "white"), veil)
            colours.putalpha(Image.frombytes("L", colours.size, stock_sprite.cover))
            new_definitions.append(_unit_image(self._ids[key], colours))
        return self._ids[key]

    def _mask_id(self, mask: Mask, box: Extent, new_definitions: list[str]) -> str:
        """Return the ID of a mask over the rectangle ``box``, in units of 0.01 mm of the drawing.

        New definitions are added to ``new_definitions``.
        """
        if (mask, box) not in self._masks:
            name = self._masks[mask, box] = f"mask{len(self._masks) + 1}"
            image_url = _image_url(Image.frombytes("L", (mask.width, mask.height), mask.levels))
            width, height = format_number(box.right - box.left), format_number(box.top - box.bottom)
            matrix = f"matrix(1 0 0 -1 {format_number(box.left)} {format_number(box.top)})"
            new_definitions.append(
                f'<mask id="{name}" maskUnits="userSpaceOnUse" {_rect_attributes(box)}>'
                f'<image width="{width}" height="{height}" '
                f'preserveAspectRatio="none" transform="{matrix}" href="{image_url}"/></mask>'
            )
        return self._masks[mask, box]


def _unit_image(name: str, image: Image.Image) -> str:
    """Return an image as an SVG element with the ID ``name``, stretched to a unit square with y up."""
    return (
        f'<image id="{name}" width="1" height="1" preserveAspectRatio="none" transform="matrix(1 0 0 -1 0 1)" '
        f'href="{_image_url(image)}"/>'
    )


def _image_url(image: Image.Image) -> str:
    """Return an image as a data URL with a PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return f"data:image/png;base64,{b64encode(buffer.getvalue()).decode()}"


def _rect_attributes(box: Extent) -> str:
    """Return the SVG attributes of a rectangle; both are in units of 0.01 mm of the drawing."""
    sides = {"x": box.left, "y": box.bottom, "width": box.right - box.left, "height": box.top - box.bottom}
    return " ".join(f'{name}="{format_number(side)}"' for name, side in sides.items())
