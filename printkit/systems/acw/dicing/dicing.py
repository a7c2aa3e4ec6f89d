"""Dice zone by zone: four rolls each until STOP, what the tables say, and what comes of it (AC-204..AC-212)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.dicing.choices import ChoiceSpot, Chooser, Tally
from printkit.systems.acw.dicing.geography import d6
from printkit.systems.acw.dicing.water import crossing_creek
from printkit.systems.acw.terms.inputs import Fixed, Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Fate, RollResult, ZoneLog, ZonePlan
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP, Geography


class Terms(Struct, frozen=True, kw_only=True):
    """Everything that the dice of the zones hang on; ``options`` is what a CHOICE may take."""

    grid: ZonePlan
    country: Geography
    options: tuple[Piece, ...]
    rules: Rules
    inputs: Inputs

    @property
    def rolls(self) -> int:
        """Return how many rolls a zone has."""
        return self.rules.whole("rolls")

    @property
    def order(self) -> tuple[int, ...]:
        """Return the zones in the order in which they are diced for (AC-D3, AC-Q03).

        Raises:
            ScenarioError: an order that leaves out a zone, or has one twice.
        """
        given = self.rules.choice("ac-q03")
        if given == "rows":
            return tuple(self.grid.zones)
        order = tuple(int(part) for part in given.replace(",", " ").split())
        if sorted(order) != list(self.grid.zones):
            raise ScenarioError(
                "zone order {given} does not name each zone from 1 to {count} once",
                given=given,
                count=len(self.grid.zones),
                clause="AC-Q03",
            )
        return order


class Diced(Struct, frozen=True):
    """The log of the zones, a creek that a CHOICE laid across the table, and the decisions that were not needed."""

    log: ZoneLog
    creek: CreekPath | None
    left: int


def dice_zones(terms: Terms, dice: Dice, *, creek: CreekPath | None = None) -> Diced:
    """Return what the dice put in each zone.

    Raises:
        DiceError: a die is missing or cannot be (AC-X02, AC-X04).
        ScenarioError: a decision is wrong or missing (AC-X05..AC-X07).
    """
    tally = Tally.of(terms.rules, terms.country.rolls.number)
    for place in terms.inputs.places.values():
        tally.add(place.piece)
    for pieces in terms.inputs.known.values():
        for piece in pieces:
            tally.add(piece)
    chooser = Chooser(terms.rules, terms.rules.choice("choice-policy"), terms.inputs.decisions, dice)
    walk = _Walk(terms=terms, dice=dice, tally=tally, chooser=chooser, creek=creek)
    for zone in terms.order:
        walk.zone(zone)
    names = {zone: place.name for zone, place in terms.inputs.places.items() if place.name}
    return Diced(ZoneLog(tuple(walk.results), names), walk.creek, chooser.left)


def still_to_throw(terms: Terms) -> dict[int, tuple[int, ...]]:
    """Return for each zone the rolls for which no die has been given, before anything is thrown (AC-M2)."""
    found: dict[int, tuple[int, ...]] = {}
    for zone in terms.order:
        fixed = terms.inputs.zones.get(zone, Fixed())
        first = len(_given(terms, zone)) + _first(terms, zone)
        known = dict(zip(range(first, terms.rolls + 1), fixed.dice, strict=False))
        stopped = any(terms.country.rolls.cell(die, roll) == STOP for roll, die in known.items())
        done = fixed.cells is not None or stopped
        found[zone] = () if done else tuple(roll for roll in range(first, terms.rolls + 1) if roll not in known)
    return found


def _first(terms: Terms, zone: int) -> int:
    """Return the roll from which a zone's campaign place counts: the first, or before it where all four are thrown."""
    return 0 if zone in terms.inputs.places and terms.rules.choice("ac-q19") == "four" else 1


def _given(terms: Terms, zone: int) -> tuple[Piece, ...]:
    """Return what lies in a zone before a die is thrown: its place, then what the campaign map shows besides."""
    place = terms.inputs.places.get(zone)
    return (*((place.piece,) if place is not None else ()), *terms.inputs.known.get(zone, ()))


