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
from printkit.core.errors import ScenarioError, Sentence
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import ShapeRules
from printkit.kit.system import Outcome, RollClauses, Scenario, Verdict, find_square_side
from printkit.systems.brantley.board import courses
from printkit.systems.brantley.board.course_brief import RIVER, ROAD
from printkit.systems.brantley.board.features import build_site, place_area
from printkit.systems.brantley.board.hills import HillRolls, place_hill
from printkit.systems.brantley.board.provenance import (
    account,
    build_card_facts,
    build_course_facts,
    build_deployment_facts,
    build_hill_facts,
    build_overlays,
    traced,
)
from printkit.systems.brantley.dealing.cards import CardResult, RevealTable
from printkit.systems.brantley.dealing.deal import (
    PLAYERS,
    ZONES,
    Deal,
    ZoneCard,
    assign_feature_placers,
    choose_first_player,
    deal_hands,
    read_turns,
    reveal,
    roll_course_placers,
    roll_deployment_order,
    shuffle,
)
from printkit.systems.brantley.dealing.facts import SETTLED_BEFORE
from printkit.systems.brantley.dealing.game_rules import RULES, game_rules, recorded_rules
from printkit.systems.brantley.dealing.inputs import Inputs, plain
from printkit.systems.brantley.dealing.policies import place_all_cards
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck

# Front of an element in mm, for 15 mm figures on the 24-inch board.
BASE_WIDTH: Final = 40.0

# Decimals of a board length in mm, so that 24 inches are exactly 609.6 mm.
_DECIMALS: Final = 6

# Keys of the board names. The record stores the key, so that it prints in any language.
TITLES: Final = tuple(
    f"brantley.title.{name}"
    for name in ("nine_cards", "cut_pack", "blind_card", "eight_turns", "black_suits", "last_card")
)


class CardsPlaced(Struct, frozen=True):
    """The nine zones after the reveal; ``deal`` is missing (None) if the scenario gives the zones.

    ``zones`` has the card of each zone, by its number from 1. ``first_player`` is A or B.
    """

    zones: Mapping[int, ZoneCard]
    first_player: str
    deal: Deal | None


