"""Lines of a log in plain words: what a throw was for, what was asked, and what came.

Reasons and answers of a log are short English texts with numbers and names of features in them. Where the words know
such a text, with its numbers and names taken out, they say it in their own language; else it stands as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Act, Throw
from printkit.core.words import BETWEEN, Words
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind

_TOKEN: Final = re.compile(r"\b(?:[a-z]{1,2}\d+|[A-Z]\d*|\d+)\b")
_WORD: Final = re.compile(r"[a-z]+")
_CARD: Final = re.compile(r"(10|[2-9AKQJ])([SCHD])")
_EDGE: Final = re.compile(r"([NSWE]):(\d+(?:\.\d+)?)")
_EDGES: Final[Mapping[str, str]] = {"N": "far", "S": "near", "W": "left", "E": "right"}


def in_each(words: Words, say: Callable[[Words], str]) -> str:
    """Return what is said in each language, side by side; the same in both stands once."""
    return BETWEEN.join(dict.fromkeys(say(one) for one in words.each()))


def called(field: Battlefield, words: Words) -> dict[str, str]:
    """Return, by the ID of each feature, its name, or its kind and which of that kind it is: Road 2."""
    counts: Counter[Kind] = Counter()
    found = {}
    for feature in field.features:
        counts[feature.kind] += 1
        found[feature.id] = feature.name or f"{words(f'kind.{feature.kind}')} {counts[feature.kind]}"
    return found


class Telling(Struct, frozen=True):
    """Tells of throws in one language; ``names`` are what features are called, by their ID."""

    words: Words
    names: Mapping[str, str]

    def reason(self, throw: Throw) -> str:
        """Return what a throw was for."""
        key = f"story.reason.{_slug(throw.reason)}"
        found = [self.names.get(token, token) for token in _TOKEN.findall(throw.reason)]
        if not self.words.has(key):
            said = _TOKEN.sub(lambda match: self.names.get(match[0], match[0]), throw.reason)
            return said[:1].upper() + said[1:]
        values = dict(zip("abcdef", found, strict=False))
        return self.words(key, **values)

    def asked(self, throw: Throw) -> str:
        """Return what was asked: a die, cards, or a choice of so many."""
        number = re.sub(r"\D", "", throw.asked)
        match throw.act:
            case Act.DIE:
                return self.words("story.asked.die", sides=number)
            case Act.CARD:
                return self.words("story.asked.cards", count=int(number or 0))
            case Act.CHOICE:
                return self.words("story.asked.choice", count=int(number or 0))

    def answer(self, throw: Throw) -> str:
        """Return what came."""
        said = self._plain(throw.answer)
        unit = f"story.result.{_slug(throw.reason)}"
        return self.words(unit, answer=said) if self.words.has(unit) and _is_number(throw.answer) else said

    def _plain(self, answer: str) -> str:
        if answer in self.names:
            return self.names[answer]
        if match := _CARD.fullmatch(answer):
            rank = f"story.rank.{match[1]}"
            return self.words(
                "story.card",
                rank=self.words(rank) if self.words.has(rank) else match[1],
                suit=self.words(f"story.suit.{match[2]}"),
            )
        if match := _EDGE.fullmatch(answer):
            edge = self.words(f"edge.{_EDGES[match[1]]}")
            return self.words("story.at-edge", edge=edge, distance=self._decimal(match[2]))
        key = f"story.answer.{_slug(answer)}"
        if _slug(answer) and not any(letter.isdigit() for letter in answer) and self.words.has(key):
            return self.words(key)
        return self._decimal(answer.replace("x", " × ")) if _is_number(answer) else answer

    def _decimal(self, number: str) -> str:
        return number.replace(".", self.words("leaflets.decimal"))


def _is_number(answer: str) -> bool:
    """Return whether an answer is a number, or two that are multiplied."""
    return re.fullmatch(r"\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?", answer) is not None


def _slug(text: str) -> str:
    """Return the words of a text without its numbers and names: ``size of z6, placed by A`` is size-of-placed-by."""
    return "-".join(_WORD.findall(_TOKEN.sub(" ", text).lower()))
