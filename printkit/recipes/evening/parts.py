"""The parts of a game night: their use, the choice of parts for a game, and the objects for a virtual table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.cards import Deck
from printkit.core.errors import UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import SEPARATOR, Words
from printkit.export.tabletop_simulator import MIDDLE, ObjectPosition, board_size, board_state, saved_object
from printkit.export.writers import BoardPicture
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions, EveningOptions
from printkit.page.sheet import Document
from printkit.recipes.evening.folder import Folders
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import HandoutContext, SidePieces
from printkit.recipes.output.printed_files import FilePart, PartUse
from printkit.recipes.output.printers import PrintContext, SheetContext
from printkit.recipes.prints.decks import BACKS, SystemDeck, card_size, deck_faces, file_name
from printkit.recipes.prints.exact_picture import field_picture
from printkit.recipes.prints.maps import MapContext
from printkit.recipes.prints.virtual_decks import PicturePlace, VirtualObjects, deck_object, piece_objects
from printkit.terrain.field.record import Record

# The name of the object for everybody.
TABLE: Final = "table"

# The name of the object for one player or for the umpire.
OWN: Final = "own"

ENDING: Final = "tts.json"

# Distance of decks and pieces from the board, in inches.
_BOARD_GAP_IN: Final = 1.5

# Gap between decks, in inches.
_DECK_GAP_IN: Final = 0.6

# Least width of rows of pieces, in inches.
_LEAST_ROW_IN: Final = 24.0


class VirtualTable(Struct, frozen=True, kw_only=True):
    """Everything that goes on a virtual table for a game night.

    ``decks`` are for everybody, ``umpire_decks`` only for the umpire. ``url_base`` is the address of the pictures,
    empty for the folder of their object.
    """

    handout: HandoutContext
    map_context: MapContext
    cards: PrintContext[CardOptions]
    folders: Folders
    decks: Sequence[Deck] = ()
    umpire_decks: Sequence[Deck] = ()
    url_base: str = ""


def virtual_files(table: VirtualTable, folder: Path) -> dict[str, FileContent]:
    """Return the objects of a game night and their pictures, by name in the folder.

    A card in a player's hand is only in that player's object, and pictures of other objects do not show its face.

    Raises:
        PageError: a picture would be too large, or a text does not fit its card.
    """
    files: dict[str, FileContent] = {}
    handout = table.handout
    pieces_by_folder: dict[str, list[SidePieces]] = {}
    for piece_set in handout.plugin_parts("side_pieces"):
        pieces_by_folder.setdefault(piece_set.folder, []).append(piece_set)
    hand_ids = {
        card.id
        for piece_sets in pieces_by_folder.values()
        for piece_set in piece_sets
        for card in (piece_set.hand.cards if piece_set.hand else ())
    }
    picture = field_picture(handout.record, handout.system, table.map_context)
    base = f"{table.folders.shared_prefix}{TABLE}"
    place = _picture_place(table, folder, f"{base}-board")
    files[f"{base}-board.png"] = picture.data
    objects = [board_state(handout.record, picture, place.address(f"{TABLE}-board.png"))]
    open_decks = [
        replace(deck, cards=tuple(card for card in deck.cards if card.id not in hand_ids)) for deck in table.decks
    ]
    contents = [
        *_deck_objects(table, open_decks, folder, base, picture),
        *_piece_rows(table, pieces_by_folder.pop("", ()), folder, base, picture),
    ]
    _add_object(files, base, handout.title, objects, contents)
    for name, piece_sets in pieces_by_folder.items():
        private_decks = table.umpire_decks if name == table.folders.private_folder else ()
        _add_private_object(files, table, (piece_sets, private_decks), folder, picture)
    if table.umpire_decks and table.folders.private_folder not in pieces_by_folder:
        _add_private_object(files, table, ((), table.umpire_decks), folder, picture)
    return files


def _add_private_object(
    files: dict[str, FileContent],
    table: VirtualTable,
    private_items: tuple[Sequence[SidePieces], Sequence[Deck]],
    folder: Path,
    picture: BoardPicture,
) -> None:
    """Add to ``files`` the object of one player or the umpire: a hand, pieces, and private decks.

    ``private_items`` are the pieces of sides and the decks, at least one of them. ``picture`` is that of the board.
    """
    piece_sets, decks = private_items
    base = f"{piece_sets[0].folder if piece_sets else table.folders.private_folder}/{OWN}"
    hands = [piece_set.hand for piece_set in piece_sets if piece_set.hand is not None]
    contents = [
        *_deck_objects(table, [*hands, *decks], folder, base, picture),
        *_piece_rows(table, piece_sets, folder, base, picture),
    ]
    title = piece_sets[0].title if piece_sets else decks[0].title
    _add_object(files, base, f"{table.handout.title}: {title}", [], contents)


def _add_object(
    files: dict[str, FileContent],
    base: str,
    title: str,
    objects: list[dict[str, Any]],
    contents: Sequence[VirtualObjects],
) -> None:
    """Add to ``files`` the file of the object ``base`` with ``objects`` and ``contents``, and their pictures.

    ``objects`` changes in place. Nothing is added without objects. ``title`` is the name of the object on the virtual
    table. ``base`` is its path in the folder without the ending.
    """
    parent = base.rpartition("/")[0]
    for content in contents:
        objects += content.objects
        files.update({f"{parent}/{name}" if parent else name: data for name, data in content.pictures.items()})
    if objects:
        files[f"{base}.{ENDING}"] = saved_object(title, objects)


def _deck_objects(
    table: VirtualTable, decks: Sequence[Deck], folder: Path, base: str, picture: BoardPicture
) -> Iterator[VirtualObjects]:
    """Yield decks in a column to the right of the board.

    ``base`` is the path of the object without its ending; the pictures are in the same folder.
    """
    size, (board_width, board_height) = card_size(table.cards.asked), board_size(picture)
    x, z = (
        board_width / 2 + _BOARD_GAP_IN + size.width / MM_PER_INCH / 2,
        board_height / 2 - size.height / MM_PER_INCH / 2,
    )
    for deck in decks:
        if not deck.cards:
            continue
        faces = deck_faces(SystemDeck(deck, table.handout.system), table.cards)
        place = _picture_place(table, folder, f"{base}-{file_name(deck)}")
        secret = deck.backs == "secret"
        yield deck_object(
            faces, size, title=deck.title, secret=secret, place=place, position=ObjectPosition(x, z, MIDDLE.turn)
        )
        z -= size.height / MM_PER_INCH + _DECK_GAP_IN


def _piece_rows(
    table: VirtualTable, piece_sets: Sequence[SidePieces], folder: Path, base: str, picture: BoardPicture
) -> Iterator[VirtualObjects]:
    """Yield pieces in rows at the board edge that is nearest to their player.

    ``base`` is the path of the object without its ending; the pictures are in the same folder.
    """
    board_width, board_height = board_size(picture)
    for piece_set in piece_sets:
        if piece_set.pieces:
            direction = 1.0 if piece_set.far else -1.0
            row = ObjectPosition(
                0.0, direction * (board_height / 2 + _BOARD_GAP_IN), 0.0 if piece_set.far else MIDDLE.turn
            )
            place = _picture_place(table, folder, f"{base}-pieces")
            yield piece_objects(piece_set.pieces, place=place, width=max(board_width, _LEAST_ROW_IN), row=row)


def _picture_place(table: VirtualTable, folder: Path, name: str) -> PicturePlace:
    """Return the path and address of the pictures ``name``; subfolders are the same below both."""
    parent = name.rpartition("/")[0]
    url_base = table.url_base
    if url_base and parent:
        url_base = f"{url_base.rstrip('/')}/{parent}"
    return PicturePlace(folder / name, url_base)


# The name of all decks together.
ALL_DECKS: Final = "cards"

# Most similar names that an error about an unknown name shows.
_MOST_SUGGESTIONS: Final = 3


class OptionalPart(Struct, frozen=True, kw_only=True):
    """A part that a game night can have: its path in the folder, its description and use, and its builder.

    A ``usual`` part is printed by default. ``make`` returns its files; a map can have a second file with its plan.
    """

    name: str
    description: str
    use: PartUse = PartUse.TONIGHT
    usual: bool = True
    make: Callable[[], Iterable[FilePart]]

    @property
    def part_name(self) -> str:
        """Return the name of the part in options: ``map``, ``cards-terrain``, ``player-a``."""
        return PurePosixPath(self.name).stem

    @property
    def folder(self) -> str:
        """Return the folder of the part, for example ``player-a``; empty for the top folder."""
        return self.name.rpartition("/")[0]

    @property
    def deck(self) -> bool:
        """Return whether the part is a deck."""
        return self.part_name.startswith(f"{ALL_DECKS}-")


class TilePlan(NamedTuple):
    """The sheets for laying tiles; ``outside`` labels pages that extend beyond the printable area."""

    document: Document
    outside: tuple[str, ...] = ()


Tiler: TypeAlias = Callable[[Record, RuleSystem, SheetContext], TilePlan]

# The function that plans tiles; it is loaded only if a game night has them.
TILER: Final = "printkit.hexon.job:evening_tiles"


class PlacedBy(StrEnum):
    """How the table is made: from a printed map, the user's terrain pieces, or Hexon tiles."""

    PRINT = "print"
    BUILD = "build"
    HEXON = "hexon"


