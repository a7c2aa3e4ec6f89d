"""The plug-in for terrain by playing cards."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import CardJob, Command, Plugin

_PIECES: Final = CardJob("printkit.systems.brantley.sheets.print_decks:piece_sheets")
_COMMANDS: Final = "printkit.systems.brantley.commands"
_WRITERS: Final = "printkit.export.writers"

PLUGIN: Final = Plugin(
    name="brantley",
    # 2: the outlines differ from those of version 0.1.0 and of the first builds of 0.2.0.
    shapes=3,
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
            f"{_COMMANDS}:deal_cards",
            "Deal cards in secret (then: status, reveal, verify). Writes a sealed game, with a private "
            "sheet for each player. --seed is for the dice after the reveal; only with --open does it also "
            "deal the cards.",
            "play",
            takes="settings scenario board seed dice game_title open sheet margin style large_print "
            "lang force to url_base out plan printer quiet",
            usual={"url_base": ""},
            formats=(f"{_WRITERS}:FOLDERS",),
        ),
        "status": Command(
            f"{_COMMANDS}:show_board",
            "Show the face-down cards and whose turn it is. Use --place to place a card, and --out to "
            "print the hidden sheet.",
            takes="game place number only sheet margin style large_print lang force to out printer quiet",
            usual={"out": ""},
            formats=(f"{_WRITERS}:PAGES",),
        ),
        "reveal": Command(
            f"{_COMMANDS}:reveal_cards",
            "Reveal all cards and print the battlefield. Rolls the remaining dice and adds the proof of "
            "the deal. Without --out the files go into the folder of the game.",
            takes="game settings scenario dice ask sheet margin overlap furniture scale dressing key style "
            "lang hide show_seed large_print force to out plan printer quiet verbose",
            usual={"out": ""},
            formats=(f"{_WRITERS}:PAGES", f"{_WRITERS}:RECORDS"),
        ),
        "verify": Command(
            f"{_COMMANDS}:verify_deal",
            "Prove to a player that a sealed game was not changed. The code on their sheet is the proof.",
            takes="game code revealed turn_codes number lang quiet",
        ),
    },
)
