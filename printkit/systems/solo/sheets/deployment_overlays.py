"""Both armies as overlays on the map: the logged deployment, and YOUR line of the battle file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import RecordError, ScenarioError, Sentence, quote_path
from printkit.core.units import MM_PER_INCH
from printkit.drawing.map.overlays import PACES
from printkit.kit.sides import DEPLOYMENT
from printkit.systems.dba.elements.deployed_overlay import (
    CAMP,
    CAMP_PLACE,
    ELEMENT,
    GARRISON,
    LANDING,
    LINE,
    NPG,
    UNPLACED,
    YOU,
    DeployedCamp,
    DeployedElement,
    make_camp_overlay,
    make_element_overlay,
)
from printkit.systems.solo.armies.force import Force, read_troops
from printkit.systems.solo.battle.battles import BattleCase, code_of
from printkit.systems.solo.tactics.battle_log import DEPLOY
from printkit.systems.solo.tactics.camp import FOLLOWERS, SPEAR
from printkit.systems.solo.tactics.ground import SideFrame, SideGround, ground_of
from printkit.systems.solo.tactics.situation import EDGES, facing
from printkit.terrain.field.battlefield import Battlefield, Overlay
from printkit.terrain.field.features import Area, Kind

# The code of camp followers, the garrison of a camp without a Sp.
FOLLOWER: Final = "CF"

_REPLACED_KINDS: Final = (DEPLOYMENT, ELEMENT, CAMP, UNPLACED)
_GROUP_GAP: Final = 4.0
_SHORE_SHARE: Final = 0.6
_TOLERANCE: Final = 1.0
# Share of a camp's side that stays free in front of its garrison.
_BEFORE_TENTS: Final = 0.08


class OverlayArmies(Struct, frozen=True, kw_only=True):
    """A battlefield with both armies, and the codes of the elements that are not on it.

    The code of a general ends with a star.
    """

    field: Battlefield
    elements: tuple[DeployedElement, ...]
    camps: tuple[DeployedCamp, ...]
    npg_off: tuple[str, ...] = ()
    you_off: tuple[str, ...] = ()


def place_armies(field: Battlefield, case: BattleCase) -> OverlayArmies:
    """Return a battlefield with both armies and their deployment zones among its overlays.

    Elements that land are on the waterway. An element of YOURS is at the front of YOUR zone, or behind another element
    if the battle file gives both the same position. The result also has the elements and camps in mm on the board, and
    the codes of the elements of both sides that are not on the map. Overlays of an earlier deployment are replaced.

    Args:
        field: the battlefield of the battle's map.
        case: a battle whose deployment is played.

    Raises:
        ScenarioError: there is no deployment on a map, or YOUR line has elements that YOUR army does not have.
    """
    if case.edge is None or case.log.result(DEPLOY, "elements") is None:
        raise ScenarioError(
            "{path}: the deployment was played without a map, so the positions of the elements are "
            'unknown. Set map = "..." under [board], then play it again: printkit npg deploy {path} --again',
            path=quote_path(case.order.path),
        )
    npg_ground, your_ground = ground_of(field, case.edge, case.rules), ground_of(field, facing(case.edge), case.rules)
    npg, missing = _place_npg(field, case, npg_ground)
    camps = tuple(_place_camp(case, npg_ground))
    camp_holders, missing = _place_camp_holders(case, camps, missing)
    town_garrison, missing = _place_garrison(field, case, npg_ground, missing)
    you, you_off = _place_yours(case, your_ground)
    elements = (*npg, *camp_holders, *town_garrison, *you)
    zones = (_make_zone(npg_ground, NPG), _make_zone(your_ground, YOU))
    overlays = (
        *(overlay for overlay in field.overlays if overlay.kind not in _REPLACED_KINDS),
        *zones,
        *(make_camp_overlay(camp) for camp in camps),
        *(make_element_overlay(element) for element in elements),
        *(replace(zones[0], kind=UNPLACED, label=" ".join(missing)) for _ in missing[:1]),
    )
    return OverlayArmies(
        field=replace(field, overlays=overlays), elements=elements, camps=camps, npg_off=missing, you_off=you_off
    )


def _place_npg(
    field: Battlefield, case: BattleCase, ground: SideGround
) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return the NPG's elements in the log, then its landing elements, and the codes of all others.

    Positions are in mm on the board.

    Raises:
        RecordError: the log has an element that the army does not have.
    """
    log, missing = case.log, [code_of(element) for element in case.npg.elements]
    noted_groups = {int(group) for _, group in log.result(DEPLOY, "notes") or ()}
    elements = []
    for entry in log.result(DEPLOY, "elements"):
        if entry["code"] not in missing:
            raise RecordError("the log deploys {code}, which is not an element of the army", code=entry["code"])
        missing.remove(entry["code"])
        base: dict[str, Any] = {name: float(entry[name]) for name in ("x", "y", "facing", "width", "depth")}
        elements.append(
            DeployedElement(
                side=NPG,
                **_parse_code(entry["code"], case.npg),
                **base,
                group=int(entry["group"]),
                place=str(entry["place"]),
                has_note=int(entry["group"]) in noted_groups,
            )
        )
    at_sea = list(log.result(DEPLOY, "held_back") or ())
    landing = tuple(_place_landing(field, case, at_sea, ground)) if at_sea else ()
    for code in at_sea if landing else ():
        missing.remove(code)
    return (*elements, *landing), tuple(missing)


