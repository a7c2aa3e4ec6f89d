"""Parse the scale of a map."""

from __future__ import annotations

import re
from typing import Final

from printkit.core.errors import UsageError

FIT: Final = "fit"
_RATIO: Final = re.compile(r"1\s*:\s*([0-9]{1,40}(?:\.[0-9]{1,40})?)")


def parse_scale(text: str) -> float | None:
    """Return the printed mm per mm of the board for a text such as ``1:4``, here 0.25; None for ``fit``.

    Raises:
        UsageError: the text has neither form, or is ``1:0``.
    """
    if text.strip().lower() == FIT:
        return None
    match = _RATIO.fullmatch(text.strip())
    if match is None or float(match[1]) == 0:
        raise UsageError("--scale {text!r} is not a scale; write 1:1, 1:4 or fit", text=text)
    return 1.0 / float(match[1])
