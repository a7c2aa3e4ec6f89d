"""The reference of an evening: decks that are read at the table, set as pages, and what each ground does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from printkit.content.cards import Deck
from printkit.content.prose import Block, Heading, Table
from printkit.drawing.furniture.furniture import legend_sheet
from printkit.drawing.furniture.legend import entries_of, going_word
from printkit.drawing.map.map_layout import Caption, Edition
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Columns, Content, Leaflet
from printkit.page.sheet import Page
from printkit.recipes.evening.field_key import field_key
from printkit.recipes.output.handout import Handout

_GOING_SHARES: Final = (1.0, 4.0)


def reference(handout: Handout, decks: Sequence[Deck], legend: Sequence[Content], *, origin: str) -> tuple[Page, ...]:
    """Return the reference as pages: one for the middle of the table.

    Args:
        handout: the record, and how it is printed.
        decks: of the rule system.
        legend: what ``signs`` returned.
        origin: the line at the foot, which must not name the seed.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    # Where the rules have no decks to read, what lies on this field is what people will look up.
    rules = tuple(deck_contents(decks)) or tuple(field_key(handout.record.battlefield, words))
    contents = (*rules, *_ground(handout), *legend)
    leaflet = Leaflet(
        title=words("handouts.reference.title"),
        subtitle=handout.system.book.title,
        contents=contents,
        origin=origin,
    )
    return handout.pages(leaflet, bookmark=words("handouts.reference.title"))


def deck_contents(decks: Sequence[Deck]) -> Iterator[Content]:
    """Yield what the reference decks say, front and back of each card, in two columns."""
    for deck in decks:
        if not deck.reference:
            continue
        blocks: list[Block] = []
        for card in deck.cards:
            if len(deck.cards) > 1:
                blocks.append(Heading(card.title))
            blocks += (*card.blocks, *card.back)
        yield Heading(deck.title)
        yield Columns(tuple(blocks))


def signs(handout: Handout) -> tuple[Content, ...]:
    """Return the legend of the field under its head: each sign with its name and its going."""
    field = handout.record.battlefield
    if not entries_of(field):
        return ()
    words = handout.words
    edition = Edition(field=field, style=handout.style, words=words, caption=Caption(title=handout.title))
    head = Heading(words("handouts.reference.here"), aside=words("handouts.reference.here-aside"))
    return head, Figure(legend_sheet(edition, handout.size()[0]))


def _ground(handout: Handout) -> Iterator[Content]:
    """Yield every kind of ground that the rules know, by its going, the freest first."""
    words, book = handout.words, handout.system.book
    found: dict[str, list[str]] = {}
    for sign, going in handout.system.goings().items():
        found.setdefault(going, []).append(_named(sign, handout))
    ranked = sorted(found, key=lambda name: book.going[name])
    rows = tuple((f"**{_capital(going_word(name, words))}**", _capital("; ".join(found[name]))) for name in ranked)
    if rows:
        yield Heading(words("handouts.reference.going"))
        head = (words("handouts.reference.how"), words("handouts.reference.ground"))
        yield Table(rows=rows, head=head, shares=_GOING_SHARES)


def _named(sign: str, handout: Handout) -> str:
    """Return what a kind or a variant of ground is called in the middle of a sentence."""
    words = handout.words
    own = f"specimen.{sign}"
    said = words(own) if words.has(own) else words(f"kind.{sign}")
    return said[:1].lower() + said[1:]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
