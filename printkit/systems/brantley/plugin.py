"""What terrain by playing cards adds to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import CardJob, Command, Plugin

_PIECES: Final = CardJob("printkit.systems.brantley.sheets.print_decks:piece_sheets")
_COMMANDS: Final = "printkit.systems.brantley.commands"

PLUGIN: Final = Plugin(
    name="brantley",
    # 2: the outlines have moved since the first records, those of version 0.1.0 and of the first days of 0.2.0.
    shapes=2,
    system="printkit.systems.brantley.system:Brantley",
    elements=True,
    umpire_pages="printkit.systems.brantley.sheets.evening:umpire_pages",
    side_pieces="printkit.systems.brantley.sheets.virtual_hands:side_pieces",
    decks=("terrain", "reference"),
    sealed_games="printkit.systems.brantley.sheets.sealed_hands:GAMES",
    spare=dict.fromkeys(("cards-terrain", "cards-reference"), "next-time"),
    card_jobs={
        "kit": CardJob("printkit.systems.brantley.sheets.print_decks:kit_sheets", settings=True),
        **dict.fromkeys(("zones", "cut-outs", "hidden", "reveal"), _PIECES),
    },
    commands={
        "deal": Command(
            f"{_COMMANDS}:deal",
            "Deal the cards of a game in secret. "
            "A closed game, a private sheet for each player, and the ninth card sealed.",
            group="play",
        ),
        "status": Command(
            f"{_COMMANDS}:status",
            "Show the board face down, and whose turn it is. Lay a card with --place.",
            group="play",
        ),
        "reveal": Command(
            f"{_COMMANDS}:reveal",
            "Turn all cards up and print the battlefield. "
            "It throws for what follows; the proof of the deal is with it.",
            group="play",
        ),
        "verify": Command(
            f"{_COMMANDS}:verify",
            "Prove that a sealed game was not changed. To a player, by the code on his sheet.",
            group="play",
        ),
    },
)
