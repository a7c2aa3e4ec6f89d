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
from printkit.drawing.mats.stock import LAP, PERIOD, cells_of, is_sprite, sprite, texture
from printkit.export.files import number
from printkit.export.pdf_content import Code, StateSetting, outlines

_STATE: Final = "K"
_PACKED: Final = PDFStreamFilterZCompress()


def is_state(name: str) -> bool:
    """Return whether a name is for a graphics state with a mask, and not for a picture or form."""
    return name.startswith(_STATE)


class Part(Struct):
    """A PDF object: a stream or a dictionary, and the names of the objects that it needs."""

    head: dict[str, Any]
    content: bytes = b""
    packed: bool = True
    needs: tuple[str, ...] = ()

    def written(self) -> PDFObject:
        """Return the object of the PDF library."""
        head = PDFDictionary(self.head)
        if not self.content:
            return head
        return PDFStream(head, self.content, [_PACKED] if self.packed else [])


class Pictures(Struct):
    """The pictures of one document by name."""

    _parts: dict[str, Part] = field(default_factory=dict)
    _masks: dict[tuple[Mask, Extent], str] = field(default_factory=dict)

    def code(self, picture: Picture) -> Code:
        """Return a picture as a piece of content.

        Raises:
            ResourceError: the stock has no picture of its name.
        """
        box = box_of(picture.frame)
        lines, names, alpha = ["q"], list[str](), picture.alpha
        if picture.clip is not None:
            lines.append(f"{next(outlines((Path((picture.clip,)),))).code}W n")
        if picture.mask is not None:
            names.append(self._mask(picture.mask, box))
            lines.append(f"/{names[-1]} gs")
        if isinstance(picture.paint, Ink):
            alpha *= picture.paint.alpha
            colour = " ".join(number(shade / 255) for shade in picture.paint[:3])
            lines.append(f"{colour} rg {_rectangle(box)} re f")
        elif is_sprite(picture.paint):
            names.append(self._sprite(picture.paint, picture.veil))
            lines.append(f"{_stretched(box)} cm /{names[-1]} Do")
        else:
            names.append(self._surface(picture, picture.paint, box))
            lines.append(f"/{names[-1]} Do")
        lines.append("Q")
        return Code(box, _covering(alpha), "\n".join(lines), pictures=tuple(names))

    def reached(self, names: Iterable[str]) -> Iterator[tuple[str, Part]]:
        """Yield the named parts and the parts that they need, in order of creation."""
        left, found = list(names), set[str]()
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self._parts[name].needs
        return ((name, part) for name, part in self._parts.items() if name in found)

    def _surface(self, picture: Picture, name: str, box: Extent) -> str:
        """Return the name of a form that fills the frame with a texture; with a mask it is a transparency group."""
        tile = self._tile(name, picture.veil)
        side = PERIOD * picture.size
        turn = math.radians(picture.turn)
        cosine, sine = math.cos(turn), math.sin(turn)
        across, up = (number(place * PER_MM) for place in picture.origin)
        turned = " ".join(number(part, 6) for part in (cosine, sine, -sine, cosine))
        lines = [f"{turned} {across} {up} cm"]
        size = number(picture.size, 4)
        for column, row in cells_of(picture.frame, picture.origin, picture.turn, side):
            at = f"{number(column * side * PER_MM)} {number(row * side * PER_MM)}"
            lines.append(f"q {size} 0 0 {size} {at} cm /{tile} Do Q")
        head: dict[str, Any] = _form(box, {"XObject": (tile,)})
        if picture.mask is not None:
            head["Group"] = PDFDictionary({"S": PDFName("Transparency"), "CS": PDFName("DeviceRGB")})
        return self._made("G", Part(head, "\n".join(lines).encode(), needs=(tile,)))

    def _tile(self, name: str, veil: float) -> str:
        """Return the name of the form that draws a texture once, from its lower left corner."""
        known = f"L{name}{_percent(veil)}"
        if known not in self._parts:
            shown = self._texture(name, veil)
            side = (PERIOD + LAP) * PER_MM
            box = Extent(0, -LAP * PER_MM, side, PERIOD * PER_MM)
            code = f"{_stretched(Extent(0, -LAP * PER_MM, side, PERIOD * PER_MM))} cm /{shown} Do"
            self._parts[known] = Part(_form(box, {"XObject": (shown,)}), code.encode(), needs=(shown,))
        return known

    def _texture(self, name: str, veil: float) -> str:
        known = f"I{name}{_percent(veil)}"
        if known not in self._parts:
            held = texture(name)
            head = _image(held.width, held.height, "DeviceRGB", veil)
            # The shipped JPEG bytes are used unchanged.
            head["Filter"] = PDFName("DCTDecode")
            self._parts[known] = Part(head, held.data, packed=False)
        return known

    def _sprite(self, name: str, veil: float) -> str:
        known = f"I{name}{_percent(veil)}"
        if known not in self._parts:
            held = sprite(name)
            cover = f"C{name}"
            self._parts.setdefault(cover, Part(_image(held.width, held.height, "DeviceGray", 0.0), held.cover))
            head = _image(held.width, held.height, "DeviceRGB", veil)
            head["SMask"] = PDFObjectReference(cover)
            self._parts[known] = Part(head, held.colours, needs=(cover,))
        return known

    def _mask(self, mask: Mask, box: Extent) -> str:
        """Return the name of the graphics state with a mask."""
        if (mask, box) not in self._masks:
            image = self._made("M", Part(_image(mask.width, mask.height, "DeviceGray", 0.0), mask.levels))
            head = _form(box, {"XObject": (image,)})
            head["Group"] = PDFDictionary({"S": PDFName("Transparency"), "CS": PDFName("DeviceGray")})
            code = f"q {_stretched(box)} cm /{image} Do Q"
            form = self._made("N", Part(head, code.encode(), needs=(image,)))
            shown = {"Type": PDFName("Mask"), "S": PDFName("Luminosity"), "G": PDFObjectReference(form)}
            state = {"Type": PDFName("ExtGState"), "SMask": PDFDictionary(shown)}
            self._masks[mask, box] = self._made(_STATE, Part(state, needs=(form,)))
        return self._masks[mask, box]

    def _made(self, prefix: str, part: Part) -> str:
        name = f"{prefix}{len(self._parts) + 1}"
        self._parts[name] = part
        return name


