"""Read files from users safely: limits for their size and nesting, no control characters.

Reading any file must take at most a few seconds and half a gigabyte of memory.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from printkit.core.errors import Sentence

# The largest file in bytes. The record of a 144 x 72 in board with all its rolls is less than a tenth of it.
MOST_BYTES: Final = 8 << 20

# The deepest nesting of lists and objects.
DEEPEST: Final = 40

# Possessive quantifiers, because a search would retry a long text from each character. An unclosed string is the tail.
_STRING: Final = re.compile(rb'"(?:(?:[^"\\]++|\\.)*+"|(?P<tail>.*+))', re.DOTALL)
_PLAIN: Final = re.compile(rb"[^\[\]{}]+")
_STEPS: Final = {**dict.fromkeys(b"[{", 1), **dict.fromkeys(b"]}", -1)}

# Control characters and other code points that must not be in our output; XML does not allow most of them.
_NO_TEXT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain(text: str) -> str:
    """Return a text from outside without control characters and invalid code points."""
    return _NO_TEXT.sub("", text)


def read_utf8(path: Path) -> str:
    """Return the text of a UTF-8 file, without a byte order mark and with ``\\n`` as line ends.

    Raises:
        OSError: it cannot be read, is not a file, is not UTF-8, or is larger than ``MOST_BYTES``.
    """
    data = read_limited(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OSError(
            errno.EILSEQ, Sentence("line {line} is not text in UTF-8; save the file as UTF-8", line=line)
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_limited(path: Path) -> bytes:
    """Return the content of a file, if it has at most ``MOST_BYTES`` (8 MB).

    Raises:
        OSError: it cannot be read, is a folder, a pipe or a device, or is larger than ``MOST_BYTES``.
    """
    try:
        with open(path, "rb", opener=_open_nonblocking) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, Sentence("it is a pipe or a device, not a file"))
            data = file.read(MOST_BYTES + 1)
    except ValueError as error:
        # The name has a character that is not allowed.
        raise OSError(errno.EINVAL, str(error)) from None
    if len(data) > MOST_BYTES:
        raise OSError(
            errno.EFBIG,
            Sentence("it is larger than {most} MB, the largest file that printkit reads", most=MOST_BYTES >> 20),
        )
    return data


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file for ``open`` without waiting; return its descriptor."""
    # Without this flag, opening a pipe without a writer would block.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def clean_values(value: Any) -> Any:
    """Return a copy of a tree of dictionaries and lists with all its texts and keys made ``plain``.

    Other values, for example numbers, are returned unchanged.
    """
    match value:
        case str():
            return plain(value)
        case list():
            return [clean_values(item) for item in value]
        case dict():
            return {plain(key): clean_values(item) for key, item in value.items()}
        case _:
            return value


def nesting_depth(text: str) -> int:
    """Return how deep lists and objects are nested in a text; brackets in strings do not count.

    It is 0 for a text without brackets and 1 for ``[1]``. The text can be TOML or JSON and need not be valid.
    """
    bare = _PLAIN.sub(b"", _STRING.sub(rb"\g<tail>", text.encode("utf-8", "surrogatepass")))
    return max(accumulate(map(_STEPS.__getitem__, bare)), default=0)
