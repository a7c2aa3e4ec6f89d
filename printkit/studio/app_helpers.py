"""Helpers of the request handlers: forms, languages, pages and one-line errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from math import ceil
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from printkit.core.errors import MissingError, PrintkitError, UsageError
from printkit.core.resources import names as resource_names
from printkit.core.words import Words, available_languages
from printkit.studio.app_state import AppState
from printkit.studio.limits.values import EventStreams
from printkit.studio.pages.render import page
from printkit.studio.phones import PhoneListener
from printkit.studio.pictures import BoardLook
from printkit.studio.session import SavedField

T = TypeVar("T")

# For responses whose address changes with their content.
FOR_EVER: Final = {"Cache-Control": "private, max-age=31536000, immutable"}

_YEAR: Final = 31536000
_LARGEST_FORM: Final = 2**20

# Characters of a short form field.
_LONGEST: Final = 2000

# The tabs of a battlefield, and the ends of their addresses after that of the battlefield.
_TABS: Final = {"map": "", "throws": "/throws", "hand": "/hand", "print": "/print"}

# The pages of the bar, and the pages that belong to another one of the bar or of the tabs.
_BAR: Final = {"start": "/", "field": "/field", "battle": "/battle", "hands": "/hands", "club": "/club"}
_PARTS: Final = {
    "field": "map",
    "evening": "print",
    "battles": "battle",
    "league": "club",
    "host": "hands",
    "check": "start",
    "printer": "start",
}


def app_of(request: Request) -> AppState:
    """Return the state of the studio that serves a request."""
    app: AppState = request.app.state.desk
    return app


def streams_of(request: Request) -> EventStreams:
    """Return the open event streams of the studio that serves a request."""
    streams: EventStreams = request.app.state.streams
    return streams


def phones_of(request: Request) -> PhoneListener:
    """Return the listener for phones of the studio that serves a request."""
    phones: PhoneListener = request.app.state.phones
    return phones


async def wait_for(future: Future[T]) -> T:
    """Wait for the result of a thread without blocking other requests, and return it."""
    return await asyncio.wrap_future(future)


async def run_in_worker(request: Request, work: Callable[..., T], *arguments: Any) -> T:
    """Call a function in the computing thread and return its result."""
    return await wait_for(app_of(request).compute(work, *arguments))


async def run(request: Request, work: Callable[..., T], *arguments: Any) -> T:
    """Call a function in the command thread and return its result.

    Commands there parse text from the user in a separate process.
    """
    return await wait_for(app_of(request).run(work, *arguments))


async def form_data(request: Request, *texts: str) -> dict[str, str]:
    """Return the fields of a form; the last value of a name wins.

    A form of more than 1 MB has no fields.

    Args:
        request: the request with the form.
        texts: the names of long text fields, which a command parses in a separate process.

    Raises:
        UsageError: another field is longer than 2,000 characters.
    """
    body = await request.body()
    if len(body) > _LARGEST_FORM:
        return {}
    fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    for name, value in fields.items():
        if name not in texts and max(len(name), len(value)) > _LONGEST:
            raise UsageError("{name} is longer than {most} characters", name=repr(name[:40]), most=_LONGEST)
    return fields


def lang_of(request: Request) -> str:
    """Return the code of the language that the user chose in the browser, otherwise that of the phone or the studio."""
    app, languages = app_of(request), available_languages()
    usual = app.preferences.page_lang or app.settings.lang
    if request.scope["is_phone"]:
        # "es-MX,es;q=0.9,en;q=0.8": browsers send the preferred language first.
        wanted_languages = [part.strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
        usual = next((code for code in wanted_languages if code in languages), usual)
    return _find_choice(request, "lang", languages, usual)


def print_lang_of(request: Request) -> str:
    """Return the language code of sheets: that of the page, or both if the user prefers both."""
    lang, preferred_lang = lang_of(request), app_of(request).preferences.lang
    return preferred_lang if lang in preferred_lang.split("+") else lang


def words_of(request: Request) -> Words:
    """Return the words of the language that the browser chose."""
    return app_of(request).words(lang_of(request))


def style_of(request: Request) -> str:
    """Return the name of the map style that the browser chose, otherwise the default."""
    return _find_choice(
        request, "style", resource_names("templates/styles", ".toml"), app_of(request).preferences.style
    )


def _find_choice(request: Request, name: str, valid_values: list[str], usual: str) -> str:
    """Return the value of a name in the query, otherwise in the cookies; the usual one if neither has a valid value."""
    candidates: list[str] = [request.query_params.get(name, ""), request.cookies.get(name, "")]
    return next((value for value in candidates if value in valid_values), usual)


def render_response(
    request: Request,
    name: str,
    *,
    field: str = "",
    here: str = "",
    error: PrintkitError | None = None,
    status: int = 0,
    **values: Any,
) -> Response:
    """Render a page with the navigation bar.

    Args:
        request: the request.
        name: the name of the template.
        field: the ID of the battlefield that the bar links to; the latest one if empty.
        here: the current page in the bar; ``name`` if empty.
        error: what was wrong with the request; the page shows its message.
        status: the HTTP status; by default 422 with an error, otherwise 200.
        values: the values of the template.
    """
    app, words = app_of(request), words_of(request)
    if not field and (last := app.sitting.last):
        field = last.id
    address, page_key = f"/field/{field}" if field else "/field", _PARTS.get(here or name, here or name)
    tabs = {key: address + end for key, end in _TABS.items()} if page_key in _TABS and field else {}
    text = page(
        name,
        words,
        pages=_links({**_BAR, "field": address}, "field" if page_key in _TABS else page_key, words),
        tabs=_links(tabs, page_key, words),
        listener=phones_of(request),
        large_print=app.preferences.large_print,
        error=words.translate(error.sentence) if error else "",
        path=request.url.path,
        t_map=words("studio.map.keys"),
        t_layers=words("studio.field.layers"),
        t_zoom=words("studio.map.zoom"),
        t_near=words("studio.map.near"),
        t_far=words("studio.map.far"),
        t_whole=words("studio.map.whole"),
        **values,
    )
    response = HTMLResponse(text, status or (422 if error else 200))
    set_cookies(request, response)
    return response


def _links(addresses: dict[str, str], current: str, words: Words) -> list[dict[str, Any]]:
    """Return the links of a bar with their titles, from their addresses by key; ``current`` is the key of this page."""
    return [
        {"href": href, "title": words(f"studio.bar.{key}"), "current": key == current}
        for key, href in addresses.items()
    ]


async def field_page(
    request: Request,
    name: str,
    field: str,
    values: Callable[[AppState, SavedField, Words], dict[str, Any]],
    error: PrintkitError | None = None,
) -> Response:
    """Render a page about a battlefield and start drawing it.

    Args:
        request: the request.
        name: the name of the template.
        field: the ID of the battlefield.
        values: returns more values for the template; called in the computing thread.
        error: what was wrong with the request.

    Raises:
        MissingError: the battlefield does not exist.
    """
    app, words, look = app_of(request), words_of(request), look_of(request, field)
    saved_field = app.sitting.find(field)
    app.pictures.wanted(look)
    page_values = await run_in_worker(request, values, app, saved_field, words)
    undone = request.query_params.get("undone", "")
    page_values |= await run_in_worker(request, undo_values, app, saved_field, undone, words)
    page_values["usual_s"] = ceil(app.pictures.seconds.get(saved_field.rules, 0))
    return render_response(request, name, field=field, error=error, kept=saved_field, svg=svg_of(look), **page_values)


def undo_values(app: AppState, saved_field: SavedField, undone: str, words: Words) -> dict[str, Any]:
    """Return the values of the undo and redo buttons: the change of the page, and the battlefield that was undone.

    ``undone`` is an ID from the query; it counts only if that battlefield comes from this one.
    """
    from printkit.studio.changes import summarise_change

    values: dict[str, Any] = {"changed_text": "", "undone": None, "undone_text": ""}
    with suppress(PrintkitError):
        values["changed_text"] = summarise_change(app, saved_field, words)
    with suppress(PrintkitError):
        child = app.sitting.find(undone)
        if child.parent == saved_field.id:
            values |= {"undone": child, "undone_text": summarise_change(app, child, words)}
    return values


async def apply_change(
    request: Request,
    work: Callable[..., SavedField],
    *arguments: Any,
    leads: str,
    wrong: Callable[..., Awaitable[Response]],
) -> Response:
    """Change the battlefield of a request, and redirect to a page of the new battlefield.

    Args:
        request: the request.
        work: called with the studio, the ID of the battlefield, ``arguments``, and the style and language of the
            drawing.
        arguments: the arguments that describe the change.
        leads: the end of the address to redirect to, after the ID.
        wrong: renders the page with the error.
    """
    field = request.path_params["field"]
    look = look_of(request, field)
    try:
        saved_field = await run_in_worker(request, work, app_of(request), field, *arguments, look.style, look.lang)
    except PrintkitError as error:
        return await wrong(request, error=error)
    return redirect(f"/field/{saved_field.id}/{leads}".rstrip("/"))


def set_cookies(request: Request, response: Response) -> None:
    """Set cookies for the language and style in the query."""
    for name, value in (("lang", lang_of(request)), ("style", style_of(request))):
        if request.query_params.get(name) == value:
            response.set_cookie(name, value, max_age=_YEAR, httponly=True, samesite="strict")


def redirect(path: str) -> Response:
    """Redirect to another page with status 303."""
    return RedirectResponse(path, 303)


def render_error(request: Request, error: Exception) -> Response:
    """Render a page with an error message of one line, for a request that raised an exception."""
    known_error = _as_known(error)
    return render_response(request, "error", here="-", status=_status(known_error), error=known_error)


def render_phone(request: Request, name: str, *, status: int = 200, **values: Any) -> Response:
    """Render a page for phones by the name of its template, without any link to the studio."""
    response = HTMLResponse(page(name, words_of(request), **values), status)
    set_cookies(request, response)
    return response


def refuse_phone(request: Request, error: Exception) -> Response:
    """Render the page of an error on a phone."""
    known_error, words = _as_known(error), words_of(request)
    title, message = words("studio.error.title"), words.translate(known_error.sentence)
    return render_phone(request, "notice", status=_status(known_error), title=title, message=message)


def _as_known(error: Exception) -> PrintkitError:
    """Return an error with a message; any other exception is a page that does not exist."""
    return error if isinstance(error, PrintkitError) else MissingError("there is no such page")


def _status(error: PrintkitError) -> int:
    """Return the HTTP status of an error: 404 if something does not exist, 422 for a wrong value."""
    return 404 if isinstance(error, MissingError) else 422


def svg_of(look: BoardLook) -> str:
    """Return the address of the SVG of a battlefield."""
    return f"/field/{look.field}.svg?style={look.style}&lang={look.lang}"


def look_of(request: Request, field: str) -> BoardLook:
    """Return the style and language in which the browser shows a battlefield."""
    return BoardLook(field=field, style=style_of(request), lang=lang_of(request))
