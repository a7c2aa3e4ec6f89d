"""Rename things in the code by a list, with every use of them.

    python tools/rename.py LIST [--check]

LIST has one definition a line, in four columns with tabs between them: the file, the scope that defines the name
(``Words.about`` for a parameter or a local of that method, ``Words`` for a field or a method, ``-`` for the module),
the old name and the new name. The language server of pyright finds the uses (``pip install pyright``). Only name tokens
change, and names in the docstrings and comments of the scope: in backticks, or as an entry of Args or Raises.
``tests/mutants.txt`` follows.

A row is refused in three cases: two names would become one, the toy plug-in or ``import printkit`` has the name, or a
string has it. If the string means something else, add the old name after ``--despite``. ``--check`` writes nothing.
The tool ends with ``ruff``. Run mypy and the tests afterwards: they find uses whose type is not known.
``renames.tsv`` beside this file has old and new names of everything but parameters and locals.
"""

from __future__ import annotations

import argparse
import ast
import dis
import io
import json
import re
import shutil
import subprocess
import sys
import textwrap
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlparse

ROOT: Final = Path(__file__).resolve().parents[1]
RENAMES: Final = ROOT / "tools" / "renames.tsv"
MUTANTS: Final = ROOT / "tests" / "mutants.txt"
# Folders whose Python files and templates may use a name.
_CODE: Final = ("printkit", "tests", "tools", "benchmarks", "packaging")
_PAGES: Final = (".html", ".js", ".jinja")
# Calls that name an attribute in a string, or a field by a keyword.
_BY_STRING: Final = {"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller", "object"}
_BY_KEYWORD: Final = {"replace", "_replace"}
# Files of other people's programs: what they use keeps its name.
_PUBLIC: Final = ("tests/plugins/toy", "printkit/__init__.py")
_LINE: Final = 120

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | ast.ClassDef | Function


class Row(NamedTuple):
    """A definition to rename."""

    path: Path
    scope: str
    old: str
    new: str


class Edit(NamedTuple):
    """New text for part of a line. Lines and columns count from 0; columns count characters."""

    line: int
    start: int
    end: int
    text: str


