"""Draws a display list with one of the peers, or with printkit's own writer, as a PDF; prints seconds of drawing.

python -m benchmarks.children.draw PEER FILE OUT
"""

from __future__ import annotations

import pickle
import sys
import time
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Load the peer and the display list, draw, and print the seconds that drawing took."""
    peer, file, out = sys.argv[1:]
    write = import_module(f"benchmarks.peers.{peer}").write
    document = pickle.loads(Path(file).read_bytes())
    began = time.process_time()
    write(document, Path(out))
    print(time.process_time() - began)


if __name__ == "__main__":
    main()
