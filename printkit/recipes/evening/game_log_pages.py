"""Pages about how a battlefield was made: the rolls of each stage, their answers and rules, and a map of each stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Act, Throw
from printkit.content.prose import Align, Block, Bullets, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture.key import described
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import GUTTER, Columns, Content
from printkit.kit.provenance import clause_of_value
from printkit.page.sheet import Page
from printkit.recipes.game.throw_text import ThrowText, called, in_each, stages_in, told_names
from printkit.recipes.output.handout import HandoutContext
from printkit.terrain.field.features import Feature

_MAP: Final = 58.0
_MAP_SHARE: Final = 0.34
# For maps in two columns: the share of a page that they take, and the space above and below each, in mm.
_ONE_PAGE: Final = 0.78
_ABOUT_MAP: Final = 25.0

_LONG: Final = 40
_HEAD: Final = ("number", "reason", "asked", "answer", "rule")
_SHARES: Final = (0.6, 3.0, 1.8, 2.1, 2.7)
_ALIGNS: Final[tuple[Align, ...]] = ("right", "left", "left", "left", "left")


def story(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the story of a record as pages; a record drawn by hand has only maps and features.

    Raises:
        PageError: the paper is too small.
    """
    return handout.leaflet(handout.words("story.title"), _contents(handout), subtitle=handout.title)


def _contents(handout: HandoutContext) -> Iterator[Content]:
    yield from _opening(handout)
    if not handout.record.log:
        yield _growing(handout)
        return
    record, stages = handout.record, handout.system.stages
    came = _came(handout)
    others = [throw.stage for throw in record.log] + [stage for stage, _ in came]
    teller = _Teller(handout)
    so_far: list[Feature] = []
    number = 0
    for stage in dict.fromkeys((*stages, *others)):
        throws = [(place, throw) for place, throw in enumerate(record.log, 1) if throw.stage == stage]
        fresh = [feature for its, feature in came if its == stage]
        if not throws and not fresh:
            continue
        number += 1
        so_far += fresh
        aside = handout.words("story.throws", count=len(throws)) if throws else ""
        yield Heading(_stage_name(stage, handout.words), str(number), aside)
        blocks = tuple(teller.table(throws)) if throws else (_list(fresh, handout),)
        if fresh:
            side = min(_MAP, _MAP_SHARE * handout.size()[0])
            yield SideFigure(Figure(_map(so_far, handout, side), _caption(fresh, handout)), blocks, side="right")
        else:
            yield from blocks


