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


def check_geography(case: AcwCase) -> Faults:
    """Check AC-103: the geography is the one that the die gives for the State.

    Raises:
        UnseenError: no die was rolled for the geography, and the orders did not ask for one.
    """
    stated_name, dice = case.geography.name, case.dice("geography")
    setting = case.inputs.geography or case.rules.choice("geography")
    if not dice and setting != "by-state":
        raise UnseenError("no die was rolled for the geography")
    if not dice:
        yield Sentence("no die was rolled for the geography")
    if setting == "by-state" and case.rules.choice("state") == "any" and not _list_choices(case, "State of the battle"):
        yield Sentence("the record does not say how the State of the battle was chosen")
    for number, (answer, reason) in enumerate(((throw.answer, throw.reason) for throw in dice), 1):
        region = case.tables.region(reason.removeprefix("geography of "))
        if case.facts.state != region.name:
            yield Sentence(
                "the record states {state}, but the die is for {region}", state=case.facts.state, region=region.name
            )
        die_geography = dict(zip(_SCORES, region.geographies, strict=True)).get(answer)
        if die_geography is None:
            yield Sentence("the die for {reason} shows {answer!r}", reason=reason, answer=answer)
        elif number < len(dice) and not allows_water(case.tables.geography(die_geography), case.inputs, case.rules):
            continue
        elif die_geography != stated_name:
            yield Sentence(
                "die {answer} for {region} gives {found}, not {named}",
                answer=answer,
                region=region.name,
                found=die_geography,
                named=stated_name,
            )


def _list_choices(case: AcwCase, reason: str) -> list[str]:
    """Return the logged answers to choices whose reason starts with ``reason``; empty without any."""
    return [throw.answer for throw in case.throws() if throw.act is Act.CHOICE and throw.reason.startswith(reason)]


def check_known_geography(case: AcwCase) -> Faults:
    """Check AC-101: no die is rolled for a geography from the campaign map or a setting.

    Raises:
        UnseenError: the geography was not known before the game.
    """
    known_name = case.inputs.geography or case.rules.choice("geography")
    if known_name == "by-state":
        raise UnseenError("the geography was not known")
    if case.dice("geography"):
        yield Sentence("a die was rolled although the geography {given} was known", given=known_name)
    if case.tables.geography(known_name) != case.geography:
        yield Sentence(
            "the geography is {country}, but {given} was known", country=case.geography.name, given=known_name
        )


def check_grid(case: AcwCase) -> Faults:
    """Check AC-201: the record has the zones of its board.

    Raises:
        UnseenError: the record does not state its zones.
    """
    recorded_grid, columns, rows = case.facts.grid, case.grid.columns, case.grid.rows
    if recorded_grid is None:
        raise UnseenError("the record does not state its zones")
    if (recorded_grid.columns, recorded_grid.rows) != (columns, rows):
        yield Sentence(
            "the record has {told_columns} x {told_rows} zones; this board has {columns} x {rows}",
            told_columns=recorded_grid.columns,
            told_rows=recorded_grid.rows,
            columns=columns,
            rows=rows,
        )


def check_columns(case: AcwCase) -> Faults:
    """Check AC-204: a zone has up to four rolls, each once and in order."""
    most = case.rules.whole("rolls")
    for zone, rolls in _group_by_zone(case):
        numbers = [roll.roll for roll in rolls]
        if numbers != sorted(set(numbers)) or not all(1 <= number <= most for number in numbers):
            yield Sentence("zone {zone} has the rolls {numbers}", zone=zone, numbers=numbers)


