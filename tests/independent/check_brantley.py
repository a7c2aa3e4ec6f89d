"""Terrain by playing cards (Chris Brantley, Random Terrain System, 29 June 1998): what a record breaks of it.

Numbers and tables are those of the source. BR-G clauses are the measures that the rules in our own words add where the
source is silent; they are inches on the board of 24 inches, and grow with it (BR-G01).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from record_shapes import (
    ROUNDED,
    Saved,
    Tree,
    band,
    corner_turns,
    crossings,
    ends,
    mark_faults,
    meeting_angle,
    pieces,
    roll_off_winner,
    sharpest_bend,
    straightness,
    stretch_near_edges,
    turn_between,
)
from shapely import affinity
from shapely.geometry import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
BLACK: Final = {
    "A": ("BR-301", "bua", "bad", 0),
    "2": ("BR-302", "heavy_woods", "impassable", 0),
    "3": ("BR-303", "broken_ground", "bad", 0),
    "4": ("BR-304", "light_woods", "bad", 0),
    "5": ("BR-305", "light_woods", "bad", 0),
    "6": ("BR-306", "light_woods", "bad", 0),
    "7": ("BR-307", "marsh", "bad", 0),
    "8": ("BR-308", "marsh", "bad", 0),
    "9": ("BR-309", "hill", "", 1),
    "10": ("BR-310", "hill", "", 1),
    "J": ("BR-311", "hill", "", 2),
    "Q": ("BR-312", "lake", "impassable", 0),
    "K": ("BR-313", "bua", "bad", 0),
}
"""The table of the source: what a black card puts on the board, its going, and a hill's levels; red puts nothing."""

SIZES: Final = {
    ("bua", 0): ("BR-G11", 3.0, 6.0),
    ("heavy_woods", 0): ("BR-G12", 3.0, 6.5),
    ("broken_ground", 0): ("BR-G13", 3.0, 6.5),
    ("light_woods", 0): ("BR-G14", 3.0, 6.5),
    ("marsh", 0): ("BR-G15", 3.0, 6.5),
    ("hill", 1): ("BR-G16", 3.5, 6.5),
    ("hill", 2): ("BR-G17", 4.5, 6.5),
    ("lake", 0): ("BR-G18", 3.0, 6.5),
}
"""The least and the greatest side of a feature in inches."""

RESTRICTIVE: Final = ("lake", "heavy_woods", "bua", "hill2", "hill1", "marsh", "broken_ground", "light_woods", "")
"""What cards put on the board, from the most to the least restrictive (BR-M22)."""
HUNGRY: Final = (5, 4, 6, 8, 7, 9, 2, 1, 3)
CENTRE: Final = (5, 8, 2)
FLANKS: Final = (4, 6, 7, 9, 1, 3)
"""The zones in the order in which policies fill them, for A (BR-M25, BR-M26)."""

RIVERS: Final = {1: 1, 2: 1, 3: 2, 4: 0, 5: 0, 6: 0}
ROADS: Final = {1: 1, 2: 1, 3: 1, 4: 2, 5: 0, 6: 0}
WIDER: Final = 0.005
"""Inches that a box of rounded points may differ from the source."""
DEGREES: Final = 0.5
"""A direction is taken from rounded points a quarter of an inch apart."""
FEATURES: Final = frozenset(kind for _, kind, _, _ in BLACK.values())
KINDS: Final = FEATURES | {"steep_slope", "river", "road", "ford", "bridge"}


def inch(saved: Saved) -> float:
    """Return the millimetres of an inch of the board of 24 inches."""
    return saved.width / 24


def zone(saved: Saved, number: int) -> Polygon:
    """Return a zone: 1 to 3 along A's edge, which is the far one, each row from the left (BR-105, BR-106)."""
    side, row, column = saved.width / 3, 2 - (number - 1) // 3, (number - 1) % 3
    return box(column * side, row * side, (column + 1) * side, (row + 1) * side)


def reading(card: str | None) -> tuple[str, str, str, int]:
    """Return the clause, kind, going and levels of a card; a red card, and a zone left clear, are good going."""
    return BLACK[card[:-1]] if card and card[-1] in "SC" else ("BR-344", "", "good", 0)


