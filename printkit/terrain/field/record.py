"""The record: a battlefield, its log and its grid as GeoJSON, written, read back and printed again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar, cast

from msgspec import Meta, Struct, field, to_builtins
from msgspec.structs import replace

from printkit import __version__
from printkit.chance.dice import Throw
from printkit.core.errors import FileError, RecordError, Sentence
from printkit.core.typed import convert, parse_json, right
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Feature, Going, Hill
from printkit.terrain.field.geojson import Json, Length, Number, any_object, read_any
from printkit.terrain.field.grids import GRAINS, MAX_CELLS, MIN_CELLS, Cell, Grain, Grid, HexGrid, SquareGrid
from printkit.terrain.field.record_features import FeaturePart, Features, feature_parts, read_extra, read_features

T = TypeVar("T")

FORMAT: Final = 1

# The shapes of a file that does not state them: printkit wrote it before its outlines changed for the first time.
FIRST_SHAPES: Final = 1

_COORDINATES: Final = "millimetres on the board, not degrees: x to the right, y to the far edge"

# A plane for programs that would take our lengths for degrees; a metre of theirs is a millimetre of ours.
_PLANE: Final[Json] = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}

# How often the shapes of a new battlefield are drawn at most, because it breaks a rule.
LAST_DRAFT: Final = 4

# The decimals of a length of the board and of a cell.
_PLACES: Final = 6

# How far the size of the board may be from that of its grid, in mm, because lengths written by hand are rounded.
_NEAR: Final = 0.05

_MOVE: Final = Sentence("two lengths in millimetres: to the right, and towards the far edge")

Cells = Annotated[int, Meta(ge=MIN_CELLS, le=MAX_CELLS)]


class HexGridFile(Struct, frozen=True, kw_only=True, tag_field="shape", tag=HexGrid.shape):
    """A grid of hexes: how many, the millimetres across the flats of one, and the orientation."""

    columns: Cells
    rows: Cells
    cell_mm: Length
    grain: Grain | None = None

    def read(self) -> Grid:
        """Return the grid."""
        return HexGrid(self.columns, self.rows, _length(self.cell_mm), self.grain or GRAINS[0])


class SquareGridFile(Struct, frozen=True, kw_only=True, tag_field="shape", tag=SquareGrid.shape):
    """A grid of squares, which have no orientation: how many, and the millimetres of a side."""

    columns: Cells
    rows: Cells
    cell_mm: Length
    grain: Annotated[Literal[""], right(Sentence('"", because squares have no orientation'))] | None = None

    def read(self) -> Grid:
        """Return the grid."""
        return SquareGrid(self.columns, self.rows, _length(self.cell_mm))


class BoardFile(Struct, frozen=True, kw_only=True):
    """A board and its ground scale: the lengths of a pace and of a base."""

    width_mm: Length
    depth_mm: Length
    pace_mm: Length
    base_width_mm: Length

    def read(self) -> Board:
        """Return the board."""
        scale = GroundScale(pace=_length(self.pace_mm), base_width=_length(self.base_width_mm))
        return Board(_length(self.width_mm), _length(self.depth_mm), scale)


class OverlayProperties(Struct, frozen=True, kw_only=True):
    """The kind of an overlay, for example ``deployment``, its label, and its player."""

    kind: str
    label: str | None = None
    side: str | None = None


class OverlayObject(Struct, frozen=True, kw_only=True):
    """An overlay: its properties, and its shape as any GeoJSON geometry."""

    geometry: Json
    properties: Annotated[
        OverlayProperties, right(Sentence('an object with at least its kind: {{"kind": "deployment"}}'))
    ]


class Overwritten(Struct, frozen=True, kw_only=True):
    """A roll that the user replaced: its number in the log, from 1, and the answer that it had."""

    throw: int
    was: str


class HandEdit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change by hand of a feature: its ID, its move in mm, its turn in degrees, or its deletion."""

    id: str
    delete: bool = False
    move: Annotated[list[Number], Meta(min_length=2, max_length=2), right(_MOVE)] | None = None
    turn: Number | None = None


