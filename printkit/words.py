"""The words of one language, or of two side by side: a key in, a sentence out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from printkit.errors import ResourceError, UsageError
from printkit.resources import names, resource

BETWEEN: Final = " · "


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences by dotted key. ``languages`` is ``("en",)``, or two codes for both side by side."""

    languages: tuple[str, ...]

    @property
    def code(self) -> str:
        """Return the language of the document: the first of the two where there are two."""
        return self.languages[0]

    def __call__(self, key: str, **values: object) -> str:
        """Return the sentence of ``key`` with its ``{names}`` filled in.

        A key with forms ``one`` and ``other`` chooses by the value ``count``. Two languages stand side by side,
        parted by a raised dot; a word that is the same in both stands once.

        Raises:
            ResourceError: the key is missing in a language.
        """
        said = [_say(language, key, values) for language in self.languages]
        return BETWEEN.join(dict.fromkeys(said))

    def each(self) -> tuple[Words, ...]:
        """Return one ``Words`` a language, for sheets that set them in columns."""
        return tuple(Words((language,)) for language in self.languages)

    def has(self, key: str) -> bool:
        """Return whether every language has the key."""
        return all(key in catalogue(language) for language in self.languages)


def find(text: str) -> Words:
    """Return the words of ``en``, ``es`` or ``en+es``.

    Raises:
        UsageError: a language that is not there.
    """
    known = names("templates/words")
    languages = tuple(text.split("+"))
    if not languages or len(languages) > 2 or any(code not in known for code in languages):
        raise UsageError(f"no language {text!r}; there are {', '.join(known)}, and two joined as en+es")
    return Words(languages)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return every key of a language with its sentence; the files of its folder are the parts of one catalogue."""
    found: dict[str, str] = {}
    for name in names(f"templates/words/{language}"):
        tree = tomllib.loads(resource(f"templates/words/{language}", name).read_text(encoding="utf-8"))
        for key, sentence in _leaves(tree, ""):
            if key in found:
                raise ResourceError(f"words/{language}/{name}: {key!r} stands in two files")
            found[key] = sentence
    return found


def _leaves(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value)


def _say(language: str, key: str, values: Mapping[str, object]) -> str:
    sentences = catalogue(language)
    if key not in sentences and "count" in values:
        key = f"{key}.one" if values["count"] == 1 else f"{key}.other"
    if key not in sentences:
        raise ResourceError(f"no word for {key!r} in {language}; add it to templates/words/{language}")
    return sentences[key].format(**values) if values else sentences[key]
