"""The architecture, read from the imports: which layer may know which, and where each library has its one door."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from imports import PACKAGE, ROOT, called, imported, module_of, parsed, sources

import printkit

ORDER = (
    "core > chance > terrain/field > terrain/geometry > terrain/gridded > content > kit, drawing/canvas",
    "options, drawing/lettering > drawing/text, drawing/scatter > drawing/mats",
    "drawing/signs/lines > drawing/signs/cover, drawing/signs/routes > drawing/signs/relief, drawing/signs/built",
    "drawing/signs > drawing/dressing > drawing/map > drawing/furniture > drawing/cards",
    "page > export > recipes/game > recipes/output > recipes/box > recipes/prints",
    "recipes/evening > recipes/league > recipes/batch > hexon/layout > hexon/plans, hexon/formats > hexon > api",
    "console, studio/pages, studio/limits > studio",
    "systems/dba/ground, systems/dba/armies > systems/dba/elements",
    "systems/brantley/dealing, systems/acw/terms, systems/portable/grid, systems/dba3/placing",
    "systems/brantley/board, systems/acw/dicing, systems/portable/version1, systems/portable/version2, "
    "systems/dba3/judge, systems/solo/armies",
    "systems/brantley/judge, systems/acw/network, systems/portable/judge, systems/dba3, systems/solo/terrain",
    "systems/acw/ground, systems/portable, systems/collision/march, systems/solo/tactics",
    "systems/acw/judge, systems/collision/judge, systems/solo/judge, systems/solo/cards",
    "systems/brantley/sheets, systems/acw/sheets, systems/collision/sheets, systems/solo/battle > systems/solo/sheets",
    "systems/brantley, systems/acw, systems/collision, systems/solo > cli > __main__",
)
LAYERS = [layer.split(", ") for line in ORDER for layer in line.split(" > ")]
"""The rooms from the lowest to the highest; what stands side by side does not know each other.

Of the floors core, chance, terrain, content and kit, drawing, page, export, recipes, hexon, api, console and studio,
systems, cli this is one order of rooms; ``__main__`` stands above all.
"""

LEVEL = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}

FAMILY = {("dba3", "dba"), ("solo", "dba"), ("collision", "dba"), ("collision", "dba3")}
"""Which rule system stands on which other."""

SHEETS = {
    *("systems/brantley/sheets", "systems/acw/sheets", "systems/collision/sheets", "systems/solo/battle"),
    *("systems/solo/sheets", "systems/dba/elements"),
    *("systems/brantley", "systems/acw", "systems/collision", "systems/solo"),
}
"""The rooms of rule systems that draw and print; those of rules know nothing of drawing, pages and files."""

RULES_MAY = ("core", "chance", "terrain/", "content", "kit")

DOORS = {
    "typer": ("cli.app",),
    "rich": ("console.terminal",),
    "locale": ("console.terminal",),
    "secrets": ("console.terminal", "studio.tokens"),
    "platformdirs": ("console.terminal",),
    "reportlab": ("drawing.lettering.typefaces", "export.pdf"),
    "pypdfium2": ("export.png",),
    "PIL": ("export.png", "export.svg_pictures", "drawing.mats"),
    "random": ("chance.streams",),
    "dataclasses": ("drawing.canvas.items",),
    "hashlib": (
        *("chance.streams", "export.pdf", "systems.brantley.dealing.closed_game", "recipes.batch"),
        *("studio.session", "studio.pages.render", "systems.solo.tactics.aid_log", "recipes.output.web_page"),
    ),
    "starlette": ("studio.app", "studio.limits.requests"),
    "uvicorn": ("studio.server", "studio.limits.connections"),
    "jinja2": ("studio.pages", "cli.completion"),
    "segno": ("studio.phones",),
    "distributed": ("recipes.batch.pool",),
}
"""Libraries, and the modules that alone may import them; a name stands for all modules that begin with it."""

NUMBERS_ONLY = ("drawing.canvas.items", "drawing.lettering.extent", "page", "export")
"""From the display list onwards there are numbers and strings, and no shapes, but for formats of other programs."""

FORMATS = [f"export.{end}" for end in ("writers", "field_shapes", "geopackage", "tabletop_simulator", "universal_vtt")]
"""The formats of other programs: they are given a record with its shapes."""

CLOCKS = (
    *("time", "datetime", "zoneinfo", "socket", "urllib", "http", "uuid", "secrets"),
    *("locale", "getpass", "platform"),
)
SERVER = ("studio.app", "studio.phones", "studio.server", "studio.tokens")
"""What of the studio meets the network."""

FORBIDDEN = re.compile(r"hash|input|random\.(?!Random$)\w+|os\.(environ|getenv|urandom)\b.*|np\.random\b.*")


def room(module: str) -> str:
    """Return the folder of a module within the package, ``terrain/field``; of a module at the top its own name."""
    return "/".join(module.split(".")[:-1]) or module


def begins(module: str, starts: tuple[str, ...]) -> bool:
    """Return whether a module is one of those named, inside one, or a part of it (``export.pdf_fonts``)."""
    return any(module == start or module.startswith((f"{start}.", f"{start}_")) for start in starts)


def own(path: Path) -> set[str]:
    """Return the modules of printkit that a file imports, without the package's name."""
    return {name.removeprefix("printkit.") for name in imported(path) if name.startswith("printkit.")} - {"__version__"}


