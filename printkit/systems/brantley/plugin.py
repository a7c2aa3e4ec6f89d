"""What terrain by playing cards adds to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import CardJob, Command, Plugin

_PIECES: Final = CardJob("printkit.systems.brantley.sheets.print_decks:piece_sheets")
_COMMANDS: Final = "printkit.systems.brantley.commands"

PLUGIN: Final = Plugin(
    name="brantley",
    system="printkit.systems.brantley.system:Brantley",
    umpire_pages="printkit.systems.brantley.sheets.evening:umpire_pages",
    decks=("terrain", "reference"),
    sealed_games="printkit.systems.brantley.sheets.sealed_hands:GAMES",
    spare=dict.fromkeys(("cards-terrain", "cards-reference"), "next-time"),
    card_jobs={
        "kit": CardJob("printkit.systems.brantley.sheets.print_decks:kit_sheets"),
        **dict.fromkeys(("zones", "cut-outs", "hidden", "reveal"), _PIECES),
    },
    commands={
        "deal": Command(
            f"{_COMMANDS}:deal",
            "Deal the cards in secret: a closed game, a private sheet for each player, and the ninth card sealed.",
        ),
        "status": Command(
            f"{_COMMANDS}:status",
            "Show the board with its cards face down, and whose turn it is; lay a card with --place.",
        ),
        "reveal": Command(
            f"{_COMMANDS}:reveal",
            "Turn all nine cards up, throw for what follows, and print the battlefield with the proof of the deal.",
        ),
        "verify": Command(
            f"{_COMMANDS}:verify",
            "Prove to a player, by the code on his sheet, that a sealed game was not changed after the deal.",
        ),
    },
)
