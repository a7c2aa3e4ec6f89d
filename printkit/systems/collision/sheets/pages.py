"""Pages about columns: column order, picture, PIP tracker, quick sheet (CC-A03, A05, A06, CC-O08, CC-K)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Align, Block, Heading, Paragraph, Table
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.text.leaflet import Content, Figure, Leaflet, NewPage
from printkit.kit.rules import Rules
from printkit.kit.sides import PlayerSide, titled
from printkit.page.leaflets import leaflet_sheets, print_leaflet, ratio
from printkit.page.sheet import Page
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.handout import HandoutContext
from printkit.systems.collision.judge.columns import column_facts
from printkit.systems.collision.march.column_text import said
from printkit.systems.collision.march.columns import BAGGAGE, COLUMNS, WAGON, Army, Contingent, Role, read_troops
from printkit.systems.collision.march.columns_check import EntryLength, column_sizes, depth_of, format_number
from printkit.systems.collision.march.decks import card_texts
from printkit.systems.collision.march.duties import BoardPresence, DutyRow, Landing, duty_rows, scores_of
from printkit.systems.collision.march.entry import Flag, Step, Target
from printkit.systems.collision.march.side_facts import SideFacts
from printkit.systems.collision.sheets.edge_map import ColumnEdge, ColumnElement, ColumnMarch, draw_column_edge
from printkit.systems.collision.sheets.forms import CellShade, Ledger, LedgerCell, draw_ledger, draw_quick_sheet
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.terrain.field.features import Kind

# --- The page with the columns of both armies to scale, on and off the board (CC-O08) ---------------------------------

# Offset of each column from the centre line, in base widths. The first two are side by side within the strip.
_ASIDE: Final = {1: -1.0, 2: 1.0, 3: 5.0}


def picture_pages(sides: tuple[SideFacts, ...], handout: HandoutContext) -> tuple[Page, ...]:
    """Return pages with the columns of each army to scale at the start of the game; none without armies.

    Raises:
        PageError: the paper is too small.
    """
    known_armies = [(side.role, side.army) for side in sides if side.army is not None]
    if not known_armies:
        return ()
    words, drafter = handout.words, handout.drafter
    board = handout.record.battlefield.board
    base, rules = board.scale.base_width, read_rules(handout.record, handout.system.book)
    width = handout.page_size()[0]
    contents: list[Content] = []
    for role, army in known_armies:
        edge = ColumnEdge(
            side=board.width / base,
            base_width=base,
            half_width=rules.number("column_box_bw_aside"),
            depth=rules.number("column_box_bw_deep"),
            name=SEPARATOR.join(one(f"columns.map.{role.value}") for one in words.each()),
            token=role.token,
        )
        marches = _build_marches(army, edge, rules)
        who = _find_side(role, handout)
        contents.append(Heading(army.name, remark=join_languages(words, partial(titled, replace(who, army="")))))
        contents.append(Figure(draw_column_edge(edge, marches, width, drafter)))
    scale = ratio(width / board.width)
    several = words.each() if len(words.languages) > 1 else ()
    notes = tuple(Paragraph(one("columns.picture.how", scale=scale), "note") for one in several)
    how = words("columns.picture.how", scale=scale) if len(words.languages) == 1 else ""
    title = words("columns.picture.title")
    return handout.build_pages(title, (*contents, *notes), subtitle=how, origin=handout.game_line)


def _build_marches(army: Army, edge: ColumnEdge, rules: Rules) -> tuple[ColumnMarch, ...]:
    """Return the three columns of an army for a drawing, with their positions in base widths.

    Column 1 is as far inland as allowed, the first element of column 2 is on the board, and column 3 is off the board.
    """
    troops = read_troops(rules)
    kinds = {element.id: element.type for element in army.elements}
    marches = []
    for number in COLUMNS:
        names = army.column(number)
        pieces = tuple(
            ColumnElement(
                text=name if name == BAGGAGE else f"{name} {kinds[name]}",
                depth=depth_of(army, name, troops, rules),
                baggage=name == BAGGAGE,
            )
            for name in names
        )
        lead = pieces[0].depth / edge.base_width if pieces else 0.0
        front = {1: edge.depth, 2: lead, 3: 0.0}[number]
        marches.append(ColumnMarch(number=number, middle=edge.side / 2 + _ASIDE[number], front=front, pieces=pieces))
    return tuple(marches)


# --- The rows of the tracker: what is known of each bound, and what the rules fix in advance (CC-A06, CC-K) -----------

# Rows of a tracker (CC-A06).
BOUNDS: Final = 20

_LEDGER_SHARES: Final = (1.0, 0.9, 0.9, 1.1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0)
_SECOND: Final = 2
_STATES: Final = (BoardPresence.PARTLY, BoardPresence.ON)
_ALL: Final = (BoardPresence.OFF, BoardPresence.PARTLY, BoardPresence.ON)
_CLOSED: Final = LedgerCell(shade=CellShade.CLOSED)
_OPEN: Final = LedgerCell()


def tracker_ledger(side: SideFacts, words: Words) -> Ledger:
    """Return the PIP tracker of a side with twenty bounds.

    Without a log the boxes are empty. In the first bound column 2 is partly on and column 3 is off; only a landing
    brings column 3 on (CC-K01). With a log its bounds are filled in, and boxes of required PIPs have a frame.
    """
    lands = side.army is None or side.army.landing > 0
    steps_by_bound = {step.bound.number: step for step in side.steps}
    rows = tuple(
        _build_played_row(steps_by_bound[number]) if number in steps_by_bound else _build_open_row(number, lands=lands)
        for number in range(1, BOUNDS + 1)
    )

    def name(key: str, **values: object) -> str:
        """Return a heading of the tracker in every language."""
        return words(f"columns.track.{key}", **values)

    names = (
        *(name("bound"), name("pips")),
        *(name(f"tick-{flag.value}") for flag in Flag),
        *(name(f"tick-{state.value}") for state in (*_STATES, *_ALL)),
        *(name("spent-2"), name("spent-3"), name("spent-baggage"), name("left")),
    )
    groups = (
        ("", 2),
        (name("flag"), len(Flag)),
        (name("state", n=2), len(_STATES)),
        (name("state", n=3), len(_ALL)),
        (name("spent"), 4),
    )
    return Ledger(names=names, shares=_LEDGER_SHARES, groups=groups, rows=rows)


def _build_open_row(number: int, *, lands: bool) -> tuple[LedgerCell, ...]:
    """Return the cells of the row of a future bound in the tracker, with boxes to fill in.

    ``number`` is that of the bound, from 1; ``lands`` is True if column 3 may land.
    """
    if number == 1:
        return (
            *(LedgerCell(str(number)), _OPEN),
            *(LedgerCell(ticked=False) for _ in Flag),
            *(LedgerCell(ticked=True), _CLOSED),
            *(LedgerCell(ticked=True), _CLOSED, _CLOSED),
            *(_OPEN, _OPEN if lands else _CLOSED, _OPEN, _OPEN),
        )
    tick = LedgerCell(ticked=False)
    # At the start of the second bound, column 3 can only have landed.
    third = (tick, _CLOSED, tick if lands else _CLOSED) if number == _SECOND else (tick, tick, tick)
    return (LedgerCell(str(number)), _OPEN, *(tick,) * len(Flag), tick, tick, *third, *(_OPEN,) * 4)


def _build_played_row(step: Step) -> tuple[LedgerCell, ...]:
    """Return the cells of the row of a logged bound in the tracker: bound, score, ticked states, PIPs and rest.

    Boxes that the score required have a frame.
    """
    before = step.before
    first = before.bound == 1
    landing = step.pips.get(Target.LANDING, 0)
    second = step.pips.get(Target.COLUMN_2, 0)
    third = step.pips.get(Target.COLUMN_3, 0) + landing
    is_required = step.required_pips > step.duty.least_pips or step.duty.must == "enter" or step.duty.must == "move-3"
    is_closed = first and before.landing is not Landing.PLANNED and not third
    return (
        *(LedgerCell(str(before.bound)), LedgerCell(str(step.bound.score))),
        *(LedgerCell(ticked=step.flag is flag) for flag in Flag),
        *(LedgerCell(ticked=before.second is state) for state in _STATES),
        *(LedgerCell(ticked=before.third is state) for state in _ALL),
        LedgerCell(_pips_text(second), CellShade.OWED if step.duty.must.startswith("move-2") else CellShade.OPEN),
        LedgerCell(
            _pips_text(third), CellShade.CLOSED if is_closed else CellShade.OWED if is_required else CellShade.OPEN
        ),
        LedgerCell(_pips_text(step.pips.get(Target.BAGGAGE, 0))),
        LedgerCell(str(step.left_pips).replace("-", "−")),
    )


def _pips_text(pips: int) -> str:
    """Return a number of PIPs as text; empty for 0."""
    return str(pips) if pips else ""


_FACTS: Final = (1.5, 2.7, 1.5, 2.7)
_SHARES: Final = (0.9, 1.6, 1.2, 1.1, 2.4, 2.6)
_ALIGNS: Final[tuple[Align, ...]] = ("middle", "left", "left", "right", "left", "left")
_LEAST_ROW: Final = 7.4
_TRACK_SHARES: Final = (2.2, 1.9, 1.9, 0.8)
# A heading counts as this many letters of text in the balance of two columns.
_HEAD_LENGTH: Final = 120

_NOTES: Final = ("4", "6", "order", "1", "general")


def column_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return order sheet and tracker of each side, then pictures of the columns of known armies, then the quick sheet.

    A side without lists has blank sheets and no picture.

    Raises:
        PageError: the paper is too small.
        ScenarioError: an army, the log or a position of the record cannot be parsed.
    """
    return (*order_and_tracker_pages(handout), *quick_pages(handout))