def _place_landing(
    field: Battlefield, case: BattleCase, codes: Sequence[str], ground: SideGround
) -> Iterator[DeployedElement]:
    """Yield the landing elements side by side on the waterway, facing the shore.

    ``codes`` are the elements that are held back. Positions are in mm on the board. Nothing without a waterway.
    """
    frame, water = _find_shore(field)
    if frame is None:
        return
    groups = _list_groups_at_sea(case)
    base = ground.frame.board.scale.base_width
    length_mm = len(codes) * base + (len(set(groups)) - 1) * _GROUP_GAP
    distance = frame.width / 2 - length_mm / 2
    middle = frame.seen(water).centroid.y
    for index, (code, group) in enumerate(zip(codes, groups, strict=True)):
        distance += _GROUP_GAP if index and groups[index - 1] != group else 0.0
        depth = _find_base_depth(code, NPG, case)
        point = frame.on_board(distance + base / 2, max(middle, depth / 2 + _TOLERANCE))
        distance += base
        yield _make_element(code, NPG, case, point, frame.facing, LANDING, group=group)


def _list_groups_at_sea(case: BattleCase) -> list[int]:
    """Return the group number, from 1, of each element held back for a landing, in log order."""
    groups, places = case.log.result(DEPLOY, "groups"), case.log.result(DEPLOY, "places")
    return [
        number
        for number, (group, position) in enumerate(zip(groups, places, strict=True), 1)
        if position == LANDING
        for _ in group
    ]


def _find_shore(field: Battlefield) -> tuple[SideFrame | None, BaseGeometry]:
    """Return the frame of the edge along which the waterway runs, and its outline in mm on the board.

    Without a waterway along an edge, return None and an empty polygon.
    """
    for feature in field.select_features(Kind.WATERWAY):
        if isinstance(feature, Area):
            for edge in EDGES:
                frame = SideFrame(field.board, edge)
                left, low, right, _ = frame.seen(feature.outline).bounds
                if low <= _TOLERANCE and right - left >= _SHORE_SHARE * frame.width:
                    return frame, feature.outline
    return None, Polygon()


def _place_camp(case: BattleCase, ground: SideGround) -> Iterator[DeployedCamp]:
    """Yield the NPG's camp, if the log has its position; otherwise nothing.

    Lengths are in mm on the board.
    """
    try:
        distance = float(case.log.result(DEPLOY, "camp_at_mm"))
    except (TypeError, ValueError):
        return
    size = ground.rules.length("camp_p_side")
    x, y = ground.frame.on_board(distance, ground.baseline + size / 2)
    holder = {FOLLOWERS: FOLLOWER, SPEAR: "Sp"}.get(str(case.log.result(DEPLOY, "camp")), "")
    yield DeployedCamp(side=NPG, x=x, y=y, size=size, facing=ground.frame.facing, holder=holder)


def _place_camp_holders(
    case: BattleCase, camps: Sequence[DeployedCamp], missing: Sequence[str]
) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return the garrison of the camp (may be empty), and the codes not placed yet (SD-4.2).

    A spear element is one of the codes; camp followers are not. ``missing`` are the codes that are not placed so far.
    """
    remaining_codes, holders = list(missing), []
    for camp in camps:
        code = FOLLOWER
        if camp.holder != FOLLOWER:
            spears = [
                candidate for candidate in remaining_codes if _parse_code(candidate, case.npg)["type"] == camp.holder
            ]
            code = min(spears, key=lambda candidate: candidate.endswith("*"), default="")
        if not code:
            continue
        if code != FOLLOWER:
            remaining_codes.remove(code)
        offset_mm = camp.size * (0.5 - _BEFORE_TENTS) - _find_base_depth(code, NPG, case) / 2
        step_x, step_y = {0.0: (1, 0), 90.0: (0, 1), 180.0: (-1, 0), 270.0: (0, -1)}[camp.facing]
        point = (camp.x + step_x * offset_mm, camp.y + step_y * offset_mm)
        holders.append(_make_element(code, NPG, case, point, camp.facing, CAMP_PLACE))
    return tuple(holders), tuple(remaining_codes)


def _place_garrison(
    field: Battlefield, case: BattleCase, ground: SideGround, missing: Sequence[str]
) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return the garrison inside the built-up area (may be empty), and the codes not placed yet (SD-4.4).

    ``missing`` are the codes of elements that are not placed so far. The position is a point inside the first built-up
    area.
    """
    remaining_codes, garrison_code = list(missing), str(case.log.result(DEPLOY, "garrison") or "")
    towns = [feature.outline for feature in field.select_features(Kind.BUA) if isinstance(feature, Area)]
    code = min(
        (candidate for candidate in remaining_codes if candidate.rstrip("*") == garrison_code), key=len, default=""
    )
    if not code or not towns:
        return (), tuple(remaining_codes)
    remaining_codes.remove(code)
    inner_point = towns[0].representative_point()
    point = (round(inner_point.x, 2), round(inner_point.y, 2))
    return (_make_element(code, NPG, case, point, ground.frame.facing, GARRISON),), tuple(remaining_codes)


