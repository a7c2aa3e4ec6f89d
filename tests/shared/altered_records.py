"""How often `check` says what of records in which one thing was altered: a feature, a throw, a detail, a setting.

The counts are kept in ``tests/verdicts.txt``: a judge that begins to see something else, or no longer does, is noticed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from drawn_settings import field_of, value_of
from shapely import affinity
from shapely.geometry import mapping, shape

from printkit.api import Field, check
from printkit.core.errors import BUG_EXIT_STATUS, PrintkitError
from printkit.core.words import find_words as find_words
from printkit.kit import registry
from printkit.kit.remarks import collect_remarks

REFUSED = "refused"
"""The state of a record that cannot be read."""
REMARK = "remark"
"""The first word of the key of a remark, which belongs to no clause."""

Tree = dict[str, Any]
Alteration = Callable[[Tree, Random], str]
"""Alters one thing in a record, and says what in a few words."""

Maker = Callable[[str, int], tuple[Field, dict[str, str]]]
"""Returns the field of a rule system and a seed, and the settings drawn for it."""


def _moved(tree: Tree, chance: Random) -> str:
    feature = chance.choice(tree["features"])
    step = chance.choice((4, 15, 50, 150))
    across, along = chance.choice(((step, 0), (-step, 0), (0, step), (0, -step)))
    feature["geometry"] = mapping(affinity.translate(shape(feature["geometry"]), across, along))
    return f"{feature['id']} {across} right, {along} up"


def _sized(tree: Tree, chance: Random) -> str:
    feature = chance.choice(tree["features"])
    factor = chance.choice((0.5, 0.8, 0.95, 1.05, 1.25, 2))
    across, along = chance.choice(((factor, factor), (factor, 1), (1, factor)))
    feature["geometry"] = mapping(affinity.scale(shape(feature["geometry"]), across, along))
    return f"{feature['id']} times {across} and {along}"


def _turned(tree: Tree, chance: Random) -> str:
    feature = chance.choice(tree["features"])
    angle = chance.choice((10, 45, 90, 180))
    feature["geometry"] = mapping(affinity.rotate(shape(feature["geometry"]), angle))
    return f"{feature['id']} turned by {angle}"


def _cut(tree: Tree, chance: Random) -> str:
    feature = chance.choice(tree["features"])
    whole = shape(feature["geometry"])
    if whole.geom_type == "LineString":
        end = chance.choice((whole.coords[0], whole.coords[-1]))
        feature["geometry"] = mapping(affinity.scale(whole, 0.6, 0.6, origin=end))
    else:
        feature["geometry"] = mapping(affinity.skew(whole, 35))
    return f"{feature['id']} cut short or skewed"


def _without(tree: Tree, chance: Random) -> str:
    feature = tree["features"].pop(chance.choice(range(len(tree["features"]))))
    return f"without {feature['id']}"


def _twice(tree: Tree, chance: Random) -> str:
    feature = chance.choice(tree["features"])
    head = feature["id"].rstrip("0123456789")
    tree["features"].append({**deepcopy(feature), "id": f"{head}{chance.choice((77, 78))}"})
    return f"{feature['id']} twice"


def _leaves(node: Any, path: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Yield every number, word and list of a tree: what holds it, its key there, and its path."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in list(pairs):
        where = f"{path}.{key}" if path else str(key)
        if not isinstance(value, dict):
            yield node, key, where
        if isinstance(value, dict | list):
            yield from _leaves(value, where)


def _otherwise(value: Any, chance: Random, words: list[str]) -> Any:
    """Return a value beside another: the next number, another word of the record, no or yes, a list without one."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + chance.choice((-1, 1))
        case str() if value.isdecimal():
            return str(int(value) + chance.choice((-1, 1)))
        case str():
            return chance.choice(words)
        case []:
            return chance.choice(words)
        case list():
            place = chance.randrange(len(value))
            return [*value[:place], *value[place + 1 :]]
        case _:
            return chance.choice((1, True, words[0]))


def _leaf(part: Any, chance: Random, name: str) -> str:
    leaves = list(_leaves(part))
    if not leaves:
        return ""
    holder, key, path = chance.choice(leaves)
    last = path.rsplit(".", 1)[-1]
    alike = (node[each] for node, each, where in leaves if where.endswith(last))
    words = sorted({value for value in alike if isinstance(value, str)})
    before, holder[key] = holder[key], _otherwise(holder[key], chance, words or ["none"])
    sides = [len(each) if isinstance(each, list) else each for each in (before, holder[key])]
    return f"{name} {path}: {sides[0]} to {sides[1]}"


