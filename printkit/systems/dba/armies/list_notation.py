"""An army on one line in published notation: ``1xCv (Gen), 2x(LCh or Cv), 6x4Wb, 1xPs; hilly, aggression 3``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import ScenarioError
from printkit.core.numbers import is_number

_COUNTED: Final = re.compile(r"(?P<count>[0-9]{1,9})\s*(?:[x×*]\s*(?P<crossed>.+)|\s+(?P<plain>.+))", re.DOTALL)
GENERAL_MARK: Final = re.compile(r"(?:(?<!\s)\s++)?\(\s*+(?:gen|general|c-in-c)\.?\s*+\)\s*", re.IGNORECASE)
_LABELLED: Final = re.compile(r"(?P<label>[^()]*[^()\s])\s*\((?P<inside>.+)\)", re.DOTALL)
_CODE: Final = re.compile(r"(?:Mtd-)?(?:[0-9](?:/[0-9])?)?[A-Z][A-Za-z]{1,2}(?://[0-9]?[A-Z][A-Za-z]{1,2})?")
_FIGURES: Final = re.compile(r"(?P<mark>solid|fast)\s+(?P<code>[A-Z][A-Za-z]*)", re.IGNORECASE)
# Figures on the base of solid and of fast foot.
_FIGURE_COUNTS: Final = {"solid": "4", "fast": "3"}

_OR: Final = re.compile(r"(?<!\s)\s++(?:or|o)\s+|(?<=[A-Za-z])\s*(?<!/)/(?!/)\s*(?=[0-9]?[A-Z])")
_AND: Final = re.compile(r"(?:(?<!\s)\s++)?\+\s*|(?<!\s)\s++(?:and|y)\s+")
_LINE: Final = re.compile(r"(?:[^:;]*+:)?\s*+[0-9]{1,40}+(?:\s*+[x×*]\s*+[(\w]|\s++\S*[A-Z(]).*[,;]", re.DOTALL)
AGGRESSION: Final = re.compile(
    r"(?:agg(?:r(?:ession)?)?|agr(?:esi(?:[oó]n|vidad))?)\b\.?\s*[:=]?\s*(?P<number>[0-9]{1,9})", re.IGNORECASE
)
_HOME_PREFIX: Final = re.compile(r"^(?:home|terrain(?: type)?)\s*[:=]?\s*", re.IGNORECASE)
ARMY_NAME: Final = re.compile(r"(?P<name>[^:;(]*[^:;(\s])\s*:\s*(?=[0-9])")
_FACT_BREAK: Final = re.compile(r"\.\s+(?=terrain|home|agg)", re.IGNORECASE)
_GENERAL: Final = "general"


class _Part(Struct, frozen=True, kw_only=True):
    """One part of a line: its text, its count of elements or choices, its options as counts of codes, and a label."""

    text: str
    count: int
    options: tuple[Mapping[str, int], ...]
    is_block: bool
    has_general: bool
    label: str = ""


def is_notation(text: str) -> bool:
    """Return whether a text is an army on one line, not a name or a path."""
    return _LINE.match(text) is not None


def parse_notation(text: str, homes: Sequence[str]) -> dict[str, Any]:
    """Parse a line into the table of an army file: slots and general; name, home and aggression if given.

    ``homes`` are the valid home topographies.

    Commas separate the parts. Each part begins with a number. ``2x(LCh or Cv)`` means two choices; ``2xLCh or 2xCv``
    and ``1x(2xLCh or 2xCv)`` mean one choice. ``(Gen)`` marks the part with the general, who leads one of its elements.
    A label may precede the codes in brackets: ``3 x hirdmen (4Bd)``. Home and aggression follow a semicolon.

    Raises:
        ScenarioError: a part cannot be parsed; names it and shows the correct form.
    """
    name_match = ARMY_NAME.match(text)
    tree: dict[str, Any] = {"name": name_match["name"].strip()} if name_match else {}
    line = _FACT_BREAK.sub("; ", text[name_match.end() :] if name_match else text)
    pieces = [piece.strip() for piece in _split_outside_brackets(line)]
    parts = []
    for piece in filter(None, pieces):
        if is_number(piece[0]):
            parts.append(_parse_part(piece))
        else:
            tree |= _parse_fact(piece, homes)
    return tree | _make_slots(parts)


def _split_outside_brackets(line: str) -> Iterator[str]:
    """Yield the texts between commas, semicolons and line ends outside brackets.

    The last text has no space or full stop at its end.

    Raises:
        ScenarioError: a bracket is missing.
    """
    depth, start = 0, 0
    for index, letter in enumerate(line):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if depth == 0 and letter in ",;\n":
            yield line[start:index]
            start = index + 1
    if depth:
        raise ScenarioError("{part!r}: a bracket is missing", part=line[start:].strip())
    yield line[start:].rstrip(" .")


def _parse_fact(piece: str, homes: Sequence[str]) -> Mapping[str, Any]:
    """Return the ``home`` and ``aggression`` that a text such as ``hilly. aggression 3`` states.

    ``homes`` are the valid home topographies. A fact that the text does not state is missing; the aggression is an
    integer.

    Raises:
        ScenarioError: a word is neither a home nor an aggression.
    """
    facts: dict[str, Any] = {}
    for word in re.split(r"(?<=[a-z])\.\s+|(?<=[a-z])\s+(?=ag[gr])", piece, flags=re.IGNORECASE):
        value = _HOME_PREFIX.sub("", word).strip(" .").lower()
        if value in homes:
            facts["home"] = value
        elif agg := AGGRESSION.fullmatch(value):
            facts["aggression"] = int(agg["number"])
        else:
            raise ScenarioError(
                "{part!r} is not part of an army; write a number of elements such as 2xCv, or after a "
                "semicolon the home ({homes}) and aggression 0 to 4",
                part=piece,
                homes=", ".join(homes),
            )
    return facts


def _parse_part(piece: str) -> _Part:
    """Parse one part of a line, such as ``2x(LCh or Cv)``, with its general and its label.

    Raises:
        ScenarioError: the part cannot be read, lists a choice twice, or is ambiguous.
    """
    has_general = GENERAL_MARK.search(piece) is not None
    count_match = _COUNTED.fullmatch(GENERAL_MARK.sub(" ", piece).strip())
    if count_match is None:
        raise _parse_error(piece)
    count, body = int(count_match["count"]), (count_match["crossed"] or count_match["plain"]).strip()
    label = ""
    if label_match := _LABELLED.fullmatch(body):
        label, body = label_match["label"], label_match["inside"]
        if _CODE.fullmatch(label) and not label.islower() and label.casefold() != _GENERAL:
            raise _parse_error(piece)
        if label.casefold() == _GENERAL:
            has_general, label = True, ""
    elif body.startswith("(") and body.endswith(")"):
        body = body[1:-1].strip()
    else:
        # In 2xLCh or 2xCv the first number belongs to the first option, and there is one choice.
        if any(_COUNTED.fullmatch(option) for option in _OR.split(body)[1:]):
            count, body = 1, f"{count}x{body}"
    options = [_parse_option(option, piece) for option in _OR.split(body)]
    if any(option in options[:index] for index, option in enumerate(options)):
        raise ScenarioError("{part!r} lists the same choice twice", part=piece)
    block = len(options) > 1 and any(sum(option.values()) > 1 for option in options)
    if block and count > 1:
        raise ScenarioError(
            "{part!r}: {count} choices of several elements each are ambiguous; write one part for each",
            part=piece,
            count=count,
        )
    return _Part(text=piece, count=count, options=tuple(options), is_block=block, has_general=has_general, label=label)


def _parse_option(text: str, piece: str) -> Mapping[str, int]:
    """Return the number of elements of each code in an option such as ``2xCv + LH``.

    ``piece`` is the part of the line that the error quotes.

    Raises:
        ScenarioError: the option has an unknown code.
    """
    counts: dict[str, int] = {}
    for item in _AND.split(text.strip()):
        count_match = _COUNTED.fullmatch(item)
        count, code = (
            (int(count_match["count"]), count_match["crossed"] or count_match["plain"]) if count_match else (1, item)
        )
        code = _FIGURES.sub(lambda match: _FIGURE_COUNTS[match["mark"].lower()] + match["code"], code.strip(" ()"))
        if not _CODE.fullmatch(code):
            raise _parse_error(piece)
        counts[code] = counts.get(code, 0) + count
    return counts


def _parse_error(piece: str) -> ScenarioError:
    """Return the error for a part of the line that cannot be read; it shows the correct form."""
    return ScenarioError(
        "cannot read {part!r}; write a number and a type such as 2xCv, or a choice such as 2x(LCh or Cv)",
        part=piece,
    )


def _make_slots(parts: Sequence[_Part]) -> dict[str, Any]:
    """Return the tables of an army file: the list ``slot`` and the options of ``general``.

    A slot has ``id``, and ``fixed`` counts by code, or ``mode`` with ``options``. The element of the general is not
    counted in its slot.

    Raises:
        ScenarioError: not exactly one part has the general, or a count does not include it.
    """
    leaders = [part for part in parts if part.has_general]
    if len(leaders) != 1:
        raise ScenarioError(
            "{count:d} parts of the army are marked as the general's; mark only one, for example 1xCv (Gen)",
            count=len(leaders),
        )
    (leader,) = leaders
    general = [_option_value(option) for option in leader.options]
    slots: list[dict[str, Any]] = []
    for part in parts:
        count = part.count - part.has_general
        if count < 0 or (part.has_general and part.is_block and count):
            raise _parse_error(part.text)
        if not count:
            continue
        slot: dict[str, Any] = {"id": part.label or part.text}
        if len(part.options) == 1:
            slot["fixed"] = {code: number * count for code, number in part.options[0].items()}
        elif part.is_block:
            slot |= {"mode": "block", "options": [dict(option) for option in part.options]}
        else:
            slot |= {"mode": "each", "count": count, "options": [_option_value(option) for option in part.options]}
        slots.append(slot)
    for index, slot in enumerate(slots):
        duplicates = sum(1 for earlier in slots[:index] if str(earlier["id"]).split(" #")[0] == slot["id"])
        if duplicates:
            slot["id"] = f"{slot['id']} #{duplicates + 1}"
    return {"slot": slots, _GENERAL: {"options": general}}


def _option_value(option: Mapping[str, int]) -> str | dict[str, int]:
    """Return the code of an option of one element, otherwise its counts by code."""
    return next(iter(option)) if sum(option.values()) == 1 else dict(option)
