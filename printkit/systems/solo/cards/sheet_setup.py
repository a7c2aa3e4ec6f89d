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
from printkit.systems.solo.cards.pair_tables import army_rows, terrain_left
from printkit.systems.solo.cards.sheet_values import ARMY_ROWS, RolledValues, SheetCase, Tick, dice
from printkit.systems.solo.terrain.provenance import where_text

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
    hidden: str = ""


class TerrainLine(Struct, frozen=True, kw_only=True):
    """A line of the terrain table: piece, dice or faces, whether it is selected, and its position."""

    what: str = ""
    dice: str = ""
    chosen: Tick | None = Tick.EMPTY
    where: str = ""


class SetUpSheet(Struct, frozen=True, kw_only=True):
    """The contents of the front of the battle sheet."""

    title: str
    parties: tuple[PartySheet, PartySheet]
    terrain: tuple[TerrainLine, ...]


def set_up(case: SheetCase, text: CardText) -> SetUpSheet:
    """Return the front of the battle sheet in one language."""
    return SetUpSheet(
        title=case.title,
        parties=(_party(case, Side.NPG, text), _party(case, Side.YOU, text)),
        terrain=tuple(_terrain(case, text)),
    )


def army_of(force: Force, text: CardText) -> tuple[tuple[str, str, bool], ...]:
    """Return a row for each element of an army: type name, code, and whether it is the general's."""
    found = []
    for code, troop, count, led in army_rows(force):
        name = text.words(f"npg.army.troop.{troop.code}")
        found += [(name, code, led and place == 0) for place in range(count)]
    return tuple(found)


def _party(case: SheetCase, side: Side, text: CardText) -> PartySheet:
    label = text.words(f"npg.sheet.side.{side}")
    if case.pair is None:
        return PartySheet(label=label)
    force = case.pair.npg if side is Side.NPG else case.pair.you
    hidden = side is Side.NPG and case.secret
    attacker = case.pair.attacker
    thrown = _attack_dice(case, side)
    marks = (Tick.EMPTY, Tick.EMPTY)
    if attacker is not None:
        marks = (Tick.ON, Tick.OFF) if attacker is side else (Tick.OFF, Tick.ON)
    return PartySheet(
        label=label,
        name=named(force.name, text.words),
        home=text(f"home.{force.home}"),
        aggression=str(force.aggression),
        die=" ".join(thrown),
        total=str(int(thrown[-1]) + force.aggression) if thrown else "",
        attacks=marks[0],
        defends=marks[1],
        army=() if hidden else army_of(force, text)[:ARMY_ROWS],
        hidden=text.words("npg.sheet.hidden") if hidden else "",
    )


def _attack_dice(case: SheetCase, side: Side) -> tuple[str, ...]:
    """Return the attack dice of a side in order: the NPG rolls first, ties roll again."""
    step = case.thrown.step(_ATTACK) if case.mode is Mode.ROLLED else None
    if step is None:
        return ()
    return tuple(str(die) for die in step["dice"][0 if side is Side.NPG else 1 :: 2])


def _terrain(case: SheetCase, text: CardText) -> Iterator[TerrainLine]:
    """Yield the compulsory pieces, the number of optional ones, and every candidate."""
    if case.mode is Mode.ROLLED and case.thrown.terrain.get("by") == "dice":
        yield from _Laid(case, text, case.thrown.terrain).lines()
        return
    pair = case.counted
    if pair is not None and pair.may_attack(Side.YOU):
        yield from _ranges(pair, text)
        return
    for key in ("compulsory", "second", "number"):
        yield TerrainLine(what=text.words(f"npg.sheet.terrain.{key}"), chosen=None if key == "number" else Tick.EMPTY)
    for _ in range(CANDIDATES):
        yield TerrainLine()


