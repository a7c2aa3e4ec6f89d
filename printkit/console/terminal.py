"""The person at the terminal: his language, a fresh seed for him, questions, progress, and what is wrong."""

from __future__ import annotations

import codecs
import io
import locale
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeVar

from printkit.core.errors import PageError, PlacementError, RecordError, ScenarioError, Sentence, say, typed_path
from printkit.core.numbers import is_number

if TYPE_CHECKING:
    from printkit.chance.dice import Question
    from printkit.core.words import Words
    from printkit.page.printer import PrinterProfile
    from printkit.recipes.game.games import AskedPerson
    from printkit.recipes.game.throw_text import ThrowText

T = TypeVar("T")

_SEEDS: Final = 999_999

_ENGLISH: Final = "en"

_LISTED: Final = 12
"""So many numbers to choose from are listed, of more the first and the last."""

_TOLD: Final = ("reason", "asked", "kind", "piece", "going", "outcome", "_army")
"""What the names of values end with that may be short English texts of a log, or names of terrain."""

_PLAIN: Final = "printkit.plain"
"""The name by which streams know what stands for signs that they do not have."""

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
"""What stands for the signs that no letter of ASCII is part of."""

_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal obeys in place of showing it."""

_UNREAD: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))
"""What Python has in the place of bytes that it cannot read as text."""

_SPOKEN: Final = ContextVar("spoken", default=_ENGLISH)
"""The language of the person at the terminal, for the run of one command."""

_TYPED: Final[ContextVar[tuple[str, ...]]] = ContextVar("typed", default=())
"""The command line without the name of the program."""

_JOINED: Final[list[Path]] = []
"""The person's own folder of languages, once it has been looked into."""

_PREFERRED: Final = ContextVar("preferred", default="")
"""The language that was asked for before the name of the command, for the run of one command."""


# One entry for each SIGINT since the start of the program.
_STOPS: Final[list[int]] = []


# Seconds after which a SIGINT that came during an import is tried again.
_AGAIN_S: Final = 0.02


def stop(number: int, frame: FrameType | None) -> None:
    """Handle SIGINT: raise KeyboardInterrupt, but only after the import that is under way.

    Libraries turn what is raised while they load into errors of their own, and print some of them.
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
    """Return whether SIGINT came, whatever became of its KeyboardInterrupt."""
    return bool(_STOPS)


def unwritten(error: OSError) -> Sentence:
    """Return what is said if standard output cannot be written."""
    path = Sentence("standard output")
    return Sentence("cannot write {path}: {reason}", path=path, reason=error.strerror or str(error))


@contextmanager
def writing() -> Iterator[None]:
    """Turn an error of standard output, such as a full disk, into one line.

    Raises:
        PageError: it cannot be written.
        BrokenPipeError: whoever reads has seen enough.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise PageError("{fault}", fault=unwritten(error)) from None


def write(data: bytes) -> None:
    """Write a document to standard output.

    Raises:
        PageError: it cannot be written.
    """
    with writing():
        sys.stdout.buffer.write(data)


def never_stumble() -> None:
    """Let the streams of the terminal show in a plainer way, or read as unknown, what their encoding does not have.

    Where a person has put something else in the place of a stream, as a test does, it is left alone.
    """
    codecs.register_error(_PLAIN, _plainer)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _PLAIN), (sys.stderr, _PLAIN)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return what is shown for signs that an encoding does not have, in ASCII, and where the text goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    found: list[str] = []
    for place, sign in enumerate(error.object[error.start : error.end], error.start):
        if sign in _UNREAD:
            # A byte in the name of a file that was no text to begin with is shown as the byte that it is.
            return ("".join(found), place) if found else (bytes([ord(sign) - 0xDC00]), place + 1)
        letters = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode("ascii")
        found.append(_PLAINER.get(sign, letters or "?"))
    return "".join(found), error.end


def speak(arguments: Sequence[str]) -> None:
    """Let all that is said from here on be in the language that the arguments ask for, else in that of the locale.

    They are looked through before they are parsed, for what is wrong with them is to be said in that language too; of
    two languages it is the first.
    """
    _TYPED.set(tuple(arguments))
    asked = [after for option, after in pairwise(arguments) if option == "--lang"]
    asked += [argument.removeprefix("--lang=") for argument in arguments if argument.startswith("--lang=")]
    known = [code for code in (text.split("+")[0] for text in asked) if _is_known(code)]
    _PREFERRED.set("")
    _SPOKEN.set(_ENGLISH)
    spoken = known[-1] if known else language()
    if spoken != _ENGLISH:
        from printkit.core.words import messages

        # Where two of its files disagree, that is said in English.
        messages(spoken)
    _SPOKEN.set(spoken)


