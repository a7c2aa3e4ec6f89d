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

_OURS: Final = (DEPLOYMENT, ELEMENT, CAMP, UNPLACED)
_GAP: Final = 4.0
_LONG: Final = 0.6
_TOUCH: Final = 1.0
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


def armies_on(field: Battlefield, case: BattleCase) -> OverlayArmies:
    """Return a battlefield with both armies and their deployment zones among its overlays.

    Elements that land are on the waterway. An element of YOURS is at the front of YOUR zone, or behind another element
    if the battle file gives both the same position.

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
    ours, theirs = ground_of(field, case.edge, case.rules), ground_of(field, facing(case.edge), case.rules)
    npg, missing = _npg(field, case, ours)
    camps = tuple(_camp(case, ours))
    held, missing = _holders(case, camps, missing)
    town, missing = _garrison(field, case, ours, missing)
    you, you_off = _yours(case, theirs)
    elements = (*npg, *held, *town, *you)
    zones = (_zone(ours, NPG), _zone(theirs, YOU))
    overlays = (
        *(overlay for overlay in field.overlays if overlay.kind not in _OURS),
        *zones,
        *(make_camp_overlay(camp) for camp in camps),
        *(make_element_overlay(element) for element in elements),
        *(replace(zones[0], kind=UNPLACED, label=" ".join(missing)) for _ in missing[:1]),
    )
    return OverlayArmies(
        field=replace(field, overlays=overlays), elements=elements, camps=camps, npg_off=missing, you_off=you_off
    )


def _npg(
    field: Battlefield, case: BattleCase, ground: SideGround
) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return the NPG's elements in the log, landing elements included, and the codes of all others."""
    log, left = case.log, [code_of(element) for element in case.npg.elements]
    noted = {int(group) for _, group in log.result(DEPLOY, "notes") or ()}
    found = []
    for each in log.result(DEPLOY, "elements"):
        if each["code"] not in left:
            raise RecordError("the log deploys {code}, which is not an element of the army", code=each["code"])
        left.remove(each["code"])
        base: dict[str, Any] = {name: float(each[name]) for name in ("x", "y", "facing", "width", "depth")}
        found.append(
            DeployedElement(
                side=NPG,
                **_named(each["code"], case.npg),
                **base,
                group=int(each["group"]),
                place=str(each["place"]),
                has_note=int(each["group"]) in noted,
            )
        )
    at_sea = list(log.result(DEPLOY, "held_back") or ())
    landing = tuple(_landing(field, case, at_sea, ground)) if at_sea else ()
    for code in at_sea if landing else ():
        left.remove(code)
    return (*found, *landing), tuple(left)


def _landing(
    field: Battlefield, case: BattleCase, codes: Sequence[str], ground: SideGround
) -> Iterator[DeployedElement]:
    """Yield the landing elements side by side on the waterway, facing the shore, if there is a waterway."""
    frame, water = _shore(field)
    if frame is None:
        return
    groups = _groups_at_sea(case)
    base = ground.frame.board.scale.base_width
    length = len(codes) * base + (len(set(groups)) - 1) * _GAP
    along = frame.width / 2 - length / 2
    middle = frame.seen(water).centroid.y
    for place, (code, group) in enumerate(zip(codes, groups, strict=True)):
        along += _GAP if place and groups[place - 1] != group else 0.0
        depth = _depth(code, NPG, case)
        spot = frame.on_board(along + base / 2, max(middle, depth / 2 + _TOUCH))
        along += base
        yield _standing(code, NPG, case, spot, frame.facing, LANDING, group=group)


def _groups_at_sea(case: BattleCase) -> list[int]:
    """Return the group number of each element that is held back, in the order of the log."""
    groups, places = case.log.result(DEPLOY, "groups"), case.log.result(DEPLOY, "places")
    return [
        place
        for place, (group, where) in enumerate(zip(groups, places, strict=True), 1)
        if where == LANDING
        for _ in group
    ]


def _shore(field: Battlefield) -> tuple[SideFrame | None, BaseGeometry]:
    """Return the frame of the edge along which the waterway runs, or None, and the waterway's outline."""
    for feature in field.select_features(Kind.WATERWAY):
        if isinstance(feature, Area):
            for edge in EDGES:
                frame = SideFrame(field.board, edge)
                left, low, right, _ = frame.seen(feature.outline).bounds
                if low <= _TOUCH and right - left >= _LONG * frame.width:
                    return frame, feature.outline
    return None, Polygon()


def _camp(case: BattleCase, ground: SideGround) -> Iterator[DeployedCamp]:
    """Yield the NPG's camp, if it has one and its position is known."""
    try:
        along = float(case.log.result(DEPLOY, "camp_at_mm"))
    except (TypeError, ValueError):
        return
    size = ground.rules.length("camp_p_side")
    x, y = ground.frame.on_board(along, ground.baseline + size / 2)
    holder = {FOLLOWERS: FOLLOWER, SPEAR: "Sp"}.get(str(case.log.result(DEPLOY, "camp")), "")
    yield DeployedCamp(side=NPG, x=x, y=y, size=size, facing=ground.frame.facing, holder=holder)


