"""The facts that only the table knows: which a stage still lacks, and asking a person for them (0.6, 7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from printkit.chance.dice import Act, Question
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState
from printkit.systems.solo.battle.battles import FACTS, BattleCase
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.battle_log import TERRAIN
from printkit.systems.solo.tactics.camp import GARRISON, LANDING, GarrisonCase, LandingCase
from printkit.systems.solo.tactics.edges import EDGE, EdgeCase, candidate_edges
from printkit.systems.solo.tactics.grouping import Group
from printkit.systems.solo.tactics.positions import POSITION, PositionCase
from printkit.systems.solo.tactics.situation import choices_of, facing, is_number

_UNKNOWN: Final = "not known"
_MOST: Final = 12


def question_of(name: str, text: CardText) -> str:
    """Return the question that a fact answers; of an edge, a flank or a place with its name in it."""
    place, dot, part = name.partition(".")
    if not dot:
        return text.translate(f"npg.battle.ask.{name}")
    return text.translate(f"npg.battle.ask.{part}", place=text.words(f"npg.battle.place.{place}"))


def edge_facts_open(case: BattleCase) -> list[str]:
    """Return the facts that the choice of an edge lacks, in the order of the rules."""
    found = [] if case.situation.text("bua") else ["bua"]
    for edge in candidate_edges(case.situation):
        judged = EDGE.judge(EdgeCase(npg=case.npg, you=case.you, situation=case.situation, edge=edge), case.rules)
        found += _of(judged, case, edge=edge.value, opposite=facing(edge).value)
    return list(dict.fromkeys(found))


def deploy_facts_open(case: BattleCase, groups: Iterable[Group]) -> list[str]:
    """Return the facts that garrison, landing and positions lack."""
    found: list[str] = []
    if not case.npg_attacks:
        if case.situation.bua is None:
            found.append("bua")
        elif case.situation.bua:
            own = case.situation.bua_own_side(case.edge)
            found += _of(GARRISON.judge(GarrisonCase(case.npg, case.you, own), case.rules), case)
    if case.npg.is_littoral:
        if case.situation.waterway is None:
            found.append("waterway")
        elif case.situation.waterway:
            found += _of(LANDING.judge(landing_case(case), case.rules), case)
    for one in position_cases(case, groups):
        found += _of(POSITION.judge(one, case.rules), case)
    return list(dict.fromkeys(found))


def landing_case(case: BattleCase) -> LandingCase:
    """Return the landing as the battle stands."""
    return LandingCase(
        npg=case.npg, you=case.you, npg_attacks=case.npg_attacks, situation=case.situation, edge=case.edge
    )


def position_cases(case: BattleCase, groups: Iterable[Group]) -> tuple[PositionCase, ...]:
    """Return each group as it is to be placed."""
    return tuple(
        PositionCase(group=group, npg=case.npg, you=case.you, situation=case.situation, rules=case.rules)
        for group in groups
    )


def asked(case: BattleCase, names: Iterable[str]) -> BattleCase:
    """Return the case with the answers of the person at the terminal; without one as it is (AMB-38)."""
    open_facts = list(names)
    if case.order.person is None:
        return case
    if open_facts and case.field is None and not case.log.done(TERRAIN):
        case.order.person.tell(case.order.words("npg.battle.no_map"))
    for name in open_facts:
        # An answer of before may have settled it.
        if name in case.situation.values:
            continue
        labels = _labels(name)
        question = Question(
            stage=FACTS,
            reason=question_of(name, case.text),
            act=Act.CHOICE,
            request=f"choice of {len(labels)}",
            labels=labels,
            asks=True,
            default_label=_UNKNOWN,
        )
        (place,) = case.dice.source.pick(question)
        if labels[place] != _UNKNOWN:
            case = case.knowing({name: _value(name, labels[place])})
    return case


def _labels(name: str) -> list[str]:
    if is_number(name):
        return [*(str(count) for count in range(_MOST + 1)), _UNKNOWN]
    return [*(choices_of(name) or ("yes", "no")), _UNKNOWN]


def _value(name: str, label: str) -> bool | int | str:
    if is_number(name):
        return int(label)
    return label if choices_of(name) else label == "yes"


def _of(modifiers: Iterable[AppliedModifier], case: BattleCase, **places: str) -> Iterator[str]:
    for modifier in modifiers:
        if modifier.state is ModifierState.OPEN:
            yield from case.rules.needed_facts(modifier.clause, **places)
