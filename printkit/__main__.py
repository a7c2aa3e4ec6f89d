"""Starts printkit: ``printkit`` and ``python -m printkit``."""

from __future__ import annotations

import os
import sys

UNREAD = 1
STOPPED = 130


def main() -> int:
    """Run the command line and return its exit status; an error is one line for a person."""
    # More threads only slow the start: the arrays of a map are small. Set before numpy is imported anywhere.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from printkit.cli import run

    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Who reads has seen enough, as head has. Python would complain once more when it closes the pipe at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except KeyboardInterrupt:
        print("printkit: stopped; nothing was left half-written", file=sys.stderr)
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
