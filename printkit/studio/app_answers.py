"""Requests read and answers made: forms, languages, pages, errors in one line."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar, cast
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from printkit.core.errors import PrintkitError, Sentence, UsageError
from printkit.core.words import Words, languages_known
from printkit.studio.desk import STYLE, Desk
from printkit.studio.forms import styles as style_control
from printkit.studio.limits.values import EventStreams
from printkit.studio.pages.render import page
from printkit.studio.pictures import BoardLook
from printkit.studio.sitting import KeptField

T = TypeVar("T")

FOR_EVER: Final = {"Cache-Control": "private, max-age=31536000, immutable"}
"""What has an address of its own never changes."""

_YEAR: Final = 31536000
_LARGEST_FORM: Final = 2**20

# Letters of a field of a form that is read here.
_LONGEST: Final = 2000

_OF_A_FIELD: Final = (
    ("field", ""),
    ("throws", "/throws"),
    ("hand", "/hand"),
    ("print", "/print"),
    ("evening", "/evening"),
)
_OTHERS: Final = (("hands", "/hands"), ("battle", "/battle"), ("check", "/check"))


def desk_of(request: Request) -> Desk:
    """Return the studio that a request came to."""
    found: Desk = request.app.state.desk
    return found


def streams_of(request: Request) -> EventStreams:
    """Return the open streams of events of the listener that a request came to."""
    found: EventStreams = request.app.state.streams
    return found


async def of(future: Future[T]) -> T:
    """Return what a thread is at, without keeping other requests from being answered."""
    return await asyncio.wrap_future(future)


async def thought(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Return what a function returns that a thread calls."""
    return await of(desk_of(request).think(work, *given))


async def run(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Return what a function returns that waits for a command: what a person has written is read in its process."""
    return await of(desk_of(request).run(work, *given))


async def sent(request: Request, *texts: str) -> dict[str, str]:
    """Return what a form has sent; the last of a name.

    Args:
        request: that has sent it.
        texts: the names of free texts, which a command reads in a process of its own; the others are short.

    Raises:
        UsageError: one is not short.
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
    """Return the language that a browser has chosen, else that of the studio."""
    asked: tuple[str, ...] = (request.query_params.get("lang", ""), request.cookies.get("lang", ""))
    for chosen in asked:
        if chosen in languages_known():
            return chosen
    return desk_of(request).settings.lang


def words_of(request: Request) -> Words:
    """Return the words of the language that a browser has chosen."""
    return desk_of(request).words(lang_of(request))


def style_of(request: Request) -> str:
    """Return the style that a browser has chosen."""
    known = {choice.value for choice in style_control("", words_of(request)).choices}
    asked: tuple[str, ...] = (request.query_params.get("style", ""), request.cookies.get("style", ""))
    for chosen in asked:
        if chosen in known:
            return chosen
    return STYLE


def answer(
    request: Request, name: str, *, field: str = "", here: str = "", status: int = 200, **values: Any
) -> Response:
    """Return a page.

    Args:
        request: that is answered.
        name: of its template.
        field: the address of the field that it is about, to which the bar leads; the last one if empty.
        here: which of the pages of the bar it is; as ``name`` if empty.
        status: of HTTP.
        values: what it shows.
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
    values: Callable[[Desk, KeptField, Words], dict[str, Any]],
    *,
    error: str = "",
    status: int = 200,
) -> Response:
    """Return a page about a field, of which the drawing is begun; a page that says so where there is none.

    Args:
        request: that is answered.
        name: of the template.
        field: the address.
        values: what the template shows besides, found by the thread that thinks.
        error: what is wrong, in one line.
        status: of HTTP.
    """
    desk, words, look = desk_of(request), words_of(request), look_of(request, field)
    try:
        kept = desk.sitting.find(field)
        desk.pictures.wanted(look)
        found = await thought(request, values, desk, kept, words)
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    return answer(request, name, field=field, error=error, status=status, kept=kept, svg=svg_of(look), **found)


async def changed(
    request: Request,
    work: Callable[..., KeptField],
    *given: Any,
    leads: str,
    wrong: Callable[..., Awaitable[Response]],
) -> Response:
    """Change the field of a request, and lead to what came of it.

    Args:
        request: that is answered.
        work: is called with the studio, the field, what is ``given``, and the style and language of the drawing.
        given: what is changed.
        leads: what the address of the page has after that of the field.
        wrong: makes the page that says what cannot be.
    """
    field = request.path_params["field"]
    look = look_of(request, field)
    try:
        kept = await thought(request, work, desk_of(request), field, *given, look.style, look.lang)
    except PrintkitError as error:
        return await wrong(request, field, error=complaint(error, words_of(request)), status=422)
    return go_to(f"/field/{kept.id}/{leads}")


def remember(request: Request, made: Response) -> None:
    """Have a browser remember the language and style that its address asks for."""
    for name, found in (("lang", lang_of(request)), ("style", style_of(request))):
        if request.query_params.get(name) == found:
            made.set_cookie(name, found, max_age=_YEAR, httponly=True, samesite="strict")


def go_to(path: str) -> Response:
    """Return an answer that leads to another page."""
    return RedirectResponse(path, 303)


def complaint(error: PrintkitError, words: Words) -> str:
    """Return what a person is told of an error, in one line."""
    return words.say(error.sentence)


def refused(request: Request, error: PrintkitError, status: int = 422) -> Response:
    """Return a page that says in one line what is wrong."""
    return answer(request, "error", here="-", status=status, error=complaint(error, words_of(request)))


def unfit(request: Request, error: Exception) -> Response:
    """Say in one line what is wrong with a request that could not be read."""
    return refused(request, cast(PrintkitError, error))


def missing(request: Request, error: Exception) -> Response:
    """Return a page that says that there is nothing at an address."""
    del error
    told = words_of(request).say(Sentence("there is no such page"))
    return answer(request, "error", here="-", status=404, error=told)


def svg_of(look: BoardLook) -> str:
    """Return the address of the drawing of a field."""
    return f"/field/{look.field}.svg?style={look.style}&lang={look.lang}"


def look_of(request: Request, field: str) -> BoardLook:
    """Return how a browser wants a field drawn."""
    return BoardLook(field=field, style=style_of(request), lang=lang_of(request))
