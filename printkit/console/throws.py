"""What a log says in short English texts, told to the person who is asked: stages, reasons, dice and answers.

Such a text is made where it is thrown for, of words, numbers and names of features. Here it is matched with the
patterns of ``templates/messages/<language>/throws.toml``, and what stands in their gaps is told in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from printkit.chance.dice import Throw
from printkit.core.errors import Sentence
from printkit.core.words import Words, find, phrases
from printkit.recipes.game.throw_text import ThrowText

VALUES: Final = (
    "reason",
    "asked",
    "labels",
    "throw_asked",
    "throw_reason",
    "question_asked",
    "question_reason",
)
"""The values of a sentence that are texts of a log. A stage is not, for by its name there it is thrown anew."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = {"kind": ("kind.{}",), "going": ("going.{}",), "piece": ()}
"""What the names of values end with that are a kind of feature, a going or a piece; with the keys of their words."""

_GAP: Final = re.compile(r"\\\{(\w+)\\\}")
_NUMBERS: Final = ("number", "count", "die", "zone", "roll")
_TERMS: Final = ("dba3.terrain.{}", "dba3.home.{}", "kind.{}")
_PIECE: Final = "acw.piece.{}"
_STAGE: Final = "story.stage.{}"


def told(text: str, language: str) -> str:
    """Return a sentence with the texts of a log in it told in a language; any other text as it is."""
    if not isinstance(text, Sentence):
        return text
    template, values = text.template, {name: _value(name, value, language) for name, value in text.values.items()}
    return Sentence(template, **values)


def phrase(text: str, language: str) -> str:
    """Return a reason, an answer or what is asked, told in a language; what no pattern fits stays English."""
    words = find(language)
    by_key = _by_key(text, words)
    if by_key is not None:
        return by_key
    for pattern, own in _patterns(language):
        match = pattern.fullmatch(text)
        if match:
            return own.format(**{name: phrase(found, language) for name, found in match.groupdict().items()})
    return _term(text, words)


def stage_name(stage: str, language: str) -> str:
    """Return what a stage is called."""
    words, key = find(language), _STAGE.format(stage)
    return _within(words(key)) if words.has(key) else phrase(stage, language)


def _value(name: str, value: object, language: str) -> object:
    if isinstance(value, Sentence) and name not in VALUES:
        return told(value, language)
    if not isinstance(value, str):
        return value
    terms = next((NAMES[end] for end in NAMES if name.endswith(end)), None)
    if terms is not None:
        return _term(value, find(language), terms)
    if name not in VALUES:
        return value
    if name == "labels":
        return ", ".join(phrase(label, language) for label in value.split(", "))
    return phrase(value, language)


def _by_key(text: str, words: Words) -> str | None:
    """Return what the sheets say of a reason or an answer, within a line; None where they do not know it."""
    throw = Throw(stage="", reason=text, asked="d6", answer=text)
    telling = ThrowText(words, {})
    answer, reason = telling.answer(throw), telling.reason(throw)
    if answer != text:
        return answer
    return None if reason[1:] == text[1:] else _within(reason)


def _within(text: str) -> str:
    """Return a text as it stands within a line: TÚ and names of features keep their capitals."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _term(text: str, words: Words, terms: Sequence[str] = _TERMS) -> str:
    """Return the name of a kind of feature, a piece or a country, as one of some keys of the words has it."""
    slug = text.lower().replace(" + ", "_").replace(" ", "_")
    keys = [_PIECE.format(slug)] if text[:1].isupper() else []
    keys += [each.format(name) for each in terms for name in (slug, slug.replace("_", "-"), slug.replace("-", "_"))]
    key = next((key for key in keys if words.has(key)), None)
    return text if key is None else words(key).lower()


@cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(_compiled(language))


def _compiled(language: str) -> Iterator[tuple[re.Pattern[str], str]]:
    for english, own in phrases(language, "throws").items():
        yield re.compile(_GAP.sub(_gap, re.escape(english))), own


def _gap(match: re.Match[str]) -> str:
    return rf"(?P<{match[1]}>\d+)" if match[1] in _NUMBERS else rf"(?P<{match[1]}>.+)"
