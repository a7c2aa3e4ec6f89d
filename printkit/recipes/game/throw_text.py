"""Lines of a log in plain words: what a throw was for, what was asked, what came, and in which stage.

A reason is a sentence when it is thrown for, and plain English text when its log is read back. It is recognised by the
templates for which some language has a line, and said in the language of the words, features by their names; a text
that nobody knows, as of another package's rules, stands as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from printkit.chance.dice import Act, Throw
from printkit.core.errors import Sentence, recognised, say
from printkit.core.words import BETWEEN, Words, log_lines, log_templates
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Feature, Hill, Kind

# --- In which stage of a game a feature came about: by its throws, else by what it is ---------------------------------

_STAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "crossing": ("crossings", "fords", "bridges", "roads", "ways"),
    "water": ("rivers", "river", "waters", "streams", "courses"),
    "way": ("roads", "road", "ways", "courses"),
    "hill": ("hills", "relief", "features", "areas", "terrain"),
    "area": ("features", "areas", "terrain", "hills"),
}
"""Names of stages in which features of a sort may come about, the likeliest first."""

_WATERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.WATERWAY)


def stage_of(feature: Feature, log: Sequence[Throw], stages: Sequence[str]) -> str:
    """Return the stage in which a feature came about.

    The stage of its last throw; for one without throws, as drawn by hand or put where courses meet, the first of the
    system's stages that makes such features, or the last of all.
    """
    places = [place for place in feature.origin.throws if 0 < place <= len(log)]
    if places:
        return log[places[-1] - 1].stage
    for name in _STAGES[_sort(feature)]:
        if name in stages:
            return name
    return stages[-1] if stages else ""


def stages_in(field: Battlefield, log: Sequence[Throw], stages: Sequence[str]) -> dict[str, str]:
    """Return the stage of each feature of a field by its ID; no crossing comes before what crosses there.

    A railway bridge has no throw of its own, and would come with the roads, before there is a railway.
    """
    found = {feature.id: stage_of(feature, log, stages) for feature in field.features}
    order = list(dict.fromkeys((*stages, *(throw.stage for throw in log), *found.values())))
    for feature in field.features:
        if isinstance(feature, Crossing):
            needed = (feature.id, feature.way, feature.water)
            found[feature.id] = max((found[each] for each in needed if each in found), key=order.index)
    return found


def _sort(feature: Feature) -> str:
    match feature:
        case Crossing():
            return "crossing"
        case Course():
            return "water" if feature.kind in _WATERS else "way"
        case Hill():
            return "hill"
        case _:
            return "area"


_TERMS: Final = ("kind.{}", "dba3.terrain.{}", "dba3.home.{}", "solo-dba.terrain.{}", "going.{}")
"""The keys under which the words know kinds of features, home countries and goings."""

_PIECE: Final = "acw.piece.{}"
_ARMY: Final = "npg.sample.{}.name"
_CARD: Final = re.compile(r"(10|[2-9AKQJ])([SCHD])")
_EDGE: Final = re.compile(r"([NSWE]):([0-9]{1,40}(?:\.[0-9]{1,40})?)")
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


def told_names(field: Battlefield, words: Words) -> dict[str, str]:
    """Return what a log names, as the map has it: features by their ID, and areas by the row and column of the log."""
    grid = field.grid
    cells = {} if grid is None else {f"({cell.row};{cell.column})": grid.address(cell) for cell in grid.cells()}
    return {**called(field, words), **cells}


class ThrowText(Struct, frozen=True):
    """Tells of throws in one language; ``names`` are what features are called, by their ID, in a game by ``rules``."""

    words: Words
    names: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""

    def reason(self, throw: Throw) -> str:
        """Return what a throw was for."""
        said = self.tell(throw.reason)
        return said[:1].upper() + said[1:]

    def stage(self, stage: str) -> str:
        """Return what a stage is called, as it stands within a line."""
        key = f"story.stage.{stage}"
        said = self.words(key) if self.words.has(key) else self.tell(stage)
        return said[:1].lower() + said[1:] if said[1:2].islower() else said

    def tell(self, text: str, name: str = "") -> str:
        """Return a text of a log: a reason, an answer, what was asked, or a value in one of these.

        Args:
            text: as the log has it.
            name: that of the value; where it ends in ``kind`` or ``going`` words of that sort come first.
        """
        plain = self._plain(text)
        if plain != text:
            return plain
        found = recognised(text, log_templates())
        if isinstance(found, Sentence):
            return say(found, log_lines(self.words.code), lambda name, value: self.tell(value, name))
        return self._term(text, name)

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
        said = self.tell(throw.answer)
        if throw.answer in self.names and self._term_key(throw.answer, ""):
            # The ID of a feature that is also the name of its kind: the kind was chosen, and it has a name now.
            kind = self._term(throw.answer, "")
            said = said if said.lower().startswith(kind) else f"{kind} ({said})"
        unit = f"story.result.{getattr(recognised(throw.reason, log_templates()), 'template', '')}"
        return self.words(unit, answer=said) if self.words.has(unit) and _is_number(throw.answer) else said

    def _plain(self, answer: str) -> str:
        if answer in self.names:
            return self.names[answer]
        if self.words.has(own := f"story.{self.rules}.{answer}"):
            return self.words(own)
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
        for key in (f"story.answer.{answer.replace(' ', '-')}", _ARMY.format(answer)):
            if self.words.has(key):
                return self.words(key)
        return self._decimal(answer.replace("x", " × ")) if _is_number(answer) else answer

    def _term(self, text: str, name: str) -> str:
        """Return the name of a kind of feature, a piece, a going or a country, as some key of the words has it."""
        key = self._term_key(text, name)
        return self.words(key).lower() if key else text

    def _term_key(self, text: str, name: str) -> str:
        """Return the key of that name, or an empty text."""
        slug = text.lower().replace(" + ", "_").replace(" ", "_")
        keys = [_PIECE.format(slug)] if text[:1].isupper() else []
        terms = (f"{name.rpartition('_')[2]}.{{}}", f"{self.rules}.terrain.{{}}", *_TERMS)
        keys += [each.format(code) for each in terms for code in (slug, slug.replace("_", "-"), slug.replace("-", "_"))]
        return next((key for key in keys if self.words.has(key)), "")

    def _decimal(self, number: str) -> str:
        return number.replace(".", self.words("leaflets.decimal"))


def _is_number(answer: str) -> bool:
    """Return whether an answer is a number, or two that are multiplied."""
    return re.fullmatch(r"[0-9]{1,40}(?:\.[0-9]{1,40})?(?:x[0-9]{1,40}(?:\.[0-9]{1,40})?)?", answer) is not None
