"""The battle file: armies, board, readings, known facts (7.6); and exchanges of bad match-ups (SD-4.8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field

from printkit.core.errors import ScenarioError, Sentence
from printkit.core.typed import MemberError, member_error, read_toml, right
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.situation import Situation
from printkit.systems.solo.tactics.tactics_tables import tactics
from printkit.terrain.field.battlefield import Edge

# --- Bad match-ups, and the exchange of up to two pairs that a defending NPG may make (SD-4.8) ------------------------

AUTO: Final = "auto"
NONE: Final = "none"

Swap = tuple[int, int]
"""The numbers, from 1, of two pairs whose NPG elements change places."""


class FacingPair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An element of the NPG and YOURS opposite, by type; ``open`` unless bad or impassable ground parts them."""

    npg: Text
    you: Text
    open: Annotated[bool, right(Sentence("true, or false if bad or impassable ground is between them"))] = True

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

Text = Annotated[str, Meta(pattern=r"\S")]
Inches = Annotated[float, Meta(ge=0, lt=1000), right(Sentence("a length in inches, for example 24"))]
_DICE: Final = Sentence("two scores from 1 to 6, the NPG's first, for example [5, 3]")
Score = Annotated[int, Meta(ge=1, le=6), right(_DICE)]
AttackDice = Annotated[tuple[Score, Score], right(_DICE)]
Groups = Annotated[
    tuple[str, ...], right(Sentence('a list with a text for each group, for example ["Bd Bd Bd Ps", "Cv* Cv"]'))
]


class YourElement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deployed element of YOURS: its type, and inches from the left end of YOUR base edge as YOU sit."""

    type: Text
    from_left_in: Inches


class BattleBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board of a battle in its file."""

    width_in: Inches | None = None
    scale: Literal["15mm", "25mm"] | None = None
    map: Text = HAND
    npg_edge: Edge | None = None


class BattleFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle file as it stands; see ``Battle``."""

    schema: Literal["dba-battle/1"]
    npg: Text
    you: Text
    seed: Annotated[int, Meta(ge=0)] | None = None
    attacker: Side | None = None
    attack_dice: AttackDice | None = None
    title: str = ""
    board: BattleBoard = BattleBoard()
    solo: dict[str, bool | int | float | str] = {}
    facts: dict[str, Any] = {}
    groups: Groups = ()
    your_line: tuple[YourElement, ...] = ()
    pairs: tuple[FacingPair, ...] = ()

    def __post_init__(self) -> None:
        if self.attacker and self.attack_dice:
            raise MemberError("attacker already says who attacks; remove attack_dice (SD-2.3-a)", "attack_dice")


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
        FileError: it is not TOML, or a key is unknown, missing or wrong; names it and what is right.
    """
    tree = read_toml(text, BattleFile, file)
    try:
        situation = Situation().knowing(dict(_facts(tree.facts)), "given")
    except ScenarioError as error:
        raise member_error(file, text, (), error.sentence, ("facts",)) from None
    return Battle(
        npg=tree.npg,
        you=tree.you,
        seed=tree.seed,
        attacker=tree.attacker,
        attack_dice=tree.attack_dice,
        title=tree.title,
        width_in=tree.board.width_in,
        scale=tree.board.scale or "",
        map=tree.board.map,
        edge=tree.board.npg_edge,
        settings={
            key.lower(): str(value).lower() if isinstance(value, bool) else str(value)
            for key, value in tree.solo.items()
        },
        situation=situation,
        groups=tree.groups,
        your_line=tree.your_line,
        pairs=tree.pairs,
    )


def _facts(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in facts.items():
        parts = value if isinstance(value, dict) else {"": value}
        yield from ((f"{key}.{part}" if part else key, fact) for part, fact in parts.items())
