"""The page that shows the columns of both armies at scale, on the board and beside it (CC-O08)."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Heading, Paragraph
from printkit.core.words import BETWEEN
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content, Leaflet
from printkit.drawing.text.sheet_desk import SheetDesk
from printkit.page.overview import ratio
from printkit.page.sheet import Page
from printkit.recipes.output.handout import Handout
from printkit.systems.collision.march.columns import BAGGAGE, COLUMNS, Army, Role
from printkit.systems.collision.march.lengths import depth_of
from printkit.systems.collision.march.readings import Readings
from printkit.systems.collision.march.side_facts import SideFacts
from printkit.systems.collision.march.troops import read_troops
from printkit.systems.collision.sheets.column_picture import Edge, March, Piece, column_picture

_TOKENS: Final = {Role.DEFENDER: "side-red", Role.ATTACKER: "side-blue"}
_ASIDE: Final = {1: -1.0, 2: 1.0, 3: 5.0}
"""How far from the centre line the columns are drawn, in base widths: the first two side by side within the strip."""


def picture_pages(sides: tuple[SideFacts, ...], handout: Handout) -> tuple[Page, ...]:
    """Return the columns of the sides that have an army, as they stand at the start; no page without any.

    Raises:
        PageError: the paper is too small.
    """
    there = [(side.role, side.army) for side in sides if side.army is not None]
    if not there:
        return ()
    words, desk = handout.words, SheetDesk(style=handout.style, words=handout.words)
    board = handout.record.battlefield.board
    base, numbers = board.scale.base_width, handout.system.book.numbers
    width = handout.size()[0]
    contents: list[Content] = []
    for role, army in there:
        edge = Edge(
            side=board.width / base,
            base_width=base,
            aside=numbers["column_box_bw_aside"],
            deep=numbers["column_box_bw_deep"],
            name=BETWEEN.join(one(f"columns.map.{role.value}") for one in words.each()),
            token=_TOKENS[role],
        )
        marches = _marches(army, edge, Readings(handout.record.settings))
        contents.append(Heading(army.name, aside=words(f"columns.role.{role.value}")))
        contents.append(Figure(column_picture(edge, marches, width, desk)))
    title = words("columns.picture.title")
    scale = ratio(width / board.width)
    several = words.each() if len(words.languages) > 1 else ()
    notes = tuple(Paragraph(one("columns.picture.how", scale=scale), "note") for one in several)
    leaflet = Leaflet(
        title=title,
        subtitle=words("columns.picture.how", scale=scale) if len(words.languages) == 1 else "",
        contents=(*contents, *notes),
        origin=words("handouts.origin", title=handout.title, rules=handout.system.book.title),
    )
    return handout.pages(leaflet, bookmark=title)


def _marches(army: Army, edge: Edge, readings: Readings) -> tuple[March, ...]:
    """Return the columns: the first as far in as it may be, the lead of the second on the board, the third off."""
    troops = read_troops()
    kinds = {element.id: element.type for element in army.elements}
    found = []
    for number in COLUMNS:
        names = army.column(number)
        pieces = tuple(
            Piece(
                text=name if name == BAGGAGE else f"{name} {kinds[name]}",
                depth=depth_of(army, name, troops, readings, edge.base_width),
                baggage=name == BAGGAGE,
            )
            for name in names
        )
        lead = pieces[0].depth / edge.base_width if pieces else 0.0
        front = {1: edge.deep, 2: lead, 3: 0.0}[number]
        found.append(March(number=number, middle=edge.side / 2 + _ASIDE[number], front=front, pieces=pieces))
    return tuple(found)
