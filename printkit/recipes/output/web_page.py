"""Web pages in one file: a template with its style, scripts, texts and data, which loads nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from printkit.core.resources import resource
from printkit.core.words import Words, available_languages, catalogue, find_words

_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


def build_page(
    folder: str,
    name: str,
    texts: Mapping[str, Mapping[str, Any]],
    data: Mapping[str, Any],
    *,
    title: str,
    style: str,
    scripts: tuple[str, ...],
) -> str:
    """Return a page as one complete HTML text in the first language of ``texts``; it can switch to the others.

    A Content-Security-Policy in the template permits only this style and these scripts, by their hashes.

    Args:
        folder: the folder of the page in ``templates``.
        name: the name of the template without its suffix.
        texts: the texts by language and name; ``without-scripts`` is for browsers without scripts.
        data: the other data of the scripts, for JSON.
        title: the title of the page.
        style: the CSS.
        scripts: the file names of the scripts, in their order.
    """
    languages = tuple(texts)
    values = {**data, "language": languages[0], "languages": languages, "words": texts}
    script = "\n".join(read_part(folder, script_name) for script_name in scripts)
    parts = {
        "lang": languages[0],
        "title": html.escape(title),
        "without_scripts": html.escape(texts[languages[0]]["without-scripts"]),
        "style": style,
        "style_hash": _compute_hash(style),
        "script": script,
        "script_hash": _compute_hash(script),
        # A "<" in a text of the user must not end the script early.
        "data": json.dumps(values, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    return fill_template(read_part(folder, f"{name}.html"), parts)


def page_words(words: Words) -> tuple[Words, ...]:
    """Return the words of all languages of a page that can switch its language; those of ``words`` come first."""
    return tuple(map(find_words, dict.fromkeys((*words.languages, *available_languages()))))


def page_texts(words: Words, prefix: str) -> dict[str, str]:
    """Return the texts whose keys start with ``prefix``, by the rest of their keys; the page fills in their names."""
    return {key.removeprefix(prefix): words(key) for key in catalogue("en") if key.startswith(prefix)}


def read_part(folder: str, name: str) -> str:
    """Return a file of a page as text."""
    return resource(f"templates/{folder}", name).read_text(encoding="utf-8")


def fill_template(template: str, values: Mapping[str, str]) -> str:
    """Return a template with each ``{name}`` replaced by its value; unknown names and other braces stay."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), template)


def _compute_hash(text: str) -> str:
    """Return the hash of a style or script for the Content-Security-Policy: ``sha256-`` and the SHA-256 in base 64."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