def zones(saved: Saved) -> dict[int, Tree]:
    """Return the rows of the zones by their numbers."""
    return {row["n"]: row for row in saved.details["zones"]}


def check_board(saved: Saved) -> Iterator[str]:
    if abs(saved.width - saved.depth) > ROUNDED:
        yield f"BR-105: the board is no square, {saved.width} x {saved.depth} mm"
    if abs(saved.tree["board"]["pace_mm"] * 100 - inch(saved)) > 0.1:
        yield "BR-G71: 100 paces are not a twenty-fourth of the board"
    drawn = {properties["label"]: area for properties, area in saved.overlays("zone")}
    for number in range(1, 10):
        if str(number) not in drawn or drawn[str(number)].symmetric_difference(zone(saved, number)).area > 1:
            yield f"BR-106: zone {number} is not drawn at its place"
    for name, kind in saved.kinds.items():
        if kind not in KINDS:
            yield f"BR-301: {name} is of no kind that a card, a river or a road gives: {kind}"


def check_deck(saved: Saved) -> Iterator[str]:
    deck, hands = saved.details["deck"], saved.details["hands"]
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in "SCHD"):
        yield f"BR-201: the deck is not the 52 cards, {len(deck)} cards"
    if saved.answers("shuffle of the pack") != [" ".join(deck)]:
        yield "BR-202: the deck is not the one that was shuffled"
    if hands["A"] != deck[:4] or hands["B"] != deck[4:8]:
        yield "BR-203: the hands are not the first and the second four cards"


def first_player(saved: Saved) -> str:
    """Return who lays the first card (BR-Q02)."""
    if saved.settings["br-q02"] != "roll":
        return str(saved.settings["br-q02"])
    return roll_off_winner(roll_off(saved, "who lays the first card")) or ""


def roll_off(saved: Saved, reason: str) -> list[tuple[str, int]]:
    """Return the players and scores of a roll-off in the order of the log."""
    rows = [row for row in saved.log if row["reason"].startswith(f"{reason}, player")]
    return [(row["reason"][-1], int(row["answer"])) for row in rows]


def check_placing(saved: Saved) -> Iterator[str]:
    rows = zones(saved)
    if sorted(rows) != list(range(1, 10)) or len(saved.details["zones"]) != 9:
        yield "BR-206: not each of the nine zones has one row"
        return
    turns = sorted((row["turn"], row["placed_by"], row["n"], row["card"]) for row in rows.values() if row["turn"])
    first = first_player(saved)
    if first != saved.details["first"]:
        yield f"BR-D1: {saved.details['first']} began, not {first}"
    order = first + ("B" if first == "A" else "A")
    if [turn for turn, _, _, _ in turns] != list(range(1, 9)):
        yield f"BR-207: the turns are {[turn for turn, _, _, _ in turns]}"
    if any(player != order[(turn - 1) % 2] for turn, player, _, _ in turns):
        yield "BR-205: the players did not take turns"
    cards = [row["card"] for row in rows.values() if row["card"]]
    if len(set(cards)) < len(cards):
        yield "BR-206: a card lies in two zones"
    for turn, player, number, card in turns:
        if card not in saved.details["hands"].get(player, ()):
            yield f"BR-205: {card} of turn {turn} in zone {number} is not of the hand of {player}"
    last = [row for row in rows.values() if not row["turn"]]
    wanted = saved.details["deck"][8] if saved.settings["br-q20"] == "blind" else None
    if [row["card"] for row in last] != [wanted]:
        yield f"BR-208: the last zone has {[row['card'] for row in last]}, not {wanted}"


