"""The user's own army in a form: a list in plain words, ``3 elephants, 4 spears (general)``, or an army file.

The list becomes published notation. A list that cannot be read gives one short question, with answers to choose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.errors import ScenarioError
from printkit.core.nearest import plain_key
from printkit.core.words import Words, available_languages, find_words
from printkit.systems.dba.armies.army_list import STRENGTH
from printkit.systems.dba.armies.list_notation import AGGRESSION, ARMY_NAME, GENERAL_MARK, parse_notation
from printkit.systems.solo.armies.force import Home, TroopTable, read_troops

_BREAK: Final = re.compile(r"[,;\n]|\s(?=ag[gr]\w*\s*[:=]?\s*[0-9])", re.IGNORECASE)
_PART: Final = re.compile(r"(?P<number>[1-9][0-9]{0,3})(?:\s*[x×*]\s*|\s+)(?P<kind>\S.*)")
# A mark that only published lists with choices have.
_CHOICE: Final = re.compile(r"[(/+]|\s(?:or|o|and|y)\s")
_TOML: Final = re.compile(r"^[ \t]*+(?:\[|[\w.\"]++[ \t]*+=)", re.MULTILINE)
_NOT_IN_NAMES: Final = re.compile(r"[:;(]|[^ -~\w]")
_LONGEST_NAME: Final = 60
_LONGEST_LIST: Final = 1000
# How similar an unknown kind is to a known one that is proposed for it, from 0 to 1.
_LIKENESS: Final = 0.6
_GENERAL: Final = "general"
_CAMP_FOLLOWERS: Final = "CF"


class ListLine(Struct, frozen=True, kw_only=True):
    """A part of the list: the number, the kind as typed, its code, the name of its type, and if it has the general."""

    number: int
    kind: str
    code: str
    name: str
    has_general: bool = False


class ListAnswer(Struct, frozen=True, kw_only=True):
    """An answer to choose: its label, and the list as it then is."""

    label: str
    text: str


# The first problem of a list, and the answers to choose; None and no answers for a complete list.
_Question: TypeAlias = tuple[ScenarioError | None, Sequence[ListAnswer]]


class PlainList(Struct, frozen=True, kw_only=True):
    """An army as it was read.

    Attributes:
        army: the army for a command: a list on one line, or the text of an army file.
        lines: the parts that were understood; none for a file or a list with choices.
        problem: what is wrong or missing; None for a complete army.
        answers: the answers to the problem, if it has a few.
    """

    army: str = ""
    lines: tuple[ListLine, ...] = ()
    problem: ScenarioError | None = None
    answers: tuple[ListAnswer, ...] = ()

    @property
    def total(self) -> int:
        """Return the number of elements that were understood, the general's included."""
        return sum(line.number for line in self.lines)


class _Pieces(Struct, kw_only=True):
    """The list while it is read: its pieces as typed, and their meanings; facts end the list."""

    pieces: list[str]
    lines: dict[int, ListLine] = {}
    facts: dict[str, str] = {}

    def replace_pieces(self, changes: Mapping[int, str], fact: str = "") -> str:
        """Return the list with other pieces, without those that become empty, and with one more fact.

        ``changes`` has the new texts by index, from 0.
        """
        texts = [changes.get(index, piece) for index, piece in enumerate(self.pieces)]
        return ", ".join(filter(None, [*texts, fact]))