def order_and_tracker_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return order sheets and trackers of both sides, and a picture of the columns of known armies.

    Raises:
        PageError: the paper is too small.
        ScenarioError: an army, the log or a position of the record cannot be parsed.
    """
    sides = column_facts(handout.record, handout.system.book)
    pages = [page for side in sides for page in (*order_pages(side, handout), *tracker_pages(side, handout))]
    return (*pages, *picture_pages(sides, handout))


def order_pages(side: SideFacts, handout: HandoutContext) -> tuple[Page, ...]:
    """Return the column order of one side: elements, lengths off the board, and the check (CC-A03).

    Raises:
        PageError: the paper is too small.
    """
    title = _side_title("columns.order.title", _find_side(side.role, handout), handout.words)
    return _fit_one_page(title, "columns.order.open", _build_order(side, handout), handout)


def tracker_pages(side: SideFacts, handout: HandoutContext) -> tuple[Page, ...]:
    """Return the tracker of one side: twenty bounds, with shading for the rules (CC-A06).

    It is one page with the notes.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    title = _side_title("columns.track.title", _find_side(side.role, handout), words)
    width, height = handout.page_size()
    drafter = handout.drafter
    rules = read_rules(handout.record, handout.system.book)
    notes = [note for one in words.each() for note in tracker_notes(one, rules)]
    has_plough = any(feature.kind is Kind.PLOUGH for feature in handout.record.battlefield.features)
    if has_plough and side.role is Role.ATTACKER:
        # The attacker moves first, and their first die decides about ploughed fields (D3-21).
        notes[:0] = [Paragraph(one("columns.track.note-plough"), "strong") for one in words.each()]
    notes += [Paragraph(one("columns.track.lost")) for one in words.each()]
    faults = tuple(Paragraph(fault.line(words), "strong") for fault in side.log_faults)
    last_error: PageError | None = None
    # The ledger takes the height that the notes leave: try smaller heights until all of it fits on one page.
    for share in _TRACKER_SHARES:
        drawing = draw_ledger(tracker_ledger(side, words), width, share * height, drafter)
        try:
            return _fit_one_page(title, "columns.track.how", (Figure(drawing), *faults, *notes), handout)
        except PageError as error:
            last_error = error
    assert last_error is not None
    raise last_error