def policy_turn(policy: str, player: str, hand: list[str], free: set[int]) -> tuple[str, int] | None:
    """Return the card and the zone that a policy takes, or None if it takes any."""

    def rank(card: str) -> tuple[int, int, int]:
        _, kind, _, levels = reading(card)
        name = f"hill{levels}" if kind == "hill" else kind
        return RESTRICTIVE.index(name), RANKS.index(card[:-1]), "SCHD".index(card[-1])

    def of(numbers: tuple[int, ...]) -> list[int]:
        own = [number if player == "A" else 10 - number for number in numbers]
        return [number for number in own if number in free]

    ordered = sorted(hand, key=rank)
    if policy == "terrain-hungry":
        return ordered[0], of(HUNGRY)[0]
    if policy != "clear-centre":
        return None
    good, terrain = ([card for card in ordered if bool(reading(card)[1]) is wild] for wild in (False, True))
    centre, flanks = of(CENTRE), of(FLANKS)
    if good and centre:
        return good[0], centre[0]
    if terrain:
        return (terrain[0], flanks[0]) if flanks else (terrain[-1], centre[0])
    return good[0], flanks[0]


def check_policies(saved: Saved) -> Iterator[str]:
    hands = {player: list(cards) for player, cards in saved.details["hands"].items()}
    free = set(range(1, 10))
    for row in sorted((row for row in zones(saved).values() if row["turn"]), key=lambda row: int(row["turn"])):
        player, laid = row["placed_by"], (row["card"], row["n"])
        policy = saved.settings[f"policy-{player.lower()}"]
        wanted = policy_turn(policy, player, hands[player], free)
        if wanted and wanted != laid:
            clause = "BR-M25" if policy == "terrain-hungry" else "BR-M26"
            yield f"{clause}: {player} placed {laid} in turn {row['turn']}, not {wanted}"
        if not wanted:
            log = [saved.answers(f"{what} of {player}, turn {row['turn']}") for what in ("card", "zone")]
            if log != [[laid[0]], [str(laid[1])]]:
                yield f"BR-M24: {player} placed {laid} in turn {row['turn']}, the log has {log}"
        if laid[0] not in hands[player] or laid[1] not in free:
            return
        hands[player].remove(laid[0])
        free.remove(laid[1])


def check_reveal(saved: Saved) -> Iterator[str]:
    placer = "A"
    for number, row in sorted(zones(saved).items()):
        clause, kind, going, levels = reading(row["card"])
        there = [each for each in saved.features if each["properties"].get("zone") == number]
        if [each["properties"]["kind"] for each in there] != ([kind] if kind else []):
            yield f"{clause}: zone {number} has {[each['id'] for each in there]}, not one {kind or 'good going'}"
            continue
        name = f"hill_{levels}" if kind == "hill" else kind or "good_going"
        if row["result"] != name:
            yield f"{clause}: the card of zone {number} is read as {row['result']}, not {name}"
        if not kind:
            continue
        properties = there[0]["properties"]
        if going and properties["going"] != going:
            yield f"{clause}: {there[0]['id']} is {properties['going']}, not {going}"
        if levels and properties["levels"] != levels:
            yield f"{clause}: {there[0]['id']} has {properties['levels']} levels, not {levels}"
        if properties["placed_by"] != placer:
            yield f"BR-341: {there[0]['id']} is placed by {properties['placed_by']}, not {placer}"
        placer = "B" if placer == "A" else "A"
    for each in saved.features:
        if each["properties"]["kind"] in FEATURES and each["properties"].get("zone") not in range(1, 10):
            yield f"BR-341: {each['id']} belongs to no zone"


def hill_dice(saved: Saved) -> list[tuple[int, int, int]]:
    """Return zone, slope die and woods die of each hill in the order of the log."""
    rows = [row for row in saved.log if re.match(r"(slopes of|woods on) z\d$", row["reason"])]
    names = [f"{what} z{row['reason'][-1]}" for row in rows[::2] for what in ("slopes of", "woods on")]
    if [row["reason"] for row in rows] != names:
        return []
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [(int(slope["reason"][-1]), int(slope["answer"]), int(woods["answer"])) for slope, woods in pairs]


