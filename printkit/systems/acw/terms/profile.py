"""Size, going and view of every piece: the profile of the rule book and the user's changes (AC-Q23).

The user writes lines in the list ``profile`` of a scenario, or a file with one table per piece::

    [Wood]
    size = [0.4, 0.3]
    factor = [0.6, 1.3]
    going = "difficult"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError, Sentence
from printkit.core.typed import parse_toml, place_of
from printkit.systems.acw.terms.inputs import find_piece
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Going, Kind

if TYPE_CHECKING:
    from printkit.kit.rules import Rules

FIELDS: Final = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE)  # the kinds of the piece Field

_NUMBER: Final = r"([0-9]{1,40}(?:\.[0-9]{1,40})?)"
_PARTS: Final = {
    "size": re.compile(rf"{_NUMBER}[x×]{_NUMBER}"),
    "long": re.compile(_NUMBER),
    "width": re.compile(_NUMBER),
    "factor": re.compile(rf"{_NUMBER}[-–]{_NUMBER}"),
    "going": re.compile(r"[a-z]+"),
    "view": re.compile(r"[a-z]+"),
}
_PAIR: Final = 2
# The fields of a measure that each key with numbers sets.
_LENGTHS: Final = {"size": ("long", "short"), "factor": ("least", "most"), "long": ("long",), "width": ("width",)}
_WRITTEN: Final = {
    "size": "[0.4, 0.3]",
    "long": "0.4",
    "width": "0.05",
    "factor": "[0.6, 1.3]",
    "going": '"difficult"',
    "view": '"blocks"',
}
_EXAMPLE: Final = "Wood: size 0.4x0.3 factor 0.6-1.3 going difficult"


class Measure(Struct, frozen=True, kw_only=True):
    """The size, going and view of a piece.

    Lengths are fractions of the shorter side of a zone, or None if they do not apply. ``least`` and ``most`` limit
    their factor. ``view`` names the effect of the piece on sight and cover.
    """

    piece: Piece
    kind: Kind
    going: Going
    view: str
    clause: str
    long: float | None = None
    short: float | None = None
    width: float | None = None
    least: float = 1.0
    most: float = 1.0


class PieceProfile(Struct, frozen=True):
    """The measures of all pieces."""

    measures: Mapping[Piece, Measure]

    @classmethod
    def from_rules(cls, rules: Rules, lines: Iterable[str] = ()) -> PieceProfile:
        """Return the profile of the rules with the changes from the list of a scenario, line by line.

        Raises:
            FileError: a row has an unknown piece, kind or going.
            ScenarioError: a line cannot be read.
        """
        measures = {measure.piece: measure for measure in _read_measures(rules)}
        for line in lines:
            new_measure = _change_measure(line, measures, rules)
            measures[new_measure.piece] = new_measure
        return cls(measures)

    @property
    def kinds(self) -> Mapping[Kind, Piece]:
        """Return the piece for each kind, for features without a roll. A plain Hill or Road has priority."""
        pieces = dict.fromkeys(FIELDS, Piece.FIELD)
        for piece, measure in self.measures.items():
            if piece not in (Piece.STEEP_HILL, Piece.UNFENCED_ROAD):
                pieces.setdefault(measure.kind, piece)
        return pieces

    def piece_measure(self, piece: Piece) -> Measure:
        """Return the measure of a piece: its going, and its lengths as fractions of the unit."""
        return self.measures[piece]


def parse_profile_file(text: str, place: str, rules: Rules) -> tuple[str, ...]:
    """Convert a profile file of the user to valid lines of the list ``profile``.

    Args:
        text: the file, with one table per piece.
        place: the name of the file, for messages.
        rules: the rules; the file changes their profile.

    Raises:
        ScenarioError: the text is not TOML, or a piece, key or value is not valid; the message names file and key.
    """
    tree = parse_toml(text, place)
    lines, file = [], place
    for name, table in tree.items():
        place = place_of(file, text, (name,))
        if find_piece(name) is None:
            raise ScenarioError(
                "{place}: [{name}] is not a terrain piece; write for example Hill or Fenced Road",
                place=place,
                name=name,
                clause="AC-Q23",
            )
        if not isinstance(table, dict) or not table:
            raise ScenarioError(
                "{place}: {name} is not a table; write [{name}], then one line per key",
                place=place,
                name=name,
                clause="AC-Q23",
            )
        parts = []
        for key, value in table.items():
            key_place = Sentence("{place}: [{name}]", place=place_of(file, text, (name, key)), name=name)
            parts.append(f"{key} {_format_value(key, value, key_place)}")
        line = f"{name}: {' '.join(parts)}"
        try:
            PieceProfile.from_rules(rules, [line])
        except ScenarioError as error:
            raise ScenarioError("{place}: [{name}]: {error}", place=place, name=name, error=error) from None
        lines.append(line)
    return tuple(lines)


def _format_value(key: str, value: Any, place: str) -> str:
    """Return the value of a key as it is written in a line of the list ``profile``.

    Args:
        key: the key of the profile file, for example ``size``.
        value: its value in the file.
        place: the file and the table, for messages.

    Raises:
        ScenarioError: the key is unknown or the value is not valid; the message gives the valid ones.
    """
    if key not in _PARTS:
        raise ScenarioError(
            "{place}: unknown key {key!r}; use one of {parts}",
            place=place,
            key=key,
            parts=", ".join(_PARTS),
            clause="AC-Q23",
        )
    text = value if isinstance(value, str) else ""
    if _is_number(value):
        text = f"{value:f}"
    elif isinstance(value, list) and len(value) == _PAIR and all(_is_number(part) for part in value):
        text = ("-" if key == "factor" else "x").join(f"{part:f}" for part in value)
    if _PARTS[key].fullmatch(text.strip().casefold()) is None:
        raise ScenarioError(
            "{place}: {key} = {value!r} is not valid; write {key} = {wanted}",
            place=place,
            key=key,
            value=value,
            wanted=_WRITTEN[key],
            clause="AC-Q23",
        )
    return text.strip().casefold()


def _is_number(value: object) -> bool:
    """Return whether a value is a number and not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read_measures(rules: Rules) -> Iterator[Measure]:
    """Yield the measure of every piece from the rule book, in its order; lengths are shares of the zone's unit.

    Raises:
        FileError: a row has an unknown piece, kind or going.
    """
    for row in rules.rows("profile"):
        lengths = {name: row.need(name, float) for name in ("long", "short", "width") if name in row.values}
        yield Measure(
            piece=row.need("piece", Piece),
            kind=row.need("kind", Kind),
            going=row.find("going", rules.book.going),
            view=row.need("view", str),
            clause=row.need("clause", str),
            least=row.get("least", float, 1.0),
            most=row.get("most", float, 1.0),
            **lengths,
        )