def tracker_notes(words: Words, rules: Rules) -> tuple[Paragraph, ...]:
    """Return the notes below a tracker in one language: for a 4, a 6, a 1, and the general."""
    return tuple(Paragraph(words(f"columns.track.note-{note}", **said(rules, words))) for note in _NOTES)


_TRACKER_SHARES: Final = (0.74, 0.70, 0.66, 0.62, 0.57, 0.52)
_SIZES: Final = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0)


def quick_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the quick sheet: all card texts, the table, the labels; two languages side by side (CC-A05).

    It is one page, except in large print, where the languages follow each other.

    Raises:
        PageError: the paper is too small.
    """
    words, rules = handout.words, read_rules(handout.record, handout.system.book)
    width, height = handout.page_size()
    drafter = handout.drafter
    languages = words.each()
    if handout.style.least_pt:
        # Large print takes several pages, one language after the other.
        blocks = [block for one in languages for block in (*_card_blocks(one, rules), *below_cards(one, rules))]
        title, name = words("columns.sheet.title"), words("columns.sheet.bookmark")
        return handout.build_pages(title, blocks, bookmark=name, level=False)
    if len(languages) == 1:
        texts = tuple(_card_blocks(words, rules))
        below = below_cards(words, rules)
        drawing = draw_quick_sheet(
            words("columns.sheet.title"), split_cards(texts), width, height, drafter, below=below
        )
    else:
        columns = tuple((*_run_in_cards(one, rules), *_build_duty_table(one, rules)) for one in languages)
        drawing = draw_quick_sheet(words("columns.sheet.title"), columns, width, height, drafter)
    name = words("columns.sheet.bookmark")
    return leaflet_sheets([drawing], handout.sheet, words=words, bookmark=name, label=name)


def _card_blocks(words: Words, rules: Rules) -> Iterator[Block]:
    """Yield the heading and the text of each card."""
    for title, blocks in card_texts(words, rules):
        yield Heading(title)
        yield from blocks


def _run_in_cards(words: Words, rules: Rules) -> Iterator[Block]:
    """Yield each card as one paragraph that begins with its title, to save space."""
    for title, blocks in card_texts(words, rules):
        yield Paragraph(f"**{title}.** {' '.join(block.text for block in blocks)}")


def below_cards(words: Words, rules: Rules) -> tuple[Block, ...]:
    """Return the blocks below the cards of the quick sheet: the duty table, and the labels in one line."""
    labels = " · ".join(words(f"columns.sheet.{label}", **said(rules, words)) for label in _LABELS)
    return (*_build_duty_table(words, rules), Paragraph(labels, "note"))


def split_cards(blocks: tuple[Block, ...]) -> tuple[tuple[Block, ...], ...]:
    """Return the blocks in two groups of about the same length of text, split at a heading; the order stays.

    There must be at least two headings.
    """
    heads = [place for place, block in enumerate(blocks) if isinstance(block, Heading)]
    lengths = [len(block.text) if isinstance(block, Paragraph) else _HEAD_LENGTH for block in blocks]
    index = min(heads[1:], key=lambda place: abs(sum(lengths[:place]) - sum(lengths[place:])))
    return blocks[:index], blocks[index:]


def _build_duty_table(words: Words, rules: Rules) -> Iterator[Block]:
    """Yield the table of duties by score (CC-K01 to K11)."""
    yield Heading(words("columns.sheet.table"))
    rows = duty_rows(rules)
    lines = [_build_duty_row(row, rows, rules, words) for row in sorted(rows, key=lambda each: each.duty.row)]
    head = tuple(words(f"columns.sheet.{name}") for name in ("when", "may", "must", "least"))
    yield Table(rows=tuple(lines), head=head, shares=_TRACK_SHARES)


def _build_duty_row(row: DutyRow, rows: tuple[DutyRow, ...], rules: Rules, words: Words) -> tuple[str, ...]:
    """Return the cells for a row of the duty table: when it applies, may, must, and the least PIPs.

    ``rows`` are all rows of the table, which limit its scores.
    """
    low, high = scores_of(row, rows)
    scores = str(low) if low == high else f"{low}–{high}"
    values: dict[str, object] = {**said(rules, words), "low": low, "high": high, "scores": scores}
    values |= {"least": row.duty.least_pips, "done": row.duty.completed_least}
    least = str(row.duty.least_pips)
    if row.duty.completed_least:
        least = words("columns.row.or-done", **values)
    return (
        words(f"columns.row.{row.duty.row.removeprefix('CC-').lower()}.when", **values),
        words(f"columns.duty.may.{row.duty.may or 'none'}", **values),
        words(f"columns.duty.must.{row.duty.must or 'none'}", **values),
        least,
    )


_LABELS: Final = ("may-enter", "must-enter", "at-least-one", "not-yet", "out-of-range", "entry-point", "landing")


def _fit_one_page(title: str, how: str, contents: Iterable[Content], handout: HandoutContext) -> tuple[Page, ...]:
    """Return contents on one page in the largest type that fits; in large print on several pages.

    ``how`` is the subtitle if there is only one language.

    Raises:
        PageError: they do not fit in the smallest type.
    """
    words = handout.words
    subtitle = words(how) if len(words.languages) == 1 else ""
    leaflet = Leaflet(
        title=title, subtitle=subtitle, contents=tuple(contents), origin=handout.game_line, who=handout.who
    )
    for size in _SIZES:
        pages = print_leaflet(leaflet, handout.sheet, handout.style, words, bookmark=title, label=title, size_pt=size)
        if len(pages) == 1 or handout.style.least_pt:
            return pages
    sheet = handout.sheet.name
    raise PageError(
        "{bookmark} does not fit on one page of {sheet}; use larger paper or one language", bookmark=title, sheet=sheet
    )


def _side_title(key: str, who: PlayerSide, words: Words) -> str:
    """Return a title with the side's name, for each language.

    ``key`` is that of the title in the words.
    """
    return SEPARATOR.join(one(key, side=titled(who, one)) for one in words.each())


def _find_side(role: Role, handout: HandoutContext) -> PlayerSide:
    """Return the player's side that has a role."""
    return next(side for side in handout.sides if side.name == role.letter)


