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
from printkit.drawing.lettering.lettering import line, measure, wrapped
from printkit.page.marks import Imprint, check_bar
from printkit.page.printer import LEAST_MARGIN
from printkit.page.ruling import BLACK, SMALL, frame, lines, printed, shortened, striped
from printkit.page.sheet import Flip, Page, Placement, Sheet, check_page_count, common
from printkit.page.slots import CLEAR, GAP, TWO_ROWS, Bands, Slots, behind, lay_slots, turns_sideways

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
_LARGE: Final = SMALL.sized(1.35)
# Height of type above the baseline and depth below it, as shares of the type size.
_RISE: Final = 0.76
_SINK: Final = 0.2
_BETWEEN: Final = 5.0


class CardSheet(Struct, frozen=True, kw_only=True):
    """The data for the marks of one printed side of a card sheet.

    Attributes:
        slots: the slots of a full sheet.
        cards: the areas of the cards, or of the pairs to fold.
        said: the line of type.
        bleed: the bleed in mm.
        outlined: whether a hairline marks the cuts.
        folds: whether ``cards`` are pairs to fold.
    """

    slots: Slots
    cards: Sequence[Rect]
    said: str
    bleed: float = 0.0
    outlined: bool = True
    folds: bool = False

    @property
    def block(self) -> Rect:
        """Return the bounds of all cards."""
        left, bottom = min(card.x for card in self.cards), min(card.y for card in self.cards)
        right, top = max(card.right for card in self.cards), max(card.top for card in self.cards)
        return Rect(left, bottom, right - left, top - bottom)


def card_marks(side: CardSheet, words: Words) -> Drawing:
    """Return all marks outside the cards, as a drawing of the size of the sheet."""
    sheet = side.slots.sheet
    bands = side.slots.bands()
    room = sheet.printable
    items: list[Item] = []
    free = room
    if bands is not None:
        lane = _Lane(room=room, block=side.slots.block, bands=bands)
        items += lane.bars(words)
        items += lane.said(side.said)
        free = lane.between
    items += [_ticks(side, free), *_outlines(side), *_fold_lines(side, free)]
    return printed(sheet.width, sheet.height, items)


