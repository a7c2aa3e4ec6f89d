"""What is made of each game: a map with its record, or a folder with everything for one evening."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.export.writers import PAGES, RECORDS, FieldWishes
from printkit.kit.system import RuleSystem
from printkit.recipes.batch.batches import SEVERAL, Delivery, Done, throws
from printkit.recipes.game.games import Played
from printkit.recipes.prints.exact_picture import field_picture, picture_line, printed
from printkit.recipes.prints.file_names import stem
from printkit.recipes.prints.maps import MapSheet
from printkit.recipes.prints.printing import (
    BesideMap,
    FieldShow,
    WrittenMap,
    document_bytes,
    plan_lines,
    record_bytes,
    report_lines,
    write_map,
)
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.recipes.evening.handouts import EveningOrder


class EveningWork(Struct, frozen=True, kw_only=True):
    """Everything for one evening, in a folder of its own."""

    order: EveningOrder

    def __call__(self, system: RuleSystem, game: Played, to: Delivery) -> Done:
        """Write it, or say what would be written."""
        from printkit.recipes.evening.folder import write_evening
        from printkit.recipes.evening.handouts import evening, evening_plan, evening_report, folder_of

        name = folder_of(game.record, self.order, None, SEVERAL, default=Path())
        made = evening(game.record, system, self.order, to.folder / name)
        if to.plan:
            return Done(said=tuple(evening_plan(made, game.record, to.shown / name)))
        force = to.replaces(game.record.seed)
        written = write_evening(made.files, to.folder / name, within=to.within, force=force, alone=made.alone)
        files = tuple(path.relative_to(to.folder).as_posix() for path in written)
        return Done(told=(*throws(game, to), *evening_report(made, game, to.shown / name)), files=files)


class MapWork(Struct, frozen=True, kw_only=True):
    """A map, and its record; ``out`` is the file below the folder that names them, or ``.``."""

    order: MapSheet
    formats: tuple[str, ...]
    out: Path
    count: int = SEVERAL
    wishes: FieldWishes = FieldWishes()

    def __call__(self, system: RuleSystem, game: Played, to: Delivery) -> Done:
        """Write it, or say what would be written."""
        # A record alone needs no sheets, which take most of the time.
        sheets = any(name in PAGES for name in self.formats)
        document, planned = printed(game.record, system, self.order) if sheets else (None, None)
        if to.plan:
            from printkit.export.png import ink_estimate

            ink = ink_estimate(document) if document is not None else 0.0
            shown = to.shown / self.out
            return Done(said=tuple(plan_lines(game, self.order, planned, self.formats, shown, self.count, ink=ink)))
        place = to.folder / stem(game.record, self.out, self.count, self.order)
        force = to.replaces(game.record.seed)
        beside = BesideMap(plan=None if planned is None else planned.apart)
        written = write_map(
            document,
            game.record,
            self.formats,
            place,
            within=to.within,
            force=force,
            beside=beside,
            show=self._shown(system, game.record),
        )
        files = tuple(path.name for path in written.files)
        listed = WrittenMap(tuple(to.shown / name for name in files), to.shown / written.record.name)
        lines = report_lines(game, self.order, planned, listed)
        return Done(told=(*throws(game, to), *lines, *self._measures(game.record)), files=files)

    def _shown(self, system: RuleSystem, record: Record) -> FieldShow:
        return FieldShow(picture=partial(field_picture, record, system, self.order), wishes=self.wishes)

    def _measures(self, record: Record) -> Iterator[Sentence]:
        """Yield how a picture of the board alone measures."""
        if self.order.pixels is not None and "png" in self.formats:
            yield picture_line(record.battlefield, self.order.pixels)

    def stream(self, system: RuleSystem, game: Played) -> bytes:
        """Return the one file that goes to standard output.

        Raises:
            UsageError: the format has a file a page.
        """
        name = self.formats[0]
        if name in RECORDS:
            return record_bytes(name, game.record, self._shown(system, game.record))
        return document_bytes(printed(game.record, system, self.order)[0], name)
