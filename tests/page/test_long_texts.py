"""Texts that are longer than a sheet, and documents that are longer than any book."""

from __future__ import annotations

import time
from string import ascii_letters

import pytest

from printkit.core.errors import PageError
from printkit.drawing.lettering.lettering import measure
from printkit.page.ruling import SMALL, shortened
from printkit.page.sheet import MOST_PAGES, Document, Sheet


@pytest.mark.parametrize("room", [0.0, 1.0, 9.7, 40.0, 200.0])
@pytest.mark.parametrize(
    "text", ["", "Field", "The Field of Mutila, seed 7", "wide  and   narrow " * 9, ascii_letters * 6]
)
def test_a_text_loses_no_more_than_it_must(text: str, room: float) -> None:
    if measure(text, SMALL) <= room:
        assert shortened(text, SMALL, room) == text
        return
    fitting = (f"{text[:end].rstrip()}…" for end in range(len(text) - 1, 0, -1))
    assert shortened(text, SMALL, room) == next((each for each in fitting if measure(each, SMALL) <= room), "")


def test_a_text_as_long_as_a_book_costs_no_time() -> None:
    begun = time.process_time()
    for each in ("a" * 20_000, "word " * 4_000, " " * 20_000 + "x"):
        assert measure(shortened(each, SMALL, 120.0), SMALL) <= 120.0
    assert time.process_time() - begun < 1.0


def test_a_document_has_at_most_so_many_pages() -> None:
    page = Sheet(name="a4", width=210.0, height=297.0, margin=5.0).page(label="1")
    assert len(Document(title="x", pages=(page,) * MOST_PAGES).pages) == MOST_PAGES
    with pytest.raises(PageError, match=r"this needs 2,001 pages, and a document has at most 2,000"):
        Document(title="x", pages=(page,) * (MOST_PAGES + 1))
