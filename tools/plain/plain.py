"""Measure how plain the English of printkit is.

Scan what people read (sheets, messages, help, rule books, documentation, docstrings, comments, commit subjects) and the
names in the code against the rules in ``plain.toml``, and print the hits per 1,000 sentences of each area.

    python tools/plain/plain.py                            report every area
    python tools/plain/plain.py --area docs,help           only these areas
    python tools/plain/plain.py --worst 20                 the 20 sentences with most hits
    python tools/plain/plain.py --sample 100 --seed 3      100 random hits, to check the rules by hand
    python tools/plain/plain.py --limits                   exit 1 if an area exceeds its goal in plain.toml
    python tools/plain/plain.py --explain ID               every hit of one rule
    python tools/plain/plain.py --text "Who lays first"    the hits of one text

Exit status: 0 within the goals, 1 above one, 2 for bad usage. ``tests/limits.toml`` has what each area has today.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
RULES: Final = Path(__file__).resolve().with_name("plain.toml")

# A text of fewer words is a label: it is scanned, but it does not count as a sentence.
SENTENCE_WORDS: Final = 4


@dataclass(frozen=True)
class Name:
    """One definition in the code: its kind is function, class, parameter, field or variable."""

    area: str
    place: str
    name: str
    kind: str
    annotation: str


@dataclass(frozen=True)
class Hit:
    """One match of one rule."""

    area: str
    rule: str
    kind: str
    place: str
    sentence: str
    match: str
    advice: str


# Readers: one function for each value of ``read`` in plain.toml. Each yields (place, text).


def _toml_strings(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _toml_strings(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from _toml_strings(inner, key)
    elif isinstance(value, str):
        yield key, value


def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def read_toml_values(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every string value. The place is the file and the key."""
    for key, text in _toml_strings(_toml(path)):
        yield f"{path.name}:{key}", text


