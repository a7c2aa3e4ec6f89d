"""The base edge and army of each side, and the deployment text for a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.kit.sides import PlayerSide, RecordedSide
from printkit.systems.collision.march.column_text import said
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.side_facts import ARMIES
from printkit.systems.dba3.placing.placement import find_shore
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.systems.dba3.placing.read_record import read_sides as terrain_sides
from printkit.terrain.field.record import Record, read_detail


def told_sides(record: Record) -> dict[str, RecordedSide]:
    """Return the facts of each side in a record, by its letter: edge, shore, role and army name.

    Missing facts are empty.
    """
    sides = terrain_sides(record)
    for role in Role:
        name = read_detail(record, str, "inputs", ARMIES, role.value, "name")
        side = sides.get(role.letter, RecordedSide())
        sides[role.letter] = RecordedSide(edge=side.edge, shore=side.shore, role=role.value, army=name or "")
    return sides


def deploying(record: Record, side: PlayerSide, words: Words, length: Callable[[float], str]) -> Iterator[str]:
    """Yield a side's deployment in sentences: base line, box of column 1, strip of 2, entry of 3.

    Args:
        record: of the game.
        side: the player's side.
        words: one language.
        length: formats a length in mm on the board.
    """
    rules = read_rules(record, read_book(record.rules))
    values = said(rules, words)
    base = record.battlefield.board.scale.base_width
    depth_text, width_text = (
        length(rules.number(name) * base) for name in ("column_box_bw_deep", "column_box_bw_aside")
    )
    yield words("columns.deploying.base" if side.shore and find_shore(record.battlefield) else "columns.deploying.edge")
    yield words("columns.deploying.first", deep=depth_text, aside=width_text, **values)
    yield words("columns.deploying.second", **values)
    yield words("columns.deploying.third", **values)
