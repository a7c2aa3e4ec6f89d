"""The tree stays within its size limits, and the limits follow it down; the tool that counts the package."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from board_count import fault_of as board_fault
from imports import PACKAGE, ROOT, parsed, sources

from printkit.cli.app import all_commands
from printkit.options.table import command_rows

sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tools" / "plain"))

import plain
import size

TABLE: Final = tomllib.loads((ROOT / "tests" / "limits.toml").read_text(encoding="utf-8"))
SMALL: Final = TABLE["small_files"]
# How far a count may be below its limit before the limit has to follow.
SLACK: Final = 0.01
OPTION_CLASS: Final = re.compile(
    r"^class \w*(?:Options|Request|Orders?|Wanted|Job|Work|Choice|Ask|Wishes|Delivery)\b", re.MULTILINE
)
BANNER: Final = re.compile(r"^\s*# ---", re.MULTILINE)


def code_lines(path: Path) -> int:
    """Return the lines of a file without blanks, comments and docstrings."""
    prose: set[int] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return sum(1 for at, line in lines if line.strip() and not line.lstrip().startswith("#") and at not in prose)


def total_lines(paths: list[Path]) -> int:
    """Return the lines of files."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def option_counts() -> tuple[int, int]:
    """Return how many different options the command line has, and how many the command with most of them."""
    called = [command for command in all_commands().values() if command.call]
    flags = [{row.flag for row in command_rows(command) if not row.option.argument} for command in called]
    return len(set().union(*flags)), max(map(len, flags))


def count_tree() -> dict[str, int]:
    """Return what the tree has of everything that is limited, but for boards, which a run of the tests counts."""
    texts = [path.read_text(encoding="utf-8") for path in sources()]
    code = [code_lines(path) for path in sources()]
    books = [tomllib.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "templates/rules").glob("*.toml")]
    options, most = option_counts()
    trees = [path for top in (PACKAGE.name, "tests", "tools", "benchmarks") for path in (ROOT / top).rglob("*.py")]
    pages = [path for end in ("js", "html") for path in (PACKAGE / "studio").rglob(f"*.{end}")]
    return {
        "code_lines": sum(code),
        "modules": sum(1 for lines in code if lines),
        "test_lines": total_lines([*(ROOT / "tests").rglob("*.py")]),
        "tool_lines": sum(map(code_lines, (ROOT / "tools").rglob("*.py"))),
        "studio_page_lines": total_lines(pages),
        "settings": sum(len(book.get("settings", ())) for book in books),
        "options": options,
        "options_per_command": most,
        "option_classes": sum(len(OPTION_CLASS.findall(text)) for text in texts),
        "banners": sum(len(BANNER.findall(text)) for text in texts),
        "frozen": len((ROOT / "tests" / "frozen.txt").read_text(encoding="utf-8").splitlines()),
        "longest_file": max(len(text.splitlines()) for text in texts),
        "largest_folder": max(Counter(path.parent for path in trees if path.name != "__init__.py").values()),
        "without_purpose": sum(1 for path in sources() if code_lines(path) and not ast.get_docstring(parsed(path))),
    }


def fault_of(name: str, count: float, table: dict[str, Any]) -> str:
    """Return what is wrong with a count against its limit, or an empty text."""
    if name in table["ceilings"]:
        limit = table["ceilings"][name]
        return f"{name} is {count}; the limit is {limit}" if count > limit else ""
    limit = table["limits"][name] + table["raised"].get(name, {}).get("by", 0)
    if count > limit:
        return f"{name} is {count}; the limit is {limit}. Take something out, or add a row with its reason to [raised]"
    if count < limit * (1 - SLACK):
        return f"{name} is {count}; lower its limit in tests/limits.toml from {limit}"
    return ""


@pytest.fixture(scope="module")
def counts() -> dict[str, int]:
    return count_tree()


def test_the_tree_is_within_its_limits(counts: dict[str, int]) -> None:
    assert [fault for name, count in counts.items() if (fault := fault_of(name, count, TABLE))] == []


def test_the_english_is_within_its_limits() -> None:
    # A clone without history has no commit subjects.
    areas = {area["name"] for area in plain.Rules(plain.RULES).areas} - {"commits"}
    table = {"limits": TABLE["plain"], "ceilings": {}, "raised": {}}
    counts = plain.hits_per_thousand(areas=areas)
    assert TABLE["plain"].keys() == counts.keys()
    faults = [fault for name, count in counts.items() if (fault := fault_of(name, round(count, 1), table))]
    assert faults == [], "python tools/plain/plain.py --area NAME --worst 20 lists the sentences"


def test_a_sentence_that_is_not_plain_is_found(tmp_path: Path) -> None:
    rules = plain.Rules(plain.RULES)
    for text, found in (
        ("He who lays first begins.", {"lays", "he", "person"}),
        ("Player A places the first card.", set()),
    ):
        assert {hit.rule for hit in rules.check_sentence("docs", "", text)} == found
    with pytest.raises(ValueError, match="nothing to scan in docs"):
        plain.hits_per_thousand(tmp_path, ["docs"])


def test_every_limit_is_counted(counts: dict[str, int]) -> None:
    assert {*TABLE["limits"], *TABLE["ceilings"]} == {*counts, "boards"}


