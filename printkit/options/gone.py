"""Options that printkit 0.2 had, with the sentence that says what to write now. They are named for one release."""

from __future__ import annotations

from typing import Final

GONE: Final = {
    **{
        f"--no-{part}": f"{{word}} is now --hide {part}"
        for part in ("numbers", "zones", "deployment", "grid", "counters", "outline")
    },
    **{
        f"--{part}": "{word} is what printkit does anyway; leave it out"
        for part in ("numbers", "zones", "deployment", "grid", "outline")
    },
    "--labels": "{word} is now --show labels",
    "--by-zone": "{word} is now --only zones",
    "--zone": "{word} 4 is now --only Z4",
    "--pixels-per-cell": "{word} 70 is now --dpi 70/cell",
    "--jobs": "{word} is gone; printkit uses every core",
    "--backend": "{word} is gone; for a Dask cluster write --cluster ADDRESS",
    "--overwrite": "{word} is gone; answer again with --reroll, in the studio, or with Field.overwrite in Python",
    "--sight": "{word} is gone; change walls in the other program",
    "--player-a": "{word} is gone; print that folder alone: --only player-a, with any options",
    "--player-b": "{word} is gone; print that folder alone: --only player-b, with any options",
    "--progress": "{word} is gone; the studio shows how far a game night is",
    "--copies": "{word} is now --count",
    "--footprint": "{word} is gone; slopes lie round a hill",
    "--repair": "{word} is gone; hexes that no slope fits are raised, and the sheet says so",
    "--two-high": "{word} is gone; a hill of two levels takes pieces of two levels",
    "--mountain": "{word} is gone; a mountain has three levels",
    "--steps": "{word} is gone; for steps write --hills step",
    "--nodes": "{word} is gone; the search has one limit",
    "--figures": "{word} 25mm is now --set scale=25mm",
    "--mode": "{word} ranges is now --set mode=ranges",
    "--show-npg": "{word} is now printkit npg show BATTLE.toml --npg",
    "--measured-across": "{word} is now --measured ACROSSxALONG, as 180.2x249.5mm",
    "--measured-along": "{word} is now --measured ACROSSxALONG, as 180.2x249.5mm",
    "--back-right": "{word} is now --back RIGHT,UP, as 0.5,-1mm",
    "--back-up": "{word} is now --back RIGHT,UP, as 0.5,-1mm",
    "--list": "{word} is gone; printkit calibrate alone lists the saved printers",
    "--defender": "{word} is gone: printkit columns new GAME.toml DEFENDER ATTACKER",
    "--attacker": "{word} is gone: printkit columns new GAME.toml DEFENDER ATTACKER",
    "--landing": "{word} is now --set landing=defender, invader or both",
    "--no-room": "{word} is now a word of SPENDING: no-room",
    "--date": '{word} is now a line of league.toml: date = "3 May"',
    "--no-browser": "{word} is gone; BROWSER=none keeps the browser closed",
}
