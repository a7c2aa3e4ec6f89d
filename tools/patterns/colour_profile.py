"""Write templates/profiles/sRGB.icc, the colour profile of PDF files: ICC.1:2004-10, version 4.2, in the public domain.

Usage: python tools/patterns/colour_profile.py
"""

from __future__ import annotations

from pathlib import Path
from struct import pack
from typing import Final

FILE: Final = Path(__file__).resolve().parents[2] / "templates" / "profiles" / "sRGB.icc"

_CONDITION: Final = "sRGB IEC61966-2.1"
_D50: Final = (0.9642, 1.0, 0.8249)
# Red, green and blue of sRGB under the illuminant D50.
_PRIMARIES: Final = {
    "rXYZ": (0.4360747, 0.2225045, 0.0139322),
    "gXYZ": (0.3850649, 0.7168786, 0.0971045),
    "bXYZ": (0.1430804, 0.0606169, 0.7141733),
}

# The matrix that adapts colours from the illuminant D65 to D50 (Bradford).
_FROM_D65: Final = (
    1.0478112,
    0.0228866,
    -0.0501270,
    0.0295424,
    0.9904844,
    -0.0170491,
    -0.0092345,
    0.0150436,
    0.7521316,
)

# The transfer curve of sRGB: power, slope and offset, and slope and end of its linear part.
_CURVE: Final = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

_CURVES: Final = ("rTRC", "gTRC", "bTRC")


def srgb_profile() -> bytes:
    """Return the sRGB profile as bytes."""
    curve = b"para\0\0\0\0" + pack(">HH", 3, 0) + _fixed_point(*_CURVE)
    tags = {
        "desc": _text_tag(_CONDITION),
        "cprt": _text_tag("Public domain"),
        "wtpt": _xyz_tag(_D50),
        "chad": b"sf32\0\0\0\0" + _fixed_point(*_FROM_D65),
        **{name: _xyz_tag(light) for name, light in _PRIMARIES.items()},
        **dict.fromkeys(_CURVES, curve),
    }
    start = 128 + 4 + 12 * len(tags)
    offsets: dict[bytes, int] = {}
    data = b""
    for content in tags.values():
        if content not in offsets:
            offsets[content] = start + len(data)
            data += content + b"\0" * (-len(content) % 4)
    tag_table = b"".join(name.encode() + pack(">II", offsets[tag], len(tag)) for name, tag in tags.items())
    header = pack(
        ">I4sI4s4s4s6H4s", start + len(data), b"", 0x04200000, b"mntr", b"RGB ", b"XYZ ", *_CREATION_DATE, b"acsp"
    )
    return header.ljust(68, b"\0") + _fixed_point(*_D50).ljust(60, b"\0") + pack(">I", len(tags)) + tag_table + data


# The fixed creation date of the profile.
_CREATION_DATE: Final = (2000, 1, 1, 0, 0, 0)


def _fixed_point(*values: float) -> bytes:
    """Return numbers as bytes in 16.16 fixed point."""
    return pack(f">{len(values)}i", *(round(value * 65536) for value in values))


def _xyz_tag(light: tuple[float, float, float]) -> bytes:
    """Return a colour in CIE XYZ as a tag of a colour profile."""
    return b"XYZ \0\0\0\0" + _fixed_point(*light)


def _text_tag(text: str) -> bytes:
    """Return an English text as a tag of a colour profile."""
    encoded_text = text.encode("utf-16-be")
    return b"mluc\0\0\0\0" + pack(">II2s2sII", 1, 12, b"en", b"US", len(encoded_text), 28) + encoded_text


if __name__ == "__main__":
    FILE.write_bytes(srgb_profile())