def read_plain_list(text: str, name: str, words: Words) -> PlainList:
    """Read an army that the user typed or dropped; a list that cannot be used gives a problem, never an error.

    The result has the army as one line for the program, and what was understood. Otherwise it has the problem and texts
    to choose from. The text of an army file is returned as it is.

    Args:
        text: the list, or the text of an army file.
        name: the name of the army, unless the text has one.
        words: the language of the answers. Kinds of elements are understood in every language.
    """
    if _TOML.search(text):
        return PlainList(army=text)
    if len(text) > _LONGEST_LIST:
        return PlainList(
            problem=ScenarioError("The list is longer than {most} characters. Shorten it.", most=_LONGEST_LIST)
        )
    match = ARMY_NAME.match(text)
    name, text = (match["name"], text[match.end() :]) if match else (" ".join(name.split()), text)
    if len(name) > _LONGEST_NAME or _NOT_IN_NAMES.search(name):
        return PlainList(
            problem=ScenarioError(
                "The name {name!r} cannot be used. Write at most {most} letters, without : ; and (.",
                name=name[:_LONGEST_NAME],
                most=_LONGEST_NAME,
            )
        )
    reading = _read(text, words)
    if reading.problem is None:
        return PlainList(army=f"{name}: {reading.army}", lines=reading.lines)
    if _CHOICE.search(GENERAL_MARK.sub(" ", text)):
        try:
            parse_notation(text, tuple(Home))
        except ScenarioError:
            return reading
        # The command that begins the battle checks the rest.
        return PlainList(army=f"{name}: {text}")
    return reading


def _read(text: str, words: Words) -> PlainList:
    """Read a list without its name; ``army`` of the answer has no name either."""
    pieces = _Pieces(pieces=[piece.strip(" .") for piece in _BREAK.split(text) if piece.strip(" .")])
    loose_general = None
    for index, piece in enumerate(pieces.pieces):
        bare = GENERAL_MARK.sub(" ", piece).strip()
        match = _PART.fullmatch(bare)
        kind = match["kind"] if match else bare
        if _find_key(kind) == _GENERAL:
            loose_general = index
        elif match and (code := _find_code(kind)):
            troop = _troops().find_type(code)
            name = words(f"npg.army.troop.{troop.code}") if troop else ""
            pieces.lines[index] = ListLine(
                number=int(match["number"]), kind=kind, code=code, name=name, has_general=bare != piece
            )
        elif (home := _homes().get(_find_key(bare))) is not None:
            pieces.facts["home"] = home
        elif aggression := AGGRESSION.fullmatch(bare):
            pieces.facts["aggression"] = aggression["number"]
        else:
            problem, answers = _unknown(pieces, index, kind, words, counted=match is not None)
            break
    else:
        problem, answers = _missing(pieces, loose_general, words)
    lines = tuple(pieces.lines.values())
    element_texts = ", ".join(f"{line.number}x{line.code}{' (Gen)' if line.has_general else ''}" for line in lines)
    facts = "; {home}, aggression {aggression}".format(**pieces.facts) if problem is None else ""
    return PlainList(army=element_texts + facts, lines=lines, problem=problem, answers=tuple(answers))


def _unknown(pieces: _Pieces, index: int, kind: str, words: Words, *, counted: bool) -> _Question:
    """Return the question about a piece that is not known, or is not counted, and the answers to choose.

    ``index`` is that of the piece, from 0, and ``kind`` its kind as typed. ``counted`` says whether a number is in
    front of it. There may be no answers to choose.
    """
    if not counted and _find_code(kind):
        return ScenarioError("Write a number before {kind!r}, for example 4 {example}.", kind=kind, example=kind), ()
    kinds = _kinds()
    if similar_kinds := get_close_matches(_find_key(kind), kinds, n=1, cutoff=_LIKENESS):
        code = kinds[similar_kinds[0]]
        troop = words(f"npg.army.troop.{code}")
        text = pieces.replace_pieces({index: pieces.pieces[index].replace(kind, troop.lower())})
        question = ScenarioError("I do not know {kind!r}. {troop} ({code})?", kind=kind, troop=troop, code=code)
        return question, [ListAnswer(label=f"{troop} ({code})", text=text)]
    codes = [troop.code for troop in _troops().types if troop.code != _CAMP_FOLLOWERS]
    code_names = ", ".join(f"{words(f'npg.army.troop.{code}').lower()} ({code})" for code in codes)
    return ScenarioError(
        "I do not know {kind!r}. Write numbers and kinds, separated by commas. The kinds are {known}.",
        kind=kind,
        known=code_names,
    ), ()