def _covering(alpha: float) -> tuple[StateSetting, ...]:
    return ("fill alpha", f"/F{round(alpha * 1000)} gs"), ("stroke alpha", "/S1000 gs")


def _percent(veil: float) -> str:
    return f"v{round(veil * 100)}" if veil else ""


def _image(width: int, height: int, space: str, veil: float) -> dict[str, Any]:
    """Return the dictionary of an image; a veil lightens its dark colours towards white."""
    head: dict[str, Any] = {
        "Type": PDFName("XObject"),
        "Subtype": PDFName("Image"),
        "Width": width,
        "Height": height,
        "ColorSpace": PDFName(space),
        "BitsPerComponent": 8,
        "Interpolate": "true",
    }
    if veil:
        head["Decode"] = PDFArray([number(veil), 1] * 3)
    return head


def _form(box: Extent, resources: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    named = {
        kind: PDFDictionary({name: PDFObjectReference(name) for name in names}) for kind, names in resources.items()
    }
    corners = (math.floor(box.left), math.floor(box.bottom), math.ceil(box.right), math.ceil(box.top))
    return {
        "Type": PDFName("XObject"),
        "Subtype": PDFName("Form"),
        "BBox": PDFArray([str(corner) for corner in corners]),
        "Resources": PDFDictionary(named),
    }


def _stretched(box: Extent) -> str:
    """Return the matrix that stretches a unit square over a box."""
    return f"{number(box.right - box.left)} 0 0 {number(box.top - box.bottom)} {number(box.left)} {number(box.bottom)}"


def _rectangle(box: Extent) -> str:
    sides = (box.left, box.bottom, box.right - box.left, box.top - box.bottom)
    return " ".join(number(side) for side in sides)
