"""The folder of a sealed game: the sealed game itself, and the files next to it during play."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from printkit.core.errors import PrintkitError, RecordError, RetiredError, ScenarioError, Sentence
from printkit.core.paths import exists, is_file, is_folder
from printkit.core.typed import read_json
from printkit.export.placing import replace_file
from printkit.kit.registry import find
from printkit.kit.rules import TITLE_KEY
from printkit.options.printing import FOLDER
from printkit.recipes.game.request import read_text
from printkit.recipes.output.files import FileContent, file_bytes, write_folder
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.prints.file_names import slug
from printkit.systems.brantley.dealing import closed_game
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.dealing.journal import FINGERPRINT_DIGITS, Journal, read_journal, write_journal
from printkit.systems.brantley.dealing.old_game import OldFiles
from printkit.systems.brantley.dealing.progress import Progress

# File name of the sealed game in the folder of its deal.
SEALED_GAME_NAME: Final = "closed-game.json"

# File name of the journal next to a sealed game.
JOURNAL_NAME: Final = "game.txt"

# File names of a game of version 0.2: its turns and its numbers, one per line, and the note of its reveal.
OLD_TURNS: Final = "placements.txt"
OLD_NUMBERS: Final = "numbers.txt"
OLD_NOTE: Final = "revealed.json"

# How many games an error message lists.
_LISTED_GAMES: Final = 5


# Sizes of secret files in bytes, by suffix: for flat styles, and for painted styles. Each is at least 1.5 times the
# largest file of all cards and of random hands, in every built-in style, language and paper.
_SIZES: Final = {".pdf": (512_000, 4_608_000), ".png": (2_048_000, 2_560_000), ".json": (16_000, 16_000)}

# The bytes of a PNG chunk without data; no smaller padding is possible.
_EMPTY_CHUNK: Final = 12

# A private chunk that programs ignore, and keep when they change the picture.
_PNG_CHUNK: Final = b"paDd"

# A comment of a PDF; some programs read no lines of more than 255 bytes.
_PDF_COMMENT: Final = b"%" + b" " * 98 + b"\n"


def name_deal(out: Path, game: ClosedGame) -> Path:
    """Return the folder for the sheets of a deal in ``out``: ``deal-jorub-lijom``, or named after its title.

    A folder with another deal, or without one, is never used; the name then ends in ``-2``, ``-3`` and so on.
    """
    name = slug(game.settings.get(TITLE_KEY, "")) or f"deal-{game.seal.game}"
    folders = (out / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(folder for folder in folders if not exists(folder) or _has_deal(folder, game))


def _has_deal(folder: Path, game: ClosedGame) -> bool:
    """Return whether a folder has the sheets of a deal; its commitment identifies it."""
    path = folder / SEALED_GAME_NAME
    return is_file(path) and game.commitment in read_text(path)


def write_deal(
    files: Mapping[str, FileContent],
    folder: Path,
    order: SheetContext,
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the files of a deal into a folder that only the user can read, and return their paths.

    Secret files are the sealed game and all files in subfolders. Those of one kind have one size, see ``pad_file``.

    Args:
        files: the files by their path below the folder.
        folder: the folder of the game.
        order: the print settings.
        force: True replaces existing files.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file already exists with other content, and ``force`` is not set.
    """
    contents: dict[str, FileContent] = {}
    for name, content in files.items():
        path = PurePosixPath(name)
        is_secret = len(path.parts) > 1 or name == SEALED_GAME_NAME
        padded = pad_file(file_bytes(content), path.suffix, is_painted=order.style.painted) if is_secret else content
        contents[name] = padded
    return write_folder(contents, folder, force=force, private=True)