def read_toml_prose(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the string values that contain a space and no regular expression: the sentences of a rule book."""
    for key, text in _toml_strings(_toml(path)):
        if " " in text and not key.endswith(("pattern", "source", "values", "names")):
            yield f"{path.name}:{key}", text


def read_toml_keys(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the top-level keys with a string value: English templates that a catalogue translates."""
    for key, value in _toml(path).items():
        if isinstance(value, str):
            yield path.name, key


def read_markdown(path: Path) -> Iterator[tuple[str, str]]:
    """Yield paragraphs, list items, headings and table cells; no code blocks, comments or addresses."""
    block: list[str] = []
    start, fenced, hidden = 0, False, False

    def flush() -> Iterator[tuple[str, str]]:
        if block:
            yield f"{path.name}:{start}", " ".join(block)
        block.clear()

    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        bare = line.strip()
        if bare.startswith("```"):
            yield from flush()
            fenced = not fenced
            continue
        if fenced:
            continue
        if "<!--" in bare:
            hidden = "-->" not in bare
            continue
        if hidden:
            hidden = "-->" not in bare
            continue
        if bare.startswith("|"):
            yield from flush()
            for cell in bare.strip("|").split("|"):
                if cell.strip(" :-"):
                    yield f"{path.name}:{number}", cell.strip()
            continue
        if not bare or bare.startswith("#") or re.match(r"([-*+]|\d+\.)\s", bare):
            yield from flush()
            bare = re.sub(r"^(#+|[-*+]|\d+\.)\s+", "", bare)
        if bare:
            if not block:
                start = number
            block.append(bare)
            if line.lstrip().startswith("#"):
                yield from flush()
    yield from flush()


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def read_docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the docstrings of modules, classes and functions, and the strings below assignments."""
    tree = _parsed(path)
    for node in ast.walk(tree):
        for statement in getattr(node, "body", ()) if not isinstance(node, (ast.Lambda, ast.IfExp)) else ():
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, str)
            ):
                for number, text in _docstring_parts(statement.value.value):
                    yield f"{path.name}:{statement.lineno + number}", text


def _docstring_parts(docstring: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a docstring, and each entry under Args, Attributes, Returns or Raises by itself."""
    part: list[str] = []
    start = 0
    for number, line in enumerate([*docstring.splitlines(), ""]):
        entry = re.match(r"\s+\*{0,2}\w+(?: \([^)]*\))?: (.*)", line)
        head = re.fullmatch(r"\s*(Args|Attributes|Returns|Raises|Yields|Note|Example):", line)
        if part and (entry or head or not line.strip()):
            yield start, " ".join(part)
            part = []
        text = entry[1] if entry else "" if head else line.strip()
        if text:
            if not part:
                start = number
            part.append(text)


def read_comments(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the comments; lines that follow one another are one text."""
    run: list[str] = []
    start = last = 0
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type != tokenize.COMMENT:
            continue
        words = token.string.lstrip("#!: ").strip(" -")
        if not words or re.match(r"(type:|noqa|pragma|ruff|mypy|fmt:)", words):
            continue
        alone = not token.line[: token.start[1]].strip()
        if run and alone and token.start[0] == last + 1:
            run.append(words)
        else:
            if run:
                yield f"{path.name}:{start}", " ".join(run)
            run, start = [words], token.start[0]
        last = token.start[0]
    if run:
        yield f"{path.name}:{start}", " ".join(run)


def read_names(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield every definition of a name: (place, name, kind, annotation). Locals count once a function."""
    tree = _parsed(path)

    def visit(node: ast.AST, inside: str) -> Iterator[tuple[str, str, str, str]]:
        stored: set[str] = set()
        stack = list(ast.iter_child_nodes(node))
        nested: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = []
        while stack:
            each = stack.pop()
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                nested.append(each)
                continue
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                kind = "field" if inside == "class" else "variable"
                yield f"{path.name}:{each.lineno}", each.target.id, kind, ast.unparse(each.annotation)
                stored.add(each.target.id)
            elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id not in stored:
                stored.add(each.id)
                yield f"{path.name}:{each.lineno}", each.id, "field" if inside == "class" else "variable", ""
            stack.extend(ast.iter_child_nodes(each))
        for each in nested:
            place = f"{path.name}:{each.lineno}"
            if isinstance(each, ast.ClassDef):
                yield place, each.name, "class", ""
                yield from visit(each, "class")
                continue
            returns = ast.unparse(each.returns) if each.returns else ""
            decorators = " ".join(ast.unparse(one) for one in each.decorator_list)
            kind = "property" if re.search(r"property", decorators) else "method" if inside == "class" else "function"
            yield place, each.name, kind, returns
            arguments = each.args
            for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
                if argument.arg not in ("self", "cls"):
                    note = ast.unparse(argument.annotation) if argument.annotation else ""
                    yield place, argument.arg, "parameter", note
            yield from visit(each, "function")

    yield from visit(tree, "module")


READERS = {
    "toml-values": read_toml_values,
    "toml-prose": read_toml_prose,
    "toml-keys": read_toml_keys,
    "markdown": read_markdown,
    "docstrings": read_docstrings,
    "comments": read_comments,
}


# From a text to sentences.

_CODE = re.compile(r"``[^`]+``|`[^`]+`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_FIELD = re.compile(r"\{[^{}]*\}")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|cf|St|Dr|Mr|No|approx)\.", re.I)


def tidy(text: str) -> str:
    """Take out code, addresses, emphasis and placeholders, which are not English words."""
    text = _LINK.sub(r"\1", text)
    text = _CODE.sub("X", text)
    text = _FIELD.sub("X", text.replace("{{", "(").replace("}}", ")"))
    text = re.sub(r"https?://\S+", "X", text)
    text = re.sub(r"(?<!\w)--?[a-z][\w-]*(=\S+)?", "X", text)
    text = re.sub(r"[\w./-]+\.(?:py|toml|json|md|pdf|txt|csv|html|svg|png)\b", "X", text)
    text = _ABBREVIATION.sub(lambda match: match[0].replace(".", ""), text)
    text = text.replace("’", "'").replace("**", "").replace("*", "")
    return re.sub(r"\s+", " ", text).strip()


def sentences(text: str) -> Iterator[str]:
    """Split a tidy text where a sentence ends."""
    for part in re.split(r"(?<=[.!?])[\"')]*\s+(?=[\"'(]*[A-Z0-9])|\s*\n+\s*", text):
        if part.strip():
            yield part.strip()


def word_count(sentence: str) -> int:
    """Return the number of words; X, the mark of a placeholder, is a word."""
    return len(re.findall(r"[A-Za-z0-9][\w'’/-]*", sentence))


# Rules.


class Rules:
    """The rules of plain.toml, compiled."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self.data = tomllib.load(file)
        self.areas: list[dict[str, Any]] = self.data["area"]
        for area in self.areas:
            if area["read"] in ("docstrings", "comments", "names"):
                area["without"] = [*area.get("without", ()), *self.data["leave_out"]]
        self.longest = int(self.data["length"]["words"])
        self.relatives = int(self.data["length"]["relatives"])
        self.sentence_rules = []
        for rule in self.data["rule"]:
            pattern = rule.get("match") or r"\b(?:" + "|".join(rule["words"]) + r")\b"
            unless = rule.get("unless")
            self.sentence_rules.append(
                (
                    rule["id"],
                    rule["kind"],
                    re.compile(pattern, 0 if rule.get("case") else re.I),
                    re.compile(unless, re.I) if unless else None,
                    rule["say"],
                    set(rule.get("areas", ())),
                    set(rule.get("not_areas", ())),
                    rule.get("hint", ""),
                )
            )
        self.name_rules = [
            (
                rule["id"],
                re.compile(rule["match"]),
                set(rule["kinds"]),
                re.compile(rule.get("unless", r"(?!)")),
                re.compile(rule.get("unless_type", r"(?!)")),
                rule["say"],
            )
            for rule in self.data["name"]
        ]

    def check_sentence(self, area: str, place: str, sentence: str) -> Iterator[Hit]:
        """Yield the hits of one sentence."""
        lower = sentence.lower()
        for ident, kind, pattern, unless, say, only, never, hint in self.sentence_rules:
            if hint not in lower or (only and area not in only) or area in never:
                continue
            for match in pattern.finditer(sentence):
                if unless:
                    around = sentence[max(0, match.start() - 40) : match.end() + 40]
                    if unless.search(around):
                        continue
                yield Hit(area, ident, kind, place, sentence, match[0], say)
        count = word_count(sentence)
        if count > self.longest:
            yield Hit(area, "long", "length", place, sentence, f"{count} words", f"at most {self.longest} words")
        chain = re.findall(
            r"\b(?:which|who|whom|whose|wherever|whoever|so that)\b|(?<=[\w,] )(?:that|what|where|as far as)\b(?! is,)",
            sentence,
            re.I,
        )
        if len(chain) >= self.relatives:
            yield Hit(
                area, "clause-chain", "structure", place, sentence, " … ".join(chain), "one clause a sentence: split it"
            )

    def check_name(self, name: Name) -> Iterator[Hit]:
        """Yield the hits of one definition."""
        for ident, pattern, kinds, unless, unless_type, say in self.name_rules:
            if name.kind in kinds and pattern.fullmatch(name.name) and not unless.fullmatch(name.name):
                if unless_type.search(name.annotation):
                    continue
                note = f"{name.kind} {name.name}" + (f": {name.annotation}" if name.annotation else "")
                yield Hit(name.area, ident, "name", name.place, note, name.name, say)
                return


# Scanning.


def files_of(root: Path, area: dict[str, Any]) -> list[Path]:
    """Return the files of an area, in order, without those that are left out."""
    found = {path for glob in area["files"] for path in root.glob(glob) if path.is_file()}
    left_out = {path for glob in area.get("without", ()) for path in root.glob(glob)}
    return sorted(found - left_out)


def commit_subjects(root: Path, count: int) -> list[tuple[str, str]]:
    """Return the latest commit subjects, newest first; none where git or its history is missing."""
    try:
        lines = subprocess.run(
            ["git", "-C", str(root), "log", f"-{count}", "--format=%h%x09%s"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        return []
    return [(line.split("\t")[0], line.split("\t")[1]) for line in lines if "\t" in line]


def scan(root: Path, rules: Rules, wanted: set[str]) -> tuple[dict[str, int], dict[str, int], list[Hit]]:
    """Return sentences (or definitions) and words of each area, and all hits."""
    units: dict[str, int] = defaultdict(int)
    words: dict[str, int] = defaultdict(int)
    hits: list[Hit] = []
    for area in rules.areas:
        name = str(area["name"])
        if wanted and name not in wanted:
            continue
        units[name] += 0
        seen: set[str] = set()
        if area["read"] == "names":
            for path in files_of(root, area):
                folder = path.parent.name
                for place, ident, kind, note in read_names(path):
                    units[name] += 1
                    hits.extend(rules.check_name(Name(name, f"{folder}/{place}", ident, kind, note)))
            continue
        if area["read"] == "git-subjects":
            texts: Iterator[tuple[str, str]] = iter(commit_subjects(root, int(area.get("count", 200))))
        else:
            reader = READERS[str(area["read"])]
            texts = (
                (f"{path.parent.name}/{place}", text) for path in files_of(root, area) for place, text in reader(path)
            )
        for place, text in texts:
            if text in seen:
                continue
            seen.add(text)
            for sentence in sentences(tidy(text)):
                count = word_count(sentence)
                words[name] += count
                if count >= SENTENCE_WORDS:
                    units[name] += 1
                hits.extend(rules.check_sentence(name, place, sentence))
    return units, words, hits


# Reporting.


def rate(count: int, units: int) -> float:
    """Return the hits per 1,000 sentences or definitions."""
    return 1000 * count / units if units else 0.0


def report(units: dict[str, int], words: dict[str, int], hits: list[Hit], worst: int) -> None:
    """Print the table of areas, the commonest rules and the worst sentences."""
    kinds = ["dialect", "term", "gender", "structure", "length", "name"]
    by_area: dict[str, Counter[str]] = defaultdict(Counter)
    touched: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        by_area[hit.area][hit.kind] += 1
        touched[hit.area].add(hit.place + hit.sentence)
    print(
        f"{'area':12}{'units':>8}{'hits':>7}{'per 1,000':>11}{'touched':>9}  "
        + "".join(f"{kind:>11}" for kind in kinds)
    )
    for area in units:
        count = sum(by_area[area].values())
        share = f"{100 * len(touched[area]) / units[area]:.0f} %" if units[area] else "-"
        row = "".join(f"{by_area[area][kind]:>11}" for kind in kinds)
        print(f"{area:12}{units[area]:>8}{count:>7}{rate(count, units[area]):>11.1f}{share:>9}  {row}")
    prose = [area for area in units if words[area]]
    total = sum(units[area] for area in prose)
    count = sum(1 for hit in hits if hit.area in prose)
    print(f"{'all prose':12}{total:>8}{count:>7}{rate(count, total):>11.1f}")
    print("\ncommonest:")
    common = Counter((hit.rule, hit.advice) for hit in hits)
    for (rule, advice), number in common.most_common(25):
        print(f"{number:>7}  {rule:18} {advice}")
    if worst:
        print("\nworst:")
        heap: dict[tuple[str, str, str], list[Hit]] = defaultdict(list)
        for hit in hits:
            if hit.kind != "name":
                heap[hit.area, hit.place, hit.sentence].append(hit)
        for (area, place, sentence), found in sorted(heap.items(), key=lambda item: (-len(item[1]), item[0]))[:worst]:
            print(f"  {area} {place} ({', '.join(hit.match for hit in found)})\n      {sentence[:300]}")


def hits_per_thousand(checkout: Path = ROOT, areas: Iterable[str] = ()) -> dict[str, float]:
    """Return the hits per 1,000 sentences, or definitions, of each area; of all areas if none is named.

    Raises:
        ValueError: an area has nothing to scan, so its files in ``plain.toml`` are wrong.
    """
    units, _, hits = scan(checkout, Rules(RULES), set(areas))
    counts = Counter(hit.area for hit in hits)
    if empty := [area for area, count in units.items() if not count]:
        raise ValueError(f"nothing to scan in {', '.join(empty)}; correct the files of the area in {RULES.name}")
    return {area: rate(counts[area], count) for area, count in units.items()}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", nargs="?", type=Path, default=ROOT, help="the checkout to scan")
    parser.add_argument("--area", default="", help="areas to scan, comma-separated")
    parser.add_argument("--limits", action="store_true", help="exit 1 if an area exceeds its limit in plain.toml")
    parser.add_argument("--worst", type=int, default=10, help="how many of the worst sentences to print")
    parser.add_argument("--explain", metavar="ID", help="print every hit of one rule")
    parser.add_argument("--sample", type=int, help="print this many random hits")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--text", help="check one text")
    arguments = parser.parse_args()
    rules = Rules(RULES)
    if arguments.text is not None:
        parts = sentences(tidy(arguments.text))
        hits = [hit for part in parts for hit in rules.check_sentence(arguments.area or "docs", "", part)]
        for hit in hits:
            print(f"{hit.rule}: {hit.match!r}: {hit.advice}")
        return 1 if hits else 0
    wanted = {part for part in arguments.area.split(",") if part}
    if unknown := wanted - {area["name"] for area in rules.areas}:
        parser.error(f"no area {', '.join(sorted(unknown))}; use {', '.join(area['name'] for area in rules.areas)}")
    units, words, hits = scan(arguments.checkout, rules, wanted)
    if arguments.explain:
        for hit in hits:
            if hit.rule == arguments.explain:
                print(f"{hit.area} {hit.place} [{hit.match}] {hit.sentence[:220]}")
        return 0
    if arguments.sample:
        for hit in random.Random(arguments.seed).sample(hits, min(arguments.sample, len(hits))):
            print(f"{hit.area} | {hit.rule} | {hit.match} | {hit.place} | {hit.sentence[:260]}")
        return 0
    report(units, words, hits, arguments.worst)
    counts = Counter(hit.area for hit in hits)
    goals = {area["name"]: area["limit"] for area in rules.areas if area["name"] in units}
    above = [(area, found, goals[area]) for area in units if (found := rate(counts[area], units[area])) > goals[area]]
    for area, found, goal in above:
        print(f"{area}: {found:.1f} hits per 1,000, more than {goal:g}", file=sys.stderr)
    return 1 if above and arguments.limits else 0


if __name__ == "__main__":
    sys.exit(main())
