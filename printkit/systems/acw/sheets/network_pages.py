"""The network diagram of a table: roads, streams and railroad between marks, and their ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Align, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.forms.layout_plan import PlanMark, plan_scale
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content
from printkit.page.sheet import Page
from printkit.recipes.game.throw_text import join_languages
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.systems.acw.sheets import network_diagram
from printkit.systems.acw.sheets.net_plan import net_board, net_plan
from printkit.systems.acw.sheets.network_diagram import CoursePoint, NetworkDiagram, NetworkPassage
from printkit.systems.acw.sheets.pages import creek_said
from printkit.systems.acw.sheets.piece_list import course_word
from printkit.systems.acw.terms.facts import Facts, RecordedEnd, RecordedGraph
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Crossing, Kind
from printkit.terrain.field.transforms import with_beyond
from printkit.terrain.geometry.measure import direction

# Shares of the page height for the diagram; the first that puts everything on one page is used.
_ROOMS: Final = (0.60, 0.50, 0.42)

# A crossing this near to a course is turned to the course, in mm; also the chord that gives the direction there.
_REACH: Final = 40.0

_ALIGNS: Final[tuple[Align, ...]] = ("left", "left", "left", "right", "right")
_SHARES: Final = (0.7, 2.2, 3.0, 2.1, 2.1)
_PASSED: Final = (0.7, 1.8, 0.6, 3.0, 2.1, 2.1)
_GRAPH: Final = (2.0, 2.3, 4.4)


def network_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the network diagram as pages (AC-A08): one page if the diagram does not become too small.

    Otherwise the lists start below the diagram and continue on the next page.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    letters = {net: words.each()[0](f"acw.network.letter.{net}") for net in network_diagram.CLASSES}
    found = network_diagram.diagram(handout.record, handout.rules, letters)
    made = []
    for scale in dict.fromkeys(_scale(found, handout, room) for room in _ROOMS):
        contents, subtitle = _contents(found, handout, scale), words("acw.network.subtitle")
        title = words("acw.network.title")
        made.append(handout.build_pages(title, contents, subtitle=subtitle, level=False, has_check_bar=True))
        if len(made[-1]) == 1:
            return made[-1]
    return made[0]


def _scale(found: NetworkDiagram, handout: HandoutContext, room: float) -> float:
    """Return the scale at which the diagram takes the share ``room`` of the page height."""
    board = _shown(found, handout).board
    width, height = handout.page_size(has_check_bar=True)
    return plan_scale(board.width, board.depth, width, room * height)


def _contents(found: NetworkDiagram, handout: HandoutContext, scale: float) -> Iterator[Content]:
    words = handout.words
    if not found.strands:
        yield Paragraph(words("acw.network.none"))
        return
    for one in words.each():
        yield Paragraph(one("acw.network.how"))
    yield Figure(_plan(found, handout, scale))
    yield from _graph(handout)
    yield from _crossings(found, words)
    yield from _marks(found, words)


def _shown(found: NetworkDiagram, handout: HandoutContext) -> Battlefield:
    """Return the battlefield of the diagram, with any water outside the table."""
    courses = tuple(strand.course for strand in found.strands)
    crossings = tuple(_turned(passage.crossing, found) for passage in found.passages)
    board = handout.record.battlefield.board
    return with_beyond(Battlefield(board=board, features=(*found.areas, *courses, *crossings)))


def _plan(found: NetworkDiagram, handout: HandoutContext, scale: float) -> Drawing:
    """Return the diagram, drawn with the symbols of the map."""
    field = _shown(found, handout)
    drawing = net_board(field, handout.map_drafter(scale))
    zones = [Rect(*found.grid.box(zone)) for zone in found.grid.zones]
    marks = [PlanMark(mark.knot.name, mark.knot.x, mark.knot.y) for mark in found.marks]
    letter = handout.words.each()[0]("acw.network.letter.crossings")
    for number, passage in enumerate(found.passages, 1):
        marks.append(PlanMark(f"{letter}{number}", passage.crossing.at.x, passage.crossing.at.y))
    return net_plan(drawing, zones, marks, scale=scale, style=handout.style, beyond=field.board.beyond)


def _turned(crossing: Crossing, found: NetworkDiagram) -> Crossing:
    """Return a crossing with the bearing of the straight line of its road or railroad."""
    for strand in found.strands:
        line = strand.course.line
        if strand.course.id == crossing.way and line.distance(crossing.at) < _REACH:
            return replace(crossing, bearing=direction(line, line.project(crossing.at), _REACH))
    return crossing


def _graph(handout: HandoutContext) -> Iterator[Content]:
    """Yield the list of joined zones and ends for each network; nothing without a network."""
    words, facts = handout.words, Facts.of(handout.record, handout.rules)
    graph, creek, rows = facts.network, facts.creek, []
    for net in network_diagram.CLASSES:
        paths = "; ".join("–".join(map(str, path)) for path in graph.links(net))
        told = join_languages(words, partial(_ends, graph, net))
        if paths or told:
            rows.append((f"**{words(f'acw.network.net.{net}')}**", paths or "–", told or "–"))
    if creek is not None:
        said = join_languages(words, partial(creek_said, creek))
        rows.append((f"**{words('acw.network.creek')}**", "–".join(map(str, creek.path)), said))
    if graph.swamps:
        said = "; ".join(f"{first}–{second}" for first, second in graph.swamps)
        rows.append((f"**{words('acw.network.swamps')}**", said, ""))
    if rows:
        yield Heading(words("acw.network.graph"))
        yield Table(rows=tuple(rows), head=_head(words, "nets", "links", "ends"), shares=_GRAPH)


def _head(words: Words, *names: str) -> tuple[str, ...]:
    return tuple(words(f"acw.network.{name}") for name in names)


def _ends(graph: RecordedGraph, net: str, words: Words) -> str:
    if net != "streams":
        return "; ".join(end_said(told, words) for told in graph.ends(net))
    kinds = (("mouth", "mouths"), ("source", "sources"))
    ends = ((key, end_said(told, words)) for key, which in kinds for told in graph.ends(net, which))
    return "; ".join(words(f"acw.network.{key}", end=end) for key, end in ends)


def end_said(told: RecordedEnd, words: Words) -> str:
    """Return a text for the end of a course: its zone, its target, and the zones between."""
    values: dict[str, object] = {"zone": told.zone}
    if told.side is not None:
        values["side"] = words(f"acw.side.{told.side}")
    if told.at is not None:
        values["at"] = told.at
    if told.piece is not None:
        values["piece"] = words(f"acw.piece.{told.piece.key}").lower()
    key = told.to if told.at is None or told.at != told.zone else f"{told.to}-here"
    said = words(f"acw.network.end.{key}", **values)
    return words("acw.network.end.via", end=said, via=", ".join(map(str, told.via))) if told.via else said


def _crossings(found: NetworkDiagram, words: Words) -> Iterator[Content]:
    said, letter = LengthFormatter(words), words.each()[0]("acw.network.letter.crossings")
    rows = []
    for number, passage in enumerate(found.passages, 1):
        crossing, passing = passage.crossing, join_languages(words, partial(_passing, passage))
        first = (f"**{letter}{number}**", words(f"kind.{crossing.kind}"), str(passage.zone), passing)
        rows.append((*first, said.format_one_line(crossing.at.x), said.format_one_line(crossing.at.y)))
    if rows:
        head = _head(words, "mark", "crossing", "zone", "passing", "left", "near")
        yield Heading(words("acw.network.crossings"))
        yield Table(rows=tuple(rows), head=head, shares=_PASSED, aligns=("left", *_ALIGNS))


def _passing(passage: NetworkPassage, words: Words) -> str:
    if passage.over is None or passage.under is None:
        return ""
    key = "meets" if passage.crossing.kind is Kind.JUNCTION else "passes"
    under = words(course_word(passage.under)).lower()
    return words(f"acw.network.{key}", over=words(course_word(passage.over)), under=under)


def _marks(found: NetworkDiagram, words: Words) -> Iterator[Content]:
    said = LengthFormatter(words)
    rows = []
    for mark in found.marks:
        knot, what = (
            mark.knot,
            (join_languages(words, partial(_kinds, mark)), join_languages(words, partial(_where, mark.knot))),
        )
        rows.append((f"**{knot.name}**", *what, said.format_one_line(knot.x), said.format_one_line(knot.y)))
    yield Heading(words("acw.network.marks"), remark=words("acw.network.marks-aside"))
    head = _head(words, "mark", "what", "where", "left", "near")
    yield Table(rows=tuple(rows), head=head, shares=_SHARES, aligns=_ALIGNS)


def _kinds(mark: network_diagram.NetworkMark, words: Words) -> str:
    """Return the kinds of courses at a mark, for example ``Fenced road, road``."""
    first, *others = (words(course_word(kind)) for kind in mark.kinds)
    return ", ".join((first, *(other.lower() for other in others)))


def _where(knot: CoursePoint, words: Words) -> str:
    if knot.edge is not None:
        return words("acw.network.at-edge", zone=knot.zones[0], side=words(f"acw.side.{knot.edge}"))
    if len(knot.zones) > 1:
        return words("acw.network.sides", first=knot.zones[0], second=knot.zones[1])
    return words("acw.network.inside", zone=knot.zones[0])
