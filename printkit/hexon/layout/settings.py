"""What a person may choose about a Hexon layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

from printkit.core.errors import ScenarioError
from printkit.core.numbers import is_number
from printkit.hexon.layout.covering import NODE_LIMIT
from printkit.hexon.layout.slopes import Repair

HillMode = Literal["auto", "step", "slope"]
Footprint = Literal["plateau", "drop", "grow"]
TwoHigh = Literal["pieces", "stacked"]
Mountain = Literal["levels", "piece"]
SlopeTrees = Literal["refuse", "accept"]

MOUNTAIN_LEVELS: Final = 3

_DIGITS: Final = 4
"""What the address of a hex has: two of the column, two of the row."""


class HexonSettings(Struct, frozen=True, kw_only=True):
    """One value for each choice; the defaults are those of the rules.

    Attributes:
        hills: ``step`` raises every hex of a hill with vertical sides; ``slope`` puts slopes round it; ``auto`` steps
            for hills of one hex and slopes for larger ones (HX-50).
        footprint: whether the hexes of a hill are its ``plateau``, or include its slopes; those too thin to be slopes
            are then left out (``drop``) or become plateau (``grow``) (HX-22).
        repair: hexes that no slope fits become plateau (``raise``), or are listed (``report``) (HX-25).
        two_high: hills whose sides rise two levels at once get slopes of two levels (``pieces``), or a lower hill is
            widened for the upper one to stand on (``stacked``) (HX-27).
        mountain: three levels, or a piece of its own (HX-50).
        slope_trees: whether a slope may stand where trees are (HX-50).
        steps: hexes whose hills are laid as steps whatever ``hills`` says, as the map has them: column and row, 0307.
        level_mm: the height of a board, which no public source gives; None prints heights as levels (HX-07).
        node_limit: how far the search for fewest pieces goes on each area (HX-31).
    """

    hills: HillMode = "auto"
    footprint: Footprint = "plateau"
    repair: Repair = "raise"
    two_high: TwoHigh = "pieces"
    mountain: Mountain = "levels"
    slope_trees: SlopeTrees = "refuse"
    steps: tuple[str, ...] = ()
    level_mm: float | None = None
    node_limit: int = NODE_LIMIT


_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    name: get_args(hint) for name, hint in get_type_hints(HexonSettings).items() if get_origin(hint) is Literal
}


def settings_of(texts: Mapping[str, str]) -> HexonSettings:
    """Return settings from texts by name; hyphens stand for underscores, and what is not given keeps its default.

    ``steps`` is a list of hexes as the map has them: ``0403 0105``.

    Raises:
        ScenarioError: an unknown setting or value; names those that there are.
    """
    given: dict[str, Any] = {}
    for name, text in texts.items():
        key = name.lower().replace("-", "_")
        if key in _CHOICES:
            given[key] = _choice(name, text, _CHOICES[key])
        elif key == "steps":
            given[key] = tuple(_address(each) for each in text.replace(",", " ").split())
        elif key == "level_mm":
            given[key] = _number(name, text)
        elif key == "node_limit":
            given[key] = int(_number(name, text))
        else:
            known = ", ".join((*_CHOICES, "steps", "level_mm", "node_limit"))
            raise ScenarioError("hexon has no setting {name!r}; there are {known}", name=name, known=known)
    return HexonSettings(**given)


def _choice(name: str, text: str, choices: tuple[str, ...]) -> str:
    if text.strip().lower() not in choices:
        raise ScenarioError(
            "{name} cannot be {text!r}; it is one of {choices}", name=name, text=text, choices=", ".join(choices)
        )
    return text.strip().lower()


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ScenarioError("{name} cannot be {text!r}; it is a number greater than 0", name=name, text=text)
    return value


def _address(text: str) -> str:
    if not (len(text) == _DIGITS and is_number(text)):
        raise ScenarioError("steps: {text!r} is no hex; write column and row as the map does: 0403", text=text)
    return text
