"""What the stand-alone program starts with."""

from __future__ import annotations

import sys
from multiprocessing import freeze_support

if __name__ == "__main__":
    # A process of a batch starts as this very program, and so does what tidies up after processes.
    freeze_support()
    from printkit.__main__ import main

    sys.exit(main())
