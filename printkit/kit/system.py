"""The interface of a terrain rule system: its book, its stages and its functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

from msgspec import Struct, field

from printkit.chance.dice import Act, Dice, Throw
from printkit.chance.streams import Jitter
from printkit.core.errors import RecordError, UsageError
from printkit.core.numbers import parse_int
from printkit.core.words import Words
from printkit.kit.book import RuleBook
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

# The member of the details with the other tables of the scenario.
INPUTS: Final = "inputs"

# The sides of a square may differ by this many mm.
_EXACT: Final = 1e-6


class Scenario(Struct, frozen=True, kw_only=True):
    """The input of a game: the board, the settings and the seed.

    ``settings`` has a value for every key of the book. ``inputs`` has the other tables of a scenario file, for example
    placements, rivers and roads; the rule system validates them.
    """

    board: Board
    settings: Mapping[str, str]
    seed: int
    inputs: Mapping[str, object] = field(default_factory=dict)


class Outcome(Struct, frozen=True, kw_only=True):
    """A battlefield, the log of its rolls, and the details of the rule system (a plain object for the record).

    ``warnings`` are lines for the user. The players must not see ``secrets``.
    """

    battlefield: Battlefield
    log: tuple[Throw, ...]
    details: Mapping[str, object] = field(default_factory=dict)
    secrets: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Verdict(Struct, frozen=True):
    """Whether a record keeps a clause. ``where`` says what was found and where, or why it was not checked.

    ``faults`` are all breaches; ``where`` names the first ones. ``ids`` are the features in them. ``other_clauses``
    are the clauses that the same faults break; only ``Judgement.broken`` sets them.
    """

    clause: str
    state: Literal["kept", "broken", "not judged"]
    where: str = ""
    faults: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    other_clauses: tuple[str, ...] = ()


@runtime_checkable
class TerrainJudge(Protocol):
    """A rule system whose ``judge`` also checks what players wrote, for example armies."""

    def judge_terrain(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict on every clause of the book, from the terrain and the log only."""
        ...


def find_broken_clauses(system: RuleSystem, record: Record) -> tuple[Verdict, ...]:
    """Return the verdicts on the clauses that the terrain of a record breaks; empty if it breaks none.

    Raises:
        RecordError: a member of the rule system's object in the record is wrong.
        OwnFaultError: a check has a bug.
    """
    judge = system.judge_terrain if isinstance(system, TerrainJudge) else system.judge
    return tuple(verdict for verdict in judge(record) if verdict.state == "broken")


class RollClauses(Struct, frozen=True, kw_only=True):
    """The clauses of a rule system that a replay of the log proves.

    Attributes:
        clauses: the clauses that only the replay checks.
        members: the clause of a member of the details or of ``features`` that differs, by the start of its path without
            indexes, for example ``zones.placed_by``. The longest start counts, and "" is the start of all.
    """

    clauses: frozenset[str]
    members: Mapping[str, str]


class RuleSystem(Protocol):
    """One published system of terrain rules."""

    @property
    def name(self) -> str:
        """Return the name of the system, as in records and on the command line."""
        ...

    @property
    def book(self) -> RuleBook:
        """Return the rule book: all data of the system."""
        ...

    @property
    def stages(self) -> tuple[str, ...]:
        """Return the names of the stages of a game in order; each can be rolled again separately."""
        ...

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the default board of the system, or one of the given size, with its ground scale.

        Args:
            width: mm on the board from left to right; None for the default.
            depth: mm from near to far; None for the default.
            settings: a value for every key, because a grid may depend on them; the defaults if None.
            cell: mm on the board across a grid area; None for the default, or for rules without a grid.

        Raises:
            UsageError: the rules do not allow the size or the cell.
        """
        ...

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield generated by the rules, with its log and details.

        Args:
            scenario: the board, the settings, the seed and the other inputs.
            dice: rolls the dice and draws the cards, and logs them.
            jitter: random streams for shapes, which are not logged.

        Raises:
            PrintkitError: the scenario cannot be generated.
        """
        ...

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict on every clause of the book, from the geometry and the log only."""
        ...

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return sentences about the origin of each feature, by its ID, in the languages of ``words``.

        Features whose origin the record does not have are left out, for example on a map drawn by hand. The sentences
        of one feature are one text.
        """
        ...

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the decks of cards of the rules.

        They follow the settings of ``record``, or ``settings`` if there is no record; only ``cards --set`` passes
        these.

        Raises:
            ScenarioError: there is no such setting or value.
        """
        ...

    def goings(self) -> Mapping[str, str]:
        """Return the name of the going in the rules for each kind and variant of terrain, by its name.

        Terrain that the rules do not know is missing.
        """
        ...


def validate_log(record: Record, system: RuleSystem) -> None:
    """Reject a record with impossible scores, or reseeded stages that its rule system does not have.

    Only dice are checked, not cards and choices. A record without a log passes.

    Raises:
        RecordError: the record has such a score or stage; the message names it, and the known stages.
    """
    for number, throw in enumerate(record.log, 1):
        sides = parse_int(throw.asked[1:])
        # parse_int limits the size, because a record may contain a die with very many sides.
        score = parse_int(throw.answer, sides) or 0
        if throw.act is Act.DIE and sides is not None and throw.answer != str(score or ""):
            raise RecordError(
                "roll {number} is {answer!r}, but {asked} for {reason} gives 1 to {sides}",
                number=number,
                answer=throw.answer,
                asked=throw.asked,
                reason=throw.reason,
                sides=sides,
            )
    for stage in record.reseeded:
        if stage not in system.stages:
            raise RecordError(
                "reseeded names the stage {stage!r}, which {system} does not have; use one of {stages}",
                stage=stage,
                system=system.name,
                stages=", ".join(system.stages),
            )


def find_square_side(
    name: str, default_side: float, width: float | None, depth: float | None, cell: float | None, *, examples: str
) -> float:
    """Return the side in mm of a square table without a grid; the default if no size is given.

    If only one of width and depth is given, it is the side.

    Args:
        name: the name of the rule system, for the messages.
        default_side: the usual side in mm.
        width: the requested width in mm, or None.
        depth: the requested depth in mm, or None.
        cell: the requested cell size; it must be None.
        examples: board sizes for the message.

    Raises:
        UsageError: the size is not square, or a cell is given.
    """
    if cell is not None:
        raise UsageError("{name} has no grid, so --cell has no effect. Set the size with --board.", name=name)
    side = width or depth or default_side
    if depth is not None and abs(depth - side) > _EXACT:
        raise UsageError(
            "a board of {side:g} x {depth:g} mm is not square; {name} needs a square board, for example {examples}",
            side=side,
            depth=depth,
            name=name,
            examples=examples,
        )
    return side


@runtime_checkable
class SubtitleSystem(Protocol):
    """A rule system that names the opponents of a battlefield."""

    def subtitle(self, record: Record, words: Words) -> str:
        """Return the subtitle of a map, or an empty text if the record does not name the opponents."""
