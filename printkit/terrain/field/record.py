"""The record: a battlefield, its log and its grid as GeoJSON, written, read back and printed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from printkit import __version__
from printkit.chance.dice import Throw
from printkit.core.errors import RecordError, Sentence
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Feature, Going, Hill
from printkit.terrain.field.geojson import Json, Member, any_object, parse, read_any
from printkit.terrain.field.grids import GRAINS, MAX_CELLS, MIN_CELLS, Cell, Grid, HexGrid, SquareGrid
from printkit.terrain.field.record_features import FeatureReader, feature_objects

# --- The grid of a record: ``{"shape": "hex", "columns": 9, "rows": 8, "grain" ----------------------------------------

_HEX: Final = HexGrid.shape
_SQUARE: Final = SquareGrid.shape
_SIDES: Final = ("columns", "rows")
_PLACES: Final = 6
_NEAR: Final = 0.05
"""Millimetres by which the board may differ from its grid, for lengths written by hand are rounded."""


def grid_object(grid: Grid | None) -> Json | None:
    """Return a grid as the record writes it; None where there is none."""
    if grid is None:
        return None
    return {
        "shape": grid.shape,
        "columns": grid.columns,
        "rows": grid.rows,
        "grain": grid.grain,
        "cell_mm": round(float(grid.cell), _PLACES),
    }


def read_grid(member: Member | None) -> Grid | None:
    """Return the grid of a record, None where it has none.

    Raises:
        RecordError: a member is missing or wrong; names it and what would be right.
    """
    if member is None:
        return None
    shape = member.need("shape", Sentence('write "{hex}" or "{square}"', hex=_HEX, square=_SQUARE))
    columns, rows = (
        _count(member.need(name, Sentence("write how many {name} of cells there are", name=name))) for name in _SIDES
    )
    cell = round(
        member.need("cell_mm", Sentence("write the millimetres across the flats or of a side")).length(), _PLACES
    )
    grain = member.get("grain")
    if shape.text() == _SQUARE:
        if grain is not None and grain.text():
            raise grain.wrong('"", because squares have no orientation')
        return SquareGrid(columns, rows, cell)
    if shape.text() != _HEX:
        raise shape.wrong('"{hex}" or "{square}"', hex=_HEX, square=_SQUARE)
    if grain is not None and grain.text() not in GRAINS:
        raise grain.wrong("an orientation of hexes: {grains}", grains=", ".join(GRAINS))
    return HexGrid(columns, rows, cell, grain.text() if grain else GRAINS[0])


def judge_grid(grid: Grid | None, board: Board, features: Iterable[Feature]) -> None:
    """Refuse a board that is not as large as its grid, and features in cells that the grid does not have.

    Raises:
        RecordError: says which, and what would be right.
    """
    if grid is None:
        return
    for name, size, needed in (("width_mm", board.width, grid.width), ("depth_mm", board.depth, grid.depth)):
        if abs(size - needed) > _NEAR:
            raise RecordError(
                "board.{name} is {size:g}, but {grid} of {cell:g} mm needs {needed:.6g}",
                name=name,
                size=size,
                grid=grid.name,
                cell=grid.cell,
                needed=needed,
            )
    for feature in features:
        for column, row in feature.cells:
            if not grid.contains(Cell(column, row)):
                raise RecordError(
                    "feature {feature!r} is in cell [{column}, {row}], which {grid} does not have; columns "
                    "go to {columns}, rows to {rows}",
                    feature=feature.id,
                    column=column,
                    row=row,
                    grid=grid.name,
                    columns=grid.columns,
                    rows=grid.rows,
                )


def _count(member: Member) -> int:
    if not MIN_CELLS <= member.whole() <= MAX_CELLS:
        raise member.wrong("a number of cells from {least} to {most}", least=MIN_CELLS, most=MAX_CELLS)
    return member.whole()


FORMAT: Final = 1

_COORDINATES: Final = "millimetres on the board, not degrees: x to the right, y to the far edge"
_PLANE: Final[Json] = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}
"""A plane for programs that would take our lengths for degrees; a metre of theirs is a millimetre of ours."""

_SCALE_PLACES: Final = 6
_THROW: Final = ("stage", "reason", "asked", "answer")


# What a file without the member counts as: printkit did not write it before its outlines had moved once.
FIRST_SHAPES: Final = 1


class Record(Struct, frozen=True, kw_only=True):
    """One saved game: what was asked for, what was thrown, what lies on the board.

    ``details`` is the object named after the rule system; ``properties`` holds, by feature ID, the properties that
    only that system knows; ``box`` the terrain pieces that a game was held to, and what came of it. ``hand`` says
    what a person moved, turned or deleted afterwards: the ID of each feature, with ``move``, ``turn`` or ``delete``.
    ``shapes`` is the number of the outlines of the rule system that made it (``kit.plugin.Plugin``).
    """

    rules: str
    battlefield: Battlefield
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    reseeded: Mapping[str, int] = field(default_factory=dict)
    log: tuple[Throw, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    box: Mapping[str, Any] = field(default_factory=dict)
    hand: tuple[Mapping[str, Any], ...] = ()
    shapes: int = FIRST_SHAPES


def write(record: Record) -> str:
    """Return the record as GeoJSON text: the same record, the same text; a throw and a feature take a line each."""
    board, scale = record.battlefield.board, record.battlefield.board.scale
    document: Json = {
        "type": "FeatureCollection",
        "printkit": {"format": FORMAT, "version": __version__, "shapes": record.shapes},
        "coordinates": _COORDINATES,
        "crs": _PLANE,
        "rules": record.rules,
        "settings": dict(sorted(record.settings.items())),
        "seed": record.seed,
        "reseeded": dict(sorted(record.reseeded.items())),
        "title": record.battlefield.title,
        "board": {
            "width_mm": _length(board.width),
            "depth_mm": _length(board.depth),
            "pace_mm": _length(scale.pace),
            "base_width_mm": _length(scale.base_width),
        },
        "grid": grid_object(record.battlefield.grid),
        "log": [_throw_object(throw) for throw in record.log],
        "overwritten": _overwritten(record.log),
        record.rules: record.details,
        "box": record.box,
        "hand": list(record.hand),
        "overlays": [_overlay_object(overlay) for overlay in record.battlefield.overlays],
        "features": [
            found
            for feature in record.battlefield.features
            for found in feature_objects(feature, record.properties.get(feature.id, {}))
        ],
    }
    for name in (record.rules, "box", "hand", "overwritten"):
        if not document[name]:
            del document[name]
    return "\n".join(_lines(document)) + "\n"


def read(text: str | Member, goings: Mapping[str, Going], rules: str = "") -> Record:
    """Return the record of a text.

    A record drawn by hand may lack ``printkit``, ``log``, ``seed``, ``settings``, the object of the rule system, and
    in its features ``id`` and ``going``. An ID is then made of kind and number, a going is left unstated. Members that
    are not known here are ignored.

    Args:
        text: GeoJSON as ``write`` makes it, or its document.
        goings: the going of the rule system by name.
        rules: the name of the rule system, where the text names none.

    Raises:
        RecordError: a member is missing or wrong; one line that names it, or all that are missing, and what would be
            right.
    """
    document = parsed(text)
    judge_members(document, rules)
    reader = FeatureReader(
        document.need("features", Sentence("write the list of features, which may be empty")), goings
    )
    overlays, seed, box = (document.get(name) for name in ("overlays", "seed", "box"))
    title = document.get("title")
    rules = _rules(document, rules)
    battlefield = Battlefield(
        board=_board(document.need("board", Sentence('write "board": {{"width_mm": ..., "depth_mm": ..., ...}}'))),
        features=reader.read(),
        overlays=tuple(_overlay(member) for member in (overlays.items() if overlays else ())),
        title=title.text() if title else "",
        grid=read_grid(document.get("grid")),
    )
    judge_grid(battlefield.grid, battlefield.board, battlefield.features)
    details = document.get(rules)
    return Record(
        rules=rules,
        battlefield=battlefield,
        settings={name: member.text() for name, member in _pairs(document, "settings")},
        seed=seed.whole() if seed else None,
        reseeded={name: member.whole() for name, member in _pairs(document, "reseeded")},
        log=_read_log(document.get("log"), document.get("overwritten")),
        details={name: member.value for name, member in (details.pairs() if details else ())},
        properties=reader.properties,
        box={name: member.value for name, member in (box.pairs() if box else ())},
        hand=_read_hand(document.get("hand")),
        shapes=shapes_in(document),
    )


def rules_of(document: Member, otherwise: str = "") -> str:
    """Return the name of the rule system of a record, which alone knows the names of its going.

    Args:
        document: the record.
        otherwise: the name where the record has none.

    Raises:
        RecordError: it names no rule system.
    """
    judge_members(document, otherwise)
    return _rules(document, otherwise)


def version_of(document: Member) -> str:
    """Return the printkit that made a record; empty where it was drawn by hand."""
    made_by = document.get("printkit")
    version = made_by.get("version") if made_by else None
    return version.text() if version else ""


def shapes_in(document: Member) -> int:
    """Return the number of the outlines of a record, a sealed game or its note; 1 where it has none.

    Raises:
        RecordError: it is no number from 1.
    """
    made_by = document.get("printkit")
    stated = made_by.get("shapes") if made_by else None
    if stated is None:
        return FIRST_SHAPES
    if stated.whole() < FIRST_SHAPES:
        raise stated.wrong("a number from 1")
    return stated.whole()


def settle(record: Record) -> Record:
    """Return the record as it will be read back, so that a map is drawn of the very values that are saved."""
    goings = [feature.going for feature in record.battlefield.features]
    goings += [face.going for hill in record.battlefield.features if isinstance(hill, Hill) for face in hill.faces]
    return read(write(record), {going.name: going for going in goings})


def parsed(text: str | Member) -> Member:
    """Return the document of a record, so that who asks it for several things parses it once.

    Raises:
        RecordError: it is no record, or one of a newer printkit.
    """
    if isinstance(text, Member):
        return text
    document = parse(text)
    kind = document.get("type")
    if kind is None:
        raise RecordError("not a saved battlefield. These are the .json files that printkit writes with each map.")
    if kind.value != "FeatureCollection":
        raise kind.wrong('"FeatureCollection"')
    made_by = document.get("printkit")
    stated = made_by.get("format") if made_by else None
    if stated is not None and stated.whole() > FORMAT:
        raise RecordError(
            "printkit.format is {stated}: a newer printkit made it, and this one ({version__}) reads up to "
            "{format}; update printkit",
            stated=stated.whole(),
            version__=__version__,
            format=FORMAT,
        )
    return document


_BOARD: Final = ("width_mm", "depth_mm", "pace_mm", "base_width_mm")


def judge_members(document: Member, rules: str) -> None:
    """Refuse a record that lacks several members, all of which are named; of a single one its reader says more.

    Raises:
        RecordError: it does.
    """
    board, features = document.get("board"), document.get("features")
    missing = [] if rules or document.get("rules") is not None else ["rules"]
    missing += ["features"] if features is None else []
    missing += ["board"] if board is None else [f"board.{name}" for name in _BOARD if board.get(name) is None]
    for feature in features.items() if features else ():
        properties = feature.get("properties")
        missing += [f"{feature.path}.geometry"] if feature.get("geometry") is None else []
        missing += [f"{feature.path}.properties.kind"] if not properties or properties.get("kind") is None else []
    if len(missing) > 1:
        raise RecordError(
            "missing from the record: {names}; write {board} in millimetres, and give each feature its shape and kind",
            names=", ".join(missing),
            board=", ".join(f"board.{name}" for name in _BOARD),
        )


def _rules(document: Member, otherwise: str) -> str:
    named = document.get("rules")
    if named is None and otherwise:
        return otherwise
    return document.need("rules", Sentence('name the rule system, for example "rules": "brantley"')).text()


def _board(member: Member) -> Board:
    def length(name: str, example: str) -> float:
        return _length(
            member.need(
                name, Sentence('write it in millimetres, for example "{name}": {example}', name=name, example=example)
            ).length()
        )

    scale = GroundScale(pace=length("pace_mm", "0.254"), base_width=length("base_width_mm", "40.0"))
    return Board(length("width_mm", "609.6"), length("depth_mm", "609.6"), scale)


def _length(value: float) -> float:
    return round(float(value), _SCALE_PLACES)


def _overlay_object(overlay: Overlay) -> Json:
    properties = {"kind": overlay.kind, "label": overlay.label, "side": overlay.side}
    return {"type": "Feature", "geometry": any_object(overlay.shape), "properties": properties}


def _overlay(member: Member) -> Overlay:
    properties = member.need("properties", Sentence("write the kind, the label and the side of the overlay"))
    texts = {name: found.text() for name in ("label", "side") if (found := properties.get(name))}
    return Overlay(
        kind=properties.need("kind", Sentence('write its kind, for example "deployment"')).text(),
        shape=read_any(member.need("geometry", Sentence("write its shape")), member.path),
        **texts,
    )


def _throw_object(throw: Throw) -> Json:
    found: Json = {name: getattr(throw, name) for name in (*_THROW, "clause")}
    return found if throw.seeded else {**found, "seeded": False}


def _throw(member: Member) -> Throw:
    texts = {
        name: member.need(name, Sentence("a roll needs stage, reason, asked and answer")).text() for name in _THROW
    }
    clause, seeded = member.get("clause"), member.get("seeded")
    return Throw(**texts, clause=clause.text() if clause else "", seeded=seeded is None or seeded.value is not False)


def _overwritten(log: Iterable[Throw]) -> list[Json]:
    """Return the throws over which a person laid an answer: the number of each, what it was and what it is."""
    return [
        {"throw": number, "was": throw.was, "answer": throw.answer} for number, throw in enumerate(log, 1) if throw.was
    ]


def _read_log(log: Member | None, overwritten: Member | None) -> tuple[Throw, ...]:
    """Return the throws of a record, with what was there where a person laid an answer over it.

    Raises:
        RecordError: a throw lacks a part, or ``overwritten`` names one that the log has not.
    """
    throws = [_throw(member) for member in (log.items() if log else ())]
    for member in overwritten.items() if overwritten else ():
        number = member.need("throw", Sentence("write the number of the roll"))
        if not 1 <= number.whole() <= len(throws):
            raise number.wrong("a roll of the log; it has {count}", count=len(throws))
        was = member.need("was", Sentence("write what the log had there")).text()
        throws[number.whole() - 1] = replace(throws[number.whole() - 1], seeded=False, was=was)
    return tuple(throws)


def _read_hand(member: Member | None) -> tuple[Mapping[str, Any], ...]:
    """Return what was done by hand.

    Raises:
        RecordError: an entry names no feature, or moves it by what is no pair of lengths.
    """
    found = []
    for entry in member.items() if member else ():
        told: dict[str, Any] = {"id": entry.need("id", Sentence("write the ID of the feature")).text()}
        if (deleted := entry.get("delete")) is not None and deleted.value is True:
            found.append({**told, "delete": True})
            continue
        if (move := entry.get("move")) is not None:
            told["move"] = [length.number() for length in move.items()]
            if len(told["move"]) != len(("right", "far")):
                raise move.wrong("two lengths in millimetres, to the right and towards the far edge")
        if (turn := entry.get("turn")) is not None:
            told["turn"] = turn.number()
        found.append(told)
    return tuple(found)


def _pairs(document: Member, name: str) -> Iterator[tuple[str, Member]]:
    member = document.get(name)
    return member.pairs() if member else iter(())


def _lines(document: Json) -> Iterator[str]:
    """Yield the lines of the text: a member each, and each throw, zone and feature on a line of its own."""
    yield "{"
    last = len(document) - 1
    for place, (name, value) in enumerate(document.items()):
        yield f" {json.dumps(name)}: {_indented(value, 1)}{'' if place == last else ','}"
    yield "}"


def _indented(value: Any, depth: int) -> str:
    """Return lists of objects with a line an object, and objects that hold such lists with a line a member."""
    pad = " " * (depth + 1)
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, Mapping) for part in value):
        lines = [f"{pad}{_compact(part)}" for part in value]
        opening, closing = "[", "]"
    elif isinstance(value, Mapping) and any(isinstance(part, (list, tuple, Mapping)) for part in value.values()):
        lines = [f"{pad}{json.dumps(name)}: {_indented(part, depth + 1)}" for name, part in value.items()]
        opening, closing = "{", "}"
    else:
        return _compact(value)
    return f"{opening}\n" + ",\n".join(lines) + f"\n{' ' * depth}{closing}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
