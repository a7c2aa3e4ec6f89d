"""Starts printkit: ``printkit`` and ``python -m printkit``."""

# Nothing is imported here that a file of the current folder could stand in for, not even ``__future__``: Python itself
# has loaded these before.
import os
import sys

UNREAD = 1
STOPPED = 130
# How many objects more there are before Python looks for those that only hold each other.
MADE = 1_000_000

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STOPPED_LINE = b"printkit: stopped; no incomplete files were left\n"


def leave_folder() -> None:
    """Take the current folder off the path of ``python -m``, so that no file in it is imported as a library.

    If printkit itself is there, as in a checkout that is not installed, it stays, and child processes get it too.
    """
    if sys.flags.safe_path or not sys.path or sys.path[0] not in ("", os.getcwd()):
        return
    if os.getcwd() != _HOME:
        del sys.path[0]
    else:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_HOME, os.environ.get("PYTHONPATH"))))


def open_streams() -> None:
    """Open the null device for each standard stream that is missing, as below a scheduler or ``pythonw``.

    Otherwise the next file that is opened would take the number of the stream, and get what is printed.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open


def main() -> int:
    """Run the command line and return its exit status; an error is one line for a person."""
    open_streams()
    import signal

    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:
        signal.signal(signal.SIGINT, _stop_at_once)
    # More threads only slow the start: the arrays of a map are small. Set before numpy is imported anywhere.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # No process that is started from here on imports a file of its current folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    import gc

    # Values point one way and go when nobody holds them. To look for rings among all that is loaded, as Python does
    # after every 700 objects, takes a twentieth of a run and finds next to none.
    gc.set_threshold(MADE)
    from printkit.cli.app import run
    from printkit.console.terminal import complain, never_stumble, stop, unwritten

    never_stumble()
    try:
        if hears:
            signal.signal(signal.SIGINT, stop)
        status = run(sys.argv[1:])
        sys.stdout.flush()
        # At its end Python would look for rings once more, among all that was loaded and made: a tenth of a run.
        gc.freeze()
    except BrokenPipeError:
        # Whoever reads has seen enough, as head has.
        status = UNREAD
    except OSError as error:
        complain(unwritten(error))
        status = UNREAD
    except KeyboardInterrupt:
        from printkit.core.errors import Sentence

        complain(Sentence("stopped; no incomplete files were left"))
        status = STOPPED
    _drop_unwritten()
    return status


def _stop_at_once(*_: object) -> None:
    """End before the work begins. Nothing is written yet, and an import may turn an exception into another one."""
    os.write(2, _STOPPED_LINE)
    os._exit(STOPPED)


def _drop_unwritten() -> None:
    """Let a stream that cannot be written end in the null device: Python would complain once more at the end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    leave_folder()
    sys.exit(main())