def _holders(
    case: BattleCase, camps: Sequence[DeployedCamp], missing: Sequence[str]
) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return the garrison of the camp, and the codes not placed yet. A Sp is one of the codes (SD-4.2)."""
    left, found = list(missing), []
    for camp in camps:
        code = FOLLOWER
        if camp.holder != FOLLOWER:
            spears = [each for each in left if _named(each, case.npg)["type"] == camp.holder]
            code = min(spears, key=lambda each: each.endswith("*"), default="")
        if not code:
            continue
        if code != FOLLOWER:
            left.remove(code)
        ahead = camp.size * (0.5 - _BEFORE_TENTS) - _depth(code, NPG, case) / 2
        across, up = {0.0: (1, 0), 90.0: (0, 1), 180.0: (-1, 0), 270.0: (0, -1)}[camp.facing]
        spot = (camp.x + across * ahead, camp.y + up * ahead)
        found.append(_standing(code, NPG, case, spot, camp.facing, CAMP_PLACE))
    return tuple(found), tuple(left)


def _garrison(
    field: Battlefield, case: BattleCase, ground: SideGround, missing: Sequence[str]
) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return the garrison, placed inside the built-up area, and the codes not placed yet (SD-4.4)."""
    left, wanted = list(missing), str(case.log.result(DEPLOY, "garrison") or "")
    towns = [feature.outline for feature in field.select_features(Kind.BUA) if isinstance(feature, Area)]
    code = min((each for each in left if each.rstrip("*") == wanted), key=len, default="")
    if not code or not towns:
        return (), tuple(left)
    left.remove(code)
    spot = towns[0].representative_point()
    there = (round(spot.x, 2), round(spot.y, 2))
    return (_standing(code, NPG, case, there, ground.frame.facing, GARRISON),), tuple(left)


def _yours(case: BattleCase, ground: SideGround) -> tuple[tuple[DeployedElement, ...], tuple[str, ...]]:
    """Return YOUR elements in the battle file, and the codes of those that it leaves out."""
    left = [code_of(element) for element in case.you.elements]
    frame, base = ground.frame, _width(case)
    front = ground.front
    found = list[DeployedElement]()
    spans = list[tuple[float, float]]()
    for each in case.battle.your_line:
        code = _of_yours(each.type, left, case)
        left.remove(code)
        depth = _depth(code, YOU, case)
        along = each.from_left_in * MM_PER_INCH
        # A second element at the same position is behind the first.
        line = min([front, *(rear for at, rear in spans if abs(at - along) < base - _TOUCH)])
        spans.append((along, line - depth))
        x, y = frame.on_board(along, line - depth / 2)
        found.append(_standing(code, YOU, case, (round(x, 2), round(y, 2)), frame.facing, LINE))
    return tuple(found), tuple(left)


def _of_yours(wanted: str, left: Sequence[str], case: BattleCase) -> str:
    """Return the code of an element of YOURS that is not placed yet.

    The general comes last, unless the battle file marks the element with a star.

    Raises:
        ScenarioError: no element of that type is left.
    """
    bare = wanted.rstrip("*")
    alike = [code for code in left if bare in (code.rstrip("*"), _named(code, case.you)["type"])]
    if not alike:
        raise ScenarioError(
            "{path}: [[your_line]] has more {bare} than {you}; still to place: {left}",
            path=case.order.path,
            bare=bare,
            you=case.you.name,
            left=" ".join(left) or Sentence("none"),
        )
    return min(alike, key=lambda code: code.endswith("*") != wanted.endswith("*"))


def _zone(ground: SideGround, side: str) -> Overlay:
    """Return the deployment zone of a side as an overlay, from its base edge to its front (0.4)."""
    frame = ground.frame
    high = ground.front
    corners = [frame.on_board(*corner) for corner in ((0.0, 0.0), (frame.width, 0.0), (frame.width, high), (0.0, high))]
    label = f"{ground.rules.number('deployment_p'):g}{PACES}"
    return Overlay(kind=DEPLOYMENT, shape=Polygon(corners), label=label, side=side)


def _width(case: BattleCase) -> float:
    if case.field is None:
        raise ScenarioError("{path}: the battle has no map", path=case.order.path)
    return case.field.board.scale.base_width


def _named(code: str, force: Force) -> dict[str, Any]:
    """Return code, troop type and general flag of a written code; a star marks the general."""
    bare = code.rstrip("*")
    kind = FOLLOWER if bare == FOLLOWER else next(each.troop.code for each in force.elements if each.code == bare)
    return {"code": bare, "type": kind, "general": code.endswith("*")}


def _force(side: str, case: BattleCase) -> Force:
    return case.npg if side == NPG else case.you


def _depth(code: str, side: str, case: BattleCase) -> float:
    """Return the base depth of a written code, in mm."""
    return read_troops().get_type(_named(code, _force(side, case))["type"]).depth[case.battle.scale]


def _standing(
    code: str,
    side: str,
    case: BattleCase,
    spot: tuple[float, float],
    facing: float,
    place: str,
    *,
    group: int = 0,
) -> DeployedElement:
    """Return the element of a written code, centred on a point, on a base of the battle's scale."""
    return DeployedElement(
        side=side,
        **_named(code, _force(side, case)),
        x=spot[0],
        y=spot[1],
        facing=facing,
        width=_width(case),
        depth=_depth(code, side, case),
        group=group,
        place=place,
    )
