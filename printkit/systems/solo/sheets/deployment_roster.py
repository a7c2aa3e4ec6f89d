"""The list that goes with a deployment map: who stands where, what a person has to settle, and what symbols mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from printkit.content.prose import Bullets, Heading, Paragraph, Table
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import Hand, fitted, line
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content, Leaflet
from printkit.drawing.text.setting import part
from printkit.page.sheet import Page
from printkit.recipes.output.handout import Handout
from printkit.systems.dba.elements.deployed_overlay import LINE, NPG, YOU, Standing
from printkit.systems.dba.elements.element_face import Face, element_face
from printkit.systems.solo.battle.battles import Case
from printkit.systems.solo.sheets.deployment_overlays import FOLLOWER, Armies
from printkit.systems.solo.tactics.battle_log import DEPLOY

_PLACES: Final = ("left", "centre", "right", "reserve", "landing", "garrison", "camp")
_SAMPLE: Final = 20.0
_CELL: Final = 58.0
_ROW: Final = 3.0
_NAME_PT: Final = 9.5
_LEADING: Final = 1.1


def roster_pages(case: Case, armies: Armies, handout: Handout) -> tuple[Page, ...]:
    """Return the list as pages.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    title = words("deployment.title")
    leaflet = Leaflet(
        title=title,
        subtitle=words("deployment.subtitle", npg=case.npg.name, you=case.you.name),
        contents=tuple(_contents(case, armies, handout)),
        origin=handout.origin,
    )
    return handout.pages(leaflet, bookmark=title)


def _contents(case: Case, armies: Armies, handout: Handout) -> Iterator[Content]:
    words, style = handout.words, handout.style
    yield Paragraph(_by_language(words, lambda one: _opening(case, one)))
    yield Heading(words("deployment.head.npg", name=case.npg.name))
    head = tuple(words(f"deployment.head.{name}") for name in ("group", "place", "elements"))
    yield Table(rows=tuple(_npg_rows(armies, words)), head=head, shares=(1.0, 2.2, 6.0))
    notes = tuple(_notes(case, words))
    if notes:
        yield Heading(words("deployment.notes"))
        yield Bullets(notes)
    yield Heading(words("deployment.head.you", name=case.you.name))
    yours = [each for each in armies.elements if each.side == YOU]
    if yours:
        rows = tuple(_your_rows(case, yours, words))
        yield Table(rows=rows, head=(words("deployment.head.elements"), words("deployment.head.where")))
    if armies.you_off:
        off = " ".join(armies.you_off)
        yield Paragraph(f"{words('deployment.off_you')}: {off}" if yours else words("deployment.none_you"))
    yield Heading(words("deployment.symbols"))
    yield Paragraph(words("deployment.symbols_how"))
    yield Figure(_symbols(armies.elements, handout.size()[0], words, style))


def _npg_rows(armies: Armies, words: Words) -> Iterator[tuple[str, str, str]]:
    ours = [each for each in armies.elements if each.side == NPG]
    for place in _PLACES:
        for group in sorted({each.group for each in ours if each.place == place}):
            there = [_code(each) for each in ours if (each.place, each.group) == (place, group)]
            yield str(group or "–"), words(f"deployment.place.{place}"), " ".join(there)
    if armies.npg_off:
        yield "–", words("deployment.off_npg"), " ".join(armies.npg_off)


def _your_rows(case: Case, yours: Sequence[Standing], words: Words) -> Iterator[tuple[str, str]]:
    for each, where in zip(yours, case.battle.your_line, strict=True):
        inch = words.each()[0]("unit.inch")
        yield _code(each), f"{where.from_left_in * MM_PER_INCH:.0f} mm ({where.from_left_in:g} {inch})"


def _opening(case: Case, words: Words) -> str:
    edge = words(f"npg.battle.place.{case.edge}")
    return words("deployment.attacks" if case.npg_attacks else "deployment.defends", edge=edge)


def _notes(case: Case, words: Words) -> Iterator[str]:
    results: Any = case.log.stages[DEPLOY].results
    for clause, group in results.get("notes", ()):
        yield _by_language(words, partial(_note, clause, group))
    if results.get("columns"):
        numbers = ", ".join(str(number) for number in results["columns"])
        yield _by_language(words, lambda one: one("deployment.columns", groups=numbers))


def _note(clause: str, group: int, words: Words) -> str:
    rule = words(f"npg.battle.rule.{clause}")
    if not group:
        return words("deployment.note_free", rule=rule, clause=clause)
    return words("deployment.note", rule=rule, clause=clause, group=group)


def _by_language(words: Words, say: Callable[[Words], str]) -> str:
    """Return what is said in every language, a line each: a sentence with a word in it is of one language."""
    return "\n".join(dict.fromkeys(say(one) for one in words.each()))


def _symbols(elements: Sequence[Standing], width: float, words: Words, style: Style) -> Drawing:
    """Return each type that stands on the map as a small base with its name, side by side; NPG first."""
    shown = list({(each.side, each.type): each for each in elements if each.place != LINE or each.side == YOU}.values())
    columns = max(1, int(width // _CELL))
    rows = [shown[start : start + columns] for start in range(0, len(shown), columns)]
    heights = [max(_depth(each) for each in row) + _ROW for row in rows]
    parts, y = [], sum(heights)
    for row, height in zip(rows, heights, strict=True):
        y -= height
        parts += [Placed(_named(each, height, words, style), at * _CELL, y) for at, each in enumerate(row)]
    return joined(min(columns, len(shown)) * _CELL, sum(heights), parts)


def _depth(element: Standing) -> float:
    return _SAMPLE * element.depth / element.width


def _named(element: Standing, height: float, words: Words, style: Style) -> Drawing:
    face = Face(side=element.side, code=element.type, type=element.type)
    items = element_face(face, _SAMPLE / 2, height / 2, _SAMPLE, _depth(element), style)
    key = "deployment.troop" if element.type == FOLLOWER else "npg.army.troop"
    said = words(f"{key}.{element.type}")
    room = _CELL - _SAMPLE - 4.0
    rows, hand = fitted(said, Hand(font=Font.ROMAN, size_pt=_NAME_PT, ink=style.solid("ink")), room, lines=2, least=0.8)
    foot = height / 2 - 0.3 * hand.height + (len(rows) - 1) * _LEADING * hand.height / 2
    for number, row in enumerate(rows):
        items += line(row, (_SAMPLE + 2.0, foot - number * _LEADING * hand.height), hand)
    return part(_CELL, height, items)


def _code(element: Standing) -> str:
    return f"{element.code}{'*' if element.general else ''}"
