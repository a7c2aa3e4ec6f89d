"""Roll the zones: up to four rolls each until STOP, looked up in the tables (AC-204..AC-212)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.dicing.choices import ChoiceSpot, Chooser, Tally
from printkit.systems.acw.dicing.geography import d6
from printkit.systems.acw.terms.inputs import Fixed, Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import RollOutcome, RollResult, ZoneLog, ZonePlan
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP, Geography


class Terms(Struct, frozen=True, kw_only=True):
    """The input for rolling the zones; ``options`` are the pieces for a CHOICE."""

    grid: ZonePlan
    country: Geography
    options: tuple[Piece, ...]
    rules: Rules
    inputs: Inputs

    @property
    def rolls(self) -> int:
        """Return the number of rolls of a zone."""
        return self.rules.whole("rolls")


class Diced(Struct, frozen=True):
    """The log of the zones, and the number of decisions that were not needed."""

    log: ZoneLog
    left: int


def dice_zones(terms: Terms, dice: Dice) -> Diced:
    """Roll all zones, row by row, and return their log (AC-D3).

    Raises:
        DiceError: a die is missing or not valid (AC-X02, AC-X04).
        ScenarioError: a decision is wrong or missing (AC-X05..AC-X07).
    """
    tally = Tally(terms.rules.whole("limit"))
    for place in terms.inputs.places.values():
        tally.add(place.piece)
    for pieces in terms.inputs.known.values():
        for piece in pieces:
            tally.add(piece)
    chooser = Chooser(terms.rules, terms.rules.choice("choice-policy"), terms.inputs.decisions, dice)
    walk = _Walk(terms=terms, dice=dice, tally=tally, chooser=chooser)
    for zone in terms.grid.zones:
        walk.zone(zone)
    names = {zone: place.name for zone, place in terms.inputs.places.items() if place.name}
    return Diced(ZoneLog(tuple(walk.results), names), chooser.left)


def still_to_throw(terms: Terms) -> dict[int, tuple[int, ...]]:
    """Return the rolls of each zone that still need a die, before the first roll (AC-M2)."""
    found: dict[int, tuple[int, ...]] = {}
    for zone in terms.grid.zones:
        fixed = terms.inputs.zones.get(zone, Fixed())
        first = len(_given(terms, zone)) + 1
        known = dict(zip(range(first, terms.rolls + 1), fixed.dice, strict=False))
        stopped = any(terms.country.rolls.cell(die, roll) == STOP for roll, die in known.items())
        done = fixed.cells is not None or stopped
        found[zone] = () if done else tuple(roll for roll in range(first, terms.rolls + 1) if roll not in known)
    return found


def _given(terms: Terms, zone: int) -> tuple[Piece, ...]:
    """Return the pieces of a zone before any roll: its campaign town, then other known pieces."""
    place = terms.inputs.places.get(zone)
    return (*((place.piece,) if place is not None else ()), *terms.inputs.known.get(zone, ()))


class _Walk(Struct, kw_only=True):
    """Rolls the zones in order and stores the results."""

    terms: Terms
    dice: Dice
    tally: Tally
    chooser: Chooser
    results: list[RollResult] = field(default_factory=list)
    lying: dict[int, tuple[Piece, ...]] = field(default_factory=dict)

    def zone(self, zone: int) -> None:
        """Roll for a zone until STOP."""
        given = _given(self.terms, zone)
        for roll, piece in enumerate(given, 1):
            self._keep(
                RollResult(zone=zone, roll=roll, die=None, cell=piece.value, fate=RollOutcome.GIVEN, piece=piece)
            )
        for result in self._thrown(zone, range(1 + len(given), self.terms.rolls + 1)):
            found = self._read(result)
            self._keep(found)
            if found.fate is RollOutcome.STOP:
                break

    def _thrown(self, zone: int, rolls: range) -> Iterator[RollResult]:
        """Yield the raw rolls of a zone; given dice and cells come first (AC-M4)."""
        fixed = self.terms.inputs.zones.get(zone, Fixed())
        if fixed.cells is not None:
            for roll, cell in zip(rolls, fixed.cells, strict=False):
                yield RollResult(zone=zone, roll=roll, die=None, cell=cell, fate=RollOutcome.GIVEN)
            return
        if len(fixed.dice) > len(rolls):
            raise ScenarioError(
                "zone {zone} has {fixed} dice; it needs {rolls}",
                zone=zone,
                fixed=len(fixed.dice),
                rolls=len(rolls),
                clause="AC-X03",
            )
        given = dict(zip(rolls, fixed.dice, strict=False))
        yield from (self._roll(zone, roll, given.get(roll)) for roll in rolls)

    def _roll(self, zone: int, roll: int, given: int | None) -> RollResult:
        table = self.terms.country.rolls
        if given is not None:
            cell = table.cell(given, roll)
            return RollResult(zone=zone, roll=roll, die=given, cell=cell, fate=RollOutcome.GIVEN)

        def clause(score: int) -> str:
            return _CLAUSES.get(table.cell(score, roll), table.clause)

        die = d6(
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
            fate=RollOutcome.KEPT,
            throw=len(self.dice.log),
        )

    def _read(self, result: RollResult) -> RollResult:
        """Return a roll with its piece and outcome."""
        if result.cell == STOP:
            return replace(result, fate=RollOutcome.STOP)
        if result.cell == BLANK:
            return replace(result, fate=RollOutcome.BLANK)
        if result.cell == CHOICE:
            return self._chosen(result)
        piece = Piece(result.cell)
        return replace(result, piece=piece, fate=RollOutcome.IGNORED if self.tally.ignores(piece) else RollOutcome.KEPT)

    def _chosen(self, result: RollResult) -> RollResult:
        spot = ChoiceSpot(
            zone=result.zone,
            roll=result.roll,
            options=self.terms.options,
            lying=self.lying,
            tally=self.tally,
            grid=self.terms.grid,
        )
        piece = self.chooser.choose(spot)
        return replace(result, piece=piece, fate=RollOutcome.DECLINED if piece is None else RollOutcome.CHOSEN)

    def _keep(self, result: RollResult) -> None:
        self.results.append(result)
        if result.lies and result.piece is not None:
            self.lying[result.zone] = (*self.lying.get(result.zone, ()), result.piece)
            if result.fate is not RollOutcome.GIVEN:
                self.tally.add(result.piece)


# Clauses of the cells that do not name a piece.
_CLAUSES = {STOP: "AC-206", CHOICE: "AC-207", BLANK: "AC-205"}
