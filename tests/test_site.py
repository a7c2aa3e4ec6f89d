"""The site: the navigation has each page once, and each link, picture and redirect has a target."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from posixpath import normpath
from threading import Thread

import pytest
from browser import chromium

from printkit.cli.app import all_commands
from printkit.cli.schema import FORMATS, json_schema
from printkit.options.table import command_rows

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "dist" / "site"
sys.path.insert(0, str(ROOT / "tools" / "site"))

import pages  # noqa: E402
import pictures  # noqa: E402


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    pages.write_pages(folder)
    return folder


def test_the_reference_has_a_row_for_every_option_of_every_command(built: Path) -> None:
    sections = (built / "reference/commands.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert {each.splitlines()[0] for each in sections} == {name for name, each in all_commands().items() if each.call}
    listed = (built / "reference/options.md").read_text(encoding="utf-8")
    for section in sections:
        for row in command_rows(all_commands()[section.splitlines()[0]]):
            assert f"| `{row.flag}" in section
            assert row.option.argument or f"| `{row.flag}` |" in listed


def navigation() -> list[str]:
    """Return the pages of the navigation."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return re.findall(r"^ +- .+: (\S+\.md)$", text.partition("\nnav:\n")[2], re.MULTILINE)


def test_the_navigation_has_each_page_once_and_each_link_has_a_target(built: Path) -> None:
    assert sorted(navigation()) == sorted({*pages.sources().values(), *pages.MADE})
    there = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    there |= {f"pictures/{name}.png" for name in pictures.NAMES}
    count = 0
    for path in built.rglob("*.md"):
        name = path.relative_to(built)
        for _, said, address in pages._LINK.findall(path.read_text(encoding="utf-8")):
            if "://" in address or address.startswith("#"):
                continue
            count += 1
            place = normpath((name.parent / address.partition("#")[0]).as_posix())
            assert place in there, f"{name}: [{said}]({address})"
    assert count > 120


def test_each_moved_page_leads_to_a_page(built: Path) -> None:
    assert sorted(pages.REDIRECTS) == sorted(set(pages.REDIRECTS) - set(navigation()))
    for old, new in pages.REDIRECTS.items():
        assert new in navigation(), f"{old}: {new}"
        found = re.search(r'href="([^"]+)\.html"', (built / old).with_suffix(".html").read_text(encoding="utf-8"))
        assert found is not None
        assert normpath((Path(old).parent / found[1]).as_posix()) == new.removesuffix(".md")


def test_the_site_has_the_schema_of_each_kind_of_file(built: Path) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in (built / "schemas").iterdir()}
    assert {name: json.loads(text) for name, text in texts.items()} == {
        f"{kind}.schema.json": json.loads(json.dumps(json_schema(kind))) for kind in FORMATS
    }


def test_pages_show_every_picture_that_is_made_and_every_setting(built: Path) -> None:
    shown = set()
    for path in built.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert "<!-- picture" not in text, path
        shown |= set(re.findall(r"\]\((?:\.\./)*pictures/([\w-]+)\.png\)", text))
    assert shown == set(pictures.NAMES)
    from printkit.kit import registry

    for name in registry.NAMES:
        text = (built / "rules" / f"{name}.md").read_text(encoding="utf-8")
        assert all(f"| `{setting.name}` |" in text for setting in registry.find(name).book.settings)


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    if not (SITE / "index.html").is_file():
        pytest.skip("the site is not built: make site")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *given: object) -> None:
            del format, given

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 1024, 360])
def test_everybody_can_use_the_pages_and_they_load_nothing_from_elsewhere(base: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with chromium() as window:
        for name in navigation():
            page = window.new_context(viewport={"width": width, "height": 900}).new_page()
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(base + name.replace(".md", ".html"))
            page.wait_for_load_state("networkidle")
            if name != "clauses.md":
                found = Axe().run(page)
                assert found.violations_count == 0, f"{name}: {found.generate_report()}"
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
            assert all(url.startswith((base, "data:", "blob:")) for url in asked), name
            page.close()