class _Lane(Struct, frozen=True, kw_only=True):
    """The two bands of a sheet for type and check bars: top and bottom, or left and right."""

    room: Rect
    block: Rect
    bands: Bands

    @property
    def between(self) -> Rect:
        """Return the area between type and bars, for ticks."""
        by = self.bands.depth + GAP
        if self.bands.standing:
            return Rect(self.room.x + by, self.room.y, self.room.width - 2 * by, self.room.height)
        return Rect(self.room.x, self.room.y + by, self.room.width, self.room.height - 2 * by)

    @property
    def _span(self) -> tuple[float, float]:
        """Return the start of the block along the lane, and the end of the printable area."""
        if self.bands.standing:
            return self.block.y, self.room.top
        return self.block.x, self.room.right

    def bars(self, words: Words) -> list[Item]:
        """Return the check bars at the outer edge: in one row, in two rows, or the metric bar alone."""
        start, end = self._span
        least = self.room.y if self.bands.standing else self.room.x
        bar = check_bar(end - least, words)
        parts = [(10.0, round(bar.length / 10)), (MM_PER_INCH, bar.inches)]
        lengths = [
            step * count + 1.0 + measure(text, SMALL) for (step, count), text in zip(parts, bar.texts, strict=True)
        ]
        start = max(least, min(start, end - max(lengths)))
        items: list[Item] = []
        row, at, reached = 0, start, start
        for (step, count), text, length in zip(parts, bar.texts, lengths, strict=True):
            if at + length > end:
                if self.bands.depth < TWO_ROWS:
                    break
                row, at = 1, start
            items += self._bar([step] * count, text, at, row)
            reached = max(reached, at + length)
            at += length + _BETWEEN
        return items + self._beside("marks.true-size", words, reached + _BETWEEN, end)

    def said(self, text: str) -> list[Item]:
        """Return the type on the other side: large if it fits, in two rows if one row is too short."""
        start, end = self._span
        least = self.room.y if self.bands.standing else self.room.x
        most = 2 if self.bands.depth == TWO_ROWS else 1
        hand = _LARGE if most == 2 and measure(text, _LARGE) <= end - start else SMALL
        start = max(least, min(start, end - measure(text, hand)))
        rows = list(wrapped(text, hand.font, hand.size_pt, end - start))
        if len(rows) > most:
            rows = [*rows[: most - 1], shortened(" ".join(rows[most - 1 :]), hand, end - start)]
        items: list[Item] = []
        for number, row in enumerate(rows):
            foot = _RISE * hand.height + number * _PITCH
            if self.bands.standing:
                items += line(row, (self.room.x + foot, start), hand, angle=90)
            else:
                items += line(row, (start, self.room.top - foot), hand)
        return items

    def _bar(self, steps: Sequence[float], text: str, start: float, row: int) -> list[Item]:
        outer = row * _PITCH
        step, length = steps[0], plain_sum(steps)
        if self.bands.standing:
            x = self.room.right - outer - _BAR
            parts = [Rect(x, start + number * step, _BAR, step) for number in range(len(steps))]
            label = line(text, (x + _BAR, start + length + 1.0), SMALL, angle=90)
        else:
            y = self.room.y + outer
            parts = [Rect(start + number * step, y, step, _BAR) for number in range(len(steps))]
            label = line(text, (start + length + 1.0, y), SMALL)
        return [*striped(parts), *label]

    def _beside(self, key: str, words: Words, start: float, end: float) -> list[Item]:
        """Return a text in the rest of the row of bars: in all languages, in the first, or no text."""
        said = [text for text in (words(key), words.each()[0](key)) if measure(text, SMALL) <= end - start]
        if not said:
            return []
        tails = _SINK * SMALL.height
        if self.bands.standing:
            return [*line(said[0], (self.room.right - tails, start), SMALL, angle=90)]
        return [*line(said[0], (start, self.room.y + tails), SMALL)]


def _ticks(side: CardSheet, free: Rect) -> Item:
    """Return a tick at both ends of each cut, outside the block."""
    block = side.block
    across = sorted({round(x, 4) for card in side.cards for x in (card.x, card.right)})
    up = sorted({round(y, 4) for card in side.cards for y in (card.y, card.top)})
    return lines(_ends(side, block, free, across=across, up=up), BLACK, _HAIR)


def _ends(
    side: CardSheet, block: Rect, free: Rect, *, across: Sequence[float], up: Sequence[float]
) -> list[tuple[float, float, float, float]]:
    """Return ticks below and above each x of ``across``, and left and right of each y of ``up``."""
    found: list[tuple[float, float, float, float]] = []
    for y, outwards, spare in ((block.top, 1, free.top - block.top), (block.y, -1, block.y - free.y)):
        tick = _tick(spare, side.bleed)
        if tick is not None:
            found += [(x, y + outwards * tick[0], x, y + outwards * tick[1]) for x in across]
    for x, outwards, spare in ((block.x, -1, block.x - free.x), (block.right, 1, free.right - block.right)):
        tick = _tick(spare, side.bleed)
        if tick is not None:
            found += [(x + outwards * tick[0], y, x + outwards * tick[1], y) for y in up]
    return found


def _tick(spare: float, bleed: float) -> tuple[float, float] | None:
    """Return the start and end of a tick, in mm outside the block, closer if there is little space."""
    begins = max(CLEAR, bleed)
    ends = min(begins + _TICK, spare)
    if ends - begins < _LEAST_TICK:
        begins = max(_NEAREST, bleed, ends - _LEAST_TICK)
    return (begins, ends) if ends - begins >= _NEAREST else None


def _outlines(side: CardSheet) -> list[Item]:
    return [frame(card, _OUTLINE, _OUTLINE_WIDTH) for card in side.cards] if side.outlined else []


