"""The files of people that the fuzzer bends: a row for each kind, with the commands and the modules that read it.

``tests/test_fuzz.py`` fails if a module of printkit reads a file and no row names it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

JSON, TEXT, WORDS, DICE = "json", "text", "words", "dice"


class FuzzKind(NamedTuple):
    """One kind of file.

    ``share`` says how often it is bent. ``file`` is its place among the whole files; ``{rules}`` stands for a rule
    system. ``form`` is JSON, whose values are bent too, or TEXT; WORDS are arguments of the command itself, and DICE
    answers to a game, whose errors name the question. One of ``commands`` reads the file. ``modules`` are those that
    read it, beside that of the type of its ``format``. Of 20 inputs, 19 end where the command calls one of the methods
    of ``ends``, which come after the reading and take much longer.
    """

    share: int
    file: str
    form: str
    commands: tuple[str, ...]
    modules: tuple[str, ...] = ()
    format: str = ""
    ends: tuple[str, ...] = ()


DRAWING: Final = tuple(f"drawing.text.drafter:Drafter.{name}" for name in ("map", "furniture", "sheet", "card"))
ROLLING: Final = (*DRAWING, "chance.dice:Seeded.pick")

_MAP: Final = "--to json --out made --force"

KINDS: Final[dict[str, FuzzKind]] = {
    "record": FuzzKind(8, "{rules}.json", JSON, ("check FILE", "check FILE --replay"), ("cli.records",), "record"),
    "record printed": FuzzKind(
        3,
        "{rules}.json",
        JSON,
        (
            "map --from FILE --to svg --scale fit --out made --force",
            "map --from FILE --plan",
            "hexon --from FILE --plan",
        ),
        ("api", "console.games", "hexon.job", "recipes.game.games", "recipes.game.scenarios"),
        ends=DRAWING,
    ),
    "record rolled again": FuzzKind(
        1, "brantley.json", JSON, (f"map --from FILE --keep rivers --seed 1 {_MAP}",), ("recipes.game.copies",)
    ),
    "sealed game": FuzzKind(
        2,
        "sealed/closed-game.json",
        JSON,
        ("status sealed", "reveal sealed --plan", "verify sealed CODE"),
        ("systems.brantley.sheets.game_folder", "systems.brantley.dealing.readers", "systems.brantley.commands"),
    ),
    "journal": FuzzKind(
        2, "game/game.txt", TEXT, ("status game", "reveal game --plan"), ("systems.brantley.sheets.verifying",)
    ),
    "old turns": FuzzKind(1, "sealed/placements.txt", TEXT, ("status sealed", "verify sealed CODE")),
    "note of a reveal": FuzzKind(1, "sealed/revealed.json", JSON, ("verify sealed CODE",), ()),
    "record of a reveal": FuzzKind(1, "sealed/map.json", JSON, ("verify sealed CODE",), ()),
    "facts of a game": FuzzKind(
        1,
        "{rules}.json",
        JSON,
        ("map --from FILE --key full --plan",),
        ("systems.brantley.dealing.facts",),
        ends=DRAWING,
    ),
    "battle": FuzzKind(
        2,
        "battle/battle.toml",
        TEXT,
        ("npg show battle/battle.toml", "npg edge battle/battle.toml", "npg bound battle/battle.toml"),
        ("systems.solo.battle_commands", "systems.solo.battle.file_changes"),
        "battle",
    ),
    "counters of a battle": FuzzKind(
        1,
        "battle/battle.toml",
        TEXT,
        ("npg counters battle/battle.toml --out made",),
        ("systems.solo.army_commands",),
        ends=DRAWING,
    ),
    "battle log": FuzzKind(
        3,
        "battle/battle.json",
        JSON,
        (
            "npg show battle/battle.toml --verbose",
            "npg bound battle/battle.toml",
            "npg bound battle/battle.toml --undo",
        ),
        ("systems.solo.battle.battles",),
    ),
    "sheets of a battle log": FuzzKind(
        1,
        "battle/battle.json",
        JSON,
        ("npg sheets battle/battle.toml --out made --force", "npg aid battle/battle.toml --out made.html --force"),
        ("systems.solo.sheets.sheet_sets", "systems.solo.sheets.table_aid"),
        ends=DRAWING,
    ),
    "aid log": FuzzKind(
        1,
        "aid.json",
        JSON,
        ("npg show phone.toml --from-aid FILE", "npg show phone.toml --from-aid FILE --keep"),
        ("systems.solo.battle.aid_reading",),
    ),
    "army": FuzzKind(
        2,
        "army.toml",
        TEXT,
        ("npg armies FILE", "npg compose gallic FILE --seed 1", "npg counters FILE --out made"),
        ("systems.solo.armies.army",),
        "army",
    ),
    "army on one line": FuzzKind(1, "line.txt", WORDS, ("npg compose gallic WORDS --seed 1",)),
    "scenario": FuzzKind(
        3,
        "scenario.toml",
        TEXT,
        (f"map --scenario FILE {_MAP}", "map --scenario FILE --plan"),
        format="scenario",
        ends=DRAWING,
    ),
    "rule book": FuzzKind(
        2,
        "book.toml",
        TEXT,
        ("rules FILE", "rules FILE --show tables", "rules FILE --show clauses"),
        format="book",
    ),
    "states": FuzzKind(
        1,
        "states.toml",
        TEXT,
        (
            "map --rules acw --board 48x24in --set going=FILE --seed 1 --plan",
            "map --rules acw --set going=FILE --seed 1 --to json --out made --force",
        ),
        ("systems.acw.terms.profile",),
        ends=ROLLING,
    ),
    "profile of DBA 3": FuzzKind(
        1,
        "profile.toml",
        TEXT,
        ("map --rules dba3 --set profile=FILE --seed 1 --plan",),
        ("systems.dba3.placing.profile",),
        ends=ROLLING,
    ),
    "box": FuzzKind(
        2,
        "box.toml",
        TEXT,
        ("box show FILE --out made --force", f"map --box FILE --seed 1 {_MAP}"),
        ("console.boxes",),
        "box",
        ends=DRAWING,
    ),
    "stock": FuzzKind(
        1, "stock.toml", TEXT, ("hexon --from portable-2.json --stock FILE --plan",), (), "stock", ends=DRAWING
    ),
    "stock table": FuzzKind(1, "stock.csv", TEXT, ("hexon --from portable-2.json --stock FILE --plan",), ends=DRAWING),
    "style": FuzzKind(
        1,
        "style.toml",
        TEXT,
        ("cards blank --style FILE --out made --force",),
        ("core.resources",),
        "style",
        ends=DRAWING,
    ),
    "paper": FuzzKind(1, "paper.toml", TEXT, ("map --seed 1 --sheet FILE:poster --plan",), (), "paper", ends=DRAWING),
    "printer": FuzzKind(
        1,
        "config/printkit/printers/mine.toml",
        TEXT,
        ("cards blank --printer mine --out made --force",),
        ("recipes.output.printers",),
        "printer",
        ends=DRAWING,
    ),
    "league": FuzzKind(
        2,
        "league/league.toml",
        TEXT,
        ("league show league",),
        ("recipes.league.league_games", "cli.league"),
        "league",
    ),
    "record of a league": FuzzKind(1, "league/records/game-1.json", JSON, ("league show league",)),
    "dice": FuzzKind(1, "dice.txt", DICE, ("map --seed 1 --dice @FILE --plan",), ends=DRAWING),
    "log of dice": FuzzKind(
        1, "log.txt", DICE, ("map --seed 1 --dice @FILE --plan", "map --dice @FILE --plan"), ends=DRAWING
    ),
    "columns": FuzzKind(
        2,
        "columns.toml",
        TEXT,
        ("columns show FILE", "columns bound FILE defender 6"),
        ("systems.collision.columns_commands",),
    ),
    "army in columns": FuzzKind(
        1,
        "marching.toml",
        TEXT,
        ("columns show march.toml", "map --scenario march.toml --plan"),
        (),
        "columns",
        ROLLING,
    ),
    "log of columns": FuzzKind(
        1,
        "columns.columns.json",
        JSON,
        ("columns show columns.toml", "columns bound columns.toml attacker 3", "columns show columns.toml --undo"),
    ),
    "words": FuzzKind(1, "config/printkit/languages/words/fr/map.toml", TEXT, ("rules --lang fr",), ("core.words",)),
    "messages": FuzzKind(1, "config/printkit/languages/messages/fr/cli.toml", TEXT, ("rules --lang fr",)),
    "size of a board": FuzzKind(1, "board.txt", WORDS, ("map --seed 1 --plan --board WORDS",), ends=ROLLING),
    "size of a cell": FuzzKind(
        1, "cell.txt", WORDS, ("map --rules portable-1 --seed 1 --plan --cell WORDS",), ends=ROLLING
    ),
    "count": FuzzKind(
        1, "count.txt", WORDS, ("cards blank --count WORDS --plan", "map --seed WORDS --plan"), ends=ROLLING
    ),
}

OTHERS: Final = {
    "cli.schema": "examples of the program",
    "console.terminal": "it reads a scenario again, for the line of a mistake",
    "core.paths": "it finds the line of a path in a file that its reader has read",
    "core.reading": "it has the readers themselves",
    "core.typed": "it has the readers themselves",
    "drawing.scatter.crowns": "a table of the program",
    "export.placing": "it compares files that printkit wrote; what cannot be read counts as another",
    "recipes.batch.batches": "the note of a batch; what cannot be read is made again",
    "recipes.evening.folder": "the list of files of an evening; what cannot be read is no list",
    "recipes.prints.file_names": "it compares records that printkit wrote; what cannot be read counts as another",
    "recipes.output.files": "it finds styles and other templates by core.resources",
    "recipes.output.web_page": "templates of the program",
    "systems.brantley.sheets.sealed_hands": "it reads what the sealed game has",
    "studio.preferences": "it reads the settings that printkit wrote, and sets a damaged file aside",
    "studio.start": "it reads logs and records that printkit wrote, for the list of the latest games",
    "studio.worker_process": "it reads a record as the command check does, and is stopped after 30 seconds",
}
"""Modules that call a reader and have no kind of their own, with the reason."""
