"""Everything that a group needs for a game night: the files, who gets them, and their folder."""

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
from printkit.page.leaflets import reading_sheet
from printkit.page.printer import PrinterProfile, apply_profile
from printkit.page.sheet import Document, Page
from printkit.recipes.evening.battle_report import battle_report
from printkit.recipes.evening.contents import Listed, contents_pages, linked
from printkit.recipes.evening.folder import MANIFEST, Folders, manifest
from printkit.recipes.evening.layout_aid import layout_aid
from printkit.recipes.evening.parts import (
    MADE_BY,
    TILER,
    FilePart,
    OptionalPart,
    Tiler,
    chosen,
    judge_parts,
    part_marks,
)
from printkit.recipes.evening.player_sheets import player_pages, side_title, sides_in
from printkit.recipes.evening.reference import reference
from printkit.recipes.evening.steps import MAP_PLAN
from printkit.recipes.evening.umpire import umpire_pages
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.game.request import log_text
from printkit.recipes.game.throw_text import in_each
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import HandoutContext, OwnFile, PartUse, rules_document
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.decks import BACKS, FoundDeck, card_flip, deck_document, file_name, judge_cards
from printkit.recipes.prints.file_names import marked, stem
from printkit.recipes.prints.map_key import KeyKind
from printkit.recipes.prints.maps import MapContext, MapSummary, map_context, map_document
from printkit.recipes.prints.printing import anew_lines, outside_lines, saving_lines, would_write
from printkit.terrain.field.grids import HexGrid
from printkit.terrain.field.record import Record, write

CONTENTS: Final = "contents.pdf"

_THUMBNAIL: Final = 56.0

# Default formats of a game night.
_SHEETS: Final = ("pdf",)

Pages: TypeAlias = tuple[Page, ...]


