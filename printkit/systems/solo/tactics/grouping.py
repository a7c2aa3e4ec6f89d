"""The tactical groups of the NPG: the method ``group_v1``, plain fours, or a person's own groups (SD-4.5, AMB-30)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

from msgspec import Struct

from printkit.core.errors import ScenarioError
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Step

GREEDY: Final = "greedy"

_SUPPORTED: Final = ("Bd", "Sp", "Ax")
_CARRIERS: Final = ("Bd", "Sp")
_PHALANX: Final = frozenset({"Sp", "Bd", "Pk"})


class Group(Struct, frozen=True):
    """Elements that stand and move together; those in front first, supports last."""

    elements: tuple[Element, ...]

    @property
    def general(self) -> bool:
        """Return whether the general is among them."""
        return any(element.general for element in self.elements)


class GroupRules(Struct, frozen=True, kw_only=True):
    """What the rules of grouping ask: whose elements they are, and what YOU have (SD-4.5-x1..x5)."""

    npg: Force
    you: Force
    rules: SoloRules

    @property
    def most(self) -> int:
        """Return how many elements a group has at most (SD-4.5-a)."""
        return self.rules.whole("group_elements_max")

    @property
    def psiloi_support(self) -> bool:
        """Return whether Ps have to support Bd, Sp or Ax (SD-4.5-x1)."""
        return self.you.mounted_count + self.you.count("Wb") > self.rules.whole("psiloi_against")

    @property
    def bows_mixed(self) -> bool:
        """Return whether Bw have to be mixed among Sp or Bd (SD-4.5-x2)."""
        return self.you.mounted_count > self.rules.whole("bows_against")

    @property
    def elephant_company(self) -> frozenset[str]:
        """Return the types that may go with El (SD-4.5-x4, AMB-31)."""
        few = self.you.mounted_count <= self.rules.whole("elephants_horse")
        return frozenset({"Ax", "Ps"}) if few else frozenset({"Kn"})

    def may_share(self, elements: Sequence[Element]) -> bool:
        """Return whether these elements may be one group (SD-4.5-a, SD-4.5-c, x1..x5)."""
        if len(elements) > self.most:
            return False
        counts = self.counts(elements)
        types = frozenset(counts)
        if len(types) <= 1:
            return True
        if "El" in types:
            others = types - {"El"}
            company = sum(counts[other] for other in others) <= self.rules.whole("elephants_company")
            return company and others <= self.elephant_company
        mounted = [element.troop.mounted for element in elements]
        if any(mounted):
            return all(mounted)
        return self._foot_may_share(counts)

    def counts(self, elements: Iterable[Element]) -> Counter[str]:
        """Return how many elements are of each type."""
        return Counter(element.troop.code for element in elements)

    def _foot_may_share(self, counts: Counter[str]) -> bool:
        types = set(counts)
        if "Ps" in types:
            if not self.psiloi_support or counts["Ps"] > 1 or not types & set(_SUPPORTED):
                return False
            types.discard("Ps")
        if "Bw" in types:
            if not self.bows_mixed or not types & set(_CARRIERS):
                return False
            types.discard("Bw")
        return len(types) == 1 or types <= _PHALANX


def groups_of(elements: Sequence[Element], npg: Force, you: Force, rules: SoloRules) -> tuple[tuple[Group, ...], Step]:
    """Return the tactical groups of the elements on the table, by the method of the setting ``grouping``.

    Where that is ``ask`` the groups of ``group_v1`` are the proposal that the person changes (see ``groups_by_hand``).
    """
    case = GroupRules(npg=npg, you=you, rules=rules)
    pool = _Pool(case, elements)
    found = _supported(pool) + _mixed(pool)
    order = rules.type_order("grouping")
    if rules.choice("grouping") == GREEDY:
        found += [group for kind in order for group in _fours(pool.take_all(kind), case.most)]
    else:
        found += [group for kind in order for group in _even(pool.take_all(kind), case.most, pikes=kind == "Pk")]
        found = _singles_joined(found, case)
    found = _mounted_split(found, case)
    return tuple(Group(_ordered(group, case)) for group in found), _step(case, found, rules.choice("grouping"))


def groups_by_hand(
    lines: Sequence[str], elements: Sequence[Element], npg: Force, you: Force, rules: SoloRules
) -> tuple[tuple[Group, ...], Step]:
    """Return a person's own groups, each written as its codes: ``Bd Bd Bd Ps``; a star marks the general's.

    Raises:
        ScenarioError: an element is grouped twice or not at all, or a group is empty or too large; names it.
    """
    case = GroupRules(npg=npg, you=you, rules=rules)
    left, found = list(elements), list[list[Element]]()
    for place, line in enumerate(lines, 1):
        group = []
        for code in line.split():
            element = _named(code, left)
            if element is None:
                raise ScenarioError(
                    "group {place}: no {code} is left for it", place=place, code=code, clause="SD-4.5-a"
                )
            left.remove(element)
            group.append(element)
        if not 1 <= len(group) <= case.most:
            raise ScenarioError(
                "group {place} has {count} elements; a group has 1 to {most}",
                place=place,
                count=len(group),
                most=case.most,
                clause="SD-4.5-a",
            )
        found.append(group)
    if left:
        raise ScenarioError(
            "no group contains {left}", left=" ".join(element.code for element in left), clause="SD-4.5-a"
        )
    return tuple(Group(_ordered(group, case)) for group in found), _step(case, found)


def lead_type(group: Group, rules: SoloRules) -> str:
    """Return the type that a group is taken for: El; else the most numerous, Ps and Bw aside (AMB-32)."""
    counts = Counter(element.troop.code for element in group.elements)
    order = rules.type_order("lead")
    if "El" in counts:
        return "El"
    heavier = {kind: many for kind, many in counts.items() if kind not in ("Ps", "Bw")} or dict(counts)
    return min(heavier, key=lambda kind: (-heavier[kind], order.index(kind)))


def written(group: Group) -> str:
    """Return a group as the specification writes it: ``3Bd*+1Ps``."""
    counts, general = Counter(element.troop.code for element in group.elements), set[str]()
    for element in group.elements:
        if element.general:
            general.add(element.troop.code)
    return "+".join(f"{many}{kind}{'*' if kind in general else ''}" for kind, many in counts.items())


class _Pool:
    """The elements that are not yet in a group; the general is the first of his type."""

    def __init__(self, rules: GroupRules, elements: Sequence[Element]) -> None:
        self.rules = rules
        self._left = sorted(elements, key=lambda element: not element.general)

    def count(self, kind: str) -> int:
        return sum(1 for element in self._left if element.troop.code == kind)

    def take(self, kind: str, many: int) -> list[Element]:
        found = [element for element in self._left if element.troop.code == kind][:many]
        for element in found:
            self._left.remove(element)
        return found

    def take_all(self, kind: str) -> list[Element]:
        return self.take(kind, len(self._left))


def _supported(pool: _Pool) -> list[list[Element]]:
    """Return the groups that Ps support (SD-4.5-x1): trios first, then what is left of each type."""
    if not pool.rules.psiloi_support:
        return []
    found, trio = [], pool.rules.rules.whole("psiloi_trio")
    for kind in _SUPPORTED:
        while pool.count(kind) >= trio and pool.count("Ps"):
            found.append(pool.take(kind, trio) + pool.take("Ps", 1))
    for kind in _SUPPORTED:
        if 1 <= pool.count(kind) < trio and pool.count("Ps"):
            found += [pool.take_all(kind) + pool.take("Ps", 1)]
    return found


def _mixed(pool: _Pool) -> list[list[Element]]:
    """Return the groups in which Bw stand among Bd or Sp (SD-4.5-x2)."""
    if not pool.rules.bows_mixed or not pool.count("Bw"):
        return []
    carrier = max(_CARRIERS, key=pool.count)
    carriers = pool.count(carrier)
    bows = min(pool.count("Bw"), carriers)
    if not bows:
        return []
    groups = ceil((carriers + bows) / pool.rules.most)
    fronts, backs = _shares(carriers, groups), tuple(reversed(_shares(bows, groups)))
    return [pool.take(carrier, front) + pool.take("Bw", back) for front, back in zip(fronts, backs, strict=True)]


def _even(elements: list[Element], most: int, *, pikes: bool) -> list[list[Element]]:
    """Return groups as equal as can be, larger first; pikes in fours, the rest last."""
    if pikes:
        return _fours(elements, most)
    left = list(elements)
    shares = _shares(len(elements), ceil(len(elements) / most))
    return [[left.pop(0) for _ in range(share)] for share in shares]


def _fours(elements: list[Element], most: int) -> list[list[Element]]:
    return [elements[start : start + most] for start in range(0, len(elements), most)]


def _shares(total: int, groups: int) -> tuple[int, ...]:
    return tuple(total // groups + (place < total % groups) for place in range(groups)) if groups else ()


def _singles_joined(groups: list[list[Element]], rules: GroupRules) -> list[list[Element]]:
    """Return the groups after each single element has joined the smallest that may take it."""
    order = rules.rules.type_order("grouping")

    def rank(group: list[Element]) -> int:
        return order.index(group[0].troop.code)

    found = [list(group) for group in groups]
    for single in sorted((group for group in found if len(group) == 1), key=rank):
        if len(single) != 1:
            continue  # another single has joined it meanwhile
        hosts = [host for host in found if host is not single and rules.may_share([*host, *single])]
        if hosts:
            min(hosts, key=len).extend(single)
            found = [group for group in found if group is not single]
    return found


def _mounted_split(groups: list[list[Element]], rules: GroupRules) -> list[list[Element]]:
    """Return the groups with mounted in two of them at least, where there are more than one (SD-4.5-b)."""
    holding = [group for group in groups if any(element.troop.mounted for element in group)]
    if len(holding) != 1 or sum(element.troop.mounted for element in holding[0]) < 2:
        return groups
    (group,) = holding
    ordered = _ordered(group, rules)
    mounted = [element for element in ordered if element.troop.mounted]
    others = [element for element in ordered if not element.troop.mounted]
    first = mounted[: ceil(len(mounted) / 2)]
    parts = [[*first, *others], mounted[len(first) :]]
    return [part for each in groups for part in (parts if each is group else [each])]


def _ordered(group: Sequence[Element], rules: GroupRules) -> tuple[Element, ...]:
    """Return the elements with the lead's types first, supports last, the general first of his type."""
    order = [kind for kind in rules.rules.type_order("lead") if kind not in ("Bw", "Ps")] + ["Bw", "Ps"]

    def rank(element: Element) -> tuple[int, bool]:
        return order.index(element.troop.code), not element.general

    return tuple(sorted(group, key=rank))


def _named(code: str, left: Sequence[Element]) -> Element | None:
    bare, general = code.rstrip("*"), code.endswith("*")
    fitting = [element for element in left if bare in (element.code, element.troop.code)]
    fitting = [element for element in fitting if element.general] if general else fitting
    return min(fitting, key=lambda element: element.general, default=None)


def _step(rules: GroupRules, groups: Sequence[Sequence[Element]], method: str = "") -> Step:
    """Return what was decided; a group that no exception allows is named, for a person may have made it."""
    texts = [written(Group(_ordered(group, rules))) for group in groups]
    forced = [
        clause for clause, holds in (("SD-4.5-x1", rules.psiloi_support), ("SD-4.5-x2", rules.bows_mixed)) if holds
    ]
    broken = [text for text, group in zip(texts, groups, strict=True) if not rules.may_share(group)]
    return Step(
        clause="SD-4.5-a",
        title="npg.battle.step.groups",
        inputs={"groups": texts, "must": forced, "method": method or "ask", "against_the_rules": broken},
        row="SD-4.5-c",
        result=" ".join(f"{{{text}}}" for text in texts),
        question_key="npg.battle.person.groups" if method == "ask" else "",
    )
