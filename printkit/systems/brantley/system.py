"""The rule system: deal, placing, reveal, hills, rivers, roads, crossings and order, each with separate dice.

Dice are rolled in the order of BR-D1 to BR-D6. Area features come before hills and need no dice, so the dice of a hill
come directly before the decisions of its placer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import ScenarioError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.kit.system import Outcome, Scenario, Verdict, find_square_side
from printkit.systems.brantley.board import courses
from printkit.systems.brantley.board.course_brief import RIVER, ROAD
from printkit.systems.brantley.board.features import area, site
from printkit.systems.brantley.board.hills import HillThrow, hill
from printkit.systems.brantley.board.provenance import (
    account,
    card_facts,
    course_facts,
    deployment_facts,
    hill_facts,
    overlays,
    traced,
)
from printkit.systems.brantley.dealing.cards import CardResult, RevealTable
from printkit.systems.brantley.dealing.deal import (
    PLAYERS,
    ZONES,
    Deal,
    ZoneCard,
    course_placers,
    deal,
    deployment_order,
    feature_placers,
    first_to_lay,
    read_turns,
    reveal,
    shuffle,
)
from printkit.systems.brantley.dealing.facts import SETTLED_BEFORE
from printkit.systems.brantley.dealing.game_rules import RULES, game_rules, recorded_rules
from printkit.systems.brantley.dealing.inputs import Inputs, plain
from printkit.systems.brantley.dealing.policies import lay_all
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

# Front of an element in mm, for 15 mm figures on the 24-inch board.
BASE_WIDTH: Final = 40.0

# Decimals of a board length in mm, so that 24 inches are exactly 609.6 mm.
_PLACES: Final = 6

# Keys of the board names. The record stores the key, so that it prints in any language.
TITLES: Final = tuple(
    f"brantley.title.{name}"
    for name in ("nine_cards", "cut_pack", "blind_card", "eight_turns", "black_suits", "last_card")
)


class CardsLaid(Struct, frozen=True):
    """The nine zones after the reveal; there is no ``dealt`` if the scenario gives the zones."""

    zones: Mapping[int, ZoneCard]
    first: str
    dealt: Deal | None


class BoardGround(Struct, frozen=True):
    """The features from the cards, in zone order, and the hill dice by zone."""

    features: tuple[Feature, ...]
    hills: Mapping[int, HillThrow]


class Brantley:
    """Terrain by playing cards, after Chris Brantley."""

    name: str = RULES
    settled_before: tuple[str, ...] = SETTLED_BEFORE
    stages: tuple[str, ...] = ("deal", "placing", "features", "hills", "rivers", "roads", "crossings", "order")

    @cached_property
    def book(self) -> RuleBook:
        """Return the rule book."""
        return read_book(RULES)

    def board(
        self,
        width: float | None = None,
        depth: float | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        cell: float | None = None,
    ) -> Board:
        """Return the square of 24 inches or of another side; 100 paces are 1/24 of the side (BR-105, BR-G71).

        Raises:
            UsageError: the given board is not square, or has cells.
        """
        del settings
        usual = round(self.book.numbers["board_side"] * MM_PER_INCH, _PLACES)
        side = find_square_side(RULES, usual, width, depth, cell, examples="24in or 36in")
        pace = round(side / self.book.numbers["board_side"] / self.book.numbers["paces_per_inch"], _PLACES)
        return Board(side, side, GroundScale(pace=pace, base_width=BASE_WIDTH))

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield dealt from a pack of cards.

        Raises:
            ScenarioError: a setting or a recorded turn is wrong (BR-X01..BR-X05).
            DiceError: a card or die is impossible, or the dice run out (BR-X06..BR-X08).
            PlacementError: a recorded feature or course breaks a placement rule (BR-X10..BR-X19, BR-X21).
        """
        rules = game_rules(self.book, scenario.settings, scenario.board)
        inputs = Inputs.read(scenario.inputs)
        cards = self._cards(inputs, rules, dice)
        ground = self._ground(scenario.board, cards, inputs, rules, dice, jitter)
        field = Battlefield(
            board=scenario.board,
            features=ground.features,
            title=TITLES[jitter.stream("deal/board/title").draw_index(len(TITLES))],
        )
        laid: dict[str, tuple[courses.PlacedCourse, ...]] = {}
        for sort, stage, records in ((RIVER, "rivers", inputs.rivers), (ROAD, "roads", inputs.roads)):
            thrown = dice.at(stage)
            who = course_placers(stage, rules, thrown)
            laid[stage] = courses.lay(sort, field, who, records, rules, thrown, jitter)
            field = field.add(*traced([each.course for each in laid[stage]], stage, dice.log))
        placers = {road.course.id: road.course.origin.placed_by for road in laid["roads"]}
        crossings = courses.crossings(field, placers, rules, dice.at("crossings"))
        field = field.add(*traced(crossings, "crossings", dice.log))
        order = deployment_order(rules, dice.at("order"))
        details = {
            **card_facts(cards.zones, self._results(cards), cards.dealt, cards.first),
            "hills": hill_facts(ground.hills),
            "rivers": course_facts(laid["rivers"]),
            "roads": course_facts(laid["roads"]),
            "deployment": deployment_facts(order, rules.length("deployment_paces")),
            **({"inputs": plain(scenario.inputs)} if scenario.inputs else {}),
        }
        field = replace(field, overlays=overlays(field.board, rules.length("deployment_paces")))
        return Outcome(
            battlefield=field, log=tuple(dice.log), details=details, warnings=dice.unused_dice_warnings("BR-X09")
        )

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return for each feature ID a sentence with its card, rolls, placer and clauses."""
        return account(record, words)

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the terrain deck and the quick-reference card (BR-A01, BR-A03)."""
        from printkit.systems.brantley.dealing.decks import decks

        rules = Rules.of(self.book, settings or {}) if record is None else recorded_rules(self.book, record)
        return decks(rules, words)

    def goings(self) -> Mapping[str, str]:
        """Return the going of each area feature, and of hills by their slopes and woods."""
        results = RevealTable.of(self.book).by_rank.values()
        areas = {result.kind.value: result.going.name for result in results if result.going is not None}
        return {**areas, **Rules.of(self.book).goings()}

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the rule book."""
        from printkit.systems.brantley.judge.judge import judge

        return judge(record, self.book)

    def _cards(self, inputs: Inputs, rules: Rules, dice: Dice) -> CardsLaid:
        """Deal, place eight cards and the ninth, and reveal them (BR-202..BR-209)."""
        if inputs.zones:
            laid = {zone: ZoneCard(zone=zone, card=card) for zone, card in zip(ZONES, inputs.zones, strict=True)}
            first = rules.choice("br-q02") if rules.choice("br-q02") in PLAYERS else PLAYERS[0]
            return CardsLaid(laid, first, None)
        dealt = deal(shuffle(dice.at("deal"), inputs.deck))
        placing = dice.at("placing")
        first = first_to_lay(rules, placing)
        if inputs.placements:
            turns = read_turns(inputs.placements, dealt, first)
        else:
            turns = lay_all(dealt, first, rules, placing)
        return CardsLaid(reveal(dealt, turns, rules.choice("br-q20")), first, dealt)

    def _ground(
        self,
        board: Board,
        cards: CardsLaid,
        inputs: Inputs,
        rules: Rules,
        dice: Dice,
        jitter: Jitter,
    ) -> BoardGround:
        """Place all features, area features first, in the order of their zones (BR-301..BR-344)."""
        results = self._results(cards)
        _check_recorded(inputs, results)
        sites = {
            zone: site(rules, board, zone, result=results[zone], placer=placer, recorded=inputs.features.get(zone))
            for zone, placer in zip(sorted(results), feature_placers(len(results)), strict=True)
        }
        found: dict[int, Feature] = {}
        throws: dict[int, HillThrow] = {}
        for zone, spot in sites.items():
            if spot.result.kind is not Kind.HILL:
                found[zone] = area(spot, dice.at("features"), jitter)
        for zone, spot in sites.items():
            if spot.result.kind is Kind.HILL:
                found[zone], throws[zone] = hill(spot, dice.at("hills"), jitter)
        return BoardGround(tuple(found[zone] for zone in sorted(found)), throws)

    def _results(self, cards: CardsLaid) -> dict[int, CardResult]:
        table = RevealTable.of(self.book)
        looked_up = {zone: table.look_up(laid.card) for zone, laid in cards.zones.items() if laid.card is not None}
        return {zone: result for zone, result in looked_up.items() if result is not None}


def _check_recorded(inputs: Inputs, results: Mapping[int, CardResult]) -> None:
    """Refuse recorded features of zones without a feature, and steep sides of features other than hills."""
    for zone, recorded in inputs.features.items():
        if zone not in results:
            raise ScenarioError(
                "line {line} of the features: the card of zone {zone} does not place anything there",
                line=recorded.line,
                zone=zone,
            )
        if recorded.steep is not None and results[zone].kind is not Kind.HILL:
            raise ScenarioError(
                "line {line} of the features: z{zone} is not a hill and has no steep slopes",
                line=recorded.line,
                zone=zone,
            )
