"""Whose turn it is: roll-offs, who puts down each feature, who places each river or road, who deploys first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.kit.book import RuleBook
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES, ZoneCard, other


class Deployment(Struct, frozen=True):
    """Who deploys first, and who moves first."""

    deploys_first: str
    moves_first: str


def roll_off(dice: Dice, reason: str, clause: str, settings: Mapping[str, str]) -> str:
    """Return the player who throws higher: A, then B, both again while they are equal (BR-Q17)."""
    while True:
        first, second = (dice.d6(f"{reason}, player {player}", clause) for player in PLAYERS)
        if first != second:
            return "A" if first > second else "B"
        if settings["br-q17"] == "A-wins":
            return "A"


def first_to_lay(settings: Mapping[str, str], dice: Dice) -> str:
    """Return who lays the first card (BR-Q02, BR-D1)."""
    if settings["br-q02"] == "roll":
        return roll_off(dice, "who lays the first card", "BR-D1", settings)
    return settings["br-q02"]


def feature_placers(
    laid: Mapping[int, ZoneCard], terrain: Sequence[int], settings: Mapping[str, str], first: str
) -> dict[int, str]:
    """Return who puts down the feature of each zone that gets one (BR-341, BR-Q03).

    Args:
        laid: the card of each zone, and who laid it.
        terrain: the zones that get a feature, in number order.
        first: who laid the first card; he also puts down the feature of a blind card where owners do.
    """
    match settings["br-q03"]:
        case "owner":
            return {zone: laid[zone].placed_by or first for zone in terrain}
        case "per-zone":
            return {zone: PLAYERS[ZONES.index(zone) % 2] for zone in terrain}
        case "first=B":
            return {zone: PLAYERS[(turn + 1) % 2] for turn, zone in enumerate(terrain)}
        case _:
            return {zone: PLAYERS[turn % 2] for turn, zone in enumerate(terrain)}


def course_placers(
    sort: str, book: RuleBook, settings: Mapping[str, str], dice: Dice, order: Deployment | None
) -> tuple[str, ...]:
    """Throw for the number of rivers or roads and return who places each, in turn (BR-401..403, BR-501..503).

    Args:
        sort: ``rivers`` or ``roads``, the name of the die table.
        order: the order of deployment where it is known already (BR-Q11).
    """
    decides, both = ("BR-402", "BR-403") if sort == "rivers" else ("BR-502", "BR-503")
    count = int(book.tables[sort].roll(dice, f"number of {sort}"))
    if count == 0:
        return ()
    if count == 1:
        return (roll_off(dice, f"who places the {sort.removesuffix('s')}", decides, settings),)
    first = "A"
    if settings["br-q11"] == "roll":
        first = roll_off(dice, f"who places the first of two {sort}", both, settings)
    elif order is not None and settings["br-q11"] == "deployer-order":
        first = order.deploys_first
    return first, other(first)


def deployment_order(settings: Mapping[str, str], dice: Dice) -> Deployment:
    """Throw for the order of deployment: the higher deploys second and moves first (BR-702, BR-703, BR-Q19)."""
    if settings["br-q19"] == "agree":
        winner = settings["agreed-winner"]
    else:
        winner = roll_off(dice, "order of deployment", "BR-702,BR-703", settings)
    return Deployment(deploys_first=other(winner), moves_first=winner)
