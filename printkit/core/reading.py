"""Files that people bring or are sent: how much is read of them, and how deep and how large what they say may be.

A file of anybody may cost a few seconds and half a gigabyte, and no more.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from printkit.core.errors import Sentence

MOST_BYTES: Final = 8 << 20
"""Bytes of a file. The record of a board of 144 x 72 in with all its throws has less than one of them in ten."""

DEEPEST: Final = 40
"""How many lists and objects may stand in one another."""

# Possessive, because a search would try a long text again from each of its letters. An unclosed string is the tail.
_STRING: Final = re.compile(rb'"(?:(?:[^"\\]++|\\.)*+"|(?P<tail>.*+))', re.DOTALL)
_PLAIN: Final = re.compile(rb"[^\[\]{}]+")
_STEPS: Final = {**dict.fromkeys(b"[{", 1), **dict.fromkeys(b"]}", -1)}
_JOINED: Final = re.compile(rf"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST},}}")


_NO_TEXT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What is no letter, sign or space, and what no file of ours may hold: XML knows most of it not."""


def plain(text: str) -> str:
    """Return a text that somebody else has written without what steers a terminal, or is no text at all."""
    return _NO_TEXT.sub("", text)


def text_of(path: Path) -> str:
    """Return the text of a file in UTF-8.

    A mark at the beginning, which some editors leave in texts, is no part of it.

    Raises:
        OSError: it cannot be read, is not a file or not text in UTF-8, or is too large to be what a person has written.
    """
    data = bytes_of(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OSError(
            errno.EILSEQ, Sentence("line {line} is not text in UTF-8; save the file as UTF-8", line=line)
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        OSError: it cannot be read, is not a file, or is too large to be what a person has written.
    """
    try:
        with open(path, "rb", opener=_opened) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, Sentence("it is a pipe or a device, not a file"))
            found = file.read(MOST_BYTES + 1)
    except ValueError as error:
        # A name with a character that no name has.
        raise OSError(errno.EINVAL, str(error)) from None
    if len(found) > MOST_BYTES:
        raise OSError(
            errno.EFBIG,
            Sentence("it is larger than {most} MB, the largest file that printkit reads", most=MOST_BYTES >> 20),
        )
    return found


def _opened(path: str, flags: int) -> int:
    # A pipe into which nobody writes would be waited for.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def toml_of(text: str) -> dict[str, Any]:
    """Return the values of a TOML text.

    Raises:
        TOMLDecodeError: it is none; or names and lists stand in one another without end.
    """
    # The time and the room for names joined by points grow with the square of their number.
    if _JOINED.search(text) or depth(text) > DEEPEST:
        raise tomllib.TOMLDecodeError(f"more than {DEEPEST} names or lists stand in one another")
    try:
        return {plain(key): plain_values(value) for key, value in tomllib.loads(text).items()}
    except RecursionError:
        raise tomllib.TOMLDecodeError("too many lists stand in one another") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:
        # A number of thousands of digits.
        raise tomllib.TOMLDecodeError(str(error)) from None


def plain_values(value: Any) -> Any:
    """Return the values of a file with plain texts; a tree of dictionaries and lists."""
    match value:
        case str():
            return plain(value)
        case list():
            return [plain_values(each) for each in value]
        case dict():
            return {plain(key): plain_values(each) for key, each in value.items()}
        case _:
            return value


def depth(text: str) -> int:
    """Return how many lists and objects of a text stand in one another; what strings say does not count."""
    bare = _PLAIN.sub(b"", _STRING.sub(rb"\g<tail>", text.encode("utf-8", "surrogatepass")))
    return max(accumulate(map(_STEPS.__getitem__, bare)), default=0)
