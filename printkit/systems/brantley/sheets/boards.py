"""The public sheets of the card system: record form, and the board with its cards face down or revealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace

from printkit.content.cards import Deck
from printkit.content.prose import Align, Block, Bullets, Heading, Paragraph, Table, WriteLines
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Drawing, Item, Rect
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import WHITE, make_line
from printkit.drawing.cards.back import secret_back
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import card_layout, find_size
from printkit.drawing.map.layout_plan import ZONES, ZoneGrid
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.form_parts import FormField, TickBox, draw_fields
from printkit.drawing.text.leaflet import Content, Figure, Leaflet, SideFigure, running_footer
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, PLAYERS, HiddenZone
from printkit.systems.brantley.dealing.facts import HillDice, Seal, group_digits
from printkit.systems.brantley.dealing.game_rules import HILL_DICE
from printkit.systems.brantley.dealing.readers import HiddenBoard, RevealedGame, TurnedZone, numbers_line
from printkit.systems.brantley.sheets.card_board import (
    CardBoard,
    CardCell,
    CardPage,
    draw_board_page,
    plan_board_page,
    remove_text,
)
from printkit.systems.brantley.sheets.secret import column_heads, seal_blocks
from printkit.systems.brantley.sheets.zone_board import sides, who
from printkit.terrain.field.record import Record

# Space in mm below each card and below the board, on the hidden sheet and on the reveal sheet.
_HIDDEN_SPACE: Final = (11.5, 16.0)
_REVEAL_SPACE: Final = (19.0, 12.0)

# Factor for the space in large print.
_LARGE_PRINT_FACTOR: Final = 1.2

# Space in mm below each revealed card if every text is in two languages.
_TWO_LANGUAGES_MM: Final = 27.0

# Extra space in mm below the hidden board for large print in two languages.
_TWO_LANGUAGES_BELOW: Final = 5.0

_CENTRED: Final[tuple[Align, ...]] = ("middle",) * 13
_DICE_PER_ROW: Final = 2
_CELLS: Final = 3
_DICE_SHARES: Final = (0.6, 5.0, 0.9)
_DICE_ALIGNS: Final[tuple[Align, ...]] = ("middle", "left", "middle")
_SKETCH: Final = 92.0
_TURN_ROW: Final = 9.4
_BOX: Final = 8.6
# Boxes of a roll-off for each player: the first roll, and two more for equal scores.
_BOXES_PER_ROLL_OFF: Final = 3
_CROSSINGS_PER_ROAD: Final = 3
# Height of the name of an edge of the sketch, in mm.
_EDGE: Final = 6.0
_FAINT: Final = 0.62
_FAINT_LINE: Final = 0.08
_SHARES: Final = (1.0, 1.2, 1.0, 1.8)
_MIDDLE: Final[tuple[Align, ...]] = ("middle", "middle", "middle", "left")


def build_form_leaflet(width: float, drafter: Drafter, rules: Rules, seal: Seal | None) -> Leaflet:
    """Return the record form (BR-A04): eight turns, a sketch, and boxes for all dice.

    ``width`` is the width of the page inside its margins, in mm on paper. None as ``seal`` means a form without a game.
    The texts are in the languages of ``drafter``.
    """
    words = drafter.words
    turns = Table(
        rows=tuple((str(turn), "", "", "") for turn in range(1, CARDS_NEEDED)),
        head=column_heads("dealing.form.columns", words),
        shares=_SHARES,
        aligns=_MIDDLE,
        min_height=_TURN_ROW,
    )
    contents: list[Content] = list(seal_blocks(seal, words))
    contents.append(WriteLines(tuple(words(f"brantley.sheets.form.{name}") for name in ("names", "date"))))
    caption = words("brantley.sheets.form.sketch_aside", side=rules.whole("board_side"))
    sketch = Figure(_draw_sketch_grid(_SKETCH, drafter, rules), caption)
    contents.append(SideFigure(sketch, (Heading(words("dealing.form.turns")), turns), side="right"))
    contents.append(Heading(words("dealing.form.dice")))
    contents.append(Paragraph(words("brantley.sheets.form.again"), emphasis="note"))
    contents += (Figure(draw_fields(fields, width, drafter)) for fields in _list_dice(words, rules))
    return Leaflet(
        title=words("dealing.form.title"),
        subtitle=words("brantley.sheets.form.subtitle"),
        contents=tuple(contents),
        origin=origin_line(seal, words),
        who=who(words, drafter.style) if seal else (),
    )


def _list_dice(words: Words, rules: Rules) -> Iterator[tuple[FormField, ...]]:
    """Yield the fields with boxes for all dice, a group for each of BR-D1 to BR-D6.

    A roll-off has three boxes for each player, because equal scores are rolled again. The order of deployment has boxes
    only if ``rules`` roll it.
    """

    def text(key: str, **values: object) -> str:
        """Return a text of the form in every language."""
        return words(f"brantley.sheets.form.{key}", **values)

    box = TickBox(side=_BOX)
    roll_off = tuple(FormField(player, (box,) * _BOXES_PER_ROLL_OFF) for player in PLAYERS)
    count = FormField(text("count"), (box,))
    yield FormField(f"1  {text('first')}", ()), *roll_off
    hill_dice = ", ".join(text(die) for die in HILL_DICE)
    zones = (FormField(str(zone), (box,) * len(HILL_DICE)) for zone in ZONES)
    yield FormField(f"2  {text('hills')}: {hill_dice}", ()), *zones
    yield FormField(f"3  {text('rivers')}", ()), count, *roll_off
    yield FormField(f"4  {text('roads')}", ()), count, *roll_off
    crossings = (FormField(text("crossing", road=road), (box,) * _CROSSINGS_PER_ROAD) for road in (1, 2))
    yield FormField(f"5  {text('crossings')}", ()), *crossings
    if rules.choice("br-q19") == "thrown":
        yield FormField(f"6  {text('order')}", ()), *roll_off


def _draw_sketch_grid(side: float, drafter: Drafter, rules: Rules) -> Drawing:
    """Return a blank map, ``side`` mm wide and high on paper: a line for each inch, zones and edges.

    Space for the names of the edges, 6 mm each, is added above and below. Inches are those of the rules.
    """
    place = Rect(0.0, _EDGE, side, side)
    faint = drafter.style.solid("ink").mix(WHITE, _FAINT)
    inches = rules.whole("board_side")
    step = side / inches
    items: list[Item] = []
    for number in range(1, inches):
        offset = number * step
        items.append(make_line([(offset, _EDGE), (offset, _EDGE + side)], faint, _FAINT_LINE))
        items.append(make_line([(0.0, _EDGE + offset), (side, _EDGE + offset)], faint, _FAINT_LINE))
    grid = ZoneGrid(place=place)
    items += grid.lines(drafter, inner=0.45)
    items += grid.numbers(drafter, 8.0, inset=1.0)
    items += grid.edges(*sides(drafter.words), drafter, size_pt=9.0)
    return drawing_of(side, side + 2 * _EDGE, items)


def draw_hidden_board(
    facts: HiddenBoard, status: str, width: float, height: float, drafter: Drafter, record: Record | None = None
) -> CardPage:
    """Return the board with its cards face down (BR-A08).

    The backs have no text, so that they name no terrain.

    Args:
        facts: the public facts.
        status: the text below the board: how many cards are placed, and whose turn it is.
        width: the width of the page inside its margins, in mm on paper.
        height: its height in mm.
        drafter: style and words.
        record: the record of the game if it exists, for the names of the players.

    Raises:
        PageError: the paper is too small.
    """
    words = drafter.words
    foot = _page_footer(facts.seal, width, drafter, record)
    caption, below = (_space_mm(space, drafter) for space in _HIDDEN_SPACE)
    if drafter.style.least_pt and len(words.languages) > 1:
        below += _TWO_LANGUAGES_BELOW
    layout = plan_board_page(width, height, caption=caption, below=below, foot=foot.height)
    back = remove_text(secret_back(card_layout(layout.size, style=drafter.style, words=words)))
    cells = tuple(_make_hidden_cell(zone, facts, back, words) for zone in facts.zones)
    board = CardBoard(
        title=words("dealing.hidden.title"),
        subtitle=words("brantley.sheets.hidden.subtitle"),
        cells=cells,
        below=(*seal_blocks(facts.seal, words), Paragraph(status, "strong")),
        foot=foot,
    )
    return draw_board_page(board, width, height, layout, drafter)


def draw_reveal_board(
    facts: RevealedGame, width: float, height: float, drafter: Drafter, record: Record | None = None
) -> CardPage:
    """Return the board with its cards revealed, and the turn, dice and feature of each zone (BR-A09).

    ``width`` and ``height`` are those of the page inside its margins, in mm on paper. ``record`` is the record of the
    game, for the names of the players; None means the players as the rules seat them.

    Raises:
        PageError: the paper is too small.
    """
    words = drafter.words
    foot = _page_footer(facts.seal, width, drafter, record)
    caption = _space_mm(_REVEAL_SPACE[0] if len(words.languages) == 1 else _TWO_LANGUAGES_MM, drafter)
    layout = plan_board_page(
        width, height, caption=caption, below=_space_mm(_REVEAL_SPACE[1], drafter), foot=foot.height
    )
    fronts = _draw_fronts(facts.zones, drafter)
    cells = tuple(_make_revealed_cell(zone, fronts.get(zone.zone), words) for zone in facts.zones)
    board = CardBoard(
        title=words("dealing.reveal.title"),
        subtitle=SEPARATOR.join(filter(None, (facts.title, words("brantley.sheets.reveal.subtitle")))),
        cells=cells,
        below=seal_blocks(facts.seal, words),
        foot=foot,
    )
    return draw_board_page(board, width, height, layout, drafter)


def _page_footer(seal: Seal | None, width: float, drafter: Drafter, record: Record | None = None) -> Drawing:
    """Return the footer of a page with cards, ``width`` mm wide on paper: the deal's name, the players."""
    player_texts = who(drafter.words, drafter.style, record)
    return running_footer(origin_line(seal, drafter.words), "", width, drafter.style, player_texts)


