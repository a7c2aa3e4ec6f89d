"""Everything that a group needs for a game night: the files, who gets them, and their folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from textwrap import wrap
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from printkit.content.cards import Deck
from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.style import read_beside
from printkit.drawing.map.board_drawing import small_map
from printkit.export.writers import FOLDERS
from printkit.kit.plugin import load
from printkit.kit.registry import plugin
from printkit.kit.sides import PlayerSide, titled
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions, EveningOptions, MapOptions, SheetOptions, validate_formats
from printkit.page.leaflets import reading_sheet
from printkit.page.printer import PrinterProfile, apply_profile
from printkit.page.sheet import Document, Page
from printkit.recipes.evening.contents import MAP_PLAN, ContentsEntries, contents_pages
from printkit.recipes.evening.folder import DEFAULT_FORMATS, MANIFEST, Folders, manifest_text
from printkit.recipes.evening.parts import (
    TABLE_KINDS,
    TILER,
    OptionalPart,
    Tiler,
    choose_parts,
    describe_deck,
    fit_card_options,
    validate_parts,
)
from printkit.recipes.evening.reference import reference_pages, umpire_pages
from printkit.recipes.evening.table_sheets import battle_report, layout_aid, player_pages, playing_sides, side_title
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.game.request import log_text
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import HandoutContext, PluginFile, rules_document
from printkit.recipes.output.printed_files import (
    FilePart,
    PartUse,
    PrintedFile,
    describe_files,
    document_parts,
)
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.output.report import format_head, report_lines
from printkit.recipes.prints.decks import SystemDeck, card_flip, deck_document, file_name, validate_cards
from printkit.recipes.prints.map_key import KeyKind
from printkit.recipes.prints.map_plan import MapPlan, plan_map
from printkit.recipes.prints.maps import MapContext, map_context
from printkit.recipes.prints.printing import game_notices, map_parts, outside_lines, replacing_lines, saving_lines
from printkit.terrain.field.grids import HexGrid
from printkit.terrain.field.record import Record, write

CONTENTS: Final = "contents.pdf"

# Characters in a line of a report that lists the parts.
_LINE: Final = 90

_THUMBNAIL_MM: Final = 56.0

T = TypeVar("T")

Pages: TypeAlias = tuple[Page, ...]


def game_night_context(
    options: EveningOptions, words: Words, profile: PrinterProfile | None = None
) -> PrintContext[EveningOptions]:
    """Check the options of a game night, and return them with the style, paper and formats that they name.

    ``profile`` has the corrections of a printer; None without them.

    Raises:
        UsageError: a paper, size, length, edge, format or part is unknown.
        PrintkitError: a style cannot be read.
    """
    validate_parts(options)
    map_order = map_context(_map_options(options), words, profile)
    options = replace(options, to=validate_formats(options.to, FOLDERS) or DEFAULT_FORMATS)
    order = PrintContext(**{**asdict(map_order), "asked": options, "of_game": True})
    validate_cards(game_night_cards(order).asked)
    return order


def game_night_map(order: PrintContext[EveningOptions]) -> MapContext:
    """Return the context of the map of a game night."""
    return MapContext(**{**asdict(order), "asked": _map_options(order.asked)})


def game_night_cards(order: PrintContext[EveningOptions]) -> PrintContext[CardOptions]:
    """Return the context of the cards of a game night, on a sheet size for reading."""
    card_fields = {
        name: getattr(order.asked, name) for name in ("margin", "large_print", "size", "backs", "flip", "fold")
    }
    sheet = reading_sheet(order.sheet)
    options = CardOptions(sheet=sheet.name, **card_fields)
    # A mat style is for miniatures; cards need a style for reading.
    return PrintContext(**{**asdict(order), "asked": options, "sheet": sheet, "style": read_beside(order.style)})


def _map_options(options: EveningOptions) -> MapOptions:
    """Return the options of a game night that also apply to its map."""
    return MapOptions(**{name: getattr(options, name) for name in SheetOptions.__struct_fields__})


class GameNight(Struct, frozen=True, kw_only=True):
    """All files of a game night.

    Attributes:
        title: the title of the game.
        contents: the contents page; None if there are only files for a virtual table, or with ``--only``.
        parts: files to print, in order.
        left_out: parts that are not printed.
        texts: texts of other files, by name.
        outside: labels of pages that extend beyond the printable area.
        map_plan: the plan of the map, if it is printed.
        virtual_files: files for a virtual table, by name.
        is_addition: whether the files are added to those of an earlier print.
    """

    title: str
    contents: Document | None = None
    parts: tuple[FilePart, ...] = ()
    left_out: tuple[OptionalPart, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[str, ...] = ()
    map_plan: MapPlan | None = None
    virtual_files: Mapping[str, FileContent] = {}
    is_addition: bool = False

    @property
    def files(self) -> dict[str, FileContent]:
        """Return all files by their names in the folder; the last is the list, unless ``is_addition``."""
        files: dict[str, FileContent] = {
            **({CONTENTS: self.contents} if self.contents is not None else {}),
            **{part.name: part.document for part in self.parts},
            **self.virtual_files,
            **self.texts,
        }
        return files if self.is_addition else {**files, MANIFEST: manifest_text(files)}

    @property
    def printed_parts(self) -> tuple[FilePart, ...]:
        """Return all files to print: the contents page first, then the parts in the order of printing."""
        contents = {} if self.contents is None else {CONTENTS: self.contents}
        return (*document_parts(contents, "contents"), *self.parts)

    def describe_files(self) -> tuple[PrintedFile, ...]:
        """Return the facts about all files, those to print first."""
        parts = self.printed_parts
        return describe_files(self.files, parts, first_order=1 - len(parts) + len(self.parts))


def evening(
    record: Record, system: RuleSystem, order: PrintContext[EveningOptions], folder: Path = Path()
) -> GameNight:
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
    builder = _create_builder(record, system, order)
    handout, folders = builder.handout, builder.folders
    options, only, offers = order.asked, order.asked.only, tuple(builder.offers())
    printed_offers, other_offers = choose_parts(offers, options)
    # With --only, sheets must have the same content as in the full print, so find the decks without it.
    card_offers = choose_parts(offers, replace(options, only=()))[0] if only else printed_offers
    builder.printed_decks = frozenset(offer.part_name for offer in card_offers if offer.deck)
    log = {folders.log: log_text(record)} if record.log else {}
    virtual = builder.virtual_table_files(folder) if "tts" in options.to else {}
    game_night = GameNight(
        title=handout.title,
        texts=_in_folders({folders.record: write(record), **log}, only),
        virtual_files=_in_folders(virtual, only),
        is_addition=bool(only),
    )
    if "pdf" not in options.to:
        return game_night
    # Build cards first, so that their errors appear before the slow work.
    files_by_offer = {
        offer.name: tuple(offer.make()) for offer in sorted(printed_offers, key=lambda offer: not offer.deck)
    }
    parts = tuple(part for offer in printed_offers for part in files_by_offer[offer.name])
    texts = tuple(builder.umpire.plugin_parts("evening_texts"))
    own_texts = _in_folders({text_file.name: text_file.text for text_file in texts}, only)
    game_night = replace(game_night, parts=parts, texts={**game_night.texts, **own_texts})
    if only:
        return replace(game_night, outside=tuple(builder.outside))
    entries = ContentsEntries(
        parts=parts, texts=texts, left_out=other_offers, sides=tuple(builder.sides), folders=folders
    )
    pages = builder.correct_pages(contents_pages(handout, builder.thumbnail, entries), label=CONTENTS)
    return replace(
        game_night,
        contents=builder.build_document(handout.words("handouts.contents.title"), pages),
        left_out=other_offers,
        outside=tuple(builder.outside),
        map_plan=builder.map_plan,
    )


def building_plan(record: Record, system: RuleSystem, order: MapContext, name: str) -> tuple[FilePart, tuple[str, ...]]:
    """Return the part of a game night with the plan to build a battlefield, as a file of this name.

    The second value has the labels of pages that extend beyond the printable area.
    """
    options = EveningOptions(**{name: getattr(order.asked, name) for name in SheetOptions.__struct_fields__})
    builder = _create_builder(record, system, PrintContext(**{**asdict(order), "asked": options, "of_game": True}))
    (part,) = builder.layout(name, builder.handout.words("handouts.file.layout"))
    return part, tuple(builder.outside)


def preview_parts(
    record: Record, system: RuleSystem, order: PrintContext[EveningOptions]
) -> tuple[tuple[OptionalPart, ...], ...]:
    """Return the parts that a game night prints, and the rest, without building any of them.

    Raises:
        UsageError: this game does not have a named part.
    """
    return choose_parts(tuple(_create_builder(record, system, order).offers()), order.asked)


def _create_builder(record: Record, system: RuleSystem, order: PrintContext[EveningOptions]) -> _GameNightBuilder:
    """Return the builder for the parts of a game night of this record."""
    sides = playing_sides(record, system.book)
    folders = Folders(solo=any(side.solo for side in sides))
    return _GameNightBuilder(
        handout=HandoutContext.from_record(record, system, replace(order, style=read_beside(order.style))),
        order=order,
        sides=sides,
        folders=folders,
    )


class _GameNightBuilder(Struct, kw_only=True, dict=True):
    """Builds the parts of a game night.

    ``printed_decks`` has the names of decks that are printed as cards. ``outside`` and ``map_plan`` collect results
    for ``GameNight``.
    """

    handout: HandoutContext
    order: PrintContext[EveningOptions]
    sides: Sequence[PlayerSide]
    folders: Folders
    printed_decks: frozenset[str] = frozenset()
    outside: list[str] = field(default_factory=list)
    map_plan: MapPlan | None = None

    @cached_property
    def thumbnail(self) -> Drawing:
        """Return a small map of the battlefield as a drawing in mm on paper."""
        return small_map(self.handout.record.battlefield, _THUMBNAIL_MM, _THUMBNAIL_MM, self.handout.map_drafter())

    @property
    def umpire(self) -> HandoutContext:
        """Return the context of the umpire's sheets, which show the seed."""
        return replace(self.handout, show_seed=True)

    @property
    def origin(self) -> str:
        """Return the line that names the game of a sheet without its seed."""
        return self.handout.game_line

    def offers(self) -> Iterator[OptionalPart]:
        """Yield every part that this game can have, in printing order.

        The overview tests the printer; after it comes the map, which takes the longest.
        """
        words, table_kind = self.handout.words, self.order.asked.laid
        is_roll = self.order.sheet.is_endless
        yield self.shared_part("overview", self.overview)
        yield self.shared_part(
            "map", self.map_files, key="map-alone" if is_roll else "map", usual=table_kind == TABLE_KINDS["map"]
        )
        decks = tuple(self.handout.system.decks(words, self.handout.record))
        for deck in decks:
            yield self.deck(deck, self.shared_name(file_name(deck)))
        for deck in self.handout.plugin_parts("umpire_decks"):
            yield self.deck(deck, f"{self.folders.private_folder}/{file_name(deck)}.pdf", use=PartUse.UMPIRE)
        yield self.shared_part("reference", partial(self.reference, decks))
        yield self.shared_part("layout", self.layout, usual=table_kind == TABLE_KINDS["layout"])
        grid = self.handout.record.battlefield.grid
        # Tiles cannot show squares. If the user wants tiles anyway, building the part raises the error.
        if grid is None or isinstance(grid, HexGrid) or table_kind == TABLE_KINDS["hexon"]:
            yield self.shared_part("hexon", self.tiles, usual=table_kind == TABLE_KINDS["hexon"])
        for part, function in plugin(self.handout.system.name).sheets.items():
            yield self.shared_part(part, partial(self.sheet, function))
        for added_file in self.handout.plugin_parts("evening_files"):
            yield self.added_part(added_file)
        yield self.shared_part("report", self.report)
        for side in self.sides:
            yield self.side_part(side)
        description = words("handouts.file.umpire")
        name = f"{self.folders.private_folder}/umpire.pdf"
        yield OptionalPart(
            name=name, description=description, use=PartUse.UMPIRE, make=partial(self.umpire_files, name, description)
        )
        if plugin(self.handout.system.name).form_pages:
            key = f"form-{self.handout.system.name}"
            yield self.shared_part("form", self.form, key=key, use=PartUse.NEXT, usual=False)

    def virtual_table_files(self, folder: Path) -> dict[str, FileContent]:
        """Return the files of a virtual table by name: decks, the board, and the hands and pieces of players."""
        from printkit.recipes.evening.parts import VirtualTable, virtual_files

        handout = self.handout

        def choose_printed(decks: Iterable[Deck]) -> list[Deck]:
            """Return the decks that are printed as cards."""
            return [deck for deck in decks if file_name(deck) in self.printed_decks]

        table = VirtualTable(
            handout=handout,
            map_context=game_night_map(self.order),
            cards=game_night_cards(self.order),
            folders=self.folders,
            decks=choose_printed(handout.system.decks(handout.words, handout.record)),
            umpire_decks=choose_printed(handout.plugin_parts("umpire_decks")),
            url_base=self.order.asked.url_base,
        )
        return virtual_files(table, folder)

    def shared_name(self, part: str) -> str:
        """Return the path of the file of a part that everybody may see."""
        return f"{self.folders.shared_prefix}{part}.pdf"

    def shared_part(
        self,
        part: str,
        make: Callable[[str, str], Iterable[FilePart]],
        *,
        key: str = "",
        use: PartUse = PartUse.TONIGHT,
        usual: bool = True,
    ) -> OptionalPart:
        """Return a part that everybody may see; it is not built yet.

        Args:
            part: the name of the part in options.
            make: gets the path and the description of the part, and yields its files.
            key: the key of the description; by default the name of the part.
            use: when the part is used.
            usual: whether the part is printed if no option names it.
        """
        name, description = self.shared_name(part), self.handout.words(f"handouts.file.{key or part}")
        return OptionalPart(
            name=name, description=description, use=use, usual=usual, make=partial(make, name, description)
        )

    def deck(self, deck: Deck, name: str, *, use: PartUse = PartUse.TONIGHT) -> OptionalPart:
        """Return the part of a deck on sheets to cut; ``name`` is its path in the game-night folder.

        It is built when the part is printed. ``use`` is when the deck is used, unless the rule system says that.
        """
        spare = plugin(self.handout.system.name).spare.get(file_name(deck))
        use = use if spare is None else PartUse(spare)

        def build_cards() -> Iterator[FilePart]:
            deck_print = deck_document(
                SystemDeck(deck, self.handout.system), fit_card_options(game_night_cards(self.order), deck)
            )
            self.outside += (f"{name} {label}" for label in deck_print.clipped_pages)
            description = describe_deck(deck, deck_print.cards, self.handout.words)
            document, cuts = deck_print.document, deck_print.cuts
            yield FilePart(name=name, description=description, document=document, use=use, cuts=cuts, card=True)

        description = describe_deck(deck, len(deck.cards), self.handout.words)
        return OptionalPart(name=name, description=description, use=use, usual=spare is None, make=build_cards)

    def map_files(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file of the map at actual size, and that of its assembly plan if that is on separate paper.

        It stores the plan of the map and the labels of clipped pages in the builder. ``name`` is the path of the map
        in the folder, and ``description`` its title.
        """
        handout = self.handout
        self.map_plan = plan_map(handout.record, handout.system, game_night_map(self.order))
        self.outside += (f"{name} {label}" for label in self.map_plan.clipped_pages)
        plan_name, plan_text = self.shared_name(MAP_PLAN), handout.words("handouts.file.map-plan")
        yield from map_parts(self.map_plan, name, plan_name, texts=(description, plan_text))

    def overview(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the whole battlefield on one sheet.

        ``description`` is the title of the file for people.
        """
        handout = self.handout
        order = replace(game_night_map(self.order).on_one_sheet(handout.sheet), style=handout.style)
        plan = plan_map(handout.record, handout.system, order, pieces=False)
        yield self.build_part(name, description, plan.document.pages, true=True)

    def reference(self, decks: Sequence[Deck], name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the rules that no printed card has, the kinds of terrain, and the legend.

        ``name`` is the path of the file in the folder, and ``description`` its title.
        """
        spare = plugin(self.handout.system.name).spare
        unprinted_decks = [
            deck
            for deck in decks
            if file_name(deck) not in self.printed_decks and spare.get(file_name(deck)) != PartUse.NEXT
        ]
        rule_pages = tuple(self.handout.plugin_parts("reference_pages"))
        first_blocks = tuple(self.handout.plugin_parts("reference_blocks"))
        pages = reference_pages(
            self.handout, () if rule_pages else unprinted_decks, origin=self.origin, first_contents=first_blocks
        )
        rule_key = f"handouts.file.reference-{self.handout.system.name}"
        if self.handout.words.has(rule_key):
            description = self.handout.words(rule_key)
        elif rule_pages or first_blocks or any(deck.reference for deck in unprinted_decks):
            description = self.handout.words("handouts.file.reference-rules")
        yield self.build_part(name, description, (*rule_pages, *pages))

    def layout(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the layout aid, for boards built from the user's terrain.

        ``name`` is the path of the file in the folder, and ``description`` its title.
        """
        yield self.build_part(
            name, description, (*layout_aid(self.handout), *self.handout.plugin_parts("layout_pages"))
        )

    def tiles(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the plan of Hexon tiles.

        It stores the labels of clipped pages in the builder.

        Raises:
            PrintkitError: tiles cannot show the battlefield, for example because its grid has squares.
        """
        handout = self.handout
        tiler: Tiler = load(TILER)
        tile_plan = tiler(handout.record, handout.system, replace(self.order, sheet=handout.sheet))
        self.outside += (f"{name} {label}" for label in tile_plan.outside)
        yield FilePart(name=name, description=description, document=tile_plan.document)

    def report(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the after-battle report.

        ``name`` is the path of the file in the folder, and ``description`` its title.
        """
        yield self.build_part(name, description, battle_report(self.handout))

    def form(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the form for making the next table by hand.

        ``name`` is the path of the file in the folder, and ``description`` its title.
        """
        yield replace(self.build_part(name, description, self.handout.plugin_parts("form_pages")), use=PartUse.NEXT)

    def sheet(self, function: str, name: str, description: str) -> Iterator[FilePart]:
        """Yield the file with the blocks that a function of the rule system (``module:name``) returns.

        ``name`` is the path of the file in the folder, and ``description`` its title.
        """
        yield self.build_part(name, description, self.handout.build_pages(description, load(function)(self.handout)))

    def added_part(self, added_file: PluginFile) -> OptionalPart:
        """Return the part for a file that the rule system adds."""
        description = self.handout.words(f"handouts.file.{added_file.key}")
        spare = plugin(self.handout.system.name).spare

        def build_file() -> Iterator[FilePart]:
            yield replace(
                self.build_part(added_file.name, description, added_file.pages),
                use=added_file.use,
                cuts=added_file.cuts,
                card=added_file.card,
            )

        usual = PurePosixPath(added_file.name).stem not in spare
        return OptionalPart(
            name=added_file.name, description=description, use=added_file.use, usual=usual, make=build_file
        )

    def side_part(self, side: PlayerSide) -> OptionalPart:
        """Return the part with the sheets of a side."""
        name = f"{side.folder}/{side.folder}.pdf"
        key = f"handouts.file.{'you' if side.solo else 'player'}"
        description = join_languages(self.handout.words, lambda language: language(key, side=titled(side, language)))

        def build_sheets() -> Iterator[FilePart]:
            handout = self.handout
            pages = player_pages(handout, side, self.sides, handout.plugin_parts("side_blocks"), origin=self.origin)
            document = self.build_document(side_title(handout, side), self.correct_pages(pages, label=name))
            yield FilePart(name=name, description=description, document=document)

        return OptionalPart(name=name, description=description, make=build_sheets)

    def umpire_files(self, name: str, description: str) -> Iterator[FilePart]:
        """Yield the umpire's copy; it has the key with dice if the key on the map does not show them.

        ``name`` is the path of the file in the folder, and ``description`` its title.
        """
        key = self.order.asked.key != KeyKind.FULL
        yield replace(
            self.build_part(name, description, umpire_pages(self.umpire, self.thumbnail, self.folders, key=key)),
            use=PartUse.UMPIRE,
        )

    def build_part(self, name: str, description: str, pages: Pages, *, true: bool = False) -> FilePart:
        """Return pages as a file with the title ``description``.

        With ``true`` the pages fit the printer profile already. ``name`` is the path of the file in the folder. Labels
        of clipped pages are added to ``outside``.
        """
        final_pages = pages if true else self.correct_pages(pages, label=name)
        return FilePart(name=name, description=description, document=self.build_document(description, final_pages))

    def correct_pages(self, pages: Pages, *, label: str) -> Pages:
        """Return pages corrected for the printer profile, and record those beyond the printable area.

        Their labels are added to ``outside``, each after ``label``, the name of the file.
        """
        result = apply_profile(Document(title="", pages=pages), self.order.profile)
        self.outside += (f"{label} {page}" for page in result.outside)
        return result.document.pages

    def build_document(self, title: str, pages: Pages) -> Document:
        """Return pages as a document without a seed in its properties.

        Its title is ``title`` and the title of the game.
        """
        handout = self.handout
        flip = card_flip(game_night_cards(self.order)) if any(page.back for page in pages) else None
        return rules_document(f"{title} – {handout.title}", pages, handout.system.name, handout.words, flip=flip)


def _in_folders(files: Mapping[str, T], folders: Collection[str]) -> dict[str, T]:
    """Return the files by name that are directly in one of these folders; all files if there are no folders."""
    return {name: content for name, content in files.items() if not folders or name.rpartition("/")[0] in folders}


def game_night_report(
    game_night: GameNight,
    game: GeneratedGame,
    folder: Path,
    *,
    is_plan: bool = False,
    is_replacing: bool = False,
) -> Iterator[str]:
    """Yield the report on a game night in ``folder``: the paper and work, the sheets of each file, and notices.

    Objects for Tabletop Simulator come first. ``is_plan`` means that nothing is written, and
    ``is_replacing`` that files of an earlier print are replaced.
    """
    objects = [name for name in game_night.virtual_files if name.endswith(".tts.json")]
    if objects:
        yield Sentence("{title}, for Tabletop Simulator: {objects}", title=game_night.title, objects=", ".join(objects))
    if parts := game_night.printed_parts:
        title = Sentence("Your game night on {title}", title=game_night.title)
        first_row: list[object] = [folder]
        if game_night.contents is not None:
            first_row = [folder / CONTENTS, Sentence("print this first: it gives the order")]
        counts = [f"{part.sheets} {PurePosixPath(part.name).stem}" for part in parts]
        rows: list[Sequence[object]] = [
            first_row,
            *([line] for line in wrap(", ".join(counts), _LINE, break_on_hyphens=False)),
        ]
        replaces = is_replacing and not is_plan and not game_night.is_addition
        notes = [*replacing_lines(game.record, is_replacing=replaces), *game_notices(game)]
        notes += outside_lines(game_night.outside)
        if game_night.map_plan is not None:
            notes += saving_lines(game_night.map_plan)
        folders = {part.name.rpartition("/")[0] for part in parts}
        if any(name.startswith("player-") for name in folders):
            notes.append(Sentence("Give each player their own folder, and nothing else."))
        yield from report_lines(format_head(title, parts, is_plan=is_plan), rows, notes)