def _build_order(side: SideFacts, handout: HandoutContext) -> Iterator[Block | NewPage]:
    """Yield the content of an order sheet: facts of the army, its columns, their length, and the check.

    Without an army there are lines to write on.
    """
    words, army = handout.words, side.army
    yield Table(rows=tuple(_army_facts(side, words)), shares=_FACTS, min_height=_LEAST_ROW if army is None else 0.0)
    base, rules = handout.record.battlefield.board.scale.base_width, read_rules(handout.record, handout.system.book)
    lengths = {length.column: length for length in side.lengths}
    for number in COLUMNS:
        yield Heading(
            SEPARATOR.join(one("columns.sheet.column", n=number) for one in words.each()),
            number=str(number),
            remark=words(f"columns.sheet.{('on', 'partly', 'off')[number - 1]}"),
        )
        head = tuple(words(f"columns.sheet.{name}") for name in ("order", "element", "type", "depth", "whose", "marks"))
        cells = _blank_rows(number, rules) if army is None else tuple(_element_rows(army, number, handout))
        yield Table(
            rows=cells, head=head, shares=_SHARES, aligns=_ALIGNS, min_height=_LEAST_ROW if army is None else 0.0
        )
        if number in lengths:
            yield Paragraph(_length_text(lengths[number], words), "strong")
        elif army is None and number > 1:
            yield Paragraph(words("columns.sheet.not-known"))
    if army is None:
        yield from (Paragraph(one("columns.order.blank"), "note") for one in words.each())
        return
    total = plain_sum(length.mm for length in side.lengths)
    said = (
        each("columns.sheet.total", mm=format_number(total, each), bw=format_number(total / base, each))
        for each in words.each()
    )
    yield Paragraph(SEPARATOR.join(said))
    yield Heading(words("columns.check.title"))
    for fault in side.faults:
        yield Paragraph(fault.line(words), "plain" if fault.is_warning else "strong")
    if not side.faults:
        yield Paragraph(words("columns.check.legal"))


