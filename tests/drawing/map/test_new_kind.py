"""A new kind is a member of ``Kind``, a row of the table of kinds and its words: nothing else has to list it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from imports import PACKAGE, ROOT

ROW: Final = """[salt_pan]
family = "open"
sign = "relief.open_ground:draw_cover"
sample = "island"
inks = ["sand", "sand-wash-edge"]
export = "sight"
mat = "flat"
paint = { texture = "sand", edge = [3.0, 1.2], rim = [200, 200, 190], rim_size = [0.6, 0.35] }

[salt_pan.look]
wash = ["sand", "sand-wash-edge"]
motifs = [
    { motif = "stipple", stream = "salt", spacing = 3.0, from_edge = 1.0, radii = [0.1, 0.2], ink = ["sand-line", 1] },
]
"""

PROBE: Final = """
import json
from pathlib import Path
from msgspec.structs import replace
from printkit.cli.app import run
from printkit.core.words import Words, find_words
from printkit.drawing.canvas import style
from printkit.drawing.furniture.legend import legend_entries
from printkit.drawing.furniture.specimens import FIELD, specimen_field, specimen_name, specimens
from printkit.drawing.text.drafter import Drafter

keys = [specimen.key for specimen in specimens()]
shown = next(specimen for specimen in specimens() if specimen.key == "salt_pan")
found = {"after": keys[keys.index("salt_pan") + 1], "drawn": []}
for name in ("campaign", "painted"):
    context = Drafter.furniture(style.find(name), Words(("en",))).context
    samples = (shown, replace(shown, sample=lambda *_: ()))
    drawn, bare = (set(specimen_field(sample, context).layers[0].items) for sample in samples)
    found["drawn"].append(len(drawn - bare) > 0)
found["legend"] = [entry.key for entry in legend_entries(shown.field(*FIELD))]
found["names"] = [specimen_name(shown, find_words(language)) for language in ("en", "es")]
given = ["map", "--quiet", "--scale", "1:4", "--sheet", "one"]
done = [run([*given, "--rules", "collision-course", "--seed", "7", "--to", "json", "--out", "first"])]
text = next(Path("first").rglob("*.json")).read_text(encoding="utf-8").replace('"light_woods"', '"salt_pan"')
Path("second.json").write_text(text, encoding="utf-8")
formats = [part for name in ("json", "geojson", "gpkg", "svg-cut", "uvtt") for part in ("--to", name)]
done.append(run([*given, "--from", "second.json", *formats, "--key", "full", "--to", "svg", "--out", "third"]))
print(json.dumps({**found, "done": done}))
"""


def put(path: Path, text: str, before: str, *, count: int = 1) -> None:
    """Put a text before the first lines that begin as given; the file is a link, and becomes a file."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for place in [number for number, line in enumerate(lines) if line.startswith(before)][:count]:
        lines[place] = text + lines[place]
    path.unlink()
    path.write_text("".join(lines), encoding="utf-8")


def test_a_new_kind_is_on_maps_legends_keys_sheets_mats_and_in_every_export(tmp_path: Path) -> None:
    for folder in (PACKAGE, ROOT / "templates", ROOT / "fonts"):
        shutil.copytree(
            folder, tmp_path / folder.name, copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__")
        )
    put(tmp_path / "printkit/terrain/field/features.py", '    SALT_PAN = "salt_pan"\n', "    DUNES =")
    put(tmp_path / "templates/symbols/kinds.toml", ROW, "[dunes]")
    for language, word in (("en", "Salt pan"), ("es", "Salina")):
        put(tmp_path / f"templates/words/{language}/terrain.toml", f'salt_pan = "{word}"\n', "dunes =", count=2)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, check=True, cwd=tmp_path, env=environment)
    assert json.loads(done.stdout) == {
        "after": "dunes",
        "drawn": [True, True],
        "legend": ["salt_pan"],
        "names": ["Salt pan", "Salina"],
        "done": [0, 0],
    }
    files = {path.suffix: path.read_bytes() for path in (tmp_path / "third").rglob("*.*")}
    assert all(b"salt_pan" in files[suffix] for suffix in (".json", ".geojson", ".gpkg"))
    assert b'class="salt_pan"' in next((tmp_path / "third").glob("*.cut.svg")).read_bytes()
    assert json.loads(files[".dd2vtt"])["line_of_sight"]
