"""Every error that printkit raises on purpose: one line for a person, and the exit status that goes with it."""

from __future__ import annotations


class PrintkitError(Exception):
    """Something that a person can mend; its text says what is wrong, where, and what would be right.

    ``clause`` is the ID of the rule that was broken, or empty.
    """

    exit_status = 1

    def __init__(self, message: str, *, clause: str = "") -> None:
        super().__init__(f"{message} ({clause})" if clause else message)
        self.clause = clause


class UsageError(PrintkitError):
    """The command line itself is wrong."""

    exit_status = 2


class ResourceError(PrintkitError):
    """A font, template or file that was asked for is not there or cannot be read."""


class BookError(PrintkitError):
    """A rule book or another template is wrong: names the file, the table and the row."""


class ScenarioError(PrintkitError):
    """A setting, a scenario file or an input of the rule system is wrong."""


class DiceError(PrintkitError):
    """A recorded throw is missing, is left over, or cannot be what it says."""


class PlacementError(PrintkitError):
    """A feature or course cannot lie where it was put."""


class RecordError(PrintkitError):
    """A record cannot be read: names the member and what would be right."""


class PageError(PrintkitError):
    """A drawing cannot be put on the paper that was asked for."""
