"""What the stand-alone program starts with."""

from __future__ import annotations

import sys
from multiprocessing import freeze_support

_TIDYING = "from joblib."
"""What begins the line by which joblib starts a Python that tidies up after processes; here this program is that."""

if __name__ == "__main__":
    # A process of a batch starts as this very program.
    freeze_support()
    line = sys.argv[sys.argv.index("-c") + 1] if "-c" in sys.argv[1:-1] else ""
    if line.startswith(_TIDYING):
        exec(line)
        sys.exit()
    from printkit.__main__ import main

    sys.exit(main())
