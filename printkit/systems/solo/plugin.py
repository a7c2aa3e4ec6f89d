"""The Solo DBA plugin: rule system, cards, diagrams, commands and parts of a game night."""

from __future__ import annotations

from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.plugin import CardJob, Command, FileFormat, FreeDecks, Plugin

_CARDS: Final = "printkit.systems.solo.sheets"
_DIAGRAMS: Final = "printkit.systems.solo.sheets.diagrams"
_ARMY: Final = "printkit.systems.solo.army_commands"
_BATTLE: Final = "printkit.systems.solo.battle_commands"
_ARMIES: Final = "printkit.systems.dba.elements.deployment:PAINTER"
_WRITERS: Final = "printkit.export.writers"

_STAGE: Final = "file settings lang verbose undo"
_MODES: Final = "--set mode=ranges shows which rolls give each result, mode=blank has boxes to tick."

PLUGIN: Final = Plugin(
    name="solo-dba",
    # 2: the same dice give other outlines than in records of version 0.1.0 and early 0.2.0.
    shapes=2,
    system="printkit.systems.solo.system:SoloDba",
    elements=True,
    faces={
        "npg": f"{_CARDS}.card_npg:npg_face",
        "bound": f"{_CARDS}.card_bound:bound_face",
    },
    backs={"npg": f"{_CARDS}.card_npg:npg_back"},
    diagrams={
        "corners": f"{_DIAGRAMS}:corners",
        "bands": f"{_DIAGRAMS}:bands",
        "sectors": f"{_DIAGRAMS}:sectors",
        "edges": f"{_DIAGRAMS}:edges",
        "camp": f"{_DIAGRAMS}:camp",
        "shore": f"{_DIAGRAMS}:shore",
        "places": f"{_DIAGRAMS}:places",
        "pikes": f"{_DIAGRAMS}:pikes",
        "ranks": f"{_DIAGRAMS}:deep_and_thin",
        "stance": "printkit.systems.solo.sheets.stance_marks:stance",
    },
    painters={"element": _ARMIES, "camp": _ARMIES, "unplaced": _ARMIES},
    sides="printkit.systems.solo.terrain.read_record:told_sides",
    evening_files="printkit.systems.solo.sheets.evening:evening_files",
    evening_texts="printkit.systems.solo.sheets.evening:evening_texts",
    reference_blocks="printkit.systems.solo.sheets.evening:reference_blocks",
    umpire_decks="printkit.systems.solo.sheets.evening:umpire_decks",
    side_blocks="printkit.systems.solo.sheets.evening:side_blocks",
    side_pieces="printkit.systems.solo.sheets.evening:side_pieces",
    lone_battles="printkit.systems.solo.battle.on_screen:BATTLES",
    decks=("npg", "bound"),
    free_decks=FreeDecks(
        names=("npg", "summary", "bound"),
        deck="printkit.systems.solo.cards.decks:deck",
        shuffled="bound",
        sizes={"summary": "150x150"},
    ),
    card_jobs={
        "booklet": CardJob(f"{_CARDS}.booklet:booklet_sheets", settings=True),
        "pair": CardJob(f"{_CARDS}.sheet_sets:pair_sheets", settings=True),
    },
    file_formats={
        "army": FileFormat(
            "printkit.systems.solo.armies.army_files:ArmyFile",
            ("examples", "army"),
            Sentence("an army for DBA: its elements and choices"),
        ),
        "battle": FileFormat(
            "printkit.systems.solo.tactics.battle_file:BattleFile",
            ("examples", "battle"),
            Sentence("a battle of Solo DBA: armies, board and facts"),
        ),
    },
    commands={
        "npg": Command("", "Play DBA against a non-player general.", "play"),
        "npg armies": Command(
            f"{_ARMY}:list_armies",
            "List the sample armies, or show one army. An army file works too; its open choices are shown.",
            takes="army lang",
        ),
        "npg compose": Command(
            f"{_ARMY}:compose_army",
            "Roll for the NPG's army and for who attacks. --set mode=ranges shows what to roll, mode=blank "
            "has boxes to tick; --verbose shows the army. --out NAME.toml saves the army, NAME.json every "
            "step.",
            takes="npg you choose_for_you settings seed dice ask lang out force quiet verbose",
            usual={"npg": "", "you": "", "out": ""},
        ),
        "npg terrain": Command(
            f"{_BATTLE}:place_terrain",
            "Choose and place the terrain of a battle. The map is saved next to the battle file.",
            takes=f"{_STAGE} anew seed dice ask",
        ),
        "npg edge": Command(
            f"{_BATTLE}:roll_edge",
            f"Roll for the base edge of an attacking NPG. {_MODES}",
            takes=f"{_STAGE} anew seed dice ask",
        ),
        "npg deploy": Command(
            f"{_BATTLE}:deploy_army",
            "Deploy the NPG's army. It rolls garrison, groups and positions. --out prints a map and counters of the "
            "deployment into a folder. "
            f"{_MODES}",
            takes=f"{_STAGE} anew seed dice ask out force sheet style large_print",
            usual={"out": ""},
        ),
        "npg swap": Command(
            f"{_BATTLE}:propose_swap",
            "Suggest which elements a defending NPG swaps. Run it after YOU have deployed.",
            takes=f"{_STAGE} anew",
        ),
        "npg bound": Command(
            f"{_BATTLE}:roll_bound",
            "Roll the NPG's next bound and list its moves. It rolls PIPs and stance; before the first bound, also the "
            f"aggression level. {_MODES}",
            takes=f"{_STAGE} seed dice ask lost camp_lost general_lost override odds",
        ),
        "npg new": Command(
            f"{_BATTLE}:write_battle",
            "Write a battle file for two armies. Comments in the file explain each key.",
            takes="npg you figures map seed lang out force",
            usual={"out": "battle.toml"},
        ),
        "npg show": Command(
            f"{_BATTLE}:show_battle",
            "Show the state of a battle. It has armies, stages, losses, aggression level, overrides and bounds.",
            takes="file settings from_aid keep_aid show_npg lang verbose",
        ),
        "npg aid": Command(
            f"{_ARMY}:write_aid",
            "Write the table aid for a phone. It is one web page that plays the NPG's bounds offline.",
            takes="first you settings seed style large_print lang out force quiet",
            usual={"you": ""},
        ),
        "npg sheets": Command(
            f"{_ARMY}:print_sheets",
            "Print the battle sheet and the bound log. Also prints 24 pre-rolled bounds. --set mode=blank, "
            "ranges or rolled: by default sheets without armies are blank, sheets of two armies have "
            "ranges, sheets of a battle have its rolls.",
            takes="first you settings seed sheet style large_print lang to out force plan printer quiet",
            usual={"first": "", "you": "", "style": "high-contrast"},
            formats=(f"{_WRITERS}:PAGES",),
        ),
        "npg deployment-map": Command(
            f"{_ARMY}:print_deployment_map",
            "Print the map with both armies on it. Writes an overview, the map at actual size and the "
            "counters into a folder; without --out it is output/BATTLE-deployment.",
            takes="file settings sheet margin overlap furniture scale style large_print lang hide out force printer "
            "quiet",
            usual={"out": ""},
        ),
        "npg counters": Command(
            f"{_ARMY}:print_counters",
            "Print counters of one or two armies at actual size. They include all elements that the army "
            "lists allow; --set scale=25mm for larger bases.",
            takes="first you settings sheet margin style large_print lang to out force url_base dpi printer quiet",
            usual={"you": ""},
            formats=(f"{_WRITERS}:PAGES", f"{_WRITERS}:DECKS"),
        ),
    },
)
