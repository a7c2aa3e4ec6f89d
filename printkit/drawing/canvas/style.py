"""A style: colours, and which means of drawing it uses; read from ``templates/styles`` or a person's own file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Final

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from printkit.core.errors import Sentence
from printkit.core.resources import template_text
from printkit.core.typed import MemberError, member_error, read_toml, right, unknown_key
from printkit.core.units import DPI
from printkit.drawing.canvas.items import Ink

_FIRST: Final = "campaign"
_COLOUR: Final = re.compile("#[0-9A-Fa-f]{6}|none")
_RIGHT: Final = Sentence('"#RRGGBB", a list of them, or "none"')

Colours = Annotated[str | list[str], right(_RIGHT)]


class Style(Struct, frozen=True, kw_only=True):
    """A symbol set's inks and manner.

    ``washes``: areas are tinted. ``shadows``: things throw shadows to the south-east. ``hatched``: shade is drawn by
    strokes. ``line_factor`` makes lines under 1.3 mm heavier. An ink of None is not drawn at all. In large print no
    type is smaller than ``least_pt`` points; 0 leaves the smallest sizes to the faces. A ``painted`` board is ground
    for miniatures in a ``climate``, with ``veil`` of white mixed into its pictures, whose textures have ``dots`` an
    inch; on a ``bare`` one nothing is written or marked. ``language`` is that of the words, for hyphens.
    """

    name: str
    washes: bool
    shadows: bool
    hatched: bool
    line_factor: float
    inks: Mapping[str, tuple[Ink | None, ...]]
    least_pt: float = 0.0
    painted: bool = False
    veil: float = 0.0
    climate: str = "temperate"
    dots: float = DPI
    bare: bool = False
    language: str = "en"

    def ink(self, token: str) -> Ink | None:
        """Return the ink of a token, or None where this style leaves it out."""
        return self.inks[token][0]

    def solid(self, token: str) -> Ink:
        """Return the ink of a token that every style draws; black where it is left out after all."""
        return self.inks[token][0] or Ink(0, 0, 0)

    def family(self, token: str) -> tuple[Ink, ...]:
        """Return all inks of a token that has several, as crowns and roofs have; empty where it is left out."""
        return tuple(ink for ink in self.inks[token] if ink is not None)


class StyleManner(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a style draws; None is that of the first style."""

    washes: bool | None = None
    shadows: bool | None = None
    hatched: bool | None = None
    line_factor: Annotated[float, Meta(gt=0, le=100)] | None = field(default=None, name="line-factor")
    painted: bool | None = None
    veil: Annotated[float, Meta(ge=0, lt=1)] | None = None


class StyleFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a style: what it changes of the first style; inks may be in groups."""

    manner: StyleManner = StyleManner()
    inks: dict[str, Colours | dict[str, Colours]] = {}

    def __post_init__(self) -> None:
        for key, value in self.inks.items():
            for token, colours in value.items() if isinstance(value, dict) else [(key, value)]:
                if not all(map(_COLOUR.fullmatch, colours if isinstance(colours, list) else [colours])):
                    raise MemberError(
                        "{token} = {colours!r} is not a colour; write {right}",
                        "inks",
                        *([key, token] if isinstance(value, dict) else [key]),
                        token=token,
                        colours=colours,
                        right=_RIGHT,
                    )

    def all_inks(self) -> dict[str, Colours]:
        """Return the inks of all groups by their tokens."""
        groups = [value if isinstance(value, dict) else {key: value} for key, value in self.inks.items()]
        return {token: colours for group in groups for token, colours in group.items()}


def read_beside(style: Style) -> Style:
    """Return the style of sheets that are read beside a map: that of the map, but for a painted one the first."""
    return replace(find(_FIRST), least_pt=style.least_pt, language=style.language) if style.painted else style


def find(name: str) -> Style:
    """Return a style by its name, or by the path of a person's own file, which need only hold what it changes.

    Raises:
        ResourceError: there is no such style, or its file cannot be read.
        FileError: a key or value is wrong; names the file, the line, the key and what would be right.
    """
    return _read(name)


def _read(name: str) -> Style:
    # A file of one's own may change between two calls, so its text is part of what a style is known by.
    return _made(name, template_text("styles", name))


@cache
def _made(name: str, text: str) -> Style:
    file, first = read_toml(text, StyleFile, name), _first_file()
    base, own = first.all_inks(), file.all_inks()
    for token in own:
        if token not in base:
            group = [key for key, value in file.inks.items() if isinstance(value, dict) and token in value]
            raise member_error(name, text, (), unknown_key(token, list(base)), ("inks", *group, token))
    manner = {**asdict(first.manner), **{key: value for key, value in asdict(file.manner).items() if value is not None}}
    return Style(
        name=name.removesuffix(".toml").rsplit("/", 1)[-1],
        inks={token: _inks(colours) for token, colours in {**base, **own}.items()},
        bare=manner["painted"],
        **manner,
    )


@cache
def _first_file() -> StyleFile:
    return read_toml(template_text("styles", _FIRST), StyleFile, _FIRST)


def _inks(colours: str | list[str]) -> tuple[Ink | None, ...]:
    """Return the inks of ``"#RRGGBB"``, of a list of such, or None for ``"none"``."""
    texts = colours if isinstance(colours, list) else [colours]
    return tuple(None if text == "none" else Ink.parse(text) for text in texts) or (None,)
