"""The start page, the switch that lets phones in, and the end of the program."""

from __future__ import annotations

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from printkit.core.errors import PrintkitError, UsageError
from printkit.core.paths import toml_names
from printkit.core.words import available_languages, find_words
from printkit.options.roles import ROLES, roles_for
from printkit.studio.app_helpers import (
    app_of,
    form_data,
    lang_of,
    phones_of,
    print_lang_of,
    redirect,
    render_response,
    run_in_worker,
    words_of,
)
from printkit.studio.pages.render import LANGUAGES
from printkit.studio.sealed_games import SealedGames
from printkit.studio.start import latest_entries, role_takes


async def show_start(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the start page; afterwards a thread loads everything else."""
    app, words = app_of(request), words_of(request)
    preferences = app.preferences
    response = render_response(
        request,
        "start",
        error=error,
        roles=roles_for(words.code),
        takes=role_takes(),
        entries=latest_entries(app.settings.out, app.sitting.folder, app.sitting.fields, words),
        preferences=preferences,
        languages=_languages(words.code),
        printers=toml_names(app.settings.printers),
        print_lang=print_lang_of(request),
        out=app.settings.out,
    )
    response.background = BackgroundTask(app.warm)
    return response


def _languages(code: str) -> list[tuple[str, str]]:
    """Return the codes and names of all languages, and of each other one together with that of the page, ``code``."""
    codes = available_languages()
    names = {each: LANGUAGES.get(each, each) for each in codes}
    others = [each for each in codes if each != code]
    both = find_words(code)("studio.start.both")
    pairs = [(f"{code}+{each}", both if len(others) == 1 else f"{names[code]} + {names[each]}") for each in others]
    return [*names.items(), *pairs]


async def begin(request: Request) -> Response:
    """Begin what the user plays: make its battlefield or deal, and redirect to its page."""
    app, words, name = app_of(request), words_of(request), (await form_data(request)).get("role", "")
    role = next((role for role in ROLES if role.name == name), None)
    try:
        if role is None:
            raise UsageError("there is no game {role!r} here; choose one of these pictures", role=name)
        if role.lands == "field":
            form = {"rules": role.rules, **role.settings}
            return redirect(f"/field/{(await run_in_worker(request, app.new, form, lang_of(request))).id}")
        if role.lands == "hands":
            games: SealedGames = request.app.state.games
            return redirect(f"/hands/{await run_in_worker(request, games.deal, {}, words)}")
        return redirect(f"/{role.lands}")
    except PrintkitError as error:
        return await show_start(request, error)


async def save_preferences(request: Request) -> Response:
    """Save how the user prints, and redirect to the start page."""
    try:
        await run_in_worker(request, app_of(request).prefer, await form_data(request))
    except PrintkitError as error:
        return await show_start(request, error)
    response = redirect("/#preferences")
    # These cookies say the same as the preferences.
    for name in ("lang", "style"):
        response.delete_cookie(name, httponly=True, samesite="strict")
    return response


async def stop(request: Request) -> Response:
    """Stop the program; while jobs run or phones may connect, only if the user confirms it."""
    app, form = app_of(request), await form_data(request)
    jobs = app.jobs.count_open()
    is_stopped = not (jobs or phones_of(request).state.is_on) or bool(form.get("anyway"))
    response = render_response(request, "stop", here="start", is_stopped=is_stopped, jobs=jobs, out=app.settings.out)
    if is_stopped:
        response.background = BackgroundTask(request.app.state.stop)
    return response


async def switch_phones(request: Request) -> Response:
    """Let phones in at an address of this computer, or shut them out; then return to the page with the switch."""
    form, phones = await form_data(request), phones_of(request)
    hosts = [address.host for address in phones.addresses()]
    if form.get("on") != "1":
        await phones.close()
    elif hosts:
        host = form.get("address", "")
        await phones.open(host if host in hosts else hosts[0], app_of(request).settings.port)
    page = form.get("page", "")
    # A second slash would lead to another computer.
    return redirect(page if page[:1] == "/" and page[1:2] not in ("/", "\\") else "/hands")