def _place_yours(case: BattleCase, ground: SideGround) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return YOUR elements in the battle file, and the codes of those that it leaves out.

    Positions are in mm on the board. An element at the same position as an earlier one is behind it.
    """
    remaining_codes = [code_of(element) for element in case.you.elements]
    frame, base = ground.frame, _find_base_width(case)
    front = ground.front
    elements = list[DeployedElement]()
    spans = list[tuple[float, float]]()
    for entry in case.battle.your_line:
        code = _choose_code(entry.type, remaining_codes, case)
        remaining_codes.remove(code)
        depth = _find_base_depth(code, YOU, case)
        distance = entry.from_left_in * MM_PER_INCH
        # A second element at the same position is behind the first.
        front_y = min(
            [front, *(rear for other_distance, rear in spans if abs(other_distance - distance) < base - _TOLERANCE)]
        )
        spans.append((distance, front_y - depth))
        x, y = frame.on_board(distance, front_y - depth / 2)
        elements.append(_make_element(code, YOU, case, (round(x, 2), round(y, 2)), frame.facing, LINE))
    return tuple(elements), tuple(remaining_codes)


def _choose_code(wanted_code: str, remaining_codes: Sequence[str], case: BattleCase) -> str:
    """Return the code of an element of YOURS that is not placed yet, of the type or code ``wanted_code``.

    The general comes last, unless the battle file marks the element with a star.

    Raises:
        ScenarioError: no element of that type is left.
    """
    plain_code = wanted_code.rstrip("*")
    candidates = [
        code for code in remaining_codes if plain_code in (code.rstrip("*"), _parse_code(code, case.you)["type"])
    ]
    if not candidates:
        raise ScenarioError(
            "{path}: [[your_line]] has more {bare} than {you}; still to place: {left}",
            path=case.order.path,
            bare=plain_code,
            you=case.you.name,
            left=" ".join(remaining_codes) or Sentence("none"),
        )
    return min(candidates, key=lambda code: code.endswith("*") != wanted_code.endswith("*"))


def _make_zone(ground: SideGround, side: str) -> Overlay:
    """Return the deployment zone of a side as an overlay, from its base edge to its front (0.4)."""
    frame = ground.frame
    front_y = ground.front
    corners = [
        frame.on_board(*corner) for corner in ((0.0, 0.0), (frame.width, 0.0), (frame.width, front_y), (0.0, front_y))
    ]
    label = f"{ground.rules.number('deployment_p'):g}{PACES}"
    return Overlay(kind=DEPLOYMENT, shape=Polygon(corners), label=label, side=side)


def _find_base_width(case: BattleCase) -> float:
    """Return the base width on the battle's map, in mm on the board.

    Raises:
        ScenarioError: the battle has no map.
    """
    if case.field is None:
        raise ScenarioError("{path}: the battle has no map", path=case.order.path)
    return case.field.board.scale.base_width


def _parse_code(code: str, force: Force) -> dict[str, Any]:
    """Return ``code``, ``type`` and ``is_general`` for a written code; a star at its end marks the general.

    ``code`` is without the star. The army must have the element, apart from camp followers.
    """
    plain_code = code.rstrip("*")
    troop_type = (
        FOLLOWER
        if plain_code == FOLLOWER
        else next(element.troop.code for element in force.elements if element.code == plain_code)
    )
    return {"code": plain_code, "type": troop_type, "is_general": code.endswith("*")}


def _find_force(side: str, case: BattleCase) -> Force:
    """Return the army of a side."""
    return case.npg if side == NPG else case.you


def _find_base_depth(code: str, side: str, case: BattleCase) -> float:
    """Return the base depth of a written code, in mm on the board.

    ``code`` is as written in the list of ``side``.
    """
    return read_troops().get_type(_parse_code(code, _find_force(side, case))["type"]).depth[case.battle.scale]


def _make_element(
    code: str,
    side: str,
    case: BattleCase,
    point: tuple[float, float],
    facing: float,
    place: str,
    *,
    group: int = 0,
) -> DeployedElement:
    """Return the element of a written code, centred on a point in mm, on a base of the battle's scale.

    Args:
        code: the code; a star marks the general.
        side: its side.
        case: the battle.
        point: the centre of its base, in mm on the board.
        facing: its direction in degrees: 0, 90, 180 or 270.
        place: where it is in the deployment, for example ``landing``.
        group: the number of its group; 0 without one.
    """
    return DeployedElement(
        side=side,
        **_parse_code(code, _find_force(side, case)),
        x=point[0],
        y=point[1],
        facing=facing,
        width=_find_base_width(case),
        depth=_find_base_depth(code, side, case),
        group=group,
        place=place,
    )
