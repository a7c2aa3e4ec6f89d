"""The tables of the tactical engine as values, and the kind of attack that a combat is (SD-5.1, AMB-41).

Everything is read from the rule book; the sums that a person keeps during a game, base and NET, are worked out here,
for cards, sheets and the engine alike (SD-5.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

from msgspec import Struct

from printkit.chance.tables import DieTable, Span
from printkit.core.errors import BookError
from printkit.kit.book import RuleBook
from printkit.kit.book_file import BookEntry
from printkit.systems.solo.armies.rules import SoloRules

FACES: Final = range(1, 7)


class Level(StrEnum):
    """How the NPG plays the whole game (SD-5.2)."""

    DEFENSIVE = "defensive"
    NEUTRAL = "neutral"
    AGGRESSIVE = "aggressive"


class Stance(StrEnum):
    """What he tries in one bound (SD-5.3)."""

    DEFENSIVE = "defensive"
    CAUTIOUS = "cautious"
    AGGRESSIVE = "aggressive"


class Action(StrEnum):
    """What elements may be moved for (SD-5.1), in the order of the rules."""

    AGGRESSIVE_ATTACK = "aggressive_attack"
    AGGRESSIVE_MANOEUVRE = "aggressive_manoeuvre"
    CALCULATED_ATTACK = "calculated_attack"
    DEFENSIVE_MANOEUVRE = "defensive_manoeuvre"
    FORM_COLUMN = "form_column"
    FORM_LINE = "form_line"
    OCCUPY_TERRAIN = "occupy_terrain"
    REARRANGE_LINE = "rearrange_line"
    RECKLESS_ATTACK = "reckless_attack"
    REENFORCE = "reenforce"
    REPAIR_LINE = "repair_line"
    SAFE_ATTACK = "safe_attack"
    SUPPORT_ATTACK = "support_attack"


class Adjustment(Struct, frozen=True, kw_only=True):
    """What is added to the stance die where its condition holds (SD-5.3-m1..m7).

    ``each`` names the side for every lost element of which it counts once, ``npg`` or ``you``. ``pips`` are the scores
    of the first die for which it holds, ``level`` the level. ``npg`` and ``most`` are elements that the NPG has lost,
    and that YOU have lost at most.
    """

    amount: int
    clause: str
    each: str = ""
    pips: Span | None = None
    level: Level | None = None
    npg: int | None = None
    most: int | None = None

    @property
    def compared(self) -> Mapping[str, float]:
        """Return the numbers that its condition compares with, by what texts call them."""
        low, high = (self.pips.low, self.pips.high) if self.pips is not None else (None, None)
        told = {"npg": self.npg, "most": self.most, "low": low, "high": high}
        return {name: number for name, number in told.items() if number is not None}

    def times(self, *, pips: int | None = None, level: Level | None = None, npg: int = 0, you: int = 0) -> int:
        """Return how often it counts: once for each element lost, once where its condition holds, else not.

        Args:
            pips: the score of the first die.
            level: how the NPG plays.
            npg: elements that the NPG has lost.
            you: elements that YOU have lost.
        """
        if self.each:
            return npg if self.each == "npg" else you
        if self.pips is not None:
            return int(pips is not None and pips in self.pips)
        if self.level is not None:
            return int(level is self.level)
        if self.npg is None or self.most is None:
            return 0
        return int(npg == self.npg and you <= self.most)


class Permitted(Struct, frozen=True):
    """One place in the list of a stance, counted from 1, the most wanted first."""

    place: int
    action: Action
    clause: str


class StanceCondition(BookEntry, frozen=True, kw_only=True):
    """The condition of a modifier of the stance die, as the rule book has it: see ``Adjustment``."""

    each: Literal["npg", "you", ""] = ""
    pips: str = ""
    level: Level | None = None
    npg: int | None = None
    most: int | None = None


class MatchUp(BookEntry, frozen=True, kw_only=True):
    """Troop types for whom it is bad to be faced by others (SD-4.8.1)."""

    bad_for: tuple[str, ...]
    by: tuple[str, ...]


class TacticsTables(Struct, frozen=True, kw_only=True):
    """All tables of section 5 and of 4.8.1. ``actions`` gives the clause of each action."""

    level: DieTable[str]
    stance: DieTable[str]
    override: DieTable[str]
    stance_modifiers: tuple[Adjustment, ...]
    actions: Mapping[Action, str]
    permitted: Mapping[Stance, tuple[Permitted, ...]]
    match_ups: tuple[MatchUp, ...]
    level_values: Mapping[Level, int]
    net: tuple[int, int]
    overrides: int
    most_lost: int

    @classmethod
    def of(cls, book: RuleBook) -> TacticsTables:
        """Return the tables of a rule book that has, or shares, the tactical ones.

        Raises:
            FileError: a row is wrong; names file, line and row.
            BookError: a row is missing.
        """
        return cls(
            level=book.tables["level"],
            stance=book.tables["stance"],
            override=book.tables["override"],
            stance_modifiers=tuple(_adjustments(book)),
            actions={row.need("action", Action): row.need("clause", str) for row in book.own("actions")},
            permitted={stance: tuple(_list(book, stance)) for stance in Stance},
            match_ups=book.read("match_ups", MatchUp),
            level_values={level: int(book.numbers[f"level_{level}"]) for level in Level},
            net=(int(book.numbers["net_least"]), int(book.numbers["net_most"])),
            overrides=int(book.numbers["overrides"]),
            most_lost=int(book.numbers["losses_most"]),
        )

    def stance_at(self, total: int) -> Stance:
        """Return the stance of a total (SD-5.3-r1..r3)."""
        return Stance(self.stance.look_up(total))

    def level_at(self, total: int) -> Level:
        """Return the level of a total (SD-5.2-r1..r3)."""
        return Level(self.level.look_up(total))

    def base(self, pips: int, die: int) -> int:
        """Return the stance die with what the PIPs of the bound add to it (SD-5.3-m3, m6)."""
        return die + sum(each.amount * each.times(pips=pips) for each in self.stance_modifiers)

    def loss_index(self, npg: int, you: int) -> int:
        """Return what elements lost on either side are worth (SD-5.3-m1, m4, m7), as ``Adjustment.times`` counts."""
        return sum(each.amount * each.times(npg=npg, you=you) for each in self.stance_modifiers)

    def net_of(self, level: Level, npg: int, you: int) -> int:
        """Return NET: what the level and the losses add to every stance die of the bound."""
        return self.level_values[level] + self.loss_index(npg, you)

    def nets(self) -> range:
        """Return every NET that the bound deck knows, the least first."""
        return range(self.net[0], self.net[1] + 1)

    def pip_spans(self) -> Iterator[tuple[int, int]]:
        """Yield the runs of PIP dice that add the same to the stance die, each by its first and last."""
        for _, run in groupby(FACES, lambda pips: self.base(pips, 0)):
            pips = tuple(run)
            yield pips[0], pips[-1]

    def strip(self, pips: int, die: int) -> tuple[Stance, ...]:
        """Return the stance of two dice at every NET, the least first."""
        return tuple(self.stance_at(self.base(pips, die) + net) for net in self.nets())

    def odds(self, net: int) -> Mapping[Stance, int]:
        """Return how many of the 36 throws of two dice give each stance at a NET, every throw counted."""
        thrown = [self.stance_at(self.base(pips, die) + net) for pips in FACES for die in FACES]
        return {stance: thrown.count(stance) for stance in Stance}

    def level_odds(self, added: int) -> Mapping[Level, int]:
        """Return how many faces of a die give each level when so much is added."""
        thrown = [self.level_at(die + added) for die in FACES]
        return {level: thrown.count(level) for level in Level}

    def place(self, stance: Stance, action: Action) -> int | None:
        """Return the place of an action in the list of a stance, or None where it is not on it."""
        return next((each.place for each in self.permitted[stance] if each.action is action), None)

    def bad(self, sufferer: str, facing: str) -> str:
        """Return the clause by which it is bad for one type to be faced by another, or nothing (SD-4.8.1)."""
        rows = (row for row in self.match_ups if sufferer in row.bad_for and facing in row.by)
        return next((row.clause for row in rows), "")

    def good_against(self) -> Mapping[str, tuple[str, ...]]:
        """Return the match-ups turned round: for each type the types that fare badly when it faces them."""
        found: dict[str, list[str]] = {}
        for row in self.match_ups:
            for facing in row.by:
                found.setdefault(facing, []).extend(row.bad_for)
        return {facing: tuple(sufferers) for facing, sufferers in found.items()}


def tactics(rules: SoloRules) -> TacticsTables:
    """Return the tables of a game."""
    return rules.compute_once(_tables)


def _tables(rules: SoloRules) -> TacticsTables:
    return TacticsTables.of(rules.book)


def _adjustments(book: RuleBook) -> Iterator[Adjustment]:
    """Yield the modifiers of the stance die with their conditions; raises BookError where one has none."""
    conditions = {row.clause: row for row in book.read("stance_conditions", StanceCondition)}
    for modifier in book.tables["stance"].modifiers:
        if modifier.condition not in conditions:
            raise BookError(
                "{file}: [rows] stance_conditions has no row for {condition}",
                file=book.file,
                condition=modifier.condition,
            )
        row = conditions[modifier.condition]
        yield Adjustment(
            amount=modifier.amount,
            clause=modifier.condition,
            each=row.each,
            pips=Span.parse(row.pips) if row.pips else None,
            level=row.level,
            npg=row.npg,
            most=row.most,
        )


def _list(book: RuleBook, stance: Stance) -> Iterator[Permitted]:
    """Yield the places of one stance; raises BookError where it has none."""
    rows = [row for row in book.own("permitted") if row.need("stance", Stance) is stance]
    if not rows:
        raise BookError("{file}: [rows] permitted has no row for the stance {stance}", file=book.file, stance=stance)
    for place, row in enumerate(rows, 1):
        yield Permitted(place, row.need("action", Action), row.need("clause", str))


# --- Which kind of attack a combat is, by the chances of destroying and of being destroyed (SD-5.1, AMB-41) -----------


def attack_class(kill: Fraction, die: Fraction, *, supports: bool = False) -> Action | None:
    """Return the kind of an attack, or None where it cannot destroy anything and so is none.

    Args:
        kill: K, the chance that it destroys an element of YOURS.
        die: D, the chance that it destroys one of the NPG's.
        supports: it is made to help another attack of the same bound, whatever its chances.
    """
    if supports:
        return Action.SUPPORT_ATTACK
    if kill == 0:
        return None
    if die == 0:
        return Action.SAFE_ATTACK
    if kill > die:
        return Action.CALCULATED_ATTACK
    return Action.AGGRESSIVE_ATTACK if kill == die else Action.RECKLESS_ATTACK
