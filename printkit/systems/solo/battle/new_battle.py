"""A new battle file: two armies, a seed, and every other key of the format, explained and left for a person to fill."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from printkit.core.errors import FileTakenError
from printkit.core.words import Words
from printkit.recipes.game.copies import FileCopy, plan_copy
from printkit.systems.dba.armies.list_notation import is_notation
from printkit.systems.solo.armies.army_files import read_army, sample_names
from printkit.systems.solo.armies.force import read_troops
from printkit.systems.solo.tactics.battle_file import SCHEMA

_WIDE: Final = 110
_KEYS: Final = (
    ("", (("attacker", '"npg"'), ("attack_dice", "[5, 3]"), ("title", ""))),
    ("board", (("scale", '"15mm"'), ("width_in", "24"), ("map", '"battle-map.json"'), ("npg_edge", '"far"'))),
    ("solo", (("grouping", '"ask"'), ("swap", '"auto"'))),
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
        place: of the battle file; it names files of its folder alone, into which ``battle_copies`` go.
        words: the language of the comments.
        scale: of the figures.
        seed: of chance; None for that of the record.
        record: of a game that lies on the table, as seen from here.
        settings: the readings of that game that are not the usual ones.

    Raises:
        ResourceError: there is no such army.
        ScenarioError: what is given is no army.
        FileTakenError: another file has the name of one that has to be copied.
    """
    armies = {key: _named(name, place) for key, name in (("npg", npg), ("you", you))}
    board = {"scale": scale, **({} if record is None else {"map": _copied(record, place).name})}
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
    return _copied(Path(name), place).name if _is_path(name) else name


def _is_path(name: str) -> bool:
    return name not in sample_names() and not is_notation(name)


def battle_copies(npg: str, you: str, place: Path, record: Path | None = None) -> dict[str, bytes]:
    """Return what has to lie in the folder of a new battle file for it to name: armies and a record, by their names.

    Raises:
        FileTakenError: another file has the name of one of them.
    """
    found: dict[str, bytes] = {}
    for path in (*(Path(name) for name in (npg, you) if _is_path(name)), *(() if record is None else (record,))):
        own = _copied(path, place)
        if any(content != found.get(name, content) for name, content in own.files.items()):
            raise FileTakenError("{npg} and {you} have the same name; rename one of them", npg=npg, you=you)
        found |= own.files
    return found


def _copied(path: Path, place: Path) -> FileCopy:
    return plan_copy(path, place, used_names=(place.name, place.with_suffix(".json").name))


def _told(key: str, words: Words) -> Iterator[str]:
    """Yield what is told of a key as comments, in lines that an editor shows whole."""
    line = "#"
    for word in words(f"npg.battle.new.{key}").split():
        if len(line) + 1 + len(word) > _WIDE:
            yield line
            line = "#"
        line += f" {word}"
    yield line
