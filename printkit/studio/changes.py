"""Changes of a battlefield by dice: overwrite a roll, roll a stage again; and a summary of the changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from printkit.api import Field
from printkit.core.words import Words
from printkit.kit import registry
from printkit.recipes.game.like import like
from printkit.recipes.game.roll_text import ThrowText, feature_labels
from printkit.studio.app_state import AppState
from printkit.studio.session import Change, SavedField
from printkit.studio.tokens import fresh_seed
from printkit.terrain.field.features import Feature


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
