"""The terrain box of a user: the kinds, sizes and numbers of their pieces, as a file and as a member of the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from printkit.core.errors import ResourceError, Sentence, UsageError
from printkit.core.resources import names, template_text
from printkit.core.typed import MemberError, TextValue, convert, parse_toml
from printkit.core.units import parse_length, parse_size
from printkit.recipes.box.families import families
from printkit.terrain.field.features import KIND_ROWS, Kind, Shape

KINDS: Final = tuple(kind for kind in Kind if KIND_ROWS[kind].shape is not Shape.FACE)
"""The kinds of pieces; the steep sides of a hill belong to the hill."""

MOST_PIECES: Final = 999
"""The largest number of equal pieces of an entry."""

MOST_NUMBER: Final = 99_999
"""The largest number of the first piece of an entry."""

# The keys that a piece of a shape may not have, and what to do instead.
_WITHOUT: Final[Mapping[Shape, tuple[str, ...]]] = {
    Shape.AREA: ("length", "width", "bend"),
    Shape.COURSE: ("size",),
    Shape.CROSSING: ("size", "length", "width", "bend"),
}
_RIGHT: Final[Mapping[Shape, Sentence]] = {
    Shape.AREA: Sentence('write both sides as its size, for example "10x8in"; only strips of a course bend'),
    Shape.COURSE: Sentence('write the length of one strip, for example "1ft", and its width'),
    Shape.CROSSING: Sentence("crossings are counted, not measured"),
}
_PLACES: Final = 2
"""Decimals of a millimetre that are kept, so that a box read back from a record is the very same."""


class BoxPiece(Struct, frozen=True, kw_only=True):
    """Equal pieces of a kind, ``number`` of them. Lengths are in mm on the board.

    ``length`` and ``width`` are the longer and the shorter side of ground, or None for ground of any size, for example
    loose trees. For a course they are those of one strip. A crossing has neither. ``substitute`` is the kind of pieces
    that replace these when there are no more of them. ``first`` is the number of the first piece, or 0 if it follows
    the pieces above.
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
    """All pieces of a user, in the order of the file; ``families`` are only those of the file."""

    pieces: tuple[BoxPiece, ...]
    title: str = ""
    families: Mapping[str, tuple[Kind, ...]] = {}

    def substitutes(self, kind: Kind) -> tuple[Kind, ...]:
        """Return the kinds that may replace a kind by the entries of the box, in the order of the entries."""
        kinds = (piece.substitute for piece in self.pieces if piece.kind is kind)
        return tuple(dict.fromkeys(each for each in kinds if each is not None))

    def relatives(self, kind: Kind) -> tuple[Kind, ...]:
        """Return the other kinds of the families of a kind; they replace it if there is nothing else."""
        all_families = {**families(), **self.families}
        kinds = dict.fromkeys(each for family in all_families.values() if kind in family for each in family)
        return tuple(each for each in kinds if each is not kind and shape_of(each) is shape_of(kind))

    @property
    def first_numbers(self) -> tuple[int, ...]:
        """Return for each entry the number of its first piece; pieces are numbered from 1 unless an entry says more."""
        numbers, following = [], 1
        for piece in self.pieces:
            numbers.append(piece.first or following)
            following = numbers[-1] + piece.number
        return tuple(numbers)

    def lists(self, kind: Kind) -> bool:
        """Return whether the box has an entry for a kind or its family, even with no pieces."""
        kinds = {piece.kind for piece in self.pieces}
        return kind in kinds or any(each in kinds for each in self.relatives(kind))


def shape_of(kind: Kind) -> Shape:
    """Return whether a kind is ground, a course or a crossing; relief counts as ground."""
    return Shape.AREA if KIND_ROWS[kind].shape is Shape.HILL else KIND_ROWS[kind].shape


class PieceLength(float, TextValue):
    """A length in mm, greater than 0."""

    right = Sentence('a length with its unit, for example "1ft"')

    @classmethod
    def read(cls, text: str) -> PieceLength:
        """Return the length of a text.

        Raises:
            UsageError: the text is not a length.
        """
        length = round(parse_length(text), _PLACES)
        if length <= 0:
            raise UsageError("{text!r} is not greater than 0", text=text)
        return cls(length)


class PieceSize(tuple[float, float], TextValue):
    """The longer and the shorter side of a piece in mm."""

    right = Sentence('both sides with their unit, for example "10x8in"')

    @classmethod
    def read(cls, text: str) -> PieceSize:
        """Return the size of a text.

        Raises:
            UsageError: the text is not a size.
        """
        sides = sorted((round(side, _PLACES) for side in parse_size(text)), reverse=True)
        if sides[1] <= 0:
            raise UsageError("{text!r} is not greater than 0", text=text)
        return cls(sides)


class BoxEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece as a file has it."""

    kind: Kind
    number: Annotated[int, Meta(ge=0, le=MOST_PIECES)] = 1
    first: Annotated[int, Meta(ge=0, le=MOST_NUMBER)] = 0
    name: Annotated[str, Meta(pattern=r"\S")] = ""
    size: PieceSize | None = None
    width: PieceLength | None = None
    length: PieceLength | None = None
    bend: Annotated[float, Meta(gt=0, le=180)] = 0.0
    substitute: Kind | None = None

    def __post_init__(self) -> None:
        if KIND_ROWS[self.kind].shape is Shape.FACE:
            raise MemberError("a {kind} belongs to its hill; remove this piece", "kind", kind=self.kind.value)
        for key in _WITHOUT[shape := shape_of(self.kind)]:
            if getattr(self, key):
                raise MemberError(
                    "a {kind} has no {key}; {right}", key, kind=self.kind.value, key=key, right=_RIGHT[shape]
                )
        if shape is Shape.COURSE and self.length is None:
            raise MemberError("a {kind} has no length; {right}", kind=self.kind.value, right=_RIGHT[shape])
        alike = [kind.value for kind in KINDS if shape_of(kind) is shape and kind is not self.kind]
        if self.substitute is not None and self.substitute.value not in alike:
            raise MemberError(
                "substitute = {found!r} cannot replace a {kind}; use one of {alike}",
                "substitute",
                found=self.substitute.value,
                kind=self.kind.value,
                alike=", ".join(alike),
            )

    @property
    def piece(self) -> BoxPiece:
        """Return the pieces."""
        length, width = self.size or (self.length, self.width)
        return BoxPiece(
            kind=self.kind,
            number=self.number,
            first=self.first,
            name=self.name,
            length=length,
            width=width,
            bend=self.bend,
            substitute=self.substitute,
        )


class BoxFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a terrain box."""

    title: str = ""
    families: dict[str, tuple[Kind, ...]] = {}
    piece: Annotated[tuple[BoxEntry, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        for name, kinds in self.families.items():
            if len({shape_of(kind) for kind in kinds}) > 1:
                raise MemberError(
                    "families.{name} mixes area features with courses or crossings; they cannot replace each other",
                    "families",
                    name,
                    name=name,
                )


def read_piece_box(name: str) -> PieceBox:
    """Return the box of a file; ``templates/boxes/example.toml`` shows its form.

    Raises:
        ResourceError: there is no such file.
        FileError: an entry is wrong; the message gives the file, the line, the key and a correct value.
    """
    if not name.endswith(".toml") and name not in names("templates/boxes", ".toml"):
        ours = ", ".join(names("templates/boxes", ".toml"))
        raise ResourceError(
            "no terrain box {name!r}; give the path of a TOML file, or one of {ours}", name=name, ours=ours
        )
    text = template_text("boxes", name)
    return box_of(parse_toml(text, name), name, text)


def box_of(tree: dict[str, Any], place: str, text: str | None = None) -> PieceBox:
    """Return the box of plain values.

    Args:
        tree: the values of a file or a member of a record.
        place: the start of errors.
        text: the text of the file, in which errors find the line.

    Raises:
        FileError: an entry is wrong.
    """
    file = convert(_with_plain_kinds(tree), BoxFile, place, text)
    return PieceBox(tuple(entry.piece for entry in file.piece), file.title, file.families)


def _with_plain_kinds(value: Any, key: str = "") -> Any:
    """Return the values of a box with its kinds spelled ``heavy_woods``; a file may have ``Heavy woods``."""
    match value:
        case dict():
            return {name: _with_plain_kinds(member, name) for name, member in value.items()}
        case list():
            return [_with_plain_kinds(entry, "kind" if isinstance(entry, str) else "") for entry in value]
        case str() if key in ("kind", "substitute"):
            return value.strip().lower().replace(" ", "_").replace("-", "_")
        case _:
            return value


def box_object(box: PieceBox) -> dict[str, Any]:
    """Return a box as plain values, from which ``box_of`` makes the same box."""
    family_kinds = {name: [kind.value for kind in kinds] for name, kinds in box.families.items()}
    pieces = [dict(_entry(piece)) for piece in box.pieces]
    return {"title": box.title, **({"families": family_kinds} if family_kinds else {}), "piece": pieces}


def piece_lines(piece: BoxPiece) -> Iterator[str]:
    """Yield the lines of a file for a piece."""
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
