"""Readable text for the rolls of a log: the reason, question, answer and stage of each.

During play a reason is a ``Sentence``; in a log that is read back it is plain English text. The text is matched to the
templates that a language translates, then written in that language with the names of features. Unknown text, for
example from a plugin, is not changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from printkit.chance.dice import Act, Throw
from printkit.core.errors import Sentence, recognised, translate_sentence
from printkit.core.words import SEPARATOR, Words, capitalise_text, log_lines, log_templates
from printkit.kit.provenance import rolls_of_feature
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Feature, Hill, Kind

# --- The stage that placed a feature: from its rolls, otherwise from its kind -----------------------------------------

# Names of stages that may place a sort of feature, the most likely first.
_STAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "crossing": ("crossings", "fords", "bridges", "roads", "ways"),
    "water": ("rivers", "river", "waters", "streams", "courses"),
    "way": ("roads", "road", "ways", "courses"),
    "hill": ("hills", "relief", "features", "areas", "terrain"),
    "area": ("features", "areas", "terrain", "hills"),
}

_WATERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.WATERWAY)


def stage_of(feature: Feature, log: Sequence[Throw], stages: Sequence[str]) -> str:
    """Return the stage that placed a feature; empty if there are no stages.

    This is the stage of its last roll. A feature without rolls is drawn by hand or placed where courses meet. It gets
    the most likely of the stages in ``stages`` for its sort, or the last stage.
    """
    if rolls := rolls_of_feature(feature, log):
        return rolls[-1].stage
    for name in _STAGES[_feature_category(feature)]:
        if name in stages:
            return name
    return stages[-1] if stages else ""


def feature_stages(field: Battlefield, log: Sequence[Throw], stages: Sequence[str]) -> dict[str, str]:
    """Return the stage of each feature by its ID; a crossing is never earlier than its road and its water.

    A railway bridge has no roll. Without this rule it would come with the roads, before the railway exists.
    """
    stages_by_id = {feature.id: stage_of(feature, log, stages) for feature in field.features}
    order = list(dict.fromkeys((*stages, *(throw.stage for throw in log), *stages_by_id.values())))
    for feature in field.features:
        if isinstance(feature, Crossing):
            feature_ids = (feature.id, feature.route, feature.water)
            stages_by_id[feature.id] = max(
                (stages_by_id[feature_id] for feature_id in feature_ids if feature_id in stages_by_id), key=order.index
            )
    return stages_by_id


def _feature_category(feature: Feature) -> str:
    """Return the sort of a feature: ``crossing``, ``water``, ``way``, ``hill`` or ``area``."""
    match feature:
        case Crossing():
            return "crossing"
        case Course():
            return "water" if feature.kind in _WATERS else "way"
        case Hill():
            return "hill"
        case _:
            return "area"


# Keys in the words for kinds of features, home countries and goings.
_TERMS: Final = ("kind.{}", "dba3.terrain.{}", "dba3.home.{}", "solo-dba.terrain.{}", "going.{}")

_PIECE: Final = "acw.piece.{}"
_ARMY: Final = "npg.sample.{}.name"
_CARD: Final = re.compile(r"(10|[2-9AKQJ])([SCHD])")
_EDGE: Final = re.compile(r"([NSWE]):([0-9]{1,40}(?:\.[0-9]{1,40})?)")
_EDGES: Final[Mapping[str, str]] = {"N": "far", "S": "near", "W": "left", "E": "right"}


def join_languages(words: Words, render: Callable[[Words], str]) -> str:
    """Return a text in each language, joined; equal texts appear once.

    ``render`` returns the text in one language. Parts are separated by ``SEPARATOR``.
    """
    return SEPARATOR.join(dict.fromkeys(render(language) for language in words.each()))


def feature_labels(field: Battlefield, words: Words) -> dict[str, str]:
    """Return a label for each feature, by ID: its name, or its kind and number, for example Road 2.

    Numbers count all features of the kind from 1, also those with a name.
    """
    counts: Counter[Kind] = Counter()
    labels = {}
    for feature in field.features:
        counts[feature.kind] += 1
        labels[feature.id] = feature.name or f"{words(f'kind.{feature.kind}')} {counts[feature.kind]}"
    return labels


def log_labels(field: Battlefield, words: Words) -> dict[str, str]:
    """Return the map labels of names in a log: of features by ID, of grid cells by row and column.

    The key of a cell is for example ``(3;5)``.
    """
    grid = field.grid
    cells = {} if grid is None else {f"({cell.row};{cell.column})": grid.address(cell) for cell in grid.cells()}
    return {**feature_labels(field, words), **cells}


class ThrowText(Struct, frozen=True):
    """Writes rolls as text in one language; ``names`` has the labels of features by ID, ``rules`` the rule system."""

    words: Words
    names: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""

    def reason(self, throw: Throw) -> str:
        """Return the reason for a roll, with a capital letter."""
        return capitalise_text(self.tell(throw.reason))

    def stage(self, stage: str) -> str:
        """Return the name of a stage for the middle of a line."""
        key = f"story.stage.{stage}"
        text = self.words(key) if self.words.has(key) else self.tell(stage)
        return text[:1].lower() + text[1:] if text[1:2].islower() else text

    def tell(self, text: str, name: str = "") -> str:
        """Translate a text of a log: a reason, an answer, a question, or a value inside one of these.

        Args:
            text: as the log has it.
            name: the name of the value; if it ends in ``kind`` or ``going``, those words are tried first.
        """
        translation = self._translate_answer(text)
        if translation != text:
            return translation
        sentence = recognised(text, log_templates())
        if isinstance(sentence, Sentence):
            return translate_sentence(sentence, log_lines(self.words.code), lambda name, value: self.tell(value, name))
        return self._translate_term(text, name)

    def question(self, throw: Throw) -> str:
        """Return the question of a roll as text: a die, a number of cards, or a choice from a number of options.

        The number comes from the question in the log: the sides of the die, or how many cards or options.
        """
        number = re.sub(r"\D", "", throw.asked)
        match throw.act:
            case Act.DIE:
                return self.words("story.asked.die", sides=number)
            case Act.CARD:
                return self.words("story.asked.cards", count=int(number or 0))
            case Act.CHOICE:
                return self.words("story.asked.choice", count=int(number or 0))

    def answer(self, throw: Throw) -> str:
        """Return the answer of a roll as text in the language."""
        text = self.tell(throw.answer)
        if throw.answer in self.names and self._term_key(throw.answer, ""):
            # The answer is the ID of a feature and also a kind: the roll chose the kind, so show both kind and name.
            kind = self._translate_term(throw.answer, "")
            text = text if text.lower().startswith(kind) else f"{kind} ({text})"
        unit = f"story.result.{getattr(recognised(throw.reason, log_templates()), 'template', '')}"
        return self.words(unit, answer=text) if self.words.has(unit) and _is_number(throw.answer) else text

    def _translate_answer(self, answer: str) -> str:
        """Return the translation of a complete answer, such as a card or an edge; otherwise the text itself."""
        if answer in self.names:
            return self.names[answer]
        if self.words.has(rule_key := f"story.{self.rules}.{answer}"):
            return self.words(rule_key)
        if match := _CARD.fullmatch(answer):
            rank = f"story.rank.{match[1]}"
            return self.words(
                "story.card",
                rank=self.words(rank) if self.words.has(rank) else match[1],
                suit=self.words(f"story.suit.{match[2]}"),
            )
        if match := _EDGE.fullmatch(answer):
            edge = self.words(f"edge.{_EDGES[match[1]]}")
            return self.words("story.at-edge", edge=edge, distance=self._localise_decimal(match[2]))
        for key in (f"story.answer.{answer.replace(' ', '-')}", _ARMY.format(answer)):
            if self.words.has(key):
                return self.words(key)
        return self._localise_decimal(answer.replace("x", " × ")) if _is_number(answer) else answer

    def _translate_term(self, text: str, name: str) -> str:
        """Return the translated name of a kind of feature, piece, going or country; otherwise the text itself.

        ``name`` is the name of the value.
        """
        key = self._term_key(text, name)
        return self.words(key).lower() if key else text

    def _term_key(self, text: str, name: str) -> str:
        """Return the key of a term in the words, or an empty text; ``name`` is the name of the value."""
        slug = text.lower().replace(" + ", "_").replace(" ", "_")
        keys = [_PIECE.format(slug)] if text[:1].isupper() else []
        terms = (f"{name.rpartition('_')[2]}.{{}}", f"{self.rules}.terrain.{{}}", *_TERMS)
        keys += [term.format(code) for term in terms for code in (slug, slug.replace("_", "-"), slug.replace("-", "_"))]
        return next((key for key in keys if self.words.has(key)), "")

    def _localise_decimal(self, number: str) -> str:
        """Return a number with the decimal mark of the language."""
        return number.replace(".", self.words("leaflets.decimal"))


def _is_number(answer: str) -> bool:
    """Return whether an answer is a number or a product of two, for example 2x3."""
    return re.fullmatch(r"[0-9]{1,40}(?:\.[0-9]{1,40})?(?:x[0-9]{1,40}(?:\.[0-9]{1,40})?)?", answer) is not None
