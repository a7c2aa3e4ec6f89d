"""The stages of a battle: terrain, edge, deployment, swap, and the bounds of the NPG (0.5, 8.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace
from shapely import Point

from printkit.core.errors import ScenarioError, Sentence, quote_path
from printkit.core.units import MM_PER_INCH
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.battle.battles import BattleCase, code_of, entry, needed
from printkit.systems.solo.battle.facts import asked, deploy_facts_open, edge_facts_open, landing_case
from printkit.systems.solo.tactics.battle_file import FacingPair, swap_aid
from printkit.systems.solo.tactics.battle_log import DEPLOY, EDGE, LEVEL, SWAP, BattleLog, BoundEntry
from printkit.systems.solo.tactics.bounds import Bound, LevelCase, Losses, aggression_level, bound, override
from printkit.systems.solo.tactics.camp import (
    ALLOWED,
    after_camp,
    bua_garrison,
    camp_along,
    camp_garrison,
    camp_place,
    landing,
    without,
)
from printkit.systems.solo.tactics.deployed import Deployment, deploy
from printkit.systems.solo.tactics.edges import preferred_edge, real_edge
from printkit.systems.solo.tactics.facing_line import FrontElement, Opponent, facing_pairs, mended
from printkit.systems.solo.tactics.ground import SideGround, ground_of
from printkit.systems.solo.tactics.group_columns import throw_ranks
from printkit.systems.solo.tactics.grouping import Group, groups_by_hand, groups_of
from printkit.systems.solo.tactics.positions import positions
from printkit.systems.solo.tactics.situation import facing
from printkit.systems.solo.tactics.tactics_tables import Level, Stance


class StagePlayed(Struct, frozen=True, kw_only=True):
    """What a stage came to: the log as it is to be kept, and the steps to show."""

    log: BattleLog
    steps: tuple[Step, ...]
    deployment: Deployment | None = None


def play_edge(case: BattleCase) -> StagePlayed:
    """Choose the NPG's edge, where he attacks (SD-4.1).

    Raises:
        ScenarioError: the NPG defends, and has the edge that YOUR die leaves him.
    """
    if not case.npg_attacks:
        raise ScenarioError(
            "{path}: the NPG defends, so roll for your edge as in the rule book; then set npg_edge under "
            "[board] to the opposite edge",
            path=case.order.path,
            clause="SD-4.1-a",
        )
    case = asked(case, edge_facts_open(case))
    dice = case.dice.at(EDGE)
    preferred, choice = preferred_edge(case.npg, case.you, case.situation, case.rules, dice)
    edge, real = real_edge(preferred, case.rules, dice)
    kept = entry((choice, real), preferred=preferred.value, npg_edge=edge.value, your_edge=facing(edge).value)
    return StagePlayed(log=case.log.with_stage(EDGE, kept), steps=(choice, real))


def play_deployment(case: BattleCase) -> StagePlayed:
    """Garrison, group and place the NPG's army (SD-4.2 to SD-4.7).

    Raises:
        ScenarioError: his base edge is not known yet.
    """
    if case.edge is None and not case.npg_attacks:
        raise ScenarioError(
            "{path}: the NPG defends. Roll for your edge as in the rule book. Then set the opposite edge, "
            'for example npg_edge = "far", under [board]: near, far, left or right, as you sit',
            path=case.order.path,
            clause="SD-4.1-a",
        )
    if case.edge is None:
        needed(case, EDGE, Sentence("the NPG has no base edge yet; set npg_edge under [board], or first run"))
    groups, _ = _groups(case, case.npg.elements)
    case = asked(case, deploy_facts_open(case, groups))
    dice, ground = case.dice.at(DEPLOY), _ground(case)
    camp = camp_garrison(case.npg, case.you, case.rules, dice)
    place = camp_place(case.npg, case.you, ground)
    steps = [camp, place]
    left, garrison = after_camp(case.npg, camp.result), None
    if not case.npg_attacks:
        garrison, step = bua_garrison(case.npg, case.you, camp.result, case.situation, case.rules, dice, case.edge)
        steps.append(step)
        left = without(left, garrison) if garrison is not None else left
    sea = landing(landing_case(case), case.rules, dice)
    groups, grouped = _groups(case, left.elements)
    placed, landed = positions(
        groups, case.npg, case.you, case.situation, case.rules, dice, landing=sea.result == ALLOWED
    )
    ranks, ranked = throw_ranks(case.npg, case.you, case.rules, dice)
    steps += [sea, grouped, *(each.step for each in placed), *landed, *ranked]
    deployment = None
    if ground is not None:
        deployment = deploy(placed, case.npg, ranks, ground, scale=case.battle.scale, camp=camp_along(place))
        deployment = mended(deployment, _line(case, ground), ground)
    results: dict[str, Any] = {
        "camp": camp.result,
        "camp_at_mm": place.result,
        "garrison": garrison.code if garrison is not None else "",
        "landing": sea.result,
        "groups": [[code_of(element) for element in each.group.elements] for each in placed],
        "places": [each.place.value for each in placed],
        "ranks": ranks,
    }
    if deployment is not None:
        results |= deployment_data(deployment)
    return StagePlayed(
        log=case.log.with_stage(DEPLOY, entry(tuple(steps), **results)), steps=tuple(steps), deployment=deployment
    )


def play_swap(case: BattleCase) -> StagePlayed:
    """Propose the exchange that a defending NPG may make (SD-4.8).

    Raises:
        ScenarioError: the NPG attacks, is not yet deployed, or nobody knows who faces whom.
    """
    if case.npg_attacks:
        raise ScenarioError(
            "{path}: the NPG attacks, but only the defender may swap", path=case.order.path, clause="SD-4.8-a"
        )
    needed(case, DEPLOY, Sentence("the NPG is not deployed yet; first run"))
    pairs = tuple(
        FacingPair(npg=_type(case.npg, each.npg), you=_type(case.you, each.you), open=each.open)
        for each in case.battle.pairs
    )
    step = swap_aid(pairs or _facing(case), case.rules)
    return StagePlayed(log=case.log.with_stage(SWAP, entry((step,), swaps=step.result)), steps=(step,))


def _facing(case: BattleCase) -> tuple[FacingPair, ...]:
    """Return who faces whom by the NPG's places in the log, and YOUR line in the battle file.

    Raises:
        ScenarioError: one of the two is not known, or nobody faces anybody.
    """
    ground, standing = _ground(case), case.log.result(DEPLOY, "elements")
    if ground is None or standing is None or not case.battle.your_line:
        raise ScenarioError(
            "{path}: it is not known who faces whom. If the NPG is on a map, list your elements as "
            'deployed, one table each: [[your_line]] type = "Bd" from_left_in = 11.5. Otherwise write one '
            'table per pair: [[pairs]] npg = "Ps" you = "Kn", with open = false if bad or impassable '
            "ground separates them",
            path=case.order.path,
            clause="SD-4.8-b",
        )
    npg = []
    for each in standing:
        middle = ground.frame.seen(Point(each["x"], each["y"]))
        front = middle.y + float(each["depth"]) / 2
        npg.append(FrontElement(_type(case.npg, each["code"]), middle.x, front))
    facing = facing_pairs(npg, _line(case, ground), ground)
    if not facing:
        raise ScenarioError(
            "{path}: no element of [[your_line]] is opposite an NPG element",
            path=case.order.path,
            clause="SD-4.8-b",
        )
    return tuple(FacingPair(npg=one.type, you=other.type, open=clear) for one, other, clear in facing)


def open_facts(case: BattleCase) -> list[str]:
    """Return the facts that the next stage lacks: the choice of an edge, or the deployment once there is one."""
    if case.log.done(DEPLOY):
        return []
    if case.edge is None:
        return edge_facts_open(case) if case.npg_attacks else []
    groups, _ = _groups(case, case.npg.elements)
    return deploy_facts_open(case, groups)


def play_bound(case: BattleCase, losses: Losses | None) -> tuple[StagePlayed, Bound]:
    """Throw the next bound of the NPG; before the first one, his aggression level (SD-5.2, SD-5.3).

    Args:
        case: the battle.
        losses: what both sides have lost so far; None leaves them as at the last bound.
    """
    log, steps = case.log, list[Step]()
    level = log.result(LEVEL, "level")
    if level is None:
        found, step = aggression_level(LevelCase(case.npg, case.you), case.rules, case.dice.at(LEVEL))
        level, steps = found.value, [step]
        log = log.with_stage(LEVEL, entry((step,), level=level))
    number = len(log.bounds) + 1
    lost = losses or _last_losses(log)
    made = bound(Level(level), lost, case.rules, case.dice.at(f"bound {number}"))
    kept = BoundEntry(
        number=number,
        pips=made.pips,
        die=made.die,
        net=made.net,
        npg_lost=lost.npg,
        you_lost=lost.you,
        stance=made.stance.value,
        camps=lost.camps,
        generals=lost.generals,
    )
    return StagePlayed(log=log.with_bound(kept), steps=(*steps, made.step)), made


def play_override(case: BattleCase) -> tuple[StagePlayed, Stance]:
    """Try to override the engine for the bound that was thrown last (SD-5.4).

    Raises:
        ScenarioError: no bound was thrown yet, or there is no try left.
    """
    if not case.log.bounds:
        raise ScenarioError(
            "{path}: roll the bound first, then try an override: printkit npg bound {path}",
            path=quote_path(case.order.path),
            clause="AMB-45",
        )
    last = case.log.bounds[-1]
    dice = case.dice.at(f"override {last.number}")
    step = override(case.log.overrides, case.rules, dice, tried_this_bound=bool(last.override))
    log = case.log.with_bound(replace(last, override=step.result))
    return StagePlayed(log=log, steps=(step,)), Stance(last.stance)


def deployment_data(deployment: Deployment) -> dict[str, Any]:
    """Return a deployment as plain values, as the log keeps it: each element with its footprint on the board, in mm."""
    footprints = []
    for each in deployment.footprints:
        measures = asdict(each)
        footprints.append({"code": code_of(measures.pop("element")), **measures})
    return {
        "elements": footprints,
        "held_back": [code_of(element) for element in deployment.landing],
        "columns": list(deployment.columns),
        "notes": [list(note) for note in deployment.notes],
    }


def _groups(case: BattleCase, elements: Sequence[Element]) -> tuple[tuple[Group, ...], Step]:
    if case.rules.choice("grouping") == "ask" and case.battle.groups:
        return groups_by_hand(case.battle.groups, elements, case.npg, case.you, case.rules)
    return groups_of(elements, case.npg, case.you, case.rules)


def _ground(case: BattleCase) -> SideGround | None:
    if case.field is None or case.edge is None:
        return None
    return ground_of(case.field, case.edge, case.rules)


def _line(case: BattleCase, ground: SideGround) -> tuple[Opponent, ...]:
    """Return YOUR line as the NPG sees it: YOUR left is on his right."""
    width = ground.frame.width
    return tuple(
        Opponent(_type(case.you, each.type), width - each.from_left_in * MM_PER_INCH) for each in case.battle.your_line
    )


def _type(force: Force, code: str) -> str:
    """Return the type of a code as a person writes it, ``3Kn`` or ``Kn``.

    Raises:
        ScenarioError: the army has no such element.
    """
    bare = code.rstrip("*")
    found = next((each for each in force.elements if bare in (each.code, each.troop.code)), None)
    if found is None:
        known = ", ".join(dict.fromkeys(each.code for each in force.elements))
        raise ScenarioError(
            "{force} has no element {code!r}; use one of {known}", force=force.name, code=code, known=known
        )
    return found.troop.code


def _last_losses(log: BattleLog) -> Losses:
    return log.bounds[-1].losses if log.bounds else Losses()
