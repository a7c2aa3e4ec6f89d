"""Many cards on a sheet: their backs turned to match on the other side, or beside their fronts to be folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.page.card_marks import CardSheet, card_marks
from printkit.page.marks import Imprint
from printkit.page.printer import LEAST_MARGIN
from printkit.page.sheet import Flip, Page, Placement, Sheet
from printkit.page.slots import Slots, behind, lay_slots, turns_sideways


class Faced(Protocol):
    """A card as it is drawn, just as large as it is cut; its bleed reaches beyond the drawing's width and height."""

    @property
    def front(self) -> Drawing:
        """Return the front, upright."""
        ...

    @property
    def back(self) -> Drawing | None:
        """Return the back, upright, or None where it stays white."""
        ...


class Cutting(Struct, frozen=True, kw_only=True):
    """How cards are put on paper.

    ``size`` tells what is cut and how much colour goes beyond the cut; ``gutter`` is left between neighbours in mm;
    ``flip`` is the edge over which the sheet is turned; ``fold`` puts each back beside its front instead. ``outlined``
    draws a hairline on the cuts of the fronts. ``least`` is the margin in mm that the printer cannot reach for certain.
    """

    size: CardSize
    gutter: float = 0.0
    flip: Flip = Flip.LONG_EDGE
    fold: bool = False
    outlined: bool = True
    least: float = LEAST_MARGIN


class Imposed(Struct, frozen=True, kw_only=True):
    """Pages of cards, how the cards stand on them, how many sheets they take, and how those are turned over, if so."""

    pages: tuple[Page, ...]
    slots: Slots
    sheets: int
    flip: Flip | None = None


def impose(faces: Sequence[Faced], sheet: Sheet, cutting: Cutting, *, imprint: Imprint, words: Words) -> Imposed:
    """Return cards at true size on as few sheets as they take.

    Sheets fill from the upper left, all alike, so that they can be cut in one stack. Where any card has a back, every
    sheet has a page of backs behind its page of fronts.

    Raises:
        PageError: there are no cards, the margins are narrower than the printer's, or not one card fits.
    """
    if not faces:
        raise PageError("there are no cards to print; give at least one")
    narrowest = min(sheet.printable.x, sheet.printable.y)
    if narrowest < cutting.least - 1e-9:
        raise PageError(
            "margins of {narrowest:g} mm are less than the {least:g} mm that printers need; give "
            "them at least that, or measure yours: printkit calibrate",
            narrowest=narrowest,
            least=cutting.least,
        )
    size = cutting.size
    slots = lay_slots(size.width * (2 if cutting.fold else 1), size.height, sheet, gutter=cutting.gutter)
    count = -(-len(faces) // slots.count)
    press = _Press(slots=slots, cutting=cutting, imprint=imprint, words=words, sheets=count)
    backed = any(face.back is not None for face in faces)
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
    """Makes the pages of one deck."""

    slots: Slots
    cutting: Cutting
    imprint: Imprint
    words: Words
    sheets: int

    def fronts(self, faces: Sequence[Faced], number: int, *, backed: bool) -> Page:
        """Return the fronts of a sheet."""
        cards = [self.slots.slot(place) for place in range(len(faces))]
        placed = [
            _placed(face.front, card, self._shown(card, place, len(faces)))
            for place, (face, card) in enumerate(zip(faces, cards, strict=True))
        ]
        turn = (self.words("imposition.front"), self._turn()) if backed else ()
        return self._page(cards, placed, number, turn)

    def backs(self, faces: Sequence[Faced], number: int) -> Page:
        """Return the backs of a sheet, each behind its front; head down where the sheet is turned head over heels."""
        sheet, flip = self.slots.sheet, self.cutting.flip
        upright = turns_sideways(sheet, flip)
        cards = [self.slots.slot(place) for place in range(len(faces))]
        placed = [
            _placed(
                face.back,
                behind(card, sheet, flip),
                behind(self._shown(card, place, len(faces)), sheet, flip),
                upright=upright,
            )
            for place, (face, card) in enumerate(zip(faces, cards, strict=True))
            if face.back is not None
        ]
        turn = (self.words("imposition.back"), self._turn())
        return self._page([behind(card, sheet, flip) for card in cards], placed, number, turn, back=True)

    def pairs(self, faces: Sequence[Faced], number: int) -> Page:
        """Return fronts with their backs at their right, to be folded behind them."""
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
        """Return a card with its bleed: at the sides where nobody stands, and at all where the gutter holds two."""
        bleed = self.cutting.size.bleed
        if not bleed:
            return card
        apart = self.slots.gutter >= 2 * bleed
        columns = self.slots.columns
        row, column = divmod(place, columns)
        free = {
            "left": column == 0,
            "right": column == columns - 1 or place + 1 == count,
            "up": row == 0,
            "down": place + columns >= count,
        }
        by = {side: bleed if apart or alone else 0.0 for side, alone in free.items()}
        return _common(
            Rect(
                card.x - by["left"],
                card.y - by["down"],
                card.width + by["left"] + by["right"],
                card.height + by["down"] + by["up"],
            ),
            self.slots.sheet.printable,
        )


def _placed(drawing: Drawing, card: Rect, shown: Rect, *, upright: bool = True) -> Placement:
    """Return a face on its card, cut to what may be seen of it."""
    if upright:
        return Placement(drawing, Affine(e=card.x, f=card.y), shown)
    return Placement(drawing, Affine(-1.0, 0.0, 0.0, -1.0, card.right, card.top), shown)


def _common(one: Rect, other: Rect) -> Rect:
    left, bottom = max(one.x, other.x), max(one.y, other.y)
    return Rect(left, bottom, min(one.right, other.right) - left, min(one.top, other.top) - bottom)