def _ranges(pair: Pair, text: CardText) -> Iterator[TerrainLine]:
    left, words = terrain_left(pair), text.words

    def name(terrain: str) -> str:
        return text(f"piece.{terrain}")

    if left.compulsory:
        for terrain, throws in left.compulsory.items():
            yield TerrainLine(what=name(terrain), dice=said(throws, text))
    else:
        yield TerrainLine(what=name(left.offered[0]), dice=text("nothing"), chosen=Tick.ON)
    for found in dict.fromkeys(left.second.values()):
        yield TerrainLine(what=words("npg.sheet.terrain.second"), dice=said(found, text))
    for bad, numbers in left.number.items():
        cells = {f"n{outcome}": said(found, text) for outcome, found in numbers.items()}
        key = "number-two-bad" if bad else "number"
        yield TerrainLine(
            what=words(f"npg.sheet.terrain.{key}"), dice=words("npg.sheet.terrain.faces", **cells), chosen=None
        )
    for piece in left.pieces:
        for number in range(piece.count):
            added = f" {text.signed(piece.added)}" if piece.added else ""
            counted = f" {number + 1}" if piece.count > 1 else ""
            yield TerrainLine(what=f"{name(piece.terrain)}{counted}{added}")


class _Laid(Struct, frozen=True):
    """The lines of the terrain table for terrain that was rolled; ``facts`` are from the record."""

    case: SheetCase
    text: CardText
    facts: Mapping[str, Any]

    def lines(self) -> Iterator[TerrainLine]:
        """Yield the lines with their dice."""
        words, text = self.text.words, self.text
        pieces: Sequence[Mapping[str, Any]] = self.facts.get("pieces", ())
        compulsory = [piece for piece in pieces if piece["compulsory"]]
        for number, piece in enumerate(compulsory):
            yield TerrainLine(
                what=text(f"piece.{piece['terrain']}"),
                dice=self._dice("SD-3.1.2-a" if number else "SD-3.1.1-b"),
                chosen=Tick.ON,
                where=self._where(piece),
            )
        if len(compulsory) == 1:
            second = self._dice("SD-3.1.2-a")
            if second:
                yield TerrainLine(what=words("npg.sheet.terrain.second"), dice=second, chosen=Tick.OFF)
        yield TerrainLine(what=words("npg.sheet.terrain.number"), dice=self._dice("SD-3.2.1-a"), chosen=None)
        yield from self._candidates([piece for piece in pieces if not piece["compulsory"]])

    def _candidates(self, chosen: Sequence[Mapping[str, Any]]) -> Iterator[TerrainLine]:
        """Yield the candidates with their last scores; the best of each selected type are ticked."""
        step = self._step("SD-3.2.3-a")
        if step is None:
            return
        able, scores = step["inputs"]["candidates"], step["inputs"]["scores"]
        waiting = {
            terrain: [piece for piece in chosen if piece["terrain"] == terrain] for terrain in dict.fromkeys(able)
        }
        ranked = sorted(range(len(able)), key=lambda place: (-scores[place], place))
        taken: dict[int, Mapping[str, Any]] = {}
        for place in ranked:
            if waiting[able[place]]:
                taken[place] = waiting[able[place]].pop(0)
        counts, seen = Counter(able), Counter[str]()
        for place, (terrain, score) in enumerate(zip(able, scores, strict=True)):
            seen[terrain] += 1
            counted = f" {seen[terrain]}" if counts[terrain] > 1 else ""
            piece = taken.get(place)
            yield TerrainLine(
                what=f"{self.text(f'piece.{terrain}')}{counted}",
                dice=str(score),
                chosen=Tick.ON if piece is not None else Tick.OFF,
                where="" if piece is None else self._where(piece),
            )

    def _step(self, clause: str) -> Mapping[str, Any] | None:
        return RolledValues(steps=self.facts.get("selection", ())).step(clause)

    def _dice(self, clause: str) -> str:
        return dice(self._step(clause))

    def _where(self, piece: Mapping[str, Any]) -> str:
        """Return the dice of a piece and its position as text."""
        words, result = self.text.words, piece.get("result")
        if not result:
            return words("npg.sheet.terrain.left-out")
        where = where_text(piece["terrain"], str(result), words)
        thrown = " ".join(self.case.thrown.placing.get(piece["id"], ()))
        return f"{thrown}: {where}" if thrown else where