def _missing(pieces: _Pieces, loose_general: int | None, words: Words) -> _Question:
    """Return the first thing that is missing in a list whose pieces are all known, and the answers to choose.

    ``loose_general`` is the index, from 0, of a piece that only says "general". The result for a
    complete list: None and no answers.
    """
    lines = pieces.lines
    total = sum(line.number for line in lines.values())
    general_count = sum(line.has_general for line in lines.values())
    if loose_general is not None or (general_count != 1 and lines):
        answers = list(_general_answers(pieces, loose_general, total, words))
        if loose_general is not None:
            return ScenarioError("'general' is not a kind of element. Which element carries your general?"), answers
        if general_count:
            return ScenarioError("Only one kind of element carries the general. Which one?"), answers
        return ScenarioError("Which element carries your general?"), answers
    if total != STRENGTH:
        return ScenarioError("{count} elements; an army has {strength}.", count=total, strength=STRENGTH), ()
    if "home" not in pieces.facts:
        names = [words(f"npg.army.home.{home}") for home in Home]
        homes = [ListAnswer(label=name, text=pieces.replace_pieces({}, name.lower())) for name in names]
        return ScenarioError("What is the home of your army like?"), homes
    if pieces.facts.get("aggression", "") not in tuple("01234"):
        kept_pieces = {index: "" for index, piece in enumerate(pieces.pieces) if AGGRESSION.fullmatch(piece)}
        rates = [words("npg.army.aggression", aggression=rate) for rate in range(5)]
        rate_answers = [ListAnswer(label=rate, text=pieces.replace_pieces(kept_pieces, rate)) for rate in rates]
        return ScenarioError("How aggressive is your army, from 0 to 4?"), rate_answers
    return None, ()


def _general_answers(pieces: _Pieces, loose_general: int | None, total: int, words: Words) -> Iterator[ListAnswer]:
    """Yield the list with the general in each of its kinds of element, and with one element more if one is missing.

    ``total`` is the number of elements in the list.
    """
    bare = {index: GENERAL_MARK.sub(" ", pieces.pieces[index]).strip() for index in pieces.lines}
    if loose_general is not None:
        bare[loose_general] = ""
    for index, line in pieces.lines.items():
        yield ListAnswer(
            label=f"{line.kind} ({_GENERAL})",
            text=pieces.replace_pieces({**bare, index: f"{bare[index]} ({_GENERAL})"}),
        )
    if total == STRENGTH - 1:
        more = f"1 {words('npg.army.troop.Cv').lower()} ({_GENERAL})"
        yield ListAnswer(label=words("npg.army.one-more", element=more), text=f"{more}, {pieces.replace_pieces(bare)}")


def _find_code(kind: str) -> str:
    """Return the code of a kind of element: as typed if it is one, otherwise that of the word; empty if unknown."""
    troop = _troops().find_type(kind)
    if troop is not None and troop.code != _CAMP_FOLLOWERS and kind[-1].isascii():
        return kind
    return _kinds().get(_find_key(kind), "")


@cache
def _troops() -> TroopTable:
    """Return the table of troop types."""
    return read_troops()


@cache
def _kinds() -> Mapping[str, str]:
    """Return the code of the key of each code, of each name of a type and of each word in its list of words."""
    codes = [code for code in _troops().types_by_code if code != _CAMP_FOLLOWERS]
    keys = {f"npg.army.{table}.{code}": code for code in codes for table in ("troop", "also")}
    return {_find_key(code): code for code in codes} | _read_words(keys)


@cache
def _homes() -> Mapping[str, str]:
    """Return the home topography of the key of each word, in every language."""
    return {_find_key(home): home.value for home in Home} | _read_words(
        {f"npg.army.home.{home}": home for home in Home}
    )


def _read_words(meanings: Mapping[str, str]) -> dict[str, str]:
    """Return the meaning of the key of each word in the texts with these keys, in every language."""
    return {
        _find_key(word): str(meaning)
        for words in map(find_words, available_languages())
        for key, meaning in meanings.items()
        if words.has(key)
        for word in words(key).split(",")
    }


def _find_key(text: str) -> str:
    """Return the key of a word or a phrase for comparison: each word without its plural, in English and Spanish."""
    words = (plain_key(word) for word in re.split(r"[\s_-]+", text))
    return "".join(re.sub("ie$", "y", word).removesuffix("e") for word in words)
