"""Typefaces are opened as the library opens them."""

from __future__ import annotations

import io
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from reportlab.pdfbase.ttfonts import TTFont

from printkit.core.resources import resource
from printkit.drawing.canvas.items import Font
from printkit.drawing.lettering.typefaces import typeface

LEFT_OUT = {"glyphToChar", "_pos", "_pdfScale"}
"""What the library needs while it reads alone."""

UNUSED = {"_asciiReadable"}
"""What it asks where it parts a text itself, which is done here as it does."""


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
    assert own == {name: value for name, value in theirs.items() if name not in UNUSED}
    names = told.keys() - LEFT_OUT
    assert {name: read.get(name) for name in names} == {name: told[name] for name in names}


@cache
def wanted():
    """Return a typeface as the library opens it."""
    file = resource("fonts", f"{Font.ROMAN.value}.ttf").read_bytes()
    return TTFont("wanted", io.BytesIO(file), asciiReadable=0)


class Document:
    """What a document is to a typeface: a key that can be forgotten."""


@given(some.lists(some.text(some.characters(max_codepoint=0x2FFF), max_size=400), min_size=1, max_size=3))
@example(["".join(map(chr, range(0x20, 0x400))), "Ash\xa0Copse – \u2603", "\xa0", ""])
def test_a_text_is_parted_into_subsets_as_the_library_parts_it(texts):
    own, theirs = typeface(Font.ROMAN), wanted()
    one, other = Document(), Document()
    for text in texts:
        assert own.splitString(text, one) == theirs.splitString(text, other)
    assert own.state[one].subsets == theirs.state[other].subsets
    assert own.state[one].assignments == theirs.state[other].assignments