class RefusedError(Exception):
    """A row that cannot be carried out."""


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a list.

    Raises:
        ValueError: a line does not have four columns.
    """
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != 4:
            raise ValueError(f"{path}:{number}: expected file, scope, old name and new name with tabs between them")
        rows.append(Row(Path(columns[0]), *columns[1:]))
    return rows


@cache
def _text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(_text(path))


# --- Where a name is defined ------------------------------------------------------------------------------------------


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope in order, nested functions and classes without what they contain."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Scope):
            yield from _children(child)


def find_scope(row: Row) -> Scope:
    """Return the module, class or function in which a name is defined.

    Raises:
        RefusedError: there is no such scope.
    """
    node: Scope = _tree(row.path)
    for part in [] if row.scope == "-" else row.scope.split("."):
        scopes = (child for child in _children(node) if isinstance(child, ast.ClassDef | Function))
        inner = [child for child in scopes if child.name == part]
        if not inner:
            raise RefusedError(f"there is no scope {row.scope}")
        # The last one, because overloads come before what they describe.
        node = inner[-1]
    return node


def _column(path: Path, line: int, offset: int) -> int:
    """Return the column in characters of an offset in bytes; lines count from 1."""
    return len(_text(path).splitlines()[line - 1].encode()[:offset].decode())


def _after(path: Path, line: int, offset: int, pattern: str) -> tuple[int, int]:
    """Return line and column, from 0, of the group of a pattern that follows a position."""
    column = _column(path, line, offset)
    match = re.compile(pattern).search(_text(path).splitlines()[line - 1], column)
    if not match:
        raise RefusedError("the name is not on the line where its definition begins")
    return line - 1, match.start(1)


def find_definitions(row: Row) -> list[tuple[int, int]]:
    """Return line and column, from 0, of each place where the scope of a row defines the name.

    Raises:
        RefusedError: there is none.
    """
    scope = find_scope(row)
    path, old = row.path, row.old
    places = []
    for node in _children(scope):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == old:
                places.append(_after(path, node.lineno, node.col_offset, rf"(?:def|class)\s+({old})\b"))
            case ast.Name(id=name, ctx=ast.Store()) if name == old:
                places.append((node.lineno - 1, _column(path, node.lineno, node.col_offset)))
            case ast.arg(arg=name) if name == old:
                places.append((node.lineno - 1, _column(path, node.lineno, node.col_offset)))
            case ast.ExceptHandler(name=name) if name == old:
                places.append(_after(path, node.lineno, node.col_offset, rf"\bas\s+({old})\b"))
            case ast.MatchAs(name=name) | ast.MatchStar(name=name) if name == old:
                places.append(_after(path, node.lineno, node.col_offset, rf"\b({old})\b"))
            case ast.alias(asname=name) if name == old:
                places.append(_after(path, node.lineno, node.col_offset, rf"\bas\s+({old})\b"))
            case _:
                pass
    if not places and isinstance(scope, ast.ClassDef):
        for node in ast.walk(scope):
            match node:
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()) if name == old:
                    places.append(_after(path, node.lineno, node.value.end_col_offset or 0, rf"\.({old})\b"))
                case _:
                    pass
    if not places:
        raise RefusedError(f"{row.scope} does not define {old}")
    return places


# --- Uses, from the language server -----------------------------------------------------------------------------------


class LanguageServer:
    """The language server of pyright, spoken to in JSON-RPC."""

    def __init__(self) -> None:
        program = shutil.which("pyright-langserver", path=str(Path(sys.executable).parent)) or "pyright-langserver"
        try:
            self._process = subprocess.Popen([program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except FileNotFoundError:
            sys.exit("the language server of pyright is missing; run: pip install pyright")
        self._count = 0
        capabilities = {"workspace": {"configuration": True, "workspaceFolders": True}, "textDocument": {"rename": {}}}
        folders = [{"uri": ROOT.as_uri(), "name": ROOT.name}]
        self.request(
            "initialize",
            {"processId": None, "rootUri": ROOT.as_uri(), "capabilities": capabilities, "workspaceFolders": folders},
        )
        self._send({"method": "initialized", "params": {}})
        # Until it has found the files of the project, it knows only those that are open.
        while "source file" not in str(self._answer(self._receive()).get("params", {}).get("message", "")):
            pass

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream
        length = 0
        while (line := stream.readline().strip()) or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(stream.read(length))
        return message

    def _configuration(self, section: str) -> object:
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
        paths = settings["pytest"]["ini_options"].get("pythonpath", [])
        analysis = {"extraPaths": paths, "typeCheckingMode": "off", "diagnosticMode": "openFilesOnly"}
        if section == "python.analysis":
            return analysis
        return {"pythonPath": sys.executable, "analysis": analysis} if section == "python" else None

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Answer a message if it is a request of the server, and return it."""
        if "method" in message and "id" in message:
            items = message["params"].get("items", []) if isinstance(message["params"], dict) else []
            result = [self._configuration(item.get("section", "")) for item in items]
            self._send({"id": message["id"], "result": result or None})
        return message

    def request(self, method: str, params: object) -> Any:
        """Return the result of a request."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        while True:
            message = self._answer(self._receive())
            if message.get("id") == self._count and "method" not in message:
                if "error" in message:
                    raise RefusedError(message["error"]["message"])
                return message["result"]

    def stop(self) -> None:
        """End the language server."""
        self._send({"method": "exit"})
        self._process.communicate()

    def open(self, path: Path) -> None:
        """Open a file, so that requests about it are answered."""
        document = {"uri": (ROOT / path).as_uri(), "languageId": "python", "version": 1, "text": _text(path)}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def close(self, path: Path) -> None:
        """Close a file."""
        document = {"uri": (ROOT / path).as_uri()}
        self._send({"method": "textDocument/didClose", "params": {"textDocument": document}})

    def rename(self, path: Path, line: int, column: int, new: str) -> dict[Path, set[Edit]]:
        """Return the edits that rename what is defined at a position, by file."""
        units = len(_text(path).splitlines()[line][:column].encode("utf-16-le")) // 2
        where = {"textDocument": {"uri": (ROOT / path).as_uri()}, "position": {"line": line, "character": units}}
        result = self.request("textDocument/rename", {**where, "newName": new}) or {}
        changes = dict(result.get("changes") or {})
        for change in result.get("documentChanges") or []:
            changes.setdefault(change["textDocument"]["uri"], []).extend(change["edits"])
        edits: dict[Path, set[Edit]] = {}
        for uri, items in changes.items():
            file = Path(unquote(urlparse(uri).path))
            if not file.is_relative_to(ROOT):
                raise RefusedError(f"it is also used in {file}")
            file = file.relative_to(ROOT)
            lines = _text(file).splitlines()
            for item in items:
                start, end = item["range"]["start"], item["range"]["end"]
                text = lines[start["line"]].encode("utf-16-le")
                first = len(text[: 2 * start["character"]].decode("utf-16-le"))
                last = len(text[: 2 * end["character"]].decode("utf-16-le"))
                edits.setdefault(file, set()).add(Edit(start["line"], first, last, item["newText"]))
        return edits


# --- What a language server does not see ------------------------------------------------------------------------------


@cache
def _sources() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
    return tuple(Path(name) for name in sorted(listed.split("\0")) if name and (ROOT / name).is_file())


class Use(NamedTuple):
    """A name that is not a name token: where it is, and the last part of the module or object that it belongs to."""

    place: str
    owner: str = ""


@cache
def _other_uses() -> tuple[dict[str, list[Use]], dict[str, list[Use]], dict[str, list[Use]]]:
    """Return where names occur in strings, in pages of the studio, and as keywords of ``replace``, by the name."""
    strings, pages, keywords = (defaultdict[str, list[Use]](list) for _ in range(3))
    for path in _sources():
        if path.parts[0] in _CODE and path.suffix == ".py":
            for node in ast.walk(_tree(path)):
                place = f"{path}:{getattr(node, 'lineno', 0)}"
                if isinstance(node, ast.Call):
                    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                    for argument in node.args if called in _BY_STRING else ():
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                            strings[argument.value].append(Use(place, ast.unparse(node.args[0]).split(".")[-1]))
                    for keyword in node.keywords if called in _BY_KEYWORD else ():
                        keywords[keyword.arg or ""].append(Use(place))
                elif isinstance(node, ast.Constant) and re.fullmatch(r"printkit(\.\w+)*[.:]\w+", str(node.value)):
                    for owner, name in pairwise(re.split(r"[.:]", str(node.value))):
                        strings[name].append(Use(place, owner))
        elif path.suffix in _PAGES and path.parts[0] in (*_CODE, "templates", "web"):
            for number, line in enumerate(_text(path).splitlines(), 1):
                for name in re.findall(r"\.([a-z_]\w*)", line):
                    pages[name].append(Use(f"{path}:{number}"))
    return strings, pages, keywords


def find_strings(row: Row) -> list[str]:
    """Return the places where the name of a row occurs in a string; none for parameters and locals."""
    scope = find_scope(row)
    if isinstance(scope, Function):
        return []
    strings, pages, _ = _other_uses()
    modules = {path.stem for path in _sources() if path.parts[0] == "printkit"}
    if isinstance(scope, ast.Module):
        modules.discard(row.path.stem)
    uses = [use for use in strings.get(row.old, []) if use.owner not in modules]
    if isinstance(scope, ast.ClassDef) and row.path.is_relative_to("printkit/studio"):
        uses += pages.get(row.old, [])
    return [use.place for use in uses]


def find_keywords(row: Row) -> list[str]:
    """Return the calls of ``replace`` that may change the field of a row; neither mypy nor pyright knows them."""
    scope = find_scope(row)
    fields = [node.target for node in getattr(scope, "body", ()) if isinstance(node, ast.AnnAssign)]
    is_field = isinstance(scope, ast.ClassDef) and any(ast.unparse(field) == row.old for field in fields)
    return [use.place for use in _other_uses()[2].get(row.old, [])] if is_field else []


def _prose(path: Path, first: int, last: int, old: str, new: str) -> Iterator[Edit]:
    """Yield edits for a name in docstrings and comments of some lines: in backticks, or as an entry such as ``name:``.

    Lines count from 1.
    """
    pattern = re.compile(rf"(?:(?<=`)|^ +\*{{0,2}}(?={old}: ))({old})\b(?=[`.(\[]|: )")
    for token in tokenize.generate_tokens(io.StringIO(_text(path)).readline):
        line = token.line.lstrip()
        is_docstring = token.type == tokenize.STRING and line.startswith(('"""', 'r"""'))
        if not (is_docstring or token.type == tokenize.COMMENT) or not first <= token.start[0] <= last:
            continue
        for offset, text in enumerate(token.string.splitlines()):
            shift = token.start[1] if offset == 0 else 0
            for match in pattern.finditer(text):
                number = token.start[0] - 1 + offset
                yield Edit(number, shift + match.start(1), shift + match.end(1), new)


# --- Carrying out -----------------------------------------------------------------------------------------------------


def changed_text(path: Path, edits: set[Edit]) -> str:
    """Return the text of a file with edits."""
    lines = _text(path).splitlines(keepends=True)
    for edit in sorted(edits, reverse=True):
        line = lines[edit.line]
        lines[edit.line] = line[: edit.start] + edit.text + line[edit.end :]
    return "".join(lines)


def _prose_lines(text: str) -> set[int]:
    """Return the lines, from 0, of docstrings and of comments that have a line of their own."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_alone = not token.line[: token.start[1]].strip()
        if is_alone and (token.type == tokenize.COMMENT or token.string.startswith('"""')):
            lines |= {*range(token.start[0] - 1, token.end[0])}
    return lines


