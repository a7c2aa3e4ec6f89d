"""Options of the commands for play: the secret deal, columns on the march, and battles against the NPG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Struct

from printkit.options.printing import LanguageOptions, MapOptions
from printkit.options.table import Option

# The function that returns the sample armies which a word names.
MATCHING_SAMPLES: Final = "printkit.systems.solo.armies.army_files:matching_samples"


class SealedOptions(Struct, frozen=True, kw_only=True):
    """Options of the sealed game: deal, status, reveal and verify."""

    open: Annotated[bool, Option("", "an open game: the seed decides all cards")] = False
    game: Annotated[
        str, Option("GAME", "the sealed game that printkit deal wrote: its name, its folder or its file", argument=True)
    ]
    place: Annotated[
        Sequence[str],
        Option(
            "TURN",
            'place a card: "A a2 5" places A\'s second card on zone 5; "back 7" takes back line 7 and after; '
            "repeatable",
            first=True,
        ),
    ] = ()
    number: Annotated[
        Sequence[str],
        Option(
            "B=N",
            "player B's number of at least six digits, such as B=416235, after the eighth card; it changes the dice",
            first=True,
        ),
    ] = ()
    turn_codes: Annotated[
        Sequence[str],
        Option(
            "LINE=CODE",
            "the code of a line that you were sent, such as 8=91be5c20aa07; the last one proves all before; repeatable",
            flag="--code",
            first=True,
        ),
    ] = ()
    only: Annotated[
        Sequence[str],
        Option(
            "SHEET",
            "print this sheet of the deal again: {names}; repeatable",
            choices=("printkit.systems.brantley.sheets.dealing:SHEET_NAMES",),
        ),
    ] = ()
    code: Annotated[Sequence[str], Option("CODE", "the code on your sheet, with or without spaces", argument=True)]
    revealed: Annotated[
        str | None, Option("RECORD", "the record that reveal wrote", flag="--record", usual="map.json next to the game")
    ] = None


class ColumnsOptions(LanguageOptions, frozen=True, kw_only=True):
    """Options of columns: new, show and bound."""

    new_file: Annotated[str, Option("GAME.toml", "the scenario file to write", argument=True)]
    defender: Annotated[
        str, Option("DEFENDER", "a sample army, an army file, or an army list on one line", argument=True)
    ]
    attacker: Annotated[str, Option("ATTACKER", "the same for the other side", argument=True)]
    file: Annotated[str, Option("GAME", "a scenario file or a record; the log is saved next to it", argument=True)]
    side: Annotated[str, Option("SIDE", "defender or attacker", argument=True)]
    undo: Annotated[bool, Option("", "undo the last recorded bound (of SIDE, if given)")] = False
    to: Annotated[
        str, Option("FORMAT", "{names}", "files", choices=("printkit.systems.collision.columns_commands:FORMATS",))
    ] = "text"
    die: Annotated[str, Option("DIE", "score of the PIP die, 1 to 6", argument=True)]
    spending: Annotated[
        Sequence[str],
        Option(
            "SPENDING",
            'PIPs spent, for example "column-2 1 on, other 4", or none; without it the bound is not '
            "recorded; no-room: column 3 has no room",
            argument=True,
        ),
    ] = ()


class ArmyOptions(Struct, frozen=True, kw_only=True):
    """The armies of a solo command: one to show, two to fight, or the battle file that names both."""

    army: Annotated[
        str | None,
        Option(
            "ARMY",
            "a sample army or an army file; without it, the samples are listed",
            argument=True,
            choices=("printkit.systems.solo.armies.army_files:sample_names",),
        ),
    ] = None
    npg: Annotated[
        str, Option("NPG", "the NPG's army: a sample army, an army file, or an army list on one line", argument=True)
    ]
    first: Annotated[
        str,
        Option(
            "BATTLE.toml|NPG", "a battle file; or the NPG's army: a sample army, an army file or a list", argument=True
        ),
    ]
    you: Annotated[str, Option("YOU", "YOUR army, in the same form", argument=True)]
    choose_for_you: Annotated[bool, Option("", "roll for the open choices of YOUR army too")] = False


class BattleOptions(Struct, frozen=True, kw_only=True):
    """Options of a solo battle: its file, the current stage, and the data of a new battle."""

    file: Annotated[str, Option("BATTLE.toml", "the battle file; the log is saved next to it", argument=True)]
    undo: Annotated[bool, Option("", "undo the last run of this stage and everything after it", first=True)] = False
    anew: Annotated[
        bool, Option("", "roll this stage again and drop everything after it", first=True, flag="--again")
    ] = False
    lost: Annotated[
        str | None,
        Option(
            "NPG,YOU", "elements lost so far by each side, for example 1,2; or in the last bound: +1,+0", first=True
        ),
    ] = None
    camp_lost: Annotated[
        Sequence[str], Option("SIDE", "the losses of this side (npg or you) include its camp, which counts as two")
    ] = ()
    general_lost: Annotated[
        Sequence[str], Option("SIDE", "the losses of this side (npg or you) include its general from now on")
    ] = ()
    override: Annotated[bool, Option("", "try to override the NPG's list for the bound just rolled")] = False
    odds: Annotated[
        str | None, Option("K,D", "an attack: its chances to kill and to be killed, for example 1/6,1/12")
    ] = None
    from_aid: Annotated[str | None, Option("FILE", "read the log of the table aid")] = None
    keep_aid: Annotated[
        bool, Option("", "add the bounds played with the table aid to the battle log", flag="--keep")
    ] = False
    show_npg: Annotated[bool, Option("", "show the NPG's army before it is deployed", flag="--npg")] = False
    figures: Annotated[
        str | None, Option("SCALE", "15mm or 25mm figures", flag="--scale", usual="the map's, or 15mm", title="Figures")
    ] = None
    map: Annotated[
        str | None, Option("RECORD", "the record of a map to play on: its armies, rolls and seed are used")
    ] = None


class DeploymentOptions(MapOptions, frozen=True, kw_only=True):
    """Options for printing the map of a deployment."""

    scale: Annotated[
        str,
        Option(
            "SCALE", "scale of the map, for example 1:1 or 1:4; an overview is always printed too", "paper", first=True
        ),
    ] = "1:1"
    hide: Annotated[
        Sequence[str],
        Option(
            "PART",
            "leave out {names}; repeatable",
            "look",
            choices=("printkit.recipes.prints.maps:SHOWN", "printkit.systems.solo.sheets.deployment_maps:PARTS"),
        ),
    ] = ()
