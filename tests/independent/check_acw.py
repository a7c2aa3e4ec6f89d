"""What breaks the rules of American Civil War terrain by State in a saved battlefield.

The source is a page of tables: a State gives a local geography, which has a table of four dice for each zone. AC-1xx to
AC-4xx are its rules. AC-F, AC-G and AC-N are sizes, geometry and joining, which the source leaves open. The frame:
the defender is at the south edge, and zones are numbered row by row from the north-west.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise, product

from shapely import LineString, Point, Polygon, box, union_all
from shapely.affinity import rotate
from shapely.geometry import shape
from shapely.ops import linemerge

# AC-111 to AC-121: the six scores of each row, by the letters of AC-104.
STATES = {
    "Maryland, Pennsylvania": "FFFFWR",
    "Kansas, Illinois, Indiana": "FFFFPR",
    "Kentucky, Tennessee": "FFSPRM",
    "N. Virginia, N. Carolina": "FFFWRC",
    "Shenandoah & West Virginia": "FFFWRM",
    "South Carolina": "FFFSRC",
    "Georgia": "FFFPSS",
    "Mississippi, Alabama, Arkansas": "FFSPRR",
    "Louisiana, Florida": "FFSSRC",
    "Texas": "FFPPPH",
    "New Mexico": "FPPPHH",
}
# AC-401 to AC-408: a line for each score, with the cells of the four rolls; "-" is a blank.
TABLES = {
    "farm": """
Steep Hill|Field|Railroad|Settlement
Hill|Field|Fenced Road|Farm
Rise|Stream|Sunken Lane|Farm
Wood|Wood|Unfenced Road|Building
Stream|Wall|Fence Line|CHOICE
Field|STOP|STOP|CHOICE""",
    "wilderness": """
Scrub|Steep Hill|Stream|Farm
Stream|Swamp|Pool|Building
Track|Road|Railroad|Forest
Forest|Woodland|Field|Clearing
Hill|Clearing|CHOICE|Hill
Clearing|STOP|STOP|Rise""",
    "riverside": """
Steep Hill|Swamp|Railroad|Settlement
Hill|Swamp|Fenced Road|Farm
Rise|Stream|Ditch|Pool
Wood|Wood|Unfenced Road|Building
Stream|Hill + Cliff|Fence Line|CHOICE
STOP|STOP|CHOICE|Swamp""",
    "mountains": """
Steep Hill|Stream|Railroad|Farm
Long Hill|Pool|Stream|Building
Road|Scrub|Track|Forest
Woodland|Ravine|Forest|Clearing
Spur|Scree|Steep Hill|Hill + Cliff
Rocks|STOP|STOP|Rise""",
    "coastal": """
Swamp|Settlement|Railroad|Sand Dunes
Swamp|Farm|Fenced Road|Hill
Stream|Pool|Ditch|Rise
Wood|Building|Unfenced Road|Wood
Hill + Cliff|CHOICE|Fence Line|Stream
CHOICE|STOP|Rocks|CHOICE""",
    "swampy": """
Swamp|Swamp|Railroad|Settlement
Hill|Swamp|Fenced Road|Farm
Rise|Stream|Ditch|Pool
Wood|Wood|Unfenced Road|Building
Stream|Field|Forest|CHOICE
Scrub|STOP|STOP|CHOICE""",
    "plain": """
Steep Hill|Rocks|Settlement|Railroad
Hill|Pool|Farm|Field
Rise|Ravine|Building|CHOICE
Wood|Scrub|-|-
-|-|-|-
STOP|STOP|-|-""",
    "hilly": """