def test_a_small_file_is_one_that_is_allowed() -> None:
    small = {path.relative_to(PACKAGE).as_posix() for path in sources() if 0 < code_lines(path) < SMALL["lines"]}
    assert sorted(small - {*SMALL["allowed"]}) == [], "put these into the file that uses them"
    assert sorted({*SMALL["allowed"]} - small) == [], "take these off the list in tests/limits.toml"


def test_a_raised_limit_gives_its_reason_and_is_in_the_changelog() -> None:
    latest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    for name, row in TABLE["raised"].items():
        assert name in TABLE["limits"]
        assert row.keys() == {"by", "reason"}
        assert row["by"] > 0
        assert row["reason"].strip()
        assert "unreleased" in latest.splitlines()[0] or f"`{name}`" in latest, f"the changelog does not name {name}"


@pytest.mark.parametrize(
    ("count", "word"), [(1000, ""), (1001, "Take something out"), (990, ""), (989, "lower its limit")]
)
def test_a_limit_holds_from_both_sides(count: int, word: str) -> None:
    table = {"limits": {"modules": 900}, "ceilings": {}, "raised": {"modules": {"by": 100, "reason": "a design"}}}
    assert word in fault_of("modules", count, table)
    assert bool(word) == bool(fault_of("modules", count, table))


@pytest.mark.parametrize(("count", "wrong"), [(600, False), (601, True), (10, False)])
def test_a_ceiling_holds_from_above_only(count: int, wrong: bool) -> None:
    table = {"limits": {}, "ceilings": {"longest_file": 600}, "raised": {}}
    assert bool(fault_of("longest_file", count, table)) == wrong


@pytest.mark.parametrize(
    ("count", "word"), [(1000, ""), (1020, ""), (1021, "Share boards"), (980, ""), (979, "lower the limit")]
)
def test_the_limit_of_boards_holds_from_both_sides(count: int, word: str) -> None:
    assert word in board_fault(count, 1000)
    assert bool(word) == bool(board_fault(count, 1000))


def test_blanks_comments_and_docstrings_are_not_code(tmp_path: Path) -> None:
    text = '"""A file."""\n\nSIZE = 3  # cm\n"""What it is."""\n# so\nTEXT = """\nlong\n"""\n'
    path = tmp_path / "book.py"
    path.write_text(text, encoding="utf-8")
    assert code_lines(path) == 4


TOTAL = '''
def {name}({first}, {second}):
    """Return a sum."""
    total = {start}
    for each in {first}:
        # What is small is left out.
        if each.size > {second}:

            total += each.size
    return total
'''
ONE = TOTAL.format(name="one", first="ponds", second="least", start=0)
OTHER = TOTAL.format(name="other", first="woods", second="smallest", start=1.5)


def package(**texts: str) -> object:
    """Return a package of files, ``kit__book`` for kit/book.py."""
    return size.Package({f"{name.replace('__', '/')}.py": text for name, text in texts.items()})


def test_what_is_no_code_is_told_from_the_package_as_it_stands() -> None:
    text = '"""A file.\n\nOf two rules."""\n\nSIZE = 3  # cm\n"""What it is."""\n# so\nTEXT = """\nlong\n"""\n' + ONE
    assert package(kit__book=text).lines() == 1 + 3 + 6
    counted = package(kit____init__='"""Rules."""', kit__book="SIZE = 1\n", page__sheet="A = 1\nB = 2\n")
    assert counted.rooms() == {"kit": (1, 1), "page": (1, 2)}
    found = size.files_now()
    assert found["kit/check.py"] == (ROOT / "printkit" / "kit" / "check.py").read_text(encoding="utf-8")
    lines = list(size.table({"v1": {"files": "3"}, "now": {"files": "12 kit", "lines": "400"}}))
    assert lines == ["       v1  now", "files  3   12 kit", "lines  -   400"]


def test_arrows_and_shared_names_go_from_room_to_room() -> None:
    head = "from printkit.page import sheet\nfrom printkit.kit import check\nimport printkit.page.sheet\n"
    late = "def draw():\n    from printkit.export.pdf import write\n"
    counted = package(kit__book=head + late, kit__check="", page__sheet="", export__pdf="")
    assert counted.arrows() == {("kit/book.py", "page/sheet.py"), ("kit/book.py", "export/pdf.py")}
    room = "class Room: ...\nclass _Box: ...\nclass Sheet: ...\n"
    user = "from printkit.page.sheet import Room, _Box, Sheet\n"
    counted = package(page__sheet=room, kit__book="class Room: ...\nclass _Box: ...\n", export__pdf=user)
    assert counted.shared_names() == {("page/sheet.py", "Room")}


def test_eight_parameters_are_not_too_many() -> None:
    for given in ("self, " + ", ".join("abcdefgh"), "a, b, /, c, d, e, f, g, *, h"):
        assert package(kit__book=f"def draw({given}): ...\n").wide_functions() == []
        assert package(kit__book=f"def draw({given}, **rest): ...\n").wide_functions() == ["kit/book.py draw"]


def test_a_copy_has_other_names_and_constants_but_no_other_members_or_forms() -> None:
    assert package(kit__book=ONE, page__sheet=OTHER).copies() == {"page/sheet.py": {2, 4, 5, 7, 9, 10}}
    assert package(kit__book=ONE + OTHER).copies() == {"kit/book.py": {12, 14, 15, 17, 19, 20}}
    for changed in (("size", "area"), (">", "<"), ("\n    return total", "")):
        assert package(kit__book=ONE, page__sheet=OTHER.replace(*changed)).copies() == {}