def check_table(number: int, case: AcwCase) -> Faults:
    """Check roll table ``number`` (1 to 8): each die gives the cell of its column (AC-401..AC-408).

    Raises:
        UnseenError: the geography of the battle uses another table.
    """
    rolls, stated_number = case.geography.rolls, case.facts.table
    if rolls.number != number:
        raise UnseenError("the battle has a different geography")
    if stated_number not in (None, number):
        values = {"country": case.geography.name, "number": number}
        yield Sentence("the record states table {told}, but {country} has table {number}", told=stated_number, **values)
    for roll in case.zones.results:
        cell = roll.cell if roll.die is None else rolls.cell(roll.die, roll.roll)
        if cell != roll.cell:
            yield Sentence(
                "{where}: die {die} gives {cell}, not {rolled}",
                where=_roll_label(roll),
                die=roll.die,
                cell=cell or Sentence("a blank"),
                rolled=roll.cell or Sentence("a blank"),
            )


def _roll_label(roll: RollResult) -> Sentence:
    """Return the zone and roll number of a roll, for messages."""
    return Sentence("zone {zone}, roll {roll}", zone=roll.zone, roll=roll.roll)


def faces(case: AcwCase) -> Faults:
    """Check AC-205: each roll gives the piece of its cell, and a blank does not give a piece."""
    for roll in case.zones.results:
        cell, piece = roll.cell, roll.piece
        if cell not in (STOP, CHOICE, "") and (piece is None or piece.value != cell):
            yield Sentence(
                "{where}: {cell} became {piece}", where=_roll_label(roll), cell=cell, piece=piece or Sentence("nothing")
            )
        if cell == "" and roll.is_placed:
            yield Sentence("{where}: a blank became {piece}", where=_roll_label(roll), piece=piece)


def check_stops(case: AcwCase) -> Faults:
    """Check AC-206: a zone has no rolls after its STOP."""
    for zone, rolls in _group_by_zone(case):
        cells = [roll.cell for roll in rolls]
        if STOP in cells[:-1]:
            yield Sentence("zone {zone} continues after its STOP", zone=zone)


def check_choices(case: AcwCase) -> Faults:
    """Check AC-207: a CHOICE gives a feature of its list, or nothing."""
    options = choice_list(case.geography, case.rules)
    choice_rolls = [roll for roll in case.zones.results if roll.cell == CHOICE]
    count = max(0, len(choice_rolls) - len(case.inputs.decisions))
    if case.rules.choice("choice-policy") in ("uniform", "ask") and len(_list_choices(case, CHOICE)) != count:
        yield Sentence(
            "{count} CHOICES were rolled, but the log answers {answered}",
            count=count,
            answered=len(_list_choices(case, CHOICE)),
        )
    for roll in (roll for roll in choice_rolls if roll.piece is not None and roll.piece not in options):
        yield Sentence("{where}: the CHOICE was {piece}", where=_roll_label(roll), piece=roll.piece)


def check_order(case: AcwCase) -> Faults:
    """Check AC-D3: the dice of the log match the rolls of the zones, zone by zone."""
    rolls = sorted(
        (roll.throw, roll.zone, roll.roll, str(roll.die)) for roll in case.zones.results if roll.throw is not None
    )
    record_rolls = [roll[1:] for roll in rolls]
    log_rolls = [
        (int(match[1]), int(match[2]), throw.answer)
        for throw in case.dice("zones")
        if (match := _REASON.fullmatch(throw.reason)) is not None
    ]
    if record_rolls != log_rolls:
        differences = (pair[0][:2] for pair in zip(record_rolls, log_rolls, strict=False) if pair[0] != pair[1])
        zone, roll = next(differences, (0, 0))
        where = Sentence("zone {zone}, roll {roll}", zone=zone, roll=roll) if zone else Sentence("the last of them")
        yield Sentence("the rolls of the record and the dice of the log differ from {where} on", where=where)
    sequence = [zone for zone, _ in groupby(zone for zone, _, _ in log_rolls)]
    if len(sequence) != len(set(sequence)):
        yield Sentence("the dice of a zone are not consecutive")
    elif sequence != sorted(sequence):
        yield Sentence("the zones were not rolled row by row")


