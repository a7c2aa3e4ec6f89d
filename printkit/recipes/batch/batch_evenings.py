"""What is made of each game where evenings are printed: a folder with everything for one."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from printkit.kit.system import RuleSystem
from printkit.recipes.batch.batches import SEVERAL, Delivery, Done, throws
from printkit.recipes.evening.folder import write_evening
from printkit.recipes.evening.handouts import EveningOrder, evening, evening_plan, evening_report, folder_of
from printkit.recipes.game.games import Played


class EveningWork(Struct, frozen=True, kw_only=True):
    """Everything for one evening, in a folder of its own."""

    order: EveningOrder

    def __call__(self, system: RuleSystem, game: Played, to: Delivery) -> Done:
        """Write it, or say what would be written."""
        name = folder_of(game.record, self.order, None, SEVERAL, default=Path())
        made = evening(game.record, system, self.order)
        if to.plan:
            return Done(said=tuple(evening_plan(made, game.record, to.shown / name)))
        force = to.replaces(game.record.seed)
        written = write_evening(made.files, to.folder / name, within=to.within, force=force)
        files = tuple(path.relative_to(to.folder).as_posix() for path in written)
        return Done(told=(*throws(game, to), *evening_report(made, game, to.shown / name)), files=files)
