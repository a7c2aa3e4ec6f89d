"""What single rule systems add to the files of an evening, besides what every system has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from printkit.content.cards import Deck
from printkit.content.prose import Heading
from printkit.core.errors import RecordError
from printkit.drawing.text.leaflet import Content
from printkit.page.sheet import Page
from printkit.recipes.evening.player_sheets import Side
from printkit.recipes.output.handout import Handout


def own_pages(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds to the umpire's copy; none for most.

    Raises:
        PageError: the paper is too small.
    """
    add = _OWN.get(handout.system.name)
    return () if add is None else add(handout)


def own_layout(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds for whoever lays the table; none for most.

    Raises:
        PageError: the paper is too small.
    """
    add = _LAID.get(handout.system.name)
    return () if add is None else add(handout)


def own_form(handout: Handout) -> tuple[Page, ...]:
    """Return the form by which the next table is made by hand; none for most rule systems.

    Raises:
        PageError: the paper is too small.
    """
    add = _FORMS.get(handout.system.name)
    return () if add is None else add(handout)


def own_evening(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds as a file of its own, for all; none for most.

    Raises:
        PageError: the paper is too small.
        ScenarioError: what the record gives for them cannot be read.
    """
    add = _EVENINGS.get(handout.system.name)
    return () if add is None else add(handout)


class OwnFile(Struct, frozen=True, kw_only=True):
    """A file that a rule system adds: its name in the folder, its key of the words, and its pages."""

    name: str
    key: str
    pages: tuple[Page, ...]


def own_files(handout: Handout) -> tuple[OwnFile, ...]:
    """Return the files that the rule system adds to an evening; none for most.

    Raises:
        PageError: the paper is too small, or a text does not fit its place.
    """
    add = _FILES.get(handout.system.name)
    return () if add is None else add(handout)


def own_decks(handout: Handout) -> tuple[Deck, ...]:
    """Return the decks that the rule system adds for whoever runs the game, and for nobody else; none for most."""
    add = _DECKS.get(handout.system.name)
    return () if add is None else add(handout)


def own_blocks(handout: Handout, side: Side) -> tuple[Content, ...]:
    """Return what the rule system adds to the sheets of a side; nothing for most."""
    return _solo_army(handout) if side.solo else ()


def _brantley(handout: Handout) -> tuple[Page, ...]:
    """Return the cards turned up, zone by zone, and the whole pack; nothing for a field drawn by hand."""
    from printkit.systems.brantley.dealing.readers import revealed
    from printkit.systems.brantley.sheets.documents import SheetOrder, reveal_sheets

    system, words = handout.system, handout.words
    try:
        facts = revealed(handout.record, system.account(handout.record, words), book=system.book, words=words)
    except RecordError:
        return ()
    order = SheetOrder(sheet=handout.sheet, words=words, style=handout.style)
    return reveal_sheets(facts, order, handout.record)


def _acw(handout: Handout) -> tuple[Page, ...]:
    """Return the log of the zones."""
    from printkit.systems.acw.sheets.pages import log_pages

    return log_pages(handout)


def _acw_layout(handout: Handout) -> tuple[Page, ...]:
    """Return the network from zone to zone, the list of pieces, and what each feature is like."""
    from printkit.systems.acw.sheets.network_pages import network_pages
    from printkit.systems.acw.sheets.pages import key_pages, piece_pages

    return (*piece_pages(handout), *network_pages(handout), *key_pages(handout))


def _acw_form(handout: Handout) -> tuple[Page, ...]:
    """Return the form on which the defender sketches a table of this size."""
    from printkit.systems.acw.sheets.form import FormOrder, form_page
    from printkit.systems.acw.sheets.zone_log import settings_of

    book, record = handout.system.book, handout.record
    order = FormOrder(
        book=book,
        board=record.battlefield.board,
        settings={**settings_of(record, book), **OPEN},
        sheet=handout.sheet,
        style=handout.style,
        words=handout.words,
    )
    return (form_page(order)[0],)


def _columns(handout: Handout) -> tuple[Page, ...]:
    """Return order of columns and tracker of both sides, the quick sheet, markers and templates."""
    from printkit.systems.collision.sheets.cut_outs import cut_pages
    from printkit.systems.collision.sheets.pages import column_pages

    return (*column_pages(handout), *cut_pages(handout))


def _columns_form(handout: Handout) -> tuple[Page, ...]:
    """Return the blank edge map with empty sheets, for the next battle."""
    from printkit.systems.collision.sheets.blank_form import blank_pages

    return blank_pages(handout)


def _solo_files(handout: Handout) -> tuple[OwnFile, ...]:
    """Return the battle sheet, the bound log, and for the umpire the NPG's pages and the bounds rolled before."""
    from printkit.systems.solo.cards.sheet_values import Mode, SheetCase
    from printkit.systems.solo.sheets import battle_sheets as solo

    order, pair = solo.handout_order(handout), solo.handout_pair(handout)
    case = SheetCase(mode=Mode.BLANK, title=handout.title)
    if pair is not None:
        case = solo.case_of(handout.record, pair, secret=True)
    found = [
        OwnFile(name="battle-sheet.pdf", key="battle-sheet", pages=solo.battle_sheet(case, order)),
        OwnFile(name="bound-log.pdf", key="bound-log", pages=solo.bound_log(case, order)),
    ]
    secret, seed = solo.secret_pages(case, order), handout.record.seed
    if secret:
        found.append(OwnFile(name="umpire/npg-secret.pdf", key="npg-secret", pages=secret))
    if seed is not None:
        strip = solo.bound_strip(seed, order, title=handout.title)
        found.append(OwnFile(name="umpire/bound-strip.pdf", key="bound-strip", pages=strip))
    return tuple(found)


def _solo_decks(handout: Handout) -> tuple[Deck, ...]:
    """Return the pair cards, which tell what the NPG's army is made of."""
    from printkit.systems.solo.cards.pair_cards import pair_deck
    from printkit.systems.solo.sheets.battle_sheets import handout_pair

    pair = handout_pair(handout)
    return () if pair is None else (pair_deck(pair, handout.words),)


def _solo_army(handout: Handout) -> tuple[Content, ...]:
    """Return YOUR army."""
    from printkit.systems.solo.armies.force import Side as Party
    from printkit.systems.solo.cards.card_text import CardText
    from printkit.systems.solo.cards.pair_cards import army_list
    from printkit.systems.solo.sheets.battle_sheets import handout_pair

    pair = handout_pair(handout)
    if pair is None:
        return ()
    told = (block for one in handout.words.each() for block in army_list(pair.you, Party.YOU, CardText.of(one)))
    return (Heading(handout.words("npg.sheet.your-army")), *told)


OPEN: Final = {"state": "any", "geography": "by-state", "water": "auto"}
"""Settings of a country that is still to be diced for."""

_OWN: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"acw": _acw, "brantley": _brantley}
_LAID: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"acw": _acw_layout}
_FORMS: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {
    "acw": _acw_form,
    "collision-course": _columns_form,
}
_EVENINGS: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"collision-course": _columns}
_FILES: Final[Mapping[str, Callable[[Handout], tuple[OwnFile, ...]]]] = {"solo-dba": _solo_files}
_DECKS: Final[Mapping[str, Callable[[Handout], tuple[Deck, ...]]]] = {"solo-dba": _solo_decks}
