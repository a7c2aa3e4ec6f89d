"""Names for features, drawn from word lists by language, period and kind; unique on a board."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.streams import Jitter, Stream
from printkit.core.errors import BookError, UsageError
from printkit.core.resources import names, template
from printkit.core.words import ENGLISH, available_languages
from printkit.terrain.field.battlefield import Battlefield

NO_NAMES: Final = "none"
_EVERY_PERIOD: Final = "any"
_EXCLUSIVE: Final = "alone"
_TRIES: Final = 40
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class NameBook(Struct, frozen=True):
    """The name patterns by period and kind, and the word lists that fill them.

    Periods in ``exclusive_periods`` use only their own patterns, not those of the period "any".
    """

    language: str
    lists: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, Mapping[str, tuple[str, ...]]]
    exclusive_periods: frozenset[str] = frozenset()

    @property
    def periods(self) -> tuple[str, ...]:
        """Return the periods that have their own patterns.

        The order is that of the file. "any", whose patterns serve every period, is not among them.
        """
        return tuple(period for period in self.forms if period != _EVERY_PERIOD)

    def name(self, kind: str, period: str, stream: Stream) -> str:
        """Draw a random name for a kind of feature; return an empty string if the book has no pattern for it.

        The name is not compared with other names, so it can repeat. Nothing is drawn if there is no pattern.

        Args:
            kind: the value of a ``Kind``, for example ``village``.
            period: a period of the book; patterns of the period "any" count too, unless the period is exclusive.
            stream: the random numbers; one choice for the pattern and one for each word in it.

        Raises:
            KeyError: the book does not have this period.
        """
        common_forms = () if period in self.exclusive_periods else self.forms[_EVERY_PERIOD].get(kind, ())
        forms = common_forms + self.forms[period].get(kind, ())
        if not forms:
            return ""
        form = forms[stream.draw_index(len(forms))]
        return _PLACEHOLDER.sub(lambda part: (words := self.lists[part[1]])[stream.draw_index(len(words))], form)


def load_name_book(language: str) -> NameBook:
    """Return the name book for a language code or for the path of a custom file.

    A known language without a name book gets the English one.

    Args:
        language: a code such as ``es``, or a path that ends in ``.toml``.

    Raises:
        ResourceError: there is no such name book.
        BookError: a pattern uses a list that is missing or empty.
    """
    return _read_book(language) if language.endswith(".toml") else _load_builtin_book(language)


@cache
def _load_builtin_book(language: str) -> NameBook:
    """Return a built-in name book by its language code. Cached, because each game of a batch needs it."""
    return _read_book(language)


def _read_book(language: str) -> NameBook:
    """Read and check the name book of a language code or of a file whose path ends in ".toml".

    A known language without a name book gets the English one. The result is not cached.

    Raises:
        ResourceError: there is no such name book.
        BookError: a pattern uses a list that is missing or empty.
    """
    if language in available_languages() and f"{language}.toml" not in names("templates/names"):
        language = ENGLISH
    tree: dict[str, Any] = template("names", language)
    lists = {name: tuple(words) for name, words in tree.pop("lists", {}).items()}
    tree.setdefault(_EVERY_PERIOD, {})
    exclusive_periods = frozenset(period for period, kinds in tree.items() if kinds.get(_EXCLUSIVE) is True)
    forms = {
        period: {kind: tuple(texts) for kind, texts in kinds.items() if kind != _EXCLUSIVE}
        for period, kinds in tree.items()
    }
    for period, kinds in forms.items():
        for kind, texts in kinds.items():
            for part in (placeholder for text in texts for placeholder in _PLACEHOLDER.findall(text)):
                if not lists.get(part):
                    raise BookError(
                        "names/{language}: {period}.{kind} uses a list {part!r}, which is missing",
                        language=language,
                        period=period,
                        kind=kind,
                        part=part,
                    )
    return NameBook(language, lists, forms, exclusive_periods)


def draw_name(field: Battlefield, language: str, period: str, jitter: Jitter) -> Battlefield:
    """Return a copy of the battlefield with names for its unnamed features of kinds that get names.

    Each feature draws from its own random stream, named after its ID. A new feature therefore changes another name only
    if both would be the same. No name is used twice: after some tries that gave only used names, a feature stays
    unnamed. Features that have a name keep it.

    Args:
        field: the battlefield.
        language: a language code, or the path of a custom name book.
        period: the period of the names; ``none`` leaves all features as they are.
        jitter: the source of the random streams.

    Raises:
        UsageError: the period is not known.
        ResourceError: there is no such name book.
        BookError: a pattern uses a list that is missing or empty.
    """
    if period == NO_NAMES:
        return field
    book = load_name_book(language)
    if period not in book.periods:
        raise UsageError(
            "no names for the period {period!r}; use one of {periods}, or {no_names}",
            period=period,
            periods=", ".join(book.periods),
            no_names=NO_NAMES,
        )
    used_names = {feature.name for feature in field.features if feature.name}
    features = []
    for feature in field.features:
        if not feature.name:
            stream = jitter.stream(f"names/{feature.id}")
            tries = (book.name(feature.kind.value, period, stream) for _ in range(_TRIES))
            name = next((candidate for candidate in tries if candidate not in used_names), "")
            used_names.add(name)
            feature = replace(feature, name=name)
        features.append(feature)
    return replace(field, features=tuple(features))