def check_hills(saved: Saved) -> Iterator[str]:
    dice = hill_dice(saved)
    hills = {properties["zone"]: (name, properties) for name, properties, _ in saved.of_kind("hill")}
    if [number for number, _, _ in dice] != sorted(hills):
        yield f"BR-D2: the hills of zones {sorted(hills)} have dice of zones {[number for number, _, _ in dice]}"
        return
    for number, slope, woods in dice:
        name, properties = hills[number]
        score = slope + (1 if properties["levels"] == 2 else 0)
        clause, count = {5: ("BR-323", 1), 6: ("BR-324", 2), 7: ("BR-325", 4)}.get(score, ("BR-322", 0))
        if len(set(properties["steep"])) != count or len(properties["steep"]) != count:
            yield f"{clause}: {name} has the steep sides {properties['steep']} for a score of {score}"
        if any(side not in range(4) for side in properties["steep"]):
            yield f"BR-G22: {name} has a steep side that is none of four, {properties['steep']}"
        clause, cover = ("BR-329", "heavy_woods") if woods == 1 else ("BR-330", "light_woods")
        clause, cover = ("BR-331", None) if woods > 3 else (clause, cover)
        if properties["cover"] != cover:
            yield f"{clause}: {name} has cover {properties['cover']} for a woods die of {woods}"
        going = {1: "impassable", 2: "bad", 3: "bad"}.get(woods, "good")
        if properties["going"] != ("impassable" if count == 4 else going):
            yield f"BR-G25: {name} is {properties['going']}, steep sides {count}, woods die {woods}"


def check_steep_sides(saved: Saved) -> Iterator[str]:
    steep = list(saved.of_kind("steep_slope"))
    for name, properties, _ in steep:
        if properties["going"] != "impassable":
            yield f"BR-326: {name} is {properties['going']}"
        if saved.kinds.get(properties["of"]) != "hill":
            yield f"BR-G23: {name} is of no hill"
    for hill, properties, area in saved.of_kind("hill"):
        own = [(each["side"], name, line) for name, each, line in steep if each["of"] == hill]
        if sorted(side for side, _, _ in own) != sorted(properties["steep"]):
            yield f"BR-G23: {hill} has lines for the sides {[side for side, _, _ in own]}, not {properties['steep']}"
        for _, name, line in own:
            if line.hausdorff_distance(area.exterior.intersection(line.buffer(ROUNDED * 2))) > ROUNDED * 8:
                yield f"BR-G23: {name} does not lie on the outline of {hill}"
            share = line.length / area.exterior.length
            if not 0.15 - 0.002 <= share <= 0.40 + 0.002:
                yield f"BR-G21: {name} is {share:.3f} of the outline of {hill}"
        if len(own) == 4 and abs(sum(line.length for _, _, line in own) - area.exterior.length) > 1:
            yield f"BR-G22: the four steep sides of {hill} are not its whole outline"
        for at, (_, name, line) in enumerate(own):
            if any(line.intersection(other.buffer(ROUNDED)).length > 1 for _, _, other in own[:at]):
                yield f"BR-G22: {name} is steep twice"
        turned = float((saved.answers(f"facing of {hill}") or ["0"])[-1])
        enemy = {"A": -90, "B": 90}[properties["placed_by"]]
        for count, (side, name, line) in enumerate(own, 1):
            # Side 0 is the right end of the hill before it is turned, side 1 its upper flank, and so on.
            out = turned + 90 * side
            middle = line.interpolate(0.5, normalized=True)
            seen = math.degrees(math.atan2(middle.y - area.centroid.y, middle.x - area.centroid.x))
            # The middle of a side of an irregular hill lies off its axis, by a third of a side at most.
            if turn_between(seen, out) > 45 + 30:
                yield f"BR-G21: {name} does not lie at side {side} of {hill}"
            if saved.settings["steep"] == "facing-enemy" and len(own) < 4 and turn_between(out, enemy) > 45 * len(own):
                yield f"BR-M28: {name}, {count} of {len(own)}, does not face the enemy of {properties['placed_by']}"


