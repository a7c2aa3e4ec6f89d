"""Writes the pages of the site: those of docs/, the gallery, a page for each rule system, and redirects."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

from pictures import SEEDS, STYLES
from reference import COMMAND_PAGE, command_page, fill_tables

from printkit.cli.schema import FORMATS, json_schema
from printkit.console import terminal
from printkit.core.words import find_words
from printkit.kit import registry
from printkit.kit.book import RuleBook
from printkit.kit.shape_rules import ShapeRules, find_shape_rules
from printkit.recipes.game.book_lines import limit_text, setting_range

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import clauses_doc

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
OUTSIDE: Final = {"README.md": "index.md"} | {
    name: name for name in ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "THIRD-PARTY.md")
}
"""Pages outside docs/: the path in the site, by the path in the repository."""

MADE: Final = ("gallery.md", "clauses.md", COMMAND_PAGE, *(f"rules/{name}.md" for name in registry.NAMES))
"""Pages that the program makes for the site."""

REDIRECTS: Final[Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("redirects.toml").read_text(encoding="utf-8")
)
"""The page of the site for each page that has moved."""

REDIRECT: Final = """<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<link rel="canonical" href="{address}">
<title>printkit</title>
<a href="{address}">This page has moved.</a>
"""

STYLE: Final = """[data-md-color-scheme=default]{--md-default-bg-color:#FBF7EB;--md-typeset-a-color:#1F4E7A}
body{font-family:"EB Garamond",Garamond,Georgia,serif}
.md-typeset{font-size:.85rem}
.md-typeset a{text-decoration:underline}
.md-typeset img{border:1px solid #B9AC8C;max-width:100%;height:auto}
.md-typeset table:not([class]){font-size:.75rem}
.md-typeset code{background:#F1EAD3;color:#2B2620}
.md-tabs__link{opacity:1}
"""

SCRIPT: Final = """// Names and keyboard access that the theme lacks. Some elements appear after the page has loaded.
const named = () => {
  for (const each of document.querySelectorAll("[role=dialog]")) each.setAttribute("aria-label", "Search");
  for (const each of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset__table, .md-typeset pre > code"))
    each.tabIndex = 0;
};
named();
new MutationObserver(named).observe(document.body, { childList: true, subtree: true });
"""

_LINK: Final = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_PICTURE: Final = re.compile(r"<!-- picture ([\w-]+): (.+?) -->")
_STYLES: Final = {"campaign": "Campaign style", "ink-saver": "Ink saver", "high-contrast": "High contrast"}


def sources() -> dict[str, str]:
    """Return the path in the site of each page, by its path in the repository."""
    found = {path.relative_to(ROOT).as_posix(): path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    return {**found, **OUTSIDE}


def write_pages(out: Path) -> None:
    """Write all pages, in English, into the folder that already has the pictures."""
    terminal.set_language(["--lang", "en"])
    known = sources()
    for source, target in known.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        _write(out / target, fill_tables(resolve_links(show_pictures(text, target), source, target, known)))
    shutil.copytree(DOCS, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.md"))
    _write(out / "gallery.md", gallery_page())
    _write(out / "clauses.md", clauses_doc.page(clauses_doc.books(), clauses_doc.marks()))
    _write(out / COMMAND_PAGE, command_page())
    for name in registry.NAMES:
        _write(out / "rules" / f"{name}.md", system_page(registry.find(name).book, name))
    for old, new in REDIRECTS.items():
        address = relpath(PurePosixPath(new).with_suffix(".html"), PurePosixPath(old).parent)
        _write((out / old).with_suffix(".html"), REDIRECT.format(address=address))
    for kind in FORMATS:
        _write(out / "schemas" / f"{kind}.schema.json", json.dumps(json_schema(kind), indent=1))
    _write(out / "site.css", STYLE)
    _write(out / "site.js", SCRIPT)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def show_pictures(text: str, target: str) -> str:
    """Return a page with a picture in place of each comment that names one."""
    up = "../" * target.count("/")
    return _PICTURE.sub(lambda found: f"![{found[2]}]({up}pictures/{found[1]}.png)", text)


def resolve_links(text: str, source: str, target: str, known: dict[str, str]) -> str:
    """Return a page with links to pages of the site. Links to other files of the repository become plain text."""

    def resolve(found: re.Match[str]) -> str:
        mark, said, address = found.groups()
        if "://" in address or address.startswith(("#", "mailto:")):
            return found[0]
        place, _, anchor = address.partition("#")
        if mark and place.startswith(("pictures/", "../pictures/")):
            return found[0]
        asked = normpath((PurePosixPath(source).parent / place).as_posix())
        there = known.get(asked) or (asked.removeprefix("docs/") if mark and asked.startswith("docs/") else None)
        if there is None:
            return said
        way = relpath(there, PurePosixPath(target).parent.as_posix())
        return f"{mark}[{said}]({way}{'#' + anchor if anchor else ''})"

    return _LINK.sub(resolve, text)


def gallery_page() -> str:
    """Return the page with a battlefield of each rule system in each style."""
    lines = ["# Gallery", "", "The program made every picture when it built this site."]
    for name in registry.NAMES:
        lines += [
            "",
            f"## {registry.find(name).book.title_in(find_words('en'))}",
            "",
            f"`printkit map --rules {name} --seed {SEEDS[name]}`",
        ]
        for style in STYLES:
            lines += ["", f"![{_STYLES[style]}: {name}](pictures/{name}-{style}.png)"]
    return "\n".join(lines) + "\n"


def system_page(book: RuleBook, name: str) -> str:
    """Return the page of a rule system: its source, a picture, and each setting with its values."""
    words = find_words("en")
    lines = [
        f"# {book.title_in(words)}",
        "",
        f"*{book.source_in(words)}*",
        "",
        f"![A battlefield of {book.title_in(words)}](../pictures/{name}-campaign.png)",
        "",
        f"`printkit map --rules {name} --seed {SEEDS[name]}` prints this map. `--set NAME=VALUE` changes a setting:",
        "",
        "| setting | values, the default first | what it sets | clause |",
        "| --- | --- | --- | --- |",
        *_settings(book),
        "",
        f"`printkit rules {name}` lists the settings; `--show tables`, `checks` or `clauses` lists the rest.",
        *_checks(book, find_shape_rules(registry.find(name))),
    ]
    return "\n".join(lines) + "\n"


def _checks(book: RuleBook, rules: ShapeRules) -> Iterator[str]:
    """Yield the rules of shapes that printkit checks as a section of the page."""
    if not rules:
        return
    yield from ("", "## What printkit checks", "", "Placing uses no tolerance.")
    for heading, group in rules.items():
        yield from ("", f"### {heading}", "", "| rule | limit | clause |", "| --- | --- | --- |")
        yield from (
            f"| {rule.title} | {limit_text(book, rule) if rule.number else ''} | {rule.clause} |" for rule in group
        )


def _settings(book: RuleBook) -> Iterator[str]:
    words = find_words("en")
    for setting in book.settings:
        like = words.translate(setting_range(setting)) if setting.open else book.setting_like(setting, words)
        values = " \\| ".join(filter(None, (*(f"`{value}`" for value in setting.values), like)))
        yield f"| `{setting.name}` | {values} | {book.setting_title(setting, words)} | {setting.clause} |"
