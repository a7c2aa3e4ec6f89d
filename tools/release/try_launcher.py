"""Try the window of a built program: whether it starts the studio once, opens the browser, and ends the studio.

The folder is copied to a path with a space and letters outside ASCII. The window needs a display.

    python tools/release/try_launcher.py dist/app
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

# The window, by system, in the folder that tools/release/app.py writes.
WINDOWS: Final = {
    "linux": "printkit/printkit-studio",
    "win32": "printkit/Printkit Studio.exe",
    "darwin": "Printkit Studio.app/Contents/MacOS/Printkit Studio",
}

# Seconds after which a step has failed; a runner may need many for the first start.
LIMIT: Final = 120

# Stands for the browser: it adds the address to a file.
BROWSER: Final = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')"


class FailedStepError(Exception):
    """A step that did not work."""


def wait_until(reached: Callable[[], object], step: str) -> float:
    """Wait until a condition holds, print the step and return its seconds."""
    start = time.monotonic()
    while not reached():
        if time.monotonic() - start > LIMIT:
            raise FailedStepError(f"not within {LIMIT} s: {step}")
        time.sleep(0.05)
    seconds = time.monotonic() - start
    print(f"ok {seconds:5.1f} s  {step}", flush=True)
    return seconds


def answers(browser: OpenerDirector, address: str) -> bool:
    """Return whether the start page of a studio answers."""
    try:
        with browser.open(address, timeout=LIMIT) as page:
            return page.status == 200 and b"printkit" in page.read()
    except (URLError, ConnectionError):
        return False


def try_window(window: Path, work: Path) -> None:
    """Start, start again, kill, and start once more.

    Raises:
        FailedStepError: a step did not work.
    """
    opened, script = work / "opened.txt", work / "browser.py"
    opened.touch()
    script.write_text(BROWSER, "utf-8")
    environment = {
        **os.environ,
        "HOME": str(work),
        "BROWSER": f'"{Path(sys.executable).as_posix()}" "{script.as_posix()}" "{opened.as_posix()}" %s',
    }

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([str(window)], env=environment, stdin=subprocess.DEVNULL)

    def addresses() -> list[str]:
        return opened.read_text("utf-8").split()

    for is_first in (True, False):
        before, window_process = len(addresses()), start()
        try:
            wait_until(lambda before=before: len(addresses()) > before, "the browser opens")
            address = addresses()[-1]
            browser = build_opener(HTTPCookieProcessor(CookieJar()))
            wait_until(lambda browser=browser, address=address: answers(browser, address), f"{address} answers")
            if is_first:
                second = start()
                wait_until(lambda second=second: second.poll() is not None, "a second start ends by itself")
                wait_until(lambda: len(addresses()) == 2, "it has opened the browser")
                if second.returncode or addresses()[1].split("?")[0] != address.split("?")[0]:
                    raise FailedStepError(f"the second start: status {second.returncode}, {addresses()}")
        finally:
            window_process.kill()
            window_process.wait()
        wait_until(lambda browser=browser, address=address: not answers(browser, address), "a killed window ends it")


def main(arguments: Sequence[str]) -> int:
    """Try the window; return 1 if a step fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder of tools/release/app.py")
    folder = parser.parse_args(arguments).folder
    with tempfile.TemporaryDirectory(prefix="Año nuevo ", ignore_cleanup_errors=True) as name:
        shutil.copytree(folder, Path(name, "app"), symlinks=True)
        try:
            try_window(Path(name, "app", WINDOWS[sys.platform]), Path(name))
        except FailedStepError as failure:
            print(f"FAILED  {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
