"""Programs that the studio runs: commands of printkit, and the file manager."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from printkit.core.errors import UsageError

# Time limit in seconds of a command that reads text from the user.
_SECONDS: Final = 30.0


def own_command(*words: str) -> list[str]:
    """Return a command line that starts printkit with this Python or, if frozen, with this program.

    ``words`` are the arguments of printkit.
    """
    # A frozen program has no Python that could run a module.
    # -P: otherwise Python would import a file of the current folder that has the name of a library.
    options = [] if getattr(sys, "frozen", False) else ["-X", "utf8", "-P", "-m", "printkit"]
    return [sys.executable, *options, *words]


def run_own(*words: str, seconds: float | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run a printkit command that reads text from the user, and return the completed process.

    ``seconds`` is its time limit, None for that of a short command.

    Raises:
        UsageError: it took too long and was stopped.
    """
    command = own_command(*words)
    seconds = seconds or _SECONDS
    try:
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise UsageError(
            "reading this took more than {seconds:g} seconds and was stopped; send something shorter", seconds=seconds
        ) from None


def read_own(*words: str, seconds: float | None = None) -> str:
    """Run a printkit command as ``run_own`` does, and return its standard output.

    Raises:
        UsageError: the command failed, with its last error line; or it took too long.
    """
    process = run_own(*words, seconds=seconds)
    if process.returncode:
        last = process.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise UsageError("{told}", told=last[-1].removeprefix("printkit: "))
    return process.stdout.decode("utf-8", "replace")


def open_folder(folder: Path) -> None:
    """Show a folder in the file manager of this computer.

    Raises:
        UsageError: no program shows folders.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            os.startfile(folder)
        else:
            opener = "open" if sys.platform == "darwin" else "xdg-open"
            quiet = subprocess.DEVNULL
            subprocess.Popen([opener, str(folder)], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    except OSError:
        raise UsageError("the folder could not be opened; the files are in {folder}", folder=folder) from None
