"""A person's own terrain box: which pieces he has, how large and how many, as a file and as a member of the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import BookError, ResourceError, Sentence, UsageError
from printkit.core.resources import names, template
from printkit.core.units import parse_length, parse_size
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record_features import SHAPES, Shape

KINDS: Final = tuple(kind for kind in Kind if SHAPES[kind] is not Shape.FACE)
"""What a piece may be; the steep sides of a hill belong to it."""

_KEYS: Final = ("kind", "number", "name", "size", "width", "length", "substitute")
_PLACES: Final = 2
"""Decimals of a millimetre that are kept, so that a box read back from a record is the very same."""


class BoxPiece(Struct, frozen=True, kw_only=True):
    """So many equal pieces of a kind. Lengths are mm.

    Of ground ``length`` and ``width`` are its longer and its shorter side, None where it may be as large as is
    wished, as loose trees are. Of a course they are those of one strip. A crossing has neither. ``substitute`` is the
    kind of which a piece stands for one of these when they run out.
    """

    kind: Kind
    number: int = 1
    name: str = ""
    length: float | None = None
    width: float | None = None
    substitute: Kind | None = None

    @property
    def shape(self) -> Shape:
        """Return what it is on the map; relief is an area like any other."""
        return shape_of(self.kind)


class PieceBox(Struct, frozen=True):
    """Everything that a person owns, in the order of his file."""

    pieces: tuple[BoxPiece, ...]
    title: str = ""

    def substitutes(self, kind: Kind) -> tuple[Kind, ...]:
        """Return the kinds that may stand for one, the first named first."""
        named = (piece.substitute for piece in self.pieces if piece.kind is kind)
        return tuple(dict.fromkeys(each for each in named if each is not None))


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
    return box_of(template("boxes", name), name)


def box_of(tree: Mapping[str, Any], place: str) -> PieceBox:
    """Return the box that plain values describe; members beside ``title`` and ``piece`` are refused.

    Raises:
        BookError: an entry is wrong; the text begins with ``place``.
    """
    for key in tree:
        if key not in ("title", "piece"):
            raise BookError(
                "{place}: {key!r} means nothing here; there are title, and a [[piece]] for each piece",
                place=place,
                key=key,
            )
    entries = tree.get("piece", [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise BookError(
            "{place}: piece is no list of tables; write [[piece]] above the lines of each piece", place=place
        )
    if not entries:
        raise BookError(
            "{place}: there is no piece in it; write [[piece]] and below it kind, size and number", place=place
        )
    title = tree.get("title", "")
    if not isinstance(title, str):
        raise BookError("{place}: title = {title!r} is no text; write it in quotes", place=place, title=title)
    pieces = tuple(
        _Entry(Sentence("{place}: piece {number}", place=place, number=number), entry).piece()
        for number, entry in enumerate(entries, 1)
    )
    return PieceBox(pieces=pieces, title=title)


def box_object(box: PieceBox) -> dict[str, Any]:
    """Return a box as the plain values of which ``box_of`` makes the same one."""
    return {"title": box.title, "piece": [dict(_entry(piece)) for piece in box.pieces]}


def _entry(piece: BoxPiece) -> Iterator[tuple[str, Any]]:
    yield from (("kind", piece.kind.value), ("number", piece.number))
    if piece.name:
        yield "name", piece.name
    if piece.shape is Shape.COURSE:
        lengths = {"length": piece.length, "width": piece.width}
        yield from ((key, f"{value:.{_PLACES}f}mm") for key, value in lengths.items() if value is not None)
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
                    "{place}: {key!r} means nothing here; there are {keys}",
                    place=self.place,
                    key=key,
                    keys=", ".join(_KEYS),
                )
        if "kind" not in self.values:
            raise BookError("{place} has no kind; there are {kinds}", place=self.place, kinds=_listed(KINDS))
        kind = self._kind("kind")
        length, width = self._lengths(kind)
        return BoxPiece(
            kind=kind,
            number=self._number(),
            name=self._text("name") if "name" in self.values else "",
            length=length,
            width=width,
            substitute=self._substitute(kind) if "substitute" in self.values else None,
        )

    def _kind(self, key: str) -> Kind:
        text = self._text(key).strip().lower().replace(" ", "_")
        if text not in {kind.value for kind in KINDS}:
            raise BookError(
                "{place}: {key} = {text!r} is no kind of piece; there are {kinds}",
                place=self.place,
                key=key,
                text=text,
                kinds=_listed(KINDS),
            )
        return Kind(text)

    def _substitute(self, kind: Kind) -> Kind:
        found = self._kind("substitute")
        if found is kind or shape_of(found) is not shape_of(kind):
            alike = [each for each in KINDS if shape_of(each) is shape_of(kind) and each is not kind]
            raise BookError(
                "{place}: substitute = {found!r} cannot stand for a {kind}; one of {alike} can",
                place=self.place,
                found=found.value,
                kind=kind.value,
                alike=_listed(alike),
            )
        return found

    def _number(self) -> int:
        value = self.values.get("number", 1)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise BookError(
                "{place}: number = {value!r} is no count; write a whole number from 0 up", place=self.place, value=value
            )
        return value

    def _lengths(self, kind: Kind) -> tuple[float | None, float | None]:
        """Return the length and the width of a piece, in the keys that go with its shape."""
        match shape_of(kind):
            case Shape.COURSE:
                self._without(kind, "size", Sentence("write the length of one strip, and its width"))
                if "length" not in self.values:
                    raise BookError(
                        '{place}: a {kind} has no length; write that of one strip, as "1ft"',
                        place=self.place,
                        kind=kind.value,
                    )
                return self._length("length"), self._length("width") if "width" in self.values else None
            case Shape.CROSSING:
                for key in ("size", "length", "width"):
                    self._without(kind, key, Sentence("a crossing is counted, not measured"))
                return None, None
            case _:
                for key in ("length", "width"):
                    self._without(kind, key, Sentence('write both sides as its size, as "10x8in"'))
                return self._size() if "size" in self.values else (None, None)

    def _without(self, kind: Kind, key: str, right: str) -> None:
        if key in self.values:
            raise BookError(
                "{place}: {key} does not go with a {kind}; {right}",
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
                "{place}: {key} = {value!r} is a length of nothing", place=self.place, key=key, value=self.values[key]
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
                "{place}: size = {size!r} has a side of nothing", place=self.place, size=self.values["size"]
            )
        return length, width

    def _text(self, key: str) -> str:
        value = self.values[key]
        if not isinstance(value, str) or not value.strip():
            raise BookError(
                "{place}: {key} = {value!r} is no text; write it in quotes", place=self.place, key=key, value=value
            )
        return value


def _listed(kinds: tuple[Kind, ...] | list[Kind]) -> str:
    return ", ".join(kind.value for kind in kinds)
