"""Asks a studio for new fields and the command line for the same, in turn; prints seconds as JSON.

python -m benchmarks.children.studio OUT fields RULES SEED ...
python -m benchmarks.children.studio OUT verdicts RULES SEED ...
python -m benchmarks.children.studio OUT meanwhile RULES SEED
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

_OWN = {"Sec-Fetch-Site": "same-origin"}
_WARM = 1
_PAUSE = 0.01
_PYTHON = (sys.executable, "-X", "utf8", "-m", "printkit")


class Browser:
    """What a browser asks for when a person presses a button, without one."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._host = parts.netloc
        self._key = {"Cookie": f"printkit-{parts.port}={parts.query.removeprefix('key=')}"}

    def ask(self, method: str, path: str, **sent: str) -> tuple[int, str, bytes]:
        """Return status, place and body of an answer."""
        line = HTTPConnection(self._host, timeout=120)
        form = {"Content-Type": "application/x-www-form-urlencoded"} if sent else {}
        line.request(method, path, urlencode(sent) or None, {**_OWN, **self._key, **form, "Accept-Encoding": "gzip"})
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, answer.headers.get("Location", ""), body

    def new(self, rules: str, seed: int) -> str:
        """Have a field made, its page and its drawing sent, and return its address."""
        _, place, _ = self.ask("POST", "/field", rules=rules, seed=str(seed))
        self.ask("GET", place)
        status, _, drawing = self.ask("GET", f"{place.partition('?')[0]}.svg?style=campaign&lang=en")
        if status != 200 or not drawing:
            raise SystemExit(f"no drawing of {rules}, seed {seed}: {status}")
        return place

    def let_go(self, field: str, moved: str) -> None:
        """Move a feature by a millimetre, and have the page with the verdicts sent."""
        status, place, _ = self.ask("POST", f"{field}/gesture", id=moved, do="move", right="1.0", farther="0.0")
        if status != 303:
            raise SystemExit(f"{moved} of {field} was not moved: {status}")
        self.ask("GET", place)


@contextmanager
def studio(out: str) -> Iterator[Browser]:
    """Yield a browser at a studio in a process of its own."""
    command = (*_PYTHON, "studio", "--lang", "en", "--out", out)
    closed = {**os.environ, "BROWSER": "none"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=closed) as process:
        assert process.stderr is not None
        try:
            yield Browser(process.stderr.readline().split()[-1])
        finally:
            process.terminate()


def timed(work: Callable[[], object]) -> float:
    """Return the seconds on the clock that something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def fields(out: str, rules: str, seeds: list[int]) -> list[tuple[float, float]]:
    """Return for each seed the seconds of the studio and those of a command of its own, one after the other."""

    with studio(out) as browser:
        for seed in range(9000, 9000 + _WARM):
            browser.new(rules, seed)
        return [
            (timed(partial(browser.new, rules, seed)), timed(partial(_command, out, rules, seed))) for seed in seeds
        ]


def verdicts(out: str, rules: str, seeds: list[int]) -> list[tuple[float, float]]:
    """Return for each seed the seconds from a feature let go to its verdicts, and those of a command for the field."""
    found = []
    with studio(out) as browser:
        for seed in seeds:
            field = browser.new(rules, seed).partition("?")[0]
            page = gzip.decompress(browser.ask("GET", f"{field}/hand")[2])
            moved, *_ = re.findall(r'class="hit grab" data-f="([^"]+)"', page.decode())
            found.append((timed(partial(browser.let_go, field, moved)), timed(partial(_command, out, rules, seed))))
    return found


def _command(out: str, rules: str, seed: int) -> None:
    options = ("map", "--rules", rules, "--seed", str(seed), "--scale", "fit", "--to", "svg")
    subprocess.run((*_PYTHON, *options, "--lang", "en", "--quiet", "--out", f"{out}/{rules}-{seed}"), check=True)


def meanwhile(out: str, rules: str, seed: int) -> list[float]:
    """Return the seconds after which a small file is sent again and again while a field is drawn and printed."""
    with studio(out) as browser:
        place = browser.new("brantley", 9000)
        _, place, _ = browser.ask("POST", "/field", rules=rules, seed=str(seed))
        field = place.partition("?")[0]
        _, job, _ = browser.ask("POST", f"{field}/job", kind="map")
        found, page = [], b""
        while b'id="bar"' in page or not page:
            for _ in range(20):
                found.append(timed(lambda: browser.ask("GET", "/static/icon.svg")))
                time.sleep(_PAUSE)
            page = gzip.decompress(browser.ask("GET", job)[2])
        return found


def main() -> int:
    """Measure, and print what was measured."""
    out, what, rules, *seeds = sys.argv[1:]
    numbers = [int(seed) for seed in seeds]
    asked = {"fields": fields, "verdicts": verdicts}
    found = asked[what](out, rules, numbers) if what in asked else meanwhile(out, rules, numbers[0])
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
