"""Sheets of counters to cut out: all elements that an army can have, camp followers and camp."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.items import Rect
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.leaflet import instruction_header
from printkit.drawing.text.text_styles import drawing_of
from printkit.kit.registry import find
from printkit.page.leaflets import leaflet_area, shelved_pages
from printkit.page.printer import apply_profile
from printkit.page.sheet import Document, Page
from printkit.recipes.output.handout import DrawnPiece
from printkit.recipes.output.printers import SheetContext
from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
from printkit.systems.dba.elements.element_face import (
    Counter,
    ElementFace,
    draw_camp,
    draw_camp_tile,
    draw_counter,
    draw_strips,
)
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import Element, Force, TroopTable, read_troops
from printkit.systems.solo.armies.rules import BOOK, load_solo_rules
from printkit.terrain.field.battlefield import GroundScale

_HEAD: Final = 20.0
_FOLLOWER: Final = "CF"
_SIDES: Final = {NPG: "npg", YOU: "you"}


class CounterSet(Struct, frozen=True, kw_only=True):
    """The counters of one side: its name, its elements, and whether it has a camp.

    ``elements`` has each element as often as the army can have it.
    """

    side: str
    name: str
    elements: tuple[Element, ...]
    camp: bool = True


def of_force(force: Force, side: str) -> CounterSet:
    """Return the counters of an army whose options are fixed."""
    return CounterSet(side=side, name=force.name, elements=force.elements, camp=force.camp)


def of_army(army: Army, side: str) -> CounterSet:
    """Return the counters of an army list: each element as often as any combination of choices needs it."""
    most: dict[tuple[str, bool], int] = {}
    known: dict[tuple[str, bool], Element] = {}
    for force in army.iter_possible_forces():
        for key, many in Tally((each.code, each.general) for each in force.elements).items():
            most[key] = max(most.get(key, 0), many)
        known.update({(each.code, each.general): each for each in force.elements})
    elements = tuple(known[key] for key, many in most.items() for _ in range(many))
    return CounterSet(side=side, name=army.name, elements=elements, camp=army.camp)


def counters_of(chosen: CounterSet, scale: str) -> tuple[Counter, ...]:
    """Return the counters of a side at actual size.

    An element such as 3Kn//4Bd gives one mounted and one dismounted counter. A camp gives one of camp followers.

    Args:
        chosen: the side.
        scale: 15mm or 25mm. It sets the size of the bases (F-18).
    """
    troops, width = read_troops(), _ground(scale).base_width
    found = [each for element in chosen.elements for each in _faces(element, chosen.side, troops)]
    if chosen.camp:
        found.append(ElementFace(side=chosen.side, code=_FOLLOWER, type=_FOLLOWER))
    return tuple(Counter(face=face, width=width, depth=troops.get_type(face.type).depth[scale]) for face in found)


def counter_pieces(chosen: CounterSet, style: Style, words: Words, *, scale: str) -> tuple[DrawnPiece, ...]:
    """Return the counters of a side and its camp, each as a separate piece; see ``counters_of``."""
    found = [
        DrawnPiece(
            name=f"{each.face.code} *" if each.face.is_general else each.face.code, drawing=draw_counter(each, style)
        )
        for each in counters_of(chosen, scale)
    ]
    if chosen.camp:
        size, said = _camp_side(scale), words("deployment.camp")
        items = draw_camp(said, chosen.side, size / 2, size / 2, size, style)
        found.append(DrawnPiece(name=said, drawing=drawing_of(size, size, items)))
    return tuple(found)


def counter_document(sets: Sequence[CounterSet], order: SheetContext, *, scale: str) -> Document:
    """Return the counters of both sides as a document.

    Raises:
        PageError: the paper is too small.
    """
    pages = tuple(page for each in sets for page in counter_pages(each, order, scale=scale))
    title = order.words("deployment.counters.document")
    return apply_profile(Document(title=title, pages=pages, language=order.words.code), order.profile).document


def counter_pages(chosen: CounterSet, order: SheetContext, *, scale: str) -> tuple[Page, ...]:
    """Return the counters of a side on as few pages as they need.

    Raises:
        PageError: the paper is too small.
    """
    words, free = order.words, leaflet_area(order.sheet, measured=True, spread=True)
    space = Rect(0.0, 0.0, free.width, free.height - _HEAD)
    counters = counters_of(chosen, scale)
    blocks = list(draw_strips(counters, space.width, space.height, order.style))
    if chosen.camp:
        blocks.append(draw_camp_tile(words("deployment.camp"), chosen.side, _camp_side(scale), order.style))
    said = words(f"deployment.counters.{_SIDES[chosen.side]}")
    title = words("deployment.counters.title", side=said, name=named(chosen.name, words))
    how = words("deployment.counters.how", scale=scale, count=len(counters))
    head = instruction_header(title, how, free.width, _HEAD, order.drafter)
    blocks.sort(key=lambda block: -block.height)
    return shelved_pages(blocks, head, order.sheet, words=words, label=title, spread=True)[0]


def _faces(element: Element, side: str, troops: TroopTable) -> Iterable[ElementFace]:
    """Yield the face of an element, and the face of its dismounted form if it has one."""
    mounted, _, foot = element.code.partition("//")
    yield ElementFace(side=side, code=mounted, type=element.troop.code, is_general=element.general)
    troop = troops.find_type(foot) if foot else None
    if troop is not None:
        yield ElementFace(side=side, code=foot, type=troop.code, is_general=element.general)


def _camp_side(scale: str) -> float:
    """Return the side of a camp, in mm."""
    return round(_ground(scale).pace * load_solo_rules().number("camp_p_side"), 2)


def _ground(scale: str) -> GroundScale:
    return find(BOOK).board(settings={"scale": scale}).scale
