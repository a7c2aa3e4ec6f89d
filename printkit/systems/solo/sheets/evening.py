"""The Solo DBA parts of a game-night folder: sheets, decks, counters, battle files and table aid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.content.cards import Deck
from printkit.content.prose import Heading
from printkit.drawing.text.leaflet import Columns, Content
from printkit.recipes.evening.folder import YOU, Folders
from printkit.recipes.game.request import SEALED
from printkit.recipes.output.handout import HandoutContext, PluginFile, PluginText, SidePieces
from printkit.recipes.output.printed_files import PartUse

if TYPE_CHECKING:
    from printkit.systems.solo.cards.card_text import CardText

_BATTLE_KEYS: Final = {
    "battle.toml": "battle",
    "battle.json": "battle-log",
    "npg.toml": "battle-army",
    "you.toml": "battle-army",
}


def evening_files(handout: HandoutContext) -> tuple[PluginFile, ...]:
    """Return the files of YOUR battle sheet and bound log, then the sealed ones: the NPG's pages and pre-rolled bounds.

    The NPG's pages need armies, and the bounds a seed; otherwise they are left out.
    """
    from printkit.systems.solo.armies.rules import SoloRules
    from printkit.systems.solo.armies.steps import Mode
    from printkit.systems.solo.cards.sheet_values import SheetCase
    from printkit.systems.solo.sheets import battle_sheets

    pair = battle_sheets.read_handout_pair(handout)
    rules = SoloRules.of_record(handout.system.book, handout.record)
    case = SheetCase(mode=Mode.BLANK, rules=rules, title=handout.title)
    if pair is not None:
        case = battle_sheets.make_case(handout.record, pair, secret=True)
    files = [
        PluginFile(
            name=f"{YOU}/battle-sheet.pdf", key="battle-sheet", pages=battle_sheets.make_battle_sheet(case, handout)
        ),
        PluginFile(name=f"{YOU}/bound-log.pdf", key="bound-log", pages=battle_sheets.make_bound_log(case, handout)),
    ]
    secret_pages, seed = battle_sheets.make_secret_pages(case, handout), handout.record.seed
    if secret_pages:
        files.append(
            PluginFile(name=f"{SEALED}/npg-secret.pdf", key="npg-secret", pages=secret_pages, use=PartUse.UMPIRE)
        )
    if seed is not None:
        strip = battle_sheets.make_bound_strip(seed, replace(case, title=handout.title), handout)
        files.append(PluginFile(name=f"{SEALED}/bound-strip.pdf", key="bound-strip", pages=strip, use=PartUse.UMPIRE))
    return tuple(files)


def umpire_decks(handout: HandoutContext) -> tuple[Deck, ...]:
    """Return the pair cards, which show the elements of the NPG's army; empty without armies."""
    from printkit.systems.solo.cards.pair_cards import build_pair_deck
    from printkit.systems.solo.sheets.battle_sheets import read_handout_pair

    pair = read_handout_pair(handout)
    return () if pair is None else (build_pair_deck(pair, handout.words),)


def reference_blocks(handout: HandoutContext) -> tuple[Content, ...]:
    """Return the summary of the NPG's tactics, and which losses count, one language after the other."""
    from printkit.systems.solo.armies.rules import SoloRules
    from printkit.systems.solo.cards.card_text import CardText

    rules = SoloRules.of_record(handout.system.book, handout.record)
    return tuple(block for language in handout.words.each() for block in _make_summary(CardText(language, rules)))


def _make_summary(text: CardText) -> Iterator[Content]:
    """Yield the content of the summary card, arranged for a page: both dice, the moves, the override and losses."""
    from printkit.systems.solo.cards.decks import build_summary_dice, build_summary_moves
    from printkit.systems.solo.cards.tables import lost_elements

    yield Heading(text("summary.title"), remark=text("summary.subtitle"))
    yield Columns(build_summary_dice(text))
    yield from build_summary_moves(text)
    yield Heading(text("R18.what"))
    yield lost_elements(text)


def side_blocks(handout: HandoutContext) -> tuple[Content, ...]:
    """Return a heading and the list of YOUR army, in each language; empty without armies."""
    from printkit.systems.solo.armies.force import Side
    from printkit.systems.solo.cards.card_text import CardText
    from printkit.systems.solo.cards.pair_cards import build_army_blocks
    from printkit.systems.solo.sheets.battle_sheets import read_handout_pair

    pair = read_handout_pair(handout)
    if pair is None:
        return ()
    army_blocks = (
        block
        for language in handout.words.each()
        for block in build_army_blocks(pair.you, Side.YOU, CardText(language, pair.rules))
    )
    return (Heading(handout.words("npg.sheet.your-army")), *army_blocks)


def side_pieces(handout: HandoutContext) -> tuple[SidePieces, ...]:
    """Return the elements and the camp of YOUR army, then those of the NPG, sealed; empty without armies."""
    from printkit.systems.dba.elements.deployed_overlay import NPG
    from printkit.systems.dba.elements.deployed_overlay import YOU as YOUR
    from printkit.systems.solo.armies.army_files import named
    from printkit.systems.solo.sheets.battle_sheets import read_handout_pair
    from printkit.systems.solo.sheets.counters import draw_counter_pieces, make_force_counters

    pair = read_handout_pair(handout)
    if pair is None:
        return ()
    words, scale = handout.words, handout.rules.choice("scale")
    piece_sets = []
    for folder, side, force in ((YOU, YOUR, pair.you), (SEALED, NPG, pair.npg)):
        pieces = draw_counter_pieces(make_force_counters(force, side), handout.style, words, scale=scale)
        title = named(force.name, words)
        piece_sets.append(SidePieces(folder=folder, title=title, pieces=pieces, far=side == NPG))
    return tuple(piece_sets)


def evening_texts(handout: HandoutContext) -> tuple[PluginText, ...]:
    """Return the table aid for YOU; sealed, the battle file, its log and the army files.

    A game made with a setting of an earlier version has no battle file, because no battle can continue from it.
    """
    from printkit.systems.solo.battle.evening_battle import battle_files
    from printkit.systems.solo.sheets.battle_sheets import read_handout_pair
    from printkit.systems.solo.sheets.table_aid import FILE, make_table_aid

    pair, record = read_handout_pair(handout), handout.record
    if pair is None:
        return ()
    page = make_table_aid(pair, handout.words, handout.style, seed=record.seed)
    files: Mapping[str, str] = {}
    if not handout.system.book.made_otherwise(record.settings):
        files = battle_files(record, pair, handout.words.each()[0], at=PurePosixPath(Folders(solo=True).record).name)
    return (
        PluginText(name=f"{YOU}/{FILE}.html", key=FILE, text=page),
        *(
            PluginText(name=f"{SEALED}/{name}", key=_BATTLE_KEYS[name], text=text, use=PartUse.UMPIRE)
            for name, text in files.items()
        ),
    )