def _fold_lines(side: CardSheet, free: Rect) -> list[Item]:
    """Return the dashed fold lines of pairs, and dashed ticks at their ends."""
    if not side.folds:
        return []
    middles = sorted({round(card.x + card.width / 2, 4) for card in side.cards})
    inside = [(card.x + card.width / 2, card.y, card.x + card.width / 2, card.top) for card in side.cards]
    ticks = _ends(side, side.block, free, across=middles, up=())
    return [lines(inside, _OUTLINE, _OUTLINE_WIDTH, _FOLD), lines(ticks, BLACK, _HAIR, (0.6, 0.6))]


class Faced(Protocol):
    """A drawn card at its trim size; its bleed is outside the width and height of the drawing."""

    @property
    def front(self) -> Drawing:
        """Return the front."""
        ...

    @property
    def back(self) -> Drawing | None:
        """Return the back, or None if it is blank."""
        ...


class CutPlan(Struct, frozen=True, kw_only=True):
    """The settings for cards on paper.

    Attributes:
        size: the trim size and the bleed of a card.
        gutter: the gap between neighbouring cards, in mm.
        flip: the edge on which a duplex sheet is flipped.
        fold: whether each back is printed next to its front, to fold behind it.
        outlined: whether a hairline marks the cuts of the fronts.
        least: the narrowest margin that the printer certainly can print, in mm.
    """

    size: CardSize
    gutter: float = 0.0
    flip: Flip = Flip.LONG_EDGE
    fold: bool = False
    outlined: bool = True
    least: float = LEAST_MARGIN


class Imposed(Struct, frozen=True, kw_only=True):
    """Pages of cards, their slots, the number of sheets, and the flip edge (None for single-sided or folded cards)."""

    pages: tuple[Page, ...]
    slots: Slots
    sheets: int
    flip: Flip | None = None


