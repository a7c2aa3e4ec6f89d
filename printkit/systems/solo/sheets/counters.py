"""Sheets of counters to cut out: all elements that an army can have, camp followers and camp."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from printkit.core.words import Words
from printkit.drawing.canvas.items import Rect
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.leaflet import instruction_header
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


def make_force_counters(force: Force, side: str) -> CounterSet:
    """Return the counters of an army whose options are fixed.

    ``side`` is "NPG" or "YOU".
    """
    return CounterSet(side=side, name=force.name, elements=force.elements, camp=force.camp)


def make_army_counters(army: Army, side: str) -> CounterSet:
    """Return the counters of an army list: each element as often as an army that is still possible needs it.

    Choices that the player has made are fixed. ``side`` is "NPG" or "YOU".
    """
    counts_by_key: dict[tuple[str, bool], int] = {}
    elements_by_key: dict[tuple[str, bool], Element] = {}
    for force in army.iter_possible_forces():
        for key, count in Tally((element.code, element.general) for element in force.elements).items():
            counts_by_key[key] = max(counts_by_key.get(key, 0), count)
        elements_by_key.update({(element.code, element.general): element for element in force.elements})
    elements = tuple(elements_by_key[key] for key, count in counts_by_key.items() for _ in range(count))
    return CounterSet(side=side, name=army.name, elements=elements, camp=army.camp)


def list_counters(counter_set: CounterSet, scale: str) -> tuple[Counter, ...]:
    """Return the counters of a side at actual size, in mm.

    An element such as 3Kn//4Bd gives one mounted and one dismounted counter. A camp gives one of camp followers, the
    last.

    Args:
        counter_set: the side.
        scale: 15mm or 25mm. It sets the size of the bases (F-18).
    """
    troops, width = read_troops(), _find_scale(scale).base_width
    faces = [
        element_face
        for element in counter_set.elements
        for element_face in _make_faces(element, counter_set.side, troops)
    ]
    if counter_set.camp:
        faces.append(ElementFace(side=counter_set.side, code=_FOLLOWER, type=_FOLLOWER))
    return tuple(Counter(face=face, width=width, depth=troops.get_type(face.type).depth[scale]) for face in faces)


def draw_counter_pieces(counter_set: CounterSet, style: Style, words: Words, *, scale: str) -> tuple[DrawnPiece, ...]:
    """Return the counters of a side and its camp, each as a separate piece; see ``list_counters``.

    ``scale`` is 15mm or 25mm.
    """
    pieces = [
        DrawnPiece(
            name=f"{counter.face.code} *" if counter.face.is_general else counter.face.code,
            drawing=draw_counter(counter, style),
        )
        for counter in list_counters(counter_set, scale)
    ]
    if counter_set.camp:
        side_mm, camp_label = _compute_camp_side(scale), words("deployment.camp")
        items = draw_camp(camp_label, counter_set.side, side_mm / 2, side_mm / 2, side_mm, style)
        pieces.append(DrawnPiece(name=camp_label, drawing=drawing_of(side_mm, side_mm, items)))
    return tuple(pieces)


def make_counter_document(sets: Sequence[CounterSet], order: SheetContext, *, scale: str) -> Document:
    """Return the counters of both sides as a document.

    ``scale`` is the scale of the figures, for example ``15mm``.

    Raises:
        PageError: the paper is too small.
    """
    pages = tuple(page for counter_set in sets for page in make_counter_pages(counter_set, order, scale=scale))
    title = order.words("deployment.counters.document")
    return apply_profile(Document(title=title, pages=pages, language=order.words.code), order.profile).document


def make_counter_pages(counter_set: CounterSet, order: SheetContext, *, scale: str) -> tuple[Page, ...]:
    """Return the counters of a side and its camp, on as few pages as they need; ``scale`` is 15mm or 25mm.

    Raises:
        PageError: the paper is too small.
    """
    words, page_area = order.words, leaflet_area(order.sheet, measured=True, spread=True)
    block_area = Rect(0.0, 0.0, page_area.width, page_area.height - _HEAD)
    counters = list_counters(counter_set, scale)
    blocks = list(draw_strips(counters, block_area.width, block_area.height, order.style))
    if counter_set.camp:
        blocks.append(
            draw_camp_tile(words("deployment.camp"), counter_set.side, _compute_camp_side(scale), order.style)
        )
    side_label = words(f"deployment.counters.{_SIDES[counter_set.side]}")
    title = words("deployment.counters.title", side=side_label, name=named(counter_set.name, words))
    instructions = words("deployment.counters.how", scale=scale, count=len(counters))
    heading = instruction_header(title, instructions, page_area.width, _HEAD, order.drafter)
    blocks.sort(key=lambda block: -block.height)
    return shelved_pages(blocks, heading, order.sheet, words=words, label=title, spread=True)[0]


def _make_faces(element: Element, side: str, troops: TroopTable) -> Iterable[ElementFace]:
    """Yield the face of an element, and the face of its dismounted form if it has one."""
    mounted_code, _, foot_code = element.code.partition("//")
    yield ElementFace(side=side, code=mounted_code, type=element.troop.code, is_general=element.general)
    troop = troops.find_type(foot_code) if foot_code else None
    if troop is not None:
        yield ElementFace(side=side, code=foot_code, type=troop.code, is_general=element.general)


def _compute_camp_side(scale: str) -> float:
    """Return the side of a camp in mm on paper (actual size), at a scale of 15mm or 25mm."""
    return round(_find_scale(scale).pace * load_solo_rules().number("camp_p_side"), 2)


def _find_scale(scale: str) -> GroundScale:
    """Return the ground scale in mm of the figures, ``15mm`` or ``25mm``."""
    return find(BOOK).board(settings={"scale": scale}).scale