Rocks|Rise|Steep Hill|Settlement
Pool|Scrub|Hill|Farm
Ravine|Steep Hill|Railroad|Farm
Scrub|Hill + Scree|Wood|Building
Steep Hill + Cliff|Hill|Stream|CHOICE
Hill + Scree|STOP|STOP|CHOICE""",
}
CELLS = {name: [line.split("|") for line in text.split("\n")[1:]] for name, text in TABLES.items()}
ZONE_MM = 24 * 25.4  # AC-201: the longest side of a zone
# AC-F01 to AC-F36, in this order.
PIECES = [
    "Steep Hill", "Hill", "Rise", "Long Hill", "Spur", "Hill + Cliff", "Hill + Scree", "Steep Hill + Cliff", "Wood",
    "Woodland", "Forest", "Scrub", "Clearing", "Field", "Wall", "Fence Line", "Ditch", "Stream", "Creek", "Ravine",
    "Pool", "Swamp", "Sand Dunes", "Rocks", "Scree", "Railroad", "Fenced Road", "Unfenced Road", "Road", "Sunken Lane",
    "Track", "Settlement", "Farm", "Building", "Town", "Fort",
]  # fmt: skip
ROADS = ("Track", "Sunken Lane", "Unfenced Road", "Road", "Fenced Road")  # AC-N04: from the least to the best
STREAMS = ("Stream", "Creek")
WOODS = {"light_woods", "woodland", "forest"}
FIELDS = {"crops", "plough", "pasture"}
HILLS = {"hill", "long_hill", "spur"}

# Kinds on the map, going, long and short side as parts of the zone's shorter side, least and most factor.
AREAS = {
    "Steep Hill": ({"hill"}, "difficult", 0.50, 0.38, 0.7, 1.3),
    "Hill": ({"hill"}, "slow", 0.46, 0.36, 0.7, 1.3),
    "Rise": ({"rise"}, "open", 0.40, 0.30, 0.7, 1.3),
    "Long Hill": ({"long_hill"}, "slow", 0.85, 0.28, 0.8, 1.2),
    "Spur": ({"spur"}, "slow", 0.50, 0.30, 0.7, 1.3),
    "Hill + Cliff": ({"hill"}, "slow", 0.46, 0.36, 0.7, 1.3),
    "Hill + Scree": ({"hill"}, "slow", 0.46, 0.36, 0.7, 1.3),
    "Steep Hill + Cliff": ({"hill"}, "difficult", 0.50, 0.38, 0.7, 1.3),
    "Wood": ({"light_woods"}, "slow", 0.36, 0.30, 0.6, 1.3),
    "Woodland": ({"woodland"}, "slow", 0.56, 0.46, 0.7, 1.2),
    "Forest": ({"forest"}, "difficult", 0.80, 0.74, 0.7, 1.1),
    "Scrub": ({"scrub"}, "slow", 0.40, 0.30, 0.6, 1.3),
    "Clearing": ({"clearing"}, "open", 0.36, 0.30, 0.6, 1.3),
    "Field": (FIELDS, "open", 0.35, 0.25, 0.6, 1.4),
    "Pool": ({"pool"}, "impassable", 0.16, 0.12, 0.7, 1.5),
    "Swamp": ({"swamp"}, "difficult", 0.42, 0.32, 0.6, 1.3),
    "Sand Dunes": ({"dunes"}, "slow", 0.46, 0.24, 0.7, 1.3),
    "Rocks": ({"rocks"}, "difficult", 0.25, 0.20, 0.6, 1.5),
    "Scree": ({"scree"}, "difficult", 0.30, 0.20, 0.6, 1.4),
    "Settlement": ({"settlement"}, "difficult", 0.46, 0.40, 0.7, 1.2),
    "Farm": ({"farm"}, "slow", 0.22, 0.18, 0.8, 1.3),
    "Building": ({"building"}, "obstacle", 0.10, 0.07, 0.8, 1.5),
    "Town": ({"town"}, "difficult", 0.60, 0.50, 0.8, 1.2),
    "Fort": ({"fort"}, "obstacle", 0.35, 0.35, 0.8, 1.3),
}
# Kind on the map, going, width, length, least and most factor, most pieces; no length where AC-N joins the line.
LINES = {
    "Wall": ("wall", "obstacle", None, 0.50, 0.6, 1.4, 3),
    "Fence Line": ("worm_fence", "obstacle", None, 0.60, 0.6, 1.4, 4),
    "Ditch": ("ditch", "obstacle", 0.02, 0.60, 0.6, 1.2, 3),
    "Ravine": ("ravine", "difficult", 0.08, 0.60, 0.7, 1.3, None),
    "Stream": ("stream", "slow", 0.03, None, None, None, None),
    "Creek": ("creek", "difficult", 0.06, None, None, None, None),
    "Railroad": ("railway", "open", 0.05, None, None, None, None),
    "Fenced Road": ("fenced_road", "fast", 0.06, None, None, None, None),
    "Unfenced Road": ("road", "fast", 0.06, None, None, None, None),
    "Road": ("road", "fast", 0.06, None, None, None, None),
    "Sunken Lane": ("sunken_lane", "fast", 0.05, None, None, None, None),
    "Track": ("track", "open", 0.03, None, None, None, None),
}
ROAD_KINDS = {"track", "sunken_lane", "road", "fenced_road"}
COURSES = ROAD_KINDS | {"stream", "creek", "railway"}
LONGEST = {"stream": 1.5, "creek": 1.5, "railway": 1.15}  # AC-G08; roads 1.3
RADIUS = 0.4  # AC-F26: the curves of a railroad
MARGIN = 0.04  # AC-G01
TO_THE_SIDE = {"long_hill", "spur", "forest", "swamp", "dunes"}  # AC-G01
ON_HILLS = WOODS | {"scrub", "rocks", "scree", "clearing"}  # AC-G02
ON_LOW_HILLS = FIELDS | {"farm", "building"}  # AC-G02: on Hill and Rise
MARKS = {"ford", "bridge", "railway_bridge", "level_crossing"}

SLACK = 1.0  # mm: outlines are rounded to thousandths and smoothed between their points
SIZE_SLACK = 0.02  # part of a size: outlines are drawn inside the box of their size, smooth curves leave it a little


class Table:
    """A saved battlefield, read for the checks."""

    def __init__(self, record: dict) -> None:
        self.record, self.settings, self.own = record, record["settings"], record["acw"]
        self.width, self.depth = record["board"]["width_mm"], record["board"]["depth_mm"]
        # AC-201, AC-Q02: equal zones of at most 24 inches.
        self.columns, self.rows = (math.ceil(side / ZONE_MM - 1e-6) for side in (self.width, self.depth))
        self.zones = range(1, self.columns * self.rows + 1)
        self.side = min(self.width / self.columns, self.depth / self.rows)
        self.features = {
            row["id"]: {**row["properties"], "id": row["id"], "shape": shape(row["geometry"])}
            for row in record["features"]
        }
        self.water = (self.own["water"] or {}).get("edge")

    def place(self, zone: int) -> tuple[int, int]:
        """Return the column and the row of a zone, from 0."""
        return (zone - 1) % self.columns, (zone - 1) // self.columns

    def ground(self, zone: int) -> Polygon:
        """Return the square of a zone."""
        (column, row), wide, deep = self.place(zone), self.width / self.columns, self.depth / self.rows
        return box(column * wide, self.depth - (row + 1) * deep, (column + 1) * wide, self.depth - row * deep)

    def beyond(self, zone: int, side: str) -> int | None:
        """Return the zone across a side N, E, S or W, or None at the edge of the table."""
        column, row = self.place(zone)
        across, down = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[side]
        if 0 <= column + across < self.columns and 0 <= row + down < self.rows:
            return zone + across + down * self.columns
        return None

    def distance(self, one: int, other: int) -> int:
        """Return the number of steps between two zones."""
        (column, row), (to_column, to_row) = self.place(one), self.place(other)
        return abs(column - to_column) + abs(row - to_row)

    def results(self) -> list[dict]:
        """Return the results that stand: kept or chosen."""
        return [row for row in self.own["zones"] if row["fate"] in ("kept", "chosen")]

    def zones_with(self, pieces: tuple[str, ...]) -> list[int]:
        """Return the zones that have one of some results, or a place of the campaign, in order."""
        rows = [*self.results(), *(row for row in self.own["zones"] if row["fate"] == "given")]
        return sorted({row["zone"] for row in rows if name_of(row) in pieces})

    def of(self, kinds: set[str]) -> list[dict]:
        """Return the features of some kinds."""
        return [feature for feature in self.features.values() if feature["kind"] in kinds]


def clause(piece: str) -> str:
    """Return the clause of a piece's size and shape (AC-F01 to AC-F36)."""
    return f"AC-F{PIECES.index(piece) + 1:02}"


