"""A new battle file: two armies, a seed, and every other key of the format, explained and left for a person to fill."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from printkit.core.words import Words
from printkit.systems.dba.armies.list_notation import is_notation
from printkit.systems.solo.armies.army_files import read_army, sample_names
from printkit.systems.solo.armies.force import read_troops
from printkit.systems.solo.tactics.battle_file import SCHEMA

_WIDE: Final = 110
_KEYS: Final = (
    ("", (("attacker", '"npg"'), ("attack_dice", "[5, 3]"), ("title", ""))),
    ("board", (("scale", '"15mm"'), ("width_in", "24"), ("map", '"battle-map.json"'), ("npg_edge", '"far"'))),
    ("solo", (("unknown", '"ask"'),)),
    ("facts", (("waterway", '"left"'), ("near.zone_clear", "true"))),
    ("your_line", (("type", '"4Bd"'), ("from_left_in", "11.5"))),
    ("pairs", (("npg", '"2Ps"'), ("you", '"4Bd"'), ("open", "false"))),
)
"""What may stand in a battle file besides its armies, section by section, with an example of each value.

An example that is empty stands in the words.
"""

_LISTS: Final = ("your_line", "pairs")


def battle_text(
    npg: str,
    you: str,
    place: Path,
    words: Words,
    *,
    scale: str,
    seed: int | None,
    record: Path | None = None,
    settings: Mapping[str, str] = {},
) -> str:
    """Return the text of a battle file with all its keys, those that are not needed as comments.

    Args:
        npg: his army: a sample, the path of a file as seen from here, or a list on one line.
        you: YOURS, likewise.
        place: of the battle file; paths of armies are written as seen from it.
        words: the language of the comments.
        scale: of the figures.
        seed: of chance; None for that of the record.
        record: of a game that lies on the table, as seen from here.
        settings: the readings of that game that are not the usual ones.

    Raises:
        ResourceError: there is no such army.
        ScenarioError: what is given is no army.
    """
    armies = {key: _named(name, place) for key, name in (("npg", npg), ("you", you))}
    board = {"scale": scale, **({} if record is None else {"map": _seen_from(record, place)})}
    return filled_text(armies, words, board=board, seed=seed, settings=settings)


def filled_text(
    armies: Mapping[str, str],
    words: Words,
    *,
    board: Mapping[str, str],
    seed: int | None,
    title: str = "",
    settings: Mapping[str, str] = {},
) -> str:
    """Return the text of a battle file, its armies named as seen from it; ``board`` are keys of that table."""
    lines = [*_told("head", words), f"schema = {json.dumps(SCHEMA)}"]
    for key, name in (*armies.items(), ("seed", seed)):
        said = "# seed = 7" if name is None else f"{key} = {json.dumps(name, ensure_ascii=False)}"
        lines += ["", *_told(key, words), said]
    own = {**board, **({"title": title} if title else {})}
    for section, keys in _KEYS:
        lines += ["", *(_section(section, words))]
        for key, example in keys:
            told = _told(f"{section}.{key}" if section else key, words)
            value = json.dumps(own[key], ensure_ascii=False) if key in own else ""
            shown = example or json.dumps(words(f"npg.battle.new.{key}-example"), ensure_ascii=False)
            lines += [*told, f"{key} = {value}" if value else f"# {key} = {shown}"]
        if section == "solo":
            lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in settings.items()]
    return "\n".join(lines) + "\n"


def _section(section: str, words: Words) -> Iterator[str]:
    if not section:
        return
    yield from _told(f"{section}.head", words)
    bare = section not in ("board", "solo", "facts")
    yield ("# " if bare else "") + (f"[[{section}]]" if section in _LISTS else f"[{section}]")


def _named(name: str, place: Path) -> str:
    """Return an army as a battle file at a place names it; it is read, so that what is wrong is told at once."""
    read_army(name, read_troops())
    if name in sample_names() or is_notation(name):
        return name
    return _seen_from(Path(name), place)


def _seen_from(path: Path, place: Path) -> str:
    whole, folder = path.resolve(), place.parent.resolve()
    return whole.relative_to(folder).as_posix() if whole.is_relative_to(folder) else whole.as_posix()


def _told(key: str, words: Words) -> Iterator[str]:
    """Yield what is told of a key as comments, in lines that an editor shows whole."""
    line = "#"
    for word in words(f"npg.battle.new.{key}").split():
        if len(line) + 1 + len(word) > _WIDE:
            yield line
            line = "#"
        line += f" {word}"
    yield line
