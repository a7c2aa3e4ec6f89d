"""Writing files whole or not at all, and the names of files that come in several parts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from printkit.errors import PageError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside ``path``; what is written there takes the place of ``path`` when all went well.

    After an error, or Ctrl-C, ``path`` is as it was and nothing half-written is left.

    Raises:
        PageError: the folder does not exist or cannot be written to.
    """
    # The name of the process keeps two runs into one folder from writing to the same file.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise PageError("cannot write {path}: {reason}", path=path, reason=error.strerror or error) from None
    finally:
        unfinished.unlink(missing_ok=True)


def numbered(path: Path, count: int) -> tuple[Path, ...]:
    """Return one path a page: ``map.svg`` for one page, ``map-1.svg``, ``map-2.svg`` ... for several.

    Numbers have as many digits as the last one, so that they sort in their order.
    """
    if count == 1:
        return (path,)
    digits = len(str(count))
    return tuple(path.with_name(f"{path.stem}-{number:0{digits}d}{path.suffix}") for number in range(1, count + 1))