def name_of(row: dict) -> str:
    """Return the name of a result in the words of the source."""
    if row["fate"] != "chosen":
        return row["cell"]
    names = {piece.lower().replace(" + ", "_").replace(" ", "_"): piece for piece in {*AREAS, *LINES}}
    return names.get(row["piece"], row["piece"])


def check(record: dict) -> list[str]:
    """Return a line for each fault: the clause, what is wrong and where."""
    table = Table(record)
    if broken := [name for name, feature in table.features.items() if not feature["shape"].is_valid]:
        return [f"RFC 7946: {broken[0]} is not a valid outline"]
    faults = [*_geography(table), *_rolls(table)]
    checks = (_drawn, _areas, _lines, _hills, _margins, _overlaps, _water, _network, _courses, _crossings)
    return faults + [fault for each in checks for fault in each(table)]


def _geography(table: Table) -> Iterator[str]:
    """The geography is what the State's die says, or the setting (AC-103, AC-110); zones and water (AC-201, AC-303)."""
    geography, log = table.own["geography"], table.record["log"]
    state = next((row["answer"] for row in log if row["reason"] == "State of the battle"), table.own["state"])
    for row in [row for row in log if row["reason"].startswith("geography of ")][-1:]:
        letter = STATES[state][int(row["answer"]) - 1]
        if geography[0].upper() != letter:
            yield f"AC-103: the die {row['answer']} of {state} gives {letter}, the table has {geography}"
    given = table.settings["geography"]
    if given != "by-state" and geography[0].upper() != given[0].upper():
        yield f"AC-103: the setting is {given}, the table has {geography}"
    if table.own["grid"] != {"columns": table.columns, "rows": table.rows}:
        yield f"AC-201: the table has {table.own['grid']}, not {table.columns} by {table.rows} zones"
    wet = {"riverside": "waterway", "coastal": "sea"}.get(geography)
    bands = [feature["kind"] for feature in table.of({"waterway", "sea"})]
    creek = geography == "riverside" and table.settings["water"] == "creek"
    if bands != ([wet] if wet and not creek else []):
        yield f"AC-303: {geography} has {bands or 'no water'} along an edge"


def _rolls(table: Table) -> Iterator[str]:
    """The zone log is what the dice say (AC-204 to AC-209, AC-212, AC-401 to AC-408)."""
    cells, number = CELLS[table.own["geography"]], 401 + list(CELLS).index(table.own["geography"])
    choices = {cell for line in cells for cell in line} - {"STOP", "CHOICE", "-"} | {"Creek"}  # AC-410
    dice = [row for row in table.record["log"] if row["stage"] == "zones" and row["reason"].startswith("zone ")]
    thrown, kept, due = iter(dice), table.own["zones"], 0
    # AC-302, AC-Q07: a town of the campaign counts before any dice.
    places = sum(row["die"] is None and row["cell"] == "Town" for row in kept)
    for zone, roll in product(table.zones, (1, 2, 3, 4)):
        have = next((row for row in kept if (row["zone"], row["roll"]) == (zone, roll)), None)
        if have and have["die"] is None:
            continue
        stopped = any(row["zone"] == zone and row["fate"] == "stop" and row["roll"] < roll for row in kept)
        if stopped or not have:
            if bool(have) == stopped:
                yield f"AC-206: zone {zone}, roll {roll} is {'rolled after STOP' if stopped else 'missing'}"
            continue
        due += 1
        die = next(thrown, None)
        if not die or die["reason"] != f"zone {zone}, roll {roll}" or int(die["answer"]) != have["die"]:
            yield f"AC-204: zone {zone}, roll {roll} has the die {have['die']}, the log {die and die['answer']}"
            continue
        cell = cells[have["die"] - 1][roll - 1]
        if cell != (have["cell"] or "-"):
            yield f"AC-{number}: zone {zone}, roll {roll}: {have['die']} is {cell}, not {have['cell']}"
        name = name_of(have)
        fates = {"STOP": {"stop"}, "-": {"blank"}, "CHOICE": {"chosen", "declined"}}.get(cell, {"kept", "ignored"})
        if have["fate"] not in fates:
            yield f"AC-{206 if cell == 'STOP' else 205}: zone {zone}, roll {roll}: {cell} is {have['fate']}"
        if have["fate"] == "chosen" and name not in choices:
            yield f"AC-207: zone {zone}, roll {roll}: {name} is not in the lists"
        if name in ("Farm", "Settlement") and have["fate"] in ("kept", "chosen", "ignored"):
            if (have["fate"] == "ignored") != (places >= 2):
                yield f"AC-212: zone {zone}, roll {roll}: {name} is {have['fate']} after {places} on the table"
            places += have["fate"] != "ignored"
        elif have["fate"] == "ignored":
            yield f"AC-212: zone {zone}, roll {roll}: {name} is ignored"
    if len(dice) != due:
        yield f"AC-206: the log has {len(dice)} dice for zones, {due} are due"


