"""View data of a battlefield for the pages: key, clickable outlines, rolls and verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from printkit.api import Field, Judgement
from printkit.chance.dice import Act, Throw
from printkit.core.numbers import parse_int
from printkit.core.words import Words, capitalise_text
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.furniture.legend import going_word
from printkit.drawing.map.labels import numbered
from printkit.kit import registry
from printkit.kit.book import RuleBook
from printkit.kit.check import breaches
from printkit.kit.provenance import clause_of_value, rolls_of_feature
from printkit.kit.remarks import collect_remarks
from printkit.kit.system import Verdict
from printkit.recipes.game.roll_text import ThrowText, feature_labels
from printkit.recipes.prints.map_plan import MIN_SIDE_MM
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.transforms import extend_board

_CARD: Final = re.compile(r"(10|[2-9AKQJ])([SHDC])")
_SUITS: Final[Mapping[str, str]] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

# Tolerance in mm for simplifying clickable outlines.
_PLAIN: Final = 0.6

# Distance in mm within which two features that break a clause together are marked.
_NEAR: Final = 15.0

# Clickable radius of a crossing, as a share of the shorter side of the board.
_REACH: Final = 1 / 36

# Longer side in mm of a board drawn for the screen, so that symbols and lettering are readable.
_PRINTED: Final = 178.0


def scale_of(field: Field) -> str:
    """Return the drawing scale of a battlefield for the screen as text, for example ``1:4.000``."""
    board = extend_board(field.record.battlefield).board
    longest, shortest = max(board.width, board.depth), min(board.width, board.depth)
    return f"1:{max(1.0, min(longest / _PRINTED, shortest / MIN_SIDE_MM)):.3f}"


class DieView(Struct, frozen=True, kw_only=True):
    """A die for the page."""

    sides: int
    answer: str
    reason: str = ""


class CardView(Struct, frozen=True, kw_only=True):
    """A playing card for the page."""

    rank: str
    suit: str
    red: bool


class FeatureView(Struct, frozen=True, kw_only=True):
    """A feature: its row in the key and its clickable path in mm of the board, with y downwards.

    If ``line`` is True the path is stroked, ``wide`` mm wide; otherwise it is filled.
    """

    id: str
    number: int
    name: str
    kind: str
    going: str
    account: str
    card: CardView | None
    dice: tuple[DieView, ...]
    path: str
    line: bool
    wide: float
    by_hand: bool
    middle: tuple[float, float]


class BoardView(Struct, frozen=True, kw_only=True):
    """The board with its features, in mm."""

    width: float
    depth: float
    features: tuple[FeatureView, ...]


def board_view(source: Field, words: Words) -> BoardView:
    """Return the board of a battlefield (mm on the board), with all features in the order of the key."""
    record = source.record
    field, log = extend_board(record.battlefield), record.log
    system = registry.find(source.rules)
    words = words.in_dialect(system.name, system.book.names)
    accounts = system.account(record, words)
    teller = ThrowText(words, feature_labels(field, words), source.rules)
    width, depth = field.board.width, field.board.depth
    cards = _zone_cards(record.details)
    features = []
    for number, feature in numbered(field):
        path, line, wide = hit_path(feature, width, depth)
        middle = _middle_point(feature)
        features.append(
            FeatureView(
                id=feature.id,
                number=number,
                name=feature.name or teller.names[feature.id],
                kind=describe_feature(feature, words, named=False),
                going=going_word(feature.going.name, words) if isinstance(feature, Area | Hill) else "",
                account=accounts.get(feature.id, ""),
                card=cards.get(feature.origin.zone),
                dice=tuple(
                    DieView(sides=parse_int(roll.asked[1:]) or 0, answer=roll.answer, reason=teller.reason(roll))
                    for roll in rolls_of_feature(feature, log)
                    if roll.act is Act.DIE
                ),
                path=path,
                line=line,
                wide=wide,
                by_hand=isinstance(feature, Area | Hill),
                middle=(round(middle[0], 1), round(depth - middle[1], 1)),
            )
        )
    return BoardView(width=round(width, 2), depth=round(depth, 2), features=tuple(features))


def hit_path(feature: Feature, width: float, depth: float) -> tuple[str, bool, float]:
    """Return the clickable path of a feature, whether it is a line, and its width (0 for an area).

    The path is SVG data with y downwards. ``width`` and ``depth`` are those of the board. All are in mm on the board.
    """
    match feature:
        case Crossing():
            reach = min(width, depth) * _REACH
            x, y = feature.at.x, depth - feature.at.y
            ring = f"M{x - reach:.1f} {y:.1f}a{reach:.1f} {reach:.1f} 0 1 0 {2 * reach:.1f} 0"
            return f"{ring}a{reach:.1f} {reach:.1f} 0 1 0 {-2 * reach:.1f} 0z", False, 0.0
        case Course():
            line = shapely.intersection(feature.line, shapely.box(0, 0, width, depth)).simplify(_PLAIN)
            return path_of(line, depth), True, max(feature.width, min(width, depth) * _REACH)
        case _:
            return path_of(feature.outline, depth), False, 0.0


def path_of(shape: BaseGeometry, depth: float) -> str:
    """Return a simplified shape as SVG path data in mm on the board, y downwards; empty without lines.

    The shape and ``depth``, the depth of the board, are in mm.
    """
    plain = shape.simplify(_PLAIN)
    return "".join(_line_path(part, depth, closed=closed) for part, closed in _shape_parts(plain))


def _shape_parts(shape: BaseGeometry) -> Iterator[tuple[BaseGeometry, bool]]:
    """Yield each line or ring of a shape, and whether its path is closed."""
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon":
            yield part.exterior, True
            yield from ((ring, True) for ring in part.interiors)
        elif part.geom_type in ("LineString", "LinearRing"):
            yield part, False


def _line_path(line: BaseGeometry, depth: float, *, closed: bool) -> str:
    """Return a line as SVG path data in mm on the board, with y downwards; empty for an empty line.

    ``depth`` is the depth of the board in mm.
    """
    points = [f"{x:.1f} {depth - y:.1f}" for x, y in shapely.get_coordinates(line)]
    return f"M{'L'.join(points)}{'z' if closed else ''}" if points else ""


def _middle_point(feature: Feature) -> tuple[float, float]:
    """Return x and y of a point in the middle of a feature, in mm on the board.

    For a course it is on its line, for an area inside it.
    """
    match feature:
        case Crossing():
            return feature.at.x, feature.at.y
        case Course():
            point = feature.line.interpolate(0.5, normalized=True)
            return point.x, point.y
        case _:
            point = feature.outline.representative_point()
            return point.x, point.y


def card_of(text: str) -> CardView | None:
    """Return the card that a text of the log names, for example ``10S``; None for other texts."""
    match = _CARD.fullmatch(text)
    return match and CardView(rank=match[1], suit=_SUITS[match[2]], red=match[2] in "HD")


def _zone_cards(details: Mapping[str, Any]) -> dict[int | None, CardView]:
    """Return the card of each zone by its number; empty if the record has no zones with cards."""
    zones = details.get("zones")
    cards: dict[int | None, CardView] = {}
    for zone in zones if isinstance(zones, list) else ():
        if isinstance(zone, Mapping) and (card := card_of(str(zone.get("card", "")))):
            cards[zone.get("n")] = card
    return cards


class OpenCard(Struct, frozen=True, kw_only=True):
    """The card of a zone after the reveal: its zone, the card, and whether it is the ninth, which nobody placed."""

    zone: int
    card: CardView
    is_ninth: bool


def open_cards(source: Field, owners: Sequence[str], words: Words) -> tuple[tuple[OpenCard, ...], str]:
    """Return the cards of a revealed game by zone, and the ninth card in words; empty if the record has no cards.

    ``owners`` has who placed the card of each zone; the zone of the ninth card has nobody.
    """
    cards = _zone_cards(source.record.details)
    open_items = tuple(
        OpenCard(zone=zone, card=cards[zone], is_ninth=not owner)
        for zone, owner in enumerate(owners, 1)
        if zone in cards
    )
    ninth = next((entry.card for entry in open_items if entry.is_ninth), None)
    letters = {sign: letter for letter, sign in _SUITS.items()}
    return open_items, "" if ninth is None else ThrowText(words).tell(f"{ninth.rank}{letters[ninth.suit]}")


# --- The rolls --------------------------------------------------------------------------------------------------------


class OutcomeRow(Struct, frozen=True, kw_only=True):
    """A row of a die table: the scores, their result, and whether the die has one of these scores."""

    scores: str
    outcome: str
    hit: bool


class ThrowView(Struct, frozen=True, kw_only=True):
    """A roll, choice or card draw of the log.

    Attributes:
        faces: the possible scores of a die.
        outcomes: the table of results in the rule book.
        options: the possible answers to a choice, as in the log and in words.
        pack: the cards that were drawn from, as in the log and as cards.
        raw: the answer as in the log.
        was: the rolled answer, if the user has overwritten it.
        gone: whether the roll belongs only to the battlefield before the change.
        fresh: whether the roll is new or has another answer than before.
    """

    number: int
    act: str
    asked: str
    reason: str
    answer: str
    clause: str
    sides: int = 0
    faces: tuple[str, ...] = ()
    outcomes: tuple[OutcomeRow, ...] = ()
    cards: tuple[CardView, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    pack: tuple[tuple[str, CardView], ...] = ()
    raw: str = ""
    was: str = ""
    gone: bool = False
    fresh: bool = False

    @property
    def mine(self) -> bool:
        """Return whether the user has overwritten the answer."""
        return bool(self.was)


class StageView(Struct, frozen=True, kw_only=True):
    """A stage with its rolls."""

    name: str
    title: str
    throws: tuple[ThrowView, ...]
    renewed: bool = False


def stage_views(
    field: Field, words: Words, previous_field: Field | None = None, options: Mapping[int, Sequence[str]] = {}
) -> tuple[StageView, ...]:
    """Return the rolls of a battlefield by stage, with the removed rolls of the battlefield before it.

    Args:
        field: the battlefield.
        words: the words of the language.
        previous_field: the battlefield before a change of rolls.
        options: the possible answers to choices and cards, by roll number.
    """
    record, book = field.record, registry.find(field.rules).book
    teller = ThrowText(
        words.in_dialect(field.rules, book.names), feature_labels(record.battlefield, words), field.rules
    )
    view_roll = partial(_throw_view, teller=teller, book=book, words=words)
    rows: list[tuple[str, ThrowView]] = []
    for number, throw, state in _compare_rolls(record.log, () if previous_field is None else previous_field.record.log):
        view = view_roll(number, throw, state if previous_field is not None else "")
        rows.append((throw.stage, _with_options(view, options.get(number, ()), teller)))
    stages = list(dict.fromkeys((*registry.find(field.rules).stages, *(stage for stage, _ in rows))))
    views = []
    for stage in stages:
        stage_rolls = tuple(row for row_stage, row in rows if row_stage == stage)
        if stage_rolls:
            title = capitalise_text(teller.stage(stage))
            views.append(StageView(name=stage, title=title, throws=stage_rolls))
    return tuple(views)


def _compare_rolls(log: Sequence[Throw], old_log: Sequence[Throw]) -> Iterator[tuple[int, Throw, str]]:
    """Yield each roll with its number and its state compared to before: ``""``, ``fresh`` or ``gone``.

    Numbers count from 1; a roll that is gone has 0. ``fresh`` rolls are new or have another answer.
    """
    if not old_log:
        yield from ((number, throw, "") for number, throw in enumerate(log, 1))
        return
    key: Callable[[Throw], tuple[str, str]] = lambda throw: (throw.stage, throw.reason)  # noqa: E731
    old, new = [key(throw) for throw in old_log], [key(throw) for throw in log]
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("delete", "replace"):
            yield from ((0, throw, "gone") for throw in old_log[first:last])
        if tag == "equal":
            for index, number in zip(range(first, last), range(start, end), strict=True):
                same = old_log[index].answer == log[number].answer
                yield number + 1, log[number], "" if same else "fresh"
        if tag in ("insert", "replace"):
            yield from ((number + 1, log[number], "fresh") for number in range(start, end))


def _throw_view(number: int, throw: Throw, state: str, *, teller: ThrowText, book: RuleBook, words: Words) -> ThrowView:
    """Return the view of a roll; ``state`` is ``""``, ``fresh`` or ``gone``, compared to before.

    ``number`` is that of the roll, from 1; 0 for one that is gone.
    """
    sides = (parse_int(throw.asked[1:]) or 0) if throw.act is Act.DIE else 0
    cards = tuple(card for text in throw.answer.split() if (card := card_of(text)))
    return ThrowView(
        number=number,
        act=throw.act.value,
        asked=teller.question(throw),
        reason=teller.reason(throw),
        answer=teller.answer(throw),
        clause=clause_of_value(book, throw.clause, throw.answer),
        sides=sides,
        faces=tuple(str(score) for score in range(1, sides + 1)),
        outcomes=tuple(_outcome_rows(throw, sides, book, words)),
        cards=cards if len(cards) == len(throw.answer.split()) else (),
        raw=throw.answer,
        was=teller.answer(Throw(stage="", reason="", asked=throw.asked, answer=throw.was)) if throw.was else "",
        gone=state == "gone",
        fresh=state == "fresh",
    )


def _with_options(view: ThrowView, labels: Sequence[str], teller: ThrowText) -> ThrowView:
    """Return the view of a roll with its possible answers; ``labels`` are the answers as in the log."""
    if view.act == Act.CHOICE:
        return replace(view, options=tuple((label, teller.tell(label)) for label in labels))
    pack = [(label, card) for label in labels if (card := card_of(label))]
    return replace(view, pack=tuple(pack) if len(pack) == len(labels) else ())


def _outcome_rows(throw: Throw, sides: int, book: RuleBook, words: Words) -> Iterator[OutcomeRow]:
    """Yield the rows of the die table with the clause of a roll; nothing unless exactly one table has it.

    ``sides`` is the number of sides of the die.
    """
    clauses = set(throw.clause.split(","))
    tables = [
        table
        for table in book.tables.values()
        if table.sides == sides and not table.modifiers and any(row.clause in clauses for row in table.rows)
    ]
    if len(tables) != 1:
        return
    teller = ThrowText(words, {}, book.name)
    score = parse_int(throw.answer) or 0
    for row in tables[0].rows:
        label = words.book_line((book.name, book.shares), "tables", row.outcome, "")
        outcome = label or teller.tell(row.outcome, "kind").replace("_", " ")
        yield OutcomeRow(scores=str(row.span).replace("-", "–"), outcome=outcome, hit=score in row.span)


# --- Verdicts ---------------------------------------------------------------------------------------------------------


class BreachView(Struct, frozen=True, kw_only=True):
    """A broken clause: its title, the fault, and the place on the board; ``letter`` marks it on the map.

    ``path`` is SVG data in mm on the board, y downwards; ``at`` is x and y, or None without a place.
    """

    letter: str
    clause: str
    title: str
    where: str
    also: str
    path: str
    at: tuple[float, float] | None


class VerdictView(Struct, frozen=True, kw_only=True):
    """The numbers of clauses that are kept, broken and not judged, the broken ones, and notices for the players."""

    kept: int
    broken: int
    unseen: int
    breaches: tuple[BreachView, ...]
    remarks: tuple[str, ...]


def verdict_view(judgement: Judgement, words: Words) -> VerdictView:
    """Return the view of a judgement; its points and paths are in mm on the board, with y downwards."""
    field = extend_board(judgement.record.battlefield)
    left, near = field.board.outer_margins.left, field.board.outer_margins.near
    depth = field.board.depth
    offset = np.array((left, near))
    broken_verdicts = {verdict.clause: verdict for verdict in judgement.broken}
    breach_views = []
    dialect = words.in_dialect(judgement.system.name, judgement.system.book.names)
    kinds = {kind.value: words(f"kind.{kind}").lower() for kind in Kind if words.has(f"kind.{kind}")}
    names = {**kinds, **feature_labels(judgement.record.battlefield, dialect)}
    for index, breach in enumerate(breaches(judgement, words, names)):
        ground = _broken_ground(judgement, broken_verdicts[breach.clause])
        shape = shapely.transform(ground, lambda points: points + offset)
        point = None if shape.is_empty else shape.representative_point()
        breach_views.append(
            BreachView(
                letter=chr(ord("A") + index) if index < 26 else "",
                clause=breach.clause,
                title=breach.title,
                where=words.translate(breach.finding),
                also=", ".join(breach.other_clauses),
                path="" if shape.is_empty else path_of(_visible_ground(shape), depth),
                at=None if point is None else (round(point.x, 1), round(depth - point.y, 1)),
            )
        )
    states = [verdict.state for verdict in judgement.verdicts]
    return VerdictView(
        kept=states.count("kept"),
        broken=states.count("broken"),
        unseen=states.count("not judged"),
        breaches=tuple(breach_views),
        remarks=tuple(map(words.translate, collect_remarks(judgement.system, judgement.record, words))),
    )


def _broken_ground(judgement: Judgement, verdict: Verdict) -> BaseGeometry:
    """Return the ground where a clause is broken, in mm on the board.

    For two features, it is the part where they are close together.
    """
    ground = judgement.union_shapes(verdict)
    shapes = [judgement.union_shapes(replace(verdict, ids=(feature_id,))) for feature_id in verdict.ids]
    if len(shapes) != len(("one", "other")):
        return ground
    near = shapely.intersection(*(shape.buffer(_NEAR) for shape in shapes))
    return ground if near.is_empty else shapely.intersection(ground.buffer(1.0), near)


def _visible_ground(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape in mm on the board with its points as visible discs of 6 mm radius."""
    points = [part.buffer(6.0) for part in shapely.get_parts(shape) if part.geom_type == "Point"]
    return shapely.union_all([*(part for part in shapely.get_parts(shape) if part.geom_type != "Point"), *points])
