"""The two armies of pair cards (8.6, 8.7), the faces of dice that known modifiers leave (0.7), and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from printkit.chance.dice import Dice
from printkit.content.prose import Block, Modifiers, Paragraph, Results
from printkit.core.errors import RecordError
from printkit.kit.book import RuleBook
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.solo.armies.composing import compose
from printkit.systems.solo.armies.force import (
    Force,
    Side,
)
from printkit.systems.solo.armies.game_armies import choose_armies
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sum_of
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.situation import NONE, Situation
from printkit.systems.solo.terrain.told import named, need, told_force, told_pieces
from printkit.systems.solo.terrain.topography import SelectionCase
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

# --- The faces of the dice that are left once every modifier that is known has been counted (0.7, 8.6) ----------------

ONE: Final = range(1, 7)
"""What one die can show."""

TWO: Final = range(2, 13)
"""What two dice can come to together."""

DieFaces = tuple[int, ...]
"""Faces of a die, or sums of two."""


class Shifted(Struct, frozen=True):
    """An open modifier, and the throws for each outcome where it counts and no other open one does."""

    modifier: AppliedModifier
    faces: Mapping[str, DieFaces]


class Resolved(Struct, frozen=True, kw_only=True):
    """A table whose known modifiers are counted: their sum, the throws for each outcome, and what is still open."""

    sum: int
    faces: Mapping[str, DieFaces]
    open: tuple[Shifted, ...] = ()


def resolved(
    modifiers: Sequence[AppliedModifier],
    outcome_of: Callable[[int], str],
    outcomes: Iterable[str],
    throws: Sequence[int] = ONE,
) -> Resolved:
    """Return a table with its modifiers counted.

    Args:
        modifiers: in the state that the armies give them.
        outcome_of: what a total gives.
        outcomes: every outcome that is told, also those that cannot come.
        throws: what the dice can show.
    """
    known, named = sum_of(modifiers), tuple(dict.fromkeys(outcomes))

    def faces(added: int) -> dict[str, DieFaces]:
        found: dict[str, DieFaces] = dict.fromkeys(named, ())
        for throw in throws:
            found[outcome_of(throw + added)] = (*found.get(outcome_of(throw + added), ()), throw)
        return found

    shifted = tuple(Shifted(each, faces(known + each.amount)) for each in modifiers if each.state is ModifierState.OPEN)
    return Resolved(sum=known, faces=faces(known), open=shifted)


def said(found: DieFaces, text: CardText, throws: Sequence[int] = ONE) -> str:
    """Return throws as they are printed: ``1–4``, ``6``, ``never`` or ``always``."""
    if not found:
        return text.words("npg.pair.never")
    if len(found) == len(throws):
        return text.words("npg.pair.always")
    if len(found) == 1:
        return str(found[0])
    return text.words("npg.cards.span.range", low=found[0], high=found[-1])


def short(found: DieFaces, text: CardText) -> str:
    """Return throws as they are printed in a narrow column: a dash where none does."""
    return said(found, text, ()) if found else text("nothing")


NEEDED: Final = "armies"


class Pair(Struct, frozen=True, kw_only=True):
    """Both armies with their options fixed, and the readings of the game.

    ``attacker`` is None while nobody has diced for it. ``situation`` holds what is known of the table: for cards only
    what follows from the armies and from the terrain that was laid, whoever sits where.
    """

    npg: Force
    you: Force
    rules: SoloRules
    attacker: Side | None = None
    situation: Situation = field(default_factory=Situation)

    @property
    def known(self) -> Situation:
        """Return the situation with what follows from the armies: who has no shore of his own reserves nobody."""
        return self.situation.from_home(littoral=self.you.littoral)

    def may_attack(self, side: Side) -> bool:
        """Return whether a side attacks, as far as anybody knows."""
        return self.attacker in (None, side)

    def case(self, defender: Side) -> SelectionCase:
        """Return the selection of terrain for a defender (SD-3-a)."""
        forces = {Side.NPG: self.npg, Side.YOU: self.you}
        attacker = Side.YOU if defender is Side.NPG else Side.NPG
        return SelectionCase.of(forces[defender], forces[attacker], self.rules)


def pair_of_settings(rules: SoloRules, inputs: Mapping[str, object], dice: Dice) -> tuple[Pair, bool]:
    """Return the armies that settings name, the NPG's composed by the dice; and whether his list left a choice.

    YOUR options are fixed first (SD-2.1-a).

    Raises:
        ScenarioError: an army is wrong, or YOUR options are open.
        ResourceError: there is no such army.
    """
    armies = choose_armies(rules, inputs, dice.at(NEEDED))
    composed = compose(armies.npg, armies.you, dice, rules)
    pair = Pair(npg=composed.force, you=composed.you, rules=rules)
    return pair, bool(armies.npg.unchosen())


def pair_of_record(record: Record, book: RuleBook) -> Pair:
    """Return the armies of a recorded game, who attacks, and which water and town its field has.

    Raises:
        RecordError: the record tells of no armies, as one drawn by hand does not, or tells of them wrongly.
    """
    rules = SoloRules.of_record(book, record)
    told = Member(dict(record.details), record.rules)
    if any(told.get(name) is None for name in ("armies", "attack", "composition")):
        raise RecordError(
            "this record does not name two armies; pair cards and battle sheets need a game of solo-dba, "
            "or name the armies: --set npg=FILE --set you=FILE"
        )
    npg, you = need(told, "armies", "npg"), need(told, "armies", "you")
    return Pair(
        npg=told_force(npg, need(told, "composition")),
        you=told_force(you, you),
        rules=rules,
        attacker=named(Side, need(told, "attack", "attacker")),
        situation=_waters(told.get("terrain")),
    )


def _waters(terrain: Member | None) -> Situation:
    """Return that a field has no waterway, or no built-up area; where there is one, cards leave its place open."""
    if terrain is None or need(terrain, "by").text() != "dice":
        return Situation()
    laid = {piece.terrain for piece in told_pieces(terrain) if piece.result}
    absent = {name.value: NONE for name in (Terrain.WATERWAY, Terrain.BUA) if name not in laid}
    return Situation().knowing(absent, "map")


# --- What pair cards are told with: two armies, the texts of a language, faces and open modifiers as blocks -----------

HIGHEST: Final = 6.5
LOWEST: Final = 3.6
"""How high rows that are written into may be, in mm."""


class PairWords(Struct, frozen=True):
    """Two armies, and the texts of a language."""

    pair: Pair
    text: CardText

    def say(self, key: str, **values: object) -> str:
        """Return a text of the pair cards."""
        return self.text.full(f"npg.pair.{key}", **values)

    def results(self, faces: Mapping[str, DieFaces], key: str, throws: Sequence[int] = range(1, 7)) -> Results:
        """Return outcomes in boxes side by side, each after its faces."""
        cells = tuple((said(found, self.text, throws), self.say(f"{key}.{name}")) for name, found in faces.items())
        return Results((cells,))

    def piece(self, name: str) -> str:
        """Return the name of a type of terrain."""
        return self.text(f"piece.{name}")

    def sum(self, found: Resolved) -> Paragraph:
        """Return what is added to the die for certain."""
        return Paragraph(self.say("sum", sum=self.text.signed(found.sum)))

    def open(self, found: Resolved, outcome: str) -> tuple[Block, ...]:
        """Return the open modifiers with a box each, and the faces for an outcome where that one counts."""
        if not found.open:
            return ()
        rows = tuple(
            (
                self.text.signed(each.modifier.amount),
                self.say("shifted", what=self.modifier(each), faces=said(each.faces[outcome], self.text)),
            )
            for each in found.open
        )
        return Modifiers(rows, boxes=1), Paragraph(self.say("several"), "note")

    def modifier(self, each: Shifted) -> str:
        """Return what an open modifier asks of the table."""
        clause = each.modifier.clause
        return self.say(f"landing.{clause}", **{k: f"{n:g}" for k, n in self.text.rules.compared(clause).items()})


def listed(tell: PairWords, terrains: Iterable[str]) -> str:
    return tell.text.list(tell.piece(each) for each in terrains)


def runs(letters: Sequence[str]) -> str:
    """Return letters of groups in a row, as ``A–C E``."""
    found: list[list[str]] = []
    for letter in letters:
        if found and ord(letter) == ord(found[-1][-1]) + 1:
            found[-1].append(letter)
        else:
            found.append([letter])
    return " ".join(
        run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" if len(run) > 2 else "".join(run) for run in found
    )


def high(rows: int, room: float) -> float:
    """Return how high rows may be that are written into, where so many share the room."""
    return max(LOWEST, min(HIGHEST, room / max(1, rows)))
