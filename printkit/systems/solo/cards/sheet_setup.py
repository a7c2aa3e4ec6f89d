"""The front of the battle sheet: both armies, the attacker, and the terrain (S1, 8.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import Force, Side
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import Pair, said
from printkit.systems.solo.cards.pair_tables import find_terrain_rolls, list_army_rows
from printkit.systems.solo.cards.sheet_values import ARMY_ROWS, RolledValues, SheetCase, Tick, dice
from printkit.systems.solo.terrain.read_record import format_position

CANDIDATES: Final = 10
_ATTACK: Final = "SD-2.3-a"


class PartySheet(Struct, frozen=True, kw_only=True):
    """One side: its army, its dice for the attack, whether it attacks or defends, and its elements.

    Each row of ``army`` is a type name, a code, and whether the element is the general's.
    """

    label: str
    name: str = ""
    home: str = ""
    aggression: str = ""
    die: str = ""
    total: str = ""
    attacks: Tick = Tick.EMPTY
    defends: Tick = Tick.EMPTY
    army: tuple[tuple[str, str, bool], ...] = ()
    hidden_note: str = ""


class TerrainLine(Struct, frozen=True, kw_only=True):
    """A line of the terrain table: piece, dice or faces, whether it is selected, and its position."""

    label: str = ""
    dice: str = ""
    tick: Tick | None = Tick.EMPTY
    position: str = ""


class SetUpSheet(Struct, frozen=True, kw_only=True):
    """The contents of the front of the battle sheet."""

    title: str
    parties: tuple[PartySheet, PartySheet]
    terrain: tuple[TerrainLine, ...]


def build_set_up_sheet(case: SheetCase, text: CardText) -> SetUpSheet:
    """Return the front of the battle sheet in one language."""
    return SetUpSheet(
        title=case.title,
        parties=(_build_party(case, Side.NPG, text), _build_party(case, Side.YOU, text)),
        terrain=tuple(_terrain_lines(case, text)),
    )


def list_elements(force: Force, text: CardText) -> tuple[tuple[str, str, bool], ...]:
    """Return a row for each element of an army: type name, code, and whether it is the general's."""
    rows = []
    for code, troop, count, has_general in list_army_rows(force):
        name = text.words(f"npg.army.troop.{troop.code}")
        rows += [(name, code, has_general and index == 0) for index in range(count)]
    return tuple(rows)


def _build_party(case: SheetCase, side: Side, text: CardText) -> PartySheet:
    """Return the part of the sheet for one side; only a label if the armies are not known."""
    label = text.words(f"npg.sheet.side.{side}")
    if case.pair is None:
        return PartySheet(label=label)
    force = case.pair.npg if side is Side.NPG else case.pair.you
    is_hidden = side is Side.NPG and case.secret
    attacker = case.pair.attacker
    dice_texts = _attack_dice(case, side)
    ticks = (Tick.EMPTY, Tick.EMPTY)
    if attacker is not None:
        ticks = (Tick.ON, Tick.OFF) if attacker is side else (Tick.OFF, Tick.ON)
    return PartySheet(
        label=label,
        name=named(force.name, text.words),
        home=text(f"home.{force.home}"),
        aggression=str(force.aggression),
        die=" ".join(dice_texts),
        total=str(int(dice_texts[-1]) + force.aggression) if dice_texts else "",
        attacks=ticks[0],
        defends=ticks[1],
        army=() if is_hidden else list_elements(force, text)[:ARMY_ROWS],
        hidden_note=text.words("npg.sheet.hidden") if is_hidden else "",
    )


def _attack_dice(case: SheetCase, side: Side) -> tuple[str, ...]:
    """Return the attack dice of a side in order, as text; ties roll again. Empty if not rolled."""
    step = case.rolls.find_step(_ATTACK) if case.mode is Mode.ROLLED else None
    if step is None:
        return ()
    return tuple(str(die) for die in step["dice"][0 if side is Side.NPG else 1 :: 2])


def _terrain_lines(case: SheetCase, text: CardText) -> Iterator[TerrainLine]:
    """Yield lines for the compulsory pieces, the number of optional ones, and every candidate.

    Rolled terrain has its dice; possible rolls have their faces. Without armies empty lines fill the table.
    """
    if case.mode is Mode.ROLLED and case.rolls.terrain.get("by") == "dice":
        yield from _RolledTerrain(case, text, case.rolls.terrain).lines()
        return
    pair = case.counted_pair
    if pair is not None and pair.may_attack(Side.YOU):
        yield from _range_lines(pair, text)
        return
    for key in ("compulsory", "second", "number"):
        yield TerrainLine(label=text.words(f"npg.sheet.terrain.{key}"), tick=None if key == "number" else Tick.EMPTY)
    for _ in range(CANDIDATES):
        yield TerrainLine()


