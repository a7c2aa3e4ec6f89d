"""The two armies of pair cards (8.6, 8.7), die faces by outcome (0.7), and their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from printkit.chance.dice import Dice
from printkit.content.prose import Block, Modifiers, Paragraph, Results
from printkit.core.errors import RecordError
from printkit.kit.book import RuleBook
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.solo.armies.composing import compose_army
from printkit.systems.solo.armies.force import (
    Force,
    Side,
)
from printkit.systems.solo.armies.game_armies import choose_armies
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sum_modifiers
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.situation import NONE, Situation
from printkit.systems.solo.terrain.read_record import (
    DiceTerrain,
    RecordedArmies,
    RecordedAttack,
    RecordedElements,
    read_terrain,
)
from printkit.systems.solo.terrain.topography import SelectionCase
from printkit.terrain.field.record import Record, read_detail

# --- Die faces by outcome, with all known modifiers counted (0.7, 8.6) ------------------------------------------------

# The scores of one die.
ONE_DIE: Final = range(1, 7)

# The sums of two dice.
TWO_DICE: Final = range(2, 13)

# Faces of a die, or sums of two dice.
DieFaces = tuple[int, ...]


class OpenModifier(Struct, frozen=True):
    """An open modifier, and the rolls for each outcome if it is the only open one that counts."""

    modifier: AppliedModifier
    faces: Mapping[str, DieFaces]


class ResolvedTable(Struct, frozen=True, kw_only=True):
    """A die table with known modifiers: their sum, the rolls for each outcome, and the open modifiers."""

    sum: int
    faces: Mapping[str, DieFaces]
    open: tuple[OpenModifier, ...] = ()


def resolve_table(
    modifiers: Sequence[AppliedModifier],
    find_outcome: Callable[[int], str],
    outcomes: Iterable[str],
    rolls: Sequence[int] = ONE_DIE,
) -> ResolvedTable:
    """Return a die table with its known modifiers counted: the rolls for each outcome.

    For each open modifier it also has the rolls if this one counts.

    Args:
        modifiers: the modifiers with their states.
        find_outcome: gets a total and returns its outcome.
        outcomes: every outcome to list, including impossible ones, which get no rolls.
        rolls: the possible rolls, without modifiers; a sum of two dice appears as often as it can be rolled.
    """
    known_sum, outcome_names = sum_modifiers(modifiers), tuple(dict.fromkeys(outcomes))

    def faces(modifier_sum: int) -> dict[str, DieFaces]:
        """Return the rolls for each outcome with this sum of modifiers."""
        faces_by_outcome: dict[str, DieFaces] = dict.fromkeys(outcome_names, ())
        for roll in rolls:
            faces_by_outcome[find_outcome(roll + modifier_sum)] = (
                *faces_by_outcome.get(find_outcome(roll + modifier_sum), ()),
                roll,
            )
        return faces_by_outcome

    open_modifiers = tuple(
        OpenModifier(modifier, faces(known_sum + modifier.amount))
        for modifier in modifiers
        if modifier.state is ModifierState.OPEN
    )
    return ResolvedTable(sum=known_sum, faces=faces(known_sum), open=open_modifiers)


def said(rolls: DieFaces, text: CardText, possible_rolls: Sequence[int] = ONE_DIE) -> str:
    """Return rolls as text: ``1–4``, ``6``, ``never`` (without rolls) or ``always``.

    ``rolls`` are in ascending order without gaps; only their first and last are printed. ``possible_rolls`` are all
    rolls of the dice.
    """
    if not rolls:
        return text.words("npg.pair.never")
    if len(rolls) == len(possible_rolls):
        return text.words("npg.pair.always")
    if len(rolls) == 1:
        return str(rolls[0])
    return text.words("npg.cards.span.range", low=rolls[0], high=rolls[-1])


def format_rolls_short(rolls: DieFaces, text: CardText) -> str:
    """Return rolls as text for a narrow column: a dash if there are none."""
    return said(rolls, text, ()) if rolls else text("nothing")


ARMIES_STAGE: Final = "armies"


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
    def known_situation(self) -> Situation:
        """Return the situation with facts from the armies: without a littoral home nothing waits to land."""
        return self.situation.from_home(littoral=self.you.is_littoral)

    def may_attack(self, side: Side) -> bool:
        """Return whether a side attacks, or may still attack."""
        return self.attacker in (None, side)

    def case(self, defender: Side) -> SelectionCase:
        """Return the selection of terrain for a defender (SD-3-a)."""
        forces = {Side.NPG: self.npg, Side.YOU: self.you}
        attacker = Side.YOU if defender is Side.NPG else Side.NPG
        return SelectionCase.from_armies(forces[defender], forces[attacker], self.rules)


def build_pair(rules: SoloRules, inputs: Mapping[str, object], dice: Dice) -> tuple[Pair, bool]:
    """Return both armies from settings, the NPG's composed by dice, and whether its list has choices.

    The player's options are fixed first (SD-2.1-a). ``inputs`` are the input lists of the scenario, for example army
    files. The attacker of the pair is unknown.

    Raises:
        ScenarioError: an army is not valid, or the player's options are open.
        ResourceError: the army does not exist.
    """
    armies = choose_armies(rules, inputs, dice.at(ARMIES_STAGE))
    composition = compose_army(armies.npg, armies.you, dice, rules)
    pair = Pair(npg=composition.force, you=composition.you, rules=rules)
    return pair, bool(armies.npg.find_open_slots())


def read_recorded_pair(record: Record, book: RuleBook) -> Pair:
    """Return the armies of a record, the attacker, and which of waterway and town are absent.

    Raises:
        RecordError: the record has no armies (for example one drawn by hand), or they are not valid.
    """
    rules = SoloRules.of_record(book, record)
    armies, attack = read_detail(record, RecordedArmies, "armies"), read_detail(record, RecordedAttack, "attack")
    npg_elements = read_detail(record, RecordedElements, "composition")
    your_elements = read_detail(record, RecordedElements, "armies", "you")
    if armies is None or attack is None or npg_elements is None or your_elements is None:
        raise RecordError(
            "this record does not name two armies; pair cards and battle sheets need a game of solo-dba, "
            "or name the armies: --set npg=FILE --set you=FILE"
        )
    return Pair(
        npg=armies.npg.read(npg_elements),
        you=armies.you.read(your_elements),
        rules=rules,
        attacker=attack.attacker,
        situation=_find_absent_waters(record),
    )


def _find_absent_waters(record: Record) -> Situation:
    """Return the absence of a waterway or built-up area; cards do not use the position of present ones."""
    terrain = read_terrain(record)
    if not isinstance(terrain, DiceTerrain):
        return Situation()
    placed_types = {piece.terrain for piece in terrain.pieces if piece.result}
    absent = {name.value: NONE for name in (Terrain.WATERWAY, Terrain.BUA) if name not in placed_types}
    return Situation().knowing(absent, "map")


# --- Texts of pair cards: faces and open modifiers as blocks ----------------------------------------------------------

# Maximum and minimum height of table rows to write in, in mm.
MAX_ROW_MM: Final = 6.5
MIN_ROW_MM: Final = 3.6


class PairWords(Struct, frozen=True):
    """Two armies, and the card texts of a language."""

    pair: Pair
    text: CardText

    def translate(self, key: str, **values: object) -> str:
        """Return a text of the pair cards, with ``values`` and the numbers of the rules filled in.

        ``key`` follows ``npg.pair.`` in the words.
        """
        return self.text.translate(f"npg.pair.{key}", **values)

    def build_results(self, table: ResolvedTable, *names: str) -> Results:
        """Return the result boxes ``table.outcome`` of the reference cards, with the faces that are left for each."""
        scores = {outcome: said(rolls, self.text) for outcome, rolls in table.faces.items()}
        return self.text.build_results([names], scores)

    def piece_name(self, name: str) -> str:
        """Return the name of a type of terrain."""
        return self.text(f"piece.{name}")

    def sum(self, table: ResolvedTable) -> Paragraph:
        """Return a sentence with the sum of the modifiers that certainly count."""
        return Paragraph(self.translate("sum", sum=self.text.format_signed(table.sum)))

    def open_blocks(self, table: ResolvedTable, outcome: str) -> tuple[Block, ...]:
        """Return a table of the unknown (open) modifiers, each with a box and the faces for ``outcome`` if it counts.

        A note is the second block. Empty without open modifiers.
        """
        if not table.open:
            return ()
        rows = tuple(
            (
                self.text.format_signed(open_modifier.modifier.amount),
                self.translate(
                    "shifted",
                    what=self.text.describe_modifier(open_modifier.modifier.clause),
                    faces=said(open_modifier.faces[outcome], self.text),
                ),
            )
            for open_modifier in table.open
        )
        return Modifiers(rows, boxes=1), Paragraph(self.translate("several"), "note")


def list_pieces(words: PairWords, terrains: Iterable[str]) -> str:
    """Return the names of types of terrain as text, joined with commas."""
    return words.text.join_texts(words.piece_name(terrain) for terrain in terrains)


def runs(letters: Sequence[str]) -> str:
    """Return the letters of groups with runs shortened, for example ``A–C E``.

    Letters are in ascending order, and two in a row stay ``AB``.
    """
    letter_runs: list[list[str]] = []
    for letter in letters:
        if letter_runs and ord(letter) == ord(letter_runs[-1][-1]) + 1:
            letter_runs[-1].append(letter)
        else:
            letter_runs.append([letter])
    return " ".join(
        run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" if len(run) > 2 else "".join(run) for run in letter_runs
    )


def find_row_height(row_count: int, available_mm: float) -> float:
    """Return the height in mm on paper of each of ``row_count`` rows to write in, that share ``available_mm`` mm.

    It is kept between a minimum and a maximum.
    """
    return max(MIN_ROW_MM, min(MAX_ROW_MM, available_mm / max(1, row_count)))
