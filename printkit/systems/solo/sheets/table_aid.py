"""The table aid: an offline web page for a phone, with the bounds, moves, losses and end of a battle.

All numbers and lists are computed here from the rule book and the settings. The page only adds and looks up. It names
both armies, and none of the NPG's elements.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import Sentence
from printkit.core.resources import resource
from printkit.core.words import Words
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.style import Style
from printkit.recipes.output.web_page import build_page, fill_template, page_texts, page_words, read_part
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.steps import sum_modifiers
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.cards.sheet_values import roll_bounds
from printkit.systems.solo.cards.tables import lost_rules
from printkit.systems.solo.tactics.aid_log import BATTLE, LUCK, SCHEMA, battle_key
from printkit.systems.solo.tactics.battle_log import LEVEL as LEVEL_STAGE
from printkit.systems.solo.tactics.bounds import LEVEL, LevelCase
from printkit.systems.solo.tactics.tactics_tables import FACES, Action, Level, Stance, TacticsTables, tactics

# Maximum size of a page, in bytes.
MAX_BYTES: Final = 400_000

# Bounds of the seed in a page. No game with twelve elements on each side needs more.
BOUNDS: Final = 60

FILE: Final = "table-aid"
_FOLDER: Final = "aid"
_GAME: Final = "aid-game"
# CSS of large print: no type below 16 pixels, which are 12 points.
_LARGE_CSS: Final = """
html { font-size: 118% }
button, figcaption, textarea, .place, #history b { font-size: .85rem }
.place { width: 28px; height: 28px; line-height: 26px }
"""

_FONT_FOLDER: Final = "studio/static/fonts"
_WORD_PREFIX: Final = "npg.aid."
_FACES: Final = {
    "words_face": "EBGaramond12-Regular",
    "aside_face": "EBGaramond12-Italic",
    "pressed_face": "Lato-Semibold",
}


def make_table_aid(
    pair: Pair, words: Words, style: Style, *, seed: int | None, events: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Return the page as one complete HTML text in the first language of ``words``.

    It can switch to all other languages and loads nothing from outside. ``seed`` is the seed of the battle, or None;
    ``events`` are the events played so far.
    """
    faces = {
        name: base64.b64encode(resource(_FONT_FOLDER, f"{face}.woff2").read_bytes()).decode()
        for name, face in _FACES.items()
    }
    css = fill_template(read_part(_FOLDER, f"{FILE}.css"), {**faces, **choose_colours(style)})
    texts = {each.code: _collect_texts(pair, each) for each in page_words(words)}
    first = texts[words.code]
    return build_page(
        _FOLDER,
        FILE,
        texts,
        _collect_values(pair, seed, events),
        title=first["page"].format(npg=first["npg-army"], you=first["you-army"]),
        style=css + (_LARGE_CSS if style.least_pt else ""),
        scripts=(f"{_GAME}.js", f"{FILE}.js"),
    )


def choose_colours(style: Style) -> dict[str, str]:
    """Return the colours of the page (``#RRGGBB``) by their CSS names, from the inks of a style."""
    sheet, dark = style.solid("sheet"), style.solid("sepia")
    leaf = sheet.mix(WHITE, 0.5)
    stances = {
        Stance.AGGRESSIVE: style.solid("side-red"),
        Stance.CAUTIOUS: dark,
        Stance.DEFENSIVE: style.solid("side-blue"),
    }
    page_inks = {
        "sheet": sheet,
        "leaf": leaf,
        "desk": sheet.mix(dark, 0.25),
        "ink": style.solid("ink"),
        "aside": style.solid("ink-secondary").mix(style.solid("ink"), 0.25),
        "hair": sheet.mix(dark, 0.2),
        "dark": dark,
        **{stance.value: ink for stance, ink in stances.items()},
        **{f"{stance}_tint": leaf.mix(ink, 0.1) for stance, ink in stances.items()},
    }
    return {name: f"#{ink.red:02X}{ink.green:02X}{ink.blue:02X}" for name, ink in page_inks.items()}


