"""The umpire's copy with rule check, rolls and maps of each stage, and the reference sheets of a game night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.dice import Act, Throw
from printkit.content.cards import Deck
from printkit.content.prose import Align, Block, Bullets, Heading, Paragraph, Table
from printkit.core.words import Words, capitalise_text
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture.furniture import legend_sheet
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.furniture.legend import going_word, legend_entries
from printkit.drawing.furniture.stored_swatches import KEY_WIDTH
from printkit.drawing.furniture.swatches import swatch_scale
from printkit.drawing.map.board_drawing import MapCaption, MapLayout, small_map
from printkit.drawing.map.cell_marks import cell_address
from printkit.drawing.map.labels import numbered
from printkit.drawing.text.flow import GUTTER
from printkit.drawing.text.leaflet import Columns, Content, Figure, SideFigure, contents_height
from printkit.kit.check import breaches, judge_record
from printkit.kit.countryside import default_name_list
from printkit.kit.provenance import clause_of_value
from printkit.kit.remarks import list_unplaced
from printkit.kit.rules import NAMES_KEY, OWN_KEYS, Rules
from printkit.page.sheet import Page
from printkit.recipes.evening.folder import Folders
from printkit.recipes.game.roll_text import ThrowText, feature_labels, feature_stages, join_languages, log_labels
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.recipes.prints.map_key import KeyKind, describe_slopes, key_accounts
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Crossing, Feature, Hill
from printkit.terrain.field.grids import Cell

# --- The key of a battlefield as a list: number or cells, description and going of each feature ----------------------

_REFERENCE_SHARES: Final = (0.7, 3.4, 1.9)
_CELL_SHARES: Final = (1.7, 2.6, 1.7)
# Least number of rows for a key in two columns.
_TWO_COLUMN_ROWS: Final = 12


def field_key(field: Battlefield, words: Words) -> Iterator[Content]:
    """Yield the key with its heading, if the battlefield has features.

    On cells, equal features without names share a row, and also the parts of one feature, for example plots.
    """
    places: dict[tuple[str, ...], list[str]] = {}
    for number, feature in numbered(field):
        place = feature_reference(number, feature, field)
        separate_key = (place,) if field.grid is None or feature.name else ()
        row_key = (describe_feature(feature, words), "\n".join(_goings(feature, words)), *separate_key)
        places.setdefault(row_key, []).append(place)
    rows = tuple((", ".join(dict.fromkeys(row_places)), *row_key[:2]) for row_key, row_places in places.items())
    if not rows:
        return
    first, shares = ("number", _REFERENCE_SHARES) if field.grid is None else ("cells", _CELL_SHARES)
    head = tuple(words(f"handouts.key.{name}") for name in (first, "what", "going"))
    yield Heading(words("handouts.key.title"), remark=words(f"handouts.key.aside-{first}"))
    if len(rows) < _TWO_COLUMN_ROWS:
        yield Table(rows=rows, head=head, shares=shares)
        return
    half_count = (len(rows) + 1) // 2
    yield Columns(tuple(Table(rows=half, head=head, shares=shares) for half in (rows[:half_count], rows[half_count:])))


def feature_reference(number: int, feature: Feature, field: Battlefield) -> str:
    """Return the reference of a feature on the map: its number in the key in bold, or on a grid its cells.

    Several cells are separated by spaces, in the order of their printed addresses.
    """
    grid = field.grid
    if grid is None or not feature.cells:
        return f"**{number}**"
    numbered_cells = sorted((grid.printed_cell(Cell(*indexes)), Cell(*indexes)) for indexes in feature.cells)
    return " ".join(cell_address(grid, cell) for _, cell in numbered_cells)


def _goings(feature: Feature, words: Words) -> Iterator[str]:
    """Yield the going of a feature, and of the hill faces that differ from it."""
    if label := going_word(feature.going.name, words):
        yield label
    else:
        yield words(f"handouts.key.{'crossing' if isinstance(feature, Crossing) else 'unstated'}")
    if isinstance(feature, Hill):
        yield from describe_slopes(feature, words)


_GOING_SHARES: Final = (1.0, 4.0)

# Space above the map of the reference page, and its least height, in mm.
_MAP_GAP_MM: Final = 6.0
_LEAST_MAP_MM: Final = 80.0


def reference_pages(
    handout: HandoutContext, decks: Sequence[Deck], *, origin: str, first_contents: Sequence[Content] = ()
) -> tuple[Page, ...]:
    """Return the reference pages, for all players to share.

    Args:
        handout: the record, and how to print it.
        decks: decks that are not printed as cards.
        origin: the footer, which must not show the seed.
        first_contents: contents before everything else.

    Raises:
        PageError: the paper is too small.
    """
    words, width = handout.words, handout.page_size()[0]
    contents = (*first_contents, *deck_contents(decks), *_going_table(handout), *_legend_blocks(handout))
    title, subtitle = words("handouts.reference.title"), handout.system.book.title_in(words)
    # The space that is left shows the map.
    free_height = handout.height_below(title, subtitle=subtitle, origin=origin) - _MAP_GAP_MM
    free_height -= contents_height(contents, width, handout.style)
    if free_height >= _LEAST_MAP_MM:
        contents += (Figure(small_map(handout.record.battlefield, width, free_height, handout.map_drafter())),)
    return handout.build_pages(title, contents, subtitle=subtitle, origin=origin)


def deck_contents(decks: Sequence[Deck]) -> Iterator[Content]:
    """Yield the texts of the reference decks, front and back of each card, in two columns.

    Decks that are not for reference are left out.
    """
    for deck in decks:
        if not deck.reference:
            continue
        blocks: list[Block] = []
        for card in deck.cards:
            if len(deck.cards) > 1:
                blocks.append(Heading(card.title))
            blocks += (*card.blocks, *card.back)
        yield Heading(deck.title)
        yield Columns(tuple(blocks))


def _legend_blocks(handout: HandoutContext) -> tuple[Content, ...]:
    """Return the legend with its heading: each symbol with its name and going; empty without symbols."""
    field = handout.record.battlefield
    if not legend_entries(field):
        return ()
    words = handout.words
    map_layout = MapLayout(field=field, style=handout.style, words=words, caption=MapCaption(title=handout.title))
    head = Heading(words("handouts.reference.here"), remark=words("handouts.reference.here-aside"))
    return head, Figure(legend_sheet(map_layout, handout.page_size()[0], scale=swatch_scale(KEY_WIDTH)))


def _going_table(handout: HandoutContext) -> Iterator[Content]:
    """Yield every kind of terrain in the rules, by going, the easiest first.

    Nothing if the rules have no terrain.
    """
    words, book = handout.words, handout.system.book
    kinds_by_going: dict[str, list[str]] = {}
    goings = {**handout.system.goings(), **Rules.of_record(book, handout.record).goings()}
    for kind, going in goings.items():
        kinds_by_going.setdefault(going, []).append(_terrain_name(kind, handout))
    going_names = sorted(kinds_by_going, key=lambda name: book.going[name])
    rows = tuple(
        (
            f"**{capitalise_text(going_word(name, words))}**",
            capitalise_text("; ".join(dict.fromkeys(kinds_by_going[name]))),
        )
        for name in going_names
    )
    if rows:
        yield Heading(words("handouts.reference.going"))
        head = (words("handouts.reference.how"), words("handouts.reference.ground"))
        yield Table(rows=rows, head=head, shares=_GOING_SHARES)


def _terrain_name(kind: str, handout: HandoutContext) -> str:
    """Return the name of a kind or variant of terrain for the middle of a sentence."""
    words = handout.words
    specimen_key = f"specimen.{kind}"
    name = words(specimen_key) if words.has(specimen_key) else words(f"kind.{kind}")
    return name[:1].lower() + name[1:]


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
    return handout.build_pages(handout.words("story.title"), _log_contents(handout), subtitle=handout.title)


def _log_contents(handout: HandoutContext) -> Iterator[Content]:
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
    """Yield the source of the rules, and the numbers of rolls and choices, in each language."""
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


_FACT_SHARES: Final = (1.0, 2.2)
_SETTING_SHARES: Final = (1.6, 1.5, 3.2, 1.0)
_KEY_SHARES: Final = (0.6, 2.0, 4.4)
_VERDICT_SHARES: Final = (1.0, 3.0, 3.0)


def umpire_pages(handout: HandoutContext, thumbnail: Drawing, folders: Folders, *, key: bool) -> tuple[Page, ...]:
    """Return the umpire's copy: how to make the game again, the rule check and every roll.

    Args:
        handout: the record, and how to print it.
        thumbnail: a small map.
        folders: the paths of the files, with that of the record.
        key: whether to include the key with dice and clauses, because the map does not have it.

    Raises:
        PageError: the paper is too small.
    """
    title = handout.words("handouts.umpire.title")
    contents = (*_contents(handout, thumbnail, folders), *(_key_blocks(handout) if key else ()))
    first = handout.build_pages(title, contents, subtitle=handout.title)
    return (*first, *handout.plugin_parts("umpire_pages"), *story_pages(handout))


def _contents(handout: HandoutContext, thumbnail: Drawing, folders: Folders) -> Iterator[Content]:
    """Yield the facts to make the game again next to the map, the rule check, and the settings."""
    words = handout.words
    facts: tuple[Block, ...] = (
        Paragraph(words("handouts.umpire.how-sealed" if folders.solo else "handouts.umpire.how")),
        Heading(words("handouts.umpire.again")),
        Table(rows=tuple(_facts(handout, folders.record)), shares=_FACT_SHARES),
    )
    yield SideFigure(Figure(thumbnail), facts, side="right")
    yield from _checks(handout)
    yield from _settings(handout)


def _key_blocks(handout: HandoutContext) -> Iterator[Content]:
    """Yield a heading and a table with a row for each feature: number, description, dice and clauses.

    Nothing without features.
    """
    words, field = handout.words, handout.record.battlefield
    accounts = key_accounts(handout.record, handout.system, words, KeyKind.FULL)
    rows = tuple(
        (feature_reference(number, feature, field), describe_feature(feature, words), accounts.get(feature.id, ""))
        for number, feature in numbered(field)
    )
    if rows:
        head = tuple(words(f"handouts.key.{name}") for name in ("number" if field.grid is None else "cells", "what"))
        yield Heading(words("handouts.key.title"), remark=words("handouts.umpire.key-aside"))
        yield Table(rows=rows, head=(*head, words("handouts.umpire.key")), shares=_KEY_SHARES)


def _facts(handout: HandoutContext, name: str) -> Iterator[tuple[str, str]]:
    """Yield a label and a value for each fact: seed, board, number of dice, overridden rolls.

    The last is the command that prints the sheets again from ``name``, the path of the record.
    """
    words, record = handout.words, handout.record
    board = record.battlefield.board
    seed = words("handouts.umpire.by-hand") if record.seed is None else f"**{record.seed}**"
    yield words("handouts.umpire.seed"), seed
    if record.reseeded:
        stages = [
            words("handouts.umpire.stage-seed", stage=stage, seed=stage_seed)
            for stage, stage_seed in sorted(record.reseeded.items())
        ]
        yield words("handouts.umpire.reseeded"), ", ".join(stages)
    yield words("handouts.umpire.board"), LengthFormatter(words).format_size(board.width, board.depth)
    if record.log:
        yield words("handouts.umpire.dice"), str(len(record.log))
    overridden_rolls = [
        words("handouts.umpire.throw-was", number=number, answer=throw.answer, was=throw.was)
        for number, throw in enumerate(record.log, 1)
        if throw.was
    ]
    if overridden_rolls:
        yield words("handouts.umpire.overwritten"), "; ".join(overridden_rolls)
    if missing_lines := list_unplaced(handout.system, record):
        yield (
            words("handouts.umpire.unplaced"),
            join_languages(words, lambda one: "; ".join(map(one.translate, missing_lines))),
        )
    yield words("handouts.umpire.sheets-again"), f"printkit handouts --from {name}"


def _checks(handout: HandoutContext) -> Iterator[Content]:
    """Yield the number of clauses that are kept, broken or not checked, and the list of broken ones."""
    words = handout.words
    judgement = judge_record(handout.system, handout.record)
    states = Counter(verdict.state for verdict in judgement.verdicts)
    yield Heading(words("handouts.umpire.checks"))
    for language in words.each():
        yield Paragraph(
            language(
                "handouts.umpire.verdict",
                kept=language("handouts.umpire.kept", count=states["kept"]),
                broken=_count_text(language, "broken", states["broken"]),
                unjudged=_count_text(language, "unjudged", states["not judged"]),
            )
        )
    broken_rows = tuple(
        (", ".join((f"**{breach.clause}**", *breach.other_clauses)), breach.title, breach.finding)
        for breach in breaches(judgement, words)
    )
    if broken_rows:
        head = tuple(words(f"handouts.umpire.{name}") for name in ("broken-list", "about", "where"))
        yield Table(rows=broken_rows, head=head, shares=_VERDICT_SHARES)


def _count_text(words: Words, key: str, count: int) -> str:
    """Return a count as text; zero has a separate text.

    ``key`` is the last part of the key in the words.
    """
    return words(f"handouts.umpire.{key}", count=count) if count else words(f"handouts.umpire.{key}.none")


def _settings(handout: HandoutContext) -> Iterator[Content]:
    """Yield the settings that are not the default; the record has all of them.

    They are a heading, a table (not without such settings) and a note.
    """
    words, record, book = handout.words, handout.record, handout.system.book
    rows = []
    for setting in book.settings:
        value = record.settings.get(setting.key, setting.default)
        if value != setting.default:
            clause = clause_of_value(book, setting.clause, value)
            rows.append((f"**{setting.name}**", value, book.setting_title(setting, words), clause))
    extra_keys = [key for key in OWN_KEYS if key in record.settings]
    default_names = default_name_list(handout.system, record.details)
    rows += [
        (f"**{key}**", record.settings[key], words(f"handouts.umpire.own-{key}"), "")
        for key in extra_keys
        if record.settings[key] != (default_names if key == NAMES_KEY else "")
    ]
    yield Heading(words("handouts.umpire.settings"))
    if rows:
        head = tuple(words(f"handouts.umpire.{name}") for name in ("setting", "value", "about", "clause"))
        yield Table(rows=tuple(rows), head=head, shares=_SETTING_SHARES)
    key = "settings-others" if rows else "settings-none"
    for language in words.each():
        yield Paragraph(language(f"handouts.umpire.{key}"), "note")