def _space_mm(mm: float, drafter: Drafter) -> float:
    """Return a space for type in mm on paper: 1.2 times as large for large print."""
    return mm * (_LARGE_PRINT_FACTOR if drafter.style.least_pt else 1.0)


def build_reveal_contents(facts: RevealedGame, map_drawing: Drawing | None, words: Words) -> Iterator[Content]:
    """Yield the text after the cards of a reveal: courses, deployment, dice, pack and proof of the seal.

    ``map_drawing`` is a map to print next to the courses, or None. Parts that the facts do not have are left out.
    """
    blocks: list[Block] = []
    if facts.courses:
        blocks.append(Heading(words("dealing.reveal.courses")))
        course_texts = (
            f"**{course.name}:** {course.account}" if course.name else course.account for course in facts.courses
        )
        blocks.append(Bullets(tuple(course_texts)))
    blocks.append(Heading(words("dealing.reveal.order")))
    for first, second in zip(facts.order[::2], facts.order[1::2], strict=False):
        blocks.append(Paragraph(words("dealing.reveal.scores", a=first, b=second)))
    blocks.append(Paragraph(words("dealing.reveal.result", first=facts.deploys_first, second=facts.moves_first)))
    if map_drawing is None:
        yield from blocks
    else:
        yield SideFigure(Figure(map_drawing, words("brantley.sheets.reveal.map")), tuple(blocks), side="left")
    if facts.dice:
        yield Heading(words("dealing.reveal.dice"))
        yield _dice_table(facts.dice, words)
    yield from _dice_source(facts, words)
    if facts.pack:
        yield Heading(words("dealing.reveal.pack"))
        cards_per_row = len(_CENTRED)
        starts = range(0, len(facts.pack), cards_per_row)
        rows = tuple(tuple(facts.pack[start : start + cards_per_row]) for start in starts)
        yield Table(rows=rows, aligns=_CENTRED)
        yield Paragraph(words("brantley.sheets.reveal.codes"), emphasis="note")
    if facts.salt:
        yield from seal_blocks(facts.seal, words)
        yield Paragraph(words("dealing.reveal.salt", salt=facts.salt))
        yield Paragraph(words("dealing.reveal.proof"), emphasis="note")