def typed_again(option: str, value: str) -> str:
    """Return the command line as it was typed, with another value of an option."""
    pairs = pairwise(("", *_TYPED.get()))
    words = [word for before, word in pairs if option not in (before, word.partition("=")[0])]
    return " ".join(map(typed_path, ("printkit", *words, option, value)))


def _is_known(code: str) -> bool:
    """Return whether there are words of a language; English loads nothing to be told so."""
    return code == _ENGLISH or code in languages_known()


def styles_known() -> list[str]:
    """Return the names of all styles of the package."""
    from printkit.core import resources

    return resources.names("templates/styles", ".toml")


def languages_known() -> list[str]:
    """Return the codes of all languages, those of the package and those that the person keeps in his own folder.

    Raises:
        PrintkitError: a file of his has the name of one of ours.
    """
    from printkit.core import resources, words

    if not _JOINED:
        _JOINED.append(own_languages())
        if _JOINED[0].is_dir():
            resources.bring(_JOINED[0])
            words.forget()
    return words.languages_known()


def own_languages() -> Path:
    """Return the folder in which a person may keep languages, laid out as ``templates``: ``words/fr``."""
    from platformdirs import user_config_path

    return user_config_path("printkit", appauthor=False) / "languages"


def tell_lacking() -> None:
    """Say once, at the end of a command, which files of languages cannot be read, and which words are missing."""
    if (words := sys.modules.get("printkit.core.words")) is None:
        return
    tell(words.unreadable())
    for code in words.lacking():
        tell(
            [Sentence("some texts are missing in {code} and appear in English; see docs/dev/translating.md", code=code)]
        )


def prefer(code: str | None) -> None:
    """Let a command that is asked for no language of its own use this one; None leaves it to the locale."""
    if code is not None:
        _PREFERRED.set(code)


def said(text: str) -> str:
    """Return a sentence in the language of the person at the terminal, any other text as it is.

    What somebody has written into a file cannot steer the terminal: it is shown as ``\\x1b``.
    """
    if _SPOKEN.get() != _ENGLISH:
        from printkit.core.words import messages, point

        text = say(text, messages(_SPOKEN.get()), _known, point(_SPOKEN.get()))
    if _STEERING.search(text) is None:
        return text
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def _known(name: str, value: str) -> str:
    """Return a value of a sentence: texts of a log, names of terrain and of arguments, in the person's language."""
    if name == "argument":
        return explained(value)
    from printkit.core.words import value_said

    own = value_said(name, value, _SPOKEN.get())
    if own != value:
        return own
    if name == "labels":
        return ", ".join(map(thrown, value.split(", ")))
    return thrown(value, name) if name.endswith(_TOLD) else value


def thrown(text: str, name: str = "") -> str:
    """Return a text of a log, as a reason or an answer, in the language of the person at the terminal."""
    return text if _SPOKEN.get() == _ENGLISH else _teller().tell(text, name)


def stage_name(stage: str) -> str:
    """Return what a stage is called in the language of the person at the terminal."""
    return stage if _SPOKEN.get() == _ENGLISH else _teller().stage(stage)


def _teller() -> ThrowText:
    from printkit.core.words import find
    from printkit.recipes.game.throw_text import ThrowText

    return ThrowText(find(_SPOKEN.get()))


def explained(text: str) -> str:
    """Return a text of ``--help``, or a name in it, in the language of the person; its English where there is none."""
    return own_lines("help").get(text, text)


def own_lines(name: str) -> Mapping[str, str]:
    """Return the texts of a file of messages in the language of the person, by their English; none in English."""
    if _SPOKEN.get() == _ENGLISH:
        return {}
    from printkit.core.words import phrases

    return phrases(_SPOKEN.get(), name)


def complain(message: str) -> None:
    """Say what is wrong, in one line."""
    line = f"printkit: {' '.join(said(message).split())}"
    # There is nowhere else to say that standard error cannot be written.
    with suppress(OSError):
        print(line, file=sys.stderr)


def show(lines: Iterable[str]) -> None:
    """Print what a command is asked for."""
    with writing():
        print("\n".join(map(said, lines)))


