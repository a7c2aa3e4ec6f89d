"""The two armies that pair cards and sheets are made for: of a record, or of the settings of a game (8.6, 8.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Dice
from printkit.core.errors import RecordError
from printkit.kit.book import RuleBook
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.solo.armies.composing import compose
from printkit.systems.solo.armies.composing_terms import CompositionTerms
from printkit.systems.solo.armies.force import (
    Classing,
    Element,
    Force,
    HillsOrMarsh,
    Home,
    LittoralPairs,
    Side,
    WoodsOrDunes,
)
from printkit.systems.solo.armies.game_armies import choose_armies
from printkit.systems.solo.armies.troops import read_troops
from printkit.systems.solo.tactics.situation import NONE, FactValue, Situation
from printkit.systems.solo.terrain.selection_case import SelectionCase
from printkit.terrain.field.record import Record

NEEDED: Final = "armies"


class Pair(Struct, frozen=True, kw_only=True):
    """Both armies with their options fixed, and the readings of the game.

    ``attacker`` is None while nobody has diced for it. ``situation`` holds what is known of the table: for cards only
    what follows from the armies and from the terrain that was laid, whoever sits where.
    """

    npg: Force
    you: Force
    book: RuleBook
    settings: Mapping[str, str]
    attacker: Side | None = None
    situation: Situation = field(default_factory=Situation)

    @property
    def known(self) -> Situation:
        """Return the situation with what follows from the armies: who has no shore of his own reserves nobody."""
        reserves = self.you.littoral and self.situation.waterway is not False
        facts: dict[str, FactValue] = {} if reserves else {"you_reserved_landing": 0}
        return Situation().knowing(facts, "armies").knowing(self.situation.values, "given")

    def may_attack(self, side: Side) -> bool:
        """Return whether a side attacks, as far as anybody knows."""
        return self.attacker in (None, side)

    def case(self, defender: Side) -> SelectionCase:
        """Return the selection of terrain for a defender (SD-3-a)."""
        forces = {Side.NPG: self.npg, Side.YOU: self.you}
        attacker = Side.YOU if defender is Side.NPG else Side.NPG
        return SelectionCase.of(forces[defender], forces[attacker], self.book, self.settings)


def pair_of_settings(
    settings: Mapping[str, str], inputs: Mapping[str, object], dice: Dice, book: RuleBook
) -> tuple[Pair, bool]:
    """Return the armies that settings name, the NPG's composed by the dice; and whether his list left a choice.

    YOUR options are fixed first (SD-2.1-a).

    Raises:
        ScenarioError: an army is wrong, or YOUR options are open.
        ResourceError: there is no such army.
    """
    armies = choose_armies(settings, inputs, dice.at(NEEDED))
    terms = CompositionTerms.of(settings)
    composed = compose(armies.npg, armies.you, dice, terms, book)
    pair = Pair(npg=composed.force, you=composed.you, book=book, settings=settings)
    return pair, bool(armies.npg.unchosen())


def pair_of_record(record: Record, book: RuleBook) -> Pair:
    """Return the armies of a recorded game, who attacks, and which water and town its field has.

    Raises:
        RecordError: the record tells of no armies; one drawn by hand does not.
    """
    details: Mapping[str, Any] = record.details
    known = {setting.key for setting in book.settings}
    given = {key: text for key, text in record.settings.items() if key in known and key not in ("npg", "you")}
    settings = book.settle(given)
    classing = CompositionTerms.of(settings).classing
    try:
        lists = details["armies"]
        npg = force_of({**lists["npg"], **details["composition"]}, classing)
        you = force_of(lists["you"], classing)
        attacker = Side(details["attack"]["attacker"])
    except (KeyError, TypeError, ValueError):
        raise RecordError(
            "this record tells of no two armies; pair cards and battle sheets need a game of solo-dba, or name the "
            "armies: --set npg=FILE --set you=FILE"
        ) from None
    return Pair(
        npg=npg, you=you, book=book, settings=settings, attacker=attacker, situation=_waters(details.get("terrain"))
    )


def force_of(facts: Mapping[str, Any], classing: Classing | None = None) -> Force:
    """Return an army of the facts that a record keeps: its list, its elements by code, its general's code.

    Raises:
        KeyError: a fact is missing, or a code is no troop type's.
    """
    troops = read_troops()
    elements: list[Element] = []
    led = facts.get("general")
    for code, count in facts["elements"].items():
        troop = troops.find(code)
        if troop is None:
            raise KeyError(code)
        elements += [Element(code=code, troop=troop, general=code == led and place == 0) for place in range(int(count))]
    pairs = facts.get("littoral") or {}
    return Force(
        name=str(facts["name"]),
        home=Home(facts["home"]),
        aggression=int(facts["aggression"]),
        elements=tuple(elements),
        camp=bool(facts["camp"]),
        pairs=LittoralPairs(
            hills_or_marsh=HillsOrMarsh(pairs.get("hills_or_marsh", "dice")),
            woods_or_dunes=WoodsOrDunes(pairs.get("woods_or_dunes", "dice")),
        ),
        classing=classing or Classing(),
    )


def _waters(terrain: object) -> Situation:
    """Return that a field has no waterway, or no built-up area; where there is one, cards leave its place open."""
    if not isinstance(terrain, Mapping) or terrain.get("by") != "dice":
        return Situation()
    laid = {piece.get("terrain") for piece in terrain.get("pieces", ()) if piece.get("result")}
    absent = {name.value: NONE for name in (Terrain.WATERWAY, Terrain.BUA) if name.value not in laid}
    return Situation().knowing(absent, "map")
