"""What the record keeps of a game besides shapes: the country, what stands on which areas, and how it came there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from printkit.core.errors import Sentence
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.sketch import Note, Passage, Placing, Sketch, Way

_PLACES = 4


def facts(sketch: Sketch, country: Geography) -> dict[str, Any]:
    """Return the details of the record: everything on the sketch, in plain values, areas as [column, row]."""
    return {
        "geography": country.facts,
        "places": [_place(piece) for piece in sketch.placings],
        "ways": [_way(way) for way in sketch.ways],
        "passages": [_passage(passage) for passage in sketch.passages],
        "notes": [_note(note) for note in sketch.notes],
    }


def warnings(sketch: Sketch) -> tuple[str, ...]:
    """Return a line for each note, for the person who asked for the battlefield."""
    return tuple(
        _warning(note, {"count": 1, **note.values, "feature": note.feature, "rule": note.clause})
        for note in sketch.notes
    )


def _warning(note: Note, values: Mapping[str, Any]) -> Sentence:
    match note.key:
        case "dropped":
            return Sentence("no area was left for {count} {kind} (PW0-11)", **values)
        case "forced":
            return Sentence("{feature} had to pass hills, for they close every way ({rule})", **values)
        case "short":
            return Sentence("{feature} touches fewer than three areas ({rule})", **values)
        case "nowhere":
            return Sentence("{what} found no way at all ({rule})", **values)
        case _:
            return Sentence("no road reaches {feature} at {area} ({rule})", **values)


def _place(piece: Placing) -> dict[str, Any]:
    return {
        "id": piece.id,
        "kind": piece.kind.value,
        "cells": [list(cell) for cell in piece.cells],
        **({"contours": piece.contours} if piece.contours else {}),
        "throws": list(piece.throws),
        "clauses": list(piece.clauses),
        "told": dict(piece.told),
    }


def _way(way: Way) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": way.id,
        "kind": way.kind.value,
        "cells": [list(cell) for cell in way.cells],
        "width": way.width,
    }
    if way.band is not None:
        found["band_mm"] = [[round(part, _PLACES) for part in end] for end in way.band]
        found["shares"] = [[*cell, round(share, _PLACES)] for cell, share in way.shares.items()]
    else:
        found |= {"enters": way.enters, "leaves": way.leaves}
    if any(way.beside):
        found["beside"] = [None if cell is None else list(cell) for cell in way.beside]
    return {**found, "throws": list(way.throws), "clauses": list(way.clauses), "told": dict(way.told)}


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.id,
        "kind": passage.kind.value,
        "way": passage.way,
        "water": passage.water,
        "cells": [list(cell) for cell in passage.cells],
        "throws": list(passage.throws),
        "clauses": list(passage.clauses),
        "told": dict(passage.told),
    }


def _note(note: Note) -> dict[str, Any]:
    return {"key": note.key, "clause": note.clause, "feature": note.feature, "values": dict(note.values)}