def _dice_table(dice: Sequence[tuple[str, str]], words: Words) -> Table:
    """Return a table of all dice, each with its number from 1, its reason and its score, in order.

    Two dice are in a row, so that a page can end after any row. Each of ``dice`` is a reason and a score as text.
    """
    cells = [(str(number), *die) for number, die in enumerate(dice, 1)]
    cells += [("",) * _CELLS] * (-len(cells) % _DICE_PER_ROW)
    return Table(
        rows=tuple(
            tuple(chain.from_iterable(cells[first : first + _DICE_PER_ROW]))
            for first in range(0, len(cells), _DICE_PER_ROW)
        ),
        head=column_heads("dealing.reveal.dice_columns", words) * _DICE_PER_ROW,
        shares=_DICE_SHARES * _DICE_PER_ROW,
        aligns=_DICE_ALIGNS * _DICE_PER_ROW,
    )


def _dice_source(facts: RevealedGame, words: Words) -> Iterator[Block]:
    """Yield the source of the dice, numbers or a seed, and the settings that are not the default."""
    if facts.numbers:
        yield Paragraph(numbers_line(facts.numbers, words))
        yield Paragraph(words("dealing.reveal.stirred", seed=facts.seed))
    elif facts.seed is not None:
        yield Paragraph(words("dealing.reveal.seed", seed=facts.seed))
    settings = ", ".join(f"{name} {text}" for name, text in facts.settings)
    yield Paragraph(words("dealing.reveal.settings", settings=settings) if settings else words("dealing.reveal.usual"))


