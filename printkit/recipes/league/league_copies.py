"""Copy the files that a new league uses into its folder, so that later games have them too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from printkit.core.errors import ScenarioError, UsageError
from printkit.core.paths import beside
from printkit.kit.system import RuleSystem
from printkit.page.papers import paper_file
from printkit.recipes.game.copied_settings import copy_setting_files
from printkit.recipes.game.copies import plan_copy
from printkit.recipes.game.games import path_settings
from printkit.recipes.game.request import build_orders, parse_settings, table_paths
from printkit.recipes.league.league_file import BOX, FILE, PAGE, SCENARIO

_OURS = (FILE, PAGE, SCENARIO, BOX)


class LeagueCopies(Struct, frozen=True, kw_only=True):
    """The settings, paper and style for the file of a league, and copies of their files for its folder."""

    settings: tuple[str, ...]
    sheet: str
    style: str
    files: dict[str, bytes]


def copies_of(system: RuleSystem, settings: Sequence[str], sheet: str, style: str, file: Path) -> LeagueCopies:
    """Return the settings, paper and style of the command line with paths to copies in the folder of the league.

    Raises:
        PrintkitError: a file cannot be read or copied, or a setting is not valid.
    """
    given = parse_settings(settings)
    try:
        named, files = copy_setting_files(system, given, file)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    if (paper := paper_file(sheet)) is not None:
        own = plan_copy(Path(paper), file, _OURS)
        sheet, files = f"{own.name}{sheet.strip()[len(paper) :]}", files | own.files
    if style.endswith(".toml"):
        own = plan_copy(Path(style), file, _OURS)
        style, files = own.name, files | own.files
    texts = settings if named == given else [f"{key}={text}" for key, text in named.items()]
    return LeagueCopies(settings=tuple(texts), sheet=sheet, style=style, files=files)


def scenario_copies(scenario: Path, system: RuleSystem, file: Path) -> dict[str, bytes]:
    """Return copies of the files that a scenario names, with the same paths relative to the scenario.

    Raises:
        PrintkitError: a file cannot be read or copied, or is outside the folder of the scenario.
    """
    orders = build_orders(rules=system.name, settings=(), scenario=scenario, board=None, seed=None, dice=None)
    settings = system.book.settle(orders.settings)
    named = [*table_paths(scenario), *(text for _, text in path_settings(system, settings))]
    return {
        name: content
        for text in named
        for name, content in plan_copy(beside(scenario, text), file, _OURS, name=Path(text).as_posix()).files.items()
    }