class MadeBy(Struct, frozen=True, kw_only=True):
    """The printkit that wrote a file: the format, its version, and the number of its outlines."""

    format: int | None = None
    version: str | None = None
    shapes: Annotated[int, Meta(ge=FIRST_SHAPES)] | None = None


class RecordHead(Struct, frozen=True, kw_only=True):
    """The type of GeoJSON, the version of printkit and the rule system of a record."""

    type: Literal["FeatureCollection"]
    printkit: MadeBy | None = None
    rules: Annotated[str, right(Sentence('the name of a rule system, for example "brantley"'))]


class RecordFile(RecordHead, frozen=True, kw_only=True):
    """The file of a record. Members that printkit does not know are ignored, as other programs add some.

    Only rules, board and features must be there. The member that has the name of the rule system belongs to it.
    """

    settings: dict[str, str] | None = None
    seed: int | None = None
    draft: Annotated[int, Meta(ge=1, le=LAST_DRAFT)] | None = None
    reseeded: dict[str, int] | None = None
    title: str | None = None
    board: Annotated[
        BoardFile,
        right(
            Sentence(
                'an object such as {{"width_mm": 609.6, "depth_mm": 609.6, "pace_mm": 0.254, "base_width_mm": 40.0}}'
            )
        ),
    ]
    grid: HexGridFile | SquareGridFile | None = None
    log: list[Throw] | None = None
    overwritten: list[Overwritten] | None = None
    box: Json | None = None
    hand: list[HandEdit] | None = None
    overlays: list[OverlayObject] | None = None
    features: Features


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


