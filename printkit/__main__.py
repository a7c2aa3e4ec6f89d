"""The entry point of the commands ``printkit`` and ``python -m printkit``."""

# This module imports only modules that Python has already loaded, so not even ``__future__``. A file in the current
# folder could replace any other module.
import os
import sys

STREAM_CLOSED = 1
INTERRUPTED = 130
# The number of new objects before Python searches for reference cycles.
GC_THRESHOLD = 1_000_000

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STOPPED_LINE = b"printkit: stopped; no incomplete files were left\n"


def leave_folder() -> None:
    """Remove the current folder from the import path of ``python -m``, so that no file in it replaces a library.

    If printkit itself is in this folder (a checkout), the folder stays, and child processes get it too.
    """
    if sys.flags.safe_path or not sys.path or sys.path[0] not in ("", os.getcwd()):
        return
    if os.getcwd() != _HOME:
        del sys.path[0]
    else:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_HOME, os.environ.get("PYTHONPATH"))))


def open_streams() -> None:
    """Open the null device for each missing standard stream, for example under a scheduler or ``pythonw``.

    Otherwise the next opened file would get the descriptor of the stream, and all printed text.
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
    """Run the command line and return its exit status; an error is reported in one line."""
    open_streams()
    import signal

    handles_interrupt = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handles_interrupt:
        signal.signal(signal.SIGINT, _stop_at_once)
    # More threads only slow the start, because the arrays of a map are small. numpy reads this when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Child processes then do not import files of their current folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    import gc

    # printkit makes hardly any reference cycles. The search for them after every 700 objects, the default of Python,
    # takes 5 % of a run.
    gc.set_threshold(GC_THRESHOLD)
    from printkit.cli.app import all_commands, run
    from printkit.console.own_name import set_own_name
    from printkit.console.terminal import output_failure, replace_unencodable, report_error, stop

    replace_unencodable()
    set_own_name(sys.argv[0], all_commands)
    try:
        if handles_interrupt:
            signal.signal(signal.SIGINT, stop)
        status = run(sys.argv[1:])
        sys.stdout.flush()
        # Without this, Python searches all objects for cycles again at exit, which takes 10 % of a run.
        gc.freeze()
    except BrokenPipeError:
        # The reader of the pipe has closed it, for example head.
        status = STREAM_CLOSED
    except OSError as error:
        report_error(output_failure(error))
        status = STREAM_CLOSED
    except KeyboardInterrupt:
        from printkit.core.errors import Sentence

        report_error(Sentence("stopped; no incomplete files were left"))
        status = INTERRUPTED
    _drop_unwritten()
    return status


def _stop_at_once(*_: object) -> None:
    """Exit during start-up. No file is written yet, and an import could turn KeyboardInterrupt into another error."""
    os.write(2, _STOPPED_LINE)
    os._exit(INTERRUPTED)


def _drop_unwritten() -> None:
    """Redirect streams that cannot be written to the null device; otherwise Python reports them again at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    leave_folder()
    sys.exit(main())