def line_altered(tree: Tree, chance: Random) -> str:
    """Alter a word or a number within a line of an army, of PIPs or of positions."""
    leaves = [each for each in _leaves(tree[tree["rules"]]["inputs"]) if isinstance(each[0][each[1]], str)]
    holder, key, path = chance.choice(leaves)
    before = holder[key]
    part = chance.choice(list(re.finditer(r"\d+|[a-z][\w-]*", before, re.IGNORECASE)))
    others = re.findall(r"[A-Za-z][\w-]*", " ".join(holder[each] for holder, each, _ in leaves))
    holder[key] = before[: part.start()] + str(_otherwise(part[0], chance, others)) + before[part.end() :]
    return f"{path}: {before} to {holder[key]}"


def detail_altered(tree: Tree, chance: Random) -> str:
    return _leaf(tree.get(tree["rules"], {}), chance, "detail")


def _property(tree: Tree, chance: Random) -> str:
    feature = chance.choice(tree["features"])
    parts = [each["properties"] for each in tree["features"]]
    words = {key: sorted({str(each.get(key)) for each in parts}) for key in feature["properties"]}
    key = chance.choice(sorted(words))
    before = feature["properties"][key]
    feature["properties"][key] = _otherwise(before, chance, words[key])
    return f"{feature['id']} {key}: {before} to {feature['properties'][key]}"


def _thrown(tree: Tree, chance: Random) -> str:
    place = chance.choice(range(len(tree["log"])))
    act, part = tree["log"][place], chance.choice(("answer", "answer", "answer", "reason", "stage", "clause"))
    alike = sorted({each[part] for each in tree["log"] if part != "answer" or each["asked"] == act["asked"]})
    before = act[part]
    act[part] = _otherwise(before, chance, alike)
    return f"{part} of throw {place + 1} {before} to {act[part]}"


def _swapped(tree: Tree, chance: Random) -> str:
    log = tree["log"]
    one, other = chance.choice(range(len(log))), chance.choice(range(len(log)))
    log[one], log[other] = log[other], log[one]
    return f"throws {one + 1} and {other + 1} swapped"


def _not_thrown(tree: Tree, chance: Random) -> str:
    place = chance.choice(range(len(tree["log"])))
    del tree["log"][place]
    return f"without throw {place + 1}"


def _set(tree: Tree, chance: Random) -> str:
    settings = registry.find(tree["rules"]).book.settings
    setting = chance.choice([each for each in settings if each.key in tree["settings"]])
    before = tree["settings"][setting.key]
    tree["settings"][setting.key] = value_of(setting, chance, tree["settings"])
    return f"{setting.key}: {before} to {tree['settings'][setting.key]}"


ALTERATIONS: tuple[Alteration, ...] = (
    *(_moved, _sized, _turned, _cut, _without, _twice, _property, detail_altered, _thrown, _not_thrown, _set),
    *(_swapped, detail_altered, _thrown),
)


def _states(text: str) -> dict[str, str]:
    """Return the state of each clause of a record, and what is remarked on it; a record may be refused."""
    try:
        judged = check(text)
        remarks = list(collect_remarks(judged.system, judged.record, find_words("en")))
    except PrintkitError as error:
        if error.exit_status == BUG_EXIT_STATUS:
            raise
        return {REFUSED: REFUSED}
    states = {verdict.clause: verdict.state for verdict in judged.verdicts}
    return states | dict.fromkeys((f"{REMARK} {remark}" for remark in remarks), "made")


@dataclass(frozen=True)
class Altered:
    """Records of a rule system, each with one thing altered: by whom they are made, and what may happen to them."""

    rules: str
    made: Maker = field_of
    alterations: Sequence[Alteration] = ALTERATIONS

    def _altered(self, field: Field, number: int) -> tuple[str, str]:
        """Return the kind of an alteration by its number, and the altered record."""
        tree = json.loads(field.geojson)
        alter = self.alterations[number % len(self.alterations)]
        alter(tree, Random(f"{self.rules} {tree['seed']} altered {number}"))
        return alter.__name__.strip("_"), json.dumps(tree)

    def counts(self, numbers: Mapping[int, Iterable[int]]) -> dict[str, str]:
        """Return for each clause how often which kind of alteration gave it which other state than it had.

        Args:
            numbers: those of the alterations, by the seed of the record.

        """
        counts = dict[str, Counter[str]]()
        for seed, altered in numbers.items():
            field, _ = self.made(self.rules, seed)
            sound = _states(field.geojson)
            for kind, text in (self._altered(field, number) for number in altered):
                states = _states(text)
                lost = {} if REFUSED in states else dict.fromkeys(sound.keys() - states.keys(), "gone")
                for clause, state in (states | lost).items():
                    if sound.get(clause) != state:
                        counts.setdefault(clause.partition(" ")[0], Counter())[f"{kind} {state}"] += 1
        told = {clause: sorted(row.items()) for clause, row in sorted(counts.items())}
        return {clause: ", ".join(f"{what} {count}" for what, count in row) for clause, row in told.items()}
