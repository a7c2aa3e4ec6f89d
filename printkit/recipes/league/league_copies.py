"""Copy the files that a new league uses into its folder, so that later games have them too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError, UsageError
from printkit.core.paths import resolve_sibling
from printkit.kit.system import RuleSystem
from printkit.options.printing import EveningOptions
from printkit.page.papers import paper_file
from printkit.recipes.game.copies import copy_setting_files, plan_copy
from printkit.recipes.game.request import build_orders, parse_settings, table_paths
from printkit.recipes.game.scenarios import path_settings
from printkit.recipes.league.league_file import BOX, FILE, PAGE, SCENARIO

_LEAGUE_FILES = (FILE, PAGE, SCENARIO, BOX)


class LeagueCopies(Struct, frozen=True, kw_only=True):
    """The settings and print options for the file of a league, and copies of their files for its folder."""

    settings: tuple[str, ...]
    print_options: EveningOptions
    files: dict[str, bytes]


def copy_files(system: RuleSystem, settings: Sequence[str], print_options: EveningOptions, file: Path) -> LeagueCopies:
    """Return the settings and print options of the command line with paths to copies in the folder of the league.

    Raises:
        PrintkitError: a file cannot be read or copied, or a setting is not valid.
    """
    typed_settings, sheet, style = parse_settings(settings), print_options.sheet, print_options.style
    try:
        file_settings, files = copy_setting_files(system, typed_settings, file)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    if (paper := paper_file(sheet)) is not None:
        file_copy = plan_copy(Path(paper), file, _LEAGUE_FILES)
        sheet, files = f"{file_copy.name}{sheet.strip()[len(paper) :]}", files | file_copy.files
    if style.endswith(".toml"):
        file_copy = plan_copy(Path(style), file, _LEAGUE_FILES)
        style, files = file_copy.name, files | file_copy.files
    texts = settings if file_settings == typed_settings else [f"{key}={text}" for key, text in file_settings.items()]
    return LeagueCopies(
        settings=tuple(texts), print_options=replace(print_options, sheet=sheet, style=style), files=files
    )


def copy_scenario_files(scenario: Path, system: RuleSystem, file: Path) -> dict[str, bytes]:
    """Return the bytes of files that a scenario names, by path; empty if it names none.

    Paths are relative to the folder of the scenario.

    Raises:
        PrintkitError: a file cannot be read or copied, or is outside the folder of the scenario.
    """
    orders = build_orders(rules=system.name, settings=(), scenario=scenario, board=None, seed=None, dice=None)
    settings = system.book.settle(orders.settings)
    paths = [*table_paths(scenario), *(text for _, text in path_settings(system, settings))]
    return {
        name: content
        for text in paths
        for name, content in plan_copy(
            resolve_sibling(scenario, text), file, _LEAGUE_FILES, name=Path(text).as_posix()
        ).files.items()
    }
