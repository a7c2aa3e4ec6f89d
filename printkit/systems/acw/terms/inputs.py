"""Parse the lists of a scenario: campaign facts, zones, decisions and sizes. Every line is checked.

The list ``campaign`` has facts of the campaign map, and ``zones`` has fixed rolls of single zones. The list
``decisions`` has the defender's answers to each CHOICE, in order. The list ``profile`` replaces sizes and going of the
rule book::

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
    def of(cls, piece: Piece, zone: int, name: str) -> CampaignPlace:
        """Return a place; a fort with the name Stevens becomes Fort Stevens on the map."""
        bare = piece is Piece.FORT and name and "fort" not in name.casefold().split()
        return cls(piece, zone, f"{piece.value} {name}" if bare else name)


class Fixed(Struct, frozen=True):
    """The fixed rolls of a zone: its first dice, or else all its table cells."""

    dice: tuple[int, ...] = ()
    cells: tuple[str, ...] | None = None


class Inputs(Struct, frozen=True, kw_only=True):
    """The parsed lists of a scenario; missing lists are empty."""

    places: Mapping[int, CampaignPlace] = field(default_factory=dict)
    known: Mapping[int, tuple[Piece, ...]] = field(default_factory=dict)
    zones: Mapping[int, Fixed] = field(default_factory=dict)
    decisions: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()
    geography: str = ""
    water: str = ""

    @classmethod
    def read(cls, given: Mapping[str, object], grid: ZonePlan) -> Inputs:
        """Parse the lists of a scenario.

        Raises:
            ScenarioError: a list is unknown, or a line cannot be read or names an unknown zone (AC-X08).
            DiceError: a die of a zone is not from 1 to 6 (AC-X04).
        """
        for name in given:
            if name not in NAMES:
                raise ScenarioError("acw has no list {name!r}; use one of {names}", name=name, names=", ".join(NAMES))
        lines = {name: _lines(name, given.get(name, ())) for name in NAMES}
        return replace(
            _campaign(lines["campaign"], grid),
            zones=_zones(lines["zones"], grid),
            decisions=tuple(part.strip() for line in lines["decisions"] for part in line.split(",") if part.strip()),
            profile=lines["profile"],
        )


def piece_named(text: str) -> Piece | None:
    """Return the piece of terrain with this name (ignoring case), or None."""
    wanted = " ".join(text.replace("+", " + ").casefold().split())
    return next((piece for piece in Piece if piece.value.casefold() == wanted), None)


def _campaign(lines: Iterable[str], grid: ZonePlan) -> Inputs:
    """Parse the lines of the list ``campaign``."""
    places: dict[int, CampaignPlace] = {}
    known: dict[int, tuple[Piece, ...]] = {}
    facts: dict[str, str] = {}
    for line in lines:
        if (found := _PLACE.fullmatch(line)) is not None:
            place = CampaignPlace.of(Piece(found[1].capitalize()), int(found[3]), found[2] or "")
            _zone(place.zone, grid, f"{place.piece.value} {place.name}".strip())
            if place.zone in places:
                raise ScenarioError(
                    "zone {zone} has both {earlier} and {piece}; move one to another zone",
                    zone=place.zone,
                    earlier=places[place.zone].piece,
                    piece=place.piece,
                    clause="AC-X08",
                )
            places[place.zone] = place
        elif (fact := _FACT.fullmatch(line)) is not None:
            facts[fact[1].lower()] = fact[2]
        elif (told := _KNOWN.fullmatch(line)) is not None and (zone := _ZONE.fullmatch(told[1])) is not None:
            known[_zone(int(zone[1]), grid, line)] = tuple(_piece(part, line) for part in zone[2].split(","))
        else:
            raise ScenarioError(
                "{line!r} is not a fact of a campaign; write for example town NAME in 3, fort NAME in 3, "
                "known 2: Hill, geography Farm or water S",
                line=line,
            )
    water = _water(facts.get("water", ""))
    return Inputs(places=places, known=known, geography=facts.get("geography", ""), water=water)


def _zones(lines: Iterable[str], grid: ZonePlan) -> dict[int, Fixed]:
    found: dict[int, Fixed] = {}
    for line in lines:
        match = _ZONE.fullmatch(line)
        if match is None:
            raise ScenarioError(
                "{line!r} is not a zone; write its dice, for example 3: 5 1 2 4, or its results, for "
                "example 3: Hill, STOP",
                line=line,
            )
        zone = _zone(int(match[1]), grid, line)
        if zone in found:
            raise ScenarioError("zone {zone} is listed twice; keep one line", zone=zone)
        found[zone] = _fixed(match[2], zone)
    return found


def _fixed(text: str, zone: int) -> Fixed:
    if _DICE.fullmatch(text) is None:
        return Fixed(cells=tuple(_cell(part, zone) for part in text.split(",")))
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
    return Fixed(dice=dice)


def _cell(text: str, zone: int) -> str:
    bare = text.strip()
    if bare.upper() in (STOP, CHOICE):
        return bare.upper()
    return BLANK if bare.casefold() in _BLANKS else _piece(bare, Sentence("zone {zone}", zone=zone)).value


def _piece(text: str, where: str) -> Piece:
    piece = piece_named(text)
    if piece is None or piece in (*CAMPAIGN_PLACES, *WATERS):
        raise ScenarioError(
            "{where}: {number!r} is not a terrain piece of the tables; write for example Hill or Fenced Road",
            where=where,
            number=text.strip(),
        )
    return piece


def _zone(zone: int, grid: ZonePlan, where: str) -> int:
    if zone not in grid.zones:
        raise ScenarioError(
            "{where}: there is no zone {zone}; use 1 to {count}",
            where=where,
            zone=zone,
            count=len(grid.zones),
            clause="AC-X08",
        )
    return zone


def _water(text: str) -> str:
    if text and text.lower() not in _WATERS:
        raise ScenarioError("water {text} is not valid; write N, E, S, W or creek", text=text, clause="AC-X09")
    return text.lower() if text.lower() == "creek" else text.upper()


def _lines(name: str, value: object) -> tuple[str, ...]:
    lines = value.splitlines() if isinstance(value, str) else value
    if not isinstance(lines, (list, tuple)) or any(not isinstance(line, str) for line in lines):
        raise ScenarioError("{name} is not a list of texts; write one entry per line", name=name)
    return tuple(bare for line in lines if (bare := line.split("#")[0].strip()))