def check_places(saved: Saved) -> Iterator[str]:
    unit, margin = inch(saved), float(saved.settings["margin"]) * inch(saved)
    if not 0.5 <= float(saved.settings["margin"]) <= 1.5:
        yield f"BR-G02: the margin is {saved.settings['margin']} inches"
    areas = list(saved.of_kind(*FEATURES))
    for at, (name, properties, area) in enumerate(areas):
        if not area.is_valid or area.geom_type != "Polygon":
            yield f"BR-G90: {name} is no simple area"
            continue
        room = zone(saved, properties["zone"]).buffer(-margin, join_style="mitre")
        if not room.buffer(ROUNDED, join_style="mitre").covers(area):
            yield f"BR-G03: {name} is nearer than {margin / unit:.2f} inches to a side of zone {properties['zone']}"
        if any(area.distance(other) <= 0 for _, _, other in areas[:at]):
            yield f"BR-G06: {name} touches another feature"
        clause, least, most = SIZES[properties["kind"], properties.get("levels", 0)]
        sized, turned = saved.answers(f"size of {name}"), saved.answers(f"facing of {name}")
        if not sized or not turned:
            yield f"BR-342: the log has no size and facing of {name}"
            continue
        length, breadth = (float(side) for side in sized[-1].split("x"))
        if not least <= breadth <= length <= most:
            yield f"{clause}: {name} was to be {length} x {breadth} inches, allowed are {least} to {most}"
        # The sides are those of the box before the feature is turned.
        left, low, right, high = affinity.rotate(area, -float(turned[-1])).bounds
        width, height = (right - left) / unit, (high - low) / unit
        if min(width, height) < least - WIDER or max(width, height) > most + WIDER:
            yield f"{clause}: {name} is {width:.2f} x {height:.2f} inches, allowed are {least} to {most}"
        if width > length + WIDER or height > breadth + WIDER:
            yield f"BR-342: {name} is {width:.2f} x {height:.2f} inches at its facing, not {length} x {breadth}"


def check_levels(saved: Saved) -> Iterator[str]:
    for name, properties, area in saved.of_kind("hill"):
        uppers = [Polygon(rings[0]) for rings in properties["contours"]]
        if len(uppers) != properties["levels"] - 1:
            yield f"BR-G17: {name} has {len(uppers)} upper contours for {properties['levels']} levels"
        for upper in uppers:
            if not 0.25 - 0.002 <= upper.area / area.area <= 0.45 + 0.002:
                yield f"BR-G17: the upper contour of {name} has {upper.area / area.area:.3f} of its area"
            if not area.covers(upper) or upper.distance(area.exterior) < 0.4 * inch(saved) - ROUNDED:
                yield f"BR-G17: the upper contour of {name} is nearer than 0.4 inches to its outline"


def check_corners(saved: Saved) -> Iterator[str]:
    for name, _, area in saved.of_kind("bua"):
        # Corners are rounded and sides drawn by hand: by 0.28 inches, and by turns of less than 12 degrees.
        count = len([turn for turn in corner_turns(area.exterior.simplify(0.28 * inch(saved))) if turn >= 12])
        if not 5 <= count <= 8:
            yield f"BR-G11: {name} has {count} corners, not 5 to 8"


def counted(saved: Saved, what: str, key: str, table: dict[int, int], clauses: tuple[str, str, str]) -> Iterator[str]:
    """Yield what is wrong with the number of rivers or roads, and with who placed them."""
    scores = saved.scores(f"number of {what}s")
    rows, drawn = saved.details[key], list(saved.of_kind(what))
    if len(scores) != 1:
        yield f"{clauses[0]}: {len(scores)} dice for the number of {what}s"
        return
    wanted = table[scores[0]]
    if not len(rows) == len(drawn) == wanted:
        yield f"{clauses[0]}: a die of {scores[0]} gives {wanted} {what}s, not {len(drawn)} (rows: {len(rows)})"
    placers = [properties["placed_by"] for _, properties, _ in drawn]
    if wanted == 1:
        winner = roll_off_winner(roll_off(saved, f"who places the {what}"))
        if placers != [winner]:
            yield f"{clauses[1]}: the {what} is placed by {placers}, the roll-off was won by {winner}"
    if wanted == 2 and placers != ["A", "B"]:
        yield f"{clauses[2]}: the {what}s are placed by {placers}, not A and B"
    if [row["placed_by"] for row in rows] != placers or [row["id"] for row in rows] != [name for name, _, _ in drawn]:
        yield f"{clauses[0]}: the rows of the {what}s are not those of the features"


