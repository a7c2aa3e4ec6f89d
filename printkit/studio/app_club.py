"""The pages for leagues, with players, scores and rounds, and for battles against the non-player general (NPG)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from printkit.content.prose import Paragraph
from printkit.core.errors import MissingError, PrintkitError, UsageError
from printkit.core.numbers import parse_int
from printkit.core.paths import is_file
from printkit.core.words import find_words
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import make_rectangle
from printkit.drawing.text.leaflet import Figure, SideFigure
from printkit.kit import registry
from printkit.options.commands import GameOptions, LeagueOptions
from printkit.recipes.league.league_file import FILE, PAGE, League, LeagueGame, folder_name, read_league
from printkit.recipes.league.league_games import build_context, read_records
from printkit.recipes.league.league_page import league_document
from printkit.recipes.league.league_results import league_standings, resting_players, result_text
from printkit.recipes.output.files import file_bytes
from printkit.recipes.prints.file_names import slug
from printkit.studio.app_guards import policy_of
from printkit.studio.app_helpers import (
    app_of,
    form_data,
    lang_of,
    phones_of,
    redirect,
    render_phone,
    render_response,
    run,
    run_in_worker,
    style_of,
    words_of,
)
from printkit.studio.battles import Battles, NewBattle, army_control, battle_rules, field_control, scale_control
from printkit.studio.command_process import read_own
from printkit.studio.forms import command_line, option_control, system_choices
from printkit.studio.phones import QrCode, phone_code
from printkit.studio.session import LEAGUES, SessionLists

# Characters of a pair of chances, for example "1/6,1/12".
_LONGEST_CHANCES: Final = 60


def battles_of(request: Request) -> Battles:
    """Return the battles of the output folder."""
    return Battles(app_of(request))


async def show_battles(
    request: Request,
    form: Mapping[str, str] = MappingProxyType({}),
    lists: Mapping[str, Any] = MappingProxyType({}),
    error: PrintkitError | None = None,
) -> Response:
    """Show the list of battles and the form for a new one.

    ``form`` has the values to show in the form, and ``lists`` the own armies that were read, by side.
    """
    words = words_of(request)
    names = await run_in_worker(request, battles_of(request).names)
    armies = [
        {
            "control": army_control(side, form.get(side) or usual, words),
            "name": form.get(f"name-{side}", ""),
            "own": form.get(f"own-{side}", ""),
            "list": lists.get(side),
            "problem": words.translate(lists[side].problem.sentence) if side in lists and lists[side].problem else "",
        }
        for side, usual in (("npg", "marian-roman"), ("you", "gallic"))
    ]
    field_choice = await run_in_worker(request, field_control, app_of(request), words)
    values: dict[str, Any] = {
        "names": names,
        "armies": armies,
        "where": field_choice,
        "scale": scale_control(form.get("scale", ""), words),
    }
    status = 422 if error or any(army["problem"] for army in armies) else 200
    return render_response(request, "battles", here="battle", error=error, status=status, **values)


async def create_battle(request: Request) -> Response:
    """Create a battle from a form, and redirect to its page.

    Show the form again if the user checks an own army or answers a question, or if an army cannot be read.
    """
    form, words = await form_data(request, "own-npg", "own-you"), words_of(request)
    answered_sides = [side for side in ("npg", "you") if f"answer-{side}" in form]
    form |= {f"own-{side}": form[f"answer-{side}"] for side in answered_sides}
    lists = {
        side: await run_in_worker(
            request,
            battle_rules().read_list,
            form[f"own-{side}"].strip(),
            form.get(f"name-{side}", "").strip() or words(f"studio.battle.{side}"),
            words,
        )
        for side in ("npg", "you")
        if form.get(f"own-{side}", "").strip()
    }
    if answered_sides or "check" in form or any(army.problem for army in lists.values()):
        return await show_battles(request, form, lists)
    npg, you = (lists[side].army if side in lists else form.get(side, "") for side in ("npg", "you"))
    new_battle = NewBattle(npg=npg, you=you, field=form.get("field", ""), scale=form.get("scale") or "15mm")
    try:
        name = await run(request, battles_of(request).new, new_battle, words)
    except PrintkitError as error:
        return await show_battles(request, form, lists, error)
    return redirect(f"/battle/{name}")


async def battle(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the page of a battle, with the odds that the query requests."""
    battles, words, name = battles_of(request), words_of(request), request.path_params["battle"]
    troop_types = (request.query_params.get("attacker", ""), request.query_params.get("defender", ""))
    chances = request.query_params.get("chances", "").strip()[:_LONGEST_CHANCES]
    odds, own_odds = None, ""
    view = await run_in_worker(request, battles.view, name, words)
    if all(troop_types):
        odds = await run_in_worker(request, battle_rules().odds, *troop_types, words)
    if chances:
        try:
            own_odds = await run_in_worker(request, battle_rules().own_odds, chances, words)
        except PrintkitError as wrong:
            error = wrong
    link = f"/aid/{battles.link(name)}"
    return render_response(
        request,
        "battle",
        error=error,
        view=view,
        at=view.at,
        command=command_line(["printkit", "npg", view.at.next_stage, str(battles.path(name))]),
        types=battle_rules().types(),
        asked=troop_types,
        odds=odds,
        chances=chances,
        own_odds=own_odds,
        aid=link,
        code=phone_code(phones_of(request), link),
    )


