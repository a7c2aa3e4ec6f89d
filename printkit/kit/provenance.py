"""Why each feature of a record is there, in sentences; a rule system states what its origin does not give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from printkit.chance.dice import Act, Throw
from printkit.core.words import SEPARATOR, Words
from printkit.kit.book import RuleBook
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record


class AccountLine:
    """A sentence of an account, or a part of one, in no language yet: the key of its text, and its values.

    A value may be a line itself, or a tuple of lines and texts, which are separated by spaces. A value of None removes
    the sentence from the account. ``change`` is applied to the text, for example ``str.lower``.
    """

    def __init__(self, key: str, change: Callable[[str], str] = str, /, **values: object) -> None:
        self.key = key
        self.change = change
        self.values = values

    def write(self, words: Words, origin: Mapping[str, object] | None = None) -> str:
        """Return the text in the languages of ``words``; values of the line replace those of ``origin``."""
        values = {name: _write_value(value, words) for name, value in self.values.items()}
        return self.change(words(self.key, **{**(origin or {}), **values}))


def _write_value(value: object, words: Words) -> object:
    """Return a value of a line, in the languages of ``words`` if it has lines."""
    if isinstance(value, tuple):
        return " ".join(str(_write_value(part, words)) for part in value)
    return value.write(words) if isinstance(value, AccountLine) else value


def account_features(
    record: Record, words: Words, explain: Callable[[Feature], Iterable[AccountLine]]
) -> dict[str, str]:
    """Return sentences about the origin of each feature, by its ID; features without a sentence are left out.

    ``explain`` yields the sentences about a feature. In all of them the texts may use the values of its origin: ``die``
    and ``dice`` (scores), ``clause`` and ``clauses``, ``player``, and ``kind`` in lower case.
    """

    def describe(feature: Feature, language: Words) -> Iterable[str]:
        scores = scores_of_feature(feature, record.log)
        origin = {
            "die": scores[0] if scores else "",
            "dice": ", ".join(scores),
            "clause": next(iter(feature.origin.clauses), ""),
            "clauses": ", ".join(filter(None, feature.origin.clauses)),
            "player": feature.origin.placed_by,
            "kind": language(f"kind.{feature.kind}").lower(),
        }
        return (line.write(language, origin) for line in explain(feature) if None not in line.values.values())

    return describe_features(record, words, describe)


def describe_features(
    record: Record, words: Words, describe: Callable[[Feature, Words], Iterable[str]]
) -> dict[str, str]:
    """Return the sentences that ``describe`` yields about each feature in one language, by its ID.

    Features without sentences in one of the languages are left out. The text depends only on the record, so a reprint
    is the same. With two languages it contains both, separated by a raised dot.
    """
    accounts = {}
    for feature in record.battlefield.features:
        texts = [" ".join(describe(feature, language)) for language in words.each()]
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


def rolls_of_feature(feature: Feature, log: Sequence[Throw]) -> list[Throw]:
    """Return the rolls, cards and choices of a feature, in the order of its origin; empty if there are none.

    ``log`` is the complete log, because the feature names its rolls by number, from 1.
    """
    return [log[number - 1] for number in feature.origin.throws if 0 < number <= len(log)]


def scores_of_feature(feature: Feature, log: Sequence[Throw]) -> list[str]:
    """Return the scores of the dice that made a feature, as texts as in the complete ``log``."""
    return [throw.answer for throw in rolls_of_feature(feature, log) if throw.act is Act.DIE]


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