def judge_grid(grid: Grid | None, board: Board, features: Iterable[Feature]) -> None:
    """Check that a board is as large as its grid, and that the grid has the cells of all features.

    Raises:
        RecordError: it is not, or a cell is missing; the message says what is right.
    """
    if grid is None:
        return
    for name, size, grid_size in (("width_mm", board.width, grid.width), ("depth_mm", board.depth, grid.depth)):
        if abs(size - grid_size) > _NEAR:
            raise RecordError(
                "board.{name} is {size:g}, but {grid} of {cell:g} mm needs {needed:.6g}",
                name=name,
                size=size,
                grid=grid.name,
                cell=grid.cell,
                needed=grid_size,
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


class Record(Struct, frozen=True, kw_only=True):
    """One saved game: its settings, its rolls and its battlefield.

    Attributes:
        rules: the name of the rule system.
        battlefield: the battlefield.
        settings: the values of settings by key.
        seed: the seed of the rolls.
        draft: the number of the drawing of its shapes, from 1; earlier ones broke a rule.
        reseeded: the seeds of stages that were rolled again, by stage.
        log: the rolls, cards and choices in order.
        details: the object named after the rule system.
        properties: the properties of features that only the rule system knows, by feature ID.
        box: the terrain pieces that the game is limited to, and how often it was rolled for them.
        hand: the changes by hand: the ID of a feature, with ``move``, ``turn`` or ``delete``.
        shapes: the number of the outlines of the rule system (``kit.plugin.Plugin``).
    """

    rules: str
    battlefield: Battlefield
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    draft: int = 1
    reseeded: Mapping[str, int] = field(default_factory=dict)
    log: tuple[Throw, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    box: Mapping[str, Any] = field(default_factory=dict)
    hand: tuple[Mapping[str, Any], ...] = ()
    shapes: int = FIRST_SHAPES


def record_parts(record: Record) -> Iterator[FeaturePart]:
    """Yield the features of a record in their order, and after each hill its steep stretches."""
    for feature in record.battlefield.features:
        yield from feature_parts(feature, record.properties.get(feature.id, {}))


def overlay_properties(overlay: Overlay) -> Json:
    """Return the properties of the object that an overlay has in a record."""
    return {"kind": overlay.kind, "label": overlay.label, "side": overlay.side}


def write(record: Record) -> str:
    """Return the record as GeoJSON text with one line for each roll and feature; equal records give equal text."""
    board, scale = record.battlefield.board, record.battlefield.board.scale
    document: Json = {
        "type": "FeatureCollection",
        "printkit": {"format": FORMAT, "version": __version__, "shapes": record.shapes},
        "coordinates": _COORDINATES,
        "crs": _PLANE,
        "rules": record.rules,
        "settings": dict(sorted(record.settings.items())),
        "seed": record.seed,
        "draft": record.draft,
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
        "overwritten": _write_overwritten(record.log),
        record.rules: record.details,
        "box": record.box,
        "hand": list(record.hand),
        "overlays": [_overlay_object(overlay) for overlay in record.battlefield.overlays],
        "features": [part.write() for part in record_parts(record)],
    }
    for name in (record.rules, "box", "hand", "overwritten"):
        if not document[name]:
            del document[name]
    if record.draft == 1:
        del document["draft"]
    return "\n".join(_lines(document)) + "\n"


def read(text: str | Json, goings: Mapping[str, Going], rules: str = "") -> Record:
    """Return the record of a text.

    A record drawn by hand needs only ``type``, ``rules``, ``board``, and ``features`` with ``kind`` and a geometry. An
    ID that is missing is made of kind and number.

    Args:
        text: GeoJSON as ``write`` returns it, or its members from ``parse_record``.
        goings: the going of the rule system by name.
        rules: the name of the rule system, for a text without one.

    Raises:
        RecordError: a member is missing or wrong; the message says what is right.
    """
    tree = parse_record(text, rules)
    file = read_members(tree, RecordFile)
    battlefield = Battlefield(
        board=file.board.read(),
        features=read_features(file.features, goings),
        overlays=tuple(_read_overlay(item, number) for number, item in enumerate(file.overlays or (), 1)),
        title=file.title or "",
        grid=file.grid.read() if file.grid else None,
    )
    judge_grid(battlefield.grid, battlefield.board, battlefield.features)
    return Record(
        rules=file.rules,
        battlefield=battlefield,
        settings=file.settings or {},
        seed=file.seed,
        draft=file.draft or 1,
        reseeded=file.reseeded or {},
        log=_read_log(file),
        details=read_members(tree.get(file.rules) or {}, Json, file.rules),
        properties=read_extra(battlefield.features, file.features, tree),
        box=file.box or {},
        hand=tuple({"id": edit.id, "delete": True} if edit.delete else to_builtins(edit) for edit in file.hand or ()),
        shapes=(file.printkit and file.printkit.shapes) or FIRST_SHAPES,
    )


def read_members(tree: Any, kind: type[T], *names: str) -> T:
    """Return members of a record as a type; ``names`` lead to them from the root of the record, for errors.

    Raises:
        RecordError: a member is missing or wrong; names it, and what is right.
    """
    form: Any = kind
    for name in reversed(names):
        tree, form = {name: tree}, dict[str, form]
    try:
        members: Any = convert(tree, form, "")
    except FileError as error:
        raise RecordError("{error}", error=error) from None
    for name in names:
        members = members[name]
    return cast(T, members)


def find_detail(details: Mapping[str, Any], *names: str) -> Any:
    """Return a member of the object of the rule system by the names that lead to it; None if it is missing."""
    value: Any = details
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def read_detail(record: Record, kind: type[T], *names: str) -> T | None:
    """Return a member of the object of the rule system as a type, by the names that lead to it; None if it is missing.

    Raises:
        RecordError: it does not have the form of the type.
    """
    value = find_detail(record.details, *names)
    return None if value is None else read_members(value, kind, record.rules, *names)


def read_back(record: Record) -> Record:
    """Return the record as it is when read from its file, with rounded values. Maps are drawn from those values."""
    goings = [feature.going for feature in record.battlefield.features]
    goings += [face.going for hill in record.battlefield.features if isinstance(hill, Hill) for face in hill.faces]
    return read(write(record), {going.name: going for going in goings})


def parse_record(text: str | Json, rules: str = "") -> Json:
    """Return the members of a record, which ``read`` also takes.

    Args:
        text: the record, or its members.
        rules: the name of the rule system, for a text without one.

    Raises:
        RecordError: it is not a record, has no rule system, or was made by a newer printkit.
    """
    if isinstance(text, str):
        try:
            text = parse_json(text, "")
        except FileError as error:
            raise RecordError("{error}", error=error) from None
    if text.get("type") is None:
        raise RecordError("not a saved battlefield. These are the .json files that printkit writes with each map.")
    tree = {**text, "rules": rules} if rules and text.get("rules") is None else text
    made_by = read_members(tree, RecordHead).printkit
    if made_by and (made_by.format or 0) > FORMAT:
        raise RecordError(
            "printkit.format is {stated}: a newer printkit made it, and this one ({version__}) reads up to "
            "{format}; update printkit",
            stated=made_by.format,
            version__=__version__,
            format=FORMAT,
        )
    return tree


def _length(value: float) -> float:
    return round(float(value), _PLACES)


def _overlay_object(overlay: Overlay) -> Json:
    return {"type": "Feature", "geometry": any_object(overlay.shape), "properties": overlay_properties(overlay)}


def _read_overlay(item: OverlayObject, number: int) -> Overlay:
    properties = item.properties
    return Overlay(
        kind=properties.kind,
        shape=read_any(item.geometry, f"overlays {number}"),
        label=properties.label or "",
        side=properties.side or "",
    )


def _throw_object(throw: Throw) -> Json:
    members = {name: getattr(throw, name) for name in ("stage", "reason", "asked", "answer", "clause")}
    return members if throw.seeded else {**members, "seeded": False}


def _write_overwritten(log: Iterable[Throw]) -> list[Json]:
    """Return the rolls that the user replaced: the number, the old and the new answer of each."""
    return [
        {"throw": number, "was": throw.was, "answer": throw.answer} for number, throw in enumerate(log, 1) if throw.was
    ]


def _read_log(file: RecordFile) -> tuple[Throw, ...]:
    """Return the rolls of a record, with the answers that the user replaced.

    Raises:
        RecordError: ``overwritten`` names a roll that the log does not have.
    """
    throws = list(file.log or ())
    for item in file.overwritten or ():
        if not 1 <= item.throw <= len(throws):
            raise RecordError(
                "overwritten: throw = {throw} is not a roll of the log; it has {count}",
                throw=item.throw,
                count=len(throws),
            )
        throws[item.throw - 1] = replace(throws[item.throw - 1], seeded=False, was=item.was)
    return tuple(throws)


def _lines(document: Json) -> Iterator[str]:
    """Yield the lines of the text: one for each member, and one for each roll, zone and feature."""
    yield "{"
    last = len(document) - 1
    for place, (name, value) in enumerate(document.items()):
        yield f" {json.dumps(name)}: {_indent(value, 1)}{'' if place == last else ','}"
    yield "}"


def _indent(value: Any, depth: int) -> str:
    """Return the text of a value: one line for each object of a list, and for each member that has lists."""
    pad = " " * (depth + 1)
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, Mapping) for part in value):
        lines = [f"{pad}{_compact(part)}" for part in value]
        opening, closing = "[", "]"
    elif isinstance(value, Mapping) and any(isinstance(part, (list, tuple, Mapping)) for part in value.values()):
        lines = [f"{pad}{json.dumps(name)}: {_indent(part, depth + 1)}" for name, part in value.items()]
        opening, closing = "{", "}"
    else:
        return _compact(value)
    return f"{opening}\n" + ",\n".join(lines) + f"\n{' ' * depth}{closing}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