def place(saved: Saved, point: Point) -> list[str]:
    """Return how the record may write a point of an edge: N and S from the west end, E and W from the south end."""
    unit = inch(saved)
    return [f"{edge}:{(point.x if edge in 'NS' else point.y) / unit:.1f}" for edge in saved.edges_at(point)]


def is_near(written: str, places: list[str]) -> bool:
    """Return whether a written place is one of some others; each has one decimal, so they differ by a tenth at most."""
    edge, _, number = written.partition(":")
    return any(each[0] == edge and abs(float(each[2:]) - float(number)) <= 0.1001 for each in places)


def check_course(saved: Saved, row: Tree, what: str, clause: Callable[[str], str]) -> Iterator[str]:
    """Yield what is wrong with where a river or road begins, ends and runs; clauses go by short names."""
    name, line = row["id"], saved.shapes[row["id"]]
    unit, width = inch(saved), saved.features_by[name]["width_mm"]
    start, last = ends(line)
    wide = float(saved.settings[f"{what}-width"])
    if abs(width - wide * unit) > ROUNDED:
        yield f"{clause('width')}: {name} is {width} mm wide, not {wide} inches"
    limit = float(saved.settings[f"{what}-limit"])
    if straightness(line) > limit + 0.001:
        yield f"{clause('length')}: {name} is {straightness(line):.3f} times the straight line, the limit is {limit}"
    if not is_near(row["start"], place(saved, start)):
        yield f"{clause('start')}: {name} begins at {place(saved, start)}, not {row['start']}"
    if saved.edges_at(start) and saved.corner_gap(start) < unit - ROUNDED:
        yield f"{clause('corner')}: {name} begins {saved.corner_gap(start) / unit:.2f} inches from a corner"
    if not line.is_simple:
        yield f"{clause('simple')}: {name} crosses itself"
    if not saved.board.buffer(ROUNDED).covers(line):
        yield f"{clause('inside')}: {name} leaves the board"
    edge = row["end"].get("edge")
    if edge and (not is_near(edge, place(saved, last)) or edge[0] == row["start"][0]):
        yield f"{clause('end')}: {name} from {row['start']} ends at {place(saved, last)}, not at another edge, {edge}"
    if edge and saved.corner_gap(last) < unit - ROUNDED:
        yield f"{clause('corner')}: {name} ends {saved.corner_gap(last) / unit:.2f} inches from a corner"
    if not edge and saved.edge_gap(last) < unit / 4:
        yield f"{clause('end')}: {name} is to end in {row['end']} and ends at an edge"
    near = stretch_near_edges(saved, line, width if what == "river" else ROUNDED)
    allowed = 2 if edge else 1
    if any(first > ROUNDED and second < line.length - ROUNDED for first, second in near) or len(near) > allowed:
        yield f"{clause('inside')}: {name} comes to an edge between its ends"


def check_inner_end(saved: Saved, row: Tree, what: str, least: float, most: float, clause: str) -> Iterator[str]:
    """Yield what is wrong with a course that ends in an area: it enters once, and stops so far inside it (inches)."""
    name, line, target = row["id"], saved.shapes[row["id"]], saved.shapes.get(row["end"][what])
    if target is None or saved.kinds[row["end"][what]] != what:
        yield f"{clause}: {name} ends in {row['end']}, which is no {what}"
        return
    last, unit = ends(line)[1], inch(saved)
    if not target.covers(last) or not least - 0.002 <= last.distance(target.exterior) / unit <= most + 0.002:
        yield f"{clause}: {name} does not end {least} to {most} inches inside {row['end'][what]}"
    if len(pieces(line.intersection(target.exterior), "Point")) != 1:
        yield f"{clause}: {name} does not cross the outline of {row['end'][what]} once"


