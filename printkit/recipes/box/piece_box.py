"""A person's own terrain box: which pieces he has, how large and how many, as a file and as a member of the record."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import BookError, ResourceError, Sentence, UsageError
from printkit.core.resources import names, template_text
from printkit.core.typed import parse_toml
from printkit.core.units import parse_length, parse_size
from printkit.recipes.box.families import families
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record_features import SHAPES, Shape

KINDS: Final = tuple(kind for kind in Kind if SHAPES[kind] is not Shape.FACE)
"""What a piece may be; the steep sides of a hill belong to it."""

MOST_PIECES: Final = 999
"""How many equal pieces a person may have."""

MOST_NUMBER: Final = 99_999
"""The largest number of the first piece of an entry."""

_KEYS: Final = ("kind", "number", "first", "name", "size", "width", "length", "bend", "substitute")
_MEMBERS: Final = ("title", "families", "piece")
_MOST_BEND: Final = 180.0
_PIECE: Final = re.compile(r"\s*\[\[\s*piece\s*\]\]")
_PLACES: Final = 2
"""Decimals of a millimetre that are kept, so that a box read back from a record is the very same."""


class BoxPiece(Struct, frozen=True, kw_only=True):
    """So many equal pieces of a kind. Lengths are mm.

    Of ground ``length`` and ``width`` are its longer and its shorter side, None where it may be as large as is
    wished, as loose trees are. Of a course they are those of one strip. A crossing has neither. ``substitute`` is the
    kind of which a piece stands for one of these when they run out. ``first`` is the number of the first piece, or 0 if
    it follows the pieces above.
    """

    kind: Kind
    number: int = 1
    first: int = 0
    name: str = ""
    length: float | None = None
    width: float | None = None
    bend: float = 0.0
    substitute: Kind | None = None

    @property
    def shape(self) -> Shape:
        """Return what it is on the map; relief is an area like any other."""
        return shape_of(self.kind)


class PieceBox(Struct, frozen=True):
    """Everything that a person owns, in the order of the file; ``families`` are those that the file itself states."""

    pieces: tuple[BoxPiece, ...]
    title: str = ""
    families: Mapping[str, tuple[Kind, ...]] = {}

    def substitutes(self, kind: Kind) -> tuple[Kind, ...]:
        """Return the kinds that a piece names to stand for it, the first named first."""
        named = (piece.substitute for piece in self.pieces if piece.kind is kind)
        return tuple(dict.fromkeys(each for each in named if each is not None))

    def relatives(self, kind: Kind) -> tuple[Kind, ...]:
        """Return the other kinds of its families, which stand for it when nothing else is left."""
        there = {**families(), **self.families}
        found = dict.fromkeys(each for family in there.values() if kind in family for each in family)
        return tuple(each for each in found if each is not kind and shape_of(each) is shape_of(kind))

    @property
    def first_numbers(self) -> tuple[int, ...]:
        """Return for each entry the number of its first piece; pieces are numbered from 1 unless an entry says more."""
        numbers, following = [], 1
        for piece in self.pieces:
            numbers.append(piece.first or following)
            following = numbers[-1] + piece.number
        return tuple(numbers)

    def lists(self, kind: Kind) -> bool:
        """Return whether the file says of a kind what stands for it: pieces of its own, or of its family, or none."""
        stated = {piece.kind for piece in self.pieces}
        return kind in stated or any(each in stated for each in self.relatives(kind))


def shape_of(kind: Kind) -> Shape:
    """Return whether a kind is ground, a course or a crossing; relief counts as ground."""
    return Shape.AREA if SHAPES[kind] is Shape.HILL else SHAPES[kind]


def read_piece_box(name: str) -> PieceBox:
    """Return the box of a file; ``templates/boxes/example.toml`` shows its form.

    Raises:
        ResourceError: there is no such file.
        BookError: an entry is wrong; names the file, the entry, the key, and what may stand there.
    """
    if not name.endswith(".toml") and name not in names("templates/boxes", ".toml"):
        ours = ", ".join(names("templates/boxes", ".toml"))
        raise ResourceError(
            "no terrain box {name!r}; give the path of a TOML file, or one of {ours}", name=name, ours=ours
        )
    text = template_text("boxes", name)
    return box_of(parse_toml(text, name), name, text)


def _lines(text: str, begin: re.Pattern[str]) -> tuple[int, ...]:
    """Return the lines of a file, from 1, that begin so."""
    return tuple(number for number, line in enumerate(text.splitlines(), 1) if begin.match(line))


def box_of(tree: Mapping[str, Any], place: str, text: str = "") -> PieceBox:
    """Return the box that plain values describe; members beside ``title``, ``families`` and ``piece`` are refused.

    Args:
        tree: as it stands in a file or record.
        place: what errors begin with.
        text: the file, of which errors name the line.

    Raises:
        BookError: an entry is wrong.
    """
    for key in tree:
        if key not in _MEMBERS:
            raise BookError(
                "{place}: unknown key {key!r}; use title, [families], and a [[piece]] for each piece",
                place=_at(place, key, text),
                key=key,
            )
    entries = tree.get("piece", [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise BookError(
            "{place}: piece is not a list of tables; write [[piece]] above the lines of each piece",
            place=_at(place, "piece", text),
        )
    if not entries:
        raise BookError("{place} has no pieces; write [[piece]] and below it kind, size and number", place=place)
    title = tree.get("title", "")
    if not isinstance(title, str):
        where = _at(place, "title", text)
        raise BookError("{place}: title = {title!r} is not a text; write it in quotes", place=where, title=title)
    lines = _lines(text, _PIECE)
    pieces = tuple(_Entry(_place(place, number, lines), entry).piece() for number, entry in enumerate(entries, 1))
    return PieceBox(pieces=pieces, title=title, families=_families(tree.get("families", {}), place, text))


def _at(place: str, key: str, text: str) -> str | Sentence:
    """Return a file with the line in which a key stands, or a table of that name; without a file the place alone."""
    lines = _lines(text, re.compile(rf"""\s*+(?:\[++\s*+)?["']?{re.escape(key)}["']?\s*[=\].]"""))
    if not lines:
        return place
    return Sentence("{place} (line {line})", place=place, line=lines[0])


def _place(place: str, number: int, lines: tuple[int, ...]) -> Sentence:
    if number > len(lines):
        return Sentence("{place}: piece {number}", place=place, number=number)
    return Sentence("{place}: piece {number} (line {line})", place=place, number=number, line=lines[number - 1])


def _families(tree: Any, place: str, text: str) -> dict[str, tuple[Kind, ...]]:
    """Return the families that a box states; each takes the place of ours of that name."""
    if not isinstance(tree, Mapping):
        raise BookError(
            '{place}: families is not a table; write [families] and below it woods = ["forest"]',
            place=_at(place, "families", text),
        )
    found: dict[str, tuple[Kind, ...]] = {}
    for name, kinds in tree.items():
        where = Sentence("{place}: families: {name}", place=_at(place, name, text), name=name)
        if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
            raise BookError('{place} is not a list of kinds; write {name} = ["forest"], or []', place=where, name=name)
        found[name] = tuple(_Entry(where, {"kind": kind}).kind_of("kind") for kind in kinds)
        if len({shape_of(kind) for kind in found[name]}) > 1:
            raise BookError(
                "{place} mixes area features with courses or crossings; they cannot replace each other", place=where
            )
    return found


def box_object(box: PieceBox) -> dict[str, Any]:
    """Return a box as the plain values of which ``box_of`` makes the same one."""
    stated = {name: [kind.value for kind in kinds] for name, kinds in box.families.items()}
    pieces = [dict(_entry(piece)) for piece in box.pieces]
    return {"title": box.title, **({"families": stated} if stated else {}), "piece": pieces}


def piece_lines(piece: BoxPiece) -> Iterator[str]:
    """Yield the lines of a file that stand for a piece."""
    yield "[[piece]]"
    for key, value in _entry(piece):
        yield f"{key} = {value:g}" if isinstance(value, int | float) else f'{key} = "{value}"'


def _entry(piece: BoxPiece) -> Iterator[tuple[str, Any]]:
    yield from (("kind", piece.kind.value), ("number", piece.number))
    if piece.first:
        yield "first", piece.first
    if piece.name:
        yield "name", piece.name
    if piece.shape is Shape.COURSE:
        lengths = {"length": piece.length, "width": piece.width}
        yield from ((key, f"{value:.{_PLACES}f}mm") for key, value in lengths.items() if value is not None)
        if piece.bend:
            yield "bend", piece.bend
    elif piece.length is not None:
        yield "size", f"{piece.length:.{_PLACES}f}x{piece.width:.{_PLACES}f}mm"
    if piece.substitute is not None:
        yield "substitute", piece.substitute.value


class _Entry(Struct, frozen=True):
    """One entry as it stands in the file."""

    place: str
    values: Mapping[str, Any]

    def piece(self) -> BoxPiece:
        for key in self.values:
            if key not in _KEYS:
                raise BookError(
                    "{place}: unknown key {key!r}; use one of {keys}",
                    place=self.place,
                    key=key,
                    keys=", ".join(_KEYS),
                )
        if "kind" not in self.values:
            raise BookError("{place} has no kind; use one of {kinds}", place=self.place, kinds=_listed(KINDS))
        kind = self.kind_of("kind")
        length, width = self._lengths(kind)
        return BoxPiece(
            kind=kind,
            number=self._number("number", 1, MOST_PIECES),
            first=self._number("first", 0, MOST_NUMBER),
            name=self._text("name") if "name" in self.values else "",
            length=length,
            width=width,
            bend=self._bend(kind) if "bend" in self.values else 0.0,
            substitute=self._substitute(kind) if "substitute" in self.values else None,
        )

    def kind_of(self, key: str) -> Kind:
        """Return the kind that a key names.

        Raises:
            BookError: it is none; names those that are nearest, or all.
        """
        text = self._text(key).strip().lower().replace(" ", "_").replace("-", "_")
        known = [kind.value for kind in KINDS]
        if text in known:
            return Kind(text)
        if near := difflib.get_close_matches(text, known):
            raise BookError(
                "{place}: {key} = {text!r} is not a kind of piece; did you mean {near}?",
                place=self.place,
                key=key,
                text=text,
                near=", ".join(near),
            )
        raise BookError(
            "{place}: {key} = {text!r} is not a kind of piece; use one of {kinds}",
            place=self.place,
            key=key,
            text=text,
            kinds=_listed(KINDS),
        )

    def _bend(self, kind: Kind) -> float:
        value = self.values["bend"]
        if shape_of(kind) is not Shape.COURSE:
            self._without(kind, "bend", Sentence("only strips of a course bend"))
        whole = isinstance(value, int | float) and not isinstance(value, bool)
        if not whole or not 0 < value <= _MOST_BEND:
            raise BookError(
                "{place}: bend = {value!r} is not valid; write degrees from 1 to 180, for example 45",
                place=self.place,
                value=value,
            )
        return float(value)

    def _substitute(self, kind: Kind) -> Kind:
        found = self.kind_of("substitute")
        if found is kind or shape_of(found) is not shape_of(kind):
            alike = [each for each in KINDS if shape_of(each) is shape_of(kind) and each is not kind]
            raise BookError(
                "{place}: substitute = {found!r} cannot replace a {kind}; use one of {alike}",
                place=self.place,
                found=found.value,
                kind=kind.value,
                alike=_listed(alike),
            )
        return found

    def _number(self, key: str, default: int, most: int) -> int:
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise BookError(
                "{place}: {key} = {value!r} is not valid; write a whole number from 0 to {most}",
                place=self.place,
                key=key,
                value=value,
                most=most,
            )
        return value

    def _lengths(self, kind: Kind) -> tuple[float | None, float | None]:
        """Return the length and the width of a piece, in the keys that go with its shape."""
        match shape_of(kind):
            case Shape.COURSE:
                self._without(kind, "size", Sentence("write the length of one strip, and its width"))
                if "length" not in self.values:
                    raise BookError(
                        '{place}: a {kind} has no length; write the length of one strip, for example "1ft"',
                        place=self.place,
                        kind=kind.value,
                    )
                return self._length("length"), self._length("width") if "width" in self.values else None
            case Shape.CROSSING:
                for key in ("size", "length", "width"):
                    self._without(kind, key, Sentence("crossings are counted, not measured"))
                return None, None
            case _:
                for key in ("length", "width"):
                    self._without(kind, key, Sentence('write both sides as its size, for example "10x8in"'))
                return self._size() if "size" in self.values else (None, None)

    def _without(self, kind: Kind, key: str, right: str) -> None:
        if key in self.values:
            raise BookError(
                "{place}: a {kind} has no {key}; {right}",
                place=self.place,
                key=key,
                kind=kind.value,
                right=right,
            )

    def _length(self, key: str) -> float:
        try:
            found = parse_length(self._text(key))
        except UsageError as error:
            raise BookError("{place}: {key}: {error}", place=self.place, key=key, error=error) from None
        if round(found, _PLACES) <= 0:
            raise BookError(
                "{place}: {key} = {value!r} must be greater than 0", place=self.place, key=key, value=self.values[key]
            )
        return round(found, _PLACES)

    def _size(self) -> tuple[float, float]:
        try:
            sides = parse_size(self._text("size"))
        except UsageError as error:
            raise BookError("{place}: size: {error}", place=self.place, error=error) from None
        length, width = sorted((round(side, _PLACES) for side in sides), reverse=True)
        if width <= 0:
            raise BookError(
                "{place}: size = {size!r} must be greater than 0 on both sides",
                place=self.place,
                size=self.values["size"],
            )
        return length, width

    def _text(self, key: str) -> str:
        value = self.values[key]
        if not isinstance(value, str) or not value.strip():
            raise BookError(
                "{place}: {key} = {value!r} is not a text; write it in quotes", place=self.place, key=key, value=value
            )
        return value


def _listed(kinds: tuple[Kind, ...] | list[Kind]) -> str:
    return ", ".join(kind.value for kind in kinds)
