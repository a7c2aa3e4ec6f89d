"""What the commands can be told besides how they print: which game, how many of them, and their own options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Struct

from printkit.core.numbers import GREATEST
from printkit.options.printing import Flip, LanguageOptions
from printkit.options.table import Option

_RULES: Final = ("printkit.kit.registry:names",)

Scenario = Annotated[str | None, Option("FILE.toml", "settings and lists of decisions from a file")]


class GameOptions(Struct, frozen=True, kw_only=True):
    """Which game is played, or which saved battlefield is used."""

    rules: Annotated[
        str | None,
        Option(
            "NAME",
            "whose rules: {names}",
            first=True,
            choices=_RULES,
            aliases=("--rule", "--ruleset", "--system", "--game", "-r"),
            usual="brantley",
        ),
    ] = None
    board: Annotated[
        str | None,
        Option(
            "SIZE",
            "24in, 72x48in, 60cm, 18BW",
            first=True,
            aliases=("--size", "--table", "-b"),
            usual="as the rules say",
        ),
    ] = None
    seed: Annotated[
        int | None,
        Option(
            "N",
            "the number of the game: same number, same field",
            first=True,
            aliases=("--random", "--number", "-s"),
            usual="a new one",
            least=0,
            most=GREATEST,
        ),
    ] = None
    settings: Annotated[
        Sequence[str],
        Option(
            "NAME=VALUE",
            "a setting of the rules, as printkit rules NAME lists them; repeatable",
            flag="--set",
            aliases=("--setting", "--option"),
        ),
    ] = ()
    scenario: Scenario = None
    cell: Annotated[
        str | None, Option("LENGTH", "of a gridded board: across the flats or along a side", usual="100mm")
    ] = None
    dice: Annotated[
        str | None, Option("SCORES", 'your own dice and cards: "5 3 KS 7H", or @FILE, for example a log', first=True)
    ] = None
    ask: Annotated[bool, Option("", "ask me for every roll", first=True)] = False
    record: Annotated[
        str | None, Option("RECORD", "print a saved battlefield; nothing is rolled", first=True, flag="--from")
    ] = None
    reroll: Annotated[Sequence[str], Option("STAGE", "with --from: roll this stage again; repeatable")] = ()
    keep: Annotated[Sequence[str], Option("STAGE", "with --from: keep this stage, roll the others; repeatable")] = ()
    box: Annotated[str | None, Option("FILE.toml", "your terrain pieces; the field uses only these")] = None


class BatchOptions(Struct, frozen=True, kw_only=True):
    """How many battlefields are made, and by whom."""

    count: Annotated[int, Option("N", "make N battlefields of consecutive seeds", "batch", least=1)] = 1
    again: Annotated[bool, Option("", "with --count: make those again that are there and whole", "batch")] = False
    cluster: Annotated[
        str | None, Option("ADDRESS", "with --count: share them out over the Dask cluster of this scheduler", "batch")
    ] = None


class DeckOptions(Struct, frozen=True, kw_only=True):
    """Which deck is printed, and of which field."""

    deck: Annotated[
        str | None,
        Option(
            "DECK",
            "none lists them all; terrain, reference ... of a rule system, kit (all that its cards are played with), "
            "blank; npg, bound, summary, booklet of the solo game, pair of its armies; with --from also zones, "
            "cut-outs, hidden, reveal",
            argument=True,
        ),
    ] = None
    record: Annotated[str | None, Option("RECORD", "the saved battlefield of the cards", first=True, flag="--from")] = (
        None
    )


class StockOptions(Struct, frozen=True, kw_only=True):
    """What is done with a stock of Hexon pieces besides laying one field."""

    seeds: Annotated[
        str | None, Option("SEEDS", "with --stock: take the field that it builds best, of seeds 1..50")
    ] = None
    stock_template: Annotated[
        str | None, Option("FILE", "write a stock file to fill in, .toml or .csv, and stop", "files")
    ] = None


class RulesOptions(LanguageOptions, frozen=True, kw_only=True):
    """What is told of a rule system."""

    name: Annotated[str | None, Option("NAME", "a rule system; none lists them all", argument=True, choices=_RULES)] = (
        None
    )
    page: Annotated[
        str | None,
        Option("PAGE", "show these of a rule system: {names}", flag="--show", choices=("printkit.cli.records:PAGES",)),
    ] = None
    scenario: Scenario = None


class CheckOptions(LanguageOptions, frozen=True, kw_only=True):
    """Which record is checked, and against which rules."""

    file: Annotated[str, Option("RECORD", "a saved battlefield, also one drawn by hand", argument=True)]
    judge: Annotated[
        str | None,
        Option("NAME", "the rules to check against", flag="--rules", choices=_RULES, usual="those of the record"),
    ] = None
    replay: Annotated[bool, Option("", "play seed and log again, and say where the record differs")] = False
    every: Annotated[bool, Option("", "show every clause, not the broken ones alone", flag="--verbose")] = False


class BoxOptions(Struct, frozen=True, kw_only=True):
    """Which terrain box, and which fields are tried for it."""

    file: Annotated[
        str, Option("FILE.toml", "a terrain box, or the name of one that comes with printkit", argument=True)
    ]
    seeds: Annotated[str, Option("SEEDS", "fields to choose among: 1..20, or 3, 5..9", first=True)] = "1..20"


class LeagueOptions(LanguageOptions, frozen=True, kw_only=True):
    """Which league, how many games are added to it, and the result of one of them."""

    folder: Annotated[str, Option("FOLDER", "the folder of the league", argument=True)]
    games: Annotated[int, Option("N", "how many games", first=True, least=1)] = 1
    name: Annotated[str | None, Option("TEXT", "what the league is called", usual="as its folder")] = None
    game: Annotated[
        str, Option("GAME", "the folder of a league and a number, such as autumn/2; in that folder 2", argument=True)
    ]
    result: Annotated[
        str, Option("RESULT", "who won, in a few words; an empty text takes it back", argument=True, empty=True)
    ]
    players: Annotated[str | None, Option("TEXT", "who played")] = None


class CalibrateOptions(Struct, frozen=True, kw_only=True):
    """What was measured on the test sheet of a printer."""

    name: Annotated[str | None, Option("NAME", "save what was measured under this name", flag="--printer")] = None
    measured: Annotated[str | None, Option("AxB", "lines A and B of the test sheet as printed: 180.2x249.5mm")] = None
    back: Annotated[str, Option("RIGHT,UP", "numbers G and H at the pin hole in the back: 0.5,-1mm")] = ""
    margins: Annotated[str, Option("LENGTHS", "left, right, top, bottom, by the ladders: '4 4 3 12mm'")] = ""
    flip: Flip = None


class StudioOptions(Struct, frozen=True, kw_only=True):
    """Where the studio listens."""

    port: Annotated[
        int | None, Option("N", "where it listens", least=1, most=65_535, usual="8024, or the next free port")
    ] = None
    lan: Annotated[bool, Option("", "let tablets and phones of the same network in, by a token")] = False


class CompletionOptions(LanguageOptions, frozen=True, kw_only=True):
    """For which shell a completion is written."""

    shell: Annotated[
        str,
        Option("SHELL", "{names}", argument=True, choices=("printkit.cli.completion:SHELLS",)),
    ]
