"""The notation of rivers and roads: ``river A N:8 via 9,14 -> lake@6``, in inches of a 24-inch board."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import PlacementError, ScenarioError, Sentence, joined
from printkit.kit.rules import Rules
from printkit.terrain.field.battlefield import Board, Edge

XY: TypeAlias = tuple[float, float]

# The edge of each letter in the notation of the game. The letters are not compass directions on the sheet.
LETTERS: Final[Mapping[str, Edge]] = {"N": Edge.FAR, "S": Edge.NEAR, "W": Edge.LEFT, "E": Edge.RIGHT}

_EDGE_LETTERS: Final = {edge: letter for letter, edge in LETTERS.items()}

OPPOSITE: Final = {Edge.FAR: Edge.NEAR, Edge.NEAR: Edge.FAR, Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT}

_INWARD: Final = {Edge.FAR: (0.0, -1.0), Edge.NEAR: (0.0, 1.0), Edge.LEFT: (1.0, 0.0), Edge.RIGHT: (-1.0, 0.0)}


class EdgePoint(Struct, frozen=True):
    """A point on a board edge, in inches of the rules from the edge's left or near end.

    Negative inches count back from the other end.
    """

    edge: Edge
    inches: float

    def __str__(self) -> str:
        return f"{_EDGE_LETTERS[self.edge]}:{round(self.inches, 2)}"

    def at(self, board: Board, inch: float) -> XY:
        """Return the point in board coordinates, in mm; a position beyond the edge becomes its end.

        Args:
            board: the board, in mm.
            inch: one inch of the rules in mm.
        """
        edge_length = board.width if self.edge in (Edge.NEAR, Edge.FAR) else board.depth
        offset = self.inches * inch
        # A point beyond the edge moves to its end. Negative inches count from the other end.
        distance = edge_length * min(max((offset + edge_length if offset < 0 else offset) / edge_length, 0.0), 1.0)
        if self.edge in (Edge.NEAR, Edge.FAR):
            return distance, board.depth if self.edge is Edge.FAR else 0.0
        return board.width if self.edge is Edge.RIGHT else 0.0, distance

    def inward_vector(self) -> XY:
        """Return the unit vector (x, y) from the edge into the board, square to the edge."""
        return _INWARD[self.edge]

    def corner_distance(self, side: float) -> float:
        """Return the inches to the nearer corner of an edge of ``side`` inches; negative if off the edge."""
        return min(self.inches, side - self.inches)


class IntoArea(Struct, frozen=True):
    """A course end in the lake or built-up area with this ID."""

    identity: str

    def __str__(self) -> str:
        return self.identity


class IntoCourse(Struct, frozen=True):
    """A course end on another course: its ID, and the position on it from 0 (its start) to 1."""

    identity: str
    share: float

    def __str__(self) -> str:
        return f"{self.identity} {self.share:g}"


Goal: TypeAlias = EdgePoint | IntoArea | IntoCourse


class CourseRecord(Struct, frozen=True, kw_only=True):
    """One recorded river or road.

    ``text`` is the record as written, ``player`` is A or B, and ``via`` are points in inches of the rules from the near
    left corner of the board.
    """

    text: str
    player: str
    start: EdgePoint
    goal: Goal
    via: tuple[XY, ...] = ()


# The patterns are compiled at first use: few games have recorded courses.
_NUMBER: Final = r"-?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})"
_POINT: Final = rf"({_NUMBER})\s*,\s*({_NUMBER})"
_VIA: Final = rf"((?:\s+via(?:\s+{_NUMBER}\s*,\s*{_NUMBER})+)*)"
_LINE: Final = rf"(river|road)\s+([AB])\s+(\S+){_VIA}\s*->\s*(.+?){_VIA}\s*"
_EDGE_POINT: Final = r"([NSWE]):(-?[0-9]{1,40}(?:\.[0-9]{1,40})?)"
_AREA: Final = r"(lake|bua)\s*@\s*z?([0-9]{1,40})"
_COURSE: Final = r"(river|road)\s+([RD][0-9]{1,40})\s+([0-9]{0,40}\.?[0-9]{1,40})"

_AREA_KINDS: Final = {"river": "lake", "road": "bua"}


def parse_course_record(text: str, kind: str, rules: Rules) -> CourseRecord:
    """Return the parsed record of a ``river`` or a ``road``, such as ``river A N:8 -> lake@6``.

    Raises:
        PlacementError: the start is not on an edge, or the start or the end is too near a corner (BR-X10).
        ScenarioError: the text cannot be parsed, or is not of this ``kind``.
    """
    match = re.fullmatch(_LINE, text.strip())
    if match is None or match.group(1) != kind:
        raise ScenarioError(("cannot read {text!r}; write it like {example}"), text=text, example=_EXAMPLES[kind])
    start = re.fullmatch(_EDGE_POINT, match.group(3))
    if start is None:
        raise PlacementError(
            "{sort} of {player} starts at {start}, which is not a point on an edge; write for example N:8",
            sort=kind,
            player=match.group(2),
            start=match.group(3),
            clause="BR-X10",
        )
    return CourseRecord(
        text=text,
        player=match.group(2),
        start=_check_edge_point(
            EdgePoint(LETTERS[start.group(1)], float(start.group(2))), f"{kind} of {match.group(2)}", rules
        ),
        goal=_parse_goal(match.group(5), kind, match.group(2), rules),
        via=tuple((float(x), float(y)) for x, y in re.findall(_POINT, match.group(4) + match.group(6))),
    )


def match_records(
    texts: Sequence[str], kind: str, placers: Sequence[str], rules: Rules
) -> tuple[CourseRecord | None, ...]:
    """Return the record of each placer, in the order of ``placers``; None for a placer without one.

    Raises:
        PlacementError: there are more records than the die allows, or one is of the wrong player (BR-X21), or a start
            or an end is not valid (BR-X10).
        ScenarioError: a text cannot be parsed, or is not of this ``kind``.

    Args:
        texts: the records, in their order; each goes to the first placer with its player who has no record yet.
        kind: ``river`` or ``road``.
        placers: the players, A or B, in placing order.
    """
    records = [parse_course_record(text, kind, rules) for text in texts]
    if len(records) > len(placers):
        raise PlacementError(
            "{records} {sort} records, but the count die allows only {placers}; leave out that of {player}",
            records=len(records),
            sort=kind,
            placers=len(placers),
            player=records[len(placers)].player,
            clause="BR-X21",
        )
    matches: list[CourseRecord | None] = [None] * len(placers)
    for record in records:
        open_indexes = [
            index for index, placer in enumerate(placers) if placer == record.player and matches[index] is None
        ]
        if not open_indexes:
            allowed_players = joined(placers, Sentence(" and "))
            raise PlacementError(
                "player {player} has 1 {sort} record too many: {text!r}; only {whose} may place",
                sort=kind,
                player=record.player,
                text=record.text,
                whose=allowed_players,
                clause="BR-X21",
            )
        matches[open_indexes[0]] = record
    return tuple(matches)


_EXAMPLES: Final = {
    "river": "'river A N:8 -> S:16', 'river A N:8 via 9,14 -> S:16', 'river B W:10 -> lake@6' or "
    "'river B E:5 -> river R1 0.5'",
    "road": "'road A S:12 -> N:8', 'road A S:12 via 9,14 -> N:8', 'road A S:12 -> bua@5' or "
    "'road B W:4 -> road D1 0.5'",
}


def _parse_goal(text: str, kind: str, player: str, rules: Rules) -> Goal:
    """Return the goal in a record: a point on an edge, an area, or a junction with another course.

    ``kind`` is ``river`` or ``road``. ``player`` is only for messages.

    Raises:
        PlacementError: the point on the edge is too near a corner (BR-X10).
        ScenarioError: the text cannot be parsed.
    """
    if edge_match := re.fullmatch(_EDGE_POINT, text):
        return _check_edge_point(
            EdgePoint(LETTERS[edge_match.group(1)], float(edge_match.group(2))), f"{kind} of {player}", rules
        )
    if (area_match := re.fullmatch(_AREA, text)) and area_match.group(1) == _AREA_KINDS[kind]:
        return IntoArea(f"z{int(area_match.group(2))}")
    if (
        (course_match := re.fullmatch(_COURSE, text))
        and course_match.group(1) == kind
        and 0 <= float(course_match.group(3)) <= 1
    ):
        return IntoCourse(course_match.group(2), float(course_match.group(3)))
    raise ScenarioError(
        "a {sort} cannot end at {text!r}; write it like {example}", sort=kind, text=text, example=_EXAMPLES[kind]
    )


def _check_edge_point(edge_point: EdgePoint, course_label: str, rules: Rules) -> EdgePoint:
    """Return the edge point if it is on its edge and far enough from the corners (BR-G33, BR-G53).

    ``course_label`` names the course in the message.

    Raises:
        PlacementError: it is off the edge, or too near a corner (BR-X10).
    """
    side, minimum = rules.number("board_side"), rules.number("corner_gap")
    if edge_point.corner_distance(side) < minimum - 1e-9:
        raise PlacementError(
            "{whose} meets the edge at {spot}, within {least:g} in of a corner or off the edge; use "
            "{least:g} to {most:g} in",
            whose=course_label,
            spot=edge_point,
            least=minimum,
            most=side - minimum,
            clause="BR-X10",
        )
    return edge_point