async def play_step(request: Request) -> Response:
    """Play a stage or bound, try an override, record a fact, import a table-aid log, or undo steps."""
    words, name, stage = words_of(request), request.path_params["battle"], request.path_params["stage"]
    form = await form_data(request, *(["log"] if stage == "from-aid" else []))
    all_battles = battles_of(request)
    try:
        if stage == "link":
            all_battles.link(name, is_renewed=True)
        elif stage == "back":
            last_bound = form.get("to", "")
            await run(request, all_battles.back, name, words, parse_int(last_bound))
        elif stage == "field":
            saved_field = await run_in_worker(request, all_battles.field, name, style_of(request), words)
            return redirect(f"/field/{saved_field.id}")
        elif stage == "from-aid":
            await run(request, all_battles.from_aid, name, form.get("log", ""), words)
        elif stage == "fact":
            await run_in_worker(request, all_battles.record_fact, name, form.get("fact", ""), form.get("answer", ""))
        else:
            await run(request, all_battles.play, name, stage, form, words)
    except PrintkitError as error:
        return await battle(request, error)
    return redirect(f"/battle/{name}")


async def show_aid(request: Request) -> Response:
    """Return the table aid of a battle to a phone with its link."""
    battles, words = battles_of(request), words_of(request)
    # In its own thread, so a phone does not wait for other commands.
    text = await asyncio.to_thread(battles.aid, request.path_params["token"], words)
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": policy_of(text)})


# The side of the code on the poster in mm, with its white rim.
_CODE_MM: Final = 34.0

# Time limit in seconds for the sheets of a round with 20 tables.
_PRINT_SECONDS: Final = 900.0


def _leagues(request: Request) -> Path:
    """Return the folder of all leagues."""
    return app_of(request).settings.out / LEAGUES


def _names(request: Request) -> list[str]:
    """Return the names of the folders of all leagues."""
    return sorted(path.parent.name for path in _leagues(request).glob(f"*/{FILE}") if is_file(path))


def _league_folder(request: Request) -> Path:
    """Return the folder of the league that the address names.

    Raises:
        MissingError: there is no such league.
    """
    name: str = request.path_params["league"]
    if name not in _names(request):
        raise MissingError("there is no league {name!r} here", name=name)
    return _leagues(request) / name


def _links(request: Request) -> SessionLists:
    """Return the files with the tokens of the phone pages."""
    return SessionLists(app_of(request).sitting.folder)


async def show_leagues(request: Request, form: Mapping[str, str] = {}, error: PrintkitError | None = None) -> Response:
    """Show the leagues, and the form for a new one with the values of ``form``."""
    words = words_of(request)
    controls = {name: option_control(LeagueOptions, name, form, words) for name in ("name", "players", "tables")}
    controls["name"] = replace(controls["name"], hint="")
    systems = system_choices(form.get("rules", registry.DEFAULT), words)
    controls["rules"] = replace(option_control(GameOptions, "rules", form, words), kind="list", choices=systems)
    return render_response(request, "club", error=error, names=_names(request), form=form, controls=controls)


async def create_league(request: Request) -> Response:
    """Create a league with its first round from a form, and redirect to its page."""
    form, words = await form_data(request), words_of(request)
    name = form.get("name", "").strip() or words("studio.club.usual-name")
    folder = _leagues(request) / (slug(name) or "league")
    options = [f"--name={name}", f"--rules={form.get('rules', '')}", *_round_options(form)]
    if "build" in form:
        options.append("--table=build")
    try:
        await run(request, read_own, "league", "new", str(folder), *options, f"--lang={lang_of(request)}")
    except PrintkitError as error:
        return await show_leagues(request, form, error)
    return redirect(f"/club/{folder.name}")


def _round_options(form: dict[str, str]) -> list[str]:
    """Return the players, a name on each line, and the number of tables of a form as options of a command."""
    names, tables = form.get("players", "").replace("\r", "").split("\n"), form.get("tables", "").strip()
    # The last comma makes it a list of names even if a file has this name.
    return [f"--players={', '.join(filter(str.strip, names))},", *([f"--tables={tables}"] if tables else [])]


