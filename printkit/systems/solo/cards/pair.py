"""The two armies of pair cards (8.6, 8.7), die faces by outcome (0.7), and their texts."""

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

# --- Die faces by outcome, with all known modifiers counted (0.7, 8.6) ------------------------------------------------

# The scores of one die.
ONE: Final = range(1, 7)

# The sums of two dice.
TWO: Final = range(2, 13)

# Faces of a die, or sums of two dice.
DieFaces = tuple[int, ...]


class Shifted(Struct, frozen=True):
    """An open modifier, and the rolls for each outcome if it is the only open one that counts."""

    modifier: AppliedModifier
    faces: Mapping[str, DieFaces]


class Resolved(Struct, frozen=True, kw_only=True):
    """A die table with known modifiers: their sum, the rolls for each outcome, and the open modifiers."""

    sum: int
    faces: Mapping[str, DieFaces]
    open: tuple[Shifted, ...] = ()


def resolved(
    modifiers: Sequence[AppliedModifier],
    outcome_of: Callable[[int], str],
    outcomes: Iterable[str],
    throws: Sequence[int] = ONE,
) -> Resolved:
    """Return a die table with its known modifiers counted.

    Args:
        modifiers: the modifiers with their states.
        outcome_of: returns the outcome of a total.
        outcomes: every outcome to list, including impossible ones.
        throws: the possible rolls, without modifiers.
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
    """Return rolls as text: ``1–4``, ``6``, ``never`` or ``always``."""
    if not found:
        return text.words("npg.pair.never")
    if len(found) == len(throws):
        return text.words("npg.pair.always")
    if len(found) == 1:
        return str(found[0])
    return text.words("npg.cards.span.range", low=found[0], high=found[-1])


def short(found: DieFaces, text: CardText) -> str:
    """Return rolls as text for a narrow column: a dash if there are none."""
    return said(found, text, ()) if found else text("nothing")


NEEDED: Final = "armies"


class Pair(Struct, frozen=True, kw_only=True):
    """Both armies with their options fixed, and the rules of the game.

    ``attacker`` is unset until it is rolled for. ``situation`` has the known facts of the battlefield; for cards these
    are only the facts that follow from the armies and the placed terrain, independent of the base edges.
    """

    npg: Force
    you: Force
    rules: SoloRules
    attacker: Side | None = None
    situation: Situation = field(default_factory=Situation)

    @property
    def known(self) -> Situation:
        """Return the situation with facts from the armies: without a littoral home nothing waits to land."""
        return self.situation.from_home(littoral=self.you.littoral)

    def may_attack(self, side: Side) -> bool:
        """Return whether a side attacks, or may still attack."""
        return self.attacker in (None, side)

    def case(self, defender: Side) -> SelectionCase:
        """Return the selection of terrain for a defender (SD-3-a)."""
        forces = {Side.NPG: self.npg, Side.YOU: self.you}
        attacker = Side.YOU if defender is Side.NPG else Side.NPG
        return SelectionCase.of(forces[defender], forces[attacker], self.rules)


def pair_of_settings(rules: SoloRules, inputs: Mapping[str, object], dice: Dice) -> tuple[Pair, bool]:
    """Return the armies from settings, the NPG's composed by dice, and whether its list has choices.

    The player's options are fixed first (SD-2.1-a).

    Raises:
        ScenarioError: an army is not valid, or the player's options are open.
        ResourceError: the army does not exist.
    """
    armies = choose_armies(rules, inputs, dice.at(NEEDED))
    composed = compose(armies.npg, armies.you, dice, rules)
    pair = Pair(npg=composed.force, you=composed.you, rules=rules)
    return pair, bool(armies.npg.unchosen())


def pair_of_record(record: Record, book: RuleBook) -> Pair:
    """Return the armies of a record, the attacker, and which of waterway and town are absent.

    Raises:
        RecordError: the record has no armies (for example one drawn by hand), or they are not valid.
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
    """Return the absence of a waterway or built-up area; cards do not use the position of present ones."""
    if terrain is None or need(terrain, "by").text() != "dice":
        return Situation()
    laid = {piece.terrain for piece in told_pieces(terrain) if piece.result}
    absent = {name.value: NONE for name in (Terrain.WATERWAY, Terrain.BUA) if name not in laid}
    return Situation().knowing(absent, "map")


# --- Texts of pair cards: faces and open modifiers as blocks ----------------------------------------------------------

# Maximum and minimum height of table rows to write in, in mm.
HIGHEST: Final = 6.5
LOWEST: Final = 3.6


class PairWords(Struct, frozen=True):
    """Two armies, and the card texts of a language."""

    pair: Pair
    text: CardText

    def say(self, key: str, **values: object) -> str:
        """Return a text of the pair cards."""
        return self.text.full(f"npg.pair.{key}", **values)

    def results(self, faces: Mapping[str, DieFaces], key: str, throws: Sequence[int] = range(1, 7)) -> Results:
        """Return a row of result boxes, each with its faces and its outcome."""
        cells = tuple((said(found, self.text, throws), self.say(f"{key}.{name}")) for name, found in faces.items())
        return Results((cells,))

    def piece(self, name: str) -> str:
        """Return the name of a type of terrain."""
        return self.text(f"piece.{name}")

    def sum(self, found: Resolved) -> Paragraph:
        """Return the sum of the modifiers that certainly count."""
        return Paragraph(self.say("sum", sum=self.text.signed(found.sum)))

    def open(self, found: Resolved, outcome: str) -> tuple[Block, ...]:
        """Return the open modifiers with a box each, and the faces for an outcome if that modifier counts."""
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
        """Return the condition of an open modifier as text."""
        clause = each.modifier.clause
        return self.say(f"landing.{clause}", **{k: f"{n:g}" for k, n in self.text.rules.compared(clause).items()})


def listed(tell: PairWords, terrains: Iterable[str]) -> str:
    return tell.text.list(tell.piece(each) for each in terrains)


def runs(letters: Sequence[str]) -> str:
    """Return the letters of groups with runs shortened, for example ``A–C E``."""
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
    """Return the height in mm of rows to write in, if they share the space of ``room`` mm."""
    return max(LOWEST, min(HIGHEST, room / max(1, rows)))
