"""Pages for a table of zones: the feature key, the zone log and the piece list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from printkit.content.prose import Align, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture.legend import build_symbol_entry, going_word, sign_swatch
from printkit.drawing.furniture.stored_swatches import KEY_WIDTH
from printkit.drawing.text.flow import GUTTER
from printkit.drawing.text.leaflet import Columns, Content, Figure
from printkit.kit.rules import Rules
from printkit.page.sheet import Page
from printkit.recipes.game.roll_text import ThrowText, join_languages
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.systems.acw.sheets.feature_key import CROSSINGS, KeyLine, build_key_lines
from printkit.systems.acw.sheets.piece_list import CourseTotal, PieceModel, build_piece_list, course_word
from printkit.systems.acw.terms.decks import format_cell
from printkit.systems.acw.terms.facts import Facts, RecordedRoll
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, RollOutcome, zone_grid
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP, clearing_reading
from printkit.terrain.field.features import Kind

_FACTS: Final = (1.0, 3.2)
_LOG_ALIGNS: Final[tuple[Align, ...]] = ("right", "middle", "middle", "left", "left", "middle", "middle")
_LOG_SHARES: Final = (0.6, 0.6, 0.6, 2.4, 3.4, 0.9, 0.9)
_LOG_HEAD: Final = ("zone", "roll", "die", "result", "decision", "ignored", "no-room")
_AREA_SHARES: Final = (2.4, 0.9, 3.0, 3.0)
_AREA_ALIGNS: Final[tuple[Align, ...]] = ("left", "right", "left", "left")
_LENGTH_SHARES: Final = (3.4, 1.0, 2.6, 2.3)
_LENGTH_ALIGNS: Final[tuple[Align, ...]] = ("left", "right", "right", "right")
# Pieces with a note about their going in the key.
_PIECES_WITH_NOTE: Final = (
    *(Piece.HILL_CLIFF, Piece.HILL_SCREE, Piece.STEEP_HILL_CLIFF, Piece.CLEARING, Piece.FIELD, Piece.WOODLAND),
    *(Piece.STREAM, Piece.CREEK, Piece.FENCED_ROAD, Piece.SUNKEN_LANE, Piece.FARM),
)

_HOUSE_WORDS: Final = ("acw.piece.settlement", "acw.piece.farm", "acw.piece.town")


def key_pages(handout: HandoutContext, *, origin: str = "") -> tuple[Page, ...]:
    """Return the feature key as pages: every feature of the rules, sized for this table (AC-A03).

    Args:
        handout: the record and its print settings.
        origin: the text of the footer; by default that of the record.

    Raises:
        PageError: the paper is too small.
    """
    words, rules = handout.words, handout.rules
    grid = zone_grid(rules)
    profile = Inputs.read(Facts.from_record(handout.record, rules).inputs, grid).profile
    lines = build_key_lines(grid, rules, profile)
    width = (handout.page_size()[0] - GUTTER) / 2
    contents: list[Content] = [
        *(Paragraph(one("acw.key.how")) for one in words.each()),
        Columns(tuple(_build_entries(lines, width, handout))),
    ]
    subtitle = words("acw.key.subtitle", unit=LengthFormatter(words).said(grid.unit))
    return handout.build_pages(words("acw.key.title"), contents, subtitle=subtitle, origin=origin)


def log_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the zone log as pages (AC-A04); empty for a record without rolls.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    facts = Facts.from_record(handout.record, handout.rules)
    if not facts.zones:
        return ()
    return handout.build_pages(words("acw.log.title"), _build_log(facts, handout), subtitle=words("acw.log.subtitle"))


def piece_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the piece list as pages (AC-A07).

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    return handout.build_pages(
        words("acw.pieces.title"), _build_piece_lists(handout), subtitle=words("acw.pieces.subtitle")
    )


def _build_entries(lines: Iterable[KeyLine], width: float, handout: HandoutContext) -> Iterator[Figure]:
    """Yield each feature, then each crossing, with its symbol.

    ``width`` is the width of an entry, in mm on paper.
    """
    words, goings = handout.words, handout.system.goings()
    rows = [(line.sign, words(f"acw.piece.{line.piece.key}"), _describe_piece(line, handout)) for line in lines]
    for kind in CROSSINGS:
        crossing_texts = (words(f"acw.key.crossing.{kind}"), going_word(goings[kind.value], words))
        rows.append((kind.value, words(f"kind.{kind}"), crossing_texts))
    for sign, name, texts in rows:
        yield Figure(draw_entry(sign, name, texts, width, handout))


def draw_entry(
    sign: str, name: str, texts: Sequence[str], width: float, handout: HandoutContext, *, swatch: float = KEY_WIDTH
) -> Drawing:
    """Return the map symbol ``sign`` with its name and texts beside it, ``width`` mm wide on paper.

    ``swatch`` is the width of the symbol in mm.
    """
    drawing = sign_swatch(sign, swatch, handout.style, handout.words)
    return build_symbol_entry(drawing, name, texts, width, handout.style)


def _describe_piece(line: KeyLine, handout: HandoutContext) -> tuple[str, ...]:
    """Return the size, the going and the effect on sight of a piece, each as a text."""
    words, view = handout.words, f"acw.key.view.{line.measure.view}"
    geography = Facts.from_record(handout.record, handout.rules).geography
    going = join_languages(words, lambda one: _format_going(line, handout.rules, one, geography))
    return _format_size(line, words), going, words(view) if words.has(view) else line.measure.view


def _format_size(line: KeyLine, words: Words) -> str:
    """Return length by width of a piece, or one of them, and the range of factors for the size.

    The text has the languages of ``words``. The factors are left out if both are equal.
    """
    measures, measure = LengthFormatter(words), line.measure
    if line.short:
        size = measures.format_size_inline(line.long, line.short)
    elif line.long:
        size = words("acw.key.long", size=measures.said(line.long))
    else:
        size = words("acw.key.wide", size=measures.said(line.width))
    if measure.least == measure.most:
        return size
    point = words.each()[0]("leaflets.decimal")
    least, most = (f"{factor:g}".replace(".", point) for factor in (measure.least, measure.most))
    return f"{size}; {words.each()[0]('acw.key.factor', least=least, most=most)}"


def _format_going(line: KeyLine, rules: Rules, words: Words, geography: str = "") -> str:
    """Return the going of a piece in one language, with a note if it has one.

    ``geography`` is the name of the local geography, or empty if it is unknown.
    """
    going_text = going_word(line.measure.going.name, words)
    if line.piece not in _PIECES_WITH_NOTE:
        return going_text
    key = f"acw.key.note.{line.piece.key}"
    if line.piece is Piece.CLEARING:
        # If the geography is not known yet, the note states the rule for each geography.
        reading = clearing_reading(rules, geography)
        is_belt = geography and reading == "belt"
        key = f"{key}.{'belt-everywhere' if is_belt else reading if geography else rules.choice('ac-q16')}"
    return words("acw.key.going", going=going_text, note=words(key))


def _build_log(facts: Facts, handout: HandoutContext) -> Iterator[Content]:
    """Yield the zone log: the facts of the battle, the rolls of all zones, and notes."""
    words = handout.words
    yield Table(rows=tuple(_list_facts(facts, handout)), shares=_FACTS)
    starts = [True, *(line.zone != last.zone for last, line in pairwise(facts.zones))]
    rows = [
        (f"**{line.zone}**" if first else "", *_build_row(line, words))
        for line, first in zip(facts.zones, starts, strict=True)
    ]
    yield Table(rows=tuple(rows), head=head_row("log", words, *_LOG_HEAD), shares=_LOG_SHARES, aligns=_LOG_ALIGNS)
    for one in words.each():
        lost_texts = [_describe_lost(line, one) for line in facts.zones if line.no_room]
        if lost_texts:
            yield Paragraph(one("acw.log.lost", pieces="; ".join(lost_texts)))
        yield Paragraph(one("acw.log.notes"), "note")


def _list_facts(facts: Facts, handout: HandoutContext) -> Iterator[tuple[str, str]]:
    """Yield pairs of name and value as text: State, geography, water, creek, and the dice rolled for the zones.

    Facts that the record does not have are left out.
    """
    words, record = handout.words, handout.record
    die = next((throw.answer for throw in record.log if throw.stage == "geography" and throw.asked == "d6"), "")
    region_name = _region_name(facts.state, handout)
    if region_name:
        yield words("acw.log.state"), region_name
    if words.has(f"acw.geography.{facts.geography}"):
        geography_name = words(f"acw.geography.{facts.geography}")
        yield (
            words("acw.log.geography"),
            words("acw.log.die-of", name=geography_name, die=die) if die else geography_name,
        )
    water = facts.edge_water
    if water is not None:

        def format_water(language_words: Words) -> str:
            """Return the text for the water along an edge in one language."""
            return language_words(
                "acw.log.along",
                piece=language_words(f"acw.piece.{water.piece.key}"),
                side=language_words(f"acw.side.{water.edge}"),
            )

        yield words("acw.log.water"), join_languages(words, format_water)
    if facts.creek is not None:
        yield words("acw.log.creek"), join_languages(words, partial(describe_creek, facts.creek))
    count = sum(line.die is not None for line in facts.zones)
    zones = len(zone_grid(handout.rules).zones)

    def format_dice(language_words: Words) -> str:
        """Return the text for the number of dice and zones in one language."""
        values = {
            "dice": language_words("acw.log.thrown", count=count),
            "zones": language_words("acw.form.zones", count=zones),
        }
        return language_words("acw.log.dice-of", **values)

    yield words("acw.log.dice"), join_languages(words, format_dice)


def describe_creek(creek: CreekPath, words: Words) -> str:
    """Return a text that says where a creek crosses the table."""
    sides = {"entry": words(f"acw.side.{creek.entry}"), "exit": words(f"acw.side.{creek.exit}")}
    return words("acw.log.crosses", first=creek.path[0], last=creek.path[-1], **sides)


def _region_name(name: str, handout: HandoutContext) -> str:
    """Return the translated name of a State; a name that is not in the State table is unchanged."""
    rows = handout.system.book.own("states")
    clause = next((row.need("clause", str) for row in rows if row.need("row", str) == name), "")
    return handout.words(f"acw.region.{clause[3:]}") if clause else name


def _build_row(line: RecordedRoll, words: Words) -> tuple[str, ...]:
    """Return the cells of a roll in the zone log, without its zone, in the order of the head.

    They are the roll, the die, the result, the decision, and marks for ignored and for no room. A dash stands for
    nothing.
    """
    key = f"acw.cards.roll.{line.roll}"
    return (
        words.each()[0](key) if words.has(key) else "–",
        str(line.die) if line.die is not None else "–",
        _format_cell(line, words),
        join_languages(words, lambda one: _format_decision(line, one)),
        words("acw.log.mark") if line.fate is RollOutcome.IGNORED else "",
        words("acw.log.mark") if line.no_room else "",
    )


def _format_cell(line: RecordedRoll, words: Words) -> str:
    """Return the text for the cell of a roll, or for its piece if that was known; a dash for a blank."""
    if line.fate is RollOutcome.BLANK:
        return "–"
    is_known = line.cell in (STOP, CHOICE, *Piece)
    return format_cell(line.cell if is_known else line.piece or BLANK, words)


def _format_decision(line: RecordedRoll, words: Words) -> str:
    """Return the text for the decision on a roll in one language; empty for an ordinary roll."""
    outcome = "named" if line.fate is RollOutcome.GIVEN and line.name else line.fate.value
    key = f"acw.log.fate.{outcome}"
    if not words.has(key):
        return ""
    piece = words(f"acw.piece.{line.piece.key}").lower() if line.piece is not None else ""
    return words(key, piece=piece, name=line.name)


def _describe_lost(line: RecordedRoll, words: Words) -> str:
    """Return the text for a rolled piece without room, and the positions that were tried."""
    assert line.piece is not None
    piece, attempts = words(f"acw.piece.{line.piece.key}").lower(), ThrowText(words).tell(line.no_room)
    return words("acw.log.lost-one", piece=piece, zone=line.zone, tried=attempts)


def _build_piece_lists(handout: HandoutContext) -> Iterator[Content]:
    """Yield the lists of areas, of lengths and of crossings that a record needs.

    Each is a heading and a table; lists without entries are left out.
    """
    words = handout.words
    models = build_piece_list(handout.record, handout.rules)
    if not (models.areas or models.courses):
        yield Paragraph(words("acw.pieces.nothing"))
    if models.areas:
        yield Heading(words("acw.pieces.areas"), remark=words("acw.pieces.areas-aside"))
        areas = tuple((*_count_row(model, words), _format_sizes(model, words)) for model in models.areas)
        head = head_row("pieces", words, "what", "count", "zones", "size")
        yield Table(rows=areas, head=head, shares=_AREA_SHARES, aligns=_AREA_ALIGNS)
    if any(model.word in _HOUSE_WORDS for model in models.areas):
        numbers = ("settlement_min", "settlement_max", "farm_min", "farm_max", "town_min", "town_max")
        counts = {name: handout.rules.whole(f"houses_{name}") for name in numbers}
        yield Paragraph(words("acw.pieces.houses", **counts), "note")
    if models.courses:
        yield Heading(words("acw.pieces.lengths"), remark=words("acw.pieces.lengths-aside"))
        lengths = tuple(row for courses in models.courses for row in _build_course_rows(courses, words))
        head = head_row("pieces", words, "what", "stretches", "length", "width")
        yield Table(rows=lengths, head=head, shares=_LENGTH_SHARES, aligns=_LENGTH_ALIGNS)
    if models.crossings:
        yield Heading(words("acw.pieces.crossings"))
        crossings = tuple(_count_row(model, words) for model in models.crossings)
        head = head_row("pieces", words, "what", "count", "zones")
        yield Table(rows=crossings, head=head, shares=_AREA_SHARES[:3], aligns=_AREA_ALIGNS[:3])


def head_row(section: str, words: Words, *names: str) -> tuple[str, ...]:
    """Return the head of a table: the text for each name below ``acw.`` and the name of its section."""
    return tuple(words(f"acw.{section}.{name}") for name in names)


def _count_row(model: PieceModel, words: Words) -> tuple[str, str, str]:
    """Return the name of a model, its count, and its zones; a zone with several shows their number."""
    zones = Counter(model.zones)
    zone_texts = (str(zone) if zones[zone] == 1 else f"{zone} (× {zones[zone]})" for zone in sorted(zones))
    return words(model.word), f"**{model.count}**", ", ".join(zone_texts)


def _format_sizes(model: PieceModel, words: Words) -> str:
    """Return length by width of the smallest and the largest piece, compared by area, as text on two lines.

    Each line has one unit, and a dash between both sizes. If both are equal, the size is given only once.
    """
    measures = LengthFormatter(words)
    by_ground = sorted(model.sizes, key=lambda size: size[0] * size[1])
    least, most = (measures.format_size(*size) for size in (by_ground[0], by_ground[-1]))
    if least == most:
        return least
    return "\n".join(f"{low} – {high}" for low, high in zip(least.split("\n"), most.split("\n"), strict=True))


def _build_course_rows(courses: CourseTotal, words: Words) -> Iterator[tuple[str, ...]]:
    """Yield the row for the courses of a kind as text: name, count, length and width.

    A fenced road has a second row with its two fences.
    """
    measures = LengthFormatter(words)
    width = measures.format_one_line(courses.width)
    yield words(course_word(courses.kind)), str(courses.count), f"**{measures.format_one_line(courses.length)}**", width
    if courses.kind is Kind.FENCED_ROAD:
        yield (
            words("acw.pieces.fences"),
            str(2 * courses.count),
            f"**{measures.format_one_line(2 * courses.length)}**",
            "",
        )
