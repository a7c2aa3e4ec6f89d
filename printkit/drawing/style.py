"""A style: colours, and which means of drawing it uses; read from ``templates/styles`` or a person's own file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from printkit.drawing.items import Ink
from printkit.errors import BookError
from printkit.resources import template

_FIRST = "campaign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A symbol set's inks and manner.

    ``washes``: areas are tinted. ``shadows``: things throw shadows to the south-east. ``hatched``: shade is drawn by
    strokes. ``line_factor`` makes lines under 1.3 mm heavier. An ink of None is not drawn at all.
    """

    name: str
    washes: bool
    shadows: bool
    hatched: bool
    line_factor: float
    inks: Mapping[str, tuple[Ink | None, ...]]

    def ink(self, token: str) -> Ink | None:
        """Return the ink of a token, or None where this style leaves it out."""
        return self.inks[token][0]

    def solid(self, token: str) -> Ink:
        """Return the ink of a token that every style draws; black where it is left out after all."""
        return self.inks[token][0] or Ink(0, 0, 0)

    def family(self, token: str) -> tuple[Ink, ...]:
        """Return all inks of a token that has several, as crowns and roofs have; empty where it is left out."""
        return tuple(ink for ink in self.inks[token] if ink is not None)


def find(name: str) -> Style:
    """Return a style by its name, or by the path of a person's own file, which need only hold what it changes.

    Raises:
        ResourceError: there is no such style.
        BookError: a key or value is wrong; names the file, the key and what would be right.
    """
    return _read(name)


@cache
def _read(name: str) -> Style:
    tree, base = template("styles", name), template("styles", _FIRST)
    manner, inks = dict(base["manner"]), _flat(base)
    for key, value in tree.get("manner", {}).items():
        if key not in manner or isinstance(manner[key], bool) != isinstance(value, bool) or isinstance(value, str):
            raise BookError(f"{name}: manner.{key} = {value!r} is not known; there are {', '.join(manner)}")
        manner[key] = value
    for token, value in _flat(tree).items():
        if token not in inks:
            raise BookError(f"{name}: no ink is called {token!r}; `printkit rules` and the campaign style list them")
        inks[token] = value
    return Style(
        name=name.removesuffix(".toml").rsplit("/", 1)[-1],
        washes=manner["washes"],
        shadows=manner["shadows"],
        hatched=manner["hatched"],
        line_factor=float(manner["line-factor"]),
        inks={token: _inks(name, token, value) for token, value in inks.items()},
    )


def _flat(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inks of all groups; a file may also put them straight under ``[inks]``."""
    found: dict[str, Any] = {}
    for key, value in tree.get("inks", {}).items():
        found.update(value if isinstance(value, Mapping) else {key: value})
    return found


def _inks(name: str, token: str, value: object) -> tuple[Ink | None, ...]:
    texts = value if isinstance(value, list) else [value]
    try:
        return tuple(None if text == "none" else Ink.parse(str(text)) for text in texts) or (None,)
    except ValueError:
        raise BookError(
            f'{name}: {token} = {value!r} is no colour; write "#RRGGBB", a list of them, or "none"'
        ) from None
