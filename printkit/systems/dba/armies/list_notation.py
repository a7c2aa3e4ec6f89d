"""An army on one line in published notation: ``1xCv (Gen), 2x(LCh or Cv), 6x4Wb, 1xPs; hilly, aggression 3``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import ScenarioError
from printkit.core.numbers import is_number

_COUNTED: Final = re.compile(r"(?P<count>[0-9]{1,9})\s*(?:[x×*]\s*(?P<crossed>.+)|\s+(?P<plain>.+))", re.DOTALL)
_LEADS: Final = re.compile(r"(?:(?<!\s)\s++)?\(\s*+(?:gen|general|c-in-c)\.?\s*+\)\s*", re.IGNORECASE)
_CALLED: Final = re.compile(r"(?P<label>[^()]*[^()\s])\s*\((?P<inside>.+)\)", re.DOTALL)
_CODE: Final = re.compile(r"(?:Mtd-)?(?:[0-9](?:/[0-9])?)?[A-Z][A-Za-z]{1,2}(?://[0-9]?[A-Z][A-Za-z]{1,2})?")
_FIGURES: Final = re.compile(r"(?P<mark>solid|fast)\s+(?P<code>[A-Z][A-Za-z]*)", re.IGNORECASE)
# Figures on the base of solid and of fast foot.
_OF_MARK: Final = {"solid": "4", "fast": "3"}

_EITHER: Final = re.compile(r"(?<!\s)\s++(?:or|o)\s+|(?<=[A-Za-z])\s*(?<!/)/(?!/)\s*(?=[0-9]?[A-Z])")
_ALSO: Final = re.compile(r"(?:(?<!\s)\s++)?\+\s*|(?<!\s)\s++(?:and|y)\s+")
_LINE: Final = re.compile(r"(?:[^:;]*+:)?\s*+[0-9]{1,40}+(?:\s*+[x×*]\s*+[(\w]|\s++\S*[A-Z(]).*[,;]", re.DOTALL)
_AGGRESSION: Final = re.compile(
    r"(?:agg(?:r(?:ession)?)?|agr(?:esi[oó]n)?)\b\.?\s*[:=]?\s*(?P<number>[0-9]{1,9})", re.IGNORECASE
)
_BEFORE_HOME: Final = re.compile(r"^(?:home|terrain(?: type)?)\s*[:=]?\s*", re.IGNORECASE)
_NAMED: Final = re.compile(r"(?P<name>[^:;(]*[^:;(\s])\s*:\s*(?=[0-9])")
_FACTS: Final = re.compile(r"\.\s+(?=terrain|home|agg)", re.IGNORECASE)
_GENERAL: Final = "general"


class _Part(Struct, frozen=True, kw_only=True):
    """One part of a line: its text, its count of elements or choices, its options as counts of codes, and a label."""

    text: str
    count: int
    options: tuple[Mapping[str, int], ...]
    block: bool
    led: bool
    label: str = ""


def is_notation(text: str) -> bool:
    """Return whether a text is an army on one line, not a name or a path."""
    return _LINE.match(text) is not None


def notation_tree(text: str, homes: Sequence[str]) -> dict[str, Any]:
    """Parse a line into the table of an army file: slots and general; name, home and aggression if given.

    Commas separate the parts. Each part begins with a number. ``2x(LCh or Cv)`` means two choices; ``2xLCh or 2xCv``
    and ``1x(2xLCh or 2xCv)`` mean one choice. ``(Gen)`` marks the part with the general, who leads one of its elements.
    A label may precede the codes in brackets: ``3 x hirdmen (4Bd)``. Home and aggression follow a semicolon.

    Raises:
        ScenarioError: a part cannot be parsed; names it and shows the correct form.
    """
    named = _NAMED.match(text)
    tree: dict[str, Any] = {"name": named["name"].strip()} if named else {}
    line = _FACTS.sub("; ", text[named.end() :] if named else text)
    pieces = [piece.strip() for piece in _at_top(line)]
    parts = []
    for piece in filter(None, pieces):
        if is_number(piece[0]):
            parts.append(_part(piece))
        else:
            tree |= _fact(piece, homes)
    return tree | _slots(parts)


def _at_top(line: str) -> Iterator[str]:
    """Yield the texts between commas, semicolons and line ends outside brackets."""
    depth, start = 0, 0
    for at, letter in enumerate(line):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if depth == 0 and letter in ",;\n":
            yield line[start:at]
            start = at + 1
    if depth:
        raise ScenarioError("{part!r}: a bracket is missing", part=line[start:].strip())
    yield line[start:].rstrip(" .")


def _fact(piece: str, homes: Sequence[str]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for word in re.split(r"(?<=[a-z])\.\s+|(?<=[a-z])\s+(?=ag[gr])", piece, flags=re.IGNORECASE):
        bare = _BEFORE_HOME.sub("", word).strip(" .").lower()
        if bare in homes:
            found["home"] = bare
        elif agg := _AGGRESSION.fullmatch(bare):
            found["aggression"] = int(agg["number"])
        else:
            raise ScenarioError(
                "{part!r} is not part of an army; write a number of elements such as 2xCv, or after a "
                "semicolon the home ({homes}) and aggression 0 to 4",
                part=piece,
                homes=", ".join(homes),
            )
    return found


def _part(piece: str) -> _Part:
    led = _LEADS.search(piece) is not None
    counted = _COUNTED.fullmatch(_LEADS.sub(" ", piece).strip())
    if counted is None:
        raise _unread(piece)
    count, body = int(counted["count"]), (counted["crossed"] or counted["plain"]).strip()
    label = ""
    if called := _CALLED.fullmatch(body):
        label, body = called["label"], called["inside"]
        if _CODE.fullmatch(label) and not label.islower() and label.casefold() != _GENERAL:
            raise _unread(piece)
        if label.casefold() == _GENERAL:
            led, label = True, ""
    elif body.startswith("(") and body.endswith(")"):
        body = body[1:-1].strip()
    else:
        # In 2xLCh or 2xCv the first number belongs to the first option, and there is one choice.
        if any(_COUNTED.fullmatch(option) for option in _EITHER.split(body)[1:]):
            count, body = 1, f"{count}x{body}"
    options = [_option(option, piece) for option in _EITHER.split(body)]
    if any(option in options[:at] for at, option in enumerate(options)):
        raise ScenarioError("{part!r} lists the same choice twice", part=piece)
    block = len(options) > 1 and any(sum(option.values()) > 1 for option in options)
    if block and count > 1:
        raise ScenarioError(
            "{part!r}: {count} choices of several elements each are ambiguous; write one part for each",
            part=piece,
            count=count,
        )
    return _Part(text=piece, count=count, options=tuple(options), block=block, led=led, label=label)


def _option(text: str, piece: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for one in _ALSO.split(text.strip()):
        counted = _COUNTED.fullmatch(one)
        count, code = (int(counted["count"]), counted["crossed"] or counted["plain"]) if counted else (1, one)
        code = _FIGURES.sub(lambda marked: _OF_MARK[marked["mark"].lower()] + marked["code"], code.strip(" ()"))
        if not _CODE.fullmatch(code):
            raise _unread(piece)
        found[code] = found.get(code, 0) + count
    return found


def _unread(piece: str) -> ScenarioError:
    return ScenarioError(
        "cannot read {part!r}; write a number and a type such as 2xCv, or a choice such as 2x(LCh or Cv)",
        part=piece,
    )


def _slots(parts: Sequence[_Part]) -> dict[str, Any]:
    leaders = [part for part in parts if part.led]
    if len(leaders) != 1:
        raise ScenarioError(
            "{count:d} parts of the army are marked as the general's; mark only one, for example 1xCv (Gen)",
            count=len(leaders),
        )
    (leader,) = leaders
    general = [_written(option) for option in leader.options]
    slots: list[dict[str, Any]] = []
    for part in parts:
        count = part.count - part.led
        if count < 0 or (part.led and part.block and count):
            raise _unread(part.text)
        if not count:
            continue
        slot: dict[str, Any] = {"id": part.label or part.text}
        if len(part.options) == 1:
            slot["fixed"] = {code: number * count for code, number in part.options[0].items()}
        elif part.block:
            slot |= {"mode": "block", "options": [dict(option) for option in part.options]}
        else:
            slot |= {"mode": "each", "count": count, "options": [_written(option) for option in part.options]}
        slots.append(slot)
    for at, slot in enumerate(slots):
        like = sum(1 for other in slots[:at] if str(other["id"]).split(" #")[0] == slot["id"])
        if like:
            slot["id"] = f"{slot['id']} #{like + 1}"
    return {"slot": slots, _GENERAL: {"options": general}}


def _written(option: Mapping[str, int]) -> str | dict[str, int]:
    return next(iter(option)) if sum(option.values()) == 1 else dict(option)
