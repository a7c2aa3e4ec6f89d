"""Starts printkit: ``printkit`` and ``python -m printkit``."""

from __future__ import annotations

import gc
import os
import sys

UNREAD = 1
STOPPED = 130
MADE = 1_000_000
"""How many objects more there are before Python looks for those that only hold each other."""


def main() -> int:
    """Run the command line and return its exit status; an error is one line for a person."""
    # More threads only slow the start: the arrays of a map are small. Set before numpy is imported anywhere.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Values point one way and go when nobody holds them. To look for rings among all that is loaded, as Python does
    # after every 700 objects, takes a twentieth of a run and finds next to none.
    gc.set_threshold(MADE)
    from printkit.cli.app import run
    from printkit.console.terminal import never_stumble

    never_stumble()
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
        # At its end Python would look for rings once more, among all that was loaded and made: a tenth of a run.
        gc.freeze()
        return status
    except BrokenPipeError:
        # Who reads has seen enough, as head has. Python would complain once more when it closes the pipe at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except KeyboardInterrupt:
        from printkit.console.terminal import complain
        from printkit.core.errors import Sentence

        complain(Sentence("stopped; nothing was left half-written"))
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