def pad_file(content: bytes, suffix: str, *, is_painted: bool) -> bytes:
    """Return a file with padding that programs ignore, so that its size is the fixed size of its kind.

    A user's own style, paper or lists can make a file larger than that. It then gets the next multiple of the size.

    Args:
        content: the file. A JSON file ends in a newline.
        suffix: its kind: ``.pdf``, ``.png`` or ``.json``.
        is_painted: whether its style is painted; such files are larger.
    """
    size = _SIZES[suffix][is_painted]
    count = -(len(content) + _EMPTY_CHUNK) % size + _EMPTY_CHUNK
    if suffix == ".pdf":
        # The table before the comment keeps its offset, and the last lines stay where programs look for them.
        end = content.rindex(b"startxref")
        padding = (_PDF_COMMENT * (count // len(_PDF_COMMENT) + 1))[: count - 1] + b"\n"
    elif suffix == ".png":
        end = len(content) - _EMPTY_CHUNK
        chunk = _PNG_CHUNK + bytes(count - _EMPTY_CHUNK)
        padding = (len(chunk) - len(_PNG_CHUNK)).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)
    else:
        end, padding = len(content) - 1, b" " * count
    return content[:end] + padding + content[end:]


def find_game_file(text: str) -> Path:
    """Return the file of a sealed game, given as the file, its folder, a folder with only that game, or by its name.

    A part of the name of its folder is enough; the folder is looked up in the folder ``output``.

    Raises:
        ScenarioError: there is no such game, or there are several.
    """
    path, part = Path(text), ""
    if is_folder(path) and exists(path / SEALED_GAME_NAME):
        return path / SEALED_GAME_NAME
    if not is_folder(path):
        if exists(path) or path.suffix or len(path.parts) != 1:
            return path
        path, part = FOLDER, text
    games = {file.parent.name: file for file in sorted(path.glob(f"*/{SEALED_GAME_NAME}"))}
    matches = [part] if part in games else [name for name in games if part in name]
    if len(matches) == 1:
        return games[matches[0]]
    if not games:
        raise ScenarioError("{path} contains no sealed game; printkit deal makes one", path=path)
    names = ", ".join((matches or list(games))[:_LISTED_GAMES])
    raise ScenarioError("name one of the sealed games in {path}: {names}", path=path, names=names)


def read_game(file: Path) -> ClosedGame:
    """Return the sealed game of a file.

    Raises:
        ScenarioError: the file cannot be read.
        FileError: it is not a sealed game.
        RetiredError: it has a setting that no longer exists.
    """
    game = closed_game.read(read_text(file), str(file))
    with _naming(file):
        find(RULES).book.refuse_retired(game.rule_settings)
    return game


def read_progress(file: Path) -> Progress:
    """Return a sealed game with its journal, or with the files of version 0.2; ``file`` is that of the game.

    Raises:
        ScenarioError: a file cannot be read, or a line was changed or cannot come where it is; names the file.
        FileError: the file is not a sealed game.
        RetiredError: the game has a setting that no longer exists.
    """
    game = read_game(file)
    text = _read_beside(file, JOURNAL_NAME)
    with _naming(file.with_name(JOURNAL_NAME)):
        journal = read_journal(game, text) if text else Journal(game.commitment)
    if game.journal:
        return Progress(game=game, journal=journal)
    old = OldFiles(
        turns=_read_beside(file, OLD_TURNS),
        numbers=_read_beside(file, OLD_NUMBERS),
        reveal_fingerprint=_read_old_note(file.with_name(OLD_NOTE), game),
    )
    progress = Progress(game=game, journal=journal, old=old)
    with _naming(file.with_name(OLD_TURNS)):
        _ = progress.turns
    with _naming(file.with_name(OLD_NUMBERS)):
        _ = progress.numbers
    return progress


def read_saved(file: Path) -> Progress | ScenarioError:
    """Return a sealed game as ``read_progress`` does, or the error of a journal that was changed.

    Raises:
        FileError: the file is not a sealed game.
        RetiredError: the game has a setting that no longer exists.
    """
    try:
        return read_progress(file)
    except RetiredError:
        raise
    except ScenarioError as error:
        return error


def save_progress(file: Path, progress: Progress) -> None:
    """Write the journal of a game next to it, or the files of version 0.2; only their owner can read them.

    Files whose content stays the same are left alone. ``file`` is that of the game.

    Raises:
        PageError: the folder cannot be written to.
    """
    texts = {OLD_TURNS: progress.old.turns, OLD_NUMBERS: progress.old.numbers}
    if progress.journal.lines:
        texts[JOURNAL_NAME] = write_journal(progress.journal)
    for name, text in texts.items():
        if text != _read_beside(file, name):
            with replace_file(file.with_name(name), private=True) as temporary_file:
                temporary_file.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def reveal_saved(file: Path, before: Progress, after: Progress) -> Iterator[None]:
    """Save that a game is revealed, then run the ``with`` block, which writes the revealed files.

    If the block raises a ``PrintkitError``, the game is as ``before`` again, because nothing was revealed.

    Raises:
        PageError: the folder cannot be written to.
    """
    save_progress(file, after)
    try:
        yield
    except PrintkitError:
        if before.journal.lines:
            save_progress(file, before)
        elif after.journal.lines:
            file.with_name(JOURNAL_NAME).unlink(missing_ok=True)
        raise


class _OldNote(Struct, frozen=True):
    """The parts of a note of a reveal by version 0.2 that still count."""

    commitment: str
    field: str


def _read_old_note(path: Path, game: ClosedGame) -> str:
    """Return the fingerprint of the battlefield in the note of a reveal by version 0.2; empty without a note.

    Raises:
        FileError: it is not a note.
        ScenarioError: it cannot be read, or belongs to another game.
    """
    if not exists(path):
        return ""
    note = read_json(read_text(path), _OldNote, str(path), Sentence("Use the file as printkit reveal wrote it."))
    if note.commitment != game.commitment:
        raise ScenarioError("{path}: this note belongs to another game, not to {game}", path=path, game=game.seal.game)
    return note.field[:FINGERPRINT_DIGITS]


def _read_beside(file: Path, name: str) -> str:
    """Return the text of a file next to a sealed game; empty if it is missing."""
    path = file.with_name(name)
    return read_text(path) if exists(path) else ""


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Add the path of a file to errors about its content."""
    try:
        yield
    except (RecordError, ScenarioError) as error:
        raise type(error)("{path}: {error}", path=path, error=error) from None
