"""The commands about the non-player general: his army, and lists of armies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from printkit.cli_commands import Commands
from printkit.console import options, terminal
from printkit.core.errors import UsageError

if TYPE_CHECKING:
    from printkit.core.words import Words

app = Commands(help="A non-player general for DBA 2.2: his army, and what he does with it.", rich_markup_mode=None)

ArmyName = Annotated[
    str | None,
    typer.Argument(metavar="[ARMY]", help="A sample army by its name, or an army file; none lists the samples."),
]
NpgArmy = Annotated[
    str | None, typer.Argument(metavar="[NPG]", help="His army: a sample by its name, or an army file [by the seed].")
]
YourArmy = Annotated[
    str | None, typer.Argument(metavar="[YOU]", help="YOUR army, its choices made: as NPG [a sample by the seed].")
]
Mode = Annotated[
    str | None,
    typer.Option(
        "--mode", metavar="MODE", help="ranges: what to throw, what is known counted; blank: boxes to tick [rolled]."
    ),
]
OpenByChance = Annotated[
    bool, typer.Option("--choose-for-you", help="Let chance make the choices that YOUR army leaves open.")
]
ArmyOut = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Also write the finished army, NAME.toml, or each step, NAME.json."),
]


@app.callback(invoke_without_command=True)
def npg_(context: typer.Context, lang: options.Language = None) -> None:
    """A non-player general for DBA 2.2: his army, and what he does with it."""
    terminal.prefer(lang)
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("armies")
def armies_(name: ArmyName = None, lang: options.Language = None) -> None:
    """List the sample armies; of one, or of an army file, show what it holds and what is to be chosen."""
    from printkit.core import words as languages
    from printkit.systems.solo.armies.armies import in_words, read_army, samples
    from printkit.systems.solo.armies.composition_lists import army_lines, listing_lines
    from printkit.systems.solo.battle.composing_job import in_turn

    words = languages.find(lang or terminal.language())
    armies = samples() if name is None else (read_army(name),)

    def tell(one: Words) -> Iterator[str]:
        told = [in_words(army, one) for army in armies]
        return listing_lines(told, one) if name is None else army_lines(told[0], one)

    terminal.show(in_turn(words, tell))


@app.command("compose")
def compose_(
    npg: NpgArmy = None,
    you: YourArmy = None,
    settings: options.Setting = None,
    mode: Mode = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    choose_for_you: OpenByChance = False,
    lang: options.Language = None,
    out: ArmyOut = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Dice for the army of the non-player general, slot by slot, the general last; then for who attacks."""
    from printkit.core import words as languages
    from printkit.recipes.game.request import dice_text, pairs
    from printkit.systems.solo.battle.composing_job import ComposeOrder, compose_job, write_job

    words = languages.find(lang or terminal.language())
    if ask and dice is not None:
        raise UsageError("--ask and --dice together say two things; give the dice, or be asked for them")
    job = compose_job(
        ComposeOrder(
            words=words,
            seed=terminal.fresh_seed() if seed is None else seed,
            npg=npg,
            you=you,
            settings=pairs(settings or ()),
            mode=mode,
            dice=dice_text(dice),
            goes_on=seed is not None,
            table=terminal.table() if ask else None,
            open_by_chance=choose_for_you,
            every=verbose,
        )
    )
    path = None if out is None else write_job(job, out, force=force)
    terminal.show(job.lines)
    if verbose:
        from printkit.chance.script import write_log

        print(write_log(job.log), end="", file=sys.stderr)
    if quiet:
        return
    if job.drawn:
        print(words("npg.army.seed", seed=job.seed), file=sys.stderr)
    if job.unused:
        print(words("npg.army.unused", count=job.unused), file=sys.stderr)
    if path is not None:
        print(path, file=sys.stderr)