def _drawn(table: Table) -> Iterator[str]:
    """Every result is drawn, or the record says that it has no room; nothing else is drawn (AC-205, AC-G04)."""
    rolled = {f"z{row['zone']}-{row['roll']}": row for row in table.results()}
    for name, row in rolled.items():
        piece, feature = name_of(row), table.features.get(name)
        if piece not in PIECES:
            continue
        if piece in AREAS or LINES[piece][3]:
            # Swamps of a zone are one, and those of neighbouring zones grow together (AC-Q17, AC-N33).
            merged = piece == "Swamp" and any(
                each["shape"].intersects(table.ground(row["zone"])) for each in table.of({"swamp"})
            )
            kinds = AREAS[piece][0] if piece in AREAS else {LINES[piece][0]}
            going = AREAS[piece][1] if piece in AREAS else LINES[piece][1]
            if feature and "no_room" in row:
                yield f"AC-G04: {piece} {name} is drawn, though the record says there is no room"
            elif not feature and "no_room" not in row and not merged:
                yield f"AC-G04: {piece} {name} is not drawn"
            elif feature and (feature["kind"] not in kinds or feature["going"] != going):
                yield f"{clause(piece)}: {piece} {name} is drawn as {feature['kind']}, {feature['going']} going"
        elif not any(
            each["shape"].intersects(table.ground(row["zone"]).buffer(-SLACK)) for each in table.of({LINES[piece][0]})
        ):
            yield f"AC-N01: zone {row['zone']} has no {piece}"
    free = {"water", "creek", "stream", "crossing", "junction"} | ROAD_KINDS | {"unfenced_road"}
    # A town or a fort of the campaign needs no die (AC-302).
    given = {f"z{row['zone']}-{row['roll']}": row["cell"] for row in table.own["zones"] if row["fate"] == "given"}
    for name, piece in given.items():
        if name not in table.features or table.features[name]["kind"] != piece.casefold():
            yield f"AC-G04: {piece} {name} is not drawn"
    for name, feature in table.features.items():
        belt = feature["kind"] in WOODS and any(
            name.startswith(f"{each}-") and name_of(row) == "Clearing" for each, row in rolled.items()
        )
        if (
            name not in rolled
            and name not in given
            and "of" not in feature
            and not belt
            and name.split("-")[0] not in free
        ):
            yield f"AC-205: no result gives {feature['kind']} {name}"


def _rolled(table: Table) -> Iterator[tuple[str, dict, dict]]:
    """Yield the name of each result that has a feature of its own kind, with its row and its feature."""
    for row in table.results():
        name, feature = name_of(row), table.features.get(f"z{row['zone']}-{row['roll']}")
        if feature and name in PIECES and feature["kind"] in (AREAS[name][0] if name in AREAS else {LINES[name][0]}):
            yield name, row, feature


def _fits(drawn: Polygon, long: float, short: float, least: float, most: float) -> bool:
    """Return whether an outline has the sides of a size in some direction, between the least and the most factor."""
    sides = [rotate(drawn, angle).bounds for angle in range(0, 180, 3)]
    low, high = least * (1 - SIZE_SLACK), most * (1 + SIZE_SLACK)
    return any(
        long * low <= right - left <= long * high and short * low <= top - bottom <= short * high
        for left, bottom, right, top in sides
    )


def _areas(table: Table) -> Iterator[str]:
    """Sizes and going of areas (AC-F01 to AC-F36, AC-Q17)."""
    joined = {zone for pair in _pairs(table, table.zones_with(("Swamp",))) for zone in pair}
    for piece, row, feature in _rolled(table):
        if piece not in AREAS or (piece == "Swamp" and row["zone"] in joined):
            continue
        _, _, long, short, least, most = AREAS[piece]
        twins = sum(name_of(other) == piece == "Swamp" and other["zone"] == row["zone"] for other in table.results())
        grown = math.sqrt(1.75) if twins > 1 else 1.0
        sizes = (long * table.side, short * table.side, least, most * grown)
        if not _fits(feature["shape"], *sizes):
            yield f"{clause(piece)}: {feature['id']} does not have the size of its kind"
        corners = len(feature["shape"].exterior.coords) - 1
        if piece == "Field" and corners != 4:
            yield f"AC-F14: {feature['id']} has {corners} sides"


