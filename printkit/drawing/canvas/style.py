"""A style: colours, and which means of drawing it uses; read from ``templates/styles`` or a person's own file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import BookError, Sentence, joined
from printkit.core.resources import template, template_text
from printkit.core.units import DPI
from printkit.drawing.canvas.items import Ink

_FIRST: Final = "campaign"
_TABLES: Final = ("manner", "inks")
_COLOUR: Final = re.compile("#[0-9A-Fa-f]{6}")
_FEW: Final = 8


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


def read_beside(style: Style) -> Style:
    """Return the style of sheets that are read beside a map: that of the map, but for a painted one the first."""
    return replace(find(_FIRST), least_pt=style.least_pt, language=style.language) if style.painted else style


def find(name: str) -> Style:
    """Return a style by its name, or by the path of a person's own file, which need only hold what it changes.

    Raises:
        ResourceError: there is no such style, or its file cannot be read.
        BookError: a key or value is wrong; names the file, the line, the key and what would be right.
    """
    return _read(name)


def _read(name: str) -> Style:
    # A file of one's own may change between two calls, so its text is part of what a style is known by.
    return _made(name, template_text("styles", name))


@cache
def _made(name: str, text: str) -> Style:
    base = template("styles", _FIRST)
    own = _Own(name, text, base if name == _FIRST else template("styles", name))
    manner = {**base["manner"], **own.manner(base["manner"])}
    inks = {**{token: _inks(value) for token, value in _flat(base["inks"]).items()}, **own.inks(_flat(base["inks"]))}
    return Style(
        name=name.removesuffix(".toml").rsplit("/", 1)[-1],
        washes=manner["washes"],
        shadows=manner["shadows"],
        hatched=manner["hatched"],
        line_factor=float(manner["line-factor"]),
        painted=manner["painted"],
        bare=manner["painted"],
        veil=float(manner["veil"]),
        inks=inks,
    )


def _flat(groups: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inks of all groups; a file may also put them straight under ``[inks]``."""
    found: dict[str, Any] = {}
    for key, value in groups.items():
        found.update(value if isinstance(value, Mapping) else {key: value})
    return found


def _inks(value: object) -> tuple[Ink | None, ...]:
    """Return the inks of ``"#RRGGBB"``, of a list of such, or none of ``"none"``; raises ValueError for others."""
    texts = value if isinstance(value, list) else [value]
    return tuple(None if text == "none" else _ink(text) for text in texts) or (None,)


def _ink(text: object) -> Ink:
    if not isinstance(text, str) or _COLOUR.fullmatch(text) is None:
        raise ValueError(text)
    return Ink.parse(text)


class _Own(Struct, frozen=True):
    """A style's file as it was read, judged key by key against the first style, which has every key."""

    name: str
    text: str
    tree: Mapping[str, Any]

    def manner(self, known: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the file says of the manner."""
        found = self._table("manner")
        for key, value in found.items():
            if key not in known:
                raise self._error(
                    key, Sentence("unknown key manner.{key}{instead}", key=key, instead=_instead(key, known))
                )
            if isinstance(known[key], bool):
                if not isinstance(value, bool):
                    raise self._error(
                        key,
                        Sentence("manner.{key} = {value!r} is not valid; write true or false", key=key, value=value),
                    )
            elif isinstance(value, bool) or not isinstance(value, int | float) or not _can_be(key, value):
                raise self._error(
                    key,
                    Sentence(
                        "manner.{key} = {value!r} is not valid; write a number greater than 0, for example 1.25",
                        key=key,
                        value=value,
                    ),
                )
        return found

    def inks(self, known: Mapping[str, Any]) -> Mapping[str, tuple[Ink | None, ...]]:
        """Return the inks of the file."""
        found = {}
        for token, value in _flat(self._table("inks")).items():
            if token not in known:
                raise self._error(
                    token,
                    Sentence("unknown ink {token!r}{instead}", token=token, instead=_instead(token, known)),
                )
            try:
                found[token] = _inks(value)
            except ValueError:
                wanted = Sentence('write "#RRGGBB", a list of them, or "none"')
                raise self._error(
                    token,
                    Sentence(
                        "{token} = {value!r} is not a colour; {wanted}",
                        token=token,
                        value=value,
                        wanted=wanted,
                    ),
                ) from None
        return found

    def _table(self, wanted: str) -> Mapping[str, Any]:
        for key in self.tree:
            if key not in _TABLES:
                known = joined([f"[{table}]" for table in _TABLES], Sentence(" and "))
                raise self._error(
                    key, Sentence("unknown key {key!r}; a style has {known}", key=key, known=known), last=False
                )
        found = self.tree.get(wanted, {})
        if not isinstance(found, Mapping):
            raise self._error(
                wanted,
                Sentence(
                    "{wanted} = {found!r} is not a table; write [{wanted}], then one line per key",
                    wanted=wanted,
                    found=found,
                ),
            )
        return found

    def _error(self, key: str, message: str, *, last: bool = True) -> BookError:
        """Return the error with the line on which the key stands; of several the last, which is the one that counts."""
        named = re.compile(rf"""(?<![\w-])["']?{re.escape(key)}["']?\s*[].=]""")
        lines = [
            number
            for number, line in enumerate(self.text.splitlines(), 1)
            if named.search(line) and not line.lstrip().startswith("#")
        ]
        where = Sentence("{name}, line {line}", name=self.name, line=lines[-1 if last else 0]) if lines else self.name
        return BookError("{where}: {message}", where=where, message=message)


def _can_be(key: str, value: float) -> bool:
    """Return whether a number of the manner may be that: a veil is a share, all others are more than nothing."""
    return 0 <= value < 1 if key == "veil" else 0 < value < math.inf


def _instead(key: str, known: Mapping[str, Any]) -> str:
    """Return what a person may have meant: the key most like it, or all where there are few."""
    like = get_close_matches(key, known, n=1)
    if like:
        return Sentence("; did you mean {like!r}?", like=like[0])
    return (
        Sentence("; use one of {known}", known=", ".join(known))
        if len(known) < _FEW
        else Sentence("; see the style campaign for all of them")
    )
