"""How each feature of a record came about, in sentences; what they say is a rule system's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from printkit.chance.dice import Act, Throw
from printkit.core.words import BETWEEN, Words
from printkit.kit.book import RuleBook
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record

Teller = Callable[[Feature], Iterable[str]]
"""Tells of a feature in one language; nothing where the record says nothing of it."""


def by_feature(record: Record, words: Words, teller: Callable[[Record, Words], Teller]) -> dict[str, str]:
    """Return, by the ID of the feature, how it came about; what the record does not tell is left out.

    It needs nothing but the record, so that one printed again tells the same. In two languages both stand side by side.

    Args:
        teller: makes what tells of the features of a record in one language.
    """
    tellers = [teller(record, language) for language in words.each()]
    found = {}
    for feature in record.battlefield.features:
        texts = [" ".join(tell(feature)) for tell in tellers]
        if all(texts):
            found[feature.id] = BETWEEN.join(texts)
    return found


def dice_of(feature: Feature, log: Sequence[Throw]) -> list[str]:
    """Return the answers of the dice by which a feature came about, in the order thrown."""
    thrown = [log[place - 1] for place in feature.origin.throws if 0 < place <= len(log)]
    return [throw.answer for throw in thrown if throw.act is Act.DIE]


def clause_of_value(book: RuleBook, clause: str, value: str) -> str:
    """Return the clause of the row that a value names, where a clause is that of the first row; else the clause itself.

    A setting and a throw for it cite the first row of the list that has their values, for example that of the first
    home topography.
    """
    keys = {setting.key for setting in book.settings if setting.clause == clause and value in setting.values}
    for rows in book.rows.values():
        key = next(iter(rows[0]), "") if rows and rows[0].get("clause") == clause else ""
        if key in keys:
            return next((str(row["clause"]) for row in rows if row[key] == value), clause)
    return clause
