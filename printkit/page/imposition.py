"""Cards on sheets: matching fronts and backs, crop ticks, check bars and type around the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Ink, Item, Rect
from printkit.drawing.canvas.layers import marks_drawing
from printkit.drawing.canvas.plain import BLACK, make_frame, make_lines
from printkit.drawing.lettering.lettering import SMALL, line, measure, shorten, wrap_words
from printkit.page.check_bars import check_bar, striped_bar
from printkit.page.marks import Imprint
from printkit.page.printer import LEAST_MARGIN
from printkit.page.sheet import Flip, Page, Placement, Sheet, check_page_count, intersect_rects
from printkit.page.slots import CLEAR, GAP, TWO_ROWS, Bands, Slots, fit_slots, flips_left_right, mirror_to_back

# --- Marks outside the cards of a sheet: crop ticks, hairlines on the cuts, fold lines, check bars, type --------------

_TICK: Final = 5.0
_LEAST_TICK: Final = 1.0
_NEAREST: Final = 0.5
_HAIR: Final = 0.15
_OUTLINE: Final = Ink(120, 120, 120)
_OUTLINE_WIDTH: Final = 0.12
_FOLD: Final = (1.6, 1.2)
_BAR: Final = 1.6
_PITCH: Final = 2.3
_LARGE: Final = SMALL.resize(1.35)
# Height of type above the baseline and depth below it, as shares of the type size.
_RISE: Final = 0.76
_SINK: Final = 0.2
_BETWEEN: Final = 5.0


class CardSheet(Struct, frozen=True, kw_only=True):
    """The data for the marks of one printed side of a card sheet.

    Attributes:
        slots: the slots of a full sheet.
        cards: the areas of the cards, or of the pairs to fold.
        line: the line of type.
        bleed_mm: the bleed in mm.
        outlined: whether a hairline marks the cuts.
        folds: whether ``cards`` are pairs to fold.
    """

    slots: Slots
    cards: Sequence[Rect]
    line: str
    bleed_mm: float = 0.0
    outlined: bool = True
    folds: bool = False

    @property
    def block(self) -> Rect:
        """Return the bounds of all cards on the page, in mm."""
        left, bottom = min(card.x for card in self.cards), min(card.y for card in self.cards)
        right, top = max(card.right for card in self.cards), max(card.top for card in self.cards)
        return Rect(left, bottom, right - left, top - bottom)


def card_marks(side: CardSheet, words: Words) -> Drawing:
    """Return all marks outside the cards, as a drawing of the size of the sheet in mm on paper."""
    sheet = side.slots.sheet
    bands = side.slots.bands()
    printable = sheet.printable
    items: list[Item] = []
    free = printable
    if bands is not None:
        lane = _Lane(printable=printable, block=side.slots.block, bands=bands)
        items += lane.draw_bars(words)
        items += lane.draw_text(side.line)
        free = lane.tick_area
    items += [_draw_ticks(side, free), *_draw_outlines(side), *_draw_fold_lines(side, free)]
    return marks_drawing(sheet.width, sheet.height, items)


class _Lane(Struct, frozen=True, kw_only=True):
    """The two bands of a sheet for type and check bars: top and bottom, or left and right.

    ``printable`` is the printable area and ``block`` the block of cards, both in mm on paper.
    """

    printable: Rect
    block: Rect
    bands: Bands

    @property
    def tick_area(self) -> Rect:
        """Return the area between type and bars, for ticks, in mm on paper."""
        depth = self.bands.depth + GAP
        if self.bands.vertical:
            return Rect(
                self.printable.x + depth, self.printable.y, self.printable.width - 2 * depth, self.printable.height
            )
        return Rect(self.printable.x, self.printable.y + depth, self.printable.width, self.printable.height - 2 * depth)

    @property
    def _span(self) -> tuple[float, float]:
        """Return where the block of cards starts and the printable area ends, along the bands, in mm on paper."""
        if self.bands.vertical:
            return self.block.y, self.printable.top
        return self.block.x, self.printable.right

    def draw_bars(self, words: Words) -> list[Item]:
        """Return the check bars at the outer edge, with the line about actual size if there is space.

        The bars are in one row, in two rows, or only the metric bar is drawn. Items are in mm on paper.
        """
        start, end = self._span
        minimum = self.printable.y if self.bands.vertical else self.printable.x
        bar = check_bar(end - minimum, words)
        parts = [(10.0, round(bar.length / 10)), (MM_PER_INCH, bar.inches)]
        lengths = [
            step * count + 1.0 + measure(text, SMALL) for (step, count), text in zip(parts, bar.texts, strict=True)
        ]
        start = max(minimum, min(start, end - max(lengths)))
        items: list[Item] = []
        row, position, bars_end = 0, start, start
        for (step, count), text, length in zip(parts, bar.texts, lengths, strict=True):
            if position + length > end:
                if self.bands.depth < TWO_ROWS:
                    break
                row, position = 1, start
            items += self._draw_bar([step] * count, text, position, row)
            bars_end = max(bars_end, position + length)
            position += length + _BETWEEN
        return items + self._text_after_bars("marks.true-size", words, bars_end + _BETWEEN, end)

    def draw_text(self, text: str) -> list[Item]:
        """Return the line of type on the side opposite the bars.

        The type is large if it fits, and in two rows if one row is too short. Items are in mm on paper.
        """
        start, end = self._span
        minimum = self.printable.y if self.bands.vertical else self.printable.x
        max_rows = 2 if self.bands.depth == TWO_ROWS else 1
        style = _LARGE if max_rows == 2 and measure(text, _LARGE) <= end - start else SMALL
        start = max(minimum, min(start, end - measure(text, style)))
        rows = list(wrap_words(text, style, end - start))
        if len(rows) > max_rows:
            rows = [*rows[: max_rows - 1], shorten(" ".join(rows[max_rows - 1 :]), style, end - start)]
        items: list[Item] = []
        for number, row in enumerate(rows):
            foot = _RISE * style.height + number * _PITCH
            if self.bands.vertical:
                items += line(row, (self.printable.x + foot, start), style, angle=90)
            else:
                items += line(row, (start, self.printable.top - foot), style)
        return items

    def _draw_bar(self, steps: Sequence[float], text: str, start: float, row: int) -> list[Item]:
        """Return one check bar with its label.

        Args:
            steps: the lengths of its parts in mm on paper, all equal.
            text: the label.
            start: its start along the lane in mm.
            row: the row of bars, counted from 0 at the outer edge.
        """
        outer = row * _PITCH
        step, length = steps[0], plain_sum(steps)
        if self.bands.vertical:
            x = self.printable.right - outer - _BAR
            parts = [Rect(x, start + number * step, _BAR, step) for number in range(len(steps))]
            label = line(text, (x + _BAR, start + length + 1.0), SMALL, angle=90)
        else:
            y = self.printable.y + outer
            parts = [Rect(start + number * step, y, step, _BAR) for number in range(len(steps))]
            label = line(text, (start + length + 1.0, y), SMALL)
        return [*striped_bar(parts), *label]

    def _text_after_bars(self, key: str, words: Words, start: float, end: float) -> list[Item]:
        """Return a text in the rest of the row of bars, from ``start`` to ``end`` in mm on paper.

        ``key`` is the key of the text. It is in all languages, in the first, or empty if neither fits.
        """
        texts = [text for text in (words(key), words.each()[0](key)) if measure(text, SMALL) <= end - start]
        if not texts:
            return []
        tails = _SINK * SMALL.height
        if self.bands.vertical:
            return [*line(texts[0], (self.printable.right - tails, start), SMALL, angle=90)]
        return [*line(texts[0], (start, self.printable.y + tails), SMALL)]


def _draw_ticks(side: CardSheet, free: Rect) -> Item:
    """Return one path with a tick at both ends of each cut, outside the block.

    ``free`` is the area for ticks, in mm on paper; a side without space has no ticks.
    """
    block = side.block
    x_positions = sorted({round(x, 4) for card in side.cards for x in (card.x, card.right)})
    y_positions = sorted({round(y, 4) for card in side.cards for y in (card.y, card.top)})
    return make_lines(_tick_lines(side, block, free, x_positions=x_positions, y_positions=y_positions), BLACK, _HAIR)


def _tick_lines(
    side: CardSheet, block: Rect, free: Rect, *, x_positions: Sequence[float], y_positions: Sequence[float]
) -> list[tuple[float, float, float, float]]:
    """Return ticks around a block of cards as lines (x, y, x, y) in mm on paper.

    Args:
        side: the card sheet.
        block: the bounds of the cards.
        free: the area for ticks.
        x_positions: the x of ticks above and below the block.
        y_positions: the y of ticks left and right of the block.
    """
    ticks: list[tuple[float, float, float, float]] = []
    for y, outwards, spare in ((block.top, 1, free.top - block.top), (block.y, -1, block.y - free.y)):
        tick = _tick_span(spare, side.bleed_mm)
        if tick is not None:
            ticks += [(x, y + outwards * tick[0], x, y + outwards * tick[1]) for x in x_positions]
    for x, outwards, spare in ((block.x, -1, block.x - free.x), (block.right, 1, free.right - block.right)):
        tick = _tick_span(spare, side.bleed_mm)
        if tick is not None:
            ticks += [(x + outwards * tick[0], y, x + outwards * tick[1], y) for y in y_positions]
    return ticks


def _tick_span(spare: float, bleed_mm: float) -> tuple[float, float] | None:
    """Return the start and end of a tick in mm on paper outside the block, or None without space.

    Args:
        spare: the space outside the block in mm on paper.
        bleed_mm: the bleed of the cards in mm on paper.
    """
    begins = max(CLEAR, bleed_mm)
    ends = min(begins + _TICK, spare)
    if ends - begins < _LEAST_TICK:
        begins = max(_NEAREST, bleed_mm, ends - _LEAST_TICK)
    return (begins, ends) if ends - begins >= _NEAREST else None


def _draw_outlines(side: CardSheet) -> list[Item]:
    """Return the outlines of the cards; none if the cards are not outlined."""
    return [make_frame(card, _OUTLINE, _OUTLINE_WIDTH) for card in side.cards] if side.outlined else []


def _draw_fold_lines(side: CardSheet, free: Rect) -> list[Item]:
    """Return the dashed fold lines of pairs, and dashed ticks at their ends.

    The ticks are in the area ``free``, in mm on paper.
    """
    if not side.folds:
        return []
    middles = sorted({round(card.x + card.width / 2, 4) for card in side.cards})
    inside = [(card.x + card.width / 2, card.y, card.x + card.width / 2, card.top) for card in side.cards]
    ticks = _tick_lines(side, side.block, free, x_positions=middles, y_positions=())
    return [make_lines(inside, _OUTLINE, _OUTLINE_WIDTH, _FOLD), make_lines(ticks, BLACK, _HAIR, (0.6, 0.6))]


class CardFaces(Protocol):
    """A drawn card at its trim size; its bleed is outside the width and height of the drawing."""

    @property
    def front(self) -> Drawing:
        """Return the drawing of the front at trim size, in mm on paper."""
        ...

    @property
    def back(self) -> Drawing | None:
        """Return the drawing of the back at trim size, in mm on paper, or None if it is blank."""
        ...


class CutPlan(Struct, frozen=True, kw_only=True):
    """The settings for cards on paper.

    Attributes:
        size: the trim size and the bleed of a card.
        gutter: the gap between neighbouring cards, in mm.
        flip: the edge on which a duplex sheet is flipped.
        fold: whether each back is printed next to its front, to fold behind it.
        outlined: whether a hairline marks the cuts of the fronts.
        least_margin: the narrowest margin that the printer certainly can print, in mm.
    """

    size: CardSize
    gutter: float = 0.0
    flip: Flip = Flip.LONG_EDGE
    fold: bool = False
    outlined: bool = True
    least_margin: float = LEAST_MARGIN


class ImposedCards(Struct, frozen=True, kw_only=True):
    """Pages of cards, their slots, the number of sheets, and the flip edge (None for single-sided or folded cards)."""

    pages: tuple[Page, ...]
    slots: Slots
    sheets: int
    flip: Flip | None = None


def impose(
    faces: Sequence[CardFaces], sheet: Sheet, cutting: CutPlan, *, imprint: Imprint, words: Words
) -> ImposedCards:
    """Return cards at actual size on as few sheets as possible.

    All sheets have the same slots and fill from the upper left, so that they can be cut in one stack. If any card has a
    back, each page of fronts has a page of backs behind it. For cards to fold there is one page for each sheet, with
    each back to the right of its front.

    Args:
        faces: the cards.
        sheet: the paper.
        cutting: the card size and the settings for cutting.
        imprint: the name of the pack and its seed.
        words: the language or languages of the marks.

    Raises:
        PageError: there are no cards, a margin is narrower than the printer's, no card fits, or there are too many
            pages.
    """
    if not faces:
        raise PageError("there are no cards to print; at least one is needed")
    size = cutting.size
    slots = fit_slots(size.width * (2 if cutting.fold else 1), size.height, sheet, gutter=cutting.gutter)
    narrowest = min(sheet.printable.x, sheet.printable.y)
    if narrowest < cutting.least_margin - 1e-9:
        raise PageError(
            "margins of {narrowest:g} mm are narrower than the {least:g} mm that printers need. Use wider "
            "margins, or measure your printer: printkit calibrate",
            narrowest=narrowest,
            least=cutting.least_margin,
        )
    count = -(-len(faces) // slots.count)
    press = _Press(slots=slots, cutting=cutting, imprint=imprint, words=words, sheets=count)
    has_backs = any(face.back is not None for face in faces)
    check_page_count(count * (2 if has_backs and not cutting.fold else 1))
    pages: list[Page] = []
    for number in range(count):
        sheet_faces = faces[number * slots.count : (number + 1) * slots.count]
        if cutting.fold:
            pages.append(press.pairs(sheet_faces, number + 1))
            continue
        pages.append(press.fronts(sheet_faces, number + 1, has_backs=has_backs))
        if has_backs:
            pages.append(press.backs(sheet_faces, number + 1))
    flip = cutting.flip if has_backs and not cutting.fold else None
    return ImposedCards(pages=tuple(pages), slots=slots, sheets=count, flip=flip)


class _Press(Struct, frozen=True, kw_only=True):
    """A builder of the pages of one deck."""

    slots: Slots
    cutting: CutPlan
    imprint: Imprint
    words: Words
    sheets: int

    def fronts(self, faces: Sequence[CardFaces], number: int, *, has_backs: bool) -> Page:
        """Return the page of fronts of a sheet; ``number`` counts the sheets from 1.

        ``faces`` are its cards, at most as many as slots. With ``has_backs`` the page says that it is a front.
        """
        cards = [self.slots.slot(index) for index in range(len(faces))]
        placements = [
            _place_face(face.front, card, self._card_with_bleed(card, index, len(faces)))
            for index, (face, card) in enumerate(zip(faces, cards, strict=True))
        ]
        turn = (self.words("imposition.front"), self._flip_text()) if has_backs else ()
        return self._page(cards, placements, number, turn)

    def backs(self, faces: Sequence[CardFaces], number: int) -> Page:
        """Return the page of backs of a sheet, each behind its front; ``number`` counts the sheets from 1.

        Backs are upside down if the flip requires it.
        """
        sheet, flip = self.slots.sheet, self.cutting.flip
        upright = flips_left_right(sheet, flip)
        cards = [self.slots.slot(index) for index in range(len(faces))]
        placements: list[Placement] = []
        for index, (face, card) in enumerate(zip(faces, cards, strict=True)):
            if face.back is not None:
                area = mirror_to_back(self._card_with_bleed(card, index, len(faces)), sheet, flip)
                placements.append(_place_face(face.back, mirror_to_back(card, sheet, flip), area, upright=upright))
        turn = (self.words("imposition.back"), self._flip_text())
        return self._page([mirror_to_back(card, sheet, flip) for card in cards], placements, number, turn, back=True)

    def pairs(self, faces: Sequence[CardFaces], number: int) -> Page:
        """Return a page of fronts with each back to the right of its front, to fold behind it.

        ``number`` is that of the sheet, from 1.
        """
        width = self.cutting.size.width
        pairs = [self.slots.slot(index) for index in range(len(faces))]
        placements: list[Placement] = []
        for index, (face, pair) in enumerate(zip(faces, pairs, strict=True)):
            area = self._card_with_bleed(pair, index, len(faces))
            middle = pair.x + width
            placements.append(_place_face(face.front, pair._replace(width=width), area._replace(width=middle - area.x)))
            if face.back is not None:
                right = Rect(middle, pair.y, width, pair.height)
                placements.append(_place_face(face.back, right, area._replace(x=middle, width=area.right - middle)))
        return self._page(pairs, placements, number, (self.words("imposition.fold"),))

    def _page(
        self,
        cards: Sequence[Rect],
        placements: Sequence[Placement],
        number: int,
        turn: Sequence[str],
        *,
        back: bool = False,
    ) -> Page:
        """Return a page of cards with its marks.

        Args:
            cards: the areas of the cards, in mm on paper.
            placements: the drawings of the cards.
            number: the number of the sheet, from 1.
            turn: texts for the line of type, about flipping the sheet.
            back: whether it is a page of backs.
        """
        words, cutting = self.words, self.cutting
        sheet_text = words("imposition.sheet", number=number, count=self.sheets)
        side = CardSheet(
            slots=self.slots,
            cards=cards,
            line=self.imprint.format_line(words, sheet_text, *turn),
            bleed_mm=cutting.size.bleed,
            outlined=cutting.outlined and not back,
            folds=cutting.fold,
        )
        label = words.each()[0]("imposition.label-back", number=number) if back else str(number)
        bookmark = words("imposition.bookmark-back" if back else "imposition.bookmark", number=number)
        return Page(
            sheet=self.slots.sheet,
            placements=(*placements, Placement(card_marks(side, words))),
            trim=side.block,
            label=label,
            bookmark=bookmark,
            back=back,
        )

    def _flip_text(self) -> str:
        """Return the text that says on which edge to flip the sheet."""
        return self.words(f"imposition.turn-{self.cutting.flip}")

    def _card_with_bleed(self, card: Rect, index: int, count: int) -> Rect:
        """Return the area of a card in mm with its bleed, cut off at the printable area of the sheet.

        The bleed is on sides without a neighbour, or on all sides if the gutter is wide enough. ``index`` is that of
        the slot, from 0, and ``count`` is the number of cards on the sheet.
        """
        bleed_mm = self.cutting.size.bleed
        if not bleed_mm:
            return card
        is_wide = self.slots.gutter >= 2 * bleed_mm
        columns = self.slots.columns
        row, column = divmod(index, columns)
        # Whether there is no other card on the left, on the right, above and below.
        free_sides = (column == 0, column == columns - 1 or index + 1 == count, row == 0, index + columns >= count)
        left, right, up, down = (bleed_mm if is_wide or free else 0.0 for free in free_sides)
        area = Rect(card.x - left, card.y - down, card.width + left + right, card.height + down + up)
        return intersect_rects(area, self.slots.sheet.printable)


def _place_face(drawing: Drawing, card: Rect, clip: Rect, *, upright: bool = True) -> Placement:
    """Return the placement of a face on its card, clipped to ``clip``; both areas are in mm on paper.

    The face is upside down if ``upright`` is false.
    """
    if upright:
        return Placement(drawing, Affine(e=card.x, f=card.y), clip)
    return Placement(drawing, Affine(-1.0, 0.0, 0.0, -1.0, card.right, card.top), clip)
