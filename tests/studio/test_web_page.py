"""The page without installation in a real Chromium; a stand-in for its worker asks the Python of the test."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from browser import chromium

from printkit.studio.answering import answered, sheets

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "release"))

pytestmark = pytest.mark.browser

STAND_IN = """
self.onmessage = async ({ data }) => {
  const { id, what, question } = data;
  const reply = await fetch("answer/" + what, { method: "POST", body: JSON.stringify(question) });
  if (what === "pdf") self.postMessage({ id, pdf: new Uint8Array(await reply.arrayBuffer()) });
  else self.postMessage({ id, answer: await reply.json() });
};
self.postMessage({ state: "ready" });
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    import web

    folder = tmp_path_factory.mktemp("web")
    web.written(folder, web.PYODIDE)
    (folder / "worker.js").write_text(STAND_IN, encoding="utf-8")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = folder / (self.path.strip("/") or "index.html")
            kind = "text/html; charset=utf-8" if path.suffix == ".html" else "text/javascript"
            self.send_response(200 if path.is_file() else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            if path.is_file():
                self.wfile.write(path.read_bytes())

        def do_POST(self) -> None:
            question = self.rfile.read(int(self.headers["Content-Length"])).decode()
            data = sheets(question) if self.path.endswith("/pdf") else answered(question).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/octet-stream")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *given: object) -> None:
            del format, given

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("width", [1440, 1024, 360])
def test_a_field_is_made_shown_and_printed(base: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with chromium() as window:
        page = window.new_context(viewport={"width": width, "height": 800}, locale="en").new_page()
        wrong: list[str] = []
        asked: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(base)
        page.wait_for_selector("#map img", timeout=60_000)
        first = page.inner_text("#said")
        page.fill("#c-seed", "7")
        page.select_option("#c-style", "ink-saver")
        page.click("#new")
        page.wait_for_function("() => document.getElementById('said').textContent.includes('(7)')", timeout=60_000)
        assert page.inner_text("#said") != first
        with page.expect_download(timeout=60_000) as download:
            page.click("#pdf")
        assert download.value.suggested_filename == "field-of-mutila-seed7-a4.pdf"
        with page.expect_download() as record:
            page.click("#record")
        assert json.loads(Path(record.value.path()).read_text(encoding="utf-8"))["seed"] == 7
        page.click("[data-lang=es]")
        page.wait_for_selector("text=Campo nuevo", timeout=60_000)
        page.wait_for_function("() => document.documentElement.lang === 'es'")
        page.fill("#c-board", "3")
        page.click("#new")
        page.wait_for_selector("#said.wrong")
        assert "escribe 3in, 3cm" in page.inner_text("#said")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert wrong == []
        assert all(url.startswith((base, "blob:", "data:")) for url in asked)
