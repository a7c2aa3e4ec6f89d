"""Pages of drawings, papers and orders drawn by seeds stay as they were, told by sums or line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from random import Random

import pytest
from card_samples import POKER, samples
from drawing_text import dump
from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.core.words import find_words as find_words
from printkit.drawing.canvas.items import Drawing, Font, Ink, Item, Layer, LayerName, Path, Rect, Stroke, Text
from printkit.drawing.canvas.plain import BLACK, make_line, make_rectangle
from printkit.page.assembly import assembly_plan_pages, zone_assembly
from printkit.page.bleed import with_bleed
from printkit.page.calibration import TestSheet as Sought
from printkit.page.calibration import calibration_pages, portrait_sheet
from printkit.page.imposition import CutPlan, impose
from printkit.page.leaflets import booklet_page_size, leaflet_sheets, make_booklet, overview, shelved_pages, with_bars
from printkit.page.marks import Imprint
from printkit.page.printer import Margins, PrinterProfile, apply_profile
from printkit.page.sheet import Document, Flip, Page, Sheet, find_sheet, page_of
from printkit.page.slots import count_shelf_cuts, fit_slots
from printkit.page.tiling import Zone, find_cheapest_change, seam_areas, tile_drawing

PAPERS = ("a4", "letter", "a3", "legal", "a2", "24in-roll", "30x40cm", "one")
LANGUAGES = ("en", "es", "en+es")


def imprint(chance: Random) -> Imprint:
    who = ("Player A: blue, dashed lines, far edge · Player B: red", "A: blue · B: red")
    return Imprint(
        title=chance.choice(("Oaks", "Seven Oaks and the Long Causeway")), seed="19", who=who[: chance.randint(0, 2)]
    )


def paper(chance: Random, names: Iterable[str] = PAPERS) -> Sheet:
    found = find_sheet(chance.choice(tuple(names)), margin=chance.choice((5.0, 7.0, 12.0, 17.0)))
    return found.rotated() if chance.random() < 0.3 and not found.is_endless else found


def marked(chance: Random, width: float, height: float) -> Drawing:
    """Return a drawing with a ground, a stroke, a clipped patch, a letter and things at its edge."""
    ink = Ink(chance.randint(0, 255), 99, 200)
    x, y = chance.uniform(0, width * 0.8), chance.uniform(0, height * 0.8)
    across = make_line([(-5.0, y), (width / 2, y + 9.0), (width + 5.0, y)], ink, 1.0)
    ground = Layer(LayerName.PAPER, (make_rectangle((0.0, 0.0, width, height), ink),) if chance.random() < 0.7 else ())
    stroke = Path(across.runs, stroke=Stroke(ink, chance.choice((0.5, 6.0))))
    patch: list[Item] = [make_rectangle((x, y, width * 0.2, height * 0.2), Ink(1, 2, 3))]
    letter = Text(content="Brook", at=(x, y), size_pt=9.0, ink=ink, font=Font.HEAVY)
    clip = Rect(width / 4, height / 4, width / 2, height / 2) if chance.random() < 0.5 else None
    layers = (
        ground,
        Layer(LayerName.WATER, (stroke,)),
        Layer(LayerName.HILL_TINT, tuple(patch), clip),
        Layer(LayerName.LABEL, (letter,) if chance.random() < 0.7 else ()),
    )
    return Drawing(width, height, layers)


def blocks(chance: Random) -> list[Drawing]:
    sizes = [(chance.uniform(20, 150), chance.uniform(10, 90)) for _ in range(chance.randint(0, 6))]
    return [marked(chance, width, height) for width, height in sizes]


def summed(told: object, pages: Iterable[Page]) -> str:
    parts = [repr(told)]
    for page in pages:
        sheet = page.sheet
        parts.append(
            f"{page.label} {page.bookmark} {page.back} {page.trim} {page.bleed_mm} {sheet.width} {sheet.height}"
        )
        parts += [f"{put.transform} {put.clip}\n{dump(put.drawing)}" for put in page.placements]
    return sha256("\n".join(parts).encode()).hexdigest()[:24]


def tiles(chance: Random) -> tuple[object, tuple[Page, ...]]:
    width, height = chance.uniform(100, 900), chance.uniform(100, 900)
    zone = Zone("west", Rect(0.0, 0.0, width / 2, height)) if chance.random() < 0.3 else None
    sheet, overlap = paper(chance), chance.choice((5.0, 10.0))
    whole = marked(chance, width, height)
    given = {"imprint": imprint(chance), "words": find_words(chance.choice(LANGUAGES))}
    made = tile_drawing(whole, sheet, **given, overlap=overlap, zone=zone, skip_bare=chance.random() < 0.3)
    seams = () if sheet.is_endless else seam_areas(zone or Zone("", Rect(0.0, 0.0, width, height)), sheet, overlap)
    return (made.dropped, made.bare, seams), made.pages


def plans(chance: Random) -> tuple[object, tuple[Page, ...]]:
    sheet, words = paper(chance, PAPERS[:5]), find_words(chance.choice(LANGUAGES))
    whole = marked(chance, chance.uniform(200, 1500), chance.uniform(200, 1200))
    given = {"imprint": imprint(chance), "words": words}
    if chance.random() < 0.6:
        laid = tile_drawing(whole, sheet, **given)
        return laid.dropped, assembly_plan_pages(laid, whole, blocks(chance), sheet, **given)
    halves = (
        Zone("west", Rect(0.0, 0.0, whole.width / 2, whole.height)),
        Zone("east", Rect(whole.width / 2, 0.0, whole.width / 2, whole.height)),
    )
    laid_halves = [tile_drawing(whole, sheet, zone=half, **given) for half in halves[: chance.randint(1, 2)]]
    return "", zone_assembly(laid_halves, halves, whole, blocks(chance), sheet, **given)


def cards(chance: Random) -> tuple[object, tuple[Page, ...]]:
    size = replace(POKER, width=chance.uniform(30, 90), height=chance.uniform(40, 120), bleed=chance.choice((0.0, 2.0)))
    cutting = CutPlan(
        size=size,
        gutter=chance.choice((0.0, 4.0)),
        flip=chance.choice(list(Flip)),
        fold=chance.random() < 0.3,
        outlined=chance.random() < 0.7,
    )
    faces = samples(chance.randint(1, 20), size, backed=chance.random() < 0.7)
    sheet = paper(chance, PAPERS[:5])
    made = impose(faces, sheet, cutting, imprint=imprint(chance), words=find_words(chance.choice(LANGUAGES)))
    slots = fit_slots(size.width, size.height, sheet, gutter=cutting.gutter)
    return (made.sheets, made.flip, slots, slots.cuts), made.pages


def bleeds(chance: Random) -> tuple[object, tuple[Page, ...]]:
    drawing = marked(chance, chance.uniform(80, 300), chance.uniform(80, 300))
    page = page_of(drawing, label="map")
    if chance.random() < 0.5:
        page = with_bars(page, 12.0, imprint(chance), find_words("en"), scale=chance.choice((1.0, 0.5)))
    return "", (with_bleed(page, chance.choice((0.0, 3.0, 5.0))),)


def leaflets(chance: Random) -> tuple[object, tuple[Page, ...]]:
    sheet, words = paper(chance, PAPERS[:5]), find_words(chance.choice(LANGUAGES))
    which = chance.randrange(4)
    if which == 0:
        width, height = booklet_page_size(sheet)
        made = make_booklet([marked(chance, width, height) for _ in range(chance.randint(1, 9))], sheet, words=words)
        return made.sheets, made.pages
    if which == 1:
        drawings = [marked(chance, 150.0, 200.0) for _ in range(chance.randint(1, 3))]
        options = {
            "measured": chance.random() < 0.5,
            "spread": chance.random() < 0.5,
            "least_pt": chance.choice((0.0, 14.0)),
        }
        return "", leaflet_sheets(drawings, sheet, words=words, bookmark="Oaks", label="oaks", **options)
    if which == 2:
        head, shelved = marked(chance, 100.0, 20.0), [*blocks(chance), marked(chance, 40.0, 30.0)]
        pages, spots = shelved_pages(shelved, head, sheet, words=words, label="oaks", spread=chance.random() < 0.5)
        return count_shelf_cuts(spots), pages
    drawing = marked(chance, chance.uniform(100, 900), chance.uniform(100, 900))
    return "", (overview(drawing, sheet, imprint(chance), words, scale=chance.choice((1.0, 0.25))),)


def printers(chance: Random) -> tuple[object, tuple[Page, ...]]:
    profile = PrinterProfile(
        name="desk",
        scale_x=chance.choice((1.0, 0.98, 1.01)),
        scale_y=chance.choice((1.0, 0.97)),
        back_dx=chance.choice((0.0, 1.5)),
        back_dy=chance.choice((0.0, -0.7)),
        flip=chance.choice(list(Flip)),
        margins=Margins(4.0, 5.0, 6.0, 8.0) if chance.random() < 0.5 else None,
    )
    sheet = profile.sheet(paper(chance, PAPERS[:5]), margin=chance.choice((None, 8.0)), backs=chance.random() < 0.5)
    cutting = CutPlan(size=POKER, flip=chance.choice(list(Flip)))
    made = impose(samples(5, POKER), sheet, cutting, imprint=imprint(chance), words=find_words("en"))
    true = apply_profile(Document(pages=made.pages, title="Oaks", flip=made.flip), profile)
    sizes = [(chance.uniform(100, 900), chance.uniform(100, 900)) for _ in range(2)]
    fewer = find_cheapest_change(sizes, sheet, overlap=10.0, can_change_margin=chance.random() < 0.7)
    return (true.outside, fewer), true.document.pages


def ladders(chance: Random) -> tuple[object, tuple[Page, ...]]:
    sheet = find_sheet(chance.choice(("a4", "letter", "a3", "130x200mm")), margin=chance.choice((3.0, 5.0, 9.0)))
    command = ("printkit calibrate --printer NAME", '--margins "C D E F mm"')
    sought = Sought(sheet=portrait_sheet(sheet), flip=chance.choice(list(Flip)), command=command)
    return "", calibration_pages(sought, find_words(chance.choice(LANGUAGES)))


def told(kind: Callable[[Random], tuple[object, tuple[Page, ...]]], count: int) -> Iterator[str]:
    for number in range(count):
        try:
            said = summed(*kind(Random(f"{kind.__name__} {number}")))
        except PageError as error:
            said = str(error)
        yield f"{kind.__name__} {number} {said}\n"


def test_pages_stay_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    counts = ((tiles, 40), (plans, 30), (cards, 40), (bleeds, 20), (leaflets, 40), (printers, 30), (ladders, 20))
    kept_text("".join(line for kind, count in counts for line in told(kind, count)), "pages")


Golden = Callable[[Drawing, str], None]
ENGLISH = find_words("en")


def whole(page: Page) -> Drawing:
    """Return all layers of a page's drawings, as if none were moved."""
    layers = tuple(layer for put in page.placements for layer in put.drawing.layers)
    return Drawing(page.sheet.width, page.sheet.height, layers)