def _pairs(table: Table, zones: list[int]) -> list[list[int]]:
    """Return the pairs of zones that share a side."""
    return [[one, other] for one in zones for other in zones if one < other and table.distance(one, other) == 1]


def _lines(table: Table) -> Iterator[str]:
    """Walls, fences, ditches and ravines: length, pieces; widths of all lines (AC-F15 to AC-F20, AC-F26 to AC-F31)."""
    widths = {kind: width for kind, _, width, *_ in LINES.values()}
    clauses = {row[0]: clause(piece) for piece, row in LINES.items()}
    for feature in table.features.values():
        width = widths.get(feature["kind"])
        if width and abs(feature["width_mm"] - width * table.side) > 0.01 * table.side:
            yield f"{clauses[feature['kind']]}: {feature['id']} is {feature['width_mm']} mm wide"
    for piece, _, feature in _rolled(table):
        if piece not in LINES or not LINES[piece][3]:
            continue
        _, _, _, long, least, most, pieces = LINES[piece]
        line = feature["shape"]
        straight = line.length if pieces else math.dist(line.coords[0], line.coords[-1])
        if line.length < long * least * table.side * (1 - SIZE_SLACK) or straight > long * most * table.side * (
            1 + SIZE_SLACK
        ):
            yield f"{clause(piece)}: {feature['id']} is {line.length / table.side:.3f} of a zone long"
        if pieces and len(line.coords) - 1 > pieces:
            yield f"{clause(piece)}: {feature['id']} has {len(line.coords) - 1} pieces"


def _hills(table: Table) -> Iterator[str]:
    """Contours, hachures, cliffs and aprons of hills (AC-F01 to AC-F08)."""
    for piece, _, hill in _rolled(table):
        if piece not in AREAS or not AREAS[piece][0] & (HILLS | {"rise"}):
            continue
        rim, name = hill["shape"].exterior, hill["id"]
        tops = [Polygon(rings[0], rings[1:]) for rings in hill["contours"]]
        steep, parts = "Steep" in piece, {}
        for part in table.features.values():
            if part.get("of") == name:
                parts.setdefault(part["kind"], []).append(part["shape"])
        if len(tops) != steep:
            yield f"{clause(piece)}: {name} has {len(tops)} upper contours"
        elif steep and not (0.29 <= tops[0].area / hill["shape"].area <= 0.51 and hill["shape"].covers(tops[0])):
            yield f"AC-F01: the upper contour of {name} has {tops[0].area / hill['shape'].area:.2f} of its area"
        due = (
            ({"steep_slope"} if steep else set())
            | ({"cliff"} if "Cliff" in piece else set())
            | ({"scree"} if "Scree" in piece else set())
        )
        if set(parts) != due:
            yield f"{clause(piece)}: {name} has {sorted(parts)} on its sides, not {sorted(due)}"
            continue
        shares = {kind: sum(line.length for line in lines) / rim.length for kind, lines in parts.items()}
        if any(rim.distance(Point(each)) > SLACK for lines in parts.values() for line in lines for each in line.coords):
            yield f"{clause(piece)}: the steep sides of {name} are not on its outline"
        if "cliff" in shares and not 0.24 <= shares["cliff"] <= 0.41:
            yield f"AC-F06: the cliff of {name} takes {shares['cliff']:.2f} of its outline"
        if steep and shares["steep_slope"] + shares.get("cliff", 0.0) < 0.98:
            yield f"AC-F01: the hachures of {name} take {shares['steep_slope']:.2f} of its outline"
        if "scree" in shares:
            centre = hill["shape"].centroid
            (line,) = parts["scree"]
            ends = [math.atan2(y - centre.y, x - centre.x) for x, y in (line.coords[0], line.coords[-1])]
            sector = math.degrees(abs(ends[1] - ends[0])) % 360
            if abs(min(sector, 360 - sector) - 90) > 10:
                yield f"AC-F07: the scree of {name} takes {min(sector, 360 - sector):.0f} degrees"


def _margins(table: Table) -> Iterator[str]:
    """Areas and works are inside their zones, off the sides (AC-G01)."""
    swamps = union_all([table.ground(zone) for zone in table.zones_with(("Swamp",))])
    for piece, row, feature in _rolled(table):
        if piece in LINES and not LINES[piece][3]:
            continue
        ground = table.ground(row["zone"])
        if feature["kind"] == "swamp":
            inside = swamps.buffer(SLACK).covers(feature["shape"])
        elif feature["kind"] in TO_THE_SIDE | {"ravine", "ditch"}:
            inside = ground.buffer(SLACK).covers(feature["shape"])
        else:
            inside = ground.buffer(SLACK - MARGIN * table.side).covers(feature["shape"])
        if not inside or feature["zone"] != row["zone"]:
            yield f"AC-G01: {piece} {feature['id']} leaves its zone or is too near to its side"


def _overlaps(table: Table) -> Iterator[str]:
    """Areas do not overlap, except trees and the like on hills, and clearings in trees (AC-G02)."""
    areas = [
        feature
        for feature in table.features.values()
        if isinstance(feature["shape"], Polygon) and feature["kind"] not in ("sea", "waterway")
    ]
    for step, one in enumerate(areas):
        for other in areas[step + 1 :]:
            if (
                one["shape"].intersection(other["shape"]).area > 4.0
                and not _may_overlap(one, other)
                and not _may_overlap(other, one)
            ):
                yield f"AC-G02: {one['kind']} {one['id']} and {other['kind']} {other['id']} overlap"


