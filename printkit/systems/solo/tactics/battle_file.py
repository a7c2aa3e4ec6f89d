"""The battle file: armies, board, readings, known facts (7.6); and exchanges of bad match-ups (SD-4.8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from msgspec import Struct, field

from printkit.core.errors import ScenarioError, Sentence
from printkit.core.typed import parse_toml
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.situation import EDGES, Situation
from printkit.systems.solo.tactics.tactics_tables import tactics
from printkit.terrain.field.battlefield import Edge

# --- Bad match-ups, and the exchange of up to two pairs that a defending NPG may make (SD-4.8) ------------------------

AUTO: Final = "auto"
NONE: Final = "none"

Swap = tuple[int, int]
"""The numbers, from 1, of two pairs whose NPG elements change places."""


class FacingPair(Struct, frozen=True, kw_only=True):
    """An element of the NPG and YOURS opposite, by type; ``open`` unless bad or impassable ground parts them."""

    npg: str
    you: str
    open: bool = True

    def bad_for_npg(self, rules: SoloRules) -> str:
        """Return the clause by which it is bad for the NPG, or nothing."""
        return tactics(rules).bad(self.npg, self.you) if self.open else ""

    def bad_for_you(self, rules: SoloRules) -> str:
        """Return the clause by which it is bad for YOU, or nothing."""
        return tactics(rules).bad(self.you, self.npg) if self.open else ""


def score(pairs: Sequence[FacingPair], rules: SoloRules) -> int:
    """Return open pairs that are bad for YOU less those bad for the NPG (AMB-40)."""
    return sum(bool(pair.bad_for_you(rules)) - bool(pair.bad_for_npg(rules)) for pair in pairs)


def swapped(pairs: Sequence[FacingPair], swaps: Sequence[Swap]) -> tuple[FacingPair, ...]:
    """Return the line after its NPG elements have changed places."""
    types = [pair.npg for pair in pairs]
    for one, other in swaps:
        types[one - 1], types[other - 1] = types[other - 1], types[one - 1]
    return tuple(FacingPair(npg=kind, you=pair.you, open=pair.open) for kind, pair in zip(types, pairs, strict=True))


def best_swaps(pairs: Sequence[FacingPair], rules: SoloRules) -> tuple[Swap, ...]:
    """Return the exchange with the best score: of equals the one with the fewest swaps, then the leftmost (AMB-40)."""
    sets = _sets(len(pairs), rules.whole("swaps_max"))
    return min(sets, key=lambda swaps: (-score(swapped(pairs, swaps), rules), len(swaps), swaps))


def swap_aid(pairs: Sequence[FacingPair], rules: SoloRules) -> Step:
    """Return the proposal for the defender's swap, which the person decides (SD-4.8-a), or which is made (AMB-40)."""
    swaps = best_swaps(pairs, rules)
    made = swapped(pairs, swaps)
    before = [clause for pair in pairs for clause in (pair.bad_for_npg(rules), pair.bad_for_you(rules)) if clause]
    return Step(
        clause="SD-4.8-a",
        title="npg.battle.step.swap",
        inputs={
            "line": [f"{pair.npg}:{pair.you}{'' if pair.open else ' (closed)'}" for pair in pairs],
            "score_before": score(pairs, rules),
            "score_after": score(made, rules),
            "match_ups": before,
            "after": [f"{pair.npg}:{pair.you}" for pair in made],
        },
        total=score(made, rules),
        row="SD-4.8-c",
        result=" ".join(f"{one}-{other}" for one, other in swaps) or NONE,
        question_key="" if rules.choice("swap") == AUTO else "npg.battle.person.swap",
    )


def _sets(length: int, most: int) -> Iterator[tuple[Swap, ...]]:
    """Yield every set of no, one, or more disjoint swaps, as many as the rule book allows."""
    every = list(combinations(range(1, length + 1), 2))
    for many in range(most + 1):
        for chosen in combinations(every, many):
            if len({place for swap in chosen for place in swap}) == 2 * many:
                yield chosen


