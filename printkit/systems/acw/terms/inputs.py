"""Parse the lists of a scenario: campaign facts, zones, decisions and sizes. Every line is checked.

The list ``campaign`` has facts of the campaign map, and ``zones`` has fixed rolls of single zones. The list
``decisions`` has the defender's answers to each CHOICE, in order. The list ``profile`` replaces sizes and going of the
rule book. An example of each::

    campaign = ["town Gettysburg in 3", "fort in 5", "known 2: Hill, Stream", "geography Farm", "water S"]
    zones = ["1: 5 1 2 4", "4: Hill, Stream, STOP"]
    decisions = ["Wood", "nothing"]
    profile = ["Wood: size 0.4x0.3 factor 0.6-1.3 going difficult"]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.core.errors import DiceError, ScenarioError, Sentence
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, WATERS, Piece
from printkit.systems.acw.terms.plan import ZonePlan
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP

NAMES: Final = ("campaign", "zones", "decisions", "profile")
RECORDED: Final = "recorded"  # the choice policy that requires every decision in the scenario

NOTHING: Final = ("nothing", "none", "-")

_WATERS: Final = ("n", "e", "s", "w", "creek")
_BLANKS: Final = ("blank", "-", "nothing")
_PLACE: Final = re.compile(r"(town|fort)(?:\s+(.*?))?\s+in\s+(?:zone\s+)?([0-9]{1,40})", re.IGNORECASE)
_ZONE: Final = re.compile(r"(?:zone\s+)?z?([0-9]{1,40})\s*:\s*(.*)", re.IGNORECASE)
_KNOWN: Final = re.compile(r"known\s+(.*)", re.IGNORECASE)
_FACT: Final = re.compile(r"(geography|water)\s+(\S+)", re.IGNORECASE)
_DICE: Final = re.compile(r"[0-9\s,]+")


class CampaignPlace(Struct, frozen=True):
    """A town or fort of the campaign map, with its name if it has one (AC-301)."""

    piece: Piece
    zone: int
    name: str = ""

    @classmethod
    def create(cls, piece: Piece, zone: int, name: str) -> CampaignPlace:
        """Return a place; a fort with the name Stevens becomes Fort Stevens on the map.

        ``zone`` is the number of its zone. ``name`` may be empty.
        """
        add_prefix = piece is Piece.FORT and name and "fort" not in name.casefold().split()
        return cls(piece, zone, f"{piece.value} {name}" if add_prefix else name)


class FixedRolls(Struct, frozen=True):
    """The fixed rolls of a zone: its first dice, or else all its table cells."""

    dice: tuple[int, ...] = ()
    cells: tuple[str, ...] | None = None


class Inputs(Struct, frozen=True, kw_only=True):
    """The parsed lists of a scenario; missing lists are empty."""

    places: Mapping[int, CampaignPlace] = field(default_factory=dict)
    known_pieces: Mapping[int, tuple[Piece, ...]] = field(default_factory=dict)
    zones: Mapping[int, FixedRolls] = field(default_factory=dict)
    decisions: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    geography: str = ""
    water: str = ""

    @classmethod
    def read(cls, lists: Mapping[str, object], grid: ZonePlan) -> Inputs:
        """Parse the lists of a scenario: ``campaign``, ``zones``, ``decisions`` and ``profile``.

        ``lists`` has the text or the lines of each list by its name; a missing list is empty. Lines of the profile are
        not checked here.

        Raises:
            ScenarioError: a list is unknown, or a line cannot be read or names an unknown zone (AC-X08).
            DiceError: a die of a zone is not from 1 to 6 (AC-X04).
        """
        for name in lists:
            if name not in NAMES:
                raise ScenarioError("acw has no list {name!r}; use one of {names}", name=name, names=", ".join(NAMES))
        lines = {name: _split_lines(name, lists.get(name, ())) for name in NAMES}
        return replace(
            _parse_campaign(lines["campaign"], grid),
            zones=_parse_zones(lines["zones"], grid),
            decisions=tuple(part.strip() for line in lines["decisions"] for part in line.split(",") if part.strip()),
            profile=lines["profile"],
        )


def find_piece(text: str) -> Piece | None:
    """Return the piece of terrain with this English name (ignoring case and extra spaces), or None."""
    spelling = " ".join(text.replace("+", " + ").casefold().split())
    return next((piece for piece in Piece if piece.value.casefold() == spelling), None)


def _parse_campaign(lines: Iterable[str], grid: ZonePlan) -> Inputs:
    """Parse the lines of the list ``campaign``.

    Raises:
        ScenarioError: a line cannot be read, or names an unknown zone or one with a place (AC-X08, AC-X09).
    """
    places: dict[int, CampaignPlace] = {}
    known_pieces: dict[int, tuple[Piece, ...]] = {}
    facts: dict[str, str] = {}
    for line in lines:
        if (place_match := _PLACE.fullmatch(line)) is not None:
            place = CampaignPlace.create(Piece(place_match[1].capitalize()), int(place_match[3]), place_match[2] or "")
            _check_zone(place.zone, grid, f"{place.piece.value} {place.name}".strip())
            if place.zone in places:
                raise ScenarioError(
                    "zone {zone} has both {earlier} and {piece}; move one to another zone",
                    zone=place.zone,
                    earlier=places[place.zone].piece,
                    piece=place.piece,
                    clause="AC-X08",
                )
            places[place.zone] = place
        elif (fact_match := _FACT.fullmatch(line)) is not None:
            facts[fact_match[1].lower()] = fact_match[2]
        elif (known_match := _KNOWN.fullmatch(line)) is not None and (
            zone_match := _ZONE.fullmatch(known_match[1])
        ) is not None:
            known_pieces[_check_zone(int(zone_match[1]), grid, line)] = tuple(
                _parse_piece(part, line) for part in zone_match[2].split(",")
            )
        else:
            raise ScenarioError(
                "{line!r} is not a fact of a campaign; write for example town NAME in 3, fort NAME in 3, "
                "known 2: Hill, geography Farm or water S",
                line=line,
            )
    water = _parse_water(facts.get("water", ""))
    return Inputs(places=places, known_pieces=known_pieces, geography=facts.get("geography", ""), water=water)


def _parse_zones(lines: Iterable[str], grid: ZonePlan) -> dict[int, FixedRolls]:
    """Return the fixed rolls by zone from the lines of the list ``zones``.

    Raises:
        ScenarioError: a line cannot be read, or a zone is unknown (AC-X08) or listed twice.
        DiceError: a die is not from 1 to 6 (AC-X04).
    """
    zones: dict[int, FixedRolls] = {}
    for line in lines:
        match = _ZONE.fullmatch(line)
        if match is None:
            raise ScenarioError(
                "{line!r} is not a zone; write its dice, for example 3: 5 1 2 4, or its results, for "
                "example 3: Hill, STOP",
                line=line,
            )
        zone = _check_zone(int(match[1]), grid, line)
        if zone in zones:
            raise ScenarioError("zone {zone} is listed twice; keep one line", zone=zone)
        zones[zone] = _parse_rolls(match[2], zone)
    return zones


def _parse_rolls(text: str, zone: int) -> FixedRolls:
    """Return the fixed rolls of a zone from a text of scores (1 to 6) or of table cells separated by commas.

    The result has either ``dice`` or ``cells``.

    Raises:
        ScenarioError: a cell is unknown.
        DiceError: a die is not from 1 to 6 (AC-X04).
    """
    if _DICE.fullmatch(text) is None:
        return FixedRolls(cells=tuple(_parse_cell(part, zone) for part in text.split(",")))
    dice = tuple(int(score) for score in re.findall(r"[0-9]{1,40}", text))
    for roll, die in enumerate(dice, 1):
        if not 1 <= die <= 6:
            raise DiceError(
                "die {roll} of zone {zone} is {die}; write a score from 1 to 6",
                roll=roll,
                zone=zone,
                die=die,
                clause="AC-X04",
            )
    return FixedRolls(dice=dice)


def _parse_cell(text: str, zone: int) -> str:
    """Return the cell of a roll table that a text names: a piece, STOP, CHOICE or a blank.

    ``zone`` is for messages.

    Raises:
        ScenarioError: the text is not a cell.
    """
    name = text.strip()
    if name.upper() in (STOP, CHOICE):
        return name.upper()
    return BLANK if name.casefold() in _BLANKS else _parse_piece(name, Sentence("zone {zone}", zone=zone)).value


def _parse_piece(text: str, source: str) -> Piece:
    """Return the piece of the roll tables that a text names.

    ``source`` is the place of the text, for messages.

    Raises:
        ScenarioError: the tables do not have such a piece.
    """
    piece = find_piece(text)
    if piece is None or piece in (*CAMPAIGN_PLACES, *WATERS):
        raise ScenarioError(
            "{where}: {number!r} is not a terrain piece of the tables; write for example Hill or Fenced Road",
            where=source,
            number=text.strip(),
        )
    return piece


def _check_zone(zone: int, grid: ZonePlan, source: str) -> int:
    """Return a zone number after a check that the table has it.

    ``source`` is the place of the number, for messages. Zones count from 1.

    Raises:
        ScenarioError: there is no such zone (AC-X08).
    """
    if zone not in grid.zones:
        raise ScenarioError(
            "{where}: there is no zone {zone}; use 1 to {count}",
            where=source,
            zone=zone,
            count=len(grid.zones),
            clause="AC-X08",
        )
    return zone


def _parse_water(text: str) -> str:
    """Return an edge N, E, S or W in upper case, or ``creek``; empty for an empty text.

    Raises:
        ScenarioError: the text is not an edge or ``creek`` (AC-X09).
    """
    if text and text.lower() not in _WATERS:
        raise ScenarioError("water {text} is not valid; write N, E, S, W or creek", text=text, clause="AC-X09")
    return text.lower() if text.lower() == "creek" else text.upper()


def _split_lines(name: str, value: object) -> tuple[str, ...]:
    """Return the entries of a list of a scenario, without comments after ``#`` and empty lines.

    ``value`` is a text of several lines, or a list of texts. ``name`` is that of the list, for messages.

    Raises:
        ScenarioError: it is neither.
    """
    lines = value.splitlines() if isinstance(value, str) else value
    if not isinstance(lines, (list, tuple)) or any(not isinstance(line, str) for line in lines):
        raise ScenarioError("{name} is not a list of texts; write one entry per line", name=name)
    return tuple(entry for line in lines if (entry := line.split("#")[0].strip()))
