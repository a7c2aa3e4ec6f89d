"""Changes of a battlefield by dice or by hand: rolls, stages, moved or deleted features; and a summary of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from printkit.api import Field, load
from printkit.core.errors import PrintkitError, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit import registry
from printkit.recipes.game.hand_edits import Gesture, apply_gesture, restore_feature
from printkit.recipes.game.like import like
from printkit.recipes.game.roll_text import ThrowText, feature_labels
from printkit.studio.app_state import AppState
from printkit.studio.session import Change, SavedField
from printkit.studio.tokens import fresh_seed
from printkit.studio.views import path_of
from printkit.studio.worker_process import check_in_process
from printkit.terrain.field.battlefield import GroundScale
from printkit.terrain.field.features import Area, Feature, Hill
from printkit.terrain.field.transforms import extend_board

# Degrees of one press of a rotate button.
STEP: Final = 15.0

# Steps back to look for the battlefield without edits.
_FARTHEST_BACK: Final = 400


def parse_gesture(form: Mapping[str, str], scale: GroundScale) -> Gesture:
    """Return the edit in a form; ``do`` is ``move``, ``left``, ``right`` or ``delete``.

    Lengths are in the ``unit`` of the form, on a board with this scale; ``left`` and ``right`` turn by 15 degrees.

    Raises:
        UsageError: a length is not a number.
    """
    name, do = form.get("id", ""), form.get("do", "move")
    if do == "delete":
        return Gesture(id=name, delete=True)
    if do in ("left", "right"):
        return Gesture(id=name, turn=STEP if do == "left" else -STEP)
    unit_mm = board_units(scale).get(form.get("unit", ""), 1.0)
    return Gesture(id=name, move=(_parse_length(form, "right") * unit_mm, _parse_length(form, "farther") * unit_mm))


def board_units(scale: GroundScale) -> dict[str, float]:
    """Return the units of lengths on a board in mm, by name: inches, mm and, if the rules have them, base widths."""
    return {"in": MM_PER_INCH, "mm": 1.0, **({"bw": scale.base_width} if scale.has_bases() else {})}


def _parse_length(form: Mapping[str, str], name: str) -> float:
    """Return the number in a field of a form; 0 for an empty one.

    Raises:
        UsageError: the text is not a number.
    """
    text = form.get(name, "")
    plain = text.strip().replace(",", ".").replace("−", "-")
    try:
        number = float(plain) if plain else 0.0
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise UsageError("{text!r} is not a number", text=text)
    return number


def edit_by_hand(app: AppState, field: str, form: Mapping[str, str], style: str, lang: str) -> SavedField:
    """Return the battlefield after the edit in a form, and start drawing it; ``field`` is its ID.

    Raises:
        PrintkitError: the feature does not exist, or cannot be edited by hand.
    """
    battlefield = app.sitting.field(field)
    system = registry.find(battlefield.rules)
    if form.get("do") == "back":
        origin = original_field(app, field)
        if origin is None:
            raise UsageError("its old position is unknown: this battlefield was opened as saved")
        record = restore_feature(system, battlefield.record, form.get("id", ""), origin.record)
    else:
        gesture = parse_gesture(form, battlefield.record.battlefield.board.scale)
        record = apply_gesture(system, battlefield.record, gesture)
    return app.keep(Field(record=record), style, lang, parent=field, change=Change(what="hand"))


def original_field(app: AppState, field: str) -> Field | None:
    """Return the battlefield before all edits by hand, or None if the session does not have it.

    ``field`` is the ID of the edited battlefield.
    """
    name = field
    for _ in range(_FARTHEST_BACK):
        with suppress(PrintkitError):
            battlefield = app.sitting.field(name)
            if not battlefield.record.hand:
                return battlefield
            if parent := app.sitting.find(name).parent:
                name = parent
                continue
        return None
    return None


class EditedFeature(Struct, frozen=True, kw_only=True):
    """A feature edited by hand: the edit in words, and the SVG path of the old outline."""

    id: str
    name: str
    what: str
    path: str
    deleted: bool


def edited_features(app: AppState, saved_field: SavedField, words: Words) -> Iterator[EditedFeature]:
    """Yield the features of a battlefield that were edited by hand; nothing without edits.

    The path is SVG data of the outline before the edits, in mm on the board; empty for features without one.
    """
    field = app.sitting.field(saved_field.id)
    origin = original_field(app, saved_field.id) if field.record.hand else None
    originals = (
        {} if origin is None else {feature.id: feature for feature in extend_board(origin.record.battlefield).features}
    )
    names = feature_labels((origin or field).record.battlefield, words)
    depth = extend_board(field.record.battlefield).board.depth
    units = board_units(field.record.battlefield.board.scale)
    units = {name: unit_mm for name, unit_mm in units.items() if name in (app.preferences.unit, "bw")}
    for entry in field.record.hand:
        name = str(entry.get("id", ""))
        original = originals.get(name)
        path = path_of(original.outline, depth) if isinstance(original, Area | Hill) else ""
        yield EditedFeature(
            id=name,
            name=names.get(name, name),
            what=_describe_edit(entry, units, words),
            path=path,
            deleted=bool(entry.get("delete")),
        )


def _describe_edit(entry: Mapping[str, Any], units: Mapping[str, float], words: Words) -> str:
    """Return an edit by hand in words: deleted, moved by lengths on the board, turned by degrees, or unchanged.

    ``move`` is to the right and away in mm; moves under 0.5 mm are left out. ``units`` are the units of lengths in mm.
    """
    if entry.get("delete"):
        return words("studio.hand.deleted")
    parts = []
    right_mm, farther_mm = entry.get("move", [0.0, 0.0])
    for value, more, less in ((right_mm, "right", "left"), (farther_mm, "farther", "nearer")):
        if abs(value) >= 0.5:
            length = " = ".join(format_length(abs(value) / unit_mm, name, words) for name, unit_mm in units.items())
            parts.append(words(f"studio.hand.{more if value > 0 else less}", length=length))
    if turn := entry.get("turn", 0.0):
        parts.append(words("studio.hand.turned", degrees=f"{turn:g}"))
    return ", ".join(parts) or words("studio.hand.where-it-was")


def format_length(number: float, unit: str, words: Words) -> str:
    """Return a number of units as text: whole millimetres, other units with one decimal."""
    text = f"{number:.{0 if unit == 'mm' else 1}f}".replace(".", words("leaflets.decimal"))
    return f"{text} {words(f'studio.hand.unit.{unit}')}"


# --- Records from elsewhere -------------------------------------------------------------------------------------------


def open_record(app: AppState, text: str, lang: str) -> SavedField:
    """Check the text of a record from elsewhere in a separate process, save it in the session, and return its entry.

    Raises:
        PrintkitError: it is not a record, or the check takes too long.
    """
    folder = app.sitting.folder
    folder.mkdir(parents=True, exist_ok=True)
    upload = folder / "brought.json"
    upload.write_text(text, encoding="utf-8", newline="\n")
    try:
        check_in_process(upload, lang)
        field = load(upload)
    finally:
        upload.unlink(missing_ok=True)
    return app.keep(field, "campaign", lang, change=Change(what="given"))


def replace_answer(app: AppState, field: str, throw: int, answer: str, style: str, lang: str) -> SavedField:
    """Save and return the battlefield with one roll replaced by the answer of the user.

    ``field`` is the ID of the battlefield, and ``throw`` the number of the roll, from 1.

    Raises:
        PrintkitError: the roll does not exist, or it cannot have this answer.
    """
    battlefield = app.sitting.field(field).overwrite({throw: answer}, seed=fresh_seed(), lang=lang)
    change = Change(what="overwrite", throw=throw, answer=answer, renewed=battlefield.renewed)
    return app.keep(battlefield, style, lang, parent=field, change=change)


def roll_stage_again(app: AppState, field: str, stage: str, style: str, lang: str) -> SavedField:
    """Save and return the battlefield with one stage rolled again; ``field`` is its ID.

    Raises:
        PrintkitError: the stage does not exist, or the battlefield was drawn by hand.
    """
    battlefield = app.sitting.field(field).reroll(stage, seed=fresh_seed(), lang=lang)
    change = Change(what="again", stage=stage, renewed=battlefield.renewed)
    return app.keep(battlefield, style, lang, parent=field, change=change)


def find_like(app: AppState, field: str, wish: str, style: str, lang: str) -> SavedField:
    """Save and return the battlefield that is like another one and fits a wish best; ``field`` is the other ID.

    Raises:
        PrintkitError: the wish does not exist, or the other battlefield was drawn by hand.
    """
    battlefield = app.sitting.field(field)
    similar_game = like(registry.find(battlefield.rules), battlefield.record, wish, fresh_seed(), app.words(lang))
    change = Change(what="like", stage=wish, count=similar_game.count, before=similar_game.before)
    return app.keep(Field(record=similar_game.game.record), style, lang, parent=field, change=change)


def describe_effects(change: Change, field: Field, previous_field: Field, words: Words) -> Iterator[str]:
    """Yield sentences about the effects of a change of rolls: removed, added and moved features, other new rolls."""
    yield from _describe_differences(field, previous_field, words)
    if change.renewed:
        teller = ThrowText(words, rules=field.rules)
        stages = ", ".join(teller.stage(stage) for stage in change.renewed)
        yield words("studio.throws.told-renewed", stages=stages)


def summarise_change(app: AppState, saved_field: SavedField, words: Words) -> str:
    """Return the change that made a battlefield in a few words, without a full stop; empty for a new battlefield.

    Raises:
        PrintkitError: the battlefield or the one before it can no longer be read.
    """
    change = saved_field.change
    if not saved_field.parent:
        return ""
    field, previous_field = app.sitting.field(saved_field.id), app.sitting.field(saved_field.parent)
    names = feature_labels(previous_field.record.battlefield, words)
    teller = ThrowText(words, names, field.rules)
    if change.what == "overwrite" and 0 < change.throw <= len(field.record.log):
        throw = field.record.log[change.throw - 1]
        was = teller.tell(throw.was or previous_field.record.log[change.throw - 1].answer)
        return words(
            "studio.change.overwritten", reason=teller.tell(throw.reason), was=was, answer=teller.answer(throw)
        )
    if change.what == "again":
        return words("studio.change.again-of", stage=teller.stage(change.stage))
    if change.what == "hand":
        return ", ".join(_summarise_edits(field, previous_field, names, words))
    return words("studio.change.like" if change.what == "like" else "studio.change.other")


def _summarise_edits(field: Field, previous_field: Field, names: Mapping[str, str], words: Words) -> Iterator[str]:
    """Yield the features that an edit by hand moved, deleted or put back; ``names`` has their labels by ID."""
    old, new = (
        {str(entry.get("id", "")): entry for entry in version.record.hand} for version in (previous_field, field)
    )
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) == new.get(name):
            continue
        key = "restored" if name not in new else "deleted" if new[name].get("delete") else "moved"
        yield words(f"studio.change.{key}", name=names.get(name, name))


def _describe_differences(field: Field, previous_field: Field, words: Words) -> Iterator[str]:
    """Yield sentences that name the features removed, added and moved, or one if there are none.

    Labels are those of the earlier battlefield for removed features.
    """
    old, new = _features_by_id(previous_field), _features_by_id(field)
    dialect = words.in_dialect(field.rules, registry.find(field.rules).book.names)
    was, now = (feature_labels(version.record.battlefield, dialect) for version in (previous_field, field))
    removed_names = [was[key] for key in old if key not in new]
    added_names = [now[key] for key in new if key not in old]
    moved_names = [now[key] for key in new if key in old and _feature_look(new[key]) != _feature_look(old[key])]
    for key, names in (("gone", removed_names), ("new", added_names), ("moved", moved_names)):
        if names:
            yield words(f"studio.throws.told-{key}", names=", ".join(names))
    if not (removed_names or added_names or moved_names):
        yield words("studio.throws.told-same")


def _features_by_id(field: Field) -> dict[str, Feature]:
    """Return the features of a battlefield by their ID."""
    return {feature.id: feature for feature in field.record.battlefield.features}


def _feature_look(feature: Feature) -> tuple[object, ...]:
    """Return what a feature looks like, to compare it: kind, going, cover and shape."""
    shape = getattr(feature, "outline", None) or getattr(feature, "line", None) or getattr(feature, "at", None)
    cover = getattr(feature, "cover", None)
    return feature.kind, feature.going, cover, None if shape is None else shape.wkb