def _may_overlap(upper: dict, lower: dict) -> bool:
    """Return whether one area may lie on another (AC-G02)."""
    if upper["kind"] == "clearing" and lower["kind"] in WOODS:
        return True
    low = lower["kind"] == "rise" or (lower["kind"] == "hill" and lower["going"] == "slow")
    return (lower["kind"] in HILLS | {"rise"} and upper["kind"] in ON_HILLS) or (low and upper["kind"] in ON_LOW_HILLS)


def _water(table: Table) -> Iterator[str]:
    """A river or sea takes a band along one whole edge; other ground keeps off it (AC-303, AC-F37, AC-F38, AC-Q24)."""
    for band in table.of({"waterway", "sea"}):
        wide, deep = table.width, table.depth
        across = {"N": (0, deep, wide, deep), "S": (0, 0, wide, 0), "W": (0, 0, 0, deep), "E": (wide, 0, wide, deep)}
        start_x, start_y, end_x, end_y = across[table.water]
        edge = LineString([(start_x, start_y), (end_x, end_y)])
        depth = (0.20 if band["kind"] == "waterway" else 0.25) * table.side
        if band["shape"].intersection(edge.buffer(SLACK)).area < 0.97 * edge.length * SLACK:
            yield f"AC-303: the water does not run along the whole edge {table.water}"
        mean = band["shape"].area / edge.length
        if not 0.5 * depth <= mean <= 1.5 * depth:
            yield f"AC-F{37 if band['kind'] == 'waterway' else 38}: the water is {mean:.0f} mm deep"
        outside = not box(0, 0, wide, deep).buffer(-SLACK).intersects(band["shape"])
        if outside != (table.settings["ac-q24"] == "outside"):
            yield f"AC-Q24: the water is {'beyond' if outside else 'on'} the table"
        for feature in table.features.values():
            dry = feature is not band and "of" not in feature and feature["kind"] not in COURSES | {"ditch", "swamp"}
            if dry and feature["shape"].intersection(band["shape"]).area > 4.0:
                yield f"AC-Q24: {feature['kind']} {feature['id']} is in the water"


def _links(table: Table, zones: list[int], ranks: tuple[tuple[str, ...], ...]) -> list[list[int]]:
    """Return the links of a network of roads or streams, in their order (AC-N01 to AC-N03)."""
    group, paths = {zone: zone for zone in zones}, []
    rank = {
        zone: next((step for step, pieces in enumerate(ranks) if zone in table.zones_with(pieces)), 2)
        for zone in table.zones
    }
    while True:
        pairs = sorted(
            (table.distance(one, other), one, other)
            for one in group
            for other in group
            if one < other and group[one] != group[other]
        )
        if not pairs or pairs[0][0] > int(table.settings["ac-q21"]):
            return paths
        _, one, other = pairs[0]
        path = min(_shortest(table, one, other), key=lambda path: (sum(rank[zone] for zone in path[1:-1]), path))
        paths.append(path)
        joined = {group[zone] for zone in path if zone in group}
        # A link may pass a zone of a third group: then that group is one with them too.
        group |= dict.fromkeys([*path, *(zone for zone in group if group[zone] in joined)], one)


def _shortest(table: Table, one: int, other: int) -> Iterator[list[int]]:
    """Yield the shortest zone paths between two zones."""
    if one == other:
        yield [one]
    for side in "NESW":
        near = table.beyond(one, side)
        if near and table.distance(near, other) < table.distance(one, other):
            yield from ([one, *rest] for rest in _shortest(table, near, other))


def _rail(table: Table) -> dict | None:
    """Return the axis and the path of the railroad, and the zones of its branches (AC-N31, AC-N32)."""
    zones = table.zones_with(("Railroad",))
    if not zones:
        return None
    columns, rows = ({table.place(zone)[axis] for zone in zones} for axis in (0, 1))
    east = len(columns) > len(rows) or (len(columns) == len(rows) and table.columns >= table.rows)
    east = table.water in ("N", "S") if table.water else east
    steps, at = (0, 1) if east else (1, 0), [table.place(zone) for zone in zones]
    along = {
        step: [place[steps[1]] for place in at if place[steps[0]] == step]
        for step in range(table.columns if east else table.rows)
    }
    row, path, branches = min(next(found for found in along.values() if found)), [], []
    for step, found in along.items():
        path.append((step, row))
        if found:
            carrier = min(found, key=lambda each: (abs(each - row), each))
            branches += [(step, each) for each in found if each != carrier]
            path += [(step, each) for each in range(row, carrier, 1 if carrier > row else -1)][1:] + [
                (step, carrier)
            ] * (carrier != row)
            row = carrier
    number = (
        (lambda step, row: row * table.columns + step + 1)
        if east
        else (lambda step, row: step * table.columns + row + 1)
    )
    passed = {number(*each) for each in path}
    return {
        "axis": "W-E" if east else "N-S",
        "path": [number(*each) for each in path],
        "branches": sorted(number(*each) for each in branches if number(*each) not in passed),
    }


