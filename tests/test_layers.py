"""The architecture, read from the imports: which layer may know which, and where each library has its one door."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from imports import PACKAGE, ROOT, called, imported, module_of, parsed, sources

LAYERS = (
    ("errors",),
    ("units",),
    ("resources",),
    ("words",),
    ("chance",),
    ("terrain", "prose"),
    ("cards",),
    ("rules", "drawing"),
    ("page",),
    ("export",),
    ("recipes",),
    ("cli_throws",),
    ("cli_terminal",),
    ("cli_help",),
    ("cli_commands", "cli_options", "cli_parsing"),
    ("cli_games",),
    ("cli_batches",),
    (
        "cli_calibrate",
        "cli_cards",
        "cli_dealing",
        "cli_handouts",
        "cli_hexon",
        "cli_npg",
        "cli_npg_sheets",
        "cli_battle",
        "cli_npg_maps",
    ),
    ("cli",),
    ("__main__",),
)
"""From the lowest to the highest; what stands side by side does not know each other."""

DOORS = {
    "typer": ("cli",),
    "rich": ("cli",),
    "locale": ("cli",),
    "secrets": ("cli",),
    "platformdirs": ("cli",),
    "reportlab": ("drawing.typefaces", "export.pdf"),
    "pypdfium2": ("export.png",),
    "PIL": ("export.png",),
    "random": ("chance.streams",),
    "dataclasses": ("drawing.items",),
    "joblib": ("recipes.batch_pool",),
    "hashlib": (
        "chance.streams",
        "export.pdf",
        "rules.brantley.commitment",
        "recipes.batches",
        "recipes.batch_keeping",
    ),
}
"""Libraries, and the modules that alone may import them; a name stands for all modules that begin with it."""

NUMBERS_ONLY = ("drawing.items", "drawing.extent", "page", "export")
"""From the display list onwards there are numbers and strings, and no shapes."""

LONGEST = 500
"""Lines that a file of the package may have."""

CLOCKS = (
    "time",
    "datetime",
    "zoneinfo",
    "socket",
    "urllib",
    "http",
    "uuid",
    "secrets",
    "locale",
    "getpass",
    "platform",
)
FORBIDDEN = re.compile(r"hash|input|random\.(?!Random$)\w+|os\.(environ|getenv|urandom)\b.*|np\.random\b.*")


def layer(module: str) -> int:
    """Return the number of a module's layer, from 0 for the lowest."""
    first = module.split(".")[0]
    return next(number for number, names in enumerate(LAYERS) if first in names)


def begins(module: str, starts: tuple[str, ...]) -> bool:
    """Return whether a module is one of those named, inside one, or a part of it (``export.pdf_fonts``)."""
    return any(module == start or module.startswith((f"{start}.", f"{start}_")) for start in starts)


def own(path: Path) -> set[str]:
    """Return the modules of printkit that a file imports, without the package's name."""
    return {name.removeprefix("printkit.") for name in imported(path) if name.startswith("printkit.")} - {"__version__"}


def test_imports_point_down() -> None:
    wrong = []
    for path in sources():
        module = module_of(path)
        for other in own(path):
            same = other.split(".")[0] == module.split(".")[0]
            if not module or not (same or layer(other) < layer(module)):
                wrong.append(f"{module or 'printkit'} imports {other}, which stands no lower")
    assert wrong == []


def test_every_layer_is_there_and_every_module_in_one() -> None:
    named = {name for names in LAYERS for name in names}
    tops = {module_of(path).split(".")[0] for path in sources()} - {""}
    assert tops == named


def test_each_library_has_its_door() -> None:
    wrong = []
    for path in sources():
        for name in imported(path):
            doors = DOORS.get(name.split(".")[0])
            if doors is not None and not begins(module_of(path), doors):
                wrong.append(f"{module_of(path)} imports {name}; only {', '.join(doors)} may")
    assert wrong == []


def test_geometry_stops_at_the_display_list() -> None:
    wrong = []
    for path in sources():
        if begins(module_of(path), NUMBERS_ONLY):
            shapes = [name for name in imported(path) if name.split(".")[0] in ("shapely", "contourpy")]
            terrain = [name for name in own(path) if name.startswith("terrain")]
            wrong += [f"{module_of(path)} imports {name}" for name in (*shapes, *terrain)]
    assert wrong == []


def test_nothing_below_the_command_line_reads_clock_environment_or_chance() -> None:
    wrong = []
    for path in sources():
        module = module_of(path)
        if begins(module, ("cli", "__main__")):
            continue
        wrong += [f"{module} imports {name}" for name in imported(path) if name.split(".")[0] in CLOCKS]
        wrong += [f"{module} uses {name}" for name in called(path) if FORBIDDEN.fullmatch(name)]
    assert wrong == []


def test_every_module_says_what_it_is() -> None:
    mute = [module_of(path) for path in sources() if not ast.get_docstring(parsed(path))]
    assert mute == []


def test_a_file_tells_one_story() -> None:
    lengths = {module_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {module: lines for module, lines in lengths.items() if lines > LONGEST} == {}


def test_package_files_hold_a_docstring_only() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        rest = [line for line in lines if line and not line.startswith(('"""', "__version__"))]
        assert not rest, f"{path.relative_to(ROOT)} holds more than its docstring: {rest}"


def test_what_is_imported_is_declared_and_nothing_else() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=]", text)[0] for text in project["dependencies"]}
    found = {name.split(".")[0] for path in sources() for name in imported(path)}
    foreign = found - set(sys.stdlib_module_names) - {"printkit"}
    providers = {packages_distributions()[name][0].lower() for name in foreign}
    assert declared == providers


def test_what_is_declared_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        re.split(r"[<>=]", text)[0] for text in (*project["dependencies"], *project["optional-dependencies"]["test"])
    }
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {line.split("==")[0] for line in lines if "==" in line}
    assert declared <= pins
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines if not line.startswith("#"))