SCHEMA: Final = "dba-battle/1"
_SAYS_SCHEMA: Final = re.compile(r"^schema[ \t]*+=[ \t]*+[\"']dba-battle/", re.MULTILINE)
HAND: Final = "hand"
SCALES: Final = ("15mm", "25mm")

_KEYS: Final = (
    "schema", "npg", "you", "seed", "attacker", "attack_dice", "title", "board", "solo", "facts",
    "groups", "your_line", "pairs",
)  # fmt: skip
_BOARD: Final = ("width_in", "scale", "map", "npg_edge")
_LINE: Final = ("type", "from_left_in")
_PAIR: Final = ("npg", "you", "open")


class YourElement(Struct, frozen=True, kw_only=True):
    """A deployed element of YOURS: its type, and inches from the left end of YOUR base edge as YOU sit."""

    type: str
    from_left_in: float


class Battle(Struct, frozen=True, kw_only=True):
    """One game as a person writes it down.

    ``npg`` and ``you`` name armies. ``map`` is the path of a record, or ``hand``. Where the file is silent ``width_in``
    and ``edge`` are None, and ``scale`` is empty. ``attack_dice`` are a person's own dice for who attacks, the NPG's
    first. ``settings`` are those of the rules; ``groups`` a person's own tactical groups, ``your_line`` and
    ``pairs`` what he has deployed and who faces whom.
    """

    npg: str
    you: str
    seed: int | None = None
    attacker: Side | None = None
    attack_dice: tuple[int, int] | None = None
    title: str = ""
    width_in: float | None = None
    scale: str = ""
    map: str = HAND
    edge: Edge | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    situation: Situation = field(default_factory=Situation)
    groups: tuple[str, ...] = ()
    your_line: tuple[YourElement, ...] = ()
    pairs: tuple[FacingPair, ...] = ()


def is_battle(text: str) -> bool:
    """Return whether a text says that it is the file of a battle; the rest of it may be wrong."""
    return _SAYS_SCHEMA.search(text) is not None


def read_battle(text: str, file: str) -> Battle:
    """Return the battle of a file's text; ``file`` is its name.

    Raises:
        ScenarioError: it is not TOML, or a key is unknown, missing or wrong; names it and what would be right.
    """
    tree = parse_toml(text, file)
    _only(tree, _KEYS, Sentence("the battle"))
    if tree.get("schema") != SCHEMA:
        raise ScenarioError(
            'schema = {schema!r} is not a battle file; write schema = "{wanted}"',
            schema=tree.get("schema"),
            wanted=SCHEMA,
        )
    board = _table(tree, "board")
    _only(board, _BOARD, "[board]")
    edge = _one_of(board, "npg_edge", tuple(edge.value for edge in EDGES), "[board] ")
    attacker = _one_of(tree, "attacker", tuple(side.value for side in Side))
    return Battle(
        npg=_text(tree, "npg"),
        you=_text(tree, "you"),
        seed=_seed(tree),
        attacker=Side(attacker) if attacker else None,
        attack_dice=_attack_dice(tree),
        title=_text(tree, "title", needed=False),
        width_in=_positive(board, "width_in", "[board] ") if "width_in" in board else None,
        scale=_one_of(board, "scale", SCALES, "[board] "),
        map=_text(board, "map", needed=False, place="[board] ") or HAND,
        edge=Edge(edge) if edge else None,
        settings={str(key).lower(): _setting(key, value) for key, value in _table(tree, "solo").items()},
        situation=Situation().knowing(dict(_facts(_table(tree, "facts"))), "given"),
        groups=_groups(tree),
        your_line=tuple(_element(row, place) for place, row in enumerate(_rows(tree, "your_line"), 1)),
        pairs=tuple(_pair(row, place) for place, row in enumerate(_rows(tree, "pairs"), 1)),
    )


