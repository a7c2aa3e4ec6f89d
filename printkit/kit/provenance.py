"""Sentences about the origin of each feature of a record; the rule systems supply the sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from printkit.chance.dice import Act, Throw
from printkit.core.words import SEPARATOR, Words
from printkit.kit.book import RuleBook
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record

# A function that returns the sentences about a feature in one language; empty if the record does not mention it.
Teller = Callable[[Feature], Iterable[str]]


def describe_features(record: Record, words: Words, build_teller: Callable[[Record, Words], Teller]) -> dict[str, str]:
    """Return sentences about the origin of each feature, by its ID.

    Features without sentences in one of the languages are left out. The text depends only on the record, so a reprint
    is the same. With two languages it contains both, separated by a raised dot.

    Args:
        record: the record of the features.
        words: the texts of one or two languages.
        build_teller: gets the record and the texts of one language and returns a function. That function gets a feature
            and yields the sentences about it.
    """
    tellers = [build_teller(record, language) for language in words.each()]
    accounts = {}
    for feature in record.battlefield.features:
        texts = [" ".join(describe(feature)) for describe in tellers]
        if all(texts):
            accounts[feature.id] = SEPARATOR.join(texts)
    return accounts


def append_note(accounts: Mapping[str, str], feature_id: str, notes: Sequence[str]) -> dict[str, str]:
    """Return accounts, texts by feature ID, with a note at the end of one; ``notes`` has it in each language.

    A note that the account has already is left out.
    """
    parts = accounts.get(feature_id, "").split(SEPARATOR)
    if len(parts) != len(notes):
        parts = [parts[0]] * len(notes)
    texts = [
        part if note in part else f"{part.rstrip('.')}. {note}" if part else note
        for part, note in zip(parts, notes, strict=True)
    ]
    return {**accounts, feature_id: SEPARATOR.join(texts)}


def scores_of_feature(feature: Feature, log: Sequence[Throw]) -> list[str]:
    """Return the scores of the dice that made a feature, in the order of its origin; empty if no die made it.

    Scores are texts as in the log. Cards and choices are left out. ``log`` is the complete log, because the feature
    names its rolls by number, from 1.
    """
    rolls = [log[place - 1] for place in feature.origin.throws if 0 < place <= len(log)]
    return [throw.answer for throw in rolls if throw.act is Act.DIE]


def clause_of_value(book: RuleBook, clause: str, value: str) -> str:
    """Return the clause of the row with this value if ``clause`` is that of the first row of a list.

    Otherwise return ``clause``. A setting, and a roll for it, cite the first row of the list of their values, for
    example the first home topography. ``value`` is a value of the setting, as written in the book.
    """
    keys = {setting.key for setting in book.settings if setting.clause == clause and value in setting.values}
    for rows in book.rows.values():
        key = next(iter(rows[0]), "") if rows and rows[0].get("clause") == clause else ""
        if key in keys:
            return next((str(row["clause"]) for row in rows if row[key] == value), clause)
    return clause
