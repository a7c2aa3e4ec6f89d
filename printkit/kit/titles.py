"""What a rule book says of itself, in the languages of a document: its title, those of its clauses and settings.

A book is written in English; another language has what it says of it in a file ``book-NAME.toml`` of its messages, by
the ID of each clause and the key of each setting. What is missing there is said in English.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from printkit.core.words import BETWEEN, Words, book_lines

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook, Setting


def clause_title(book: RuleBook, clause: str, words: Words) -> str:
    """Return the title of a clause; of one that the book does not list, an empty text."""
    return _told(book, "clauses", clause, book.clauses.get(clause, ""), words)


def setting_title(book: RuleBook, setting: Setting, words: Words) -> str:
    """Return what a setting decides."""
    return _told(book, "settings", setting.key, setting.title, words)


def setting_like(book: RuleBook, setting: Setting, words: Words) -> str:
    """Return in words what a setting takes beside its values."""
    return _told(book, "likes", setting.key, setting.like, words)


def book_title(book: RuleBook, words: Words) -> str:
    """Return the title of the book itself."""
    return _told(book, "book", "title", book.title, words)


def _told(book: RuleBook, table: str, key: str, english: str, words: Words) -> str:
    """Return a line of a table in each language, parted by a raised dot; the same in both stands once."""
    found = []
    for language in words.languages:
        shelves = (book_lines(language, name).get(table, {}) for name in filter(None, (book.name, book.shares)))
        found.append(next((shelf[key] for shelf in shelves if key in shelf), english))
    return BETWEEN.join(dict.fromkeys(found))
