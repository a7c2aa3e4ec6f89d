"""What is made of each game where fields are planned as Hexon tiles: the layout in its formats, and the record."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from printkit.hexon.job import HexonOrder, hexon_job, job_lines, names_of, plan_lines
from printkit.kit.system import RuleSystem
from printkit.recipes.batch.batches import SEVERAL, Delivery, Done
from printkit.recipes.game.games import Played
from printkit.recipes.output.files import write_folder


class HexonWork(Struct, frozen=True, kw_only=True):
    """A layout of tiles; ``out`` is the file below the folder that names its files, or ``.``."""

    order: HexonOrder
    out: Path

    def __call__(self, system: RuleSystem, game: Played, to: Delivery) -> Done:
        """Write it, or say what would be written."""
        _, name, record_name = names_of(game, self.out, SEVERAL, self.order)
        job = hexon_job(game, system, self.order, name=name, record_name=record_name)
        if to.plan:
            return Done(said=tuple(plan_lines(game, job, to.shown, self.order.formats, out=to.shown / self.out)))
        force = to.replaces(game.record.seed)
        files = tuple(path.name for path in write_folder(job.files, to.folder, within=to.within, force=force))
        return Done(told=(*job_lines(game, job), *(f"  {to.shown / file}" for file in files)), files=files)
