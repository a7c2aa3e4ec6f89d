"""Roll the zones: up to four rolls each until STOP, looked up in the tables (AC-204..AC-212)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.dicing.choices import Chooser, PendingCell, Tally
from printkit.systems.acw.dicing.geography import roll_d6
from printkit.systems.acw.terms.inputs import FixedRolls, Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import RollOutcome, RollResult, ZoneLog, ZonePlan
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP, Geography


class Terms(Struct, frozen=True, kw_only=True):
    """The input for rolling the zones; ``options`` are the pieces for a CHOICE."""

    grid: ZonePlan
    geography: Geography
    options: tuple[Piece, ...]
    rules: Rules
    inputs: Inputs

    @property
    def rolls(self) -> int:
        """Return the maximum number of rolls of a zone."""
        return self.rules.whole("rolls")


class DicedZones(Struct, frozen=True):
    """The log of the zones, and the number of decisions that were not needed."""

    log: ZoneLog
    unused_decisions: int


def dice_zones(terms: Terms, dice: Dice) -> DicedZones:
    """Roll all zones in the order of their numbers, and return their log (AC-D3).

    The result also has the number of unused decisions. The log has the campaign towns and known pieces too, and the
    names of places.

    Raises:
        DiceError: a die is missing or not valid (AC-X02, AC-X04).
        ScenarioError: a decision is wrong or missing (AC-X05..AC-X07), or a zone has too many dice (AC-X03).
    """
    tally = Tally(terms.rules.whole("limit"))
    for place in terms.inputs.places.values():
        tally.add(place.piece)
    for pieces in terms.inputs.known_pieces.values():
        for piece in pieces:
            tally.add(piece)
    chooser = Chooser(terms.rules, terms.rules.choice("choice-policy"), terms.inputs.decisions, dice)
    walk = _Walk(terms=terms, dice=dice, tally=tally, chooser=chooser)
    for zone in terms.grid.zones:
        walk.roll_zone(zone)
    names = {zone: place.name for zone, place in terms.inputs.places.items() if place.name}
    return DicedZones(ZoneLog(tuple(walk.results), names), chooser.unused_count)


def list_open_rolls(terms: Terms) -> dict[int, tuple[int, ...]]:
    """Return for each zone the numbers (from 1) of its rolls that have no die yet (AC-M2).

    No die is rolled here. A zone with all its rolls fixed, or with a known STOP, has an empty tuple. Rolls of given
    pieces are not counted as open. Every zone of the table is in the result.
    """
    open_rolls: dict[int, tuple[int, ...]] = {}
    for zone in terms.grid.zones:
        fixed_zone = terms.inputs.zones.get(zone, FixedRolls())
        first = len(_list_given_pieces(terms, zone)) + 1
        known_dice = dict(zip(range(first, terms.rolls + 1), fixed_zone.dice, strict=False))
        is_stopped = any(terms.geography.rolls.cell(die, roll) == STOP for roll, die in known_dice.items())
        is_done = fixed_zone.cells is not None or is_stopped
        open_rolls[zone] = (
            () if is_done else tuple(roll for roll in range(first, terms.rolls + 1) if roll not in known_dice)
        )
    return open_rolls


def _list_given_pieces(terms: Terms, zone: int) -> tuple[Piece, ...]:
    """Return the pieces of a zone before any roll: its campaign town, then other known pieces."""
    place = terms.inputs.places.get(zone)
    return (*((place.piece,) if place is not None else ()), *terms.inputs.known_pieces.get(zone, ()))


class _Walk(Struct, kw_only=True):
    """Rolls the zones in order and stores the results."""

    terms: Terms
    dice: Dice
    tally: Tally
    chooser: Chooser
    results: list[RollResult] = field(default_factory=list)
    pieces_by_zone: dict[int, tuple[Piece, ...]] = field(default_factory=dict)

    def roll_zone(self, zone: int) -> None:
        """Roll for a zone until STOP or its last roll, and store each result in the log.

        Given pieces take the first roll numbers, from 1, without dice.
        """
        given_pieces = _list_given_pieces(self.terms, zone)
        for roll, piece in enumerate(given_pieces, 1):
            self._store_result(
                RollResult(zone=zone, roll=roll, die=None, cell=piece.value, outcome=RollOutcome.GIVEN, piece=piece)
            )
        for result in self._generate_rolls(zone, range(1 + len(given_pieces), self.terms.rolls + 1)):
            outcome = self._resolve_roll(result)
            self._store_result(outcome)
            if outcome.outcome is RollOutcome.STOP:
                break

    def _generate_rolls(self, zone: int, rolls: range) -> Iterator[RollResult]:
        """Yield the rolls of a zone without their pieces; given dice and cells come first (AC-M4).

        Raises:
            ScenarioError: more dice are given than the zone has rolls (AC-X03).
            DiceError: a die is missing or not valid (AC-X02, AC-X04).
        """
        fixed_zone = self.terms.inputs.zones.get(zone, FixedRolls())
        if fixed_zone.cells is not None:
            for roll, cell in zip(rolls, fixed_zone.cells, strict=False):
                yield RollResult(zone=zone, roll=roll, die=None, cell=cell, outcome=RollOutcome.GIVEN)
            return
        if len(fixed_zone.dice) > len(rolls):
            raise ScenarioError(
                "zone {zone} has {fixed} dice; it needs {rolls}",
                zone=zone,
                fixed=len(fixed_zone.dice),
                rolls=len(rolls),
                clause="AC-X03",
            )
        given_dice = dict(zip(rolls, fixed_zone.dice, strict=False))
        yield from (self._roll(zone, roll, given_dice.get(roll)) for roll in rolls)

    def _roll(self, zone: int, roll: int, given_die: int | None) -> RollResult:
        """Return roll number ``roll`` of a zone: its score and the cell of the table, without its piece.

        The score is ``given_die`` if there is one; otherwise it is rolled.

        Raises:
            DiceError: the die is missing or not valid (AC-X02, AC-X04).
        """
        table = self.terms.geography.rolls
        if given_die is not None:
            cell = table.cell(given_die, roll)
            return RollResult(zone=zone, roll=roll, die=given_die, cell=cell, outcome=RollOutcome.GIVEN)

        def clause(score: int) -> str:
            """Return the clause of the cell for a score, or of the table if the cell names a piece."""
            return _CLAUSES.get(table.cell(score, roll), table.clause)

        die = roll_d6(
            self.dice,
            Sentence("zone {zone:d}, roll {roll:d}", zone=zone, roll=roll),
            clause,
            lambda score: table.cell(score, roll) or "nothing",
        )
        return RollResult(
            zone=zone,
            roll=roll,
            die=die,
            cell=table.cell(die, roll),
            outcome=RollOutcome.KEPT,
            throw=len(self.dice.log),
        )

    def _resolve_roll(self, result: RollResult) -> RollResult:
        """Return a roll with its piece and outcome, after its CHOICE if it has one.

        Raises:
            ScenarioError: a decision for a CHOICE is wrong or missing (AC-X05..AC-X07).
        """
        if result.cell == STOP:
            return replace(result, outcome=RollOutcome.STOP)
        if result.cell == BLANK:
            return replace(result, outcome=RollOutcome.BLANK)
        if result.cell == CHOICE:
            return self._resolve_choice(result)
        piece = Piece(result.cell)
        return replace(
            result, piece=piece, outcome=RollOutcome.IGNORED if self.tally.ignores(piece) else RollOutcome.KEPT
        )

    def _resolve_choice(self, result: RollResult) -> RollResult:
        """Return the roll of a CHOICE with the piece that the defender took, or declined without a piece.

        Raises:
            ScenarioError: the decision is wrong or missing (AC-X05..AC-X07).
        """
        choice = PendingCell(
            zone=result.zone,
            roll=result.roll,
            options=self.terms.options,
            pieces_by_zone=self.pieces_by_zone,
            tally=self.tally,
            grid=self.terms.grid,
        )
        piece = self.chooser.choose(choice)
        return replace(result, piece=piece, outcome=RollOutcome.DECLINED if piece is None else RollOutcome.CHOSEN)

    def _store_result(self, result: RollResult) -> None:
        """Store a result; add a placed piece to its zone, and count it if it was not given (AC-212)."""
        self.results.append(result)
        if result.is_placed and result.piece is not None:
            self.pieces_by_zone[result.zone] = (*self.pieces_by_zone.get(result.zone, ()), result.piece)
            if result.outcome is not RollOutcome.GIVEN:
                self.tally.add(result.piece)


# Clauses of the cells that do not name a piece.
_CLAUSES = {STOP: "AC-206", CHOICE: "AC-207", BLANK: "AC-205"}
