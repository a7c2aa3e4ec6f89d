"""Textures, sprites and masks in a PDF; each is stored once and referenced where it is used.

A texture is a form that draws the stock picture. The form is repeated instead of a pattern, because patterns start at
the corner of the page and would shift from sheet to sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct, field
from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFName,
    PDFObject,
    PDFObjectReference,
    PDFStream,
    PDFStreamFilterZCompress,
)

from printkit.drawing.canvas.items import Ink, Mask, Path, Picture
from printkit.drawing.lettering.extent import PER_MM, Extent, box_of
from printkit.drawing.mats.painter import LAP, PERIOD, cells_of, is_sprite, sprite, texture
from printkit.export.pdf_content import Code, path_outlines
from printkit.export.placing import format_number

_STATE_PREFIX: Final = "K"
_COMPRESSION: Final = PDFStreamFilterZCompress()


def is_state(name: str) -> bool:
    """Return whether a name is for a graphics state with a mask, and not for a picture or form."""
    return name.startswith(_STATE_PREFIX)


class Part(Struct):
    """A PDF object: a stream or a dictionary, and the names of the objects that it needs."""

    entries: dict[str, Any]
    content: bytes = b""
    is_compressed: bool = True
    required: tuple[str, ...] = ()

    def pdf_object(self) -> PDFObject:
        """Return the object of the PDF library."""
        head = PDFDictionary(self.entries)
        if not self.content:
            return head
        return PDFStream(head, self.content, [_COMPRESSION] if self.is_compressed else [])


class Pictures(Struct):
    """The pictures of one document by name."""

    _parts: dict[str, Part] = field(default_factory=dict)
    _masks: dict[tuple[Mask, Extent], str] = field(default_factory=dict)

    def encode_picture(self, picture: Picture) -> Code:
        """Return a picture as a piece of content, in units of 0.01 mm of the drawing; new objects are stored.

        Raises:
            ResourceError: the stock has no picture of its name.
        """
        box = box_of(picture.frame)
        lines, names, alpha = ["q"], list[str](), picture.alpha
        if picture.clip is not None:
            lines.append(f"{next(path_outlines((Path((picture.clip,)),))).code}W n")
        if picture.mask is not None:
            names.append(self._mask_state(picture.mask, box))
            lines.append(f"/{names[-1]} gs")
        if isinstance(picture.paint, Ink):
            alpha *= picture.paint.alpha
            colour = " ".join(format_number(shade / 255) for shade in picture.paint[:3])
            sides = (box.left, box.bottom, box.right - box.left, box.top - box.bottom)
            rectangle = " ".join(format_number(side) for side in sides)
            lines.append(f"{colour} rg {rectangle} re f")
        elif is_sprite(picture.paint):
            names.append(self._sprite_image(picture.paint, picture.veil))
            lines.append(f"{_stretch_matrix(box)} cm /{names[-1]} Do")
        else:
            names.append(self._texture_form(picture, picture.paint, box))
            lines.append(f"/{names[-1]} Do")
        lines.append("Q")
        settings = ("fill alpha", f"/F{round(alpha * 1000)} gs"), ("stroke alpha", "/S1000 gs")
        return Code(box, settings, "\n".join(lines), pictures=tuple(names))

    def required_parts(self, names: Iterable[str]) -> Iterator[tuple[str, Part]]:
        """Yield the named parts and the parts that they need, in order of creation, each with its name."""
        remaining, required_names = list(names), set[str]()
        while remaining:
            name = remaining.pop()
            if name not in required_names:
                required_names.add(name)
                remaining += self._parts[name].required
        return ((name, part) for name, part in self._parts.items() if name in required_names)

    def _texture_form(self, picture: Picture, name: str, box: Extent) -> str:
        """Return the name of a form that fills the frame with a texture; with a mask it is transparent.

        ``name`` is that of the texture, and ``box`` the frame in units of 0.01 mm of the drawing.
        """
        tile = self._tile_form(name, picture.veil)
        side = PERIOD * picture.size
        angle_rad = math.radians(picture.turn)
        cosine, sine = math.cos(angle_rad), math.sin(angle_rad)
        origin_x, origin_y = (format_number(coordinate * PER_MM) for coordinate in picture.origin)
        rotation = " ".join(format_number(part, 6) for part in (cosine, sine, -sine, cosine))
        lines = [f"{rotation} {origin_x} {origin_y} cm"]
        size = format_number(picture.size, 4)
        for column, row in cells_of(picture.frame, picture.origin, picture.turn, side):
            position = f"{format_number(column * side * PER_MM)} {format_number(row * side * PER_MM)}"
            lines.append(f"q {size} 0 0 {size} {position} cm /{tile} Do Q")
        entries: dict[str, Any] = _form_entries(box, {"XObject": (tile,)})
        if picture.mask is not None:
            entries["Group"] = PDFDictionary({"S": PDFName("Transparency"), "CS": PDFName("DeviceRGB")})
        return self._add_part("G", Part(entries, "\n".join(lines).encode(), required=(tile,)))

    def _tile_form(self, name: str, veil: float) -> str:
        """Return the name of the form that draws a texture once, from its lower left corner.

        ``veil`` is the share of white over it, 0 to 1.
        """
        tile_name = f"L{name}{_veil_suffix(veil)}"
        if tile_name not in self._parts:
            image_name = self._texture_image(name, veil)
            side = (PERIOD + LAP) * PER_MM
            box = Extent(0, -LAP * PER_MM, side, PERIOD * PER_MM)
            code = f"{_stretch_matrix(Extent(0, -LAP * PER_MM, side, PERIOD * PER_MM))} cm /{image_name} Do"
            self._parts[tile_name] = Part(
                _form_entries(box, {"XObject": (image_name,)}), code.encode(), required=(image_name,)
            )
        return tile_name

    def _texture_image(self, name: str, veil: float) -> str:
        """Return the name of the image of a texture; ``veil`` is the share of white over it, 0 to 1.

        The image is stored the first time.
        """
        image_name = f"I{name}{_veil_suffix(veil)}"
        if image_name not in self._parts:
            stock_texture = texture(name)
            entries = _image_entries(stock_texture.width, stock_texture.height, "DeviceRGB", veil)
            # The shipped JPEG bytes are used unchanged.
            entries["Filter"] = PDFName("DCTDecode")
            self._parts[image_name] = Part(entries, stock_texture.data, is_compressed=False)
        return image_name

    def _sprite_image(self, name: str, veil: float) -> str:
        """Return the name of the image of a sprite; ``veil`` is the share of white over it, 0 to 1.

        The image and its mask are stored the first time.
        """
        image_name = f"I{name}{_veil_suffix(veil)}"
        if image_name not in self._parts:
            stock_sprite = sprite(name)
            alpha_name = f"C{name}"
            self._parts.setdefault(
                alpha_name,
                Part(_image_entries(stock_sprite.width, stock_sprite.height, "DeviceGray", 0.0), stock_sprite.cover),
            )
            entries = _image_entries(stock_sprite.width, stock_sprite.height, "DeviceRGB", veil)
            entries["SMask"] = PDFObjectReference(alpha_name)
            self._parts[image_name] = Part(entries, stock_sprite.colours, required=(alpha_name,))
        return image_name

    def _mask_state(self, mask: Mask, box: Extent) -> str:
        """Return the name of the graphics state with a mask over ``box``, in units of 0.01 mm of the drawing."""
        if (mask, box) not in self._masks:
            image = self._add_part("M", Part(_image_entries(mask.width, mask.height, "DeviceGray", 0.0), mask.levels))
            entries = _form_entries(box, {"XObject": (image,)})
            entries["Group"] = PDFDictionary({"S": PDFName("Transparency"), "CS": PDFName("DeviceGray")})
            code = f"q {_stretch_matrix(box)} cm /{image} Do Q"
            form = self._add_part("N", Part(entries, code.encode(), required=(image,)))
            soft_mask = {"Type": PDFName("Mask"), "S": PDFName("Luminosity"), "G": PDFObjectReference(form)}
            state = {"Type": PDFName("ExtGState"), "SMask": PDFDictionary(soft_mask)}
            self._masks[mask, box] = self._add_part(_STATE_PREFIX, Part(state, required=(form,)))
        return self._masks[mask, box]

    def _add_part(self, prefix: str, part: Part) -> str:
        """Add a part under a new name with this prefix, and return the name."""
        name = f"{prefix}{len(self._parts) + 1}"
        self._parts[name] = part
        return name


def _veil_suffix(veil: float) -> str:
    """Return the end of the name of a picture with a veil (0 to 1) in hundredths; empty without one."""
    return f"v{round(veil * 100)}" if veil else ""


def _image_entries(width: int, height: int, space: str, veil: float) -> dict[str, Any]:
    """Return the PDF dictionary of an image of ``width`` x ``height`` pixels in a colour space.

    ``veil`` lightens its dark colours towards white; it is the share of white, 0 to 1.
    """
    entries: dict[str, Any] = {
        "Type": PDFName("XObject"),
        "Subtype": PDFName("Image"),
        "Width": width,
        "Height": height,
        "ColorSpace": PDFName(space),
        "BitsPerComponent": 8,
        "Interpolate": "true",
    }
    if veil:
        entries["Decode"] = PDFArray([format_number(veil), 1] * 3)
    return entries


def _form_entries(box: Extent, resources: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return the PDF dictionary of a form with bounds in units of 0.01 mm of the drawing.

    ``resources`` has the names of its objects by type, for example ``XObject``.
    """
    references = {
        kind: PDFDictionary({name: PDFObjectReference(name) for name in names}) for kind, names in resources.items()
    }
    corners = (math.floor(box.left), math.floor(box.bottom), math.ceil(box.right), math.ceil(box.top))
    return {
        "Type": PDFName("XObject"),
        "Subtype": PDFName("Form"),
        "BBox": PDFArray([str(corner) for corner in corners]),
        "Resources": PDFDictionary(references),
    }


def _stretch_matrix(box: Extent) -> str:
    """Return the six numbers of the matrix, as text, that stretches a unit square over a box in units of 0.01 mm."""
    width, height = format_number(box.right - box.left), format_number(box.top - box.bottom)
    return f"{width} 0 0 {height} {format_number(box.left)} {format_number(box.bottom)}"
