"""The reference sheets of a game night: decks as pages, terrain with its going, and the key as a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from printkit.content.cards import Deck
from printkit.content.prose import Block, Heading, Table
from printkit.core.words import Words
from printkit.drawing.furniture.furniture import legend_sheet
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.furniture.legend import going_word, legend_entries
from printkit.drawing.map.cells import cell_address
from printkit.drawing.map.labels import numbered
from printkit.drawing.map.map_layout import MapCaption, MapLayout
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Columns, Content
from printkit.kit.rules import Rules
from printkit.page.sheet import Page
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.prints.map_key import describe_slopes
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Crossing, Feature, Hill
from printkit.terrain.field.grids import Cell

# --- The key of a battlefield as a list: number or cells, description and going of each feature ----------------------

_SHARES: Final = (0.7, 3.4, 1.9)
_CELL_SHARES: Final = (1.7, 2.6, 1.7)
# Least number of rows for a key in two columns.
_TWO_COLUMN_ROWS: Final = 12


def field_key(field: Battlefield, words: Words) -> Iterator[Content]:
    """Yield the key with its heading, if the battlefield has features.

    On cells, equal features without names share a row, and also the parts of one feature, for example plots.
    """
    places: dict[tuple[str, ...], list[str]] = {}
    for number, feature in numbered(field):
        place = feature_reference(number, feature, field)
        separate_key = (place,) if field.grid is None or feature.name else ()
        row_key = (describe_feature(feature, words), "\n".join(_goings(feature, words)), *separate_key)
        places.setdefault(row_key, []).append(place)
    rows = tuple((", ".join(dict.fromkeys(row_places)), *row_key[:2]) for row_key, row_places in places.items())
    if not rows:
        return
    first, shares = ("number", _SHARES) if field.grid is None else ("cells", _CELL_SHARES)
    head = tuple(words(f"handouts.key.{name}") for name in (first, "what", "going"))
    yield Heading(words("handouts.key.title"), remark=words(f"handouts.key.aside-{first}"))
    if len(rows) < _TWO_COLUMN_ROWS:
        yield Table(rows=rows, head=head, shares=shares)
        return
    half_count = (len(rows) + 1) // 2
    yield Columns(tuple(Table(rows=half, head=head, shares=shares) for half in (rows[:half_count], rows[half_count:])))


def feature_reference(number: int, feature: Feature, field: Battlefield) -> str:
    """Return the reference of a feature on the map: its number in the key in bold, or on a grid its cells.

    Several cells are separated by spaces, in the order of their printed addresses.
    """
    grid = field.grid
    if grid is None or not feature.cells:
        return f"**{number}**"
    numbered_cells = sorted((grid.printed_cell(Cell(*indexes)), Cell(*indexes)) for indexes in feature.cells)
    return " ".join(cell_address(grid, cell) for _, cell in numbered_cells)


def _goings(feature: Feature, words: Words) -> Iterator[str]:
    """Yield the going of a feature, and of the hill faces that differ from it."""
    if label := going_word(feature.going.name, words):
        yield label
    else:
        yield words(f"handouts.key.{'crossing' if isinstance(feature, Crossing) else 'unstated'}")
    if isinstance(feature, Hill):
        yield from describe_slopes(feature, words)


_GOING_SHARES: Final = (1.0, 4.0)


def reference_pages(
    handout: HandoutContext, decks: Sequence[Deck], *, origin: str, first_contents: Sequence[Content] = ()
) -> tuple[Page, ...]:
    """Return the reference pages, for all players to share.

    Args:
        handout: the record, and how to print it.
        decks: decks that are not printed as cards.
        origin: the footer, which must not show the seed.
        first_contents: contents before everything else.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    contents = (*first_contents, *deck_contents(decks), *_going_table(handout), *_legend_blocks(handout))
    title = words("handouts.reference.title")
    return handout.build_pages(title, contents, subtitle=handout.system.book.title_in(words), origin=origin)


def deck_contents(decks: Sequence[Deck]) -> Iterator[Content]:
    """Yield the texts of the reference decks, front and back of each card, in two columns.

    Decks that are not for reference are left out.
    """
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


def _legend_blocks(handout: HandoutContext) -> tuple[Content, ...]:
    """Return the legend with its heading: each symbol with its name and going; empty without symbols."""
    field = handout.record.battlefield
    if not legend_entries(field):
        return ()
    words = handout.words
    map_layout = MapLayout(field=field, style=handout.style, words=words, caption=MapCaption(title=handout.title))
    head = Heading(words("handouts.reference.here"), remark=words("handouts.reference.here-aside"))
    return head, Figure(legend_sheet(map_layout, handout.page_size()[0]))


def _going_table(handout: HandoutContext) -> Iterator[Content]:
    """Yield every kind of terrain in the rules, by going, the easiest first.

    Nothing if the rules have no terrain.
    """
    words, book = handout.words, handout.system.book
    kinds_by_going: dict[str, list[str]] = {}
    goings = {**handout.system.goings(), **Rules.of_record(book, handout.record).goings()}
    for kind, going in goings.items():
        kinds_by_going.setdefault(going, []).append(_terrain_name(kind, handout))
    going_names = sorted(kinds_by_going, key=lambda name: book.going[name])
    rows = tuple(
        (f"**{_capital(going_word(name, words))}**", _capital("; ".join(dict.fromkeys(kinds_by_going[name]))))
        for name in going_names
    )
    if rows:
        yield Heading(words("handouts.reference.going"))
        head = (words("handouts.reference.how"), words("handouts.reference.ground"))
        yield Table(rows=rows, head=head, shares=_GOING_SHARES)


def _terrain_name(kind: str, handout: HandoutContext) -> str:
    """Return the name of a kind or variant of terrain for the middle of a sentence."""
    words = handout.words
    specimen_key = f"specimen.{kind}"
    name = words(specimen_key) if words.has(specimen_key) else words(f"kind.{kind}")
    return name[:1].lower() + name[1:]


def _capital(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[:1].upper() + text[1:]
