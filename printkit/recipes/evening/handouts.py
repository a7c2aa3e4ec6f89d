"""Everything that a group needs for one evening: which files there are, for whom, and the folder that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.content.cards import Deck
from printkit.core.errors import Sentence, UsageError, joined
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text import leaflet
from printkit.export.writers import FORMATS
from printkit.kit.sides import PlayerSide, titled
from printkit.kit.system import RuleSystem
from printkit.page.leaflets import in_hand
from printkit.page.printer import corrected
from printkit.page.sheet import Document, Page
from printkit.recipes.evening.battle_report import battle_report
from printkit.recipes.evening.contents import MAP_PLAN, FilePart, contents_pages, linked
from printkit.recipes.evening.folder import MANIFEST, manifest
from printkit.recipes.evening.layout_aid import layout_aid
from printkit.recipes.evening.player_sheets import player_pages, side_title, sides_in
from printkit.recipes.evening.reference import deck_contents, reference, signs
from printkit.recipes.evening.umpire import umpire_pages
from printkit.recipes.game.games import Played
from printkit.recipes.game.request import log_text
from printkit.recipes.game.throw_text import in_each
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import Handout, rules_document
from printkit.recipes.output.printers import SheetRequest
from printkit.recipes.prints.decks import BACKS, CardOrder, CardRequest, FoundDeck, card_order, deck_document, file_name
from printkit.recipes.prints.file_names import stem
from printkit.recipes.prints.map_key import KeyKind
from printkit.recipes.prints.maps import MapSheet, Planned, full_key, map_document
from printkit.recipes.prints.printing import anew_lines, outside_lines, saving_lines, would_write
from printkit.terrain.field.record import Record, write

CONTENTS: Final = "contents.pdf"
RECORD: Final = "umpire/record.json"
LOG: Final = "umpire/log.txt"

_THUMBNAIL: Final = 56.0

Pages: TypeAlias = tuple[Page, ...]


class EveningOrder(Struct, frozen=True, kw_only=True):
    """How an evening is printed: its map, its cards, and the sheets of a side by its name, where not as the rest."""

    map: MapSheet
    cards: CardOrder
    own: Mapping[str, SheetRequest] = {}


def evening_order(map_order: MapSheet, cards: CardRequest, own: Mapping[str, SheetRequest] = {}) -> EveningOrder:
    """Return how an evening is printed: cards and handouts on sheets that are held in a hand.

    Raises:
        UsageError: a size, length or edge of the cards that is not known.
    """
    in_hands = replace(cards, sheet=in_hand(map_order.sheet).name)
    return EveningOrder(map=map_order, cards=card_order(in_hands, map_order.words, map_order.profile), own=own)


class Evening(Struct, frozen=True, kw_only=True):
    """Every file of an evening: the contents, the parts in the order in which they are printed, and texts by name.

    ``outside`` labels the pages of which the printer does not reach everything; ``planned`` is what the map takes.
    """

    title: str
    contents: Document
    parts: tuple[FilePart, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[str, ...] = ()
    planned: Planned

    @property
    def files(self) -> dict[str, FileContent]:
        """Return what is written, by the name in the folder; the last of them lists all others."""
        files: dict[str, FileContent] = {
            CONTENTS: self.contents,
            **{part.name: part.document for part in self.parts},
            **self.texts,
        }
        return {**files, MANIFEST: manifest(files)}


def evening(record: Record, system: RuleSystem, order: EveningOrder) -> Evening:
    """Return everything for one evening with a record of any rule system.

    Raises:
        PageError: the paper is too small.
        UsageError: cards cannot be printed as asked, or sheets of their own are asked for a side that there is not.
    """
    handout = Handout.of(record, system, order.map)
    # Whoever runs the game makes it again by its seed, whatever lies on the table.
    umpire = replace(handout, show_seed=True)
    maker = _Maker(handout, order)
    sides = sides_in(record, system.book)
    _judge_sides(sides, order.own)
    decks = system.decks(handout.words, record)
    # Cards first: what is wrong with them is found before the long work.
    cards = (*maker.cards(decks), *maker.cards(handout.added("umpire_decks"), within="umpire/"))
    shown = small_map(record.battlefield, _THUMBNAIL, _THUMBNAIL, handout.map_drafter())
    overview, _ = map_document(
        record, system, replace(order.map, sheet=handout.sheet, furniture=None, scale=None, pieces=False)
    )
    # The umpire looks up the dice of a feature, wherever players see a key without them.
    dice = () if order.map.key is KeyKind.FULL else full_key(record, system, replace(order.map, sheet=handout.sheet))
    first, behind = umpire_pages(umpire, shown, name=RECORD)
    legend = signs(handout)
    the_map, planned = map_document(record, system, order.map)
    parts = (
        *maker.map(the_map, planned),
        maker.part("overview.pdf", "overview", within=overview.pages),
        *cards,
        maker.part("reference.pdf", "reference", reference(handout, decks, legend, origin=maker.origin)),
        maker.part("layout.pdf", "layout", (*layout_aid(handout), *handout.added("layout_pages"))),
        *maker.added(),
        maker.part("report.pdf", "report", battle_report(handout)),
        *(maker.side(side, sides, legend, decks) for side in sides),
        maker.part("umpire/umpire.pdf", "umpire", first, (*dice, *behind), within=overview.pages),
    )
    listed = maker.true(contents_pages(handout, shown, parts, sides), label=CONTENTS)
    listed = linked(listed, {part.name for part in parts})
    contents = maker.document(handout.words("handouts.contents.title"), listed)
    texts = {RECORD: write(record), **({LOG: log_text(record)} if record.log else {})}
    texts |= {own.name: own.text for own in umpire.added("evening_texts")}
    return Evening(
        title=handout.title,
        contents=contents,
        parts=parts,
        texts=texts,
        outside=tuple(maker.outside),
        planned=planned,
    )


class _Maker(Struct):
    """Makes parts, and keeps what the printer does not reach."""

    handout: Handout
    order: EveningOrder
    outside: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """Return the line that tells to which game a sheet belongs without its seed."""
        handout = self.handout
        return handout.words(
            "handouts.origin", title=handout.title, rules=handout.system.book.title_in(handout.words.each()[0])
        )

    def map(self, document: Document, planned: Planned) -> Iterator[FilePart]:
        """Yield the map at true size, and its plan where the map lies on a roll."""
        handout = self.handout
        self.outside += (f"map.pdf {label}" for label in planned.outside)
        what = handout.words(f"handouts.file.{'map-alone' if self.order.map.sheet.endless else 'map'}")
        yield FilePart(name="map.pdf", what=what, document=document, cuts=planned.cuts, joints=planned.pages - 1)
        if planned.apart is not None:
            yield FilePart(name=MAP_PLAN, what=handout.words("handouts.file.map-plan"), document=planned.apart)

    def cards(self, decks: Sequence[Deck], *, within: str = "") -> Iterator[FilePart]:
        """Yield each deck on sheets to be cut, ``within`` a folder of those who may see it."""
        words = self.handout.words
        for deck in decks:
            name = f"{within}{file_name(deck)}.pdf"
            printed = deck_document(FoundDeck(deck, self.handout.system), _suited(self.order.cards, deck))
            self.outside += (f"{name} {label}" for label in printed.outside)
            yield FilePart(
                name=name,
                what=words("handouts.file.cards", deck=deck.title, count=printed.cards),
                document=printed.document,
                cuts=printed.imposed.slots.cuts * printed.imposed.sheets,
                card=True,
            )

    def added(self) -> Iterator[FilePart]:
        """Yield what the rule system has for all: a file, the form of a table made by hand, files under own names."""
        name = self.handout.system.name
        if pages := self.handout.added("evening_pages"):
            yield self.part(f"{name}.pdf", f"own-{name}", pages)
        if pages := self.handout.added("form_pages"):
            yield self.part("form.pdf", f"form-{name}", pages)
        for own in self.handout.added("evening_files"):
            yield self.part(own.name, own.key, own.pages)

    def side(
        self,
        side: PlayerSide,
        sides: Sequence[PlayerSide],
        legend: Sequence[leaflet.Content],
        decks: Sequence[Deck],
    ) -> FilePart:
        """Return the document of a side, in the folder that is handed to it, in its own style, paper and language."""
        maker = self
        if order := self.order.own.get(side.name):
            maker = replace(self, handout=Handout.of(self.handout.record, self.handout.system, order))
            legend, decks = signs(maker.handout), maker.handout.system.decks(order.words, self.handout.record)
        own = maker.handout
        behind: tuple[leaflet.Content, ...] = (*own.added("side_blocks"), *legend)
        if not side.solo:
            behind = (*legend, *deck_contents(decks))
        pages = player_pages(own, side, sides, behind, origin=maker.origin)
        key = f"handouts.file.{'you' if side.solo else 'player'}"
        what = in_each(self.handout.words, lambda one: one(key, side=titled(side, one)))
        name = f"{side.folder}/{side.folder}.pdf"
        document = maker.document(side_title(own, side), maker.true(pages, label=name))
        return FilePart(name=name, what=what, document=document)

    def part(self, name: str, key: str, first: Pages = (), others: Pages = (), *, within: Pages = ()) -> FilePart:
        """Return pages as a file that is called by what it is; ``within`` come between, and print true already."""
        what = self.handout.words(f"handouts.file.{key}")
        pages = (*self.true(first, label=name), *within, *self.true(others, label=name))
        return FilePart(name=name, what=what, document=self.document(what, pages))

    def true(self, pages: Pages, *, label: str) -> Pages:
        """Return pages that the printer prints true."""
        made = corrected(Document(title="", pages=pages), self.order.map.profile)
        self.outside += (f"{label} {page}" for page in made.outside)
        return made.document.pages

    def document(self, title: str, pages: Pages) -> Document:
        """Return pages as a document; no seed is in its properties."""
        handout = self.handout
        flip = self.order.cards.edge if any(page.back for page in pages) else None
        return rules_document(f"{title} – {handout.title}", pages, handout.system.name, handout.words, flip=flip)


def _judge_sides(sides: Sequence[PlayerSide], own: Mapping[str, SheetRequest]) -> None:
    """Refuse sheets of their own for a side that there is not."""
    for name in own:
        if name not in {side.name for side in sides}:
            raise UsageError(
                "--player-{player}: this game has no player {name}, but {sides}; leave it out",
                player=name.lower(),
                name=name,
                sides=", ".join(side.name for side in sides),
            )


def _suited(order: CardOrder, deck: Deck) -> CardOrder:
    """Return the order of one deck: what is asked of backs holds for those decks that have them."""
    if order.backs and BACKS.get(order.backs) == "content" and not any(card.back for card in deck.cards):
        order = replace(order, backs="")
    backs = BACKS.get(order.backs, deck.backs) if order.backs else deck.backs
    return replace(order, fold=order.fold and backs != "none")


def judge_folder(out: Path | None) -> None:
    """Refuse standard output, or one file, where a folder is written.

    Raises:
        UsageError: one of these is named.
    """
    if out is not None and (str(out) == "-" or out.is_file() or out.suffix.lower().lstrip(".") in FORMATS):
        raise UsageError("--out {out}: handouts are a folder of files; name a folder", out=out)


def folder_of(record: Record, order: EveningOrder, out: Path | None, count: int, *, default: Path) -> Path:
    """Return the folder of an evening: the one that a person names, or one called after the game.

    Args:
        record: the game.
        order: how it is printed.
        out: a folder; of several games each gets a folder in it.
        count: how many games are printed.
        default: where folders called after their games stand.
    """
    if out is not None and count == 1:
        return out
    named = stem(record, out or default, count, order.map)
    return named.with_name(f"{named.name}-handouts")


def evening_plan(made: Evening, record: Record, folder: Path) -> Iterator[str]:
    """Yield what an evening takes, by which seed it is had again, and the files that would be written."""
    yield from _told(made)
    if record.seed is not None:
        yield Sentence("  this evening again: --seed {seed}", seed=record.seed)
    yield from would_write(folder / name for name in made.files)


def evening_report(made: Evening, game: Played, folder: Path) -> Iterator[str]:
    """Yield what was written, and what the person should know about it."""
    yield from _told(made)
    yield Sentence("  {contents} says what to print, and in which order", contents=folder / CONTENTS)
    yield from anew_lines(game)


def _told(made: Evening) -> Iterator[str]:
    sums = {name: sum(getattr(part, name) for part in made.parts) for name in ("sheets", "cuts", "minutes")}
    yield Sentence("{title}: {sheets} sheets, {cuts} straight cuts, about {minutes} minutes", title=made.title, **sums)
    width = max(len(part.name) for part in made.parts)
    for part in made.parts:
        sheets = Sentence("{count} sheets", count=part.sheets) if part.sheets > 1 else Sentence("1 sheet")
        taken = [sheets, Sentence("{count} cuts", count=part.cuts)] if part.cuts else [sheets]
        yield Sentence("  {name}  {taken}", name=f"{part.name:<{width}}", taken=joined(taken))
    yield from saving_lines(made.planned)
    yield from outside_lines(made.outside)