def _change_measure(line: str, measures: Mapping[Piece, Measure], rules: Rules) -> Measure:
    """Return the measure of a piece with the changes of a line of the list ``profile``.

    For example ``Wood: size 0.4x0.3`` changes its lengths, which are shares of the zone's unit. ``measures`` has the
    earlier measures.

    Raises:
        ScenarioError: the line cannot be read (AC-Q23), or a going is unknown.
    """
    name, colon, rest = line.partition(":")
    piece = find_piece(name)
    words = rest.casefold().split()
    if piece is None or piece not in measures or not colon or not words or len(words) % 2:
        raise _unreadable_error(line)
    measure = measures[piece]
    for part, text in zip(words[::2], words[1::2], strict=True):
        if part not in _PARTS or (value_match := _PARTS[part].fullmatch(text)) is None:
            raise _unreadable_error(line)
        measure = _replace_part(measure, part, value_match, rules)
    if not 0 < measure.least <= measure.most:
        raise ScenarioError("{line!r} of the profile: write the smaller factor first", line=line, clause="AC-Q23")
    return measure


def _replace_part(measure: Measure, part: str, value_match: re.Match[str], rules: Rules) -> Measure:
    """Return a measure with a new value for one key of the list ``profile``, for example ``size``.

    ``value_match`` is the text of the value, matched by the pattern of the key.

    Raises:
        ScenarioError: the going is unknown.
    """
    if part in _LENGTHS:
        return replace(measure, **dict(zip(_LENGTHS[part], map(float, value_match.groups()), strict=True)))
    if part == "view":
        return replace(measure, view=value_match[0])
    goings = rules.book.going
    if value_match[0] not in goings:
        raise ScenarioError(
            "unknown going {found!r}; use one of {goings}", found=value_match[0], goings=", ".join(goings)
        )
    return replace(measure, going=goings[value_match[0]])


def _unreadable_error(line: str) -> ScenarioError:
    """Return the error for a line of the list ``profile`` that cannot be read."""
    return ScenarioError(
        "cannot read {line!r} of the profile; write {example}", line=line, example=_EXAMPLE, clause="AC-Q23"
    )
