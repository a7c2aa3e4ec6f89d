"""The pages of the site: those of docs/ as they stand, and beside them the gallery and a page a rule system."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

from pictures import SEEDS, STYLES
from reference import COMMAND_PAGE, OPTION_PAGE, command_page, option_page

from printkit.core.words import find
from printkit.kit import registry
from printkit.kit.book import RuleBook
from printkit.recipes.game.book_lines import setting_range

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import clauses_doc

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
BESIDE: Final = {"README.md": "overview.md", "docs/jobs/index.md": "index.md"} | {
    name: name for name in ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "THIRD-PARTY.md")
}
"""Pages of the repository that stand elsewhere in the site: their path there, by that here."""

MADE: Final = ("gallery.md", "clauses.md", COMMAND_PAGE, OPTION_PAGE, *(f"rules/{name}.md" for name in registry.NAMES))
"""Pages that are made for the site."""

STYLE: Final = """[data-md-color-scheme=default]{--md-default-bg-color:#FBF7EB;--md-typeset-a-color:#1F4E7A}
body{font-family:"EB Garamond",Garamond,Georgia,serif}
.md-typeset{font-size:.85rem}
.md-typeset a{text-decoration:underline}
.md-typeset img{border:1px solid #B9AC8C;max-width:100%;height:auto}
.md-typeset table:not([class]){font-size:.75rem}
.md-typeset code{background:#F1EAD3;color:#2B2620}
.md-tabs__link{opacity:1}
"""

SCRIPT: Final = """// What the theme leaves without a name, or without a way to it by keyboard; some of it comes late.
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
_STYLES: Final = {"campaign": "Hand-washed", "ink-saver": "Little ink", "high-contrast": "Strong colours"}


def sources() -> dict[str, str]:
    """Return the path in the site of every page of the repository that it has, by its path here."""
    found = {path.relative_to(ROOT).as_posix(): path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    return {**found, **BESIDE}


def staged(out: Path) -> None:
    """Write all pages into a folder, in which the pictures lie already."""
    known = sources()
    for source, target in known.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        _write(out / target, linked(pictured(text, target), source, target, known))
    shutil.copytree(DOCS / "gallery", out / "gallery", dirs_exist_ok=True)
    _write(out / "gallery.md", gallery())
    _write(out / "clauses.md", clauses_doc.page(clauses_doc.books(), clauses_doc.marks()))
    _write(out / COMMAND_PAGE, command_page())
    _write(out / OPTION_PAGE, option_page())
    for name in registry.NAMES:
        _write(out / "rules" / f"{name}.md", system_page(registry.find(name).book, name))
    _write(out / "site.css", STYLE)
    _write(out / "site.js", SCRIPT)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def pictured(text: str, target: str) -> str:
    """Return a page with its pictures in the place of the remarks that name them."""
    up = "../" * target.count("/")
    return _PICTURE.sub(lambda found: f"![{found[2]}]({up}pictures/{found[1]}.png)", text)


def linked(text: str, source: str, target: str, known: dict[str, str]) -> str:
    """Return a page whose links lead to pages of the site; what leads to other files of ours becomes plain text."""

    def led(found: re.Match[str]) -> str:
        mark, said, address = found.groups()
        if "://" in address or address.startswith(("#", "mailto:")):
            return found[0]
        place, _, anchor = address.partition("#")
        if mark and place.startswith(("pictures/", "../pictures/")):
            return found[0]
        asked = normpath((PurePosixPath(source).parent / place).as_posix())
        there = known.get(asked) or (asked.removeprefix("docs/") if asked.startswith("docs/gallery/") else None)
        if there is None:
            return said
        way = relpath(there, PurePosixPath(target).parent.as_posix())
        return f"{mark}[{said}]({way}{'#' + anchor if anchor else ''})"

    return _LINK.sub(led, text)


def gallery() -> str:
    """Return the page with a board of each rule system in each style."""
    lines = ["# Gallery", "", "Every picture was made by the program when this site was built."]
    for name in registry.NAMES:
        lines += [
            "",
            f"## {registry.find(name).book.title_in(find('en'))}",
            "",
            f"`printkit map --rules {name} --seed {SEEDS[name]}`",
        ]
        for style in STYLES:
            lines += ["", f"![{_STYLES[style]}: {name}](pictures/{name}-{style}.png)"]
    return "\n".join(lines) + "\n"


def system_page(book: RuleBook, name: str) -> str:
    """Return the page of a rule system: what it is, how it looks, and every setting with what it may be."""
    words = find("en")
    lines = [
        f"# {book.title_in(words)}",
        "",
        f"*{book.source_in(words)}*",
        "",
        f"![A field of {book.title_in(words)}](../pictures/{name}-campaign.png)",
        "",
        f"`printkit map --rules {name} --seed {SEEDS[name]}` made it. `--set NAME=VALUE` settles what is left open:",
        "",
        "| setting | values, the usual one first | what it settles | clause |",
        "| --- | --- | --- | --- |",
        *_settings(book),
        "",
        f"`printkit rules {name}` lists them too; `--show tables` and `--show clauses` have the rest.",
    ]
    return "\n".join(lines) + "\n"


def _settings(book: RuleBook) -> Iterator[str]:
    words = find("en")
    for setting in book.settings:
        like = words.say(setting_range(setting)) if setting.open else book.setting_like(setting, words)
        values = " \\| ".join(filter(None, (*(f"`{value}`" for value in setting.values), like)))
        yield f"| `{setting.name}` | {values} | {book.setting_title(setting, words)} | {setting.clause} |"