def _range_lines(pair: Pair, text: CardText) -> Iterator[TerrainLine]:
    """Yield the terrain rolls that remain if the NPG defends, with the faces for each result.

    The lines are compulsory pieces, a second one, the number of optional pieces, then every candidate.
    """
    terrain_rolls, words = find_terrain_rolls(pair), text.words

    def name(terrain: str) -> str:
        """Return the name of a type of terrain."""
        return text(f"piece.{terrain}")

    if terrain_rolls.compulsory:
        for terrain, compulsory_faces in terrain_rolls.compulsory.items():
            yield TerrainLine(label=name(terrain), dice=said(compulsory_faces, text))
    else:
        yield TerrainLine(label=name(terrain_rolls.compulsory_types[0]), dice=text("nothing"), tick=Tick.ON)
    for faces in dict.fromkeys(terrain_rolls.second.values()):
        yield TerrainLine(label=words("npg.sheet.terrain.second"), dice=said(faces, text))
    for bad, numbers in terrain_rolls.number.items():
        cells = {f"n{outcome}": said(faces, text) for outcome, faces in numbers.items()}
        key = "number-two-bad" if bad else "number"
        yield TerrainLine(
            label=words(f"npg.sheet.terrain.{key}"), dice=words("npg.sheet.terrain.faces", **cells), tick=None
        )
    for piece in terrain_rolls.pieces:
        for number in range(piece.count):
            modifier_text = f" {text.format_signed(piece.modifier)}" if piece.modifier else ""
            number_text = f" {number + 1}" if piece.count > 1 else ""
            yield TerrainLine(label=f"{name(piece.terrain)}{number_text}{modifier_text}")


class _RolledTerrain(Struct, frozen=True):
    """The lines of the terrain table for terrain that was rolled; ``facts`` are from the record."""

    case: SheetCase
    text: CardText
    facts: Mapping[str, Any]

    def lines(self) -> Iterator[TerrainLine]:
        """Yield the lines of the table with their dice: compulsory pieces, the number of optional ones, candidates."""
        words, text = self.text.words, self.text
        pieces: Sequence[Mapping[str, Any]] = self.facts.get("pieces", ())
        compulsory = [piece for piece in pieces if piece["compulsory"]]
        for number, piece in enumerate(compulsory):
            yield TerrainLine(
                label=text(f"piece.{piece['terrain']}"),
                dice=self._dice_text("SD-3.1.2-a" if number else "SD-3.1.1-b"),
                tick=Tick.ON,
                position=self._position_text(piece),
            )
        if len(compulsory) == 1:
            second = self._dice_text("SD-3.1.2-a")
            if second:
                yield TerrainLine(label=words("npg.sheet.terrain.second"), dice=second, tick=Tick.OFF)
        yield TerrainLine(label=words("npg.sheet.terrain.number"), dice=self._dice_text("SD-3.2.1-a"), tick=None)
        yield from self._candidate_lines([piece for piece in pieces if not piece["compulsory"]])

    def _candidate_lines(self, chosen_pieces: Sequence[Mapping[str, Any]]) -> Iterator[TerrainLine]:
        """Yield a line for each candidate with its last total; the highest of each selected type are ticked.

        ``chosen_pieces`` are the optional pieces of the record. Nothing without the step in the record.
        """
        step = self._find_step("SD-3.2.3-a")
        if step is None:
            return
        candidates, scores = step["inputs"]["candidates"], step["inputs"]["scores"]
        unassigned_pieces = {
            terrain: [piece for piece in chosen_pieces if piece["terrain"] == terrain]
            for terrain in dict.fromkeys(candidates)
        }
        ranking = sorted(range(len(candidates)), key=lambda index: (-scores[index], index))
        pieces_by_index: dict[int, Mapping[str, Any]] = {}
        for index in ranking:
            if unassigned_pieces[candidates[index]]:
                pieces_by_index[index] = unassigned_pieces[candidates[index]].pop(0)
        counts, running_counts = Counter(candidates), Counter[str]()
        for index, (terrain, score) in enumerate(zip(candidates, scores, strict=True)):
            running_counts[terrain] += 1
            number_text = f" {running_counts[terrain]}" if counts[terrain] > 1 else ""
            piece = pieces_by_index.get(index)
            yield TerrainLine(
                label=f"{self.text(f'piece.{terrain}')}{number_text}",
                dice=str(score),
                tick=Tick.ON if piece is not None else Tick.OFF,
                position="" if piece is None else self._position_text(piece),
            )

    def _find_step(self, clause: str) -> Mapping[str, Any] | None:
        """Return the first selection step of a clause as plain values, or None."""
        return RolledValues(steps=self.facts.get("selection", ())).find_step(clause)

    def _dice_text(self, clause: str) -> str:
        """Return the dice of the selection step of a clause as text; empty without the step."""
        return dice(self._find_step(clause))

    def _position_text(self, piece: Mapping[str, Any]) -> str:
        """Return the placement dice of a piece and its position as text, or that it was left out."""
        words, result = self.text.words, piece.get("result")
        if not result:
            return words("npg.sheet.terrain.left-out")
        position = format_position(piece["terrain"], str(result), words)
        dice_text = " ".join(self.case.rolls.placing.get(piece["id"], ()))
        return f"{dice_text}: {position}" if dice_text else position
