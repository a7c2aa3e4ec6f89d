"""Typefaces are opened as the library opens them."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfbase.ttfonts import TTFont

from printkit.core.resources import resource
from printkit.drawing.canvas.items import Font
from printkit.drawing.lettering.typefaces import typeface

LEFT_OUT = {"glyphToChar", "_pos", "_pdfScale"}
"""What the library needs while it reads alone."""


@pytest.mark.parametrize("font", Font)
def test_a_typeface_is_opened_as_the_library_opens_it(font):
    """How it is read is printkit's own, for its speed; what is read is not, nor what else a typeface consists of."""
    file = resource("fonts", f"{font.value}.ttf").read_bytes()
    opened, wanted = typeface(font), TTFont(font.value, io.BytesIO(file), asciiReadable=0)
    own, theirs = dict(vars(opened)), dict(vars(wanted))
    read, told = vars(own.pop("face")), vars(theirs.pop("face"))
    # Each has its own, which nothing tells apart.
    for name in ("encoding", "state"):
        assert type(own.pop(name)) is type(theirs.pop(name))
    assert own == theirs
    names = told.keys() - LEFT_OUT
    assert {name: read.get(name) for name in names} == {name: told[name] for name in names}
