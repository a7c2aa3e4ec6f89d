"""Options of the commands apart from printing: the game, the number of games, and options of single commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Struct

from printkit.core.numbers import GREATEST
from printkit.options.printing import Flip, LanguageOptions
from printkit.options.table import Option

_RULES: Final = ("printkit.kit.registry:names",)

Scenario = Annotated[str | None, Option("FILE.toml", "read settings and decisions from a file")]


class GameOptions(Struct, frozen=True, kw_only=True):
    """Options that select the game, or a saved battlefield."""

    rules: Annotated[
        str | None,
        Option("NAME", "rule system: {names}", first=True, choices=_RULES, usual="brantley", title="Rules"),
    ] = None
    board: Annotated[
        str | None,
        Option("SIZE", "24in, 72x48in, 60cm, 18BW", first=True, usual="as the rules say", title="Board"),
    ] = None
    seed: Annotated[
        int | None,
        Option(
            "N", "same number, same battlefield", first=True, usual="a new one", least=0, most=GREATEST, title="Seed"
        ),
    ] = None
    settings: Annotated[
        Sequence[str],
        Option(
            "NAME=VALUE",
            "a setting of the rules (printkit rules NAME lists them); repeatable",
            flag="--set",
        ),
    ] = ()
    scenario: Scenario = None
    cell: Annotated[
        str | None,
        Option(
            "LENGTH",
            "cell size of a gridded board: across the flats of a hex, or the side of a square",
            usual="100mm",
            title="Area width",
        ),
    ] = None
    dice: Annotated[str | None, Option("SCORES", 'your own dice and cards: "5 3 KS 7H", or @FILE', first=True)] = None
    ask: Annotated[bool, Option("", "ask me for every roll", first=True)] = False
    record: Annotated[
        str | None, Option("RECORD", "print a saved battlefield without rolling any dice", first=True, flag="--from")
    ] = None
    reroll: Annotated[Sequence[str], Option("STAGE", "with --from: roll this stage again; repeatable")] = ()
    keep: Annotated[
        Sequence[str], Option("STAGE", "with --from: keep this stage and roll the others again; repeatable")
    ] = ()
    wish: Annotated[
        str | None,
        Option(
            "WISH",
            "another battlefield like this one, the best of 12: {names}",
            flag="--like",
            choices=("printkit.recipes.game.like:WISHES",),
        ),
    ] = None
    box: Annotated[str | None, Option("FILE.toml", "your terrain pieces; the battlefield uses only these")] = None
    game_title: Annotated[
        str,
        Option("TEXT", "the title of the battlefield", flag="--title", usual="the name of a feature", title="Title"),
    ] = ""
    player_names: Annotated[
        str,
        Option(
            "NAMES", 'the names of the two players, for all sheets: "Ann, Bob"', flag="--players", title="Who plays"
        ),
    ] = ""


class BatchOptions(Struct, frozen=True, kw_only=True):
    """Options for generating several battlefields."""

    count: Annotated[int, Option("N", "generate N battlefields with consecutive seeds", "batch", least=1)] = 1
    again: Annotated[bool, Option("", "with --count: generate existing battlefields again", "batch")] = False
    cluster: Annotated[
        str | None, Option("ADDRESS", "with --count: use the Dask cluster of this scheduler", "batch")
    ] = None


class DeckOptions(Struct, frozen=True, kw_only=True):
    """Options that select a deck and its battlefield."""

    deck: Annotated[
        str | None,
        Option(
            "DECK",
            "name of a deck; without it, all are listed. Rule systems: terrain, reference, kit (everything "
            "to play the cards). Solo game: npg, bound, summary, booklet, pair. With --from: zones, "
            "cut-outs, hidden, reveal. Without rules: blank",
            argument=True,
        ),
    ] = None
    record: Annotated[
        str | None, Option("RECORD", "the saved battlefield that the cards belong to", first=True, flag="--from")
    ] = None


class StockOptions(Struct, frozen=True, kw_only=True):
    """Options for choosing the battlefield that Hexon pieces build best."""

    seeds: Annotated[
        str | None,
        Option(
            "SEEDS",
            "with --stock or --hills slope: choose the best seed, for example from 1..50; on squares: compare sets of "
            "tiles, and with --count N print one",
        ),
    ] = None


class RulesOptions(LanguageOptions, frozen=True, kw_only=True):
    """Options of the command ``rules``."""

    name: Annotated[
        str | None,
        Option(
            "NAME",
            "a rule system, or the file of a rule book; without it, all are listed",
            argument=True,
            choices=_RULES,
        ),
    ] = None
    page: Annotated[
        str | None,
        Option("PAGE", "show only {names}", flag="--show", choices=("printkit.cli.records:PAGES",)),
    ] = None
    scenario: Scenario = None


class SchemaOptions(Struct, frozen=True, kw_only=True):
    """Options of the command ``schema``."""

    kind: Annotated[
        str | None,
        Option(
            "KIND",
            "a kind of file; without it, all are listed",
            argument=True,
            choices=("printkit.cli.schema:FORMATS",),
        ),
    ] = None
    example: Annotated[bool, Option("", "an example to fill in, in place of the JSON Schema")] = False


class CheckOptions(LanguageOptions, frozen=True, kw_only=True):
    """Options that select the record to check, and the rules."""

    file: Annotated[str, Option("RECORD", "a saved battlefield, or one drawn by hand", argument=True)]
    judge: Annotated[
        str | None,
        Option("NAME", "the rules to check against", flag="--rules", choices=_RULES, usual="the record's own"),
    ] = None
    replay: Annotated[bool, Option("", "replay the seed and the log, and show any difference from the record")] = False
    every: Annotated[bool, Option("", "show all clauses, not only the broken ones", flag="--verbose")] = False


class BoxOptions(Struct, frozen=True, kw_only=True):
    """Options that select a terrain box and the seeds to try for it."""

    file: Annotated[
        str, Option("FILE.toml", "a terrain box file, or the name of a box that comes with printkit", argument=True)
    ]
    seeds: Annotated[str, Option("SEEDS", "seeds to choose from: 1..20, or 3, 5..9", first=True)] = "1..20"


class LeagueOptions(LanguageOptions, frozen=True, kw_only=True):
    """Options of a league: its folder, new games, and the result of a game."""

    folder: Annotated[str, Option("FOLDER", "the folder of the league", argument=True)]
    players: Annotated[
        str | None,
        Option(
            "NAMES", "players, separated by commas, or a file with a name on each line", first=True, title="Players"
        ),
    ] = None
    games: Annotated[
        int | None, Option("N", "how many games", first=True, least=1, usual="1, in a new league without players 3")
    ] = None
    tables: Annotated[
        int | None,
        Option(
            "N", "how many tables the round has", first=True, least=1, usual="enough for all players", title="Tables"
        ),
    ] = None
    print_sheets: Annotated[
        bool, Option("", "also print the sheets of each table of the round", first=True, flag="--print")
    ] = False
    name: Annotated[str | None, Option("TEXT", "name of the league", usual="the folder's name", title="Name")] = None
    game: Annotated[
        str,
        Option(
            "GAME",
            "folder and number of the game, such as autumn/2; only the folder if the result names the players",
            argument=True,
        ),
    ]
    result: Annotated[
        str,
        Option(
            "RESULT",
            "the score, such as 5-2; without players a few words; an empty text removes the result",
            argument=True,
            empty=True,
        ),
    ]


class CalibrateOptions(Struct, frozen=True, kw_only=True):
    """Measurements from the test sheet of a printer."""

    name: Annotated[str | None, Option("NAME", "save the measurements under this name", flag="--printer")] = None
    measured: Annotated[str | None, Option("AxB", "printed length of lines A and B: 180.2x249.5mm")] = None
    back: Annotated[str, Option("RIGHT,UP", "scales G and H at the pin hole on the back: 0.5,-1mm")] = ""
    margins: Annotated[
        str, Option("LENGTHS", "left, right, top and bottom margins from the test sheet: '4 4 3 12mm'")
    ] = ""
    flip: Flip = None


class StudioOptions(Struct, frozen=True, kw_only=True):
    """Options for the network port of the studio."""

    port: Annotated[
        int | None, Option("N", "port of the studio", least=1, most=65_535, usual="8024, or the next free port")
    ] = None
    lan: Annotated[bool, Option("", "let phones in from the start; the studio has a switch for it")] = False
    new_key: Annotated[bool, Option("", "replace the key of the studio; browsers then need its new address")] = False
    child: Annotated[bool, Option("", "write JSON lines, and end with standard input", hidden=True)] = False


class CompletionOptions(LanguageOptions, frozen=True, kw_only=True):
    """The shell to write a completion script for."""

    shell: Annotated[
        str,
        Option("SHELL", "{names}", argument=True, choices=("printkit.cli.completion:SHELLS",)),
    ]