def check_limit(case: AcwCase) -> Faults:
    """Check AC-212: farms and settlements are ignored from the third one on, and not before."""
    tally = Tally(case.rules.whole("limit"))
    for roll in case.zones.results:
        if roll.outcome is RollOutcome.GIVEN and roll.piece is not None:
            tally.add(roll.piece)
    for roll in case.zones.results:
        if roll.piece is None or roll.outcome not in (RollOutcome.KEPT, RollOutcome.CHOSEN, RollOutcome.IGNORED):
            continue
        is_over = tally.ignores(roll.piece)
        if is_over and roll.is_placed:
            yield Sentence("{where}: {piece} should be ignored", where=_roll_label(roll), piece=roll.piece)
        elif not is_over and not roll.is_placed:
            yield Sentence("{where}: {piece} does not count", where=_roll_label(roll), piece=roll.piece)
        if roll.is_placed:
            tally.add(roll.piece)


def check_places(case: AcwCase) -> Faults:
    """Check AC-301, AC-302: each town of the campaign is roll 1 of its zone, and a zone has only one."""
    marked_places = sorted((zone, place.piece) for zone, place in case.inputs.places.items())
    recorded_places = [(roll.zone, roll.piece) for roll in case.zones.results if roll.piece in CAMPAIGN_PLACES]
    if sorted(recorded_places) != marked_places:
        yield Sentence(
            "the record has the places {told}, but the campaign marks {marked}",
            told=_list_places(recorded_places),
            marked=_list_places(marked_places),
        )
    for roll in case.zones.results:
        if roll.piece in CAMPAIGN_PLACES and roll.roll > 1:
            yield Sentence("{piece} is roll {roll} of zone {zone}", piece=roll.piece, roll=roll.roll, zone=roll.zone)
    yield from check_placed_towns(case, *CAMPAIGN_PLACES)


def check_placed_towns(case: AcwCase, *pieces: Piece) -> Faults:
    """Check AC-302: a town that the campaign marks is always in its zone."""
    for roll in case.facts.rolls:
        lost = roll.piece in pieces and roll.is_placed and not any(case.layout.in_zone(roll.zone, *pieces))
        if lost and case.layout.all_pieces:
            yield Sentence(
                "the {piece} that the campaign marks in zone {zone} is not there",
                piece=roll.piece,
                zone=roll.zone,
            )


def check_water(case: AcwCase) -> Faults:
    """Check AC-303: riverside and coast have water along one edge, or a creek; others do not have water."""
    edge, creek = case.facts.edge_water, case.graph.creek
    kind = case.geography.water
    if kind is None and edge is not None:
        yield Sentence("{country} has water along {edge}", country=case.geography.name, edge=edge.edge)
    if kind is not None and edge is None and creek is None:
        yield Sentence("{country} has no water", country=case.geography.name)
    if edge is not None and creek is not None:
        yield Sentence("it has both water along an edge and a creek")
    is_auto = (case.inputs.water or case.rules.choice("water")) == "auto"
    if edge is not None and is_auto and case.record.log and _list_choices(case, "edge of the") != [edge.edge.value]:
        yield Sentence("the water is along {edge}, but the log does not say so", edge=edge.edge)
    if edge is not None and case.layout.all_pieces and not any(True for _ in case.layout.select(edge.piece)):
        yield Sentence("the {piece} along {edge} is not on the table", piece=edge.piece.value, edge=edge.edge)
    if kind is not None and edge is not None and edge.piece is not kind:
        yield Sentence("{country} has a {piece}, not a {wet}", country=case.geography.name, piece=edge.piece, wet=kind)