def _creek(table: Table) -> list[int] | None:
    """Return the path of a creek from the zones of its dice (AC-305, AC-306, AC-N30, AC-D5)."""
    dice = [int(row["answer"]) for row in table.record["log"] if "the creek" in row["reason"]]
    if len(table.zones) != 6 or table.columns != 3 or len(dice) != 2:
        return None
    path = [dice[0]]
    while path[-1] != dice[1]:
        (column, row), (to_column, to_row) = table.place(path[-1]), table.place(dice[1])
        across, down = to_column - column, to_row - row
        side = ("E" if across > 0 else "W") if abs(across) >= abs(down) else ("S" if down > 0 else "N")
        path.append(table.beyond(path[-1], side) or 0)
    return path


def _network(table: Table) -> Iterator[str]:
    """Links, railroad, creek and swamps join as the rules say, and are drawn across the sides (AC-N01 to AC-N33)."""
    graph = table.own["graph"]
    for name, pieces, ranks in (
        ("roads", ROADS, (("Settlement", "Town", "Fort"), ("Farm",))),
        ("streams", STREAMS, (("Swamp",), ("Pool",))),
    ):
        due = _links(table, table.zones_with(pieces), ranks)
        # AC-Q20: with lanes, a track leads from each place without a road to the network.
        have = graph[name]["links"][: len(due)] if table.settings["ac-q20"] == "lanes" else graph[name]["links"]
        if due != have:
            yield f"AC-N02: the links of {name} are {graph[name]['links']}, not {due}"
    rail, have = _rail(table), graph["rail"]
    if have:
        have = {
            "axis": have["axis"],
            "path": have["path"],
            "branches": sorted(branch["zone"] for branch in have["branches"]),
        }
    if rail != have:
        yield f"AC-N32: the railroad is {have}, not {rail}"
    creek = _creek(table)
    if creek and graph["creek"]["path"] != creek:
        yield f"AC-N30: the creek passes {graph['creek']['path']}, not {creek}"
    pairs = _pairs(table, table.zones_with(("Swamp",)))
    if pairs != sorted(graph["swamps"]):
        yield f"AC-N33: swamps join in {graph['swamps']}, not {pairs}"
    roomless = {row["zone"] for row in table.results() if "no_room" in row and name_of(row) == "Swamp"}
    for one, other in pairs:
        if not roomless & {one, other} and not any(
            each["shape"].intersection(table.ground(zone)).area > 4.0
            for each in table.of({"swamp"})
            for zone in (one,)
            if each["shape"].intersects(table.ground(other).buffer(-SLACK))
        ):
            yield f"AC-N33: the swamps of zones {one} and {other} are not drawn as one"
    steps = [(ROAD_KINDS, path) for path in graph["roads"]["links"]] + [
        ({"stream", "creek"}, path) for path in graph["streams"]["links"]
    ]
    steps += [({"railway"}, rail["path"])] if rail else []
    steps += [({"creek"}, graph["creek"]["path"])] if graph["creek"] else []
    for kinds, path in steps:
        for one, other in pairwise(path):
            side = table.ground(one).intersection(table.ground(other))
            if not any(each["shape"].distance(side) < SLACK for each in table.of(kinds)):
                yield f"AC-N02: no {' or '.join(sorted(kinds))} is drawn from zone {one} to {other}"


def _courses(table: Table) -> Iterator[str]:
    """Roads, rails and streams: sides, length, bends, ground that they avoid, ends (AC-G05 to AC-G08, AC-F26)."""
    sides = [
        (table.ground(one).intersection(table.ground(other)), one, other)
        for one, other in _pairs(table, list(table.zones))
    ]
    solid = {
        "pool": ROAD_KINDS | {"railway"},
        "rocks": COURSES,
        "waterway": ROAD_KINDS | {"railway"},
        "sea": ROAD_KINDS | {"railway"},
    }
    for course in table.of(COURSES):
        line, kind, name = course["shape"], course["kind"], course["id"]
        if not line.is_simple:
            yield f"AC-G08: {name} crosses itself"
        for side, one, other in sides:
            for point in _points(line.intersection(side)):
                part = side.project(point) / side.length
                if not 0.245 <= part <= 0.755:
                    yield f"AC-G07: {name} passes from zone {one} to {other} at {part:.2f} of their side"
        for zone in table.zones:
            within = line.intersection(table.ground(zone))
            for piece in getattr(
                linemerge(within) if within.geom_type == "MultiLineString" else within, "geoms", [within]
            ):
                rim = table.ground(zone).exterior
                if piece.length > 0.2 * table.side and all(
                    rim.distance(Point(piece.coords[end])) < SLACK for end in (0, -1)
                ):
                    ratio = piece.length / math.dist(piece.coords[0], piece.coords[-1])
                    if ratio > LONGEST.get(kind, 1.3) + 0.03:
                        yield f"AC-G08: {name} is {ratio:.2f} times as long as straight in zone {zone}"
        for area in table.features.values():
            steep = area["kind"] == "hill" and area["going"] == "difficult" and kind not in ("track", "stream", "creek")
            wet = kind in ("stream", "creek") and area["kind"] in HILLS | {
                "settlement",
                "farm",
                "building",
                "town",
                "fort",
            }
            if (steep or wet or kind in solid.get(area["kind"], ())) and line.intersection(
                area["shape"].buffer(-SLACK)
            ).length > SLACK:
                yield f"AC-G0{6 if wet else 5}: {name} passes {area['kind']} {area['id']}"
        if kind == "railway":
            radius = _least_radius(line, 0.1 * table.side)
            if radius < RADIUS * 0.95 * table.side:
                yield f"AC-F26: {name} bends at a radius of {radius / table.side:.2f} of a zone"
        for end in (Point(line.coords[0]), Point(line.coords[-1])):
            yield from _end(table, course, end)