def _growing(handout: HandoutContext) -> Columns:
    """Return one map for each stage, in two columns, for a record without a log."""
    came, stages = _came(handout), handout.system.stages
    found: list[Block | Figure] = []
    so_far: list[Feature] = []
    named = [stage for stage in dict.fromkeys((*stages, *(its for its, _ in came))) if stage in dict(came)]
    width, height = handout.size()
    side = min((width - GUTTER) / 2, _ONE_PAGE * height / max(1, -(-len(named) // 2)) - _ABOUT_MAP)
    for number, stage in enumerate(named, 1):
        fresh = [feature for its, feature in came if its == stage]
        so_far += fresh
        shown = Figure(_map(so_far, handout, side), _caption(fresh, handout))
        found += (Heading(_stage_name(stage, handout.words), str(number)), shown)
    return Columns(tuple(found))


def _came(handout: HandoutContext) -> list[tuple[str, Feature]]:
    """Return every feature with the stage that placed it."""
    record = handout.record
    stages = stages_in(record.battlefield, record.log, handout.system.stages)
    return [(stages[feature.id], feature) for feature in record.battlefield.features]


def _opening(handout: HandoutContext) -> Iterator[Block]:
    """Yield the source of the rules, the numbers of rolls and choices, and the settings that are not the default."""
    words, record, book = handout.words, handout.record, handout.system.book

    def said(one: Words) -> str:
        source = one("story.source", rules=book.title_in(one), source=book.source_in(one))
        if not record.log:
            return f"{source} {one('story.by-hand')}"
        counts = {act: sum(throw.act is act for throw in record.log) for act in Act}
        seed = [] if record.seed is None else [one("story.seed", seed=record.seed)]
        counted = one("story.counted", dice=counts[Act.DIE], choices=counts[Act.CHOICE], count=len(record.log))
        return " ".join([source, counted, *seed])

    for one in words.each():
        yield Paragraph(said(one))
    chosen = [
        f"{book.setting_title(setting, words)}: **{value}** ({clause_of_value(book, setting.clause, value)})"
        for setting in book.settings
        if (value := record.settings.get(setting.key, setting.default)) != setting.default
    ]
    if chosen:
        yield Paragraph(words("story.settings"), "strong")
        yield Bullets(tuple(chosen))


class _Teller(Struct):
    """Builds tables of rolls; only the first citation of a clause has its title."""

    handout: HandoutContext
    _told: set[str] = field(default_factory=set)

    def table(self, throws: Sequence[tuple[int, Throw]]) -> Iterator[Block]:
        """Yield a table of rolls, then the answers that are too long for a cell."""
        words = self.handout.words
        rows = tuple(self._row(place, throw) for place, throw in throws)
        head = tuple(words(f"story.head.{name}") for name in _HEAD)
        yield Table(rows=rows, head=head, shares=_SHARES, aligns=_ALIGNS)
        for place, throw in throws:
            if len(throw.answer) > _LONG:
                yield Paragraph(f"**{place}** {throw.answer}", "note")

    def _row(self, place: int, throw: Throw) -> tuple[str, ...]:
        words = self.handout.words
        record = self.handout.record
        tellings = {one: ThrowText(one, told_names(record.battlefield, one), record.rules) for one in words.each()}
        answer = in_each(words, lambda one: tellings[one].answer(throw))
        return (
            str(place),
            in_each(words, lambda one: tellings[one].reason(throw)),
            in_each(words, lambda one: tellings[one].asked(throw)),
            words("story.below") if len(throw.answer) > _LONG else f"**{answer}**",
            ", ".join(self._rule(clause.strip(), throw) for clause in throw.clause.split(",") if clause.strip()),
        )

    def _rule(self, cited: str, throw: Throw) -> str:
        """Return the clause for the answer of a roll; its first citation has the title."""
        book = self.handout.system.book
        clause = clause_of_value(book, cited, throw.answer)
        title = book.clause_title(clause, self.handout.words)
        if clause in self._told or not title:
            return clause
        self._told.add(clause)
        return f"{clause} {title}"


def _map(features: Sequence[Feature], handout: HandoutContext, side: float) -> Drawing:
    """Return a small map with the features placed so far, in the order of the battlefield."""
    field_ = handout.record.battlefield
    kept = {feature.id for feature in features}
    shown = replace(field_, features=tuple(feature for feature in field_.features if feature.id in kept))
    return small_map(shown, side, side, handout.map_drafter())


def _caption(fresh: Sequence[Feature], handout: HandoutContext) -> str:
    """Return the new features on the map, with name and kind, or with kind and number."""
    names = called(handout.record.battlefield, handout.words)
    return "; ".join(described(feature, handout.words) if feature.name else names[feature.id] for feature in fresh)


def _list(fresh: Sequence[Feature], handout: HandoutContext) -> Bullets:
    """Return a list of features, each with the account of the rule system."""
    accounts = handout.system.account(handout.record, handout.words)
    names = called(handout.record.battlefield, handout.words)
    return Bullets(tuple(f"**{names[feature.id]}** {accounts.get(feature.id, '')}".strip() for feature in fresh))


def _stage_name(stage: str, words: Words) -> str:
    key = f"story.stage.{stage}"
    if words.has(key):
        return words(key)
    return in_each(words, lambda one: ThrowText(one).tell(stage).replace("_", " ").replace("-", " ").capitalize())
