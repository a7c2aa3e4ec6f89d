"""Styles: the colours and the ways of drawing; they are files in ``templates/styles``, or files of the user."""

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
    """The inks of a set of symbols, and the ways of drawing.

    Attributes:
        name: the name of the style.
        washes: whether areas are tinted.
        shadows: whether features have shadows to the south-east.
        hatched: whether strokes draw the shade.
        line_factor: the factor for the width of lines under 1.3 mm.
        inks: the inks by token; several for crowns and roofs. A feature with the ink None is not drawn.
        least_pt: the smallest type size of large print in points; 0 for the smallest size of each typeface.
        painted: whether the board is a painted mat for miniatures.
        veil: the share of white, 0 to 1, that is mixed into the pictures of a painted board.
        climate: the climate of a painted board.
        dots: the dots per inch of its textures.
        bare: whether the board has no text and no marks.
        language: the language of the text, for hyphens.
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
        """Return the ink of a token, or None if this style does not draw it."""
        return self.inks[token][0]

    def solid(self, token: str) -> Ink:
        """Return the ink of a token that every style draws; black if this style has no ink for it."""
        return self.inks[token][0] or Ink(0, 0, 0)

    def family(self, token: str) -> tuple[Ink, ...]:
        """Return all inks of a token with several, for example crowns; empty if this style does not draw it."""
        return tuple(ink for ink in self.inks[token] if ink is not None)


class StyleManner(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ways of drawing of a style; None means that of the first style."""

    washes: bool | None = None
    shadows: bool | None = None
    hatched: bool | None = None
    line_factor: Annotated[float, Meta(gt=0, le=100)] | None = field(default=None, name="line-factor")
    painted: bool | None = None
    veil: Annotated[float, Meta(ge=0, lt=1)] | None = None


class StyleFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a style: its differences from the first style. Inks may be in groups."""

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
    """Return the style of sheets for reading: that of the map, or the first style for a painted map."""
    return replace(find(_FIRST), least_pt=style.least_pt, language=style.language) if style.painted else style


def find(name: str) -> Style:
    """Return a style by its name, or by the path of a file of the user, which has only the differences.

    Raises:
        ResourceError: there is no such style, or its file cannot be read.
        FileError: a key or value is wrong; the message gives the file, the line, the key and a correct value.
    """
    return _read(name)


def _read(name: str) -> Style:
    # A file of the user may change between two calls, so its text is part of the key of the cache.
    return _build_style(name, template_text("styles", name))


@cache
def _build_style(name: str, text: str) -> Style:
    file, first = read_toml(text, StyleFile, name), _first_file()
    base, own = first.all_inks(), file.all_inks()
    for token in own:
        if token not in base:
            group = [key for key, value in file.inks.items() if isinstance(value, dict) and token in value]
            raise member_error(name, text, (), unknown_key(token, list(base)), ("inks", *group, token))
    values = {**asdict(first.manner), **{key: value for key, value in asdict(file.manner).items() if value is not None}}
    return Style(
        name=name.removesuffix(".toml").rsplit("/", 1)[-1],
        inks={token: _inks(colours) for token, colours in {**base, **own}.items()},
        bare=values["painted"],
        **values,
    )


@cache
def _first_file() -> StyleFile:
    return read_toml(template_text("styles", _FIRST), StyleFile, _FIRST)


def _inks(colours: str | list[str]) -> tuple[Ink | None, ...]:
    """Return the inks of ``"#RRGGBB"``, of a list of such, or None for ``"none"``."""
    texts = colours if isinstance(colours, list) else [colours]
    return tuple(None if text == "none" else Ink.parse(text) for text in texts) or (None,)
