"""README and pages: what they tell a reader to type works as it stands there, from top to bottom, in a fresh folder."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final

import pytest
from documents import BLOCK, OWN, PAGES, ROW, TEXT, Command, Page, Quoted, Saved, Script, options, page, read, script
from imports import PACKAGE, ROOT

import printkit
from printkit.cli.app import all_commands, run
from printkit.core.errors import UsageError
from printkit.options.removed import GONE
from printkit.options.table import command_rows, read_command
from printkit.recipes.batch.pool import cluster_executor

Captured = pytest.CaptureFixture[str]

WITH_OTHERS: Final = ("docs/dev/own-rules.md",)
"""Pages whose commands need a package of somebody else; ``plugins/test_toy_rules.py`` has it, and follows them."""

FOLLOWED: Final = tuple(
    name
    for name in PAGES
    if name not in WITH_OTHERS and any(isinstance(step, Command | Script) for step in page(name).steps)
)
FOREIGN: Final = ("--nthreads",)
"""Options of other programs that the pages name."""

MISSING: Final = re.compile(r"(?m)^printkit: (\S+ is missing|falta \S+)$")
"""Running text may name a command alone, whose arguments are told elsewhere."""

TEXTS: Final = (".cff", ".html", ".js", ".md", ".py", ".toml", ".yml", "")
"""Endings of files that may name a page."""

CHANGES: Final = "CHANGELOG.md"
GUIDE: Final = "CONTRIBUTING.md"
WALK: Final = re.compile(r"\| `(?P<file>printkit/[\w/]+\.py)` \| (?P<functions>.+) \| `(?P<onward>[\w.]+)` \|")
FEW_FILES: Final = 5
WOODED: Final = 7
"""The seed of a field with a light wood."""

PATH: Final = re.compile(r"[\w.*-]+(?:/[\w.*-]*)+")
WRITTEN: Final = "output"
"""A folder of which pages tell what commands put there."""

SEED: Final = 11
"""Of the first command that asks for no seed, and so on from there: a test says today what it says tomorrow."""

ENTER: Final = "\n" * 1000
"""A person who is asked for a throw leaves it to chance."""

FEW, SOME = 2, 8
"""Battlefields that stand for the hundreds of a page: here, and where there is time."""

SLOW: Final = ("specimen", "handouts")
"""Commands that take long even when they are planned: outside blocks only their arguments are read here."""

_WORKED: Final[set[tuple[str, ...]]] = set()
"""Commands of running text that have run: several pages name the same, and each of them needs nothing beside it."""


EXAMPLE: Final = """\
# Twice `told`, or not
## What, not there?
## What not there

