"""Numbers as the writers put them down."""

from __future__ import annotations


def number(value: float, digits: int = 3) -> str:
    """Return a number without exponent, without trailing zeros."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
