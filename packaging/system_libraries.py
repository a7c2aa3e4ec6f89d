"""A hook of PyInstaller for both programs: the programs that they start use the libraries of the system.

PyInstaller sets the library path to its own folder, where a browser would find wrong versions.
"""

import os

os.environ.pop("LD_LIBRARY_PATH", None)
if original := os.environ.pop("LD_LIBRARY_PATH_ORIG", None):
    os.environ["LD_LIBRARY_PATH"] = original