# How the table is made with each of these parts.
TABLE_KINDS: Final = {"map": PlacedBy.PRINT, "layout": PlacedBy.BUILD, "hexon": PlacedBy.HEXON}


def validate_parts(options: EveningOptions) -> None:
    """Reject part options that contradict each other. The game checks later that the parts exist.

    Raises:
        UsageError: ``--table`` has an unknown value, or options contradict each other.
    """
    if options.laid not in list(PlacedBy):
        raise _unknown_name_error("--table", options.laid, list(PlacedBy))
    for name in options.wanted:
        if name in options.unwanted:
            raise UsageError("--with {name} and --without {name} cannot be combined; use one of them", name=name)
    if options.only and (options.wanted or options.unwanted):
        raise UsageError("--only prints just the parts it names; leave out --with and --without")


def choose_parts(
    offers: Sequence[OptionalPart], options: EveningOptions
) -> tuple[tuple[OptionalPart, ...], tuple[OptionalPart, ...]]:
    """Return the parts to print, and the rest, both in the order of the offers.

    With ``--only`` just the named parts are printed. The name of a deck takes priority over ``cards``, which means all
    decks. A folder name, allowed only there, means its usual parts.

    Raises:
        UsageError: an option names an unknown part.
    """
    part_names = {offer.part_name for offer in offers} | {ALL_DECKS for offer in offers if offer.deck}
    folders = {offer.folder for offer in offers if offer.folder}
    for option, names in (("--with", options.wanted), ("--without", options.unwanted), ("--only", options.only)):
        accepted_names = part_names | folders if option == "--only" else part_names
        for name in names:
            if name not in accepted_names:
                raise _unknown_name_error(option, name, sorted(accepted_names))

    def is_printed(offer: OptionalPart) -> bool:
        """Return whether the options choose a part; without an option about it, whether it is usual."""
        names = (offer.part_name, ALL_DECKS) if offer.deck else (offer.part_name,)
        if options.only:
            return not {*names}.isdisjoint(options.only) or (offer.usual and offer.folder in options.only)
        for name in names:
            if name in options.wanted or name in options.unwanted:
                return name in options.wanted
        return offer.usual

    return tuple(filter(is_printed, offers)), tuple(offer for offer in offers if not is_printed(offer))


