"""A box file to fill in: the kinds, sizes and counts that battlefields of a rule system need, with comments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.recipes.box.families import nothing
from printkit.recipes.box.piece_box import KINDS, shape_of
from printkit.recipes.box.piece_matching import Need, needs_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record_features import Shape

# Number of battlefields, with seeds from 1 on, that show what is usual.
FIELDS: Final = 20

# Number of sizes for a kind, and the least number of needed pieces for more than one size.
_SIZES: Final = 2
_ENOUGH: Final = 8

# Length of a usual strip of river or road, in inches.
_STRIP: Final = 12


class AskedKind(Struct, frozen=True, kw_only=True):
    """The pieces of a kind that battlefields need.

    Attributes:
        kind: the kind of terrain.
        counts: the number of pieces or strips on each battlefield that has the kind.
        sizes: length and width in mm, the smallest first; empty for a crossing.
    """

    kind: Kind
    counts: tuple[int, ...]
    sizes: tuple[tuple[float, float], ...] = ()

    @property
    def usual(self) -> int:
        """Return the count that is enough for three battlefields of four."""
        ordered = sorted(self.counts)
        return ordered[3 * (len(ordered) - 1) // 4]


def fields_of(system: RuleSystem, orders: Orders, words: Words, count: int = FIELDS) -> Iterator[Battlefield]:
    """Yield the battlefields of consecutive seeds from 1 on.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    for seed in range(1, count + 1):
        yield play(system, orders, seed, words).record.battlefield


def asked_kinds(fields: Iterable[Battlefield]) -> tuple[AskedKind, ...]:
    """Return the kinds that battlefields need, the most frequent first."""
    found: dict[Kind, list[list[Need]]] = {}
    for field in fields:
        own: dict[Kind, list[Need]] = {}
        for need in needs_of(field):
            own.setdefault(need.kind, []).extend(need.parts or (need,))
        for kind, needs in own.items():
            found.setdefault(kind, []).append(needs)
    asked = [_asked(kind, fields) for kind, fields in found.items() if kind not in nothing()]
    return tuple(sorted(asked, key=lambda each: (-len(each.counts), KINDS.index(each.kind))))


def _asked(kind: Kind, fields: Sequence[Sequence[Need]]) -> AskedKind:
    every = [need for needs in fields for need in needs]
    counts = tuple(len(needs) for needs in fields)
    if shape_of(kind) is Shape.CROSSING:
        return AskedKind(kind=kind, counts=counts)
    if shape_of(kind) is Shape.COURSE:
        strip = _STRIP * MM_PER_INCH
        runs = tuple(math.ceil(plain_sum(need.length or 0.0 for need in needs) / strip) for needs in fields)
        return AskedKind(kind=kind, counts=runs, sizes=((strip, median(need.width or 0.0 for need in every)),))
    every.sort(key=lambda need: (need.length or 0.0) * (need.width or 0.0))
    parts = _SIZES if max(counts) > 1 and len(every) >= _ENOUGH else 1
    groups = [every[len(every) * part // parts : len(every) * (part + 1) // parts] for part in range(parts)]
    sizes = tuple(
        (median(need.length or 0.0 for need in group), median(need.width or 0.0 for need in group)) for group in groups
    )
    return AskedKind(kind=kind, counts=counts, sizes=sizes)


def box_text(system: RuleSystem, orders: Orders, words: Words) -> str:
    """Return the text of a box file to fill in, with comments.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    asked = asked_kinds(fields_of(system, orders, words))
    seen = {each.kind for each in asked} | set(nothing())
    rest = [kind for kind in KINDS if kind.value in system.goings() and kind not in seen]
    title = words("box.new-title", rules=system.book.title_in(words))
    lines = [f"# {line}" for line in words("box.new-head", rules=system.name, fields=FIELDS).split("\n")]
    lines += ["", f"title = {_quoted(title)}"]
    for each in asked:
        lines += ["", f"# {_comment(each, words)}", *_entries(each)]
    if rest:
        named = ", ".join(kind.value for kind in rest)
        lines += ["", f"# {words('box.new-rest', kinds=named)}"]
    return "\n".join(lines) + "\n"


def _comment(asked: AskedKind, words: Words) -> str:
    least, most = min(asked.counts), max(asked.counts)
    count = str(most) if least == most else words("box.new-range", least=least, most=most)
    key = "box.new-strips" if shape_of(asked.kind) is Shape.COURSE else "box.new-kind"
    return words(key, kind=words(f"kind.{asked.kind}"), fields=len(asked.counts), all=FIELDS, count=count)


def _entries(asked: AskedKind) -> Iterator[str]:
    """Yield the lines for the pieces of a kind, the smallest size first."""
    written = list(dict.fromkeys(_size_lines(asked)))
    for place, size in enumerate(written):
        yield from ("[[piece]]", f'kind = "{asked.kind.value}"', *size)
        # If the count does not divide evenly, the smaller size gets one more.
        yield f"number = {max(1, -(-(asked.usual - place) // len(written)))}"


def _size_lines(asked: AskedKind) -> Iterator[tuple[str, ...]]:
    if not asked.sizes:
        yield ()
    for length, width in asked.sizes:
        if shape_of(asked.kind) is Shape.COURSE:
            yield f'length = "{_STRIP}in"', f'width = "{max(round(width), 1)}mm"'
        else:
            yield (f'size = "{_sides(length, width)}"',)


def _sides(length: float, width: float) -> str:
    """Return two sides in whole inches, or in millimetres if the width is below two inches."""
    if width < 2 * MM_PER_INCH:
        return f"{round(length)}x{max(round(width), 1)}mm"
    return f"{round(length / MM_PER_INCH)}x{round(width / MM_PER_INCH)}in"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
