"""What Solo DBA adds to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import CardJob, Command, FreeDecks, Plugin

_CARDS: Final = "printkit.systems.solo.sheets"
_DIAGRAMS: Final = "printkit.systems.solo.sheets.diagrams"
_ARMY: Final = "printkit.systems.solo.army_commands"
_BATTLE: Final = "printkit.systems.solo.battle_commands"
_ARMIES: Final = "printkit.systems.dba.elements.deployment:PAINTER"

PLUGIN: Final = Plugin(
    name="solo-dba",
    # 2: the outlines have moved since the first records, those of version 0.1.0 and of the first days of 0.2.0.
    shapes=2,
    system="printkit.systems.solo.system:SoloDba",
    elements=True,
    faces={
        "npg": f"{_CARDS}.card_npg:npg_face",
        "npg-summary": f"{_CARDS}.card_summary:summary_face",
        "bound": f"{_CARDS}.card_bound:bound_face",
    },
    backs={
        "npg": f"{_CARDS}.card_npg:npg_back",
        "npg-summary": f"{_CARDS}.card_summary:summary_back",
    },
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
    sides="printkit.systems.solo.terrain.provenance:told_sides",
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
    commands={
        "npg": Command("", "A non-player general for DBA 2.2. His army, and what he does with it.", group="play"),
        "npg armies": Command(
            f"{_ARMY}:armies",
            "List the sample armies, or what one holds. Of an army file too, with what is to be chosen.",
        ),
        "npg compose": Command(
            f"{_ARMY}:compose",
            "Dice for the army of the general. Slot by slot, the general last; then for who attacks.",
        ),
        "npg terrain": Command(
            f"{_BATTLE}:terrain", "Choose and place the terrain of a battle. The map is kept beside it."
        ),
        "npg edge": Command(f"{_BATTLE}:edge", "Dice for the base edge of an attacking NPG."),
        "npg deploy": Command(f"{_BATTLE}:deploy", "Garrison, group and place the NPG's army."),
        "npg swap": Command(f"{_BATTLE}:swap", "Propose what a defending NPG exchanges. Once YOU have deployed."),
        "npg bound": Command(
            f"{_BATTLE}:bound",
            "Throw the NPG's next bound, and list his moves. PIPs and stance; before the first, his aggression level.",
        ),
        "npg new": Command(f"{_BATTLE}:new", "Write a battle file of two armies. Every key of it is explained."),
        "npg show": Command(
            f"{_BATTLE}:show", "Tell where a battle stands. Armies, stages, losses, level, overrides, bounds."
        ),
        "npg aid": Command(
            "printkit.systems.solo.aid_commands:aid",
            "Write the table aid for a phone. One page that plays the NPG's bounds, without a network.",
        ),
        "npg sheets": Command(
            f"{_ARMY}:sheets",
            "Print the battle sheet and the bound log. "
            "And 24 bounds rolled before the game; of armies, or of a battle filled in.",
        ),
        "npg deployment-map": Command(
            f"{_ARMY}:deployment_map",
            "Print the map with both armies on it. Whole and at true size, with their counters.",
        ),
        "npg counters": Command(
            f"{_ARMY}:counters",
            "Print counters of armies at true size. Of one or two, with every element that their choices may ask for.",
        ),
    },
)