async def show_league(
    request: Request, form: Mapping[str, str] = {}, error: PrintkitError | None = None, score_number: int = 0
) -> Response:
    """Show the page of a league with the values of ``form``; the error may be beside the score of a game."""
    folder = _league_folder(request)
    league = await run_in_worker(request, read_league, folder)
    values = await run_in_worker(request, _league_values, league, folder, form)
    values["link"] = link = f"/club/{_links(request).token(f'club-{folder.name}')}"
    values["code"] = phone_code(phones_of(request), link)
    values["tables_control"] = option_control(LeagueOptions, "tables", form, words_of(request))
    return render_response(request, "league", error=error, form=form, score_number=score_number, **values)


def _league_values(league: League, folder: Path, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the page of a league, with the scores that the user has typed into ``form``."""
    address = f"/out/{LEAGUES}/{folder.name}"
    tables = []
    for number in league.shown_games:
        contents = f"{folder_name(number)}/contents.pdf"
        sheets = f"{address}/{contents}" if is_file(folder / contents) else ""
        game = league.game(number)
        score = form.get(f"score-{number}", _score_text(game))
        tables.append({"number": number, "game": game, "score": score, "sheets": sheets})
    return {
        "league": league,
        "folder": folder.name,
        "rows": league_standings(league),
        "resting": ", ".join(resting_players(league)),
        "tables": tables,
    }


def _score_text(game: LeagueGame) -> str:
    """Return the score of a game as text, otherwise its note."""
    return result_text(game) if game.score is None else "{}-{}".format(*game.score)


async def play_round_step(request: Request) -> Response:
    """Record the scores of a round, start the next round, or print the sheets of the tables."""
    form, step, score_number = await form_data(request), request.path_params["step"], 0
    try:
        folder = _league_folder(request)
        closing = ("--quiet", f"--lang={lang_of(request)}")
        if step == "result":
            league = read_league(folder)
            for number in league.shown_games:
                old_text = _score_text(league.game(number))
                text = form.get(f"score-{number}", old_text).strip()
                score_number = number
                if text != old_text:
                    await run(request, read_own, "league", "result", f"{folder}/{number}", *closing, "--", text)
        elif step == "round":
            await run(request, read_own, "league", "round", str(folder), *_round_options(form), *closing)
        elif step == "print":
            print_sheets = partial(read_own, seconds=_PRINT_SECONDS)
            await run(request, print_sheets, "league", "show", str(folder), "--print", *closing)
        elif step == "link":
            _links(request).token(f"club-{folder.name}", is_renewed=True)
        else:
            raise UsageError("there is no step {step!r} here", step=step)
    except PrintkitError as error:
        return await show_league(request, form, error, score_number)
    return redirect(f"/club/{folder.name}")


async def show_standings(request: Request) -> Response:
    """Show the standings and the round of the league with the token of the address to a phone."""
    notes = [f"club-{name}" for name in _names(request)]
    note, _ = _links(request).find_token(notes, request.path_params["token"])
    if not note:
        raise MissingError("this link no longer opens a league; ask the host for a new one")
    folder = _leagues(request) / note.removeprefix("club-")
    values = _league_values(await run_in_worker(request, read_league, folder), folder, {})
    return render_phone(request, "standings", **values)


async def send_poster(request: Request) -> Response:
    """Return the poster of a league; while phones may connect, with the code of its page for phones."""
    folder = _league_folder(request)
    league = await run_in_worker(request, read_league, folder)
    code = phone_code(phones_of(request), f"/club/{_links(request).token(f'club-{folder.name}')}")
    if code is None or not league.players:
        data = await asyncio.to_thread((folder / PAGE).read_bytes)
    else:
        data = await run_in_worker(request, _draw_poster, league, folder, code)
    return Response(data, media_type="application/pdf")


def _draw_poster(league: League, folder: Path, code: QrCode) -> bytes:
    """Return the poster of a league with a code as the bytes of a PDF."""
    words = find_words(league.lang)
    order = build_context(league, words, folder / FILE)
    unit, ink = _CODE_MM / code.side, order.style.solid("ink")
    squares = [
        make_rectangle((x * unit, (code.side - 1 - y) * unit, width * unit, unit), ink) for x, y, width in code.runs
    ]
    figure = Figure(drawing_of(_CODE_MM, _CODE_MM, squares))
    link = SideFigure(figure, (Paragraph(words("league.on-phones")),))
    records = tuple(read_records(folder, league.shown_games))
    return file_bytes(league_document(league, records, registry.find(league.rules), order, (link,)))
