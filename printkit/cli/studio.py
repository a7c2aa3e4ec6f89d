"""The command that opens the studio in a browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import FOLDER
from printkit.console.parameters import Opt, flag
from printkit.core.errors import UsageError

_NEEDED: Final = ("starlette", "uvicorn", "jinja2", "segno")


class StudioOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit studio``."""

    port: Annotated[
        int | None, Opt("--port", "N", "Where it listens [8024, or the next free port].", least=1, most=65_535)
    ] = None
    lan: Annotated[bool, flag("--lan", "Let tablets and phones of the same network in as well, by a token.")] = False
    no_browser: Annotated[bool, flag("--no-browser", "Say the address, and open no browser.")] = False
    out: Annotated[Path, Opt("--out", "FOLDER", "Where fields and what is printed are kept [output].")] = FOLDER
    lang: options.Language = None


def studio(asked: StudioOptions) -> None:
    """Open the studio, until Ctrl-C."""
    if any(find_spec(name) is None for name in _NEEDED):
        raise UsageError("the studio needs more packages; install it with pip install 'wargame-printkit[studio]'")
    from printkit.studio.desk import Settings
    from printkit.studio.serving import serve

    settings = Settings(
        out=asked.out,
        lang=terminal.words(asked.lang).code,
        printers=terminal.printers(),
        port=asked.port or 0,
    )
    serve(settings, lan=asked.lan, browser=not asked.no_browser, tell=terminal.tell)