class _Walk(Struct, kw_only=True):
    """Goes through the zones and keeps what came."""

    terms: Terms
    dice: Dice
    tally: Tally
    chooser: Chooser
    creek: CreekPath | None
    results: list[RollResult] = field(default_factory=list)
    lying: dict[int, tuple[Piece, ...]] = field(default_factory=dict)

    def zone(self, zone: int) -> None:
        """Roll for a zone until STOP."""
        first = _first(self.terms, zone)
        given = _given(self.terms, zone)
        for roll, piece in enumerate(given, first):
            self._keep(RollResult(zone=zone, roll=roll, die=None, cell=piece.value, fate=Fate.GIVEN, piece=piece))
        rolls = range(first + len(given), self.terms.rolls + 1)
        stopped = False
        for result in self._thrown(zone, rolls):
            found = replace(result, fate=Fate.VOID) if stopped else self._read(result)
            self._keep(found)
            if found.fate is Fate.STOP:
                stopped = True
                if self.terms.rules.choice("ac-q14") == "one-by-one":
                    break

    def _thrown(self, zone: int, rolls: range) -> Iterator[RollResult]:
        """Yield the rolls of a zone as thrown, not yet read; what is fixed comes first (AC-M4)."""
        fixed = self.terms.inputs.zones.get(zone, Fixed())
        if fixed.cells is not None:
            for roll, cell in zip(rolls, fixed.cells, strict=False):
                yield RollResult(zone=zone, roll=roll, die=None, cell=cell, fate=Fate.GIVEN)
            return
        if len(fixed.dice) > len(rolls):
            raise ScenarioError(
                "zone {zone} is given {fixed} dice; it is thrown {rolls}",
                zone=zone,
                fixed=len(fixed.dice),
                rolls=len(rolls),
                clause="AC-X03",
            )
        given = dict(zip(rolls, fixed.dice, strict=False))
        thrown = (self._roll(zone, roll, given.get(roll)) for roll in rolls)
        yield from thrown if self.terms.rules.choice("ac-q14") == "one-by-one" else list(thrown)

    def _roll(self, zone: int, roll: int, given: int | None) -> RollResult:
        table = self.terms.country.rolls
        if given is not None:
            cell = table.cell(given, roll)
            return RollResult(zone=zone, roll=roll, die=given, cell=cell, fate=Fate.GIVEN)

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
            fate=Fate.KEPT,
            throw=len(self.dice.log),
        )

    def _read(self, result: RollResult) -> RollResult:
        """Return a roll with what becomes of it."""
        if result.cell == STOP:
            return replace(result, fate=Fate.STOP)
        if result.cell == BLANK:
            return replace(result, fate=Fate.BLANK)
        if result.cell == CHOICE:
            return self._chosen(result)
        piece = Piece(result.cell)
        if self._merges(result.zone, piece):
            return replace(result, piece=piece, fate=Fate.MERGED)
        if not self.tally.ignores(piece):
            return replace(result, piece=piece, fate=Fate.KEPT)
        ignored = replace(result, piece=piece, fate=Fate.IGNORED)
        if self.terms.rules.choice("ac-q05") != "reroll":
            return ignored
        self._keep(ignored)
        return self._read(self._roll(result.zone, result.roll, None))

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
        if piece is None:
            return replace(result, fate=Fate.DECLINED)
        if piece is Piece.CREEK and self.creek is None and self.terms.rules.choice("ac-q15") == "with-dice":
            self.creek = crossing_creek(self.terms.grid, self.terms.rules, self.dice)
            return replace(result, piece=piece, fate=Fate.ACROSS)
        return replace(result, piece=piece, fate=Fate.MERGED if self._merges(result.zone, piece) else Fate.CHOSEN)

    def _merges(self, zone: int, piece: Piece) -> bool:
        return self.terms.rules.choice("ac-q17") == "merge" and piece in self.lying.get(zone, ())

    def _keep(self, result: RollResult) -> None:
        self.results.append(result)
        if result.lies and result.piece is not None:
            self.lying[result.zone] = (*self.lying.get(result.zone, ()), result.piece)
            if result.fate is not Fate.GIVEN:
                self.tally.add(result.piece)


_CLAUSES = {STOP: "AC-206", CHOICE: "AC-207", BLANK: "AC-205"}
"""The clauses of scores that put nothing there by themselves."""