def arrows() -> Iterator[tuple[str, str]]:
    """Yield every import from one room into another."""
    files = [path for path in sources() if path.name != "__init__.py"]
    modules = {module_of(path) for path in files}
    for path in files:
        for other in own(path) & modules:
            if room(module_of(path)) != room(other):
                yield module_of(path), other


def wrong(module: str, other: str) -> bool:
    """Return whether an import points up, from one rule system to another, from rules to sheets, or into a system."""
    here, there = room(module), room(other)
    one, two = here.split("/"), there.split("/")
    if LEVEL[here] <= LEVEL[there]:
        return True
    if one[0] == two[0] == "systems":
        strange = one[1] != two[1] and (one[1], two[1]) not in FAMILY
        return strange or (here not in SHEETS and there in SHEETS)
    if one[0] == "systems":
        return here not in SHEETS and not there.startswith(RULES_MAY)
    # The command line asks for the commands and decks of rule systems by name, not yet by what they say of themselves.
    return two[0] == "systems" and one[0] != "cli"


def test_imports_point_down_through_layers_that_are_there() -> None:
    assert [arrow for arrow in arrows() if wrong(*arrow)] == []
    rooms = {room(module_of(path)) for path in sources() if path.name != "__init__.py"}
    assert rooms == set(LEVEL)


def test_each_library_has_its_door_and_geometry_stops_at_the_display_list() -> None:
    wrong = []
    for path in sources():
        for name in imported(path):
            doors = DOORS.get(name.split(".")[0])
            if doors is not None and not begins(module_of(path), doors):
                wrong.append(f"{module_of(path)} imports {name}; only {', '.join(doors)} may")
    assert wrong == []
    wrong = []
    for path in sources():
        if begins(module_of(path), NUMBERS_ONLY) and module_of(path) not in FORMATS:
            shapes = [name for name in imported(path) if name.split(".")[0] in ("shapely", "contourpy")]
            terrain = [name for name in own(path) if name.startswith("terrain")]
            wrong += [f"{module_of(path)} imports {name}" for name in (*shapes, *terrain)]
    assert wrong == []


def test_nothing_below_the_command_line_reads_clock_environment_or_chance() -> None:
    wrong = []
    for path in sources():
        module = module_of(path)
        # What waits is named after its machine and process, and no such name stays.
        if begins(module, ("cli", "console", "__main__", "export.placing", *SERVER)):
            continue
        wrong += [f"{module} imports {name}" for name in imported(path) if name.split(".")[0] in CLOCKS]
        wrong += [f"{module} uses {name}" for name in called(path) if FORBIDDEN.fullmatch(name)]
    assert wrong == []


def test_packages_hold_a_docstring_and_ours_hands_on_what_programs_use() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        if path.parent != PACKAGE:
            lines = path.read_text(encoding="utf-8").splitlines()
            rest = [line for line in lines if line and not line.startswith('"""')]
            assert not rest, f"{path.relative_to(ROOT)} holds more than its docstring: {rest}"
    top = PACKAGE / "__init__.py"
    assert own(top) <= {"api", *(f"api.{name}" for name in printkit.__all__)}
    at_once = [node for node in parsed(top).body if isinstance(node, ast.Import | ast.ImportFrom)]
    # Nothing at all: ``python -m printkit`` loads it before the current folder is left.
    assert at_once == []


def test_what_is_imported_is_declared_and_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = (
        *project["dependencies"],
        *project["optional-dependencies"]["studio"],
        *project["optional-dependencies"]["cluster"],
    )
    declared = {re.split(r"[<>=]", text)[0] for text in needed}
    found = {name.split(".")[0] for path in sources() for name in imported(path)}
    foreign = found - set(sys.stdlib_module_names) - {"printkit"}
    # What only the studio or a cluster needs may not be there, and goes by its own name.
    known = packages_distributions()
    providers = {known.get(name, [name])[0].lower() for name in foreign}
    assert declared == providers
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        re.split(r"[<>=]", text)[0] for text in (*project["dependencies"], *project["optional-dependencies"]["test"])
    }
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {line.split("==")[0] for line in lines if "==" in line}
    assert declared <= pins
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines if not line.startswith("#"))