def origin_line(seal: Seal | None, words: Words) -> str:
    """Return the line with the name of a sealed game; empty without a seal."""
    return words("dealing.origin", game=seal.game) if seal else ""


def hidden_lines(zone: HiddenZone, blind: int | None, words: Words) -> tuple[str, str]:
    """Return two public lines about a zone: that its card is face down, and who placed it in which turn.

    Both are empty for an empty zone. ``blind`` is the zone of the ninth card, or None.
    """
    if zone.turn is not None:
        return words("dealing.face_down"), words("dealing.laid", player=zone.placed_by, turn=zone.turn)
    return (words("dealing.face_down"), words("dealing.blind")) if zone.zone == blind else ("", "")


def _make_hidden_cell(zone: HiddenZone, facts: HiddenBoard, back: Drawing, words: Words) -> CardCell:
    """Return the cell of a zone: its card face down if there is one, its player, its turn and the code of its line."""
    side = next((side for side in sides(words) if side.name == zone.placed_by), None)
    face_down_text, turn_text = hidden_lines(zone, facts.blind, words)
    lines = [turn_text or words("brantley.sheets.hidden.empty")]
    if zone.zone in facts.codes:
        number, code = facts.codes[zone.zone]
        lines.append(words.each()[0]("dealing.line_code", number=number, code=group_digits(code)))
    return CardCell(zone=zone.zone, card=back if face_down_text else None, side=side, lines=tuple(lines))


def _make_revealed_cell(zone: TurnedZone, front: Drawing | None, words: Words) -> CardCell:
    """Return the cell of a zone: its card, and below it the feature, the turn, the placer and the dice.

    ``front`` is the face of the card, or None for an empty place. Empty lines are left out.
    """
    side = next((side for side in sides(words) if side.name == zone.placed_by), None)
    turn_text = words("dealing.blind") if zone.is_blind else ""
    if zone.turn is not None:
        turn_text = words("dealing.laid", player=zone.placed_by, turn=zone.turn)
    placer_text = words("brantley.sheets.reveal.put_down", player=zone.turned_by) if zone.turned_by else ""
    lines = (zone.becomes, turn_text, placer_text, ", ".join(_dice_texts(zone.dice, words)))
    return CardCell(zone=zone.zone, card=front, side=side, lines=tuple(line for line in lines if line))


def _dice_texts(dice: HillDice | None, words: Words) -> Iterator[str]:
    """Yield the slope die and the woods die of a hill in words; nothing without dice."""
    if dice is None:
        return
    key = "slope" if dice.slope == dice.modified else "slope_counts"
    yield words(f"dealing.reveal.{key}", score=dice.slope, modified=dice.modified)
    if dice.woods is not None:
        yield words("dealing.reveal.woods", score=dice.woods)


def _draw_fronts(zones: tuple[TurnedZone, ...], drafter: Drafter) -> dict[int, Drawing]:
    """Return the card faces by zone, without the text that is too small to read on a reduced card.

    Zones without a card are left out. The faces have the default size of a card.
    """
    cards = {zone.zone: replace(zone.card, blocks=()) for zone in zones if zone.card is not None}
    deck = Deck(name="turned", title="", cards=tuple(cards.values()))
    card_faces = faces(deck, find_size(), style=drafter.style, words=drafter.words)
    return {zone: face.front for zone, face in zip(cards, card_faces, strict=True)}
