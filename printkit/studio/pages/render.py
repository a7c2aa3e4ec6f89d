"""Render pages from templates. All values are escaped, and all texts come from the words of a language."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from printkit.core.words import Words, available_languages
from printkit.options.commands import GameOptions
from printkit.options.printing import FileOptions, MapOptions
from printkit.options.table import find_row

_HERE: Final = Path(__file__).parent
STATIC: Final = _HERE.parent / "static"

# The name of each language in that language; others appear by their code.
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "es": "Español"}


@cache
def _environment() -> Environment:
    """Return the environment of the templates, created once."""
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = asset
    environment.filters["path_id"] = path_id
    return environment


@cache
def assets() -> Mapping[str, Path]:
    """Return the static files by name; no other files are served."""
    return {path.relative_to(STATIC).as_posix(): path for path in sorted(STATIC.rglob("*")) if path.is_file()}


@cache
def asset(name: str) -> str:
    """Return the address of a static file, with a hash of its content; empty if there is no such file."""
    path = assets().get(name)
    if path is None:
        return ""
    return f"/static/{name}?{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}"


def path_id(text: str) -> str:
    """Return a text in characters that are safe in an HTML ID."""
    return re.sub(r"[^A-Za-z0-9-]", "-", text)


def page(name: str, words: Words, **values: Any) -> str:
    """Return a page as HTML.

    Args:
        name: the name of the template, for example ``field``.
        words: the words of the language; ``t`` in templates looks up keys below ``studio``.
        values: the values that the template shows.
    """

    def t(key: str, **values: object) -> str:
        """Return a text in the language of the page, by its key below ``studio``."""
        return words(f"studio.{key}", **values)

    def option(name: str) -> str:
        """Return the title of an option by the name of its field."""
        return find_row(name, MapOptions, FileOptions, GameOptions).title_in(words)

    def translate(text: object) -> str:
        return words.translate(str(text) if not isinstance(text, str) else text)

    def format_number(value: float, places: int = 0) -> str:
        """Return a number as text with ``places`` decimals and the decimal mark of the language."""
        return f"{value:.{places}f}".replace(".", words("leaflets.decimal"))

    values.setdefault(
        "others", [(code, LANGUAGES.get(code, code)) for code in available_languages() if code != words.code]
    )
    template = _environment().get_template(f"{name}.html")
    text: str = template.render(
        t=t, option=option, say=translate, num=format_number, words=words, lang=words.code, **values
    )
    return text
