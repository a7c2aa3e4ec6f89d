"""Check geography, water and the dice of the zones: each die of the log against the tables, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from printkit.chance.dice import Act
from printkit.core.errors import Sentence, joined
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.dicing.choices import Tally
from printkit.systems.acw.dicing.geography import allows_water, dice_needed, last_round
from printkit.systems.acw.judge.case import AcwCase, Check
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, Piece
from printkit.systems.acw.terms.plan import RollOutcome, RollResult
from printkit.systems.acw.terms.tables import CHOICE, STOP, Region, choice_list

_SIDES: Final = 6
_SCORES: Final = tuple(map(str, range(1, _SIDES + 1)))
_REASON: Final = re.compile(r"zone ([0-9]{1,40}), roll ([0-9]{1,40})")


def geography(case: AcwCase) -> Faults:
    """Check AC-103: the geography is the one that the die gives for the State."""
    named, dice = case.country.name, case.dice("geography")
    known = case.inputs.geography or case.rules.choice("geography")
    if not dice and known != "by-state":
        raise UnseenError("no die was rolled for the geography")
    if not dice:
        yield Sentence("no die was rolled for the geography")
    if known == "by-state" and case.rules.choice("state") == "any" and not _chosen(case, "State of the battle"):
        yield Sentence("the record does not say how the State of the battle was chosen")
    for number, (answer, reason) in enumerate(((throw.answer, throw.reason) for throw in dice), 1):
        region = case.tables.region(reason.removeprefix("geography of "))
        if case.facts.state != region.name:
            yield Sentence(
                "the record states {state}, but the die is for {region}", state=case.facts.state, region=region.name
            )
        found = dict(zip(_SCORES, region.geographies, strict=True)).get(answer)
        if found is None:
            yield Sentence("the die for {reason} shows {answer!r}", reason=reason, answer=answer)
        elif number < len(dice) and not allows_water(case.tables.geography(found), case.inputs, case.rules):
            continue
        elif found != named:
            yield Sentence(
                "die {answer} for {region} gives {found}, not {named}",
                answer=answer,
                region=region.name,
                found=found,
                named=named,
            )


def _chosen(case: AcwCase, reason: str) -> list[str]:
    """Return the choices in the log with a reason that starts with this text."""
    return [throw.answer for throw in case.throws() if throw.act is Act.CHOICE and throw.reason.startswith(reason)]


def known_geography(case: AcwCase) -> Faults:
    """Check AC-101: no die is rolled for a geography from the campaign map or a setting."""
    given = case.inputs.geography or case.rules.choice("geography")
    if given == "by-state":
        raise UnseenError("the geography was not known")
    if case.dice("geography"):
        yield Sentence("a die was rolled although the geography {given} was known", given=given)
    if case.tables.geography(given) != case.country:
        yield Sentence("the geography is {country}, but {given} was known", country=case.country.name, given=given)


def grid(case: AcwCase) -> Faults:
    """Check AC-201: the record has the zones of its board."""
    told, columns, rows = case.facts.grid, case.grid.columns, case.grid.rows
    if told is None:
        raise UnseenError("the record does not state its zones")
    if (told.columns, told.rows) != (columns, rows):
        yield Sentence(
            "the record has {told_columns} x {told_rows} zones; this board has {columns} x {rows}",
            told_columns=told.columns,
            told_rows=told.rows,
            columns=columns,
            rows=rows,
        )


def columns(case: AcwCase) -> Faults:
    """Check AC-204: a zone has up to four rolls, each once and in order."""
    most = case.rules.whole("rolls")
    for zone, rolls in _by_zone(case):
        numbers = [roll.roll for roll in rolls]
        if numbers != sorted(set(numbers)) or not all(1 <= number <= most for number in numbers):
            yield Sentence("zone {zone} has the rolls {numbers}", zone=zone, numbers=numbers)


def table(number: int, case: AcwCase) -> Faults:
    """Check one roll table: each die gives the cell of its column (AC-401..AC-408)."""
    rolls, told = case.country.rolls, case.facts.table
    if rolls.number != number:
        raise UnseenError("the battle has a different geography")
    if told not in (None, number):
        named = {"country": case.country.name, "number": number}
        yield Sentence("the record states table {told}, but {country} has table {number}", told=told, **named)
    for roll in case.zones.results:
        cell = roll.cell if roll.die is None else rolls.cell(roll.die, roll.roll)
        if cell != roll.cell:
            yield Sentence(
                "{where}: die {die} gives {cell}, not {rolled}",
                where=_where(roll),
                die=roll.die,
                cell=cell or Sentence("a blank"),
                rolled=roll.cell or Sentence("a blank"),
            )


def _where(roll: RollResult) -> Sentence:
    return Sentence("zone {zone}, roll {roll}", zone=roll.zone, roll=roll.roll)


def faces(case: AcwCase) -> Faults:
    """Check AC-205: each roll gives the piece of its cell, and a blank does not give a piece."""
    for roll in case.zones.results:
        cell, piece = roll.cell, roll.piece
        if cell not in (STOP, CHOICE, "") and (piece is None or piece.value != cell):
            yield Sentence(
                "{where}: {cell} became {piece}", where=_where(roll), cell=cell, piece=piece or Sentence("nothing")
            )
        if cell == "" and roll.lies:
            yield Sentence("{where}: a blank became {piece}", where=_where(roll), piece=piece)


def stops(case: AcwCase) -> Faults:
    """Check AC-206: a zone has no rolls after its STOP."""
    for zone, rolls in _by_zone(case):
        cells = [roll.cell for roll in rolls]
        if STOP in cells[:-1]:
            yield Sentence("zone {zone} continues after its STOP", zone=zone)


def choices(case: AcwCase) -> Faults:
    """Check AC-207: a CHOICE gives a feature of its list, or nothing."""
    options = choice_list(case.country, case.rules)
    came = [roll for roll in case.zones.results if roll.cell == CHOICE]
    count = max(0, len(came) - len(case.inputs.decisions))
    if case.rules.choice("choice-policy") in ("uniform", "ask") and len(_chosen(case, CHOICE)) != count:
        yield Sentence(
            "{count} CHOICES were rolled, but the log answers {answered}",
            count=count,
            answered=len(_chosen(case, CHOICE)),
        )
    for roll in (roll for roll in came if roll.piece is not None and roll.piece not in options):
        yield Sentence("{where}: the CHOICE was {piece}", where=_where(roll), piece=roll.piece)


def order(case: AcwCase) -> Faults:
    """Check AC-D3: the dice of the log match the rolls of the zones, zone by zone."""
    rolls = sorted(
        (roll.throw, roll.zone, roll.roll, str(roll.die)) for roll in case.zones.results if roll.throw is not None
    )
    told = [roll[1:] for roll in rolls]
    thrown = [
        (int(found[1]), int(found[2]), throw.answer)
        for throw in case.dice("zones")
        if (found := _REASON.fullmatch(throw.reason)) is not None
    ]
    if told != thrown:
        parted = (pair[0][:2] for pair in zip(told, thrown, strict=False) if pair[0] != pair[1])
        zone, roll = next(parted, (0, 0))
        where = Sentence("zone {zone}, roll {roll}", zone=zone, roll=roll) if zone else Sentence("the last of them")
        yield Sentence("the rolls of the record and the dice of the log differ from {where} on", where=where)
    sequence = [zone for zone, _ in groupby(zone for zone, _, _ in thrown)]
    if len(sequence) != len(set(sequence)):
        yield Sentence("the dice of a zone are not consecutive")
    elif sequence != sorted(sequence):
        yield Sentence("the zones were not rolled row by row")


def limit(case: AcwCase) -> Faults:
    """Check AC-212: farms and settlements are ignored from the third one on, and not before."""
    tally = Tally(case.rules.whole("limit"))
    for roll in case.zones.results:
        if roll.fate is RollOutcome.GIVEN and roll.piece is not None:
            tally.add(roll.piece)
    for roll in case.zones.results:
        if roll.piece is None or roll.fate not in (RollOutcome.KEPT, RollOutcome.CHOSEN, RollOutcome.IGNORED):
            continue
        over = tally.ignores(roll.piece)
        if over and roll.lies:
            yield Sentence("{where}: {piece} should be ignored", where=_where(roll), piece=roll.piece)
        elif not over and not roll.lies:
            yield Sentence("{where}: {piece} does not count", where=_where(roll), piece=roll.piece)
        if roll.lies:
            tally.add(roll.piece)


def places(case: AcwCase) -> Faults:
    """Check AC-301, AC-302: each town of the campaign is roll 1 of its zone, and a zone has only one."""
    marked = sorted((zone, place.piece) for zone, place in case.inputs.places.items())
    told = [(roll.zone, roll.piece) for roll in case.zones.results if roll.piece in CAMPAIGN_PLACES]
    if sorted(told) != marked:
        yield Sentence(
            "the record has the places {told}, but the campaign marks {marked}",
            told=_listed(told),
            marked=_listed(marked),
        )
    for roll in case.zones.results:
        if roll.piece in CAMPAIGN_PLACES and roll.roll > 1:
            yield Sentence("{piece} is roll {roll} of zone {zone}", piece=roll.piece, roll=roll.roll, zone=roll.zone)
    yield from laid_places(case, *CAMPAIGN_PLACES)


def laid_places(case: AcwCase, *pieces: Piece) -> Faults:
    """Check AC-302: a town that the campaign marks is always in its zone."""
    for roll in case.facts.rolls:
        lost = roll.piece in pieces and roll.lies and not any(case.laid.in_zone(roll.zone, *pieces))
        if lost and case.laid.seen:
            yield Sentence(
                "the {piece} that the campaign marks in zone {zone} is not there",
                piece=roll.piece,
                zone=roll.zone,
            )


def water(case: AcwCase) -> Faults:
    """Check AC-303: riverside and coast have water along one edge, or a creek; others do not have water."""
    edge, creek = case.facts.edge_water, case.graph.creek
    wet = case.country.water
    if wet is None and edge is not None:
        yield Sentence("{country} has water along {edge}", country=case.country.name, edge=edge.edge)
    if wet is not None and edge is None and creek is None:
        yield Sentence("{country} has no water", country=case.country.name)
    if edge is not None and creek is not None:
        yield Sentence("it has both water along an edge and a creek")
    asked = (case.inputs.water or case.rules.choice("water")) == "auto"
    if edge is not None and asked and case.record.log and _chosen(case, "edge of the") != [edge.edge.value]:
        yield Sentence("the water is along {edge}, but the log does not say so", edge=edge.edge)
    if edge is not None and case.laid.seen and not any(True for _ in case.laid.of(edge.piece)):
        yield Sentence("the {piece} along {edge} is not on the table", piece=edge.piece.value, edge=edge.edge)
    if wet is not None and edge is not None and edge.piece is not wet:
        yield Sentence("{country} has a {piece}, not a {wet}", country=case.country.name, piece=edge.piece, wet=wet)


def creek_dice(case: AcwCase) -> Faults:
    """Check AC-305, AC-306: the dice of a creek pick the zones of its entry and exit (AC-D2, AC-D5)."""
    creek = case.creek
    if creek is None:
        raise UnseenError("no creek crosses the table")
    dice, zones = case.dice("water"), case.grid.edge_zones
    for words, end in ((Sentence("comes in"), creek.path[0]), (Sentence("goes out"), creek.path[-1])):
        scores = [int(throw.answer) for throw in dice if words in throw.reason and throw.answer in _SCORES]
        picked = [zones[number % len(zones)] for number in _numbers(scores, len(zones))]
        if len(zones) > 1 and picked[-1:] != [end]:
            yield Sentence(
                "the dice {scores} do not pick zone {end} for where the creek {words}",
                scores=scores,
                end=end,
                words=words,
            )


def state(region: Region, case: AcwCase) -> Faults:
    """Check one row of the State table (AC-111..AC-121)."""
    if not any(throw.reason == f"geography of {region.name}" for throw in case.dice("geography")):
        raise UnseenError("the battle is in a different place")
    yield from geography(case)


def _numbers(scores: list[int], items: int) -> Iterator[int]:
    """Yield the valid numbers that the dice give; each number needs a fixed count of dice (AC-D5)."""
    each = dice_needed(items)
    for start in range(0, len(scores) - each + 1, max(each, 1)):
        number = 0
        for score in scores[start : start + each]:
            number = number * _SIDES + score - 1
        if number < last_round(items):
            yield number


def _by_zone(case: AcwCase) -> Iterator[tuple[int, list[RollResult]]]:
    for zone, rolls in groupby(case.zones.results, lambda roll: roll.zone):
        yield zone, list(rolls)


def _listed(found: Sequence[tuple[int, Piece | None]]) -> str:
    places = [Sentence("{piece} in {zone}", piece=piece, zone=zone) for zone, piece in found]
    return joined(places) if places else Sentence("none")


def complete(*members: str) -> Check:
    """Return the check that the record of a game has these members."""

    def check(case: AcwCase) -> Faults:
        missing = [member for member in members if member not in case.details]
        if not case.record.log or not missing:
            raise UnseenError("the record has no log")
        yield Sentence("the record of a game has none of its {members}", members=", ".join(missing))

    return check


# The members that the record of a game must have, by clause.
MEMBER_CHECKS: Final[Mapping[str, Check]] = {
    "AC-103": complete("state", "geography", "table"),
    "AC-201": complete("grid"),
    "AC-204": complete("zones"),
    "AC-303": complete("water"),
    "AC-211": complete("graph"),
    "AC-N04": complete("reaches"),
}

# The checks of geography, water and zones by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-101": known_geography,
    **dict.fromkeys(("AC-103", "AC-110", "AC-D1"), geography),
    "AC-201": grid,
    "AC-204": columns,
    "AC-205": faces,
    "AC-206": stops,
    **dict.fromkeys(("AC-207", "AC-208", "AC-209", "AC-410"), choices),
    **dict.fromkeys(("AC-210", "AC-D3", "AC-D4"), order),
    "AC-212": limit,
    **dict.fromkeys(("AC-301", "AC-302"), places),
    **dict.fromkeys(("AC-303", "AC-304"), water),
    **dict.fromkeys(("AC-305", "AC-306", "AC-D2", "AC-D5"), creek_dice),
    **{f"AC-40{number}": partial(table, number) for number in range(1, 9)},
}