def _collect_values(pair: Pair, seed: int | None, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the data of the page by the names that its script uses: numbers, lists and tables."""
    rules, tables = pair.rules, tactics(pair.rules)
    worth = rules.whole("losses_camp_worth")
    sizes = {"npg": len(pair.npg.elements), "you": len(pair.you.elements)}
    rows, columns = (range(size + worth + 1) for size in sizes.values())
    losses = [[tables.loss_index(npg, you) for you in columns] for npg in rows]
    values = tables.level_values
    nets = [value + loss for value in values.values() for row in losses for loss in row]
    bases = [tables.base(pips, die) for pips in FACES for die in FACES]
    totals = range(min(bases) + min(nets), max(bases) + max(nets) + 1)
    names = {"npg": pair.npg.name, "you": pair.you.name}
    key = battle_key(seed, **names)
    return {
        "schema": SCHEMA,
        "key": key,
        "seed": None if seed is None else str(seed),
        "names": names,
        "file": f"{FILE}-{key}.json",
        "begun": list(events),
        "luck": [name for name in LUCK if name != BATTLE or seed is not None],
        "strip": []
        if seed is None
        else [[bound.pips, bound.die, bound.override_die] for bound in roll_bounds(seed, rules, BOUNDS)],
        "level": _make_level_data(pair, seed),
        "levels": {level.value: value for level, value in values.items()},
        "added": [tables.base(pips, 0) for pips in FACES],
        "leastTotal": totals.start,
        "stances": [tables.stance_at(total).value for total in totals],
        "losses": losses,
        "each": _sum_loss_modifiers(tables),
        "elements": sizes,
        "camp": worth,
        "end": rules.whole("losses_end_min"),
        "override": [tables.override.look_up(die) for die in FACES],
        "tries": tables.overrides,
        "lists": {stance.value: [move.action.value for move in tables.permitted[stance]] for stance in Stance},
    }


def _make_level_data(pair: Pair, seed: int | None) -> dict[str, Any]:
    """Return ``faces``, the aggression level of each die face from 1, and ``die``, the seed's die.

    The die is 0 without a seed.
    """
    modifier_sum = sum_modifiers(LEVEL.judge(LevelCase(pair.npg, pair.you), pair.rules))
    faces = [tactics(pair.rules).level_at(die + modifier_sum).value for die in FACES]
    die = 0
    if seed is not None:
        die = Dice(Seeded(seed)).at(LEVEL_STAGE).d6(Sentence("aggression level"), "SD-5.2-a")
    return {"faces": faces, "die": die}


def _sum_loss_modifiers(tables: TacticsTables) -> dict[str, int]:
    """Return how much one lost element of each side adds to the stance total, by ``npg`` and ``you``."""
    return {
        side: sum(modifier.amount for modifier in tables.stance_modifiers if modifier.each == side)
        for side in ("npg", "you")
    }


def _collect_texts(pair: Pair, words: Words) -> dict[str, Any]:
    """Return the texts of one language by name. The page fills in their placeholders."""
    text = CardText(words, pair.rules)
    return {
        **page_texts(words, _WORD_PREFIX),
        "npg-army": named(pair.npg.name, words),
        "you-army": named(pair.you.name, words),
        "walk": words("npg.battle.walk"),
        "counts": [line.replace("**", "") for line in lost_rules(text)],
        **{f"level.{level}": text(f"level.{level}") for level in Level},
        **{f"stance.{stance}": text(f"stance.{stance}") for stance in Stance},
        **{f"letter.{stance}": text(f"letter.{stance}") for stance in Stance},
        **{f"action.{action}": text(f"action.{action}") for action in Action},
        **{f"meaning.{action}": text(f"definition.{action}") for action in Action},
    }
