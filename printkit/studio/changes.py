"""Changes of a battlefield by dice: overwrite a roll, roll a stage again; and a summary of the changes."""

from __future__ import annotations

from collections.abc import Iterator

from printkit.api import Field
from printkit.core.words import Words
from printkit.kit import registry
from printkit.recipes.game.throw_text import ThrowText, feature_labels
from printkit.studio.desk import AppState
from printkit.studio.sitting import Change, SavedField
from printkit.studio.tokens import fresh_seed
from printkit.terrain.field.features import Feature


def overwritten(desk: AppState, field: str, throw: int, answer: str, style: str, lang: str) -> SavedField:
    """Return the battlefield with one roll replaced by the answer of the user.

    Raises:
        PrintkitError: the roll does not exist, or it cannot have this answer.
    """
    made = desk.sitting.field(field).overwrite({throw: answer}, seed=fresh_seed(), lang=lang)
    change = Change(what="overwrite", throw=throw, answer=answer, renewed=made.changed_stages)
    return desk.keep(made, style, lang, parent=field, change=change)


def thrown_again(desk: AppState, field: str, stage: str, style: str, lang: str) -> SavedField:
    """Return the battlefield with one stage rolled again.

    Raises:
        PrintkitError: the stage does not exist, or the battlefield was drawn by hand.
    """
    made = desk.sitting.field(field).reroll(stage, seed=fresh_seed(), lang=lang)
    change = Change(what="again", stage=stage, renewed=made.changed_stages)
    return desk.keep(made, style, lang, parent=field, change=change)


def told(kept: SavedField, made: Field, before: Field | None, words: Words) -> Iterator[str]:
    """Yield sentences about a change: the roll, features removed, added and moved, other stages rolled again."""
    change = kept.change
    if before is None or change.what not in ("overwrite", "again"):
        return
    teller = ThrowText(words, feature_labels(before.record.battlefield, words), made.rules)
    if change.what == "overwrite" and 0 < change.throw <= len(made.record.log):
        throw = made.record.log[change.throw - 1]
        was = teller.tell(throw.was or before.record.log[change.throw - 1].answer)
        yield words("studio.throws.told-mine", answer=teller.answer(throw), was=was, reason=teller.tell(throw.reason))
    elif change.what == "again":
        yield words("studio.throws.told-again", stage=teller.stage(change.stage))
    yield from _differences(made, before, words)
    if change.renewed:
        stages = ", ".join(teller.stage(stage) for stage in change.renewed)
        yield words("studio.throws.told-renewed", stages=stages)


def _differences(made: Field, before: Field, words: Words) -> Iterator[str]:
    old, new = _by_id(before), _by_id(made)
    dialect = words.in_dialect(made.rules, registry.find(made.rules).book.names)
    was, now = (feature_labels(each.record.battlefield, dialect) for each in (before, made))
    gone = [was[key] for key in old if key not in new]
    fresh = [now[key] for key in new if key not in old]
    moved = [now[key] for key in new if key in old and _looks(new[key]) != _looks(old[key])]
    for key, names in (("gone", gone), ("new", fresh), ("moved", moved)):
        if names:
            yield words(f"studio.throws.told-{key}", names=", ".join(names))
    if not (gone or fresh or moved):
        yield words("studio.throws.told-same")


def _by_id(made: Field) -> dict[str, Feature]:
    return {feature.id: feature for feature in made.record.battlefield.features}


def _looks(feature: Feature) -> tuple[object, ...]:
    shape = getattr(feature, "outline", None) or getattr(feature, "line", None) or getattr(feature, "at", None)
    cover = getattr(feature, "cover", None)
    return feature.kind, feature.going, cover, None if shape is None else shape.wkb