def _unknown_name_error(option: str, text: str, accepted_names: Sequence[str]) -> UsageError:
    """Return the error about an unknown name, with similar names, or with all names.

    ``option`` is the option that has it.
    """
    similar_names = get_close_matches(text, accepted_names, n=_MOST_SUGGESTIONS)
    if similar_names:
        return UsageError(
            "{option}: there is no {text!r}; did you mean {near}?",
            option=option,
            text=text,
            near=", ".join(similar_names),
        )
    return UsageError(
        "{option}: there is no {text!r}; use one of {known}", option=option, text=text, known=", ".join(accepted_names)
    )


def describe_deck(deck: Deck, count: int, words: Words) -> str:
    """Return the title of a deck and its number of cards, in each language.

    The title has one part per language, separated by ``SEPARATOR``, or one for all.
    """
    key = f"handouts.file.deck.{deck.name.partition('-')[0]}"
    if words.has(f"{key}.other"):
        return join_languages(words, lambda language: language(key, count=count))
    titles = deck.title.split(SEPARATOR)
    language_titles = titles if len(titles) == len(words.languages) else [deck.title] * len(words.languages)
    descriptions = (
        language("handouts.file.cards", deck=title, count=count)
        for language, title in zip(words.each(), language_titles, strict=True)
    )
    return SEPARATOR.join(dict.fromkeys(descriptions))


def fit_card_options(order: PrintContext[CardOptions], deck: Deck) -> PrintContext[CardOptions]:
    """Return the context of one deck, without the options that it cannot use.

    ``backs=content`` is dropped if no card has a back of its own, and ``fold`` if the deck is printed without backs.
    Other values of ``backs`` stay.
    """
    options = order.asked
    if BACKS.get(options.backs) == "content" and not any(card.back for card in deck.cards):
        options = replace(options, backs="")
    fold = options.fold and BACKS.get(options.backs, deck.backs) != "none"
    return replace(order, asked=replace(options, fold=fold))
