"""A stage before its dice, with faces or boxes to tick (0.7), and the NPG's bounds as they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.systems.solo.armies.steps import AppliedModifier, Mode, ModifierState, find_sum_range, sum_modifiers
from printkit.systems.solo.battle.battles import BattleCase, code_of
from printkit.systems.solo.battle.facts import landing_case, position_cases
from printkit.systems.solo.battle.lines import (
    INDENT,
    bound_lines,
    head_lines,
    modifier_line,
    move_lines,
    override_lines,
    signed,
    step_lines,
    title_of,
)
from printkit.systems.solo.battle.stages import play_bound, play_override
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.battle_log import DEPLOY, EDGE, BattleLog
from printkit.systems.solo.tactics.battle_log import LEVEL as LEVEL_STAGE
from printkit.systems.solo.tactics.bounds import FREE, LEVEL, LevelCase, Losses, stance_modifiers
from printkit.systems.solo.tactics.camp import (
    CAMP,
    FOLLOWERS,
    GARRISON,
    LANDING,
    SPEAR,
    CampCase,
    GarrisonCase,
    after_camp,
    garrison_choice,
)
from printkit.systems.solo.tactics.edges import edge_modifiers
from printkit.systems.solo.tactics.grouping import groups_of, written
from printkit.systems.solo.tactics.positions import place_at, position_modifiers
from printkit.systems.solo.tactics.situation import Place
from printkit.systems.solo.tactics.tactics_tables import Level, attack_class, tactics

_ONE: Final = range(1, 7)
_TWO: Final = range(2, 13)


def sheet_lines(case: BattleCase, stage: str) -> Iterator[str]:
    """Yield a stage as a person throws it: in mode ``ranges`` what is known is counted, in ``blank`` nothing."""
    if stage == EDGE:
        yield from _edge_lines(case)
    elif stage == DEPLOY:
        yield from _deploy_lines(case)
    else:
        yield from _bound_lines(case)


def faces(gives: Callable[[int], str], outcome: str, throws: range) -> str:
    """Return the faces, or sums of faces, that give an outcome: ``3-6``, or a dash for none."""
    found = [throw for throw in throws if gives(throw) == outcome]
    if not found:
        return "–"
    return str(found[0]) if len(found) == 1 else f"{found[0]}-{found[-1]}"


def _edge_lines(case: BattleCase) -> Iterator[str]:
    words = case.order.words
    yield f"{words('npg.battle.step.edge')} [SD-4.1-b]"
    if case.order.mode == Mode.BLANK:
        yield from _boxes("edge", case.text)
        return
    for edge, modifiers in edge_modifiers(case.npg, case.you, case.situation, case.rules).items():
        low, high = find_sum_range(modifiers)
        said = signed(sum_modifiers(modifiers)) + (f" ({signed(low)}..{signed(high)})" if low != high else "")
        yield f"{INDENT}{words(f'npg.battle.place.{edge}')}: {words('npg.battle.die')} {said}"
        yield from (INDENT + line for line in _known(modifiers, case.text))


def _deploy_lines(case: BattleCase) -> Iterator[str]:
    if case.npg.camp and case.npg.count("Sp"):
        yield from _table(case, "camp", CAMP.judge(CampCase(case.npg, case.you), case.rules))
    if not case.npg_attacks and case.situation.bua is not False:
        yield from _garrison_lines(case)
    if case.npg.is_littoral and case.situation.waterway is not False:
        yield from _table(case, "landing", LANDING.judge(landing_case(case), case.rules))
    if case.order.mode == Mode.BLANK:
        yield from _table(case, "position", (), throws=_TWO)
        return
    groups, _ = groups_of(case.npg.elements, case.npg, case.you, case.rules)
    for one in position_cases(case, groups):
        yield from _table(case, "position", position_modifiers(one), throws=_TWO, about=written(one.group))


def _garrison_lines(case: BattleCase) -> Iterator[str]:
    """Yield the garrison's die as it is counted after the camp has its own: once for each that the camp may have."""
    words, own = case.order.words, case.situation.bua_own_side(case.edge)
    if case.order.mode == Mode.BLANK:
        yield from _table(case, "garrison", ())
        return
    camps = (FOLLOWERS, SPEAR) if case.npg.camp and case.npg.count("Sp") else (FOLLOWERS,)
    for camp in camps:
        left = after_camp(case.npg, camp)
        choice = garrison_choice(left, case.rules) if left.infantry_count else None
        if choice is None:
            continue
        about = words(f"npg.battle.result.camp.{camp}") if len(camps) > 1 else ""
        town = GarrisonCase(left, case.you, own)
        yield from _table(case, "garrison", GARRISON.judge(town, case.rules), about=about)
        yield INDENT + words("npg.battle.garrison_of", element=code_of(choice[0]), clause=choice[1])


def _bound_lines(case: BattleCase) -> Iterator[str]:
    words = case.order.words
    yield from _table(case, "level", LEVEL.judge(LevelCase(case.npg, case.you), case.rules))
    if case.order.mode == Mode.BLANK:
        yield from _table(case, "stance", stance_modifiers(Level.NEUTRAL, 3, Losses(), case.rules))
        return
    yield f"{words('npg.battle.step.stance')} [SD-5.3-b]"
    for net in tactics(case.rules).nets():
        odds = tactics(case.rules).odds(net)
        said = ", ".join(f"{words(f'npg.battle.result.stance.{stance}')} {count}/36" for stance, count in odds.items())
        yield f"{INDENT}NET {signed(net)}: {said}"


