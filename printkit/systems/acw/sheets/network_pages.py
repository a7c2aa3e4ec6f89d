"""The network diagram of a table: roads, streams and railroad between marks, and their ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Align, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.map.layout_plan import PlanMark, plan_scale
from printkit.drawing.text.leaflet import Content, Figure
from printkit.page.sheet import Page
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.systems.acw.sheets import network_diagram
from printkit.systems.acw.sheets.network_diagram import CoursePoint, NetworkDiagram, NetworkPassage
from printkit.systems.acw.sheets.network_plan import draw_network, draw_network_plan
from printkit.systems.acw.sheets.pages import describe_creek, head_row
from printkit.systems.acw.sheets.piece_list import course_word
from printkit.systems.acw.terms.facts import Facts, RecordedEnd, RecordedGraph
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Crossing, Kind
from printkit.terrain.field.transforms import extend_board
from printkit.terrain.geometry.measure import line_bearing

# Shares of the page height for the diagram; the first that puts everything on one page is used.
_HEIGHT_SHARES: Final = (0.60, 0.50, 0.42)

# A crossing this near to a course is turned to the course, in mm; also the chord that gives the direction there.
_REACH: Final = 40.0

_ALIGNS: Final[tuple[Align, ...]] = ("left", "left", "left", "right", "right")
_SHARES: Final = (0.7, 2.2, 3.0, 2.1, 2.1)
_CROSSING_SHARES: Final = (0.7, 1.8, 0.6, 3.0, 2.1, 2.1)
_GRAPH_SHARES: Final = (2.0, 2.3, 4.4)


def network_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the network diagram as pages (AC-A08): one page if the diagram does not become too small.

    Otherwise the lists start below the diagram and continue on the next page.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    letters = {net: words.each()[0](f"acw.network.letter.{net}") for net in network_diagram.CLASSES}
    diagram = network_diagram.build_diagram(handout.record, handout.rules, letters)
    board = _build_battlefield(diagram, handout).board
    width, height = handout.page_size(has_check_bar=True)
    scales = (plan_scale(board.width, board.depth, width, share * height) for share in _HEIGHT_SHARES)
    versions = []
    for scale in dict.fromkeys(scales):
        contents, subtitle = _build_contents(diagram, handout, scale), words("acw.network.subtitle")
        title = words("acw.network.title")
        versions.append(handout.build_pages(title, contents, subtitle=subtitle, level=False, has_check_bar=True))
        if len(versions[-1]) == 1:
            return versions[-1]
    return versions[0]


def _build_contents(diagram: NetworkDiagram, handout: HandoutContext, scale: float) -> Iterator[Content]:
    """Yield the diagram and its lists; ``scale`` is in printed mm per mm of the board.

    Without a network it is one paragraph that says so.
    """
    words = handout.words
    if not diagram.strands:
        yield Paragraph(words("acw.network.none"))
        return
    for one in words.each():
        yield Paragraph(one("acw.network.how"))
    yield Figure(_draw_plan(diagram, handout, scale))
    yield from _build_graph_table(handout)
    yield from _build_crossing_table(diagram, words)
    yield from _build_mark_table(diagram, words)


def _build_battlefield(diagram: NetworkDiagram, handout: HandoutContext) -> Battlefield:
    """Return the battlefield of the diagram in mm of the board, with any water outside the table."""
    courses = tuple(strand.course for strand in diagram.strands)
    crossings = tuple(_align_crossing(passage.crossing, diagram) for passage in diagram.passages)
    board = handout.record.battlefield.board
    return extend_board(Battlefield(board=board, features=(*diagram.areas, *courses, *crossings)))


def _draw_plan(diagram: NetworkDiagram, handout: HandoutContext, scale: float) -> Drawing:
    """Return the diagram with the symbols of the map; ``scale`` is in printed mm per mm of the board.

    Its size is in printed mm. Crossings are numbered from 1.
    """
    field = _build_battlefield(diagram, handout)
    drawing = draw_network(field, handout.map_drafter(scale))
    zones = [Rect(*diagram.grid.box(zone)) for zone in diagram.grid.zones]
    marks = [PlanMark(mark.point.name, mark.point.x, mark.point.y) for mark in diagram.marks]
    letter = handout.words.each()[0]("acw.network.letter.crossings")
    for number, passage in enumerate(diagram.passages, 1):
        marks.append(PlanMark(f"{letter}{number}", passage.crossing.at.x, passage.crossing.at.y))
    return draw_network_plan(
        drawing, zones, marks, scale=scale, style=handout.style, outer_margins=field.board.outer_margins
    )


def _align_crossing(crossing: Crossing, diagram: NetworkDiagram) -> Crossing:
    """Return a crossing with the bearing of the straight line of its road or railroad.

    It is unchanged if no such line is within 40 mm on the board.
    """
    for strand in diagram.strands:
        line = strand.course.line
        if strand.course.id == crossing.route and line.distance(crossing.at) < _REACH:
            return replace(crossing, bearing=line_bearing(line, line.project(crossing.at), _REACH))
    return crossing


def _build_graph_table(handout: HandoutContext) -> Iterator[Content]:
    """Yield the list of joined zones and ends for each network; nothing without a network.

    They are a heading and a table with a row for each network, the creek and the joined swamps.
    """
    words, facts = handout.words, Facts.from_record(handout.record, handout.rules)
    graph, creek, rows = facts.network, facts.creek, []
    for net in network_diagram.CLASSES:
        paths = "; ".join("–".join(map(str, path)) for path in graph.links(net))
        ends_text = join_languages(words, partial(_format_ends, graph, net))
        if paths or ends_text:
            rows.append((f"**{words(f'acw.network.net.{net}')}**", paths or "–", ends_text or "–"))
    if creek is not None:
        text = join_languages(words, partial(describe_creek, creek))
        rows.append((f"**{words('acw.network.creek')}**", "–".join(map(str, creek.path)), text))
    if graph.swamps:
        text = "; ".join(f"{first}–{second}" for first, second in graph.swamps)
        rows.append((f"**{words('acw.network.swamps')}**", text, ""))
    if rows:
        yield Heading(words("acw.network.graph"))
        yield Table(rows=tuple(rows), head=head_row("network", words, "nets", "links", "ends"), shares=_GRAPH_SHARES)


def _format_ends(graph: RecordedGraph, net: str, words: Words) -> str:
    """Return the ends of the network ``net`` in one text, separated by semicolons; "" without ends.

    For "streams" they are the mouths and then the sources, each with the word for it.
    """
    if net != "streams":
        return "; ".join(describe_end(recorded_end, words) for recorded_end in graph.ends(net))
    kinds = (("mouth", "mouths"), ("source", "sources"))
    ends = (
        (key, describe_end(recorded_end, words))
        for key, list_name in kinds
        for recorded_end in graph.ends(net, list_name)
    )
    return "; ".join(words(f"acw.network.{key}", end=end) for key, end in ends)


def describe_end(end: RecordedEnd, words: Words) -> str:
    """Return a text for the end of a course: its zone, its target, and the zones between."""
    values: dict[str, object] = {"zone": end.zone}
    if end.side is not None:
        values["side"] = words(f"acw.side.{end.side}")
    if end.at is not None:
        values["at"] = end.at
    if end.piece is not None:
        values["piece"] = words(f"acw.piece.{end.piece.key}").lower()
    key = end.target if end.at is None or end.at != end.zone else f"{end.target}-here"
    text = words(f"acw.network.end.{key}", **values)
    return words("acw.network.end.via", end=text, via=", ".join(map(str, end.via))) if end.via else text


def _build_crossing_table(diagram: NetworkDiagram, words: Words) -> Iterator[Content]:
    """Yield the list of fords, bridges, crossings and junctions; nothing without any.

    Crossings are numbered from 1; each has its distances from the left and near edge.
    """
    measures, letter = LengthFormatter(words), words.each()[0]("acw.network.letter.crossings")
    rows = []
    for number, passage in enumerate(diagram.passages, 1):
        crossing, passing = passage.crossing, join_languages(words, partial(_describe_passing, passage))
        first = (f"**{letter}{number}**", words(f"kind.{crossing.kind}"), str(passage.zone), passing)
        rows.append((*first, measures.format_one_line(crossing.at.x), measures.format_one_line(crossing.at.y)))
    if rows:
        head = head_row("network", words, "mark", "crossing", "zone", "passing", "left", "near")
        yield Heading(words("acw.network.crossings"))
        yield Table(rows=tuple(rows), head=head, shares=_CROSSING_SHARES, aligns=("left", *_ALIGNS))


def _describe_passing(passage: NetworkPassage, words: Words) -> str:
    """Return a text for the two courses of a crossing, or an empty text if one is unknown."""
    if passage.upper is None or passage.lower is None:
        return ""
    key = "meets" if passage.crossing.kind is Kind.JUNCTION else "passes"
    lower = words(course_word(passage.lower)).lower()
    return words(f"acw.network.{key}", over=words(course_word(passage.upper)), under=lower)


def _build_mark_table(diagram: NetworkDiagram, words: Words) -> Iterator[Content]:
    """Yield the list of marks, with their courses, positions and distances from the left and near edge.

    The heading and the header of the table also appear without marks.
    """
    measures = LengthFormatter(words)
    rows = []
    for mark in diagram.marks:
        point = mark.point
        texts = (
            join_languages(words, partial(_list_kinds, mark)),
            join_languages(words, partial(_describe_position, point)),
        )
        rows.append((f"**{point.name}**", *texts, measures.format_one_line(point.x), measures.format_one_line(point.y)))
    yield Heading(words("acw.network.marks"), remark=words("acw.network.marks-aside"))
    head = head_row("network", words, "mark", "what", "where", "left", "near")
    yield Table(rows=tuple(rows), head=head, shares=_SHARES, aligns=_ALIGNS)


def _list_kinds(mark: network_diagram.NetworkMark, words: Words) -> str:
    """Return the kinds of courses at a mark, for example ``Fenced road, road``."""
    first, *others = (words(course_word(kind)) for kind in mark.kinds)
    return ", ".join((first, *(other.lower() for other in others)))


def _describe_position(point: CoursePoint, words: Words) -> str:
    """Return a text for the position of a point: at an edge, between two zones, or inside a zone."""
    if point.edge is not None:
        return words("acw.network.at-edge", zone=point.zones[0], side=words(f"acw.side.{point.edge}"))
    if len(point.zones) > 1:
        return words("acw.network.sides", first=point.zones[0], second=point.zones[1])
    return words("acw.network.inside", zone=point.zones[0])
