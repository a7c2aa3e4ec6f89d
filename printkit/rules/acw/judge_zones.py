"""Judges geography, water and the dice of the zones: every die of the log against the tables, in its order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from printkit.rules.acw.judge_case import Case, Check
from printkit.rules.acw.pieces import CAMPAIGN_PLACES, Piece
from printkit.rules.acw.plan import Fate, Result
from printkit.rules.acw.tables import CHOICE, STOP, Region, choice_list
from printkit.rules.acw.tally import Tally
from printkit.rules.acw.throwing import dice_needed, last_round
from printkit.rules.judging import Faults, UnseenError

_ROLLS: Final = 4
_SIDES: Final = 6
_REASON: Final = re.compile(r"zone (\d+), roll (\d+)")


def geography(case: Case) -> Faults:
    """AC-103: the geography is that of the die against its State."""
    named, dice = case.country.name, case.dice("geography")
    if not dice:
        raise UnseenError("no die was thrown for the geography")
    for throw in dice:
        region = case.tables.region(throw.reason.removeprefix("geography of "))
        found = region.geographies[int(throw.answer) - 1]
        if found != named:
            yield f"the die {throw.answer} of {region.name} gives {found}, not {named}"


def known_geography(case: Case) -> Faults:
    """AC-101: what the campaign map or a setting tells is not thrown for."""
    given = case.inputs.geography or case.settings["geography"]
    if given == "by-state":
        raise UnseenError("nothing was known of the geography")
    if case.dice("geography"):
        yield f"a die was thrown though the geography {given} was known"
    if case.tables.geography(given) != case.country:
        yield f"the geography is {case.country.name}, though {given} was known"


def grid(case: Case) -> Faults:
    """AC-201: the zones of the record are those of its board."""
    told = case.record.details.get("grid")
    if told is None:
        raise UnseenError("the record does not tell its zones")
    if (told["columns"], told["rows"]) != (case.grid.columns, case.grid.rows):
        yield f"{told['columns']} x {told['rows']} zones; this board has {case.grid.columns} x {case.grid.rows}"


def columns(case: Case) -> Faults:
    """AC-204: four rolls a zone, each once and in order."""
    for zone, rolls in _by_zone(case):
        numbers = [roll.roll for roll in rolls if roll.fate is not Fate.IGNORED or not _thrown_again(case)]
        if numbers != sorted(set(numbers)) or not all(0 <= number <= _ROLLS for number in numbers):
            yield f"zone {zone} has the rolls {numbers}"


def table(number: int) -> Check:
    """Return the check of one roll table: each die gives the cell of its column (AC-401..AC-408)."""

    def check(case: Case) -> Faults:
        if case.country.rolls.number != number:
            raise UnseenError("the battle is in another geography")
        for roll in case.zones.results:
            if roll.die is not None and case.country.rolls.cell(roll.die, roll.roll) != roll.cell:
                cell = case.country.rolls.cell(roll.die, roll.roll) or "a blank"
                yield f"zone {roll.zone}, roll {roll.roll}: die {roll.die} gives {cell}, not {roll.cell or 'a blank'}"

    return check


def faces(case: Case) -> Faults:
    """AC-205: what lies in a zone is what its cell says, or a blank."""
    for roll in case.zones.results:
        plain = roll.cell not in (STOP, CHOICE, "") and roll.fate is not Fate.VOID
        if plain and (roll.piece is None or roll.piece.value != roll.cell):
            yield f"zone {roll.zone}, roll {roll.roll}: {roll.cell} became {roll.piece or 'nothing'}"
        if roll.cell == "" and roll.lies:
            yield f"zone {roll.zone}, roll {roll.roll}: a blank became {roll.piece}"


def stops(case: Case) -> Faults:
    """AC-206: nothing comes of a zone after its STOP."""
    for zone, rolls in _by_zone(case):
        cells = [roll.cell for roll in rolls]
        after = rolls[cells.index(STOP) + 1 :] if STOP in cells else ()
        if any(roll.fate is not Fate.VOID for roll in after):
            yield f"zone {zone} goes on after its STOP"


def choices(case: Case) -> Faults:
    """AC-207: a CHOICE takes a feature of its list, a creek, or nothing."""
    options = choice_list(case.tables, case.country, case.settings, case.book)
    for roll in case.zones.results:
        if roll.cell == CHOICE and roll.piece is not None and roll.piece not in options:
            yield f"zone {roll.zone}, roll {roll.roll}: the CHOICE took {roll.piece}"


def order(case: Case) -> Faults:
    """AC-D3: the dice of the log are those of the zones, one after another."""
    told = [(roll.zone, roll.roll, str(roll.die)) for roll in case.zones.results if roll.throw is not None]
    thrown = [
        (int(found[1]), int(found[2]), throw.answer)
        for throw in case.dice("zones")
        if (found := _REASON.fullmatch(throw.reason)) is not None
    ]
    if told != thrown:
        first = next((place for place, pair in enumerate(zip(told, thrown, strict=False)) if pair[0] != pair[1]), None)
        where = f"zone {told[first][0]}, roll {told[first][1]}" if first is not None else "the last of them"
        yield f"the rolls told and the dice of the log part at {where}"
    sequence = [zone for zone, _ in groupby(zone for zone, _, _ in thrown)]
    if len(sequence) != len(set(sequence)):
        yield "the dice of a zone do not follow one another"
    elif case.settings["ac-q03"] == "rows" and sequence != sorted(sequence):
        yield "the zones were not thrown for row by row"


def limit(case: Case) -> Faults:
    """AC-212: from the third farm or settlement on they are ignored, and none before."""
    tally = Tally.of(case.book, case.settings, case.country.rolls.number)
    for roll in case.zones.results:
        if roll.fate is Fate.GIVEN and roll.piece is not None:
            tally.add(roll.piece)
    for roll in case.zones.results:
        if roll.piece is None or roll.fate not in (Fate.KEPT, Fate.CHOSEN, Fate.IGNORED):
            continue
        over = tally.ignores(roll.piece)
        if over != (roll.fate is Fate.IGNORED):
            yield f"zone {roll.zone}, roll {roll.roll}: {roll.piece} is {'kept' if over else 'ignored'}"
        if roll.lies:
            tally.add(roll.piece)


def places(case: Case) -> Faults:
    """AC-301, AC-302: each place of the campaign is the first roll of its zone, and no zone has two."""
    marked = {zone: place.piece for zone, place in case.inputs.places.items()}
    told = [(roll.zone, roll.piece) for roll in case.zones.results if roll.piece in CAMPAIGN_PLACES]
    if sorted(told) != sorted(marked.items()):
        yield f"the record has the places {_listed(told)}; the campaign marks {_listed(list(marked.items()))}"
    for roll in case.zones.results:
        if roll.piece in CAMPAIGN_PLACES and roll.roll > 1:
            yield f"{roll.piece} is roll {roll.roll} of zone {roll.zone}"


def water(case: Case) -> Faults:
    """AC-303: riverside and coast have water along one edge, or a creek in its place; others have none."""
    edge, creek = case.water, case.graph.get("creek")
    wet = case.country.water
    if wet is None and edge is not None:
        yield f"{case.country.name} has water along {edge.edge}"
    if wet is not None and edge is None and creek is None:
        yield f"{case.country.name} has no water"
    if edge is not None and creek is not None and case.settings["ac-q15"] != "with-dice":
        yield "it has both water along an edge and a creek"
    if wet is not None and edge is not None and edge.piece is not wet:
        yield f"{case.country.name} has a {edge.piece}, not a {wet}"


def creek_dice(case: Case) -> Faults:
    """AC-305, AC-306: the dice of a creek pick the zones where it comes in and goes out (AC-D2, AC-D5)."""
    creek = case.creek
    if creek is None:
        raise UnseenError("no creek crosses the table")
    dice = [throw for stage in ("water", "zones") for throw in case.dice(stage) if "creek" in throw.reason]
    zones = case.grid.edge_zones
    for words, end in (("comes in", creek.path[0]), ("goes out", creek.path[-1])):
        scores = [int(throw.answer) for throw in dice if words in throw.reason]
        picked = [zones[number % len(zones)] for number in _numbers(scores, len(zones))]
        if len(zones) > 1 and picked[-1:] != [end]:
            yield f"the dice {scores} do not pick zone {end} for where the creek {words}"


def state(region: Region) -> Check:
    """Return the check of one row of the State table (AC-111..AC-121)."""

    def check(case: Case) -> Faults:
        thrown = [throw for throw in case.dice("geography") if throw.reason == f"geography of {region.name}"]
        if not thrown:
            raise UnseenError("the battle is elsewhere")
        yield from geography(case)

    return check


def _numbers(scores: list[int], items: int) -> Iterator[int]:
    """Yield the numbers that count among those which dice give, a few dice each (AC-D5)."""
    each = dice_needed(items)
    for start in range(0, len(scores) - each + 1, max(each, 1)):
        number = 0
        for score in scores[start : start + each]:
            number = number * _SIDES + score - 1
        if number < last_round(items):
            yield number


def _by_zone(case: Case) -> Iterator[tuple[int, list[Result]]]:
    for zone, rolls in groupby(case.zones.results, lambda roll: roll.zone):
        yield zone, list(rolls)


def _thrown_again(case: Case) -> bool:
    return case.settings["ac-q05"] == "reroll"


def _listed(found: Sequence[tuple[int, Piece | None]]) -> str:
    return ", ".join(f"{piece} in {zone}" for zone, piece in found) or "none"


CHECKS: Final[Mapping[str, Check]] = {
    "AC-101": known_geography,
    "AC-103": geography,
    "AC-110": geography,
    "AC-D1": geography,
    "AC-201": grid,
    "AC-204": columns,
    "AC-205": faces,
    "AC-206": stops,
    "AC-207": choices,
    "AC-208": choices,
    "AC-209": choices,
    "AC-410": choices,
    "AC-210": order,
    "AC-D3": order,
    "AC-D4": order,
    "AC-212": limit,
    "AC-301": places,
    "AC-302": places,
    "AC-303": water,
    "AC-304": water,
    "AC-305": creek_dice,
    "AC-306": creek_dice,
    "AC-D2": creek_dice,
    "AC-D5": creek_dice,
    **{f"AC-40{number}": table(number) for number in range(1, 9)},
}
"""What of the dice a record can be seen to break."""
