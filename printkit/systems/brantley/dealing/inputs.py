"""The lists of a scenario: a pack, turns, zones, features and courses. Each line is checked.

A list is a list of texts, or one text with one entry per line. Blanks may separate the cards of a pack or of zones. A
recorded feature is a line with its zone and known facts, in inches of the 24-inch board::

    z5 size 6.0x5.0 turn 45 at 12.0,12.0 steep 0,2

``size`` is the long side by the short side. ``turn`` is in degrees anticlockwise. ``at`` is the middle of the feature
on the board. ``steep`` lists the steep sides of a hill. The placer decides every fact that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from printkit.chance.dice import split_scores
from printkit.core.errors import DiceError, ScenarioError
from printkit.systems.brantley.dealing.cards import PlayingCard, read_card
from printkit.systems.brantley.dealing.deal import ZONES

NAMES: Final = ("deck", "placements", "zones", "features", "rivers", "roads")

_COMMENT: Final = re.compile(r"#.*")
_NUMBER: Final = r"(-?[0-9]{1,40}(?:\.[0-9]{1,40})?)"
_FACT_PATTERNS: Final = {
    "size": re.compile(rf"{_NUMBER}[x×]{_NUMBER}"),
    "turn": re.compile(_NUMBER),
    "at": re.compile(rf"{_NUMBER},{_NUMBER}"),
    "steep": re.compile(r"[0-9](?:,[0-9])*"),
}


class RecordedFeature(Struct, frozen=True, kw_only=True):
    """A recorded feature; None for facts that are missing.

    ``zone`` and ``line`` count from 1. ``size`` is the long and the short side, and ``at`` the middle (x, y) from the
    near left corner of the board, in inches of the rules. ``turn`` is in degrees anticlockwise. ``steep`` are numbers
    of sides from 0.
    """

    zone: int
    line: int
    size: tuple[float, float] | None = None
    turn: float | None = None
    at: tuple[float, float] | None = None
    steep: tuple[int, ...] | None = None


class Inputs(Struct, frozen=True, kw_only=True):
    """The lists of a scenario; missing lists are empty.

    ``deck`` has card codes, ``placements``, ``rivers`` and ``roads`` have lines of text. ``zones`` are the cards of the
    zones 1 to 9. ``features`` are by zone number.
    """

    deck: tuple[str, ...] = ()
    placements: tuple[str, ...] = ()
    zones: tuple[PlayingCard, ...] = ()
    features: Mapping[int, RecordedFeature] = field(default_factory=dict)
    rivers: tuple[str, ...] = ()
    roads: tuple[str, ...] = ()

    @classmethod
    def from_scenario(cls, scenario_lists: Mapping[str, object]) -> Inputs:
        """Return the lists of a scenario.

        ``scenario_lists`` has each list by its name: a list of texts, or one text with a line for each entry.

        Raises:
            ScenarioError: a list is unknown, is not a list of texts, or has a line that cannot be parsed; or there are
                both zones and a deck or placements.
            DiceError: a card of the zones is unknown or listed twice, or there are not nine (BR-X06).
        """
        for name in scenario_lists:
            if name not in NAMES:
                raise ScenarioError(
                    "brantley has no list {name!r}; use one of {names}", name=name, names=", ".join(NAMES)
                )
        lines = {name: _clean_lines(name, scenario_lists[name]) for name in scenario_lists}
        if lines.get("zones") and (lines.get("deck") or lines.get("placements")):
            raise ScenarioError("zones already says which card is where; use either zones or deck and placements")
        return cls(
            deck=tuple(code for line in lines.get("deck", ()) for code in split_scores(line)),
            placements=lines.get("placements", ()),
            zones=_parse_zone_cards(lines.get("zones", ())),
            features=_parse_features(lines.get("features", ())),
            rivers=lines.get("rivers", ()),
            roads=lines.get("roads", ()),
        )


def plain(scenario_lists: Mapping[str, object]) -> dict[str, list[str]]:
    """Return the lines of each list of a scenario, by the list's name, as the record stores them.

    They were not left to chance, so they are not in the log. Comments and empty lines are left out.

    Raises:
        ScenarioError: a value is not a list of texts.
    """
    return {name: list(_clean_lines(name, value)) for name, value in scenario_lists.items()}


def _clean_lines(name: str, value: object) -> tuple[str, ...]:
    """Return the entries of a list without comments and empty lines; ``name`` is for the message.

    Raises:
        ScenarioError: it is not a list of texts.
    """
    lines = value.splitlines() if isinstance(value, str) else value
    if not isinstance(lines, (list, tuple)) or any(not isinstance(line, str) for line in lines):
        raise ScenarioError("{name} is not a list of texts; write one entry per line", name=name)
    return tuple(bare for line in lines if (bare := _COMMENT.sub("", line).strip()))


def _parse_zone_cards(lines: tuple[str, ...]) -> tuple[PlayingCard, ...]:
    """Return the cards of the zones 1 to 9; empty if there are none.

    Raises:
        DiceError: a card is unknown or listed twice, or there are not nine (BR-X06).
    """
    cards = tuple(read_card(code) for line in lines for code in split_scores(line))
    for card in cards:
        if cards.count(card) > 1:
            raise DiceError(
                "{card} is in {times} zones; the deck has only one",
                card=card,
                times=cards.count(card),
                clause="BR-X06",
            )
    if cards and len(cards) != len(ZONES):
        raise DiceError(
            "zones has {count} cards; it needs one for each of the zones 1 to 9", count=len(cards), clause="BR-X06"
        )
    return cards


def _parse_features(lines: tuple[str, ...]) -> dict[int, RecordedFeature]:
    """Return the recorded features by zone number, from 1.

    Raises:
        ScenarioError: a line cannot be parsed, or repeats a zone.
    """
    features: dict[int, RecordedFeature] = {}
    for number, line in enumerate(lines, 1):
        feature = _parse_feature(number, line)
        if feature.zone in features:
            raise ScenarioError(
                "line {number} of the features repeats zone {zone}, already in line {line}",
                number=number,
                zone=feature.zone,
                line=features[feature.zone].line,
            )
        features[feature.zone] = feature
    return features


def _parse_feature(number: int, line: str) -> RecordedFeature:
    """Return the feature that a line records; ``number`` is the line number from 1, for messages.

    Lengths are in inches of the rules, the rotation is 0 to 360 degrees, and a fact that the line does not have is
    empty (None).

    Raises:
        ScenarioError: the line cannot be parsed, or its zone does not exist (BR-X01).
    """
    words = line.lower().split()
    zone = re.fullmatch(r"z([0-9]{1,40})", words[0])
    if zone is None or len(words) % 2 == 0:
        raise _line_error(number, line)
    if int(zone[1]) not in ZONES:
        raise ScenarioError(
            "line {number} of the features: there is no zone {zone}; zones are 1 to 9",
            number=number,
            zone=zone[1],
            clause="BR-X01",
        )
    facts = dict(_parse_facts(number, line, words[1:]))
    size, centre = facts.get("size"), facts.get("at")
    return RecordedFeature(
        zone=int(zone[1]),
        line=number,
        size=(max(size), min(size)) if size else None,
        turn=facts["turn"][0] % 360 if "turn" in facts else None,
        at=(centre[0], centre[1]) if centre else None,
        steep=tuple(int(side) for side in facts["steep"]) if "steep" in facts else None,
    )


def _parse_facts(number: int, line: str, words: list[str]) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the name and the numbers of each fact of a feature: inches, degrees or side numbers.

    ``words`` are names and values in turn. ``number`` (from 1) and ``line`` are for messages.

    Raises:
        ScenarioError: a name is unknown, or a value cannot be parsed.
    """
    for name, text in zip(words[::2], words[1::2], strict=True):
        if name not in _FACT_PATTERNS or _FACT_PATTERNS[name].fullmatch(text) is None:
            raise _line_error(number, line)
        yield name, tuple(float(part) for part in re.split(r"[x×,]", text))


def _line_error(number: int, line: str) -> ScenarioError:
    """Return the error for a line of the features, number ``number`` from 1, that cannot be parsed."""
    return ScenarioError(
        "line {number} of the features is {line!r}; write the zone and facts, for example z5 size 6.0x5.0 "
        "turn 45 at 12.0,12.0 steep 0,2",
        number=number,
        line=line,
    )
