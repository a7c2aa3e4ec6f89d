"""The pseudo-language of the tool: a folder of words, there for as long as a test needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from imports import load_script

from printkit.core import resources, words
from printkit.core.words import Words, find_words

PSEUDO = load_script("tools/languages/pseudo.py")


@contextmanager
def spoken_in(folder: Path) -> Iterator[Words]:
    """Write the pseudo-language into a folder, and give its words while that folder is one of the languages."""
    PSEUDO.write(folder)
    before = list(resources._BROUGHT)
    resources.add_template_folder(folder)
    words.clear_caches()
    yield find_words(PSEUDO.CODE)
    resources._BROUGHT[:] = before
    words.clear_caches()
