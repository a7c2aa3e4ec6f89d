"""The judge on the selection: its dice added up again from the armies, and the order of candidates with all ties.

It reads the log from front to back. Where the log goes another way than the rules, that is a fault of the clause at
hand, and what comes after cannot be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Throw
from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.solo.armies.force import Force, Home, elements_of
from printkit.systems.solo.judge.case import Case, Check
from printkit.systems.solo.judge.field import cover

# --- The judge's own way through the dice of optional pieces: who is ahead, who ties, and who throws again ------------


class _AgainError(Exception):
    """Everybody throws again."""


class Candidates(Struct, frozen=True, kw_only=True):
    """Candidates in the order of their table, and where their dice are read.

    ``able`` is the type of each candidate, ``added`` what is added to the die of a type. ``read`` returns the die of a
    reason, or notes the fault of a clause. With ``again_all`` all throw again after a tie that decides (AMB-13).
    """

    able: Sequence[str]
    added: Mapping[str, int]
    read: Callable[[str, str], int]
    again_all: bool

    def taken(self, places: int, first: Collection[str]) -> list[str]:
        """Return the types that come in, one of ``first`` before all others if there is any."""
        clause = "SD-3.2.3-a"
        while True:
            scores = {place: self._score(place, clause) for place in range(len(self.able))}
            try:
                led = self._ahead({p: s for p, s in scores.items() if self.able[p] in first}, 1) if first else []
                rest = {place: score for place, score in scores.items() if place not in led}
                return [self.able[place] for place in (*led, *self._ahead(rest, places - len(led)))]
            except _AgainError:
                clause = "SD-3.2.3-e"

    def _ahead(self, scores: Mapping[int, int], places: int) -> list[int]:
        """Return who takes the places: level by level, the highest first."""
        found: list[int] = []
        for level in sorted(set(scores.values()), reverse=True):
            here = [place for place, score in sorted(scores.items()) if score == level]
            free = places - len(found)
            if free <= 0:
                break
            if len(here) <= free or len({self.able[place] for place in here}) == 1:
                found += here[:free]
            elif self.again_all:
                raise _AgainError
            else:
                found += self._ahead({place: self._score(place, "SD-3.2.3-e") for place in here}, free)
        return found

    def _score(self, place: int, clause: str) -> int:
        name = self.able[place]
        number = 1 + sum(other == name for other in self.able[:place])
        which = f" {number}" if list(self.able).count(name) > 1 else ""
        die = self.read(f"optional {name.replace('_', ' ')}{which}", clause)
        return die + self.added.get(name, 0)


_HEAVY: Final = ("Sp", "Bd")
_BAD_HOME: Final = ("woods", "steep_hill", "rough")

CLAUSES: Final = (
    "SD-3.1-a", "SD-3.1.1-a", "SD-3.1.1-b", "SD-3.1.1-r1", "SD-3.1.1-r2", "SD-3.1.1-m1", "SD-3.1.1-m2", "SD-3.1.1-m3",
    "SD-3.1.1-m4", "SD-3.1.2-a", "SD-3.1.2-m1", "SD-3.1.2-r1", "SD-3.2.1-a", "SD-3.2.1-r1", "SD-3.2.1-r2",
    "SD-3.2.1-m1", "SD-3.2.1-m2", "SD-3.2.1-m3", "SD-3.2.1-m4", "SD-3.2.1-m5", "SD-3.2.2-a", "SD-3.2.2-b",
    "SD-3.2.3-a", "SD-3.2.3-b", "SD-3.2.3-c", "SD-3.2.3-d", "SD-3.2.3-e", "AMB-11", "AMB-13",
)  # fmt: skip
"""The clauses that are added up again."""


class _OffTrackError(Exception):
    """The log does not go on as the rules do."""


class _Recount(Struct):
    """The recount under way: dice not yet read, and the faults found so far by their clauses."""

    case: Case
    defender: Force
    attacker: Force
    left: list[Throw]
    faults: dict[str, list[str]] = field(default_factory=dict)
    until: str = ""

    @property
    def home(self) -> str:
        """Return the home topography whose lists count."""
        asked = self.case.settings["home"]
        return self.defender.home.value if asked == "auto" else asked

    def wrong(self, template: str, clause: str, /, **values: object) -> None:
        """Note a fault."""
        self.faults.setdefault(clause, []).append(Sentence(template, **values))

    def score(self, reason: str, clause: str) -> int:
        """Return the next die, which has to be for this."""
        throw = self.left.pop(0) if self.left else None
        if throw is None or throw.reason != reason or not throw.answer.isdigit():
            self.wrong(
                "the log has {found} where {reason} is due",
                clause,
                found=throw.reason if throw else Sentence("no die"),
                reason=reason,
            )
            raise _OffTrackError
        return int(throw.answer)

    def run(self) -> None:
        """Add everything up."""
        row = next(row for row in self.case.book.rows["topography"] if row["home"] == self.home)
        compulsory = self._compulsory(row)
        picked = self._second(compulsory)
        places = self._number(picked)
        offered = self._offered(row)
        self._choice(picked, places, offered)
        if self.left:
            self.wrong("the log has {reason} after everything was selected", "SD-3.2.3-a", reason=self.left[0].reason)

    def _compulsory(self, row: Mapping[str, Any]) -> str:
        told = sorted({piece["terrain"] for piece in self._told(compulsory=True)})
        offered = [name for name in row["compulsory"] if name != "bua" or self.case.on("use_bua")]
        if len(offered) > 1:
            heavy, enemy = self.defender.count(*_HEAVY), self.attacker.count(*_HEAVY)
            none = heavy == 0 and enemy > 0
            states = {
                "SD-3.1.1-m1": self.defender.mounted >= 5,
                "SD-3.1.1-m2": heavy < 6 and not (none and self.case.on("m4_replaces_m2")),
                "SD-3.1.1-m3": self.attacker.count("Art") > 0,
                "SD-3.1.1-m4": none,
            }
            total = self.score("compulsory feature", "SD-3.1.1-b") + self._sum("SD-3.1.1-b", states)
            expected, clause = ("bua", "SD-3.1.1-r1") if total <= 3 else ("road", "SD-3.1.1-r2")
        else:
            expected = offered[0]
            clause = "SD-3.1.1-a" if len(row["compulsory"]) > 1 else "SD-3.1-a"
        if told != [expected]:
            self.wrong(
                "{expected} is compulsory, and the record has {told}",
                clause,
                expected=expected,
                told=", ".join(told) or Sentence("nothing"),
            )
            raise _OffTrackError
        return expected

    def _second(self, terrain: str) -> list[str]:
        told = [piece["terrain"] for piece in self._told(compulsory=True)]
        count = 1
        doubled = self.case.row(terrain).get("doubled", False)
        if doubled:
            states = {"SD-3.1.2-m1": terrain in _BAD_HOME and self.defender.bad_goers > 6}
            total = self.score("second compulsory piece", "SD-3.1.2-a") + self._sum("SD-3.1.2-a", states)
            count = 2 if total >= 4 else 1
        if len(told) != count:
            clause = "SD-3.1.2-r1" if doubled else "SD-3.1.2-a"
            self.wrong("{told} compulsory pieces; {count} by the dice", clause, told=len(told), count=count)
            raise _OffTrackError
        return told

    def _number(self, picked: Sequence[str]) -> int:
        own, enemy = self.defender, self.attacker
        states = {
            "SD-3.2.1-m1": own.bad_goers > enemy.bad_goers,
            "SD-3.2.1-m2": enemy.mounted > own.mounted,
            "SD-3.2.1-m3": sum(self.case.is_bad(terrain) for terrain in picked) > 1,
            "SD-3.2.1-m4": own.mounted > enemy.mounted,
            "SD-3.2.1-m5": enemy.bad_goers > own.bad_goers,
        }
        total = self.score("number of optional features", "SD-3.2.1-a") + self._sum("SD-3.2.1-a", states)
        places, clause = (2, "SD-3.2.1-r1") if total <= 3 else (3, "SD-3.2.1-r2")
        told = len(self._told(compulsory=False))
        if told != places:
            self.wrong("{told} optional features; {places} by the dice", clause, told=told, places=places)
        return places

    def _offered(self, row: Mapping[str, Any]) -> list[str]:
        """Return the types that may come, each littoral pair cut down to one by the army file or by dice."""
        found = [name for name in row["optional"] if name != "bua" or self.case.on("use_bua")]
        if self.home != "littoral":
            return found
        for pair in self.case.book.rows["littoral"]:
            one, other = pair["either"]
            names = f"{one} or not".replace("_", " "), f"{other} or not".replace("_", " ")
            if self.left and self.left[0].reason == names[0]:
                scores = 0, 0
                while scores[0] == scores[1]:
                    scores = self.score(names[0], pair["clause"]), self.score(names[1], pair["clause"])
                kept = one if scores[0] > scores[1] else other
            else:
                kept = str(self._suits(pair["key"]) or "")
                if kept not in (one, other):
                    self.wrong("neither dice nor the army say {one} or {other}", pair["clause"], one=one, other=other)
                    raise _OffTrackError
            left_out = other if kept == one else one
            found.remove(left_out)
            if left_out in {piece["terrain"] for piece in self._told(compulsory=False)}:
                self.wrong("the field has {other}, which {kept} left out", pair["clause"], other=left_out, kept=kept)
        return found

    def _choice(self, picked: Sequence[str], places: int, offered: Sequence[str]) -> None:
        taken = Counter(picked) if self.case.on("cap_counts_compulsory") else Counter[str]()
        able = [name for name in offered for _ in range(max(0, self.case.row(name)["most"] - taken[name]))]
        less = -1 if self.attacker.littoral and "waterway" in offered else 0
        self._states("SD-3.2.3-a", {"SD-3.2.3-b": bool(less)} if "waterway" in offered else {})
        again_all = self.case.settings["opt_tie"] == "all"
        ranking = Candidates(able=able, added={"waterway": less}, read=self.score, again_all=again_all)
        required = {name for name in able if self.case.is_cover(name)}
        first = required if not any(self.case.is_cover(name) for name in picked) else set()
        expected = ranking.taken(places, first)
        told = [piece["terrain"] for piece in self._told(compulsory=False)]
        if Counter(told) != Counter(expected):
            lacking = first and not any(name in required for name in told)
            clause = "SD-3.2.3-c" if lacking else "SD-3.2.3-b" if less and "waterway" in told else "SD-3.2.3-d"
            chosen, has = ", ".join(expected), ", ".join(told)
            self.wrong("the dice choose {expected}; the record has {told}", clause, expected=chosen, told=has)

    def _sum(self, step: str, states: Mapping[str, bool]) -> int:
        """Return what is added, and compare the modifiers with those that the step of the record tells."""
        self._states(step, states)
        amounts = {m.condition: m.amount for table in self.case.book.tables.values() for m in table.modifiers}
        return sum(amounts[clause] for clause, on in states.items() if on)

    def _states(self, step: str, states: Mapping[str, bool]) -> None:
        for told in self.case.record.details.get("terrain", {}).get("selection", ()):
            if told["clause"] != step:
                continue
            found = {modifier["id"]: modifier["state"] == "on" for modifier in told["modifiers"]}
            for clause, on in states.items():
                if on and not found.get(clause, False):
                    self.wrong("it counts, and the record has it otherwise", clause)
                elif found.get(clause, False) and not on:
                    self.wrong("it does not count, and the record has it otherwise", clause)

    def _told(self, *, compulsory: bool) -> list[Mapping[str, Any]]:
        return [piece for piece in self.case.detail("terrain", "pieces") if piece["compulsory"] is compulsory]

    def _suits(self, key: str) -> str | None:
        """Return which of a pair the step of the record says that the army file names."""
        for told in self.case.record.details.get("terrain", {}).get("selection", ()):
            if told["title"].endswith(key):
                return str(told["inputs"].get("army"))
        return None


def on_the_board(case: Case) -> Faults:
    """SD-3.2.3-d: what was selected lies on the board, but for what is told to have been left out; and nothing else."""
    told = Counter(piece["terrain"] for piece in case.detail("terrain", "pieces") if piece["result"])
    there = Counter(piece.terrain.value for piece in case.pieces)
    for terrain in sorted((told - there) | (there - told)):
        yield Sentence(
            "{there} pieces of {terrain} on the board; {told} selected",
            there=there[terrain],
            terrain=terrain,
            told=told[terrain],
        )


def force_of(case: Case, side: str) -> Force:
    """Return an army as the elements in the record make it.

    Raises:
        UnseenError: the record does not tell them, or one is of no troop type.
    """
    about = case.detail("armies", side)
    try:
        elements = elements_of(case.detail("composition") if side == "npg" else about)
    except KeyError as error:
        raise UnseenError("no troop type has the code {code!r}", code=error.args[0]) from None
    return Force(
        name=about["name"],
        home=Home(about["home"]),
        aggression=about["aggression"],
        elements=elements,
        classing=case.rules.classing,
    )


def recount(case: Case) -> Mapping[str, Sequence[str]]:
    """Return the faults of the selection by clause; a record without dice for it tells nothing.

    Raises:
        UnseenError: there is no log, the armies are not told, or YOU laid out the terrain yourself.
    """
    if case.recounted:
        return case.recounted
    dice = case.dice("selection")
    if case.detail("terrain", "by") != "dice":
        raise UnseenError("the person laid out the terrain himself (AMB-10)")
    sides = {side: force_of(case, side) for side in ("npg", "you")}
    attack = case.detail("attack")
    made = _Recount(case, sides[attack["defender"]], sides[attack["attacker"]], list(dice))
    with suppress(_OffTrackError):
        made.run()
    case.recounted.update({clause: made.faults.get(clause, []) for clause in CLAUSES})
    return case.recounted


def _of(clause: str, case: Case) -> Faults:
    yield from recount(case)[clause]
    if clause == "SD-3.2.3-d":
        yield from on_the_board(case)


def attacker(case: Case) -> Faults:
    """SD-2.3-a: die and aggression, both again while they are equal."""
    dice = [int(throw.answer) for throw in case.dice("attacker")]
    npg, you = (case.detail("armies", side, "aggression") for side in ("npg", "you"))
    rounds = [(one + npg, other + you) for one, other in zip(dice[::2], dice[1::2], strict=False)]
    if not rounds or len(dice) % 2:
        yield Sentence("the dice do not come in pairs")
        return
    for one, other in rounds[:-1]:
        if one != other:
            yield Sentence("{one} to {other} decides, and yet the dice were thrown again", one=one, other=other)
    one, other = rounds[-1]
    told = case.detail("attack", "attacker")
    if one == other or told != ("npg" if one > other else "you"):
        yield Sentence("the NPG has {one}, YOU have {other}, and {told} attacks", one=one, other=other, told=told)


def your_options_first(case: Case) -> Faults:
    """SD-2.1-a: nothing is thrown for the NPG's army before YOUR options are fixed."""
    if not case.record.log:
        raise UnseenError("the record has no log")
    stages = [throw.stage for throw in case.record.log]
    first = next((place for place, stage in enumerate(stages) if stage in ("army", "general")), len(stages))
    for throw in case.record.log[first:]:
        if throw.stage == "armies":
            yield Sentence("{reason} comes after the first die for the NPG's army", reason=throw.reason)


def cover_on_the_board(case: Case) -> Faults:
    """SD-3.2.3-c: what lies on the board itself, and the recount where there are dice for it."""
    lacking = list(cover(case))
    yield from lacking
    if not lacking:
        with suppress(UnseenError):
            yield from recount(case)["SD-3.2.3-c"]


CHECKS: Final[Mapping[str, Check]] = {
    **{clause: partial(_of, clause) for clause in CLAUSES},
    "SD-3.2.3-c": cover_on_the_board,
    "SD-2.1-a": your_options_first,
    "SD-2.3-a": attacker,
}