def impose(faces: Sequence[Faced], sheet: Sheet, cutting: CutPlan, *, imprint: Imprint, words: Words) -> Imposed:
    """Return cards at actual size on as few sheets as possible.

    All sheets have the same slots and fill from the upper left, so that they can be cut in one stack. If any card has
    a back, each page of fronts has a page of backs behind it.

    Raises:
        PageError: there are no cards, a margin is narrower than the printer's, or no card fits.
    """
    if not faces:
        raise PageError("there are no cards to print; at least one is needed")
    size = cutting.size
    slots = lay_slots(size.width * (2 if cutting.fold else 1), size.height, sheet, gutter=cutting.gutter)
    narrowest = min(sheet.printable.x, sheet.printable.y)
    if narrowest < cutting.least - 1e-9:
        raise PageError(
            "margins of {narrowest:g} mm are narrower than the {least:g} mm that printers need. Use wider "
            "margins, or measure your printer: printkit calibrate",
            narrowest=narrowest,
            least=cutting.least,
        )
    count = -(-len(faces) // slots.count)
    press = _Press(slots=slots, cutting=cutting, imprint=imprint, words=words, sheets=count)
    backed = any(face.back is not None for face in faces)
    check_page_count(count * (2 if backed and not cutting.fold else 1))
    pages: list[Page] = []
    for number in range(count):
        shown = faces[number * slots.count : (number + 1) * slots.count]
        if cutting.fold:
            pages.append(press.pairs(shown, number + 1))
            continue
        pages.append(press.fronts(shown, number + 1, backed=backed))
        if backed:
            pages.append(press.backs(shown, number + 1))
    flip = cutting.flip if backed and not cutting.fold else None
    return Imposed(pages=tuple(pages), slots=slots, sheets=count, flip=flip)


class _Press(Struct, frozen=True, kw_only=True):
    """A builder of the pages of one deck."""

    slots: Slots
    cutting: CutPlan
    imprint: Imprint
    words: Words
    sheets: int

    def fronts(self, faces: Sequence[Faced], number: int, *, backed: bool) -> Page:
        """Return the page of fronts of a sheet."""
        cards = [self.slots.slot(place) for place in range(len(faces))]
        placed = [
            _placed(face.front, card, self._shown(card, place, len(faces)))
            for place, (face, card) in enumerate(zip(faces, cards, strict=True))
        ]
        turn = (self.words("imposition.front"), self._turn()) if backed else ()
        return self._page(cards, placed, number, turn)

    def backs(self, faces: Sequence[Faced], number: int) -> Page:
        """Return the page of backs of a sheet, each behind its front, upside down if the flip requires it."""
        sheet, flip = self.slots.sheet, self.cutting.flip
        upright = turns_sideways(sheet, flip)
        cards = [self.slots.slot(place) for place in range(len(faces))]
        placed: list[Placement] = []
        for place, (face, card) in enumerate(zip(faces, cards, strict=True)):
            if face.back is not None:
                shown = behind(self._shown(card, place, len(faces)), sheet, flip)
                placed.append(_placed(face.back, behind(card, sheet, flip), shown, upright=upright))
        turn = (self.words("imposition.back"), self._turn())
        return self._page([behind(card, sheet, flip) for card in cards], placed, number, turn, back=True)

    def pairs(self, faces: Sequence[Faced], number: int) -> Page:
        """Return a page of fronts with each back to the right of its front, to fold behind it."""
        width = self.cutting.size.width
        pairs = [self.slots.slot(place) for place in range(len(faces))]
        placed: list[Placement] = []
        for place, (face, pair) in enumerate(zip(faces, pairs, strict=True)):
            shown = self._shown(pair, place, len(faces))
            middle = pair.x + width
            placed.append(_placed(face.front, pair._replace(width=width), shown._replace(width=middle - shown.x)))
            if face.back is not None:
                right = Rect(middle, pair.y, width, pair.height)
                placed.append(_placed(face.back, right, shown._replace(x=middle, width=shown.right - middle)))
        return self._page(pairs, placed, number, (self.words("imposition.fold"),))

    def _page(
        self,
        cards: Sequence[Rect],
        placed: Sequence[Placement],
        number: int,
        turn: Sequence[str],
        *,
        back: bool = False,
    ) -> Page:
        words, cutting = self.words, self.cutting
        counted = words("imposition.sheet", number=number, count=self.sheets)
        side = CardSheet(
            slots=self.slots,
            cards=cards,
            said=self.imprint.said(words, counted, *turn),
            bleed=cutting.size.bleed,
            outlined=cutting.outlined and not back,
            folds=cutting.fold,
        )
        label = words.each()[0]("imposition.label-back", number=number) if back else str(number)
        bookmark = words("imposition.bookmark-back" if back else "imposition.bookmark", number=number)
        return Page(
            sheet=self.slots.sheet,
            placements=(*placed, Placement(card_marks(side, words))),
            trim=side.block,
            label=label,
            bookmark=bookmark,
            back=back,
        )

    def _turn(self) -> str:
        return self.words(f"imposition.turn-{self.cutting.flip}")

    def _shown(self, card: Rect, place: int, count: int) -> Rect:
        """Return a card with its bleed: on sides without a neighbour, or on all sides if the gutter is wide enough."""
        bleed = self.cutting.size.bleed
        if not bleed:
            return card
        apart = self.slots.gutter >= 2 * bleed
        columns = self.slots.columns
        row, column = divmod(place, columns)
        # Whether there is no other card on the left, on the right, above and below.
        alone = (column == 0, column == columns - 1 or place + 1 == count, row == 0, place + columns >= count)
        left, right, up, down = (bleed if apart or free else 0.0 for free in alone)
        bled = Rect(card.x - left, card.y - down, card.width + left + right, card.height + down + up)
        return common(bled, self.slots.sheet.printable)


def _placed(drawing: Drawing, card: Rect, shown: Rect, *, upright: bool = True) -> Placement:
    """Place a face on its card, clipped to ``shown``."""
    if upright:
        return Placement(drawing, Affine(e=card.x, f=card.y), shown)
    return Placement(drawing, Affine(-1.0, 0.0, 0.0, -1.0, card.right, card.top), shown)
