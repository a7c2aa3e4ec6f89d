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
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import GUTTER, Columns, Content
from printkit.kit.provenance import clause_of_value
from printkit.page.sheet import Page
from printkit.recipes.game.roll_text import ThrowText, feature_labels, feature_stages, join_languages, log_labels
from printkit.recipes.output.handout import HandoutContext
from printkit.terrain.field.features import Feature

_MAP: Final = 58.0
_MAP_SHARE: Final = 0.34
# For maps in two columns: the share of a page that they take, and the space above and below each, in mm.
_ONE_PAGE: Final = 0.78
_ABOUT_MAP: Final = 25.0

_LONGEST_ANSWER: Final = 40
_HEAD: Final = ("number", "reason", "asked", "answer", "rule")
_SHARES: Final = (0.6, 3.0, 1.8, 2.1, 2.7)
_ALIGNS: Final[tuple[Align, ...]] = ("right", "left", "left", "left", "left")


def story_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the story of a record as pages; a record drawn by hand has only maps and features.

    Raises:
        PageError: the paper is too small.
    """
    return handout.build_pages(handout.words("story.title"), _contents(handout), subtitle=handout.title)


def _contents(handout: HandoutContext) -> Iterator[Content]:
    """Yield a section for each stage with its rolls and a map; without a log, only maps of the stages.

    Stages without rolls and features are left out; the others are numbered from 1.
    """
    yield from _opening_blocks(handout)
    if not handout.record.log:
        yield _growing(handout)
        return
    record, stages = handout.record, handout.system.stages
    staged_features = _staged_features(handout)
    others = [throw.stage for throw in record.log] + [stage for stage, _ in staged_features]
    tables = _RollTables(handout)
    features_so_far: list[Feature] = []
    number = 0
    for stage in dict.fromkeys((*stages, *others)):
        throws = [(roll_number, throw) for roll_number, throw in enumerate(record.log, 1) if throw.stage == stage]
        new_features = [feature for feature_stage, feature in staged_features if feature_stage == stage]
        if not throws and not new_features:
            continue
        number += 1
        features_so_far += new_features
        roll_count = handout.words("story.throws", count=len(throws)) if throws else ""
        yield Heading(_stage_name(stage, handout.words), str(number), roll_count)
        blocks = tuple(tables.table(throws)) if throws else (_list_features(new_features, handout),)
        if new_features:
            side = min(_MAP, _MAP_SHARE * handout.page_size()[0])
            yield SideFigure(
                Figure(_map(features_so_far, handout, side), _caption(new_features, handout)), blocks, side="right"
            )
        else:
            yield from blocks


def _growing(handout: HandoutContext) -> Columns:
    """Return one map for each stage, in two columns, for a record without a log."""
    staged_features, stages = _staged_features(handout), handout.system.stages
    blocks: list[Block | Figure] = []
    features_so_far: list[Feature] = []
    map_stages = [
        stage
        for stage in dict.fromkeys((*stages, *(feature_stage for feature_stage, _ in staged_features)))
        if stage in dict(staged_features)
    ]
    width, height = handout.page_size()
    map_side_mm = min((width - GUTTER) / 2, _ONE_PAGE * height / max(1, -(-len(map_stages) // 2)) - _ABOUT_MAP)
    for number, stage in enumerate(map_stages, 1):
        new_features = [feature for feature_stage, feature in staged_features if feature_stage == stage]
        features_so_far += new_features
        figure = Figure(_map(features_so_far, handout, map_side_mm), _caption(new_features, handout))
        blocks += (Heading(_stage_name(stage, handout.words), str(number)), figure)
    return Columns(tuple(blocks))


def _staged_features(handout: HandoutContext) -> list[tuple[str, Feature]]:
    """Return every feature with the stage that placed it.

    They are pairs of stage and feature, in the order of the battlefield.
    """
    record = handout.record
    stages = feature_stages(record.battlefield, record.log, handout.system.stages)
    return [(stages[feature.id], feature) for feature in record.battlefield.features]


def _opening_blocks(handout: HandoutContext) -> Iterator[Block]:
    """Yield the source of the rules, the numbers of rolls and choices, and the settings that are not the default."""
    words, record, book = handout.words, handout.record, handout.system.book

    def opening_text(language: Words) -> str:
        source = language("story.source", rules=book.title_in(language), source=book.source_in(language))
        if not record.log:
            return f"{source} {language('story.by-hand')}"
        counts = {act: sum(throw.act is act for throw in record.log) for act in Act}
        seed = [] if record.seed is None else [language("story.seed", seed=record.seed)]
        count_text = language("story.counted", dice=counts[Act.DIE], choices=counts[Act.CHOICE], count=len(record.log))
        return " ".join([source, count_text, *seed])

    for language in words.each():
        yield Paragraph(opening_text(language))
    changed_settings = [
        f"{book.setting_title(setting, words)}: **{value}** ({clause_of_value(book, setting.clause, value)})"
        for setting in book.settings
        if (value := record.settings.get(setting.key, setting.default)) != setting.default
    ]
    if changed_settings:
        yield Paragraph(words("story.settings"), "strong")
        yield Bullets(tuple(changed_settings))


class _RollTables(Struct):
    """Builds tables of rolls; only the first citation of a clause has its title."""

    handout: HandoutContext
    _cited_clauses: set[str] = field(default_factory=set)

    def table(self, throws: Sequence[tuple[int, Throw]]) -> Iterator[Block]:
        """Yield a table of rolls, then the answers that are too long for a cell.

        ``throws`` are pairs of number and roll.
        """
        words = self.handout.words
        rows = tuple(self._row(roll_number, throw) for roll_number, throw in throws)
        head = tuple(words(f"story.head.{name}") for name in _HEAD)
        yield Table(rows=rows, head=head, shares=_SHARES, aligns=_ALIGNS)
        for roll_number, throw in throws:
            if len(throw.answer) > _LONGEST_ANSWER:
                yield Paragraph(f"**{roll_number}** {throw.answer}", "note")

    def _row(self, roll_number: int, throw: Throw) -> tuple[str, ...]:
        """Return the row of a roll as text: its number (from 1), reason, question, answer and clauses.

        A long answer is replaced by a reference to the text below the table.
        """
        words = self.handout.words
        record = self.handout.record
        texts = {
            language: ThrowText(language, log_labels(record.battlefield, language), record.rules)
            for language in words.each()
        }
        answer = join_languages(words, lambda language: texts[language].answer(throw))
        return (
            str(roll_number),
            join_languages(words, lambda language: texts[language].reason(throw)),
            join_languages(words, lambda language: texts[language].question(throw)),
            words("story.below") if len(throw.answer) > _LONGEST_ANSWER else f"**{answer}**",
            ", ".join(self._cite_clause(clause.strip(), throw) for clause in throw.clause.split(",") if clause.strip()),
        )

    def _cite_clause(self, clause_id: str, throw: Throw) -> str:
        """Return the clause for the answer of a roll; its first citation has the title, later ones only the number.

        The clauses already cited are remembered in this object.
        """
        book = self.handout.system.book
        clause = clause_of_value(book, clause_id, throw.answer)
        title = book.clause_title(clause, self.handout.words)
        if clause in self._cited_clauses or not title:
            return clause
        self._cited_clauses.add(clause)
        return f"{clause} {title}"


def _map(features: Sequence[Feature], handout: HandoutContext, side: float) -> Drawing:
    """Return a small map with the features placed so far, in the order of the battlefield.

    ``side`` is the largest width and height of the drawing, in mm on paper.
    """
    battlefield = handout.record.battlefield
    feature_ids = {feature.id for feature in features}
    partial_field = replace(
        battlefield, features=tuple(feature for feature in battlefield.features if feature.id in feature_ids)
    )
    return small_map(partial_field, side, side, handout.map_drafter())


def _caption(new_features: Sequence[Feature], handout: HandoutContext) -> str:
    """Return the new features on the map, with name and kind, or with kind and number."""
    names = feature_labels(handout.record.battlefield, handout.words)
    return "; ".join(
        describe_feature(feature, handout.words) if feature.name else names[feature.id] for feature in new_features
    )


def _list_features(features: Sequence[Feature], handout: HandoutContext) -> Bullets:
    """Return a list of features, each with the account of the rule system."""
    accounts = handout.system.account(handout.record, handout.words)
    names = feature_labels(handout.record.battlefield, handout.words)
    return Bullets(tuple(f"**{names[feature.id]}** {accounts.get(feature.id, '')}".strip() for feature in features))


def _stage_name(stage: str, words: Words) -> str:
    """Return the heading for a stage, from its text or made from its name."""
    key = f"story.stage.{stage}"
    if words.has(key):
        return words(key)
    return join_languages(
        words, lambda language: ThrowText(language).tell(stage).replace("_", " ").replace("-", " ").capitalize()
    )
