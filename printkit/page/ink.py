"""Estimate the ink of documents without rendering them."""

from __future__ import annotations

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.ink import estimate_ink
from printkit.page.sheet import Document, Page, Placement


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
