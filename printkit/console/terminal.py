"""Terminal I/O: language, prompts, progress and error messages."""

from __future__ import annotations

import codecs
import io
import locale
import os
import re
import signal
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import groupby, pairwise, zip_longest
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from printkit import __date__, __version__
from printkit.console.own_name import use_own_name
from printkit.console.stages import end_stages, enter_stage, hidden_line
from printkit.core.errors import (
    PageError,
    PlacementError,
    RecordError,
    ScenarioError,
    Sentence,
    quote_path,
    translate_sentence,
)

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.options.printing import FileOptions
    from printkit.page.printer import PrinterProfile
    from printkit.recipes.game.roll_text import ThrowText

T = TypeVar("T")

_SEEDS: Final = 999_999

_ENGLISH: Final = "en"

# Endings of value names in messages. Their values may be English texts of a log, or names of terrain.
_TOLD: Final = ("reason", "asked", "kind", "piece", "going", "outcome", "terrain", "_army")

# The name of a value in the help.
VALUE_NAME: Final = re.compile(r"(?<![\w.-])[A-Z](?:[\w.=,/|]*\w)?")

# The folder of the package.
_PACKAGE: Final = Path(__file__).resolve().parents[1]

# The name of the error handler that replaces characters missing in an encoding.
_PLAIN: Final = "printkit.plain"

# ASCII replacements of characters that do not contain an ASCII letter.
_PLAINER: Final[Mapping[str, str]] = {
    **dict.fromkeys("\u2212\u2013\u2014\u00b7", "-"),
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u201c\u201d\u00ab\u00bb", '"'),
    **dict.fromkeys("\u00a1\u00bf", ""),
    "\u00d7": "x",
    "\u00b1": "+/-",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2190": "<-",
    "\u2192": "->",
    "\u2191": "^",
    "\u2193": "v",
    "\u00b0": "o",
}

# Control characters, which a terminal would obey.
_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

# Surrogates that Python uses for bytes it cannot decode.
_UNREAD: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))

# The output language during one command.
_SPOKEN: Final = ContextVar("spoken", default=_ENGLISH)

# The arguments of the command line, without the program name.
_TYPED: Final[ContextVar[tuple[str, ...]]] = ContextVar("typed", default=())

# The user's folder of languages, after it has been read.
_JOINED: Final[list[Path]] = []

# The language from a --lang before the name of the command, during one command.
_PREFERRED: Final = ContextVar("preferred", default="")


# The countries that print on Letter paper.
_LETTER_COUNTRIES: Final = ("US", "CA", "MX", "PH", "CL", "CO", "VE", "CR", "GT", "NI", "PA", "SV", "DO", "BZ", "PR")

# One entry for each SIGINT since the start of the program.
_STOPS: Final[list[int]] = []


# Delay in seconds before a SIGINT during an import is handled again.
_AGAIN_S: Final = 0.02


def stop(number: int, frame: FrameType | None) -> None:
    """Handle SIGINT: raise KeyboardInterrupt, but only after the current import.

    ``number`` is that of the signal, and ``frame`` the interrupted frame. Libraries convert an exception during their
    import into other errors, and print some of them.
    """
    _STOPS.append(number)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib") and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, stop)
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def is_stopped() -> bool:
    """Return whether SIGINT was received, even if its KeyboardInterrupt was lost."""
    return bool(_STOPS)


def output_failure(error: OSError) -> Sentence:
    """Return the message for standard output that cannot be written."""
    path = Sentence("standard output")
    return Sentence("cannot write {path}: {reason}", path=path, reason=error.strerror or str(error))


def is_opened_by_click() -> bool:
    """Return whether a double click or a menu entry started printkit, so that nobody can see its output.

    On Windows the console then belongs to this process alone. Elsewhere there is a desktop, and each standard stream is
    missing, the null device or the socket of a system log. There a terminal, a pipe or a file gives False.
    """
    if sys.platform == "win32":
        import ctypes

        return ctypes.windll.kernel32.GetConsoleProcessList((ctypes.c_uint * 2)(), 2) <= 1
    if sys.platform != "darwin" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return all(map(_is_nowhere, range(3)))


def _is_nowhere(descriptor: int) -> bool:
    """Return whether a standard stream is closed, the null device or a socket."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return True
    return stat.S_ISSOCK(status.st_mode) or (
        stat.S_ISCHR(status.st_mode) and os.path.samestat(status, os.stat(os.devnull))
    )


@contextmanager
def writing() -> Iterator[None]:
    """Convert an error of standard output, for example a full disk, into a message of one line.

    Raises:
        PageError: standard output cannot be written.
        BrokenPipeError: the reader has closed the pipe.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise PageError("{fault}", fault=output_failure(error)) from None