def _facts(table: Mapping[str, Any]) -> Sequence[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in table.items():
        found += (
            [(f"{key}.{part}", each) for part, each in value.items()] if isinstance(value, dict) else [(key, value)]
        )
    return found


def _setting(key: str, value: object) -> str:
    """Return a reading as the rule book spells it: true and false as words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        raise ScenarioError("[solo] {key} is a list or a table; write {key} = and one value", key=key)
    return str(value)


def _groups(tree: Mapping[str, Any]) -> tuple[str, ...]:
    lines = tree.get("groups", [])
    if not isinstance(lines, list) or any(not isinstance(line, str) for line in lines):
        raise ScenarioError(
            'groups is not a list of texts; write one text per group, for example groups = ["Bd Bd Bd Ps", "Cv* Cv"]'
        )
    return tuple(lines)


def _element(row: Mapping[str, Any], place: int) -> YourElement:
    where = f"[[your_line]] {place}: "
    _only(row, _LINE, where.rstrip(": "))
    return YourElement(type=_text(row, "type", place=where), from_left_in=_positive(row, "from_left_in", where))


def _pair(row: Mapping[str, Any], place: int) -> FacingPair:
    where = f"[[pairs]] {place}: "
    _only(row, _PAIR, where.rstrip(": "))
    opened = row.get("open", True)
    if not isinstance(opened, bool):
        raise ScenarioError(
            "{where}open = {opened!r} is not valid; write false if bad or impassable ground is in between",
            where=where,
            opened=opened,
        )
    return FacingPair(npg=_text(row, "npg", place=where), you=_text(row, "you", place=where), open=opened)


def _seed(tree: Mapping[str, Any]) -> int | None:
    seed = tree.get("seed")
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
        raise ScenarioError("seed = {seed!r} is not valid; write a whole number from 0", seed=seed)
    return seed


def _attack_dice(tree: Mapping[str, Any]) -> tuple[int, int] | None:
    dice = tree.get("attack_dice")
    if dice is None:
        return None
    good = isinstance(dice, list) and len(dice) == 2 and all(die in range(1, 7) for die in dice)
    if not good or "attacker" in tree:
        why = (
            Sentence("attacker already says who attacks")
            if good
            else Sentence("write two scores, the NPG's first, for example [5, 3]")
        )
        raise ScenarioError("attack_dice = {dice!r}: {why}", dice=dice, why=why, clause="SD-2.3-a")
    return int(dice[0]), int(dice[1])


def _only(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise ScenarioError(
                "{where}: unknown key {key!r}; use one of {known}", where=where, key=key, known=", ".join(known)
            )


def _table(tree: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = tree.get(name, {})
    if not isinstance(table, dict):
        raise ScenarioError(
            "{name} = {table!r} is not a table; write [{name}], then one line per key", name=name, table=table
        )
    return table


def _rows(tree: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    rows = tree.get(name, [])
    if not isinstance(rows, list) or any(not isinstance(row, dict) for row in rows):
        raise ScenarioError("{name} is not a list of tables; write [[{name}]] before each of them", name=name)
    return rows


def _text(table: Mapping[str, Any], key: str, *, needed: bool = True, place: str = "") -> str:
    value = table.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or not value.strip():
        said = Sentence("is missing") if value is None else Sentence("= {value!r} is not a text", value=value)
        raise ScenarioError('{place}{key} {said}; write {key} = "..."', place=place, key=key, said=said)
    return value


def _positive(table: Mapping[str, Any], key: str, place: str) -> float:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1000:
        raise ScenarioError(
            "{place}{key} = {value!r} is not a length in inches; write a number", place=place, key=key, value=value
        )
    return float(value)


def _one_of(table: Mapping[str, Any], key: str, choices: Sequence[str], place: str = "") -> str:
    value = table.get(key)
    if value is not None and value not in choices:
        raise ScenarioError(
            "{place}{key} = {value!r} is not valid; use one of {choices}",
            place=place,
            key=key,
            value=value,
            choices=", ".join(choices),
        )
    return str(value) if value is not None else ""