def tell(lines: Iterable[str]) -> None:
    """Print notices, beside what a command is asked for."""
    if told := "\n".join(map(said, lines)):
        with suppress(OSError):
            print(told, file=sys.stderr)


def ask(text: str) -> str:
    """Return the line that a person answers a question with; empty where there is none."""
    print(said(text), end=" ", file=sys.stderr, flush=True)
    return sys.stdin.readline()


@contextmanager
def naming(path: Path | None) -> Iterator[None]:
    """Name the file in an error about what it says."""
    try:
        yield
    except (RecordError, ScenarioError, PlacementError) as error:
        if path is not None:
            raise type(error)("{path}: {error}", path=path, error=error) from None
        raise


def counted(done: Iterable[T], quiet: bool, *, total: int) -> Iterator[T]:
    """Yield what is done, with a bar where there are several in all and a person watches."""
    if total < 2 or quiet or not sys.stderr.isatty():
        yield from done
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(done, total=total, description=said(Sentence("battlefields")), console=Console(stderr=True))


def person() -> AskedPerson:
    """Return how a person is asked for each throw."""
    from printkit.chance.asking import BACK
    from printkit.recipes.game.games import AskedPerson

    def prompt(question: Question) -> str:
        labels = [thrown(label) for label in question.labels] if question.asks else []
        said = [label for label in question.labels if label != question.unsaid]
        numbers = all(map(is_number, said))
        if numbers and len(said) > _LISTED:
            tell([f"{said[0]}, {said[1]} ... {said[-1]}"])
        elif labels:
            between = "; " if any("," in label for label in labels) else ", "
            tell([between.join(label if numbers else f"{number} {label}" for number, label in enumerate(labels, 1))])
        asked = Sentence("{asked}", asked=question.asked)
        if question.least < question.count > 1:
            asked = Sentence("{asked}, the top {least} are enough", asked=question.asked, least=question.least)
        asking = Sentence(
            "{stage}: {reason} ({asked}; Enter: rolled for you)",
            stage=stage_name(question.stage),
            reason=question.reason,
            asked=asked,
        )
        if question.unsaid:
            asking = Sentence("{reason} (Enter: {unsaid})", reason=question.reason, unsaid=thrown(question.unsaid))
        line = ask(asking)
        if not line:
            raise EOFError
        spoken = [label.casefold() for label in labels]
        typed = " ".join(line.casefold().split())
        if takes_back(line):
            return BACK
        return str(spoken.index(typed) + 1) if typed in spoken and typed not in question.labels else line

    return AskedPerson(prompt=prompt, complain=complain, tell=lambda text: tell([text]))


def takes_back(line: str) -> bool:
    """Return whether a person asks with a line to take his last answer back, in his language or in English."""
    from printkit.chance.asking import BACK

    return " ".join(line.casefold().split()) in (BACK, said(Sentence("back")))


def words(code: str | None) -> Words:
    """Return the words of the language that is asked for, else of that of the person.

    Raises:
        UsageError: there are none of that language.
    """
    from printkit.core.words import find

    wanted = code or language()
    if any(one != _ENGLISH for one in wanted.split("+")):
        languages_known()
    return find(wanted)


def printers() -> Path:
    """Return the folder in which the profiles of the person's printers are kept, by the custom of his system."""
    from platformdirs import user_config_path

    return user_config_path("printkit", appauthor=False) / "printers"


def profile(name: str | None) -> PrinterProfile | None:
    """Return the profile of the printer that is asked for, or None."""
    if name is None:
        return None
    from printkit.recipes.output.printers import find

    return find(name, printers())


def fresh_seed() -> int:
    """Return a seed of chance, short enough to be written down."""
    from secrets import randbelow

    return 1 + randbelow(_SEEDS)


def fresh_salt() -> str:
    """Return hexadecimal digits that nobody can guess: 128 bits from the system."""
    from secrets import token_hex

    return token_hex(16)


def language() -> str:
    """Return what ``prefer`` was told, else the language of the locale if there are words in it, else English."""
    if _PREFERRED.get():
        return _PREFERRED.get()
    found = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not found:
        found = locale.getlocale()[0] or ""
    # Some systems write ``Spanish_Spain`` for ``es_ES``.
    code = locale.normalize(re.split(r"[_.@-]", found)[0]).split("_")[0].lower()
    return code if code not in ("", "c", _ENGLISH) and _is_known(code) else _ENGLISH
