"""Plans on the backs of reference cards: which die faces and measures of the rule book stand at which place."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.systems.solo.armies.procedures import number
from printkit.systems.solo.cards.card_text import CardText, faces

_BOARD: Final = "board_in_15mm"
_PLAN: Final = 33.0
_WARBAND: Final = 8
_SPEARS: Final = 10
_PIKES: Final = 8


def corners(text: CardText) -> Diagram:
    """Return the corners of a built-up area and the edges of a waterway with their faces (SD-3.3.1, 3.3.2)."""
    labels = {**faces(text.book.tables["bua"], text), **faces(text.book.tables["waterway"], text)}
    numbers = {"board": text.book.numbers[_BOARD], "corner": float(str(text.numbers["corner"]))}
    return Diagram(name="corners", labels={**labels, "note": text("R05.corners-note")}, numbers=numbers, highest=_PLAN)


def bands(text: CardText) -> Diagram:
    """Return the bands of a river with their faces (SD-3.3.3)."""
    numbers = {"board": text.book.numbers[_BOARD]}
    for row in text.book.own("river_bands"):
        for end in ("from", "to"):
            numbers[f"{row.need('band', str)}-{end}"] = row.need(f"{end}_in", int)
    labels = {**faces(text.book.tables["river"], text), "note": text("R05.bands-note"), "far": text("R05.edge")}
    return Diagram(name="bands", labels=labels, numbers=numbers, highest=_PLAN)


def sectors(text: CardText) -> Diagram:
    """Return the nine sectors with the faces of both dice, and those of roads (SD-3.3.4, 3.3.5)."""
    labels: dict[str, str] = {}
    for table in ("sector_column", "sector_row"):
        for name, said in faces(text.book.tables[table], text).items():
            labels |= {f"{name}-die": said, name: text(f"result.{table}.{name}")}
    labels |= faces(text.book.tables["road"], text)
    labels |= {
        key: text(f"R06.{said}") for key, said in (("first", "first"), ("second", "second"), ("road", "road-die"))
    }
    return Diagram(name="sectors", labels=labels, highest=64.0)


def zones(text: CardText) -> Diagram:
    """Return the strips that an edge is judged by, with the letters of its modifiers (AMB-25)."""
    return Diagram(
        name="edges", labels={name: text(f"R07.{name}") for name in ("zone", "ahead", "far-ahead", "far-zone", "rear")}
    )


def camp(text: CardText) -> Diagram:
    """Return what a camp keeps away from, and where it hides (SD-4.3-p1..p4)."""
    names = ("edge", "water", "road", "bad", "camp", "centre")
    return Diagram(name="camp", labels={name: text(f"R08.plan-{name}") for name in names}, highest=44.0)


def shore(text: CardText) -> Diagram:
    """Return where bad going by the shore counts for a landing, and YOUR camp (SD-4.6-m2, m3)."""
    numbers = {
        "board": text.book.numbers[_BOARD] * 100,
        "along": number("centre_line_reach"),
        "inland": number("shore_reach"),
        "camp": number("camp_to_waterway"),
    }
    said = {name: f"{value:g}" for name, value in numbers.items()}
    names = ("npg", "you", "water", "line", "here", "camp", "camp-note")
    labels = {name: text(f"R11.{name}", **said) for name in names}
    return Diagram(name="shore", labels=labels, numbers=numbers, highest=52.0)


def places(text: CardText) -> Diagram:
    """Return the four places of groups (SD-4.7-a..d)."""
    names = ("left", "centre", "right", "reserve", "front", "edge")
    return Diagram(name="places", labels={name: text(f"R13.{name}") for name in names})


def pikes(text: CardText) -> Diagram:
    """Return pikes two deep (SD-4.7-d1)."""
    labels = {"front": text("R13.pikes-front"), "said": text("R13.two")}
    return Diagram(name="pikes", labels=labels, numbers={"elements": _PIKES})


def warband_ranks(text: CardText) -> Diagram:
    """Return both forms of a mass of warband with their faces (SD-4.7-d6)."""
    return _ranks(text, "warband_ranks", "R13.warband-front", _WARBAND)


def spear_ranks(text: CardText) -> Diagram:
    """Return both forms of a mass of spears with their faces (SD-4.7-d7)."""
    return _ranks(text, "spear_ranks", "R14.spears-front", _SPEARS)


def _ranks(text: CardText, table: str, front: str, elements: int) -> Diagram:
    found = faces(text.book.tables[table], text)
    labels = {"front": text(front), "deep": found["deep"], "thin": found["thin-ends"]}
    return Diagram(name="ranks", labels=labels, numbers={"elements": elements})