def wrap_prose(text: str) -> str:
    """Return a file in which paragraphs of docstrings and comments with too long a line are filled again."""
    lines, prose = text.splitlines(), _prose_lines(text)
    for first in sorted((line for line in prose if len(lines[line]) > _LINE), reverse=True):
        margin = re.match(r"[ #]*", lines[first])
        indent = margin[0] if margin else ""
        follows = re.compile(re.escape(indent) + r"(?!\*{0,2}\w+: |[A-Z]\w+:$|[-*#]|\"\"\")\S")
        last = first + 1
        while last in prose and follows.match(lines[last]):
            last += 1
        paragraph = " ".join([lines[first][len(indent) :], *(line[len(indent) :] for line in lines[first + 1 : last])])
        is_entry = re.match(r"\*{0,2}\w+: ", paragraph) and not indent.endswith("# ")
        lines[first:last] = textwrap.wrap(
            paragraph,
            _LINE,
            initial_indent=indent,
            subsequent_indent=indent + "    " * bool(is_entry),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines) + "\n"


def _code_objects(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_objects(constant)


_KINDS: Final = {"GLOBAL": "global", "NAME": "name", "FAST": "local", "DEREF": "local"}


def find_clashes(old: str, new: str) -> list[str]:
    """Return the names of a file that became one, or two, when it was renamed, by its byte code."""
    before, after = ([*_code_objects(compile(text, "x", "exec", dont_inherit=True))] for text in (old, new))
    clashes = []
    of_file: dict[tuple[str, str], set[str]] = defaultdict(set)
    for left, right in zip(before, after, strict=True):
        place = f"{left.co_name}, line {left.co_firstlineno}"
        of_scope: dict[tuple[str, str], set[str]] = defaultdict(set)
        for was, now in zip(dis.get_instructions(left), dis.get_instructions(right), strict=True):
            if was.opname != now.opname:
                clashes.append(f"{place}: other code")
                break
            kind = _KINDS.get(was.opname.split("_")[-1], "")
            if kind and was.opname != "LOAD_NAME":
                is_global = kind == "global" or (kind == "name" and left is before[0])
                names = of_file if is_global else of_scope
                names["old", str(was.argval)].add(str(now.argval))
                names["new", str(now.argval)].add(str(was.argval))
        clashes += [f"{place}: {key[1]}" for key, others in of_scope.items() if len(others) > 1]
    return clashes + [f"{key[1]}: {', '.join(sorted(others))}" for key, others in of_file.items() if len(others) > 1]


class Plan:
    """The edits of a list, by row, and the rows that were refused."""

    def __init__(self) -> None:
        self.rows: dict[Row, dict[Path, set[Edit]]] = {}
        self.refused: list[tuple[Row, str]] = []
        self._edits: dict[Path, dict[tuple[int, int], str]] = defaultdict(dict)

    def add(self, row: Row, edits: dict[Path, set[Edit]]) -> None:
        """Add the edits of a row.

        Raises:
            RefusedError: an earlier row renames one of the places to something else.
        """
        for path, items in edits.items():
            for edit in items:
                text = self._edits[path].get((edit.line, edit.start), edit.text)
                if text != edit.text:
                    raise RefusedError(f"{path}:{edit.line + 1} is renamed to {text} by an earlier row")
        for path, items in edits.items():
            self._edits[path].update({(edit.line, edit.start): edit.text for edit in items})
        self.rows[row] = edits

    def texts(self) -> dict[Path, str]:
        """Return the new text of each file."""
        edits: dict[Path, set[Edit]] = defaultdict(set)
        for files in self.rows.values():
            for path, items in files.items():
                edits[path] |= items
        return {path: changed_text(path, items) for path, items in edits.items()}

    def refuse_clashes(self) -> None:
        """Refuse the rows by which two names become one, or one becomes two, until none does."""
        while True:
            clashes = {
                path: find_clashes(_text(path), text) for path, text in self.texts().items() if path.suffix == ".py"
            }
            if not any(clashes.values()):
                return
            for path, found in clashes.items():
                if not found:
                    continue
                names = {*re.findall(r"\w+", _text(path))}
                here = [row for row, edits in self.rows.items() if path in edits]
                suspects = [row for row in here if row.new in names and not isinstance(find_scope(row), ast.ClassDef)]
                for row in suspects or here:
                    self.refused.append((row, f"in {path} two names would become one, or one two: {'; '.join(found)}"))
                    del self.rows[row]


def _edits(row: Row, server: LanguageServer) -> dict[Path, set[Edit]]:
    """Return all edits of a row, by file."""
    scope = find_scope(row)
    edits: dict[Path, set[Edit]] = defaultdict(set)
    for line, column in find_definitions(row):
        if all((edit.line, edit.start) != (line, column) for edit in edits[row.path]):
            for path, items in server.rename(row.path, line, column, row.new).items():
                edits[path] |= items
    for path, items in edits.items():
        lines = _text(path).splitlines()
        for edit in items:
            if lines[edit.line][edit.start : edit.end] != row.old:
                raise RefusedError(f"{path}:{edit.line + 1} has {lines[edit.line][edit.start : edit.end]!r}")
    if isinstance(scope, ast.Module):
        for path in [*edits]:
            edits[path] |= {*_prose(path, 1, sys.maxsize, row.old, row.new)}
    else:
        edits[row.path] |= {*_prose(row.path, scope.lineno, scope.end_lineno or 0, row.old, row.new)}
    return edits


def make_plan(rows: list[Row], despite: list[str]) -> Plan:
    """Return the edits of all rows that can be carried out."""
    plan, server = Plan(), LanguageServer()
    for row in sorted(rows, key=lambda row: row.path):
        try:
            if (strings := find_strings(row)) and row.old not in despite:
                raise RefusedError(f"it is also in strings: {', '.join(strings[:4])}")
            server.open(row.path)
            edits = _edits(row, server)
            if public := [path for path in edits if path.as_posix().startswith(_PUBLIC)]:
                raise RefusedError(f"other people's programs use it: {public[0]}")
            plan.add(row, edits)
        except RefusedError as error:
            plan.refused.append((row, str(error)))
        finally:
            server.close(row.path)
    server.stop()
    return plan


def _rename_mutant(old: str, renamed: str, new: str) -> str:
    """Return the changed line of a mutant with the names of its renamed line."""
    before, after, changed = (re.findall(r"\w+|\W+", text) for text in (old, renamed, new))
    blocks = SequenceMatcher(None, before, changed, autojunk=False).get_opcodes()
    parts = (after[a:b] if kind == "equal" else changed[c:d] for kind, a, b, c, d in blocks)
    return "".join(chain.from_iterable(parts))


def _follow_mutants(texts: dict[Path, str], rows: list[Row]) -> str:
    """Return the rows of the mutants with the new text of their lines."""
    functions = {(row.path, row.old): row.new for row in rows if not isinstance(find_scope(row), Function)}
    lines = []
    for line in MUTANTS.read_text(encoding="utf-8").splitlines():
        outcome, name, function, old, new = line.split("\t")
        path = Path(name)
        if path in texts:
            pairs = zip(_text(path).splitlines(), texts[path].splitlines(), strict=True)
            renamed = next((after.strip() for before, after in pairs if before.strip() == old), old)
            new = _rename_mutant(old, renamed, new)
            function = ".".join(functions.get((path, part), part) for part in function.split("."))
            old = renamed
        lines.append("\t".join((outcome, name, function, old, new)))
    return "\n".join(lines) + "\n"


def main() -> int:
    """Rename by a list; 1 if a row was refused or names clash."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("list", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--despite", nargs="*", default=[], metavar="NAME", help="names that strings have by chance")
    given = parser.parse_args()
    rows = read_rows(given.list)
    plan = make_plan(rows, given.despite)
    plan.refuse_clashes()
    for row, reason in plan.refused:
        print(f"refused: {row.path} {row.scope} {row.old}: {reason}")
    done, texts = [*plan.rows], plan.texts()
    for row in done:
        if keywords := find_keywords(row):
            print(f"check: {row.path} {row.scope} {row.old} -> {row.new}: replace(...) in {', '.join(keywords)}")
    if not given.check:
        mutants = _follow_mutants(texts, done)
        for path, text in texts.items():
            (ROOT / path).write_text(wrap_prose(text), encoding="utf-8")
        files = [str(path) for path in texts]
        subprocess.run([sys.executable, "-m", "ruff", "check", "--quiet", "--fix", *files], cwd=ROOT, check=False)
        subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", *files], cwd=ROOT, check=True)
        MUTANTS.write_text(mutants, encoding="utf-8")
        with RENAMES.open("a", encoding="utf-8") as file:
            file.writelines(
                f"{row.path}\t{row.scope}\t{row.old}\t{row.new}\n"
                for row in done
                if not isinstance(find_scope(row), Function)
            )
    print(f"{len(done)} renamed in {len(texts)} files, {len(plan.refused)} refused")
    return 1 if plan.refused else 0


if __name__ == "__main__":
    sys.exit(main())
