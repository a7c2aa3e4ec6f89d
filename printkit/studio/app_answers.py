"""Helpers of the request handlers: forms, languages, pages and one-line errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar, cast
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from printkit.core.errors import PrintkitError, Sentence, UsageError
from printkit.core.words import Words, available_languages
from printkit.studio.desk import STYLE, AppState
from printkit.studio.forms import styles as style_control
from printkit.studio.limits.values import EventStreams
from printkit.studio.pages.render import page
from printkit.studio.pictures import BoardLook
from printkit.studio.sitting import SavedField

T = TypeVar("T")

# For responses whose address changes with their content.
FOR_EVER: Final = {"Cache-Control": "private, max-age=31536000, immutable"}

_YEAR: Final = 31536000
_LARGEST_FORM: Final = 2**20

# Characters of a short form field.
_LONGEST: Final = 2000

_OF_A_FIELD: Final = (
    ("field", ""),
    ("throws", "/throws"),
    ("hand", "/hand"),
    ("print", "/print"),
    ("evening", "/evening"),
)
_OTHERS: Final = (("hands", "/hands"), ("battle", "/battle"), ("check", "/check"))


def desk_of(request: Request) -> AppState:
    """Return the state of the studio."""
    found: AppState = request.app.state.desk
    return found


def streams_of(request: Request) -> EventStreams:
    """Return the open event streams."""
    found: EventStreams = request.app.state.streams
    return found


async def of(future: Future[T]) -> T:
    """Wait for the result of a thread without blocking other requests."""
    return await asyncio.wrap_future(future)


async def run_in_worker(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Call a function in the computing thread and return its result."""
    return await of(desk_of(request).think(work, *given))


async def run(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Call a function in the command thread; commands parse text from the user in a separate process."""
    return await of(desk_of(request).run(work, *given))


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
    found = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    for name, value in found.items():
        if name not in texts and max(len(name), len(value)) > _LONGEST:
            raise UsageError("{name} is longer than {most} characters", name=repr(name[:40]), most=_LONGEST)
    return found


def lang_of(request: Request) -> str:
    """Return the language that the browser chose, otherwise that of the studio."""
    asked: tuple[str, ...] = (request.query_params.get("lang", ""), request.cookies.get("lang", ""))
    for chosen in asked:
        if chosen in available_languages():
            return chosen
    return desk_of(request).settings.lang


def words_of(request: Request) -> Words:
    """Return the words of the language that the browser chose."""
    return desk_of(request).words(lang_of(request))


def style_of(request: Request) -> str:
    """Return the map style that the browser chose, otherwise the default."""
    known = {choice.value for choice in style_control("", words_of(request)).choices}
    asked: tuple[str, ...] = (request.query_params.get("style", ""), request.cookies.get("style", ""))
    for chosen in asked:
        if chosen in known:
            return chosen
    return STYLE


def answer(
    request: Request, name: str, *, field: str = "", here: str = "", status: int = 200, **values: Any
) -> Response:
    """Render a page with the navigation bar.

    Args:
        request: the request.
        name: the name of the template.
        field: the ID of the battlefield that the bar links to; the latest one if empty.
        here: the current page in the bar; ``name`` if empty.
        status: the HTTP status.
        values: the values of the template.
    """
    desk, words = desk_of(request), words_of(request)
    if not field and (last := desk.sitting.last):
        field = last.id
    bar = [(key, f"/field/{field}{end}" if field else "/") for key, end in _OF_A_FIELD] + list(_OTHERS)
    pages = [{"href": href, "title": words(f"studio.nav.{key}"), "current": key == (here or name)} for key, href in bar]
    values.setdefault("error", "")
    text = page(
        name,
        words,
        pages=pages,
        t_map=words("studio.map.keys"),
        t_layers=words("studio.field.layers"),
        t_zoom=words("studio.map.zoom"),
        t_near=words("studio.map.near"),
        t_far=words("studio.map.far"),
        t_whole=words("studio.map.whole"),
        **values,
    )
    made = HTMLResponse(text, status)
    remember(request, made)
    return made


async def field_page(
    request: Request,
    name: str,
    field: str,
    values: Callable[[AppState, SavedField, Words], dict[str, Any]],
    *,
    error: str = "",
    status: int = 200,
) -> Response:
    """Render a page about a battlefield and start drawing it; an unknown ID gives a 404 page.

    Args:
        request: the request.
        name: the name of the template.
        field: the ID of the battlefield.
        values: returns more values for the template; called in the computing thread.
        error: an error message of one line.
        status: the HTTP status.
    """
    desk, words, look = desk_of(request), words_of(request), look_of(request, field)
    try:
        kept = desk.sitting.find(field)
        desk.pictures.wanted(look)
        found = await run_in_worker(request, values, desk, kept, words)
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    return answer(request, name, field=field, error=error, status=status, kept=kept, svg=svg_of(look), **found)


async def changed(
    request: Request,
    work: Callable[..., SavedField],
    *given: Any,
    leads: str,
    wrong: Callable[..., Awaitable[Response]],
) -> Response:
    """Change the battlefield of a request, and redirect to a page of the new battlefield.

    Args:
        request: the request.
        work: called with the studio, the ID of the battlefield, ``given``, and the style and language of the drawing.
        given: the arguments that describe the change.
        leads: the end of the address to redirect to, after the ID.
        wrong: renders the page with the error.
    """
    field = request.path_params["field"]
    look = look_of(request, field)
    try:
        kept = await run_in_worker(request, work, desk_of(request), field, *given, look.style, look.lang)
    except PrintkitError as error:
        return await wrong(request, field, error=complaint(error, words_of(request)), status=422)
    return redirect(f"/field/{kept.id}/{leads}")


def remember(request: Request, made: Response) -> None:
    """Set cookies for the language and style in the query."""
    for name, found in (("lang", lang_of(request)), ("style", style_of(request))):
        if request.query_params.get(name) == found:
            made.set_cookie(name, found, max_age=_YEAR, httponly=True, samesite="strict")


def redirect(path: str) -> Response:
    """Redirect to another page with status 303."""
    return RedirectResponse(path, 303)


def complaint(error: PrintkitError, words: Words) -> str:
    """Return the error message in the language of the page, in one line."""
    return words.translate(error.sentence)


def refused(request: Request, error: PrintkitError, status: int = 422) -> Response:
    """Render a page with an error message of one line."""
    return answer(request, "error", here="-", status=status, error=complaint(error, words_of(request)))


def unfit(request: Request, error: Exception) -> Response:
    """Render the page for a request that raised a PrintkitError."""
    return refused(request, cast(PrintkitError, error))


def missing(request: Request, error: Exception) -> Response:
    """Render the 404 page."""
    del error
    told = words_of(request).translate(Sentence("there is no such page"))
    return answer(request, "error", here="-", status=404, error=told)


def svg_of(look: BoardLook) -> str:
    """Return the address of the SVG of a battlefield."""
    return f"/field/{look.field}.svg?style={look.style}&lang={look.lang}"


def look_of(request: Request, field: str) -> BoardLook:
    """Return the style and language in which the browser shows a battlefield."""
    return BoardLook(field=field, style=style_of(request), lang=lang_of(request))