def _table(
    case: BattleCase, name: str, modifiers: Sequence[AppliedModifier], *, throws: range = _ONE, about: str = ""
) -> Iterator[str]:
    words = case.order.words
    rows = case.rules.outcomes(name)
    title = words(f"npg.battle.step.{name}") + (f" {{{about}}}" if about else "")
    if case.order.mode == Mode.BLANK:
        yield title
        yield from _boxes(name, case.text)
        yield INDENT + "; ".join(f"{row.span} {_outcome(name, row.outcome, words)}" for row in rows.rows)
        return
    added = sum_modifiers(modifiers)
    yield f"{title}: {words('npg.battle.die')} {signed(added)}"
    yield from _known(modifiers, case.text)

    def gives(throw: int) -> str:
        if name == "position":
            return place_at(throw + added, case.rules, landing=_may_land(case))[0].value
        return rows.row(throw + added).outcome

    outcomes = [
        row.outcome for row in rows.rows if name != "position" or _may_land(case) or row.outcome != Place.LANDING
    ]
    yield INDENT + "; ".join(f"{faces(gives, each, throws)} {_outcome(name, each, words)}" for each in outcomes)


def _may_land(case: BattleCase) -> bool:
    """Return whether a landing is possible, as far as anybody knows; the die for it is thrown before (SD-4.6-a)."""
    return case.npg.is_littoral and case.situation.waterway is not False


def _known(modifiers: Sequence[AppliedModifier], text: CardText) -> Iterator[str]:
    for each in modifiers:
        if each.state is not ModifierState.OFF:
            yield INDENT + modifier_line({"id": each.clause, "value": each.amount, "state": each.state.value}, text)


def _boxes(name: str, text: CardText) -> Iterator[str]:
    for modifier in text.rules.outcomes(name).modifiers:
        yield f"{INDENT}[ ] {signed(modifier.amount):>3} {title_of(modifier.condition, text)} [{modifier.condition}]"


def _outcome(name: str, outcome: str, words: Words) -> str:
    return words(f"npg.battle.result.{name}.{outcome}")


# --- The NPG's bounds as told at the table: level, PIPs, stance, moves in their order, overrides, kinds of attack -----


def play_and_tell(case: BattleCase, losses: Losses | None) -> tuple[BattleLog, tuple[str, ...]]:
    """Throw the next bound of the NPG, and before the first one its level; return the new log and the lines to show.

    The log is not saved. The lines tell how the result came about only if ``case.order.every`` is set.

    Args:
        case: the battle with its log so far.
        losses: elements that each side has lost so far in the whole battle; None leaves them as at the last bound.
    """
    played, made = play_bound(case, losses)
    text, every = case.text, case.order.every
    lines = list[str]()
    if every:
        lines += [*head_lines(case), *step_lines([step.as_data() for step in played.steps], text, every=True)]
    elif not case.log.done(LEVEL_STAGE):
        level = played.log.result(LEVEL_STAGE, "level")
        lines.append(text.words("npg.battle.show.level", level=text.words(f"npg.battle.result.level.{level}")))
    lines += bound_lines(made, len(played.log.bounds), text, overrides=played.log.overrides, every=every)
    return played.log, tuple(lines)


def try_override(case: BattleCase) -> tuple[BattleLog, tuple[str, ...]]:
    """Try an override for the bound thrown last, and return the log to keep and the lines to show."""
    played, stance = play_override(case)
    (step,) = played.steps
    lines = [*step_lines([step.as_data()], case.text), *override_lines(step.result, played.log.overrides, case.text)]
    if step.result != FREE:
        lines += move_lines(stance, case.text, every=case.order.every)
    return played.log, tuple(lines)


def tell_sheet(case: BattleCase) -> Iterator[str]:
    """Yield level and stance before their dice."""
    yield from head_lines(case)
    yield from sheet_lines(case, "bound")


def losses_question(case: BattleCase) -> str:
    """Return the question for the losses, with those of the last bound."""
    last = case.log.bounds[-1]
    return case.order.words("npg.battle.losses", npg=last.npg_lost, you=last.you_lost)


def read_chances(text: str) -> tuple[Fraction, Fraction]:
    """Return the chances to kill and to die of ``1/6,1/12``.

    Raises:
        UsageError: they are no two chances.
    """
    try:
        kill, die = (Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        raise UsageError(
            "--odds {text!r} is not valid; write two chances, for example 1/6,1/12 or 0.3,0.1", text=text
        ) from None
    if not (0 <= kill <= 1 and 0 <= die <= 1):
        raise UsageError("--odds {text!r}: a chance is a number from 0 to 1", text=text)
    return kill, die


def odds_line(chances: tuple[Fraction, Fraction], words: Words) -> str:
    """Return which kind of attack two chances make (AMB-41)."""
    kind = attack_class(*chances)
    return words("npg.battle.no_attack") if kind is None else words(f"npg.cards.action.{kind}")