class BoardGround(Struct, frozen=True):
    """The features from the cards, in zone order, and the hill dice by zone."""

    features: tuple[Feature, ...]
    hills: Mapping[int, HillRolls]


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
        """Return the square board: 24 inches, or another side in mm (BR-105, BR-G71).

        100 paces are 1/24 of the side.

        Args:
            width: in mm at 1:1; default: the 24 inches of the rules.
            depth: in mm at 1:1; it must be equal to ``width``.
            settings: not used.
            cell: refused, because this board has no cells.

        Raises:
            UsageError: the given board is not square, or has cells.
        """
        del settings
        usual = round(self.book.numbers["board_side"] * MM_PER_INCH, _DECIMALS)
        side = find_square_side(RULES, usual, width, depth, cell, examples="24in or 36in")
        pace = round(side / self.book.numbers["board_side"] / self.book.numbers["paces_per_inch"], _DECIMALS)
        return Board(side, side, GroundScale(pace=pace, base_width=BASE_WIDTH))

    def lay_out(self, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        """Return a battlefield dealt from a pack of cards, with its log, facts and warnings.

        There are no warnings. Rolls go into the log of ``dice``, in stages; ``jitter`` gives the shapes and does not
        change.

        Raises:
            ScenarioError: a setting or a recorded turn is wrong (BR-X01..BR-X05).
            DiceError: a card or die is impossible, or the dice run out (BR-X06..BR-X08).
            PlacementError: a recorded feature or course breaks a placement rule (BR-X10..BR-X19, BR-X21).
        """
        rules = game_rules(self.book, scenario.settings, scenario.board)
        inputs = Inputs.from_scenario(scenario.inputs)
        cards = self._place_cards(inputs, rules, dice)
        ground = self._place_features(scenario.board, cards, inputs, rules, dice, jitter)
        field = Battlefield(
            board=scenario.board,
            features=ground.features,
            title=TITLES[jitter.stream("deal/board/title").draw_index(len(TITLES))],
        )
        placed_courses: dict[str, tuple[courses.PlacedCourse, ...]] = {}
        for course_type, stage, records in ((RIVER, "rivers", inputs.rivers), (ROAD, "roads", inputs.roads)):
            stage_dice = dice.at(stage)
            players = roll_course_placers(stage, rules, stage_dice)
            placed_courses[stage] = courses.place_courses(
                course_type, field, players, records, rules, stage_dice, jitter
            )
            field = field.add(*traced([course.course for course in placed_courses[stage]], stage, dice.log))
        placers = {road.course.id: road.course.origin.placed_by for road in placed_courses["roads"]}
        crossings = courses.place_crossings(field, placers, rules, dice.at("crossings"))
        field = field.add(*traced(crossings, "crossings", dice.log))
        order = roll_deployment_order(rules, dice.at("order"))
        details = {
            **build_card_facts(cards.zones, self._look_up_results(cards), cards.deal, cards.first_player),
            "hills": build_hill_facts(ground.hills),
            "rivers": build_course_facts(placed_courses["rivers"]),
            "roads": build_course_facts(placed_courses["roads"]),
            "deployment": build_deployment_facts(order, rules.length("deployment_paces")),
            **({"inputs": plain(scenario.inputs)} if scenario.inputs else {}),
        }
        field = replace(field, overlays=build_overlays(field.board, rules.length("deployment_paces")))
        return Outcome(battlefield=field, log=tuple(dice.log), details=details)

    def account(self, record: Record, words: Words) -> Mapping[str, str]:
        """Return sentences with the card, rolls, placer and clauses of each feature, by its ID.

        Features without these facts in the record are left out, for example on a map drawn by hand.
        """
        return account(record, words)

    def decks(
        self, words: Words, record: Record | None = None, settings: Mapping[str, str] | None = None
    ) -> tuple[Deck, ...]:
        """Return the terrain deck and the quick-reference card, in this order (BR-A01, BR-A03).

        The rules are those of ``record``; without a record they are ``settings`` by key, or the defaults (None).

        Raises:
            RecordError: the record has a setting that does not exist.
        """
        from printkit.systems.brantley.dealing.decks import decks

        rules = Rules.of(self.book, settings or {}) if record is None else recorded_rules(self.book, record)
        return decks(rules, words)

    def goings(self) -> Mapping[str, str]:
        """Return the name of the going of each kind of area feature, and of hills by slopes and woods.

        The keys are names of kinds, and those of ``Rules.goings`` for hills.
        """
        results = RevealTable.from_book(self.book).by_rank.values()
        areas = {result.kind.value: result.going.name for result in results if result.going is not None}
        return {**areas, **Rules.of(self.book).goings()}

    def shape_rules(self) -> ShapeRules:
        """Return the rules of shapes by heading."""
        from printkit.systems.brantley.board.area_rules import AREA_RULES, CONTOUR_RULES, STEEP_SIDE_RULES
        from printkit.systems.brantley.board.course_rules import RIVER_RULES, ROAD_RULES

        return {
            Sentence("Areas and hills"): AREA_RULES,
            Sentence("Contours and slopes of hills"): (*CONTOUR_RULES, *STEEP_SIDE_RULES),
            Sentence("Rivers"): RIVER_RULES,
            Sentence("Roads"): ROAD_RULES,
        }

    def roll_clauses(self) -> RollClauses:
        """Return the clauses that a replay of the log proves."""
        from printkit.systems.brantley.judge.judge import ROLL_CLAUSES

        return ROLL_CLAUSES

    def judge(self, record: Record) -> tuple[Verdict, ...]:
        """Return a verdict for every clause of the rule book."""
        from printkit.systems.brantley.judge.judge import judge

        return judge(record, self.book)

    def _place_cards(self, inputs: Inputs, rules: Rules, dice: Dice) -> CardsPlaced:
        """Return the cards of the zones: deal, place nine cards, and reveal them (BR-202..BR-209).

        Zones given by the scenario need no deal. Rolls are logged in ``dice``.

        Raises:
            ScenarioError: a recorded turn is wrong.
            DiceError: a card or die is impossible.
        """
        if inputs.zones:
            zone_cards = {zone: ZoneCard(zone=zone, card=card) for zone, card in zip(ZONES, inputs.zones, strict=True)}
            first_player = rules.choice("br-q02") if rules.choice("br-q02") in PLAYERS else PLAYERS[0]
            return CardsPlaced(zone_cards, first_player, None)
        dealt_cards = deal_hands(shuffle(dice.at("deal"), inputs.deck))
        placing_dice = dice.at("placing")
        first_player = choose_first_player(rules, placing_dice)
        if inputs.placements:
            turns = read_turns(inputs.placements, dealt_cards, first_player)
        else:
            turns = place_all_cards(dealt_cards, first_player, rules, placing_dice)
        return CardsPlaced(reveal(dealt_cards, turns, rules.choice("br-q20")), first_player, dealt_cards)

    def _place_features(
        self,
        board: Board,
        cards: CardsPlaced,
        inputs: Inputs,
        rules: Rules,
        dice: Dice,
        jitter: Jitter,
    ) -> BoardGround:
        """Return the features and the hill dice: place area features, then hills, by zone (BR-301..BR-344).

        The features of the result are in zone order. Rolls and choices are logged in ``dice``.

        Raises:
            ScenarioError: a recorded feature is in a zone without one, or has wrong steep sides.
            PlacementError: a recorded feature does not fit its zone (BR-X19).
        """
        results = self._look_up_results(cards)
        _check_recorded_features(inputs, results)
        sites = {
            zone: build_site(
                rules, board, zone, result=results[zone], placer=placer, recorded_feature=inputs.features.get(zone)
            )
            for zone, placer in zip(sorted(results), assign_feature_placers(len(results)), strict=True)
        }
        features_by_zone: dict[int, Feature] = {}
        hill_rolls: dict[int, HillRolls] = {}
        for zone, feature_site in sites.items():
            if feature_site.result.kind is not Kind.HILL:
                features_by_zone[zone] = place_area(feature_site, dice.at("features"), jitter)
        for zone, feature_site in sites.items():
            if feature_site.result.kind is Kind.HILL:
                features_by_zone[zone], hill_rolls[zone] = place_hill(feature_site, dice.at("hills"), jitter)
        return BoardGround(tuple(features_by_zone[zone] for zone in sorted(features_by_zone)), hill_rolls)

    def _look_up_results(self, cards: CardsPlaced) -> dict[int, CardResult]:
        """Return the feature that each card places, by zone; zones of good going are left out."""
        table = RevealTable.from_book(self.book)
        looked_up = {
            zone: table.look_up(zone_card.card) for zone, zone_card in cards.zones.items() if zone_card.card is not None
        }
        return {zone: result for zone, result in looked_up.items() if result is not None}


def _check_recorded_features(inputs: Inputs, results: Mapping[int, CardResult]) -> None:
    """Refuse recorded features of zones without a feature, and steep sides of features other than hills.

    Raises:
        ScenarioError: there is one; names its line.
    """
    for zone, feature in inputs.features.items():
        if zone not in results:
            raise ScenarioError(
                "line {line} of the features: the card of zone {zone} does not place anything there",
                line=feature.line,
                zone=zone,
            )
        if feature.steep is not None and results[zone].kind is not Kind.HILL:
            raise ScenarioError(
                "line {line} of the features: z{zone} is not a hill and has no steep slopes",
                line=feature.line,
                zone=zone,
            )
