"""Options of printkit 0.2 that no longer exist, each with its replacement. They stay for one release."""

from __future__ import annotations

from typing import Final

GONE: Final = {
    **{
        f"--no-{part}": f"{{word}} is now --hide {part}"
        for part in ("numbers", "zones", "deployment", "grid", "counters", "outline")
    },
    **{
        f"--{part}": "{word} is now the default; remove it"
        for part in ("numbers", "zones", "deployment", "grid", "outline")
    },
    "--labels": "{word} is now --show labels",
    "--by-zone": "{word} is now --only zones",
    "--zone": "{word} 4 is now --only Z4",
    "--pixels-per-cell": "{word} 70 is now --dpi 70/cell",
    "--jobs": "{word} was removed; printkit always uses all cores",
    "--backend": "{word} was removed; for a Dask cluster use --cluster ADDRESS",
    "--overwrite": "{word} was removed; to change a roll use --reroll, the studio, or Field.overwrite in Python",
    "--sight": "{word} was removed; edit walls in the virtual tabletop",
    "--player-a": "{word} was removed; to print only that folder: --only player-a, with any other options",
    "--player-b": "{word} was removed; to print only that folder: --only player-b, with any other options",
    "--placements": "{word} was removed; the turns are in game.txt next to the sealed game",
    "--progress": "{word} was removed; the studio shows progress",
    "--copies": "{word} is now --count",
    "--footprint": "{word} was removed; slope pieces are always placed around a hill",
    "--repair": "{word} was removed; hexes where no slope fits are raised, and the sheet lists them",
    "--two-high": "{word} was removed; a two-level hill uses two-level pieces",
    "--mountain": "{word} was removed; a mountain always has three levels",
    "--steps": "{word} was removed; for vertical sides use --hills step",
    "--nodes": "{word} was removed; the search limit is fixed",
    "--stock-template": "{word} was removed; write printkit schema stock --example --out tiles.toml",
    "--figures": "{word} 25mm is now --set scale=25mm",
    "--mode": "{word} ranges is now --set mode=ranges",
    "--show-npg": "{word} is now printkit npg show BATTLE.toml --npg",
    "--measured-across": "{word} is now --measured AxB, for example 180.2x249.5mm",
    "--measured-along": "{word} is now --measured AxB, for example 180.2x249.5mm",
    "--back-right": "{word} is now --back RIGHT,UP, for example 0.5,-1mm",
    "--back-up": "{word} is now --back RIGHT,UP, for example 0.5,-1mm",
    "--list": "{word} was removed; printkit calibrate without options lists the saved printers",
    "--defender": "{word} was removed; write printkit columns new GAME.toml DEFENDER ATTACKER",
    "--attacker": "{word} was removed; write printkit columns new GAME.toml DEFENDER ATTACKER",
    "--landing": "{word} is now --set landing=defender, invader or both",
    "--no-room": "{word} is now a value of SPENDING: no-room",
    "--date": '{word} is now a line in league.toml: date = "3 May"',
    "--no-browser": "{word} was removed; set BROWSER=none to keep the browser closed",
}