def check_junction(saved: Saved, row: Tree, what: str, clause: str) -> Iterator[str]:
    """Yield what is wrong with a course that ends in another: 3 inches along it from its ends, at 30 degrees."""
    name, line, other = row["id"], saved.shapes[row["id"]], saved.shapes.get(row["end"][what])
    if other is None or row["end"][what] == name or saved.kinds[row["end"][what]] != what:
        yield f"{clause}: {name} ends in {row['end']}, which is no other {what}"
        return
    last, unit = ends(line)[1], inch(saved)
    if other.distance(last) > ROUNDED * 2:
        yield f"{clause}: {name} does not end on {row['end'][what]}"
    # Along the joined course: the specification does not say, and a straight rule differs by hundredths of an inch.
    from_start = other.project(last)
    if min(from_start, other.length - from_start) < 3 * unit - ROUNDED * 2:
        yield f"{clause}: {name} joins {row['end'][what]} nearer than 3 inches to its end"
    angle = meeting_angle(line, other, last, unit / 8)
    if angle < 30 - 2:
        yield f"{clause}: {name} joins {row['end'][what]} at {angle:.0f} degrees"


def check_rivers(saved: Saved) -> Iterator[str]:
    yield from counted(saved, "river", "rivers", RIVERS, ("BR-401", "BR-402", "BR-403"))
    names = {
        "width": "BR-G31",
        "length": "BR-G32",
        "corner": "BR-G33",
        "inside": "BR-G34",
        "simple": "BR-G35",
        "start": "BR-404",
        "end": "BR-405",
    }
    through = saved.settings["br-q12"]
    open_to = {"marsh": {"marsh"}, "none": set()}.get(through, FEATURES - {"bua", "lake"})
    rows = [row for row in saved.details["rivers"] if row["id"] in saved.shapes]
    for at, row in enumerate(rows):
        yield from check_course(saved, row, "river", names.__getitem__)
        name = row["id"]
        if "lake" in row["end"]:
            yield from check_inner_end(saved, row, "lake", 0.1, 1.0, "BR-G38")
        if "river" in row["end"]:
            if at == 0:
                yield f"BR-407: {name} ends in a river that is not on the board yet"
            yield from check_junction(saved, row, "river", "BR-G39")
        for other, properties, area in saved.of_kind(*FEATURES):
            if properties["kind"] not in open_to and other != row["end"].get("lake") and meets(saved, name, area):
                yield f"BR-G36: {name} runs through {other}"
    if len(rows) == 2:
        first, second = (saved.shapes[row["id"]] for row in rows)
        end = ends(second)[1].buffer(ROUNDED * 4) if "river" in rows[1]["end"] else Polygon()
        if not second.difference(end).intersection(first).is_empty:
            yield f"BR-G40: {rows[1]['id']} meets {rows[0]['id']} elsewhere than at its end"


def meets(saved: Saved, name: str, ground: BaseGeometry) -> bool:
    """Return whether the band of a river or road shares more with some ground than rounding explains."""
    shared = band(saved.shapes[name], saved.features_by[name]["width_mm"]).intersection(ground)
    return bool(shared.area > 1 or (not ground.area and shared.length > 1))


def closed_to_roads(saved: Saved) -> Iterator[tuple[str, BaseGeometry]]:
    """Yield the features that a road keeps out of (BR-G54, BR-Q15)."""
    through = saved.settings["br-q15"]
    for name, properties, area in saved.of_kind(*FEATURES):
        kind, impassable = properties["kind"], properties["going"] == "impassable"
        # With any-but-lake a road may pass a built-up area too.
        shut = kind == "lake" or (kind == "bua" and through != "any-but-lake")
        if shut or through == "clear-only" or (impassable and through == "passable"):
            yield name, area
    if through == "passable":
        yield from ((name, line) for name, _, line in saved.of_kind("steep_slope"))


def check_roads(saved: Saved) -> Iterator[str]:
    yield from counted(saved, "road", "roads", ROADS, ("BR-501", "BR-502", "BR-503"))
    names = {
        "width": "BR-G51",
        "length": "BR-G52",
        "corner": "BR-G53",
        "inside": "BR-G53",
        "simple": "BR-G52",
        "start": "BR-504",
        "end": "BR-505",
    }
    for at, row in enumerate(row for row in saved.details["roads"] if row["id"] in saved.shapes):
        yield from check_course(saved, row, "road", names.__getitem__)
        name, line = row["id"], saved.shapes[row["id"]]
        bend = sharpest_bend(line, inch(saved))
        if bend > 60 + 2:
            yield f"BR-G52: {name} has a bend of {bend:.0f} degrees"
        if "bua" in row["end"]:
            yield from check_inner_end(saved, row, "bua", 0.25, 1.0, "BR-G55")
        if "road" in row["end"]:
            if at == 0:
                yield f"BR-507: {name} ends in a road that is not on the board yet"
            yield from check_junction(saved, row, "road", "BR-G56")
        for other, ground in closed_to_roads(saved):
            if other != row["end"].get("bua") and meets(saved, name, ground):
                yield f"BR-G54: {name} runs through {other}"