def _army_facts(side: SideFacts, words: Words) -> Iterator[tuple[str, ...]]:
    """Yield three rows of two labels and values: name, home, allies, city, landing and side of an army.

    Without an army the cells of its values are empty.
    """
    army = side.army

    def text(name: str) -> str:
        """Return a text of the order sheet."""
        return words(f"columns.order.{name}")

    values = ("",) * 5
    if army is not None:
        allies = (army.power(ally) for ally in army.used_allies)
        ally_names = ", ".join(
            f"{ally.name} ({words(f'columns.home.{ally.home}')})" if ally.home else ally.name for ally in allies
        )
        home, city = words(f"columns.home.{army.home}"), text("yes" if army.city else "no")
        values = (f"**{army.name}**", home, ally_names or "–", city, text("yes" if army.landing else "no"))
    name, home, ally_names, city, landing = values
    yield text("army"), name, text("home"), home
    yield text("allies"), ally_names, text("city"), city
    yield text("lands"), landing, text("side"), words(f"sides.role-title.{side.role.value}")


def _blank_rows(number: int, rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Return the empty rows of column ``number`` (1 to 3) on a blank order sheet, numbered (CC-P07).

    They are the most that the column may need, with baggage.
    """
    rows = max(column_sizes(rules, one_ally=one)[number - 1] for one in (False, True)) + (number > 1)
    return tuple((str(place), "", "", "", "", "") for place in range(1, rows + 1))


def _element_rows(army: Army, number: int, handout: HandoutContext) -> Iterator[tuple[str, ...]]:
    """Yield a row for each element of column ``number``: place, name, type, depth in mm, owner, mark.

    Cells are text; the place counts from 1.
    """
    words, rules = handout.words, read_rules(handout.record, handout.system.book)
    troops = read_troops(rules)
    elements_by_id = {element.id: element for element in army.elements}
    for place, name in enumerate(army.column(number), 1):
        depth = f"{format_number(depth_of(army, name, troops, rules), words)} mm"
        if name == BAGGAGE:
            yield str(place), f"**{BAGGAGE}**", f"({WAGON})", depth, "–", f"**{words('columns.sheet.baggage')}**"
            continue
        element = elements_by_id[name]
        whose = element.contingent
        if whose is Contingent.OWN:
            owner = words("columns.sheet.own")
        else:
            owner = f"{words('columns.sheet.ally', n=whose.value[-1])}: {army.power(whose).name}"
        mark = f"**{words('columns.sheet.general')}**" if element.general else ""
        yield str(place), f"**{name}**", element.type, depth, owner, mark


def _length_text(length: EntryLength, words: Words) -> str:
    """Return the length of a column off the board as text: mm at 1:1, base widths and moves (CC-S12)."""
    said = []
    for one in words.each():
        mm, widths = format_number(length.mm, one), format_number(round(length.widths, 2), one)
        said.append(one("columns.sheet.entry-length", mm=mm, bw=widths, count=length.moves))
    return SEPARATOR.join(said)
