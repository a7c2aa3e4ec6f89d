"""Everything that a group needs for one evening: which files there are, for whom, and the folder that holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from printkit.content.cards import Deck
from printkit.core.errors import Sentence, UsageError, joined
from printkit.core.paths import is_file
from printkit.core.words import BETWEEN, Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.style import read_beside
from printkit.drawing.map.board_drawing import small_map
from printkit.export.writers import FOLDERS, named_by
from printkit.kit.plugin import load
from printkit.kit.registry import plugin
from printkit.kit.sides import PlayerSide, titled
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions, EveningOptions, MapOptions, SheetOptions, known_formats
from printkit.page.leaflets import in_hand
from printkit.page.printer import PrinterProfile, corrected
from printkit.page.sheet import Document, Page
from printkit.recipes.evening.battle_report import battle_report
from printkit.recipes.evening.contents import Listed, contents_pages, linked
from printkit.recipes.evening.folder import MANIFEST, Folders, manifest
from printkit.recipes.evening.layout_aid import layout_aid
from printkit.recipes.evening.parts import MADE_BY, TILER, FilePart, Offer, Tiler, chosen, judge_parts, part_marks
from printkit.recipes.evening.player_sheets import player_pages, side_title, sides_in
from printkit.recipes.evening.reference import reference
from printkit.recipes.evening.steps import MAP_PLAN
from printkit.recipes.evening.umpire import umpire_pages
from printkit.recipes.game.games import Played
from printkit.recipes.game.request import log_text
from printkit.recipes.game.throw_text import in_each
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import Handout, OwnFile, PartUse, rules_document
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.decks import BACKS, FoundDeck, card_flip, deck_document, file_name, judge_cards
from printkit.recipes.prints.file_names import marked, stem
from printkit.recipes.prints.map_key import KeyKind
from printkit.recipes.prints.maps import MapContext, Planned, map_context, map_document
from printkit.recipes.prints.printing import anew_lines, outside_lines, saving_lines, would_write
from printkit.terrain.field.grids import HexGrid
from printkit.terrain.field.record import Record, write

CONTENTS: Final = "contents.pdf"

_THUMBNAIL: Final = 56.0

_SHEETS: Final = ("pdf",)
"""What an evening is made as where nobody says anything."""

Pages: TypeAlias = tuple[Page, ...]


def evening_context(
    asked: EveningOptions, words: Words, profile: PrinterProfile | None = None
) -> PrintContext[EveningOptions]:
    """Check the options of a game night and find what they name.

    Raises:
        UsageError: a paper, size, length or edge, a format or a part that is not known.
        PrintkitError: a style that cannot be read.
    """
    judge_parts(asked)
    printed = map_context(_map_options(asked), words, profile)
    asked = replace(asked, to=known_formats(asked.to, FOLDERS) or _SHEETS)
    order = PrintContext(**{**asdict(printed), "asked": asked, "of_game": True})
    judge_cards(evening_cards(order).asked)
    return order


def evening_map(order: PrintContext[EveningOptions]) -> MapContext:
    """Return the context of the map of a game night."""
    return MapContext(**{**asdict(order), "asked": _map_options(order.asked)})


def evening_cards(order: PrintContext[EveningOptions]) -> PrintContext[CardOptions]:
    """Return the context of the cards of a game night, on sheets of a size to hold."""
    held = {name: getattr(order.asked, name) for name in ("margin", "large_print", "size", "backs", "flip", "fold")}
    sheet = in_hand(order.sheet)
    asked = CardOptions(sheet=sheet.name, **held)
    # A mat is ground for miniatures; what is held in a hand is read.
    return PrintContext(**{**asdict(order), "asked": asked, "sheet": sheet, "style": read_beside(order.style)})


def _map_options(asked: EveningOptions) -> MapOptions:
    return MapOptions(**{name: getattr(asked, name) for name in SheetOptions.__struct_fields__})


class Evening(Struct, frozen=True, kw_only=True):
    """Every file of an evening: the contents, the parts in the order in which they are printed, and texts by name.

    ``outside`` labels the pages of which the printer does not reach everything; ``planned`` is what the map takes,
    where one is printed. ``rest`` are the parts that are not printed. ``virtual`` is what lies on a virtual table. Of
    one that is for that alone there are no contents. ``alone`` are parts that join those that were printed before.
    """

    title: str
    contents: Document | None = None
    parts: tuple[FilePart, ...] = ()
    rest: tuple[Offer, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[str, ...] = ()
    planned: Planned | None = None
    virtual: Mapping[str, FileContent] = {}
    alone: bool = False

    @property
    def files(self) -> dict[str, FileContent]:
        """Return what is written, by the name in the folder; the last of them lists all others."""
        files: dict[str, FileContent] = {
            **({CONTENTS: self.contents} if self.contents is not None else {}),
            **{part.name: part.document for part in self.parts},
            **self.virtual,
            **self.texts,
        }
        return files if self.alone else {**files, MANIFEST: manifest(files)}


def evening(record: Record, system: RuleSystem, order: PrintContext[EveningOptions], folder: Path = Path()) -> Evening:
    """Return everything for one evening with a record of any rule system.

    Args:
        record: the game.
        system: its rules.
        order: how it is printed.
        folder: where it comes to stand, which objects of a virtual table tell.

    Raises:
        PageError: the paper is too small.
        UsageError: cards cannot be printed as asked, or parts are named that this game has not.
        ScenarioError: tiles are asked for, and the field is of squares.
    """
    maker = _maker(record, system, order)
    handout, folders = maker.handout, maker.folders
    asked, only, offers = order.asked, order.asked.only, tuple(maker.offers())
    printed, rest = chosen(offers, asked)
    # Sheets that are printed again by themselves say what they said among the others.
    held = chosen(offers, replace(asked, only=()))[0] if only else printed
    maker.held = frozenset(offer.part for offer in held if offer.deck)
    log = {folders.log: log_text(record)} if record.log else {}
    kept = {folders.record: write(record), **log}
    virtual = maker.virtual(folder) if "tts" in asked.to else {}
    if only:
        kept = {name: text for name, text in kept.items() if _folder(name) in only}
        virtual = {name: content for name, content in virtual.items() if _folder(name) in only}
    if "pdf" not in asked.to:
        return Evening(title=handout.title, texts=kept, virtual=virtual, alone=bool(only))
    # Cards first: what is wrong with them is found before the long work.
    made = {offer.name: tuple(offer.make()) for offer in sorted(printed, key=lambda offer: not offer.deck)}
    parts = tuple(part for offer in printed for part in made[offer.name])
    texts = tuple(maker.umpire.added("evening_texts"))
    if only:
        own = {each.name: each.text for each in texts if _folder(each.name) in only}
        return Evening(
            title=handout.title,
            parts=parts,
            texts={**kept, **own},
            outside=tuple(maker.outside),
            virtual=virtual,
            alone=True,
        )
    listed = Listed(parts=parts, texts=texts, rest=rest, sides=tuple(maker.sides), folders=folders)
    pages = maker.true(contents_pages(handout, maker.shown, listed), label=CONTENTS)
    pages = linked(pages, {part.name for part in parts})
    return Evening(
        title=handout.title,
        contents=maker.document(handout.words("handouts.contents.title"), pages),
        parts=parts,
        rest=rest,
        texts={**kept, **{own.name: own.text for own in texts}},
        outside=tuple(maker.outside),
        planned=maker.planned,
        virtual=virtual,
    )


def evening_parts(
    record: Record, system: RuleSystem, order: PrintContext[EveningOptions]
) -> tuple[tuple[Offer, ...], ...]:
    """Return the parts that an evening will have, and the rest, as they are printed, before any of them is made.

    Raises:
        UsageError: parts are named that this game has not.
    """
    return chosen(tuple(_maker(record, system, order).offers()), order.asked)


def _maker(record: Record, system: RuleSystem, order: PrintContext[EveningOptions]) -> _Maker:
    sides = sides_in(record, system.book)
    folders = Folders(solo=any(side.solo for side in sides))
    return _Maker(
        handout=Handout.of(record, system, replace(order, style=read_beside(order.style))),
        order=order,
        sides=sides,
        folders=folders,
    )


class _Maker(Struct, kw_only=True, dict=True):
    """Makes parts, and keeps what the printer does not reach, and what the map takes; ``held`` are decks in hand."""

    handout: Handout
    order: PrintContext[EveningOptions]
    sides: Sequence[PlayerSide]
    folders: Folders
    held: frozenset[str] = frozenset()
    outside: list[str] = field(default_factory=list)
    planned: Planned | None = None

    @cached_property
    def shown(self) -> Drawing:
        """Return a small map."""
        return small_map(self.handout.record.battlefield, _THUMBNAIL, _THUMBNAIL, self.handout.map_drafter())

    @property
    def umpire(self) -> Handout:
        """Return what sheets of whoever runs the game are made from, who makes it again by its seed."""
        return replace(self.handout, show_seed=True)

    @property
    def origin(self) -> str:
        """Return the line that tells to which game a sheet belongs without its seed."""
        handout = self.handout
        return handout.words(
            "handouts.origin", title=handout.title, rules=handout.system.book.title_in(handout.words.each()[0])
        )

    def offers(self) -> Iterator[Offer]:
        """Yield every part that this game may have, in the order in which they are printed."""
        words, by = self.handout.words, self.order.asked.laid
        alone = self.order.sheet.endless
        yield self.offer("map", self.map, key="map-alone" if alone else "map", usual=by == MADE_BY["map"])
        yield self.offer("overview", self.overview)
        decks = tuple(self.handout.system.decks(words, self.handout.record))
        for deck in decks:
            yield self.deck(deck, f"{self.folders.shared}{file_name(deck)}.pdf")
        for deck in self.handout.added("umpire_decks"):
            yield self.deck(deck, f"{self.folders.kept}/{file_name(deck)}.pdf", use=PartUse.UMPIRE)
        yield self.offer("reference", partial(self.reference, decks))
        yield self.offer("layout", self.layout, usual=by == MADE_BY["layout"])
        grid = self.handout.record.battlefield.grid
        # Of squares no tiles are laid, which is told to whoever asks for them.
        if grid is None or isinstance(grid, HexGrid) or by == MADE_BY["hexon"]:
            yield self.offer("hexon", self.tiles, usual=by == MADE_BY["hexon"])
        for own in self.handout.added("evening_files"):
            yield self.own(own)
        yield self.offer("report", self.report)
        for side in self.sides:
            yield self.side(side)
        what = words("handouts.file.umpire")
        name = f"{self.folders.kept}/umpire.pdf"
        yield Offer(name=name, what=what, use=PartUse.UMPIRE, make=partial(self.umpires, name, what))
        if plugin(self.handout.system.name).form_pages:
            key = f"form-{self.handout.system.name}"
            yield self.offer("form", self.form, key=key, use=PartUse.NEXT, usual=False)

    def virtual(self, folder: Path) -> dict[str, FileContent]:
        """Return what lies on a virtual table: the decks that would be printed, the board, and what everybody has."""
        from printkit.recipes.evening.virtual_table import VirtualTable, virtual_files

        handout = self.handout

        def printed(decks: Iterable[Deck]) -> list[Deck]:
            return [deck for deck in decks if file_name(deck) in self.held]

        table = VirtualTable(
            handout=handout,
            map=evening_map(self.order),
            cards=evening_cards(self.order),
            folders=self.folders,
            decks=printed(handout.system.decks(handout.words, handout.record)),
            kept=printed(handout.added("umpire_decks")),
            url_base=self.order.asked.url_base,
        )
        return virtual_files(table, folder)

    def offer(
        self,
        part: str,
        make: Callable[[str, str], Iterable[FilePart]],
        *,
        key: str = "",
        use: PartUse = PartUse.TONIGHT,
        usual: bool = True,
    ) -> Offer:
        """Return an offer of a part that everybody may see; ``make`` is told its name and what it is."""
        name, what = f"{self.folders.shared}{part}.pdf", self.handout.words(f"handouts.file.{key or part}")
        return Offer(name=name, what=what, use=use, usual=usual, make=partial(make, name, what))

    def deck(self, deck: Deck, name: str, *, use: PartUse = PartUse.TONIGHT) -> Offer:
        """Return an offer of a deck on sheets to be cut, under a name in the folder of those who may see it."""
        spare = plugin(self.handout.system.name).spare.get(file_name(deck))
        use = use if spare is None else PartUse(spare)

        def cards() -> Iterator[FilePart]:
            printed = deck_document(FoundDeck(deck, self.handout.system), _suited(evening_cards(self.order), deck))
            self.outside += (f"{name} {label}" for label in printed.outside)
            what = _deck_told(deck, printed.cards, self.handout.words)
            cuts = printed.imposed.slots.cuts * printed.imposed.sheets
            yield FilePart(name=name, what=what, document=printed.document, use=use, cuts=cuts, card=True)

        what = _deck_told(deck, len(deck.cards), self.handout.words)
        return Offer(name=name, what=what, use=use, usual=spare is None, make=cards)

    def map(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the map at true size, and its plan where the map lies on a roll."""
        handout = self.handout
        document, planned = map_document(handout.record, handout.system, evening_map(self.order))
        self.planned = planned
        self.outside += (f"{name} {label}" for label in planned.outside)
        yield FilePart(name=name, what=what, document=document, cuts=planned.cuts, joints=planned.pages - 1)
        if planned.apart is not None:
            what = handout.words("handouts.file.map-plan")
            yield FilePart(name=f"{self.folders.shared}{MAP_PLAN}.pdf", what=what, document=planned.apart)

    def overview(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the whole field on one sheet."""
        handout = self.handout
        order = replace(evening_map(self.order).whole(handout.sheet), style=handout.style)
        shown, _ = map_document(handout.record, handout.system, order, pieces=False)
        yield self.part(name, what, shown.pages, true=True)

    def reference(self, decks: Sequence[Deck], name: str, what: str) -> Iterator[FilePart]:
        """Yield rules in short that no card of this evening has, the ground and its going, and the signs of the map."""
        spare = plugin(self.handout.system.name).spare
        read = [
            deck for deck in decks if file_name(deck) not in self.held and spare.get(file_name(deck)) != PartUse.NEXT
        ]
        own = tuple(self.handout.added("reference_pages"))
        first = tuple(self.handout.added("reference_blocks"))
        pages = reference(self.handout, () if own else read, origin=self.origin, first=first)
        named = f"handouts.file.reference-{self.handout.system.name}"
        if self.handout.words.has(named):
            what = self.handout.words(named)
        elif own or first or any(deck.reference for deck in read):
            what = self.handout.words("handouts.file.reference-rules")
        yield self.part(name, what, (*own, *pages))

    def layout(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the lay-out aid."""
        yield self.part(name, what, (*layout_aid(self.handout), *self.handout.added("layout_pages")))

    def tiles(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the plan of tiles."""
        handout = self.handout
        tiler: Tiler = load(TILER)
        made = tiler(handout.record, handout.system, replace(self.order, sheet=handout.sheet))
        self.outside += (f"{name} {label}" for label in made.outside)
        yield FilePart(name=name, what=what, document=made.document)

    def report(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the report."""
        yield self.part(name, what, battle_report(self.handout))

    def form(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the form by which the next table is made by hand."""
        yield replace(self.part(name, what, self.handout.added("form_pages")), use=PartUse.NEXT)

    def own(self, own: OwnFile) -> Offer:
        """Return an offer of a file that the rule system adds."""
        what = self.handout.words(f"handouts.file.{own.key}")
        spare = plugin(self.handout.system.name).spare

        def file() -> Iterator[FilePart]:
            yield replace(self.part(own.name, what, own.pages), use=own.use, cuts=own.cuts, card=own.card)

        usual = PurePosixPath(own.name).stem not in spare
        return Offer(name=own.name, what=what, use=own.use, usual=usual, make=file)

    def side(self, side: PlayerSide) -> Offer:
        """Return an offer of the sheets of a side."""
        name = f"{side.folder}/{side.folder}.pdf"
        key = f"handouts.file.{'you' if side.solo else 'player'}"
        what = in_each(self.handout.words, lambda one: one(key, side=titled(side, one)))

        def sheets() -> Iterator[FilePart]:
            handout = self.handout
            pages = player_pages(handout, side, self.sides, handout.added("side_blocks"), origin=self.origin)
            document = self.document(side_title(handout, side), self.true(pages, label=name))
            yield FilePart(name=name, what=what, document=document)

        return Offer(name=name, what=what, make=sheets)

    def umpires(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the umpire's copy; he looks up the dice of a feature wherever players see a key without them."""
        key = self.order.asked.key != KeyKind.FULL
        yield replace(
            self.part(name, what, umpire_pages(self.umpire, self.shown, self.folders, key=key)), use=PartUse.UMPIRE
        )

    def part(self, name: str, what: str, pages: Pages, *, true: bool = False) -> FilePart:
        """Return pages as a file that is called by what it is; ``true`` ones print true already."""
        printed = pages if true else self.true(pages, label=name)
        return FilePart(name=name, what=what, document=self.document(what, printed))

    def true(self, pages: Pages, *, label: str) -> Pages:
        """Return pages that the printer prints true."""
        made = corrected(Document(title="", pages=pages), self.order.profile)
        self.outside += (f"{label} {page}" for page in made.outside)
        return made.document.pages

    def document(self, title: str, pages: Pages) -> Document:
        """Return pages as a document; no seed is in its properties."""
        handout = self.handout
        flip = card_flip(evening_cards(self.order)) if any(page.back for page in pages) else None
        return rules_document(f"{title} – {handout.title}", pages, handout.system.name, handout.words, flip=flip)


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _deck_told(deck: Deck, count: int, words: Words) -> str:
    """Return what a deck is and its number of cards; its title has a part a language, or one that stands for all."""
    plain = f"handouts.file.deck.{deck.name.partition('-')[0]}"
    if words.has(f"{plain}.other"):
        return in_each(words, lambda one: one(plain, count=count))
    titles = deck.title.split(BETWEEN)
    told = titles if len(titles) == len(words.languages) else [deck.title] * len(words.languages)
    said = (one("handouts.file.cards", deck=title, count=count) for one, title in zip(words.each(), told, strict=True))
    return BETWEEN.join(dict.fromkeys(said))


def _suited(order: PrintContext[CardOptions], deck: Deck) -> PrintContext[CardOptions]:
    """Return the order of one deck: what is asked of backs holds for those decks that have them."""
    asked = order.asked
    if BACKS.get(asked.backs) == "content" and not any(card.back for card in deck.cards):
        asked = replace(asked, backs="")
    fold = asked.fold and BACKS.get(asked.backs, deck.backs) != "none"
    return replace(order, asked=replace(asked, fold=fold))


def judge_folder(out: Path | None) -> None:
    """Refuse standard output, or one file, where a folder is written.

    Raises:
        UsageError: one of these is named.
    """
    if out is not None and (str(out) == "-" or is_file(out) or named_by(out) is not None):
        raise UsageError("--out {out}: handouts are several files; name a folder", out=out)


def folder_of(
    record: Record, order: PrintContext[EveningOptions], out: Path | None, count: int, *, default: Path
) -> Path:
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
    named = stem(record, out or default, count, evening_map(order))
    formats = order.asked.to if tuple(order.asked.to) != _SHEETS else ()
    return named.with_name(f"{marked(named.name, *part_marks(order.asked), *formats)}-handouts")


def evening_plan(made: Evening, record: Record, folder: Path) -> Iterator[str]:
    """Yield what an evening takes, by which seed it is had again, and the files that would be written."""
    yield from _told(made)
    if record.seed is not None:
        yield Sentence("  to print this game night again: --seed {seed}", seed=record.seed)
    yield from would_write(folder / name for name in made.files)


def evening_report(made: Evening, game: Played, folder: Path) -> Iterator[str]:
    """Yield what was written, and what the person should know about it."""
    yield from _told(made)
    if made.contents is not None:
        yield Sentence("  {contents} lists the files to print, in order", contents=folder / CONTENTS)
    yield from anew_lines(game)


def _taken(sheets: int, cuts: int) -> list[Sentence]:
    """Return sheets and straight cuts in words; no cuts are not named."""
    taken = [Sentence("{count} sheets", count=sheets) if sheets > 1 else Sentence("1 sheet")]
    return [*taken, Sentence("{count} straight cuts", count=cuts)] if cuts else taken


def _told(made: Evening) -> Iterator[str]:
    objects = [name for name in made.virtual if name.endswith(".tts.json")]
    if objects:
        yield Sentence("{title}, for Tabletop Simulator: {objects}", title=made.title, objects=", ".join(objects))
    if not made.parts:
        return
    sheets, cuts, minutes = (sum(getattr(part, name) for part in made.parts) for name in ("sheets", "cuts", "minutes"))
    about = Sentence("about {count} minutes", count=minutes) if minutes > 1 else Sentence("about 1 minute")
    yield Sentence("{title}: {taken}", title=made.title, taken=joined([*_taken(sheets, cuts), about]))
    width = max(len(part.name) for part in made.parts)
    for part in made.parts:
        taken = joined(_taken(part.sheets, part.cuts))
        yield Sentence("  {name}  {taken}", name=f"{part.name:<{width}}", taken=taken)
    if made.planned is not None:
        yield from saving_lines(made.planned)
    yield from outside_lines(made.outside)
