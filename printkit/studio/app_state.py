"""The state of the running studio: session, pictures, jobs and worker threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct

from printkit.core.paths import toml_names
from printkit.core.words import IN_ENGLISH, Words, find_words
from printkit.kit import registry
from printkit.studio.jobs import Jobs
from printkit.studio.pictures import BoardLook, BoardPictures
from printkit.studio.preferences import Preferences, change_preferences, save_preferences
from printkit.studio.session import Change, SavedField, Session
from printkit.studio.tokens import fresh_seed

if TYPE_CHECKING:
    from printkit.api import Field
    from printkit.kit.check import Judgement

T = TypeVar("T")

# The form values of the battlefield that an empty session shows.
_FIRST: Final = {"rules": "brantley"}

# The number of battlefields whose judgements and roll options stay in memory.
_KNOWN: Final = 24


class Settings(Struct, frozen=True, kw_only=True):
    """The settings that the studio was started with.

    Attributes:
        out: the folder for printed files.
        key: the key that every browser needs, on this computer too.
        lang: the language for browsers that have not chosen one.
        printers: the folder of printer profiles.
        preferences: how the user prints.
        preferences_file: the file that saves them.
        port: the TCP port.
        hosts: the host names and addresses that requests may use.
        opens_phones: whether phones may connect from the start.
    """

    out: Path
    key: str
    lang: str = "en"
    printers: Path = Path()
    preferences: Preferences = Preferences()
    preferences_file: Path = Path()
    port: int = 0
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    opens_phones: bool = False


class AppState:
    """The state of the studio for one output folder.

    Three threads do the slow work, so that pages stay responsive: one computes, one draws, one waits for commands.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.preferences = settings.preferences
        self.sitting = Session(settings.out)
        self.pictures = BoardPictures(self.sitting)
        self.jobs = Jobs(settings.out)
        self._judged: dict[str, Judgement] = {}
        self._options: dict[str, Mapping[int, tuple[str, ...]]] = {}
        self._is_warm = False
        self._mind = ThreadPoolExecutor(1, thread_name_prefix="thinking")
        self._commands = ThreadPoolExecutor(1, thread_name_prefix="commands")

    def compute(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Call a function in the computing thread, after the calls already queued there; return its future."""
        return self._mind.submit(work, *arguments)

    def run(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Call a function in the command thread, after the calls already queued there; return its future."""
        return self._commands.submit(work, *arguments)

    def draw(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Call a function in the drawing thread, after the calls already queued there; return its future."""
        return self.pictures.run_in_thread(work, *arguments)

    def words(self, lang: str) -> Words:
        """Return the words of a language; an empty code means the language of the studio."""
        return find_words(lang or self.settings.lang)

    def first(self, lang: str) -> SavedField:
        """Return the latest battlefield; an empty session generates one, so that the page shows a map."""
        from printkit.studio.forms import generate_field, parse_form

        return self.sitting.last or self.sitting.keep(generate_field(parse_form(_FIRST), fresh_seed(), lang))

    def new(self, form: dict[str, str], lang: str) -> SavedField:
        """Generate and save the battlefield that a form describes; return its entry.

        Raises:
            PrintkitError: a value of the form is not valid.
        """
        from printkit.studio.forms import generate_field, parse_form

        return self.keep(
            generate_field(parse_form(form), fresh_seed(), lang), form.get("style") or self.preferences.style, lang
        )

    def prefer(self, form: Mapping[str, str]) -> None:
        """Save the preferences of a form.

        Raises:
            PrintkitError: a value is not valid, or the file cannot be written.
        """
        self.preferences = change_preferences(self.preferences, form, toml_names(self.settings.printers))
        save_preferences(self.settings.preferences_file, self.preferences)

    def warm(self) -> None:
        """Load all handlers and draw a battlefield in the worker threads once, so that the first click is fast."""
        from printkit.studio.app_routes import load_handlers

        if not self._is_warm:
            self._is_warm = True
            self.compute(load_handlers)
            self.draw(_draw_battlefield)

    def options(self, field: str) -> Mapping[int, tuple[str, ...]]:
        """Return the possible answers to the choices and cards of a battlefield, by roll number from 1.

        ``field`` is the ID of the battlefield.
        """
        from printkit.recipes.game.options import find_roll_options

        battlefield = self.sitting.field(field)
        return _get_cached(
            self._options,
            field,
            lambda: find_roll_options(registry.find(battlefield.rules), battlefield.record, IN_ENGLISH),
        )

    def judgement(self, field: str) -> Judgement:
        """Return the judgement of a battlefield by its ID, checked from memory without a file."""
        from printkit.kit.check import judge_record

        battlefield = self.sitting.field(field)
        return _get_cached(
            self._judged, field, lambda: judge_record(registry.find(battlefield.rules), battlefield.record)
        )

    def keep(
        self, field: Field, style: str, lang: str, *, parent: str = "", change: Change | None = None
    ) -> SavedField:
        """Save a battlefield (``parent``: the ID of its origin), start drawing it, and return its entry."""
        saved_field = self.sitting.keep(field, parent=parent, change=change)
        self.pictures.wanted(BoardLook(field=saved_field.id, style=style, lang=lang))
        return saved_field

    def close(self) -> None:
        """Stop all jobs and threads."""
        self.jobs.close()
        self.pictures.close()
        for threads in (self._mind, self._commands):
            threads.shutdown(wait=False, cancel_futures=True)


def _draw_battlefield() -> None:
    """Draw a battlefield, which loads its letters and symbols."""
    from printkit.studio.forms import generate_field

    generate_field(_FIRST, 1, IN_ENGLISH.code).draw(scale="1:4")


def _get_cached(cache: dict[str, T], field: str, compute: Callable[[], T]) -> T:
    """Return the cached value of a battlefield, or compute and cache it. Battlefields never change.

    ``field`` is the ID of the battlefield.
    """
    if field not in cache:
        cache[field] = compute()
        while len(cache) > _KNOWN:
            del cache[next(iter(cache))]
    return cache[field]
