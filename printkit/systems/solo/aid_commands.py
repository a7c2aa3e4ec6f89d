"""The command of the table aid: one page for a phone, of a battle or of two armies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import FOLDER, STREAM
from printkit.console.parameters import Opt, argument


class AidOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit npg aid``."""

    first: Annotated[
        str, argument("BATTLE.toml|NPG", "A battle file; or his army: a sample, an army file, or a list on one line.")
    ]
    you: Annotated[str | None, argument("[YOU]", "YOUR army, likewise.")] = None
    settings: options.Settings = ()
    seed: options.Seed = None
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    lang: options.Language = None
    out: Annotated[Path, Opt("--out", "PATH", "A file or a folder; - for standard output.")] = FOLDER
    force: options.Force = False
    quiet: options.Quiet = False


def aid(asked: AidOptions) -> None:
    """Write the page."""
    from printkit.recipes.game.request import pairs
    from printkit.recipes.output.files import find_style, write_folder
    from printkit.systems.solo.sheets.aid_pages import AidOrder, aid_page

    words = terminal.words(asked.lang)
    order = AidOrder(
        first=asked.first,
        you=asked.you,
        settings=pairs(asked.settings),
        seed=terminal.fresh_seed() if asked.seed is None else asked.seed,
        own_seed=asked.seed is not None,
        words=words,
        style=find_style(asked.style, large_print=asked.large_print),
    )
    page = aid_page(order)
    if asked.out == STREAM:
        terminal.write(page.text.encode())
        return
    place = asked.out if asked.out.suffix == ".html" else asked.out / page.name
    written = write_folder({place.name: page.text}, place.parent, force=asked.force)
    if not asked.quiet:
        terminal.tell([*page.lines, *(f"  {path}" for path in written)])
