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
from printkit.recipes.box.families import pieceless_kinds
from printkit.recipes.box.piece_box import KINDS, shape_of
from printkit.recipes.box.piece_matching import Need, find_needs
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind, Shape

# Number of battlefields, with seeds from 1 on, that show what is usual.
FIELDS: Final = 20

# Number of sizes for a kind, and the least number of needed pieces for more than one size.
_SIZE_COUNT: Final = 2
_LEAST_PIECES: Final = 8

# Length of a usual strip of river or road, in inches.
_STRIP_INCHES: Final = 12


class NeededKind(Struct, frozen=True, kw_only=True):
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
        """Return the number of pieces that is enough on three of four battlefields that have the kind."""
        sorted_counts = sorted(self.counts)
        return sorted_counts[3 * (len(sorted_counts) - 1) // 4]


def generate_fields(system: RuleSystem, orders: Orders, words: Words, count: int = FIELDS) -> Iterator[Battlefield]:
    """Yield ``count`` battlefields, of the seeds 1, 2 and so on.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    for seed in range(1, count + 1):
        yield play(system, orders, seed, words).record.battlefield


def needed_kinds(fields: Iterable[Battlefield]) -> tuple[NeededKind, ...]:
    """Return the kinds that battlefields need, those of most battlefields first.

    Kinds without pieces are left out.
    """
    needs_by_kind: dict[Kind, list[list[Need]]] = {}
    for field in fields:
        field_needs: dict[Kind, list[Need]] = {}
        for need in find_needs(field):
            field_needs.setdefault(need.kind, []).extend(need.parts or (need,))
        for kind, needs in field_needs.items():
            needs_by_kind.setdefault(kind, []).append(needs)
    summaries = [
        _summarise_kind(kind, fields) for kind, fields in needs_by_kind.items() if kind not in pieceless_kinds()
    ]
    return tuple(sorted(summaries, key=lambda summary: (-len(summary.counts), KINDS.index(summary.kind))))


def _summarise_kind(kind: Kind, fields: Sequence[Sequence[Need]]) -> NeededKind:
    """Return the counts and usual sizes of a kind; ``fields`` has the needs of each battlefield.

    Counts are per battlefield. Sizes are medians of length and width in mm on the board; a crossing has no size. For a
    course the counts are strips.
    """
    all_needs = [need for needs in fields for need in needs]
    counts = tuple(len(needs) for needs in fields)
    if shape_of(kind) is Shape.CROSSING:
        return NeededKind(kind=kind, counts=counts)
    if shape_of(kind) is Shape.COURSE:
        strip = _STRIP_INCHES * MM_PER_INCH
        runs = tuple(math.ceil(plain_sum(need.length or 0.0 for need in needs) / strip) for needs in fields)
        return NeededKind(kind=kind, counts=runs, sizes=((strip, median(need.width or 0.0 for need in all_needs)),))
    all_needs.sort(key=lambda need: (need.length or 0.0) * (need.width or 0.0))
    parts = _SIZE_COUNT if max(counts) > 1 and len(all_needs) >= _LEAST_PIECES else 1
    groups = [all_needs[len(all_needs) * part // parts : len(all_needs) * (part + 1) // parts] for part in range(parts)]
    sizes = tuple(
        (median(need.length or 0.0 for need in group), median(need.width or 0.0 for need in group)) for group in groups
    )
    return NeededKind(kind=kind, counts=counts, sizes=sizes)


def box_text(system: RuleSystem, orders: Orders, words: Words) -> str:
    """Return the text of a box file (TOML) to fill in, with comments in the languages of ``words``.

    It lists the kinds of pieces that some battlefields of the orders need, with usual numbers and sizes.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    summaries = needed_kinds(generate_fields(system, orders, words))
    listed_kinds = {summary.kind for summary in summaries} | set(pieceless_kinds())
    other_kinds = [kind for kind in KINDS if kind.value in system.goings() and kind not in listed_kinds]
    title = words("box.new-title", rules=system.book.title_in(words))
    lines = [f"# {line}" for line in words("box.new-head", rules=system.name, fields=FIELDS).split("\n")]
    escaped_title = title.replace("\\", "\\\\").replace('"', '\\"')
    lines += ["", f'title = "{escaped_title}"']
    for summary in summaries:
        lines += ["", f"# {_entry_comment(summary, words)}", *_entry_lines(summary)]
    if other_kinds:
        kind_names = ", ".join(kind.value for kind in other_kinds)
        lines += ["", f"# {words('box.new-rest', kinds=kind_names)}"]
    return "\n".join(lines) + "\n"


def _entry_comment(summary: NeededKind, words: Words) -> str:
    """Return the comment of an entry: how many pieces of the kind how many battlefields need."""
    least, most = min(summary.counts), max(summary.counts)
    count = str(most) if least == most else words("box.new-range", least=least, most=most)
    key = "box.new-strips" if shape_of(summary.kind) is Shape.COURSE else "box.new-kind"
    return words(key, kind=words(f"kind.{summary.kind}"), fields=len(summary.counts), all=FIELDS, count=count)


def _entry_lines(summary: NeededKind) -> Iterator[str]:
    """Yield the lines for the pieces of a kind, the smallest size first."""
    size_lines = list(dict.fromkeys(_size_lines(summary)))
    for index, size in enumerate(size_lines):
        yield from ("[[piece]]", f'kind = "{summary.kind.value}"', *size)
        # If the count does not divide evenly, the smaller size gets one more.
        yield f"number = {max(1, -(-(summary.usual - index) // len(size_lines)))}"


def _size_lines(summary: NeededKind) -> Iterator[tuple[str, ...]]:
    """Yield the TOML lines of each size of a kind; for a course length and width.

    A kind without sizes yields one empty tuple.
    """
    if not summary.sizes:
        yield ()
    for length, width in summary.sizes:
        if shape_of(summary.kind) is Shape.COURSE:
            yield f'length = "{_STRIP_INCHES}in"', f'width = "{max(round(width), 1)}mm"'
        elif width < 2 * MM_PER_INCH:
            yield (f'size = "{round(length)}x{max(round(width), 1)}mm"',)
        else:
            yield (f'size = "{round(length / MM_PER_INCH)}x{round(width / MM_PER_INCH)}in"',)
