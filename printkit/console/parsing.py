"""What the parser of the command line says is wrong, as sentences of ours: its errors are English text alone."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from printkit.console.help import names
from printkit.core.errors import Sentence

TEMPLATES: Final = (
    "No such option: {option} (Possible options: {known})",
    "No such option: {option}",
    "No such command {command}. Did you mean {known}?",
    "No such command {command}",
    "Missing command",
    "Missing argument {argument}",
    "Missing option {option}",
    "Got unexpected extra argument(s) ({extra})",
    "Option {option} requires an argument",
    "Option {option} requires {count} arguments",
    "Option {option} does not take a value",
    "Invalid value for {where}: {reason}",
    "Invalid value: {reason}",
)
"""The sentences of the parser, the longer of two that begin alike first."""


def parsed(message: str) -> str:
    """Return the sentence that a message of the parser is; a message that is none stays text."""
    for pattern, template in _patterns():
        match = pattern.fullmatch(message.strip().rstrip("."))
        if match:
            values = match.groupdict()
            if "argument" in values:
                values["argument"] = names(values["argument"])
            return Sentence(template, **values)
    return message


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return each template with the pattern of the texts that it makes."""
    return tuple(
        (re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(template)), re.DOTALL), template)
        for template in TEMPLATES
    )