@pytest.mark.parametrize("flip", list(Flip))
def test_a_test_sheet(flip: Flip, golden: Golden) -> None:
    command = ("printkit calibrate --printer NAME", '--margins "C D E F mm"')
    made = calibration_pages(Sought(sheet=portrait_sheet(find_sheet("a4")), flip=flip, command=command), ENGLISH)
    for number, page in enumerate(made, 1):
        golden(whole(page), f"calibration-{flip}-{number}")


@pytest.mark.parametrize(("name", "more"), [("cut", {}), ("folded", {"fold": True}), ("apart", {"gutter": 4.0})])
def test_marks_about_cards(name: str, more: dict[str, object], golden: Golden) -> None:
    cutting = replace(CutPlan(size=POKER), **more)
    made = impose(samples(9, POKER), find_sheet("a4"), cutting, imprint=Imprint(title="Oaks"), words=ENGLISH)
    golden(whole(made.pages[0]), f"imposed-{name}")


@pytest.mark.parametrize("margin", [5.0, 12.0])
def test_marks_of_tiles(margin: float, golden: Golden) -> None:
    ground = Layer(LayerName.PAPER, (make_rectangle((0.0, 0.0, 300.0, 400.0), BLACK),))
    paper = find_sheet("a4", margin=margin)
    made = tile_drawing(Drawing(300.0, 400.0, (ground,)), paper, imprint=Imprint(title="Oaks", seed="7"), words=ENGLISH)
    for page in made.pages[:2]:
        golden(whole(page), f"tile-{margin:g}-{page.label}")
