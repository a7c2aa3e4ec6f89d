"""What every terrain rule system offers: a book, stages, and three functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, Protocol

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

# The sides of a square may differ by this many mm.
_EXACT: Final = 1e-6


class Scenario(Struct, frozen=True, kw_only=True):
    """What a person decides beforehand: the board, the settings, the seed of everything left to chance.

    ``settings`` hold a value for every key that the book lists; ``inputs`` what a scenario file gives besides, as
    placements, rivers and roads, which the system itself validates.
    """

    board: Board
    settings: Mapping[str, str]
    seed: int
    inputs: Mapping[str, object] = field(default_factory=dict)


class Outcome(Struct, frozen=True, kw_only=True):
    """A battlefield, every throw that made it, and what the system keeps besides (one plain object for the record).

    ``warnings`` are lines for the person; ``secrets`` is what a player must not see.
    """

    battlefield: Battlefield
    log: tuple[Throw, ...]
    details: Mapping[str, object] = field(default_factory=dict)
    secrets: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Verdict(Struct, frozen=True):
    """Whether a record keeps a clause; ``where`` says what was found, and where, in a few plain words.

    ``faults`` are the single breaches of which ``where`` names the first, ``ids`` the features that they speak of.
    """

    clause: str
    state: Literal["kept", "broken", "not judged"]
    where: str = ""
    faults: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class RuleSystem(Protocol):
    """One published system of terrain rules."""

    @property
    def name(self) -> str:
        """Return the name by which it is asked for."""
        ...

    @property
    def book(self) -> RuleBook:
        """Return everything of it that is data."""
        ...

    @property
    def stages(self) -> tuple[str, ...]:
        """Return the stages of a game in order; each can be thrown anew by itself."""
        ...

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the system's own board, or one of the size asked for, with its ground scale.

        Args:
            width: mm from left to right, where a size was asked for.
            depth: mm from near to far.
            settings: a value for every key, as a grid hangs on them; the defaults if None.
            cell: mm across an area of a grid.

        Raises:
            UsageError: a size, or a cell, that the rules cannot play on.
        """
        ...

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield made by the rules."""
        ...

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause, from geometry and log alone."""
        ...

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return by the ID of each feature a sentence that tells how it came about."""
        ...

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the cards of the rules, with the settings of ``record`` if there is one, else with ``settings``.

        Only ``cards --set`` gives ``settings``.

        Raises:
            ScenarioError: there is no such setting or value.
        """
        ...

    def goings(self) -> Mapping[str, str]:
        """Return the going, by its name, of the kinds and variants of ground that the rules know."""
        ...


def judge_log(record: Record, system: RuleSystem) -> None:
    """Refuse a record that names stages thrown anew which its rule system does not have, or dice beyond their sides.

    No rule can mean anything by such a die, so nothing is judged, drawn or told of it.

    Raises:
        RecordError: it does; names the stage, and those that there are, or the throw.
    """
    for number, throw in enumerate(record.log, 1):
        sides = parse_int(throw.asked[1:])
        # Compared as numbers: somebody may have written a die of very many sides.
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
    name: str, usual: float, width: float | None, depth: float | None, cell: float | None, *, examples: str
) -> float:
    """Return the side in mm of a square board without a grid; if no size is given, the usual side.

    Raises:
        UsageError: the size is not square, or a cell is given; the message shows ``examples``.
    """
    if cell is not None:
        raise UsageError("{name} has no grid, so --cell has no effect. Set the size with --board.", name=name)
    side = width or depth or usual
    if depth is not None and abs(depth - side) > _EXACT:
        raise UsageError(
            "a board of {side:g} x {depth:g} mm is not square; {name} needs a square board, for example {examples}",
            side=side,
            depth=depth,
            name=name,
            examples=examples,
        )
    return side
