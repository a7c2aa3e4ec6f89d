"""Styles as a person asks for them: a wrong name is a wrong command line, a wrong file of his own is wrong data."""

from __future__ import annotations

from printkit.core.errors import ResourceError, UsageError
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.style import Style


def find_style(name: str) -> Style:
    """Return a style by its name, or by the path of a file of one's own.

    Raises:
        UsageError: there is no such style.
        PrintkitError: the file cannot be read, or holds something wrong.
    """
    try:
        return styles.find(name)
    except ResourceError as error:
        raise error if name.endswith(".toml") else UsageError("{error}", error=error) from None
