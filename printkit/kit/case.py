"""Views of a record for the checks of a rule system: its rules, features by kind, log and details."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from printkit.chance.dice import Act, Throw
from printkit.core.numbers import parse_int
from printkit.kit.checks import UnseenError
from printkit.kit.rules import Rules
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.record import Record, find_detail, read_members

F = TypeVar("F", bound=Feature)
T = TypeVar("T")


class JudgedRecord(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """A record and the rules to check it by. Each rule system extends it with its own views."""

    record: Record
    rules: Rules

    @property
    def board(self) -> Board:
        """Return the board of the record, with its size in mm."""
        return self.record.battlefield.board

    # --- Features of the board -------------------------------------------------------------------------------------

    def of(self, form: type[F], *kinds: Kind) -> tuple[F, ...]:
        """Return the features of a class, in the order of the record.

        With ``kinds``, return only features of these kinds. Empty if there are none. ``form`` is ``Area``, ``Hill``,
        ``Course`` or ``Crossing``.
        """
        features = self.record.battlefield.features
        return tuple(
            feature for feature in features if isinstance(feature, form) and (not kinds or feature.kind in kinds)
        )

    @cached_property
    def ground(self) -> tuple[Area | Hill, ...]:
        """Return the areas and hills of the record, in its order."""
        return tuple(feature for feature in self.record.battlefield.features if isinstance(feature, Area | Hill))

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        """Return the rivers, roads and other courses of the record, in its order."""
        return self.of(Course)

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Return the fords, bridges and other crossings of the record, in its order."""
        return self.of(Crossing)

    # --- Rolls of the log ------------------------------------------------------------------------------------------

    def throws(self, *stages: str) -> tuple[Throw, ...]:
        """Return every roll of the given stages, or of all stages, in roll order.

        The result is empty if no roll is of these stages.

        Raises:
            UnseenError: the record has no log.
        """
        if not self.record.log:
            raise UnseenError("the record has no log")
        return tuple(throw for throw in self.record.log if throw.stage in stages or not stages)

    def dice(self, *stages: str) -> tuple[Throw, ...]:
        """Return the rolls that are dice of the given stages, or of all stages, in roll order.

        Draws of cards and other choices are left out.

        Raises:
            UnseenError: the record has no log.
        """
        return tuple(throw for throw in self.throws(*stages) if throw.act is Act.DIE)

    def score(self, stage: str, reason: str) -> int | None:
        """Return the score of the first die of a stage with this reason, or None if there is no such die.

        ``stage`` and ``reason`` must be exactly those of the log.

        Raises:
            UnseenError: there is no log, or the answer is not a score of such a die.
        """
        roll = next((throw for throw in self.dice(stage) if throw.reason == reason), None)
        return None if roll is None else score(roll)

    # --- Details of the record -------------------------------------------------------------------------------------

    @property
    def details(self) -> Mapping[str, Any]:
        """Return the JSON object of the rule system in the record, by member name; it may be empty."""
        return self.record.details

    def detail(self, *names: str) -> Any:
        """Return a member of ``details`` by its path, a sequence of member names, as it is in the record.

        Raises:
            UnseenError: the record does not have it, or it is null.
        """
        value = find_detail(self.details, *names)
        if value is None:
            raise UnseenError("the record has no {rules}.{name}", rules=self.record.rules, name=".".join(names))
        return value

    def read_detail(self, kind: type[T], *names: str) -> T:
        """Return a member of ``details`` by its path as a type.

        Raises:
            UnseenError: the record does not have it, or it is null.
            RecordError: it does not have the form of the type.
        """
        return read_members(self.detail(*names), kind, self.record.rules, *names)


def score(throw: Throw) -> int:
    """Return the score of a die in the log as a number, from 1 to its sides.

    Raises:
        UnseenError: the answer in the log is not a score of this die.
    """
    if not parse_int(throw.answer, parse_int(throw.asked[1:]) or 0):
        raise UnseenError(
            "the log has {answer!r} as the die for {reason}; that is not a score",
            answer=throw.answer,
            reason=throw.reason,
        )
    return int(throw.answer)
