"""Write the files of a deal, secret ones with padding: the size of a file does not reveal its cards (BR-M12)."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from printkit.recipes.output.files import FileContent, file_bytes, write_folder
from printkit.recipes.output.printers import SheetContext
from printkit.systems.brantley.sheets.game_folder import SEALED_GAME_NAME

# Sizes of secret files in bytes, by suffix: for flat styles, and for painted styles. Each is at least 1.5 times the
# largest file of all cards and of random hands, in every built-in style, language and paper.
_SIZES: Final = {".pdf": (512_000, 4_608_000), ".png": (1_536_000, 2_560_000), ".json": (16_000, 16_000)}

# The bytes of a PNG chunk without data; no smaller padding is possible.
_EMPTY_CHUNK: Final = 12

# A private chunk that programs ignore, and keep when they change the picture.
_PNG_CHUNK: Final = b"paDd"

# A comment of a PDF; some programs read no lines of more than 255 bytes.
_PDF_COMMENT: Final = b"%" + b" " * 98 + b"\n"


def write_deal(
    files: Mapping[str, FileContent],
    folder: Path,
    order: SheetContext,
    player_orders: Mapping[str, SheetContext] = {},
    *,
    force: bool = False,
) -> tuple[Path, ...]:
    """Write the files of a deal into a folder that only the user can read, and return their paths.

    Secret files are the sealed game and all files in subfolders. Those of one kind have one size, see ``pad_file``.

    Args:
        files: the files by their path below the folder.
        folder: the folder of the game.
        order: the print settings.
        player_orders: the print settings of a player, by A or B, if they differ from ``order``.
        force: True replaces existing files.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file already exists with other content, and ``force`` is not set.
    """
    styles = {f"player-{player.lower()}": player_order.style for player, player_order in player_orders.items()}
    contents: dict[str, FileContent] = {}
    for name, content in files.items():
        path = PurePosixPath(name)
        is_secret = len(path.parts) > 1 or name == SEALED_GAME_NAME
        is_painted = styles.get(path.parts[0], order.style).painted
        contents[name] = pad_file(file_bytes(content), path.suffix, is_painted=is_painted) if is_secret else content
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
