"""The pseudo-language of the tool: a folder of words, there for as long as a test needs it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from imports import ROOT

from printkit.core import resources, words
from printkit.core.words import Words, find_words


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tools_pseudo", ROOT / "tools" / "languages" / "pseudo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PSEUDO = _tool()


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
