"""Change English messages and their keys in the translations, by a list of old and new sentences.

python tools/languages/reword.py LIST [--folder FOLDER]

LIST has one message a line: the old English, a tab, the new English; a third column has the new Spanish. With
``--folder`` only the keys of a translator's own folder are changed, which is laid out as ``templates``. Without it the
code, the templates, the tests and the pages of this checkout follow; what a test or page says with values filled in is
changed too. Run ``ruff format`` afterwards. ``reworded.tsv`` beside this file has the changes since printkit 0.3.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]

# A literal longer than the rest of its line is written as several, one a line.
_LINE: Final = 106
# Characters between two values that a template needs before texts with values filled in are searched for it.
_FIXED: Final = 15
_IN_BRACKETS: Final = (ast.Call, ast.keyword, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Subscript)


class NewWording(NamedTuple):
    """The new English of a message, and the new Spanish, empty if that stays."""

    english: str
    spanish: str = ""


def read_list(path: Path) -> dict[str, NewWording]:
    """Return the new wording of each message.

    Raises:
        ValueError: a line has no tab, or its sentences have different values to fill in.
    """
    wording = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        old, *new = line.split("\t")
        if not 1 <= len(new) <= 2:
            raise ValueError(f"{path}:{number}: expected the old and the new English with a tab between them")
        for text in filter(None, new):
            if _value_names(text) - _value_names(old):
                raise ValueError(f"{path}:{number}: {text!r} has other values than {old!r}")
        if old != new[0] or new[1:]:
            wording[old] = NewWording(*new)
    return wording


def _value_names(template: str) -> set[str]:
    return {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(template) if name is not None}


def change_keys(text: str, wording: Mapping[str, NewWording], *, spanish: bool = False) -> str:
    """Return a file of translated messages with new keys, and with the new Spanish if that is wanted."""
    lines = []
    for line in text.splitlines(keepends=True):
        try:
            ((old, translated),) = tomllib.loads(line).items()
            new = wording[old]
        except (tomllib.TOMLDecodeError, ValueError, KeyError):
            lines.append(line)
        else:
            lines.append(f"{_quote(new.english)} = {_quote((spanish and new.spanish) or translated)}\n")
    return "".join(lines)


def change_python(text: str, wording: Mapping[str, NewWording], patterns: Sequence[FilledPattern] = ()) -> str:
    """Return Python source with new messages: whole literals, and by ``patterns`` also parts with values filled in."""
    spans = []
    for node, value, parent in _literals(ast.parse(text)):
        new = wording[value].english if value in wording else change_filled(value, patterns)
        if new != value:
            spans.append((node, _literal(new, node, parent)))
    lines = text.splitlines(keepends=True)
    for node, literal in sorted(spans, key=lambda span: (-span[0].lineno, -span[0].col_offset)):
        first, last = lines[node.lineno - 1].encode(), lines[(node.end_lineno or 0) - 1].encode()
        joined = first[: node.col_offset].decode() + literal + last[node.end_col_offset :].decode()
        lines[node.lineno - 1 : node.end_lineno] = [joined]
    return "".join(lines)


def _literals(tree: ast.AST) -> Iterator[tuple[ast.Constant, str, ast.AST]]:
    """Yield each text literal and what it stands in, but for docstrings and parts of f-strings."""
    for parent in ast.walk(tree):
        if not isinstance(parent, ast.JoinedStr | ast.Expr):
            for node in ast.iter_child_nodes(parent):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node, node.value, parent


def _literal(text: str, node: ast.Constant, parent: ast.AST) -> str:
    """Return a text as one literal, or as several on lines of their own where it is long."""
    if len(one := _quote(text)) + node.col_offset <= _LINE or " " not in text:
        return one
    parts, room = [""], max(40, _LINE - node.col_offset)
    for word in re.findall(r"\S+\s*|\s+", text):
        if len(parts[-1]) + len(word) > room:
            parts.append("")
        parts[-1] += word
    literal = f"\n{' ' * node.col_offset}".join(_quote(part) for part in parts)
    return literal if isinstance(parent, _IN_BRACKETS) or node.lineno != node.end_lineno else f"({literal})"


def _quote(text: str) -> str:
    """Return a text in double quotes, as TOML and Python both read it; in single ones if it has only double ones."""
    return f"'{text}'" if '"' in text and "'" not in text and "\\" not in text else json.dumps(text, ensure_ascii=False)


class FilledPattern(NamedTuple):
    """Finds an old message with values filled in; ``longest`` is its longest part of fixed words."""

    pattern: re.Pattern[str]
    longest: str
    new: str


def filled_patterns(wording: Mapping[str, NewWording]) -> list[FilledPattern]:
    """Return how to find each old message with values filled in, the longest first."""
    patterns = []
    for old, new in wording.items():
        parts = [*Formatter().parse(old)]
        longest = max((part[0] for part in parts), key=len)
        if len(longest) < _FIXED:
            continue
        seen: set[str] = set()
        pattern = ""
        for literal, name, *_ in parts:
            pattern += re.escape(literal)
            if name is not None:
                group = re.sub(r"\W", "_", name)
                pattern += f"(?P={group})" if group in seen else f"(?P<{group}>.+?)"
                seen.add(group)
        if parts[-1][1] is not None:
            pattern += r"(?=$|\n|; |\. )"
        written = "".join(
            literal.replace("\\", r"\\") + ("" if name is None else _group(name))
            for literal, name, *_ in Formatter().parse(new.english)
        )
        patterns.append(FilledPattern(re.compile(pattern), longest, written))
    return sorted(patterns, key=lambda each: -len(each.longest))


def _group(name: str) -> str:
    """Return what stands for a value in the new text: the group that found it in the old one."""
    return r"\g<" + re.sub(r"\W", "_", name) + ">"


def change_filled(text: str, patterns: Iterable[FilledPattern]) -> str:
    """Return a text in which messages with values filled in have their new wording."""
    for pattern, longest, new in patterns:
        if longest in text:
            text = pattern.sub(new, text)
    return text


def _change_file(path: Path, new: str) -> None:
    if new != path.read_text(encoding="utf-8"):
        path.write_text(new, encoding="utf-8", newline="\n")
        print(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Change the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("list", metavar="LIST", type=Path, help="old and new sentences, with tabs between them")
    parser.add_argument("--folder", metavar="FOLDER", type=Path, help="change a translator's folder instead")
    options = parser.parse_args(arguments)
    try:
        wording = read_list(options.list)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    top = options.folder or ROOT / "templates"
    for path in sorted((top / "messages").glob("*/*.toml")):
        spanish = options.folder is None and path.parent.name == "es"
        _change_file(path, change_keys(path.read_text(encoding="utf-8"), wording, spanish=spanish))
    if options.folder is not None:
        return
    patterns = filled_patterns(wording)
    for path in sorted((ROOT / "printkit").rglob("*.py")):
        _change_file(path, change_python(path.read_text(encoding="utf-8"), wording))
    for path in sorted((ROOT / "tests").rglob("*.py")):
        _change_file(path, change_python(path.read_text(encoding="utf-8"), wording, patterns))
    for path in sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]):
        _change_file(path, change_filled(path.read_text(encoding="utf-8"), patterns))


if __name__ == "__main__":
    main()
