"""The texts of the map key: facts for play, or the origin of each feature with dice and clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from printkit.core.words import Words, capitalise_text
from printkit.drawing.furniture.legend import going_word
from printkit.drawing.map.cell_marks import cell_address
from printkit.kit.provenance import describe_features
from printkit.kit.remarks import add_barrier_note
from printkit.kit.sides import PlayerSide, deployment_label, format_sides, has_players, side_row_versions, sides_of
from printkit.kit.system import RuleSystem
from printkit.recipes.box.box_parts import add_piece_notes
from printkit.recipes.output.handout import LengthFormatter
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.battlefield import Battlefield, clip_to_board, measure_shape
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record

# The key does not give the width of a course narrower than this many mm, for example a wall or a fence.
_NARROW: Final = 10.0


class KeyKind(StrEnum):
    """The content of a key apart from name, kind and going: size and slopes, or the dice and clauses of a feature."""

    PLAIN = "plain"
    FULL = "full"


def key_accounts(record: Record, system: RuleSystem, words: Words, kind: str) -> Mapping[str, str]:
    """Return the key text of each feature by its ID, in the languages of ``words``.

    ``kind`` is the kind of key: a full key has the origin of each feature with dice and clauses, any other only its
    facts. Both include the pieces of a terrain box, and ground that nobody can cross.
    """
    if kind == KeyKind.FULL:
        accounts = system.account(record, words)
    else:
        # Both languages format numbers as in the first one, so that equal size texts are merged.
        accounts = describe_features(record, words, _FactTexts(record.battlefield, words.each()[0]))
    return add_barrier_note(add_piece_notes(accounts, record, words), record.battlefield, words)


def caption_sides(record: Record, system: RuleSystem, order: SheetContext) -> dict[str, Any]:
    """Return the texts of a map about its sides, as keyword arguments for ``MapCaption``.

    ``who`` is the lines with all sides, ``marks`` the label of each deployment area; both are empty without players.
    """
    sides, words = _find_players(record, system, order), order.words
    marks = {side.name: tuple(deployment_label(side, language) for language in words.each()) for side in sides}
    return {"who": format_sides(sides, words, colours=order.style.washes) if sides else (), "marks": marks}


def side_rows(record: Record, system: RuleSystem, order: SheetContext) -> tuple[str, ...]:
    """Return versions of the line with all sides, from longest to shortest; empty without players."""
    sides = _find_players(record, system, order)
    return side_row_versions(sides, order.words, colours=order.style.washes) if sides else ()


def _find_players(record: Record, system: RuleSystem, order: SheetContext) -> tuple[PlayerSide, ...]:
    """Return the sides of a game; empty for an empty grid, or if the game has no known players.

    Sheets of a game always have the sides.
    """
    if not record.log and not record.battlefield.features:
        return ()
    sides = sides_of(record, system.book)
    return sides if order.of_game or has_players(sides) else ()


def describe_slopes(hill: Hill, words: Words) -> Iterator[str]:
    """Yield the kind and going of each slope of a hill that differs from the hill, in words."""
    for kind, going in dict.fromkeys((face.kind, face.going.name) for face in hill.faces):
        kind_name, going_text = words(f"kind.{kind}"), going_word(going, words)
        yield words("handouts.key.faces", kind=kind_name, going=going_text) if going_text else kind_name


class _FactTexts:
    """A function for the key text of features in a language: the size or cells of a feature, and its slopes.

    ``figures`` are the words whose decimal sign the sizes have.
    """

    def __init__(self, field: Battlefield, figures: Words) -> None:
        self._field = field
        self._measures = LengthFormatter(figures)

    def __call__(self, feature: Feature, words: Words) -> Iterator[str]:
        """Yield the sentences about one feature."""
        if isinstance(feature, Hill):
            yield from (f"{text}." for text in describe_slopes(feature, words))
        if isinstance(feature, Crossing):
            yield f"{capitalise_text(words('handouts.key.crossing'))}."
        elif self._field.grid is None:
            yield from (f"{text}." for text in self._size(feature, words))
        elif len(feature.cells) > 1 and not isinstance(feature, Course):
            yield " ".join(cell_address(self._field.grid, Cell(*cell)) for cell in feature.cells)

    def _size(self, feature: Area | Hill | Course, words: Words) -> Iterator[str]:
        """Yield the size of a feature on the board as text; for a course its width, unless it is narrow."""
        if not isinstance(feature, Course):
            size = measure_shape(clip_to_board(feature.outline, self._field.board))
            yield self._measures.format_size_inline(size.length, size.width)
        elif feature.width >= _NARROW:
            yield words("layout.wide", width=self._measures.format_one_line(feature.width))