See [there](armies.md#your-own-army) and `printkit cards pair --set npg=ARMY [--seed N]`, or `make
test`, `printkit`, `--plan`.

```toml
# mine.toml
a = 1
```

```toml
# mine.toml, at its end
b = 2
```

```python
one = 1
```

```json
{}
```

```python

print(one)
```

```
dice ─→ map
```

```sh
# first
printkit map --seed 7   # so it is
```

| you want | type |
| --- | --- |
| ink | `--style ink-saver`, or `--plan` |

| key | means |
| --- | --- |
| `--box` | no option that is asked for |

```python
# tests/plugins/toy.py

a = 1
```
"""


def test_a_page_is_read_from_top_to_bottom() -> None:
    told = read("docs/guide/start.md", EXAMPLE)
    assert told.steps == (
        Command(5, "printkit cards pair --set npg=gallic", TEXT),
        Command(5, "make test", TEXT),
        Saved(9, "mine.toml", "# mine.toml\na = 1\n", False),
        Saved(14, "mine.toml", "# mine.toml, at its end\nb = 2\n", True),
        Script(19, "one = 1\n"),
        Script(27, "\nprint(one)\n"),
        Command(37, "printkit map --seed 7   # so it is", BLOCK),
        Command(42, "printkit map --seed 7 --style ink-saver", ROW),
        Command(42, "printkit map --seed 7 --plan", ROW),
    )
    assert script(told) == "\n" * 18 + "one = 1\n" + "\n" * 8 + "print(one)\n"
    assert told.nameless == (23,)
    assert told.quoted == (Quoted(49, "tests/plugins/toy.py", "a = 1\n"),)
    assert told.links == ("armies.md#your-own-army",)
    assert told.anchors == ("twice-told-or-not", "what-not-there", "what-not-there-1")


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_data_is_saved_and_used_and_every_quotation_stands_there(name: str) -> None:
    told = page(name)
    assert told.nameless == (), f"{name}: begin these blocks with a comment that names the file"
    for step in told.steps:
        if isinstance(step, Saved):
            users = [each for each in told.steps if step.name in each.text and getattr(each, "name", "") != step.name]
            assert users, f"{name}:{step.line}: neither a command nor a file of the page uses {step.name}"
    for quoted in page(name).quoted:
        text = (ROOT / quoted.path).read_text(encoding="utf-8")
        assert f"\n{quoted.text}" in f"\n{text}", f"{name}:{quoted.line}: {quoted.path} reads otherwise"


@pytest.mark.parametrize("name", PAGES)
def test_every_link_option_and_file_that_is_named_is_there(name: str) -> None:
    told = page(name)
    for link in told.links:
        where, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", where):
            continue
        target = (told.folder / where).resolve() if where else ROOT / name
        assert target.exists(), f"{name}: {link}"
        if anchor:
            assert anchor in page(target.relative_to(ROOT).as_posix()).anchors, f"{name}: {link}"
    known = {option for each in command_options().values() for option in each} | set(FOREIGN)
    # The changelog also names options that are gone.
    known |= set(GONE) if name == CHANGES else set()
    named = {option for span in page(name).spans if span.startswith("--") for option in options(span)}
    assert named <= known, f"{name}: {sorted(named - known)}"
    # A path begins in the repository, or in the package, of which the page of its rooms says no more.
    homes = (ROOT, PACKAGE)
    heads = {path.name for home in homes for path in home.iterdir() if path.is_dir()} - {WRITTEN}
    paths = [span for span in page(name).spans if PATH.fullmatch(span) and span.split("/")[0] in heads]
    assert [path for path in paths if not any(any(home.glob(path.rstrip("/"))) for home in homes)] == []


def test_every_page_that_a_file_names_is_there() -> None:
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    missing = set()
    for path in map(ROOT.joinpath, listed.stdout.splitlines()):
        if path.suffix in TEXTS and path.is_file():
            named = re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
            missing |= {f"{path.relative_to(ROOT)}: {page}" for page in named if not (ROOT / page).is_file()}
    assert not missing


class ReachedError(Exception):
    """The line to which a walk leads."""


def walk(number: int) -> list[tuple[str, str]]:
    """Return the files and functions of a walk through the code, in their order; each leads to the next."""
    tables = (ROOT / GUIDE).read_text(encoding="utf-8").split("goes on with |\n")[1:]
    rows = [found for line in tables[number].split("\n\n")[0].splitlines() if (found := WALK.fullmatch(line))]
    assert 1 < len(rows) <= FEW_FILES
    found = []
    for row in rows:
        functions = re.findall(r"`([\w.]+)`", row["functions"])
        assert row["onward"].split(".")[-1] in source(row["file"], functions[-1]), row[0]
        found += [(row["file"], function) for function in functions]
    return found


def source(path: str, function: str) -> str:
    """Return the text of a function, or of one of a class, ``Dice.draw``."""
    text = (ROOT / path).read_text(encoding="utf-8")
    body: Sequence[ast.stmt] = ast.parse(text).body
    for part in function.split("."):
        node = next(node for node in body if getattr(node, "name", "") == part)
        body = getattr(node, "body", ())
    return ast.get_source_segment(text, node) or ""


def passed(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield the files and functions that were running when a line was reached, the outermost first."""
    for frame, _ in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT):
            yield path.relative_to(ROOT).as_posix(), frame.f_code.co_qualname


def stop(*_: object) -> None:
    raise ReachedError


def test_the_guide_walks_to_the_lines_that_draw_a_tree_and_throw_first(monkeypatch: pytest.MonkeyPatch) -> None:
    field = printkit.generate("brantley", seed=WOODED)
    walks: tuple[tuple[str, Callable[[], object]], ...] = (
        ("printkit.drawing.signs.cover.woods.standing", lambda: field.draw().layers),
        ("printkit.chance.dice.Seeded.pick", lambda: printkit.generate(seed=WOODED)),
    )
    for number, (last, begin) in enumerate(walks):
        monkeypatch.setattr(last, stop)
        with pytest.raises(ReachedError) as reached:
            begin()
        way = iter(passed(reached.value))
        assert [step for step in walk(number) if step not in way] == []


@pytest.mark.usefixtures("table", "_no_ink", "_bare")
@pytest.mark.parametrize("name", FOLLOWED)
def test_every_command_works(name: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are run as they stand, what text and tables name besides is planned; all on boards without a mark."""
    known: dict[str, Any] = {}
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr("printkit.console.terminal.fresh_seed", count(SEED).__next__)
    monkeypatch.setattr("printkit.console.terminal.printers", lambda: Path("printers"))
    # The studio would listen until somebody ends it.
    monkeypatch.setattr("printkit.studio.server.serve", lambda *_, **__: None)
    monkeypatch.setattr("printkit.recipes.batch.pool.cores", lambda: 1)
    for step in page(name).steps:
        if isinstance(step, Saved):
            save(step)
        elif isinstance(step, Script):
            exec(compile("\n" * (step.line - 1) + step.text, name, "exec"), known)
        elif step.words[0] != OWN:
            judge_other(step, name)
        else:
            words = shortened(step)
            if step.place == TEXT and tuple(words) in _WORKED:
                continue
            monkeypatch.setattr(sys, "stdin", io.StringIO(ENTER))
            if words[0] in SLOW and step.place != BLOCK and "--plan" not in words:
                read_command(all_commands()[words[0]], words[1:])
                continue
            status = run(words)
            said = capsys.readouterr().err
            good = status == 0 or (step.place == TEXT and MISSING.search(said))
            assert good, f"{name}:{step.line}: {step.text}\n{said}"
            _WORKED.add(tuple(words))
    judge_files(page(name))


@pytest.mark.soak
@pytest.mark.parametrize("name", FOLLOWED)
def test_every_command_works_in_a_shell(name: str, tmp_path: Path) -> None:
    """What a table offers is written to a folder of its own: its rows are choices, and no steps of one story."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    for at, step in enumerate(page(name).steps):
        if isinstance(step, Saved):
            save(step, tmp_path)
            continue
        if isinstance(step, Script):
            continue
        # A cluster is elsewhere, and the studio would listen until somebody ends it.
        if step.words[0] != OWN or "--cluster" in step.words or step.words[1] == "studio":
            continue
        line = re.sub(r"(--count) \d+", rf"\1 {SOME}", step.text)
        if step.place != BLOCK and "--out" not in line and "--out" in options_of(step.words[1:]):
            line = f"{line} --out also-{at}"
        own = {**plain, "LC_ALL": "C.UTF-8", "PATH": path, "XDG_CONFIG_HOME": str(tmp_path / "settings")}
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=own, input=ENTER, capture_output=True, text=True, check=False
        )
        good = done.returncode == 0 or (step.place == TEXT and MISSING.search(done.stderr))
        assert good, f"{name}:{step.line}: {line}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
    subprocess.run([sys.executable, "-c", script(page(name))], cwd=tmp_path, env={**plain, "PATH": path}, check=True)
    judge_files(page(name), tmp_path)


def save(step: Saved, folder: Path = Path()) -> None:
    """Write a file as the page tells; further lines only to a file that it has told before."""
    with (folder / step.name).open("r+" if step.more else "w", encoding="utf-8") as file:
        file.seek(0, io.SEEK_END)
        file.write(step.text)


def judge_files(told: Page, folder: Path = Path()) -> None:
    """Find the files that a page says its commands have written."""
    for span in told.spans:
        if span.startswith("output/"):
            assert (folder / span).exists(), f"{told.name}: {span}"


def shortened(step: Command) -> list[str]:
    """Return the arguments of a command of our own that takes less time: few fields, and nobody else to make them."""
    words = step.words[1:]
    known = options_of(words)
    plan = step.place != BLOCK
    if "--count" in words and "cards" not in words:
        words[words.index("--count") + 1] = str(FEW)
    if "--seeds" in words:
        words[words.index("--seeds") + 1] = f"1..{FEW}"
    if "--cluster" in words:
        at = words.index("--cluster")
        judge_cluster(words[at + 1])
        del words[at : at + 2]
        plan = True
    if not plan or "--plan" in words or words[0] in SLOW:
        return words
    return [*words, "--plan"] if "--plan" in known else words


def judge_cluster(address: str) -> None:
    """Judge the address of a scheduler by its form: the next thing that lacks is Dask."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "distributed", None)
        with pytest.raises(UsageError, match="--cluster needs Dask"), cluster_executor(address):
            pass


def judge_other(step: Command, name: str) -> None:
    """Judge a command of another program by its form: what it is asked to do is there."""
    program, *words = step.words
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    where = f"{name}:{step.line}: {step.text}"
    if program == "make":
        for word in words:
            left, equal, value = word.partition("=")
            assert re.search(rf"(?m)^{left} \?=" if equal else rf"(?m)^{left}:", makefile), where
            assert all(option in asked_of_make(words[0]) for option in options(value)), where
            assert all((ROOT / path).exists() for path in re.findall(r"(?<!\S)tests/\S+", value)), where
    elif program == "dask":
        assert words[0] in ("scheduler", "worker"), where
    else:
        assert "install" in words[:2], where
        for option, value in pairwise(words):
            assert option != "-c" or (ROOT / value).is_file(), where


def asked_of_make(target: str) -> set[str]:
    """Return the options that a target hands on to what it runs."""
    tools = ROOT / "tools"
    scripts = {
        "bench": ROOT / "benchmarks" / "run.py",
        "freeze": tools / "freeze.py",
        "look": tools / "look" / "__main__.py",
        "size": tools / "size.py",
        "test": ROOT / "tests" / "conftest.py",
        "web": tools / "release" / "web.py",
        "app": tools / "release" / "app.py",
        "words": tools / "languages" / "missing_texts.py",
    }
    if target in scripts:
        return set(options(scripts[target].read_text(encoding="utf-8")))
    return command_options()[(target,)]


def options_of(words: Sequence[str]) -> set[str]:
    """Return the options of the command that arguments ask for."""
    known = command_options()
    return known.get(tuple(words[:2])) or known.get(tuple(words[:1]), set())


@cache
def command_options() -> dict[tuple[str, ...], set[str]]:
    """Return the options of every command, by its name or names."""
    known = {(): {"--help", "--help-all", "--lang", "--version", "--debug"}}
    for name, command in all_commands().items():
        flags = {row.flag for row in command_rows(command) if not row.option.argument} if command.call else {"--lang"}
        known[tuple(name.split())] = flags | {"--help", "--help-all"}
    return known