def check_creek_dice(case: AcwCase) -> Faults:
    """Check AC-305, AC-306: the dice of a creek pick the zones of its entry and exit (AC-D2, AC-D5).

    Raises:
        UnseenError: the record has no creek.
    """
    creek = case.creek
    if creek is None:
        raise UnseenError("no creek crosses the table")
    dice, zones = case.dice("water"), case.grid.edge_zones
    for words, end in ((Sentence("comes in"), creek.path[0]), (Sentence("goes out"), creek.path[-1])):
        scores = [int(throw.answer) for throw in dice if words in throw.reason and throw.answer in _SCORES]
        picks = [zones[number % len(zones)] for number in _decode_numbers(scores, len(zones))]
        if len(zones) > 1 and picks[-1:] != [end]:
            yield Sentence(
                "the dice {scores} do not pick zone {end} for where the creek {words}",
                scores=scores,
                end=end,
                words=words,
            )


def check_state(region: Region, case: AcwCase) -> Faults:
    """Check one row of the State table (AC-111..AC-121).

    Raises:
        UnseenError: no die was rolled for the geography of this State.
    """
    if not any(throw.reason == f"geography of {region.name}" for throw in case.dice("geography")):
        raise UnseenError("the battle is in a different place")
    yield from check_geography(case)


def _decode_numbers(scores: list[int], items: int) -> Iterator[int]:
    """Yield the numbers, from 0, that the scores of dice give for ``items`` items (AC-D5).

    Each number needs a fixed count of dice. Numbers from ``last_round`` upwards are left out, because they are rolled
    again. Dice at the end that are too few for a number are ignored.
    """
    dice_count = dice_needed(items)
    for start in range(0, len(scores) - dice_count + 1, max(dice_count, 1)):
        number = 0
        for score in scores[start : start + dice_count]:
            number = number * _SIDES + score - 1
        if number < last_round(items):
            yield number


def _group_by_zone(case: AcwCase) -> Iterator[tuple[int, list[RollResult]]]:
    """Yield each zone with its rolls, in the order of the record."""
    for zone, rolls in groupby(case.zones.results, lambda roll: roll.zone):
        yield zone, list(rolls)


def _list_places(entries: Sequence[tuple[int, Piece | None]]) -> str:
    """Return pieces and the numbers of their zones as text for messages, or the word for no pieces.

    ``entries`` are pairs of zone and piece.
    """
    places = [Sentence("{piece} in {zone}", piece=piece, zone=zone) for zone, piece in entries]
    return joined(places) if places else Sentence("none")


def require_members(*members: str) -> Check:
    """Return the check that the record of a game has these members in its details.

    Raises:
        UnseenError: nothing is missing, or the record has no log (raised by the returned check).
    """

    def check(case: AcwCase) -> Faults:
        """Yield a fault if the record of a game misses members."""
        missing = [member for member in members if member not in case.details]
        if not case.record.log or not missing:
            raise UnseenError("the record has no log")
        yield Sentence("the record of a game has none of its {members}", members=", ".join(missing))

    return check


# The members that the record of a game must have, by clause.
MEMBER_CHECKS: Final[Mapping[str, Check]] = {
    "AC-103": require_members("state", "geography", "table"),
    "AC-201": require_members("grid"),
    "AC-204": require_members("zones"),
    "AC-303": require_members("water"),
    "AC-211": require_members("graph"),
    "AC-N04": require_members("reaches"),
}

# The checks of geography, water and zones by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-101": check_known_geography,
    **dict.fromkeys(("AC-103", "AC-110", "AC-D1"), check_geography),
    "AC-201": check_grid,
    "AC-204": check_columns,
    "AC-205": faces,
    "AC-206": check_stops,
    **dict.fromkeys(("AC-207", "AC-208", "AC-209", "AC-410"), check_choices),
    **dict.fromkeys(("AC-210", "AC-D3", "AC-D4"), check_order),
    "AC-212": check_limit,
    **dict.fromkeys(("AC-301", "AC-302"), check_places),
    **dict.fromkeys(("AC-303", "AC-304"), check_water),
    **dict.fromkeys(("AC-305", "AC-306", "AC-D2", "AC-D5"), check_creek_dice),
    **{f"AC-40{number}": partial(check_table, number) for number in range(1, 9)},
}
