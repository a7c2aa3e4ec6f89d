"""The key: every numbered feature by name and going, and how it came about, in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from printkit.drawing.composing import Placed, joined
from printkit.drawing.desk import Desk
from printkit.drawing.items import Anchor, Drawing, Font, Item, Layer, LayerName
from printkit.drawing.labels import disc, disc_radius, numbered
from printkit.drawing.legend import going_word
from printkit.drawing.lettering import Hand, wrapped
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Feature, Hill
from printkit.words import Words

_ROWS_OF_TYPE: Final = 30.0
_BETWEEN: Final = 9.0
_LEADING: Final = 1.18
_AFTER: Final = 0.55


@dataclass(frozen=True, slots=True)
class _Note:
    """One feature of the key: its number, and its rows of type."""

    number: int
    rows: tuple[tuple[str, Hand], ...]

    @property
    def height(self) -> float:
        return sum(hand.height * _LEADING for _, hand in self.rows) + self.rows[-1][1].height * _AFTER


def key_columns(width: float, desk: Desk) -> int:
    """Return into how many columns a key ``width`` mm wide falls, so that its lines read easily."""
    return max(1, round(width / (_ROWS_OF_TYPE * desk.hand(Font.ITALIC, 13.5).height)))


def key_blocks(
    field: Battlefield,
    desk: Desk,
    accounts: Mapping[str, str],
    width: float,
    *,
    height: float | None = None,
    columns: int | None = None,
) -> tuple[Drawing, ...]:
    """Return the key as blocks no higher than ``height`` mm each; one block where no height is given.

    Args:
        field: the battlefield; its features are numbered in their order.
        desk: pen and words.
        accounts: by the ID of a feature, the sentence that tells how it came about.
        width: of the blocks in mm.
        height: of a page in mm.
        columns: how many; else as many as read easily.
    """
    columns = columns or key_columns(width, desk)
    gap = desk.size(_BETWEEN)
    column = (width - gap * (columns - 1)) / columns
    notes = [_note(number, feature, desk, accounts, column) for number, feature in numbered(field)]
    heading = _heading(desk, width)
    blocks: list[Drawing] = []
    while notes:
        room = None if height is None else height - heading.height
        columned, notes = _filled(notes, columns, room)
        body_height = max(sum(note.height for note in filled) for filled in columned)
        parts = [
            Placed(_column(filled, desk, column, body_height), place * (column + gap), 0.0)
            for place, filled in enumerate(columned)
        ]
        parts.append(Placed(heading, 0.0, body_height))
        blocks.append(joined(width, body_height + heading.height, parts))
    return tuple(blocks)


def described(feature: Feature, words: Words) -> str:
    """Return what a feature is, its name before its kind: ``Harrow Hill, hill of two levels, lightly wooded``."""
    kind = words(f"kind.{feature.kind}")
    said = [kind]
    if isinstance(feature, Hill):
        said = [words("hill.two_levels") if len(feature.contours) > 1 else kind]
        if feature.cover is not None:
            said.append(words(f"hill.{feature.cover}"))
    if feature.name:
        said = [feature.name, said[0][:1].lower() + said[0][1:], *said[1:]]
    return ", ".join(said)


def _note(number: int, feature: Feature, desk: Desk, accounts: Mapping[str, str], column: float) -> _Note:
    measure_mm = column - _indent(desk)
    name, going = desk.hand(Font.ROMAN, 14.5), desk.hand(Font.ITALIC, 13.5, "ink-secondary")
    rows: list[tuple[str, Hand]] = []
    for words in desk.words.each():
        said = described(feature, words)
        if feature.going.name:
            said = f"{said}: {going_word(feature.going.name, words)}"
        rows += [(line, name) for line in wrapped(said, name.font, name.size_pt, measure_mm)]
    if account := accounts.get(feature.id, ""):
        rows += [(line, going) for line in wrapped(account, going.font, going.size_pt, measure_mm)]
    return _Note(number, tuple(rows))


def _indent(desk: Desk) -> float:
    return 2 * disc_radius(desk) + desk.size(2.4)


def _filled(notes: Sequence[_Note], columns: int, room: float | None) -> tuple[list[list[_Note]], list[_Note]]:
    """Return notes column by column, as level as they come, and those for which no room is left."""
    if room is not None:
        first = _poured(notes, columns, room)
        if first[1]:
            return first
    # Without a limit: the least height at which all fit, found among the sums that a column can have.
    sums = sorted(
        {sum(note.height for note in notes[a:b]) for a in range(len(notes)) for b in range(a, len(notes) + 1)}
    )
    for limit in sums:
        poured = _poured(notes, columns, limit + 1e-6)
        if not poured[1]:
            return poured
    return _poured(notes, columns, sums[-1] + 1e-6)


def _poured(notes: Sequence[_Note], columns: int, room: float) -> tuple[list[list[_Note]], list[_Note]]:
    """Return columns filled from the top to ``room``, and the rest; a column takes one note, however high."""
    left = list(notes)
    found: list[list[_Note]] = []
    for _ in range(columns):
        taken: list[_Note] = []
        while left and (not taken or sum(note.height for note in taken) + left[0].height <= room):
            if not taken and left[0].height > room and found and found[0]:
                break
            taken.append(left.pop(0))
        if taken:
            found.append(taken)
    return found, left


def _column(notes: Sequence[_Note], desk: Desk, width: float, height: float) -> Drawing:
    items: list[Item] = []
    top = height
    for note in notes:
        first = note.rows[0][1]
        foot = top
        for text, hand in note.rows:
            foot -= hand.height * _LEADING
            items.extend(desk.text(text, _indent(desk), foot + 0.32 * hand.height, hand))
        middle = top - first.height * _LEADING + 0.32 * first.height + 0.30 * first.height
        items.extend(disc(note.number, (disc_radius(desk), middle), desk))
        top -= note.height
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))


def _heading(desk: Desk, width: float) -> Drawing:
    hand = desk.hand(Font.ROMAN, 15, "ink-secondary", track=1.5)
    text = desk.words("furniture.key").upper()
    height = hand.height * 2.2
    items: list[Item] = [*desk.text(text, width / 2, height - hand.height, hand, anchor=Anchor.MIDDLE)]
    rule = height - hand.height * 1.5
    items.extend(desk.line((0, rule), (width, rule), mm=0.35))
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))