def check_crossings(saved: Saved) -> Iterator[str]:
    roads, rivers = ([(name, line) for name, _, line in saved.of_kind(kind)] for kind in ("road", "river"))
    unit, met = inch(saved), crossings(roads, rivers)
    yield from mark_faults(saved, met, "BR-601", "BR-G61")
    for road, river, point in met:
        angle = meeting_angle(saved.shapes[road], saved.shapes[river], point, unit / 8)
        if angle < 30 - DEGREES:
            yield f"BR-G57: {road} crosses {river} at {angle:.1f} degrees"
    for road, line in roads:
        for river, stream in rivers:
            wide = saved.features_by[river]["width_mm"]
            for piece in pieces(line.intersection(band(stream, wide)), "LineString"):
                crossed = sum(pair == [road, river] and at.distance(piece) < ROUNDED for *pair, at in met)
                if crossed > 1 or piece.length > 2 * wide * 1.01:
                    yield f"BR-G57: {road} runs in {river} for {piece.length / unit:.2f} inches"
    marks = list(saved.of_kind("ford", "bridge"))
    for name, properties, _ in marks:
        owner = saved.features_by.get(properties["way"], {}).get("placed_by")
        if properties["placed_by"] != owner:
            yield f"BR-Q16: {name} is placed by {properties['placed_by']}, its road by {owner}"
    yield from check_crossing_kinds(saved, [properties["kind"] for _, properties, _ in marks])


def check_crossing_kinds(saved: Saved, kinds: list[str]) -> Iterator[str]:
    how, dice = saved.settings["br-q16"], saved.scores("crossing X")
    wanted = {"ford": ["ford"] * len(kinds), "bridge": ["bridge"] * len(kinds)}.get(how)
    if how == "die":
        wanted = ["ford" if score <= 3 else "bridge" for score in dice]
    if wanted is not None and kinds != wanted:
        yield f"BR-Q16: the crossings are {kinds}, not {wanted}"
    if how == "alternate" and any(first == second for first, second in pairwise(kinds)):
        yield f"BR-Q16: the crossings {kinds} do not alternate"


def check_deployment(saved: Saved) -> Iterator[str]:
    depth, details = saved.width * 6 / 24, saved.details["deployment"]
    if abs(details["depth_mm"] - depth) > ROUNDED:
        yield f"BR-701: the deployment depth is {details['depth_mm']} mm, not 600 paces ({depth:.1f} mm)"
    areas = {"A": box(0, saved.depth - depth, saved.width, saved.depth), "B": box(0, 0, saved.width, depth)}
    drawn = {properties["side"]: area for properties, area in saved.overlays("deployment")}
    for side, area in areas.items():
        if side not in drawn or drawn[side].symmetric_difference(area).area > ROUNDED * saved.width * 2:
            yield f"BR-G72: the deployment area of {side} is not drawn at its edge"
    how = saved.settings["br-q19"]
    second = roll_off_winner(roll_off(saved, "order of deployment")) if how == "thrown" else how
    if details["moves_first"] != second or {details["deploys_first"], second} != {"A", "B"}:
        yield f"BR-702: {details['deploys_first']} deploys first, {details['moves_first']} moves first; high: {second}"


RULES: Final = (
    check_board,
    check_deck,
    check_placing,
    check_policies,
    check_reveal,
    check_hills,
    check_steep_sides,
    check_places,
    check_levels,
    check_corners,
    check_rivers,
    check_roads,
    check_crossings,
    check_deployment,
)


def find_faults(tree: Tree) -> list[str]:
    """Return a line for everything in a saved record that breaks the rules."""
    saved = Saved(tree)
    return [fault for rule in RULES for fault in rule(saved)]