def write(data: bytes) -> None:
    """Write the bytes of a document to standard output.

    Raises:
        PageError: standard output cannot be written.
    """
    with writing():
        sys.stdout.buffer.write(data)


def replace_unencodable() -> None:
    """Replace characters that the encoding of stdin, stdout or stderr does not have.

    A replaced stream, for example one from a test, does not change.
    """
    codecs.register_error(_PLAIN, _replace_characters)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _PLAIN), (sys.stderr, _PLAIN)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _replace_characters(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return the ASCII replacement of characters that cannot be encoded, and the index to continue from.

    It is an error handler of codecs. Characters without a replacement become ``?``; bytes of file names are returned
    unchanged. Errors of decoding are raised again.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    texts: list[str] = []
    for index, character in enumerate(error.object[error.start : error.end], error.start):
        if character in _UNREAD:
            # A surrogate is a byte of a file name that is not valid text, so it is written as the same byte.
            return ("".join(texts), index) if texts else (bytes([ord(character) - 0xDC00]), index + 1)
        letters = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
        texts.append(_PLAINER.get(character, letters or "?"))
    return "".join(texts), error.end


def set_language(arguments: Sequence[str]) -> None:
    """Set the output language from ``--lang``, or from the locale.

    This happens before the arguments are parsed, so that their errors are in this language too. Of two languages, the
    first is used.
    """
    _TYPED.set(tuple(arguments))
    codes = [after for option, after in pairwise(arguments) if option == "--lang"]
    codes += [argument.removeprefix("--lang=") for argument in arguments if argument.startswith("--lang=")]
    known_codes = [code for code in (text.split("+")[0] for text in codes) if _is_known(code)]
    _PREFERRED.set("")
    _SPOKEN.set(_ENGLISH)
    spoken = known_codes[-1] if known_codes else language()
    if spoken != _ENGLISH:
        from printkit.core.words import messages

        # If files of the language conflict, this raises while the output is still English.
        messages(spoken)
    _SPOKEN.set(spoken)


def command_with_option(option: str, value: str) -> str:
    """Return the typed command line with another value of an option."""
    pairs = pairwise(("", *_TYPED.get()))
    words = [word for previous_word, word in pairs if option not in (previous_word, word.partition("=")[0])]
    return " ".join(map(quote_path, ("printkit", *words, option, value)))


def report(lines: Iterable[str], files: FileOptions, seed: int | None = None) -> None:
    """Print the report of a command, unless it is quiet; with ``--plan`` its plan, and the command that carries it out.

    ``seed`` is the seed of the plan.
    """
    if not files.plan:
        if not files.quiet:
            tell(lines)
        return
    words = [word for word in _TYPED.get() if word != "--plan"]
    if seed is not None and not {word.partition("=")[0] for word in words} & {"--seed", "--seeds", "--from"}:
        words += ["--seed", str(seed)]
    command = " ".join(map(quote_path, ("printkit", *words)))
    show([*lines, Sentence("Nothing was printed. To print it: {command}", command=command)])


def _is_known(code: str) -> bool:
    """Return whether a language code exists; for English no file is loaded."""
    return code == _ENGLISH or code in languages_known()


def styles_known() -> list[str]:
    """Return the names of all built-in map styles."""
    from printkit.core import resources

    return resources.names("templates/styles", ".toml")


def languages_known() -> list[str]:
    """Return the codes of all languages, built-in and from the user's folder.

    Raises:
        PrintkitError: a file of the user has the name of a built-in file.
    """
    from printkit.core import resources, words

    if not _JOINED:
        _JOINED.append(own_languages())
        if _JOINED[0].is_dir():
            resources.add_template_folder(_JOINED[0])
            words.clear_caches()
    return words.available_languages()


def own_languages() -> Path:
    """Return the folder for the user's languages; its structure is that of ``templates``: ``words/fr``."""
    return settings_folder() / "languages"


def settings_folder() -> Path:
    """Return the folder of the user's settings."""
    from platformdirs import user_config_path

    return user_config_path("printkit", appauthor=False)


def files_folder() -> Path:
    """Create and return the folder of the studio for battlefields, prints and games.

    Raises:
        PageError: the folder cannot be created.
    """
    folder = _find_files_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PageError("cannot create {folder}: {reason}", folder=folder, reason=error.strerror or error) from None
    return folder


def _find_files_folder() -> Path:
    """Return ``printkit`` in the documents of the user, but in a checkout ``output`` in the current folder."""
    if (_PACKAGE.parent / "pyproject.toml").is_file():
        from printkit.options.printing import FOLDER

        return FOLDER
    from platformdirs import user_documents_path

    return user_documents_path() / "printkit"


def about_lines() -> list[str]:
    """Return the lines of ``--version``: version and date, and the paths of program, files and settings."""
    program = Path(sys.executable) if getattr(sys, "frozen", False) else _PACKAGE
    return [
        Sentence("printkit {version}, {date}", version=__version__, date=__date__ or Sentence("unreleased")),
        Sentence("program: {path}", path=program),
        Sentence("files: {path}", path=_find_files_folder().absolute()),
        Sentence("settings: {path}", path=settings_folder()),
    ]


def preferences_file() -> Path:
    """Return the file with the preferences of the user, which the studio writes."""
    return settings_folder() / "preferences.toml"


def report_missing_texts() -> None:
    """Print notices about unreadable language files and missing texts, at the end of a command."""
    if (words := sys.modules.get("printkit.core.words")) is None:
        return
    tell(words.unreadable_files())
    for code in words.incomplete_languages():
        tell(
            [Sentence("some texts are missing in {code} and appear in English; see docs/dev/translating.md", code=code)]
        )


def set_preferred_language(code: str | None) -> None:
    """Set the language for a command without ``--lang``; None has no effect."""
    if code is not None:
        _PREFERRED.set(code)


def said(text: str) -> str:
    """Return a text for the terminal: a ``Sentence`` in the output language, another text untranslated.

    A sentence without a template stays in English. Commands of printkit start as the user has to type them.
    Control characters from files are escaped as hexadecimal codes, so they cannot control the terminal.
    """
    if _SPOKEN.get() != _ENGLISH:
        from printkit.core.words import decimal_sign, messages

        text = translate_sentence(text, messages(_SPOKEN.get()), _translate_value, decimal_sign(_SPOKEN.get()))
    text = use_own_name(text)
    if _STEERING.search(text) is None:
        return text
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def _translate_value(name: str, value: str) -> str:
    """Return a value of a sentence in the output language: texts of a log, terrain, arguments.

    ``name`` is that of the value in the sentence.
    """
    if name == "argument":
        return translate_names(value)
    from printkit.core.words import messages, translate_value

    if isinstance(value, Sentence) and value.template in messages(_SPOKEN.get()):
        # Its own values are translated as those of the sentence around it.
        return value
    translation = translate_value(name, value, _SPOKEN.get())
    if translation != value:
        return translation
    if name == "labels":
        return ", ".join(map(translate_log_text, value.split(", ")))
    return translate_log_text(value, name) if name.endswith(_TOLD) else value


def translate_log_text(text: str, name: str = "") -> str:
    """Return a text of a log, for example a reason or an answer, in the output language.

    ``name`` is that of the value in a sentence.
    """
    return text if _SPOKEN.get() == _ENGLISH else _log_translator().tell(text, name)


def stage_name(stage: str) -> str:
    """Return the name of a stage in the output language."""
    return stage if _SPOKEN.get() == _ENGLISH else _log_translator().stage(stage)


def _log_translator() -> ThrowText:
    """Return the object that translates texts of a log into the output language."""
    from printkit.core.words import find_words
    from printkit.recipes.game.roll_text import ThrowText

    return ThrowText(find_words(_SPOKEN.get()))


def translate_help(text: str) -> str:
    """Return a text or name of ``--help`` in the output language; without a translation the English text."""
    return translations("help").get(text, text)


def translate_names(text: str) -> str:
    """Translate the names of values in an option or usage: ``--set NAME=VALUE`` to ``--set NOMBRE=VALOR``."""
    return VALUE_NAME.sub(lambda match: translate_help(match[0]), text)


def translations(name: str) -> Mapping[str, str]:
    """Return the translations in a message file, by English text; empty if the output is English."""
    if _SPOKEN.get() == _ENGLISH:
        return {}
    from printkit.core.words import phrases

    return phrases(_SPOKEN.get(), name)


def report_error(message: str) -> None:
    """Print an error in one line on standard error."""
    line = f"printkit: {' '.join(said(message).split())}"
    # An error of standard error cannot be reported anywhere.
    with suppress(OSError), hidden_line():
        print(line, file=sys.stderr)


def show(lines: Iterable[str]) -> None:
    """Print the requested lines on standard output."""
    with writing(), hidden_line():
        print(_format_lines(lines))


def tell(lines: Iterable[str]) -> None:
    """Print notices on standard error."""
    if text := _format_lines(lines):
        with suppress(OSError), hidden_line():
            print(text, file=sys.stderr)


def _format_lines(lines: Iterable[str]) -> str:
    """Return lines as one text; the cells of neighbouring lines, which tabs separate, become columns."""
    texts = []
    for has_cells, group in groupby(map(said, lines), key=lambda line: "\t" in line):
        rows = [line.split("\t") for line in group]
        # A last cell needs no width, because nothing follows it.
        widths = [max(map(len, column)) for column in zip_longest(*(row[:-1] for row in rows), fillvalue="")]
        for row in rows:
            cells = [*map(str.ljust, row[:-1], widths), row[-1]] if has_cells else row
            texts.append("   ".join(cells).rstrip())
    return "\n".join(texts)


def stage(name: str) -> None:
    """Show what the command is doing, in one line that is written again, if a user sees it and it takes a second."""
    if sys.stderr.isatty() and "--quiet" not in _TYPED.get():
        enter_stage(said(name))


def has_user() -> bool:
    """Return whether a user can read questions and answer them: standard input and standard error are terminals."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(text: str) -> str:
    """Print a question and return the line that the user types; empty at the end of input."""
    end_stages()
    print(said(text), end=" ", file=sys.stderr, flush=True)
    return sys.stdin.readline()


@contextmanager
def naming(path: Path | None) -> Iterator[None]:
    """Add the path of a file to errors about its content, and the line if it is known."""
    from printkit.recipes.game.request import place_in_scenario

    try:
        yield
    except (RecordError, ScenarioError, PlacementError) as error:
        if path is None:
            raise
        has_lines = bool(error.member) and path.suffix == ".toml"
        place = place_in_scenario(path, error.member) if has_lines else path
        raise type(error)("{path}: {error}", path=place, error=error) from None


def track_progress(items: Iterable[T], quiet: bool, *, total: int) -> Iterator[T]:
    """Yield items, with a progress bar if there are several and standard error is a terminal."""
    if total < 2 or quiet or not sys.stderr.isatty():
        yield from items
        return
    end_stages()
    from rich.console import Console
    from rich.progress import track

    yield from track(items, total=total, description=said(Sentence("battlefields")), console=Console(stderr=True))


def is_undo(line: str) -> bool:
    """Return whether a line asks to undo the last answer, in the output language or in English."""
    from printkit.chance.asking import BACK

    return " ".join(line.casefold().split()) in (BACK, said(Sentence("back")))


def words(code: str | None) -> Words:
    """Return the texts of a language; without a code, of the language from ``language``.

    Raises:
        UsageError: the language does not exist.
    """
    from printkit.core.words import find_words

    codes = code or language()
    if any(language_code != _ENGLISH for language_code in codes.split("+")):
        languages_known()
    return find_words(codes)


def printers() -> Path:
    """Return the folder of printer profiles in the user's configuration folder."""
    return settings_folder() / "printers"


def state_folder() -> Path:
    """Return the user's folder for the state of programs, for example the key of the studio."""
    from platformdirs import user_state_path

    return user_state_path("printkit", appauthor=False)


def profile(name: str | None) -> PrinterProfile | None:
    """Return the profile of a printer by name, or None without a name."""
    if name is None:
        return None
    from printkit.recipes.output.printers import find

    return find(name, printers())


def fresh_seed() -> int:
    """Return a random seed of at most six digits."""
    from secrets import randbelow

    return 1 + randbelow(_SEEDS)


def fresh_salt() -> str:
    """Return 128 random bits from the operating system as hexadecimal digits."""
    from secrets import token_hex

    return token_hex(16)


def output_language() -> str:
    """Return the code of the language in which messages are printed."""
    return _SPOKEN.get()


def language() -> str:
    """Return the code of the language of the user: that of ``set_preferred_language``, or of the locale."""
    return _PREFERRED.get() or locale_language()


def locale_language() -> str:
    """Return the code of the language of the locale if it exists, otherwise that of English."""
    # Some systems write ``Spanish_Spain`` instead of ``es_ES``.
    code = locale.normalize(re.split(r"[_.@-]", _locale_name("LC_MESSAGES"))[0]).split("_")[0].lower()
    return code if code not in ("", "c", _ENGLISH) and _is_known(code) else _ENGLISH


def usual_sheet() -> Literal["a4", "letter"]:
    """Return the paper of the country of the locale: Letter in most of the Americas, otherwise A4."""
    region = locale.normalize(_locale_name("LC_PAPER").replace(" ", "-")).partition(".")[0].rpartition("_")[2].upper()
    return "letter" if region in _LETTER_COUNTRIES else "a4"


def _locale_name(category: str) -> str:
    """Return the name of the locale of a category, for example ``en_GB.UTF-8``; empty if none is set."""
    names = (os.environ[name] for name in ("LC_ALL", category, "LANG") if os.environ.get(name))
    return next(names, "") or locale.getlocale()[0] or ""
