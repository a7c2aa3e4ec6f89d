"""Everything that the studio holds while it runs: the sitting, the drawings, and threads that do its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from printkit.api import Field
from printkit.core.words import IN_ENGLISH, Words, find
from printkit.kit import registry
from printkit.kit.check import Judgement, judge_record
from printkit.recipes.game.options import options_of
from printkit.studio.forms import asked_of, made_of
from printkit.studio.jobs import Jobs
from printkit.studio.pictures import BoardLook, BoardPictures
from printkit.studio.sitting import Change, KeptField, Sitting
from printkit.studio.tokens import fresh_seed

T = TypeVar("T")

STYLE: Final = "campaign"

_FIRST: Final = {"rules": "brantley"}
"""What is shown to somebody who has made nothing yet."""


_KNOWN: Final = 24
"""Fields of which it is kept how they were judged, and what their throws could have been."""


class Settings(Struct, frozen=True, kw_only=True):
    """How the studio was started.

    Attributes:
        out: the folder of what is printed.
        lang: the language of a browser that has chosen none.
        printers: the folder of printer profiles.
        port: on which it listens.
        hosts: the names and addresses by which it may be called.
        token: what opens it to other machines; empty where it listens to its own alone.
        lan: the address for other machines in the same network; empty where there is none.
    """

    out: Path
    lang: str = "en"
    printers: Path = Path()
    port: int = 0
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    token: str = ""
    lan: str = ""


class Desk:
    """The studio of one output folder.

    What takes long is done by threads, one each for thinking, for drawing and for waiting for commands, so that pages
    answer meanwhile.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.sitting = Sitting(settings.out)
        self.pictures = BoardPictures(self.sitting)
        self.jobs = Jobs(settings.out)
        self._judged: dict[str, Judgement] = {}
        self._options: dict[str, Mapping[int, tuple[str, ...]]] = {}
        self._mind = ThreadPoolExecutor(1, thread_name_prefix="thinking")
        self._commands = ThreadPoolExecutor(1, thread_name_prefix="commands")

    def think(self, work: Callable[..., T], *given: Any) -> Future[T]:
        """Return what a function returns, called after all that were given before it."""
        return self._mind.submit(work, *given)

    def run(self, work: Callable[..., T], *given: Any) -> Future[T]:
        """Return what a function returns that waits for a command, called after all that were given before it."""
        return self._commands.submit(work, *given)

    def draw(self, work: Callable[..., T], *given: Any) -> Future[T]:
        """Return what a function returns that draws, called after all drawings that were wanted before."""
        return self.pictures.after(work, *given)

    def words(self, lang: str) -> Words:
        """Return the words of a page."""
        return find(lang or self.settings.lang)

    def first(self, lang: str) -> KeptField:
        """Return the field that came last; one that is made now where there is none, so that a page shows a map."""
        return self.sitting.last or self.sitting.keep(made_of(asked_of(_FIRST), fresh_seed(), lang))

    def new(self, sent: dict[str, str], lang: str) -> KeptField:
        """Return a new field as a form asks for it.

        Raises:
            PrintkitError: something asked for cannot be.
        """
        return self.keep(made_of(asked_of(sent), fresh_seed(), lang), sent.get("style") or STYLE, lang)

    def options(self, field: str) -> Mapping[int, tuple[str, ...]]:
        """Return what the choices and cards of a field could have been, by the numbers of its throws."""
        made = self.sitting.field(field)
        return _once(self._options, field, lambda: options_of(registry.find(made.rules), made.record, IN_ENGLISH))

    def judged(self, field: str) -> Judgement:
        """Return the judgement on a field; it is not written and read again for that, for it is as it will be read."""
        made = self.sitting.field(field)
        return _once(self._judged, field, lambda: judge_record(registry.find(made.rules), made.record))

    def keep(self, made: Field, style: str, lang: str, *, parent: str = "", change: Change | None = None) -> KeptField:
        """Keep a field, and begin to draw it."""
        kept = self.sitting.keep(made, parent=parent, change=change)
        self.pictures.wanted(BoardLook(field=kept.id, style=style, lang=lang))
        return kept

    def close(self) -> None:
        """Do nothing more."""
        self.jobs.close()
        self.pictures.close()
        for threads in (self._mind, self._commands):
            threads.shutdown(wait=False, cancel_futures=True)


def _once(kept: dict[str, T], field: str, make: Callable[[], T]) -> T:
    """Return what is kept of a field, which never changes; it is made now where it is not."""
    if field not in kept:
        kept[field] = make()
        while len(kept) > _KNOWN:
            del kept[next(iter(kept))]
    return kept[field]
