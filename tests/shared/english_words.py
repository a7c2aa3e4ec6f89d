"""Looks for English in what is said in another language: whole words that the other language does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from printkit.kit.book import RuleBook

_WORDS = """
the of and to is by for with from are be an or not it this that its which who where when what does have were may
must can any each both other first second third left right near far either neither more less than least most
between over under out off if else only all none some same own their his her your you they we our after before
until while then again also never always nothing nobody whole half how why there here would should about into
one two three four five six seven eight nine ten twelve
side sides edge edges board cards deck sheet sheets player players turn turns bound bounds die thrown
throw throws roll rolls rolled hill hills wood woods road roads river rivers stream streams lake marsh swamp field
fields fence wall town village farm fort hamlet ground going good bad rough open clear attacker defender
invader army armies column columns front rear depth width height length size scale map legend key title page
pages state states reminder reference number zone zones square squares list choice setting settings value start
end deployment line centre foot horse mounted element elements group reserve flank piece pieces place placed yes
wilderness railroad railway ford bridge crossing pool scrub gentle steep slope light heavy broken built area areas
steppe arable forest hilly dry littoral waterway gully dunes plough enclosures rocky boggy stage seed record kept
judged battlefield country tables forces home water rule rules cavalry infantry spears bows
"""

ENGLISH = frozenset(_WORDS.split())
"""Words of a rule text and of its grammar that Spanish does not have."""

_WORD = re.compile(r"[A-Za-zÀ-ÿ]+")
_TYPED = re.compile(r"[./=_<>{}\\\[\]|0-9]|^-|-\w+-|^[A-Z]{2}")
"""What is typed or looked up as it stands: names of files and options, clauses, codes of troops."""

_QUOTED = re.compile(r"«[^»]*»")
"""Titles of books, in guillemets."""


def english(text: str, typed: Iterable[str] = ()) -> Iterator[str]:
    """Yield the English words of a text, except those that are typed as they stand, as the name of a setting."""
    known = set(typed)
    for piece in _QUOTED.sub(" ", text).split():
        bare = piece.strip(".,;:()*!?¿¡–—·«»'\"")
        if _TYPED.search(bare) or bare in known:
            continue
        yield from (word for word in _WORD.findall(bare) if word.lower() in ENGLISH and word.lower() not in known)


def of_settings(book: RuleBook) -> set[str]:
    """Return the keys, values and names of the settings of a book, whole and in their parts."""
    found: set[str] = set()
    for setting in book.settings:
        for text in (*setting.names, *setting.values):
            found |= {text, text.lower(), *re.split(r"[^a-z0-9]+", text.lower())}
    return found
