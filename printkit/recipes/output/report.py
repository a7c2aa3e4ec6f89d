"""The report of a command at its end: the output, its files, notes before printing, and the next command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.ink import estimate_ink
from printkit.page.assembly import paper_name
from printkit.page.sheet import ONE, Document, Page, Placement, Sheet
from printkit.recipes.output.printed_files import FilePart, sum_work
from printkit.recipes.output.printers import flip_edge

ACTUAL_SIZE: Final = Sentence('Print at "Actual size" (100 %).')


def report_lines(
    head: str, rows: Iterable[Sequence[object]] = (), notes: Iterable[str] = (), steps: Iterable[str] = ()
) -> Iterator[str]:
    """Yield the lines of a report.

    Args:
        head: what it is.
        rows: the cells of each line about a file, usually its path and what it has. The terminal aligns them.
        notes: what to know before printing.
        steps: what comes next, with the commands.
    """
    yield head
    for cells in rows:
        yield Sentence(
            "  {cells}", cells=joined((cell if isinstance(cell, str) else str(cell) for cell in cells), "\t")
        )
    yield from notes
    yield from steps


def format_head(title: str, parts: Sequence[FilePart], *, is_plan: bool = False) -> Sentence:
    """Return the first line of a report: the title, and the paper and work that the parts take, if there are any.

    With ``is_plan`` it says what they would take, with an estimate of the ink.
    """
    if not parts:
        return Sentence("{title}.", title=title)
    work = describe_work(parts)
    if not is_plan:
        return Sentence("{title}: {work}.", title=title, work=work)
    sheets = sum(part.sheets for part in parts)
    share = sum(estimate_document_ink(part.document) * part.sheets for part in parts) / sheets
    ink = Sentence("about {ink:.0f} % ink", ink=100 * share)
    return Sentence("{title} would take {work}.", title=title, work=joined((work, ink), Sentence(" and ")))


def printing_notes(parts: Iterable[FilePart], *, is_plan: bool = False) -> Iterator[Sentence]:
    """Yield how to print parts: the size unless it is a plan, and the edge for flipping sheets with two sides."""
    if not is_plan:
        yield ACTUAL_SIZE
    for flip in dict.fromkeys(part.flip for part in parts if part.flip):
        yield Sentence("Print on both sides, and flip on the {edge}.", edge=flip_edge(flip))


def describe_work(parts: Sequence[FilePart]) -> Sentence:
    """Return the sheets of each paper in words, with the straight cuts and the minutes if anything is cut."""
    papers = {(paper := part.document.pages[-1].sheet).name: paper for part in parts}
    sheets = Counter[str]()
    for part in parts:
        sheets[part.document.pages[-1].sheet.name] += part.sheets
    counts = [joined((format_sheet_count(count, papers[name]) for name, count in sheets.items()), Sentence(" and "))]
    _, cuts, minutes = sum_work(parts)
    if cuts:
        counts.append(Sentence("1 cut") if cuts == 1 else Sentence("{count} cuts", count=cuts))
        counts.append(Sentence("1 minute") if minutes == 1 else Sentence("{count} minutes", count=minutes))
    return joined(counts)


def format_sheet_count(count: int, sheet: Sheet) -> Sentence:
    """Return a count of sheets of a paper in words."""
    name: str = paper_name(sheet)
    if sheet.name == ONE:
        name = Sentence("{width:.0f} x {height:.0f} mm", width=sheet.width, height=sheet.height)
    single = Sentence("1 sheet of {name}", name=name)
    return single if count == 1 else Sentence("{count} sheets of {name}", count=count, name=name)


def document_part(document: Document, *, cuts: int = 0) -> FilePart:
    """Return a document as the only part of a report."""
    return FilePart(name="", description=document.title, document=document, cuts=cuts)


def estimate_document_ink(document: Document) -> float:
    """Return the estimated mean ink share of the pages, each weighted by its area."""
    areas = [page.sheet.width * page.sheet.height for page in document.pages]
    return plain_sum(map(_page_ink, document.pages)) / plain_sum(areas)


def _page_ink(page: Page) -> float:
    """Return ink share times covered area of a page, in mm² on paper."""
    return plain_sum(map(_placement_ink, page.placements))


def _placement_ink(placement: Placement) -> float:
    """Return ink share times covered area of the visible part of a drawing, in mm² on paper."""
    drawing, (a, b, c, d, _, _) = placement.drawing, placement.transform
    area = drawing.width * drawing.height * abs(a * d - b * c)
    if placement.clip is not None:
        area = min(area, placement.clip.width * placement.clip.height)
    return estimate_ink(drawing) * area