def _points(found: object) -> list[Point]:
    """Return the points of an intersection."""
    return [each for each in getattr(found, "geoms", [found]) if isinstance(each, Point)]


def _least_radius(line: LineString, step: float) -> float:
    """Return the least radius of the circles through three points of a line that are a step apart."""
    points = [line.interpolate(step * each) for each in range(int(line.length / step))]
    least = math.inf
    for one, two, three in zip(points, points[1:], points[2:], strict=False):
        area = abs((two.x - one.x) * (three.y - one.y) - (three.x - one.x) * (two.y - one.y)) / 2
        if area > 1e-9:
            least = min(least, one.distance(two) * two.distance(three) * one.distance(three) / (4 * area))
    return least


def _end(table: Table, course: dict, end: Point) -> Iterator[str]:
    """A course ends at the table edge, at another of its class, or at what it leads to (AC-N04, AC-N10 to AC-N25)."""
    wide, deep, kind = table.width, table.depth, course["kind"]
    edges = {"N": deep - end.y, "E": wide - end.x, "S": end.y, "W": end.x}
    near = {side for side, off in edges.items() if off < SLACK}
    if near and not (kind in ROAD_KINDS | {"railway"} and near == {table.water}):
        return
    same = ROAD_KINDS if kind in ROAD_KINDS else {"stream", "creek"} if kind != "railway" else {"railway"}
    goals = (
        {"settlement", "town", "fort", "farm", "building"} | WOODS
        if kind in ROAD_KINDS
        else HILLS | {"pool", "swamp", "sea", "waterway"}
    )
    reach = (
        0.1 * table.side
    )  # of a place: a road ends at its houses or beside its yard; streams rise at the foot of a hill
    for other in table.features.values():
        if (
            other is not course
            and other["kind"] in same | goals
            and other["shape"].distance(end) < (SLACK + 2 if other["kind"] in same else reach)
        ):
            return
    # A place or hill without room (AC-G04) leaves the end of its road or stream in the open, in its zone.
    for row in (row for row in table.results() if "no_room" in row):
        name, graph = name_of(row), table.own["graph"]
        led = [f"{name.casefold()} {row['zone']}" in text.split(" via")[0] for _, text in graph["roads"]["ends"]]
        rises = [[row["zone"], f"foot of {name}"] == source for source in graph["streams"]["sources"]]
        if any(led if kind in ROAD_KINDS else rises) and table.ground(row["zone"]).distance(end) < SLACK:
            return
    # A side road may end in the open in a zone whose only edge of the table is water (AC-N04).
    for reach in table.own["reaches"] if kind in ROAD_KINDS else ():
        ground = table.ground(reach["zone"])
        low_x, low_y, high_x, high_y = ground.bounds
        dry = {"N": high_y > deep - SLACK, "E": high_x > wide - SLACK, "S": low_y < SLACK, "W": low_x < SLACK}
        is_inland = not any(at_edge for side, at_edge in dry.items() if side != table.water)
        if is_inland and ["open", ""] in reach["arms"] and ground.distance(end) < SLACK:
            return
    # A stream may rise in the open, or at the side towards a zone with a hill, which may be far off.
    sources = {text.split(" beyond")[0] for _, text in table.own["graph"]["streams"]["sources"]}
    if kind in ("stream", "creek") and sources & {"open", "hill"}:
        return
    yield f"AC-N{13 if near else 10 if kind in ROAD_KINDS else 25}: {course['id']} ends at {end.x:.0f},{end.y:.0f}"


def _crossings(table: Table) -> Iterator[str]:
    """Courses of two classes cross by the due mark, and marks are only there (AC-N40)."""
    marks = table.of(MARKS)
    ways = table.of(COURSES)
    near = dict.fromkeys((mark["id"] for mark in marks), False)
    for over, under in product(ways, ways):
        due = _mark("paved" if "AC-F29" in over["source"] else over["kind"], under["kind"])
        if not due:
            continue
        reach = 20 + (over["width_mm"] + under["width_mm"]) / 2
        for point in _points(over["shape"].intersection(under["shape"])):
            here = [mark for mark in marks if mark["shape"].distance(point) < reach]
            near |= {mark["id"]: True for mark in here if mark["kind"] == due}
            if not any(mark["kind"] == due for mark in here):
                yield f"AC-N40: {over['id']} crosses {under['id']} at {point.x:.0f},{point.y:.0f} without a {due}"
    for name, crossed in near.items():
        if not crossed:
            yield f"AC-N40: {name} is where nothing crosses"


def _mark(over: str, under: str) -> str:
    """Return the mark of one course over another, or an empty text (AC-N40)."""
    if over == "railway":
        return "railway_bridge" if under in ("stream", "creek") else ""
    if over not in ROAD_KINDS | {"paved"} or under not in ("stream", "creek", "railway"):
        return ""
    if under == "railway":
        return "level_crossing"
    return "bridge" if under == "creek" or over in ("fenced_road", "paved") else "ford"
