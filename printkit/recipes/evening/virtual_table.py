"""A game night at a virtual table: one object for everybody, and one for each player with private cards or pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.cards import Deck
from printkit.core.units import MM_PER_INCH
from printkit.exchange.tabletop_simulator import MIDDLE, ObjectSpot, board_size, board_state, saved_object
from printkit.exchange.told import BoardPicture
from printkit.options.printing import CardOptions
from printkit.recipes.evening.folder import Folders
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.handout import HandoutContext, SidePieces
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.decks import FoundDeck, card_size, deck_faces, file_name
from printkit.recipes.prints.exact_picture import field_picture
from printkit.recipes.prints.maps import MapContext
from printkit.recipes.prints.virtual_decks import PicturePlace, Virtual, deck_object, piece_objects
from printkit.terrain.field.record import write

# The name of the object for everybody.
TABLE: Final = "table"

# The name of the object for one player or for the umpire.
OWN: Final = "own"

ENDING: Final = "tts.json"

# Distance of decks and pieces from the board, in inches.
_BESIDE: Final = 1.5

# Gap between decks, in inches.
_APART: Final = 0.6

# Least width of rows of pieces, in inches.
_NARROWEST: Final = 24.0


class VirtualTable(Struct, frozen=True, kw_only=True):
    """Everything that goes on a virtual table for a game night.

    ``decks`` are for everybody, ``kept`` only for the umpire. ``url_base`` is the address of the pictures, empty for
    the folder of their object.
    """

    handout: HandoutContext
    map: MapContext
    cards: PrintContext[CardOptions]
    folders: Folders
    decks: Sequence[Deck] = ()
    kept: Sequence[Deck] = ()
    url_base: str = ""


def virtual_files(table: VirtualTable, folder: Path) -> dict[str, FileContent]:
    """Return the objects of a game night and their pictures, by name in the folder.

    A card in a player's hand is only in that player's object, and pictures of other objects do not show its face.

    Raises:
        PageError: a picture would be too large, or a text does not fit its card.
    """
    files: dict[str, FileContent] = {}
    handout = table.handout
    owned: dict[str, list[SidePieces]] = {}
    for own in handout.added("side_pieces"):
        owned.setdefault(own.folder, []).append(own)
    held = {card.id for each in owned.values() for own in each for card in (own.hand.cards if own.hand else ())}
    shown = field_picture(handout.record, handout.system, table.map)
    base = f"{table.folders.shared}{TABLE}"
    place = _place(table, folder, f"{base}-board")
    files[f"{base}-board.png"] = shown.data
    objects = [board_state(write(handout.record), shown, place.address(f"{TABLE}-board.png"))]
    lying = [_left(deck, held) for deck in table.decks]
    made = [*_decks(table, lying, folder, base, shown), *_pieces(table, owned.pop("", ()), folder, base, shown)]
    _add(files, base, handout.title, objects, made)
    for name, each in owned.items():
        kept = table.kept if name == table.folders.kept else ()
        _own(files, table, (each, kept), folder, shown)
    if table.kept and table.folders.kept not in owned:
        _own(files, table, ((), table.kept), folder, shown)
    return files


def _own(
    files: dict[str, FileContent],
    table: VirtualTable,
    has: tuple[Sequence[SidePieces], Sequence[Deck]],
    folder: Path,
    shown: BoardPicture,
) -> None:
    """Add the object of one player or the umpire: a hand, pieces, and decks that only they may see."""
    own, decks = has
    base = f"{own[0].folder if own else table.folders.kept}/{OWN}"
    hands = [each.hand for each in own if each.hand is not None]
    made = [*_decks(table, [*hands, *decks], folder, base, shown), *_pieces(table, own, folder, base, shown)]
    title = own[0].title if own else decks[0].title
    _add(files, base, f"{table.handout.title}: {title}", [], made)


def _add(
    files: dict[str, FileContent], base: str, title: str, objects: list[dict[str, Any]], made: Sequence[Virtual]
) -> None:
    """Add an object with its contents, and the pictures to the same folder."""
    parent = base.rpartition("/")[0]
    for each in made:
        objects += each.objects
        files.update({f"{parent}/{name}" if parent else name: data for name, data in each.pictures.items()})
    if objects:
        files[f"{base}.{ENDING}"] = saved_object(title, objects)


def _left(deck: Deck, held: set[str]) -> Deck:
    """Return a deck without the cards in players' hands."""
    return replace(deck, cards=tuple(card for card in deck.cards if card.id not in held))


def _decks(
    table: VirtualTable, decks: Sequence[Deck], folder: Path, base: str, shown: BoardPicture
) -> Iterator[Virtual]:
    """Yield decks in a column to the right of the board."""
    size, (wide, high) = card_size(table.cards.asked), board_size(shown)
    x, z = wide / 2 + _BESIDE + size.width / MM_PER_INCH / 2, high / 2 - size.height / MM_PER_INCH / 2
    for deck in decks:
        if not deck.cards:
            continue
        faces = deck_faces(FoundDeck(deck, table.handout.system), table.cards)
        place = _place(table, folder, f"{base}-{file_name(deck)}")
        secret = deck.backs == "secret"
        yield deck_object(faces, size, title=deck.title, secret=secret, place=place, spot=ObjectSpot(x, z, MIDDLE.turn))
        z -= size.height / MM_PER_INCH + _APART


def _pieces(
    table: VirtualTable, own: Sequence[SidePieces], folder: Path, base: str, shown: BoardPicture
) -> Iterator[Virtual]:
    """Yield pieces in rows at the board edge that is nearest to their player."""
    wide, high = board_size(shown)
    for each in own:
        if each.pieces:
            way = 1.0 if each.far else -1.0
            row = ObjectSpot(0.0, way * (high / 2 + _BESIDE), 0.0 if each.far else MIDDLE.turn)
            place = _place(table, folder, f"{base}-pieces")
            yield piece_objects(each.pieces, place=place, width=max(wide, _NARROWEST), row=row)


def _place(table: VirtualTable, folder: Path, name: str) -> PicturePlace:
    """Return the path and address of pictures; subfolders are the same below both."""
    parent = name.rpartition("/")[0]
    url_base = table.url_base
    if url_base and parent:
        url_base = f"{url_base.rstrip('/')}/{parent}"
    return PicturePlace(folder / name, url_base)
