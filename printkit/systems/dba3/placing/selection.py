"""The defender's choice of terrain: one or two compulsory features, two or three optional ones (D3-3..D3-16).

The user at the terminal makes the choices that the rules leave open, or chance decides. A scenario may list the
features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence, joined
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.dba3.placing.terms import CHOICE, HomeTopography, Terms, Topography

AUTO: Final = "auto"


def name_pick(pick: PiecePick) -> str:
    """Return the name of a piece in lists and in the log; for a built-up area, its type."""
    return pick.town or plain(pick.terrain)


def plain(terrain: Terrain) -> str:
    """Return the English name of a terrain type with spaces for underscores, for the log.

    The steep hills of DBA 2.2 are difficult hills in DBA 3.
    """
    return "difficult hill" if terrain is Terrain.STEEP_HILL else terrain.plain_name


def choose_home(terms: Terms, dice: Dice) -> HomeTopography:
    """Return the home topography from the settings, or let the defender choose one of the seven by dice or by hand."""
    setting = terms.rules.choice("home")
    return (
        dice.choose(tuple(HomeTopography), Sentence("home topography"), "D3-3", asks=True)
        if setting == AUTO
        else HomeTopography(setting)
    )


def choose_features(topography: Topography, terms: Terms, dice: Dice) -> tuple[PiecePick, ...]:
    """Return the features of a battlefield: compulsory ones first, then the optional ones in the order chosen.

    ``dice`` make the choices that the settings leave open, and log them. The last optional feature must be a hindering
    one (rough or bad going, river or waterway) if there is no other yet. There may be fewer than the number chosen.
    """
    compulsory = _choose_compulsory(topography, terms, dice)
    chosen_picks = list(compulsory)
    count = _choose_count(terms, "optional", dice)
    for number in range(1, count + 1):
        options = find_optional(topography, terms, chosen_picks)
        if number == count and not any(terms.piece_rules[pick.terrain].is_hindering for pick in chosen_picks):
            # One hindering feature is required in the end (D3-15).
            options = tuple(terrain for terrain in options if terms.piece_rules[terrain].is_hindering)
        if not options:
            break
        reason = Sentence("optional feature {number:d} of {count:d}", number=number, count=count)
        terrain_by_name = {plain(option): option for option in options}
        terrain = terrain_by_name[_choose(tuple(terrain_by_name), reason, "D3-11", dice)]
        chosen_picks.append(PiecePick(terrain=terrain, town=_choose_town(terrain, terms, dice)))
    return tuple(chosen_picks)


def find_optional(topography: Topography, terms: Terms, picks: Sequence[PiecePick]) -> tuple[Terrain, ...]:
    """Return the optional pieces that may still be added: up to the maximum of each, and one of each pair.

    ``picks`` are the pieces chosen so far. The result is empty if nothing more is allowed.
    """
    counts = Counter(pick.terrain for pick in picks)
    excluded_terrains = {
        partner
        for pair in topography.pairs
        for member in pair
        if counts[member]
        for partner in pair
        if partner is not member
    }
    return tuple(
        terrain
        for terrain in topography.optional
        if counts[terrain] < terms.piece_rules[terrain].count_max and terrain not in excluded_terrains
    )


def read_listed_features(names: Iterable[str], topography: Topography, terms: Terms) -> tuple[PiecePick, ...]:
    """Return the features that a scenario lists, the compulsory ones first.

    Others follow in the order of the list. A feature of a compulsory type that is more than the rules need counts as
    optional if there are too few of these.

    Raises:
        ScenarioError: a feature is not terrain of that home topography, or the list breaks a rule of choosing.
    """
    all_picks = [_parse_feature(name, topography, terms) for name in names]
    choices = {item.terrain: item for item in topography.compulsory}
    maximum = max(item.count_max for item in topography.compulsory)
    candidates = [pick for pick in all_picks if pick.terrain in choices]
    if not candidates:
        names_text = joined([plain(item) for item in choices], Sentence(" or "))
        raise ScenarioError(
            "features needs {wanted}, compulsory for home topography {home}",
            wanted=names_text,
            home=topography.home.value,
            clause=topography.clause,
        )
    choice = choices[candidates[0].terrain]
    compulsory_picks = [pick for pick in candidates if topography.is_mixed or pick.terrain is choice.terrain][
        : min(maximum, choice.count_max)
    ]
    if len(compulsory_picks) < choice.count_min:
        raise ScenarioError(
            "features has {count} of {terrain}; {least} are compulsory",
            count=len(compulsory_picks),
            terrain=plain(choice.terrain),
            least=choice.count_min,
            clause=topography.clause,
        )
    optional_picks = list(all_picks)
    for pick in compulsory_picks:
        optional_picks.remove(pick)
    # A surplus feature of a compulsory type counts as optional, and uses one of those places.
    if len(optional_picks) < terms.rules.number("optional_min") and len(compulsory_picks) > choice.count_min:
        optional_picks.append(compulsory_picks.pop())
    minimum, limit = (terms.rules.whole(f"optional_{end}") for end in ("min", "max"))
    if not minimum <= len(optional_picks) <= limit:
        raise ScenarioError(
            "features has {count} optional features; list {least} or {limit}",
            count=len(optional_picks),
            least=minimum,
            limit=limit,
            clause="D3-11",
        )
    picks = [PiecePick(terrain=pick.terrain, compulsory=True, town=pick.town) for pick in compulsory_picks]
    for pick in optional_picks:
        if pick.terrain not in find_optional(topography, terms, picks):
            raise ScenarioError(
                "features has {pick}, which home topography {home} cannot add",
                pick=name_pick(pick),
                home=topography.home.value,
                clause=topography.clause,
            )
        picks.append(pick)
    if not any(terms.piece_rules[pick.terrain].is_hindering for pick in picks):
        raise ScenarioError("features needs rough or bad going, a river or a waterway; add one of them",
                            clause="D3-15")  # fmt: skip
    return tuple(picks)


def _choose_compulsory(topography: Topography, terms: Terms, dice: Dice) -> tuple[PiecePick, ...]:
    """Return the compulsory features, as the settings say or the defender chooses (D3-3..D3-10).

    There are as many as the topography allows, and each can have a type of town.
    """
    choices = {plain(item.terrain): item for item in topography.compulsory}
    first_choice = choices[_choose(tuple(choices), Sentence("compulsory feature"), topography.clause, dice)]
    count = first_choice.count_min
    if first_choice.count_min < first_choice.count_max:
        options = tuple(str(number) for number in range(first_choice.count_min, first_choice.count_max + 1))
        count = int(_choose(options, Sentence("number of compulsory features"), "D3-10", dice))
    terrains = [first_choice.terrain]
    while len(terrains) < count:
        names = tuple(choices) if topography.is_mixed else (plain(first_choice.terrain),)
        name = _choose(names, Sentence("compulsory feature {number:d}", number=2), topography.clause, dice)
        terrains.append(choices[name].terrain)
    return tuple(PiecePick(terrain=item, compulsory=True, town=_choose_town(item, terms, dice)) for item in terrains)


def _choose_town(terrain: Terrain, terms: Terms, dice: Dice) -> str:
    """Return the type of built-up area that the defender chooses; empty for other terrain (D3-40)."""
    return _choose(terms.town_names, Sentence("built-up area"), "D3-40", dice) if terrain is Terrain.BUA else ""


def _choose_count(terms: Terms, name: str, dice: Dice) -> int:
    """Return the number of optional features from a setting, or as the defender chooses (D3-11).

    ``name`` is the setting and the prefix of its limits in the rule book.
    """
    setting = terms.rules.choice(name)
    low, high = (terms.rules.whole(f"{name}_{end}") for end in ("min", "max"))
    options = tuple(str(number) for number in range(low, high + 1))
    return int(
        _choose(options, Sentence("number of optional features"), "D3-11", dice) if setting == CHOICE else setting
    )


def _choose(options: Sequence[str], reason: Sentence, clause: str, dice: Dice) -> str:
    """Return the defender's choice; a single option needs no question.

    ``reason`` and ``clause`` explain the choice in the log.
    """
    return options[0] if len(options) == 1 else dice.choose(options, reason, clause, asks=True)


def _parse_feature(name: str, topography: Topography, terms: Terms) -> PiecePick:
    """Return the feature that a scenario names, with spaces, hyphens or underscores between words.

    Raises:
        ScenarioError: there is no such terrain type.
    """
    pieces_by_name: dict[str, tuple[Terrain, str]] = {plain(member): (member, "") for member in terms.piece_rules}
    pieces_by_name |= {member.plain_name: (member, "") for member in terms.piece_rules}
    pieces_by_name |= {town: (Terrain.BUA, town) for town in terms.town_names}
    del pieces_by_name[Terrain.BUA.value]
    normalised_name = " ".join(name.lower().replace("_", " ").replace("-", " ").split())
    if normalised_name not in pieces_by_name:
        raise ScenarioError(
            "features has {name!r}, which is not a terrain type; use one of {known}",
            name=name,
            known=", ".join(pieces_by_name),
            clause=topography.clause,
        )
    terrain, town = pieces_by_name[normalised_name]
    return PiecePick(terrain=terrain, town=town)
