"""The glossary of a language: one word for one thing, in all that it says on sheets and at the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from printkit.core.resources import names, template

Texts = Mapping[str, Mapping[str, str]]
"""The texts of a language by their key, in each file, which is named by its path below ``templates``."""

FOLDERS = ("words", "messages")


@cache
def glossary(language: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the concepts of a language with what the glossary says of each."""
    return template("glossary", language)


@cache
def texts(language: str) -> dict[str, dict[str, str]]:
    """Return all that a language says, file by file."""
    found = {
        f"{folder}/{language}/{name}": dict(_leaves(template(f"{folder}/{language}", name)))
        for folder in FOLDERS
        for name in (each.removesuffix(".toml") for each in names(f"templates/{folder}/{language}"))
    }
    return {**found, f"names/{language}": dict(_leaves(template("names", language)))}


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield f"{prefix}{name}", "; ".join(map(str, value))
        else:
            yield f"{prefix}{name}", str(value)


_VALUE = re.compile(r"\{[^{}]*\}")


def _whole(word: str) -> str:
    """Return the pattern of a word that stands by itself; letters of an abbreviation are capitals."""
    flag = "" if word.isupper() else "i"
    return rf"(?{flag}:(?<![\w-]){re.escape(word)}(s|es)?(?![\w-]))" if flag else rf"\b{re.escape(word)}\b"


def wrong_words(language: str, said: Texts) -> Iterator[str]:
    """Yield each text that has a word which the glossary keeps from its concept, and each key without its word."""
    every = {key: text for file, lines in said.items() if file.startswith("words/") for key, text in lines.items()}
    for concept, entry in glossary(language).items():
        for key in entry["keys"]:
            if entry["word"].lower() not in every.get(key, "").lower():
                yield f"{concept}: {key} is {every.get(key)!r}; the glossary says {entry['word']!r}"
        if not entry["never"]:
            continue
        pattern = re.compile("|".join(map(_whole, entry["never"])))
        for file, lines in said.items():
            if file in entry.get("but", ()):
                continue
            for key, text in lines.items():
                if found := pattern.search(_VALUE.sub("", text)):
                    yield f"{concept}: {file} {key!r} has {found[0]!r}; the glossary says {entry['word']!r}"