def evening_context(
    asked: EveningOptions, words: Words, profile: PrinterProfile | None = None
) -> PrintContext[EveningOptions]:
    """Check the options of a game night, and load the style, paper and formats that they name.

    Raises:
        UsageError: a paper, size, length, edge, format or part is unknown.
        PrintkitError: a style cannot be read.
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
    """Return the context of the cards of a game night, on a sheet size for reading."""
    held = {name: getattr(order.asked, name) for name in ("margin", "large_print", "size", "backs", "flip", "fold")}
    sheet = reading_sheet(order.sheet)
    asked = CardOptions(sheet=sheet.name, **held)
    # A mat style is for miniatures; cards need a style for reading.
    return PrintContext(**{**asdict(order), "asked": asked, "sheet": sheet, "style": read_beside(order.style)})


def _map_options(asked: EveningOptions) -> MapOptions:
    return MapOptions(**{name: getattr(asked, name) for name in SheetOptions.__struct_fields__})


class Evening(Struct, frozen=True, kw_only=True):
    """All files of a game night.

    Attributes:
        title: the title of the game.
        contents: the contents page; None if there are only files for a virtual table, or with ``--only``.
        parts: files to print, in order.
        rest: parts that are not printed.
        texts: texts of other files, by name.
        outside: labels of pages that extend beyond the printable area.
        planned: the summary of the map, if it is printed.
        virtual: files for a virtual table, by name.
        alone: whether the files are added to those of an earlier print.
    """

    title: str
    contents: Document | None = None
    parts: tuple[FilePart, ...] = ()
    rest: tuple[OptionalPart, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[str, ...] = ()
    planned: MapSummary | None = None
    virtual: Mapping[str, FileContent] = {}
    alone: bool = False

    @property
    def files(self) -> dict[str, FileContent]:
        """Return all files by their names in the folder; the last is the list, unless ``alone``."""
        files: dict[str, FileContent] = {
            **({CONTENTS: self.contents} if self.contents is not None else {}),
            **{part.name: part.document for part in self.parts},
            **self.virtual,
            **self.texts,
        }
        return files if self.alone else {**files, MANIFEST: manifest(files)}


def evening(record: Record, system: RuleSystem, order: PrintContext[EveningOptions], folder: Path = Path()) -> Evening:
    """Build all files of a game night for a record of any rule system.

    Args:
        record: the game.
        system: its rules.
        order: how to print it.
        folder: the target folder; objects of a virtual table refer to it.

    Raises:
        PageError: the paper is too small.
        UsageError: the card options do not fit the cards, or this game does not have a named part.
        ScenarioError: a table of tiles is requested, but the grid has squares.
    """
    maker = _maker(record, system, order)
    handout, folders = maker.handout, maker.folders
    asked, only, offers = order.asked, order.asked.only, tuple(maker.offers())
    printed, rest = chosen(offers, asked)
    # With --only, sheets must have the same content as in the full print, so find the decks without it.
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
    # Build cards first, so that their errors appear before the slow work.
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
) -> tuple[tuple[OptionalPart, ...], ...]:
    """Return the parts that a game night prints, and the rest, without building any of them.

    Raises:
        UsageError: this game does not have a named part.
    """
    return chosen(tuple(_maker(record, system, order).offers()), order.asked)


def _maker(record: Record, system: RuleSystem, order: PrintContext[EveningOptions]) -> _Maker:
    sides = sides_in(record, system.book)
    folders = Folders(solo=any(side.solo for side in sides))
    return _Maker(
        handout=HandoutContext.of(record, system, replace(order, style=read_beside(order.style))),
        order=order,
        sides=sides,
        folders=folders,
    )


class _Maker(Struct, kw_only=True, dict=True):
    """Builds the parts of a game night.

    ``held`` has the names of decks that are printed as cards. ``outside`` and ``planned`` collect results for
    ``Evening``.
    """

    handout: HandoutContext
    order: PrintContext[EveningOptions]
    sides: Sequence[PlayerSide]
    folders: Folders
    held: frozenset[str] = frozenset()
    outside: list[str] = field(default_factory=list)
    planned: MapSummary | None = None

    @cached_property
    def shown(self) -> Drawing:
        """Return a small map."""
        return small_map(self.handout.record.battlefield, _THUMBNAIL, _THUMBNAIL, self.handout.map_drafter())

    @property
    def umpire(self) -> HandoutContext:
        """Return the context of the umpire's sheets, which show the seed."""
        return replace(self.handout, show_seed=True)

    @property
    def origin(self) -> str:
        """Return the line that names the game of a sheet without its seed."""
        handout = self.handout
        return handout.words(
            "handouts.origin", title=handout.title, rules=handout.system.book.title_in(handout.words.each()[0])
        )

    def offers(self) -> Iterator[OptionalPart]:
        """Yield every part that this game can have, in printing order."""
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
        # Tiles cannot show squares. If the user wants tiles anyway, building the part raises the error.
        if grid is None or isinstance(grid, HexGrid) or by == MADE_BY["hexon"]:
            yield self.offer("hexon", self.tiles, usual=by == MADE_BY["hexon"])
        for own in self.handout.added("evening_files"):
            yield self.own(own)
        yield self.offer("report", self.report)
        for side in self.sides:
            yield self.side(side)
        what = words("handouts.file.umpire")
        name = f"{self.folders.kept}/umpire.pdf"
        yield OptionalPart(name=name, what=what, use=PartUse.UMPIRE, make=partial(self.umpires, name, what))
        if plugin(self.handout.system.name).form_pages:
            key = f"form-{self.handout.system.name}"
            yield self.offer("form", self.form, key=key, use=PartUse.NEXT, usual=False)

    def virtual(self, folder: Path) -> dict[str, FileContent]:
        """Return the files of a virtual table: the printed decks, the board, and the hands and pieces of players."""
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
    ) -> OptionalPart:
        """Return a part that everybody may see; ``make`` gets its name and description."""
        name, what = f"{self.folders.shared}{part}.pdf", self.handout.words(f"handouts.file.{key or part}")
        return OptionalPart(name=name, what=what, use=use, usual=usual, make=partial(make, name, what))

    def deck(self, deck: Deck, name: str, *, use: PartUse = PartUse.TONIGHT) -> OptionalPart:
        """Return the part of a deck on sheets to cut; ``name`` is its path in the game-night folder."""
        spare = plugin(self.handout.system.name).spare.get(file_name(deck))
        use = use if spare is None else PartUse(spare)

        def cards() -> Iterator[FilePart]:
            printed = deck_document(FoundDeck(deck, self.handout.system), _suited(evening_cards(self.order), deck))
            self.outside += (f"{name} {label}" for label in printed.outside)
            what = _deck_told(deck, printed.cards, self.handout.words)
            cuts = printed.imposed.slots.cuts * printed.imposed.sheets
            yield FilePart(name=name, what=what, document=printed.document, use=use, cuts=cuts, card=True)

        what = _deck_told(deck, len(deck.cards), self.handout.words)
        return OptionalPart(name=name, what=what, use=use, usual=spare is None, make=cards)

    def map(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the map at actual size, and its assembly plan if that is on separate paper."""
        handout = self.handout
        document, planned = map_document(handout.record, handout.system, evening_map(self.order))
        self.planned = planned
        self.outside += (f"{name} {label}" for label in planned.outside)
        yield FilePart(name=name, what=what, document=document, cuts=planned.cuts, joints=planned.pages - 1)
        if planned.apart is not None:
            what = handout.words("handouts.file.map-plan")
            yield FilePart(name=f"{self.folders.shared}{MAP_PLAN}.pdf", what=what, document=planned.apart)

    def overview(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the whole battlefield on one sheet."""
        handout = self.handout
        order = replace(evening_map(self.order).whole(handout.sheet), style=handout.style)
        shown, _ = map_document(handout.record, handout.system, order, pieces=False)
        yield self.part(name, what, shown.pages, true=True)

    def reference(self, decks: Sequence[Deck], name: str, what: str) -> Iterator[FilePart]:
        """Yield the reference: rules that no printed card has, kinds of terrain with their going, and the legend."""
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
        """Yield the layout aid."""
        yield self.part(name, what, (*layout_aid(self.handout), *self.handout.added("layout_pages")))

    def tiles(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the tile plan."""
        handout = self.handout
        tiler: Tiler = load(TILER)
        made = tiler(handout.record, handout.system, replace(self.order, sheet=handout.sheet))
        self.outside += (f"{name} {label}" for label in made.outside)
        yield FilePart(name=name, what=what, document=made.document)

    def report(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the report."""
        yield self.part(name, what, battle_report(self.handout))

    def form(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the form for making the next table by hand."""
        yield replace(self.part(name, what, self.handout.added("form_pages")), use=PartUse.NEXT)

    def own(self, own: OwnFile) -> OptionalPart:
        """Return the part for a file that the rule system adds."""
        what = self.handout.words(f"handouts.file.{own.key}")
        spare = plugin(self.handout.system.name).spare

        def file() -> Iterator[FilePart]:
            yield replace(self.part(own.name, what, own.pages), use=own.use, cuts=own.cuts, card=own.card)

        usual = PurePosixPath(own.name).stem not in spare
        return OptionalPart(name=own.name, what=what, use=own.use, usual=usual, make=file)

    def side(self, side: PlayerSide) -> OptionalPart:
        """Return the part with the sheets of a side."""
        name = f"{side.folder}/{side.folder}.pdf"
        key = f"handouts.file.{'you' if side.solo else 'player'}"
        what = in_each(self.handout.words, lambda one: one(key, side=titled(side, one)))

        def sheets() -> Iterator[FilePart]:
            handout = self.handout
            pages = player_pages(handout, side, self.sides, handout.added("side_blocks"), origin=self.origin)
            document = self.document(side_title(handout, side), self.true(pages, label=name))
            yield FilePart(name=name, what=what, document=document)

        return OptionalPart(name=name, what=what, make=sheets)

    def umpires(self, name: str, what: str) -> Iterator[FilePart]:
        """Yield the umpire's copy; it has the key with dice if the key on the map does not show them."""
        key = self.order.asked.key != KeyKind.FULL
        yield replace(
            self.part(name, what, umpire_pages(self.umpire, self.shown, self.folders, key=key)), use=PartUse.UMPIRE
        )

    def part(self, name: str, what: str, pages: Pages, *, true: bool = False) -> FilePart:
        """Return pages as a file with the title ``what``; with ``true`` they fit the printer profile already."""
        printed = pages if true else self.true(pages, label=name)
        return FilePart(name=name, what=what, document=self.document(what, printed))

    def true(self, pages: Pages, *, label: str) -> Pages:
        """Return pages corrected for the printer profile, and record those beyond the printable area."""
        made = apply_profile(Document(title="", pages=pages), self.order.profile)
        self.outside += (f"{label} {page}" for page in made.outside)
        return made.document.pages

    def document(self, title: str, pages: Pages) -> Document:
        """Return pages as a document without a seed in its properties."""
        handout = self.handout
        flip = card_flip(evening_cards(self.order)) if any(page.back for page in pages) else None
        return rules_document(f"{title} – {handout.title}", pages, handout.system.name, handout.words, flip=flip)


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _deck_told(deck: Deck, count: int, words: Words) -> str:
    """Return the title of a deck and its number of cards; the title has one part per language, or one for all."""
    plain = f"handouts.file.deck.{deck.name.partition('-')[0]}"
    if words.has(f"{plain}.other"):
        return in_each(words, lambda one: one(plain, count=count))
    titles = deck.title.split(BETWEEN)
    told = titles if len(titles) == len(words.languages) else [deck.title] * len(words.languages)
    said = (one("handouts.file.cards", deck=title, count=count) for one, title in zip(words.each(), told, strict=True))
    return BETWEEN.join(dict.fromkeys(said))


def _suited(order: PrintContext[CardOptions], deck: Deck) -> PrintContext[CardOptions]:
    """Return the context of one deck; options for backs apply only if the deck has backs."""
    asked = order.asked
    if BACKS.get(asked.backs) == "content" and not any(card.back for card in deck.cards):
        asked = replace(asked, backs="")
    fold = asked.fold and BACKS.get(asked.backs, deck.backs) != "none"
    return replace(order, asked=replace(asked, fold=fold))


def validate_folder(out: Path | None) -> None:
    """Reject standard output or a single file in place of a folder.

    Raises:
        UsageError: ``out`` is one of these.
    """
    if out is not None and (str(out) == "-" or is_file(out) or named_by(out) is not None):
        raise UsageError("--out {out}: handouts are several files; name a folder", out=out)


def folder_of(
    record: Record, order: PrintContext[EveningOptions], out: Path | None, count: int, *, default: Path
) -> Path:
    """Return the folder of a game night: the one that the user names, or one named after the game.

    Args:
        record: the game.
        order: how to print it.
        out: the user's folder; with several games each gets a folder in it.
        count: the number of games.
        default: the parent of folders that are named after their games.
    """
    if out is not None and count == 1:
        return out
    named = stem(record, out or default, count, evening_map(order))
    formats = order.asked.to if tuple(order.asked.to) != _SHEETS else ()
    return named.with_name(f"{marked(named.name, *part_marks(order.asked), *formats)}-handouts")


def evening_plan(made: Evening, record: Record, folder: Path) -> Iterator[str]:
    """Yield the work of a game night, the seed to print it again, and the files to write."""
    yield from _told(made)
    if record.seed is not None:
        yield Sentence("  to print this game night again: --seed {seed}", seed=record.seed)
    yield from would_write(folder / name for name in made.files)


def evening_report(made: Evening, game: GeneratedGame, folder: Path) -> Iterator[str]:
    """Yield the work of a written game night, and the notices for the user."""
    yield from _told(made)
    if made.contents is not None:
        yield Sentence("  {contents} lists the files to print, in order", contents=folder / CONTENTS)
    yield from anew_lines(game)


def _taken(sheets: int, cuts: int) -> list[Sentence]:
    """Return the numbers of sheets and straight cuts as text; without cuts only the sheets."""
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
