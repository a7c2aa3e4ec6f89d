"""What the commands of play can be told: the secret deal, columns on the march, and battles against the NPG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from printkit.options.printing import LanguageOptions, MapOptions
from printkit.options.table import Option


class SealedOptions(Struct, frozen=True, kw_only=True):
    """How a game is dealt in secret, which sealed game is meant, what is added to it, and by what it is proven."""

    open: Annotated[bool, Option("", "hide nothing: pack and salt come from the seed")] = False
    player_a: Annotated[
        Sequence[str],
        Option("KEY=VALUE", "print player A's sheets otherwise: style, sheet, margin or lang; repeatable", "look"),
    ] = ()
    player_b: Annotated[
        Sequence[str], Option("KEY=VALUE", "print player B's sheets otherwise; repeatable", "look")
    ] = ()
    game: Annotated[str, Option("GAME", "the sealed game, or its folder, that printkit deal wrote", argument=True)]
    placements: Annotated[
        str | None, Option("FILE", "the turns, one a line", usual="placements.txt beside the game")
    ] = None
    place: Annotated[
        Sequence[str], Option("TURN", 'place a card: "A a2 5" is the second of A\'s in zone 5; repeatable', first=True)
    ] = ()
    number: Annotated[
        Sequence[str],
        Option("PLAYER=N", "a player's own number, A=4711, which stirs the dice; one for each player", first=True),
    ] = ()
    code: Annotated[
        Sequence[str], Option("SHEET-CODE", "the code on your sheet, with or without spaces", argument=True)
    ]
    revealed: Annotated[
        str | None, Option("RECORD", "the record of the reveal", flag="--record", usual="map.json beside the game")
    ] = None


class ColumnsOptions(LanguageOptions, frozen=True, kw_only=True):
    """Which armies march in the columns of a new game; which game is shown, of which side; and a bound of it."""

    new_file: Annotated[str, Option("GAME.toml", "the scenario file to write", argument=True)]
    defender: Annotated[
        str, Option("DEFENDER", "a sample army by its name, an army file, or a list on one line", argument=True)
    ]
    attacker: Annotated[str, Option("ATTACKER", "the same for the other side", argument=True)]
    file: Annotated[
        str, Option("GAME", "the game: a scenario file or a record; its log is kept beside it", argument=True)
    ]
    side: Annotated[str, Option("SIDE", "defender or attacker", argument=True)]
    undo: Annotated[bool, Option("", "take back the bound that was noted last, of SIDE if it is given")] = False
    to: Annotated[
        str, Option("FORMAT", "{names}", "files", choices=("printkit.systems.collision.columns_commands:FORMATS",))
    ] = "text"
    die: Annotated[str, Option("DIE", "the score of the PIP die, 1 to 6", argument=True)]
    spending: Annotated[
        Sequence[str],
        Option(
            "SPENDING",
            'what the PIPs were spent on, as "column-2 1 on, other 4", or none; without it nothing is noted; '
            "no-room: column 3 has no room",
            argument=True,
        ),
    ] = ()


class ArmyOptions(Struct, frozen=True, kw_only=True):
    """Which army is shown; or two armies, the NPG's and YOURS, also by the battle file that names both."""

    army: Annotated[
        str | None,
        Option(
            "ARMY",
            "a sample by its name, or an army file; none lists the samples",
            argument=True,
            choices=("printkit.systems.solo.armies.army_files:sample_names",),
        ),
    ] = None
    npg: Annotated[
        str, Option("NPG", "the NPG's army: a sample by its name, an army file, or a list on one line", argument=True)
    ]
    first: Annotated[
        str, Option("BATTLE.toml|NPG", "a battle file; or the NPG's army: a sample, a file, or a list", argument=True)
    ]
    you: Annotated[str, Option("YOU", "YOUR army, likewise", argument=True)]
    choose_for_you: Annotated[bool, Option("", "let chance make the choices that YOUR army leaves open")] = False


class BattleOptions(Struct, frozen=True, kw_only=True):
    """Which battle against the NPG, what happens in it, and of what a new one is made."""

    file: Annotated[str, Option("BATTLE.toml", "the battle; its log is kept beside it", argument=True)]
    undo: Annotated[bool, Option("", "take back what was done last of this, and what came after it", first=True)] = (
        False
    )
    anew: Annotated[
        bool, Option("", "roll this stage again, and forget what came after it", first=True, flag="--again")
    ] = False
    lost: Annotated[
        str | None,
        Option("NPG,YOU", "elements lost so far on either side, as 1,2; or in the last bound, +1,+0", first=True),
    ] = None
    camp_lost: Annotated[
        Sequence[str], Option("SIDE", "a camp of this side, npg or you, is among its losses; it counts as two")
    ] = ()
    general_lost: Annotated[
        Sequence[str], Option("SIDE", "the general of this side, npg or you, is among its losses from now on")
    ] = ()
    override: Annotated[bool, Option("", "try to override the engine for the bound just rolled")] = False
    odds: Annotated[str | None, Option("K,D", "which attack is it? Chances to kill and to die, as 1/6,1/12")] = None
    from_aid: Annotated[str | None, Option("FILE", "the log of the table aid: what was played with it")] = None
    keep_aid: Annotated[
        bool, Option("", "keep in the log of the battle what was played with the table aid", flag="--keep")
    ] = False
    show_npg: Annotated[bool, Option("", "show the NPG's army before it is deployed", flag="--npg")] = False
    figures: Annotated[
        str | None, Option("SCALE", "15mm or 25mm figures", flag="--scale", usual="those of the map, or 15mm")
    ] = None
    map: Annotated[
        str | None, Option("RECORD", "the record of a game that lies on the table: its armies, rolls and seed")
    ] = None


class DeploymentOptions(MapOptions, frozen=True, kw_only=True):
    """How the map of a deployment is printed."""

    scale: Annotated[
        str, Option("SCALE", "1:1 or 1:4, for example; an overview always comes first", "paper", first=True)
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
