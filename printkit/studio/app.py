"""The web application of the studio: its routes and its guard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from mimetypes import guess_type
from typing import Final

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from printkit.core.errors import PrintkitError, Sentence
from printkit.core.words import find_words
from printkit.studio.app_guards import Guard
from printkit.studio.app_helpers import FOR_EVER, refuse_phone, render_error, words_of
from printkit.studio.app_routes import build_routes
from printkit.studio.app_state import AppState, Settings
from printkit.studio.limits.connections import fault_handler
from printkit.studio.limits.values import LIMITS, EventStreams, Limits
from printkit.studio.pages.render import assets
from printkit.studio.phones import PHONE_PAGES, ListenerState, PhoneListener
from printkit.studio.sealed_games import SealedGames

_LOG: Final = logging.getLogger(__name__)
_FAULTS: Final = count(1)

# Compression levels of gzip: fast on the same computer, small over a network.
_QUICK: Final = 1
_SMALL: Final = 6


def studio(
    settings: Settings,
    limits: Limits = LIMITS,
    show_phones: Callable[[ListenerState], None] | None = None,
    stop: Callable[[], None] = lambda: None,
) -> Starlette:
    """Return the application for an output folder, with limits for each visitor.

    ``show_phones`` is called when phones can connect, and when they no longer can, if it is given. ``stop`` ends the
    program.
    """
    app_state = AppState(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(fault_handler(find_words(settings.lang).translate, _LOG.error, loop.time))
        if settings.opens_phones and (addresses := phones.addresses()):
            await phones.open(addresses[0].host, settings.port)
        yield
        await phones.close()
        app_state.close()

    application = Starlette(
        routes=[
            *build_routes(),
            Route("/static/{name:path}", send_static),
            Route("/favicon.ico", send_icon),
            Route("/alive", send_alive),
        ],
        middleware=[
            Middleware(Guard, settings=settings, limits=limits),
            Middleware(GZipMiddleware, minimum_size=600, compresslevel=_QUICK),
        ],
        exception_handlers={**dict.fromkeys((404, 405, PrintkitError), render_error), Exception: show_fault},
        lifespan=lifespan,
    )
    application.state.desk = app_state
    application.state.games = SealedGames(app_state)
    application.state.stop = stop
    application.state.streams = EventStreams(limits)

    build_phone_pages = partial(phone_pages, application, limits=limits)
    application.state.phones = phones = PhoneListener(build_phone_pages, limits, show_change=show_phones)
    return application


def phone_pages(application: Starlette, host: str, port: int, limits: Limits = LIMITS) -> Starlette:
    """Return the smaller application of the listener for phones: the pages with a link, and static files.

    Args:
        application: the application of the studio, whose state the pages show.
        host: the only host name that requests may use.
        port: the only port.
        limits: the limits for each visitor.
    """
    settings = replace(application.state.desk.settings, hosts=(host,), port=port)
    links = tuple(page.partition("{")[0] for page in PHONE_PAGES)

    def is_for_phones(path: str) -> bool:
        return path.startswith("/static/") or any(f"{path}/".startswith(f"{page}/") for page in PHONE_PAGES)

    phones = Starlette(
        routes=[route for route in application.routes if isinstance(route, Route) and is_for_phones(route.path)],
        middleware=[
            Middleware(Guard, settings=settings, limits=limits, links=links),
            Middleware(GZipMiddleware, minimum_size=600, compresslevel=_SMALL),
        ],
        exception_handlers={**dict.fromkeys((404, 405, PrintkitError), refuse_phone), Exception: show_fault},
    )
    phones.state = application.state
    return phones


async def send_alive(request: Request) -> Response:
    """Return the output folder of the studio, so that a second start finds it."""
    return JSONResponse({"out": str(request.app.state.desk.settings.out.resolve())})


async def send_static(request: Request) -> Response:
    """Return a static file of the pages, or 404; only names from ``assets`` are served."""
    path = assets().get(request.path_params["name"])
    if path is None:
        return PlainTextResponse("404", 404)
    kind = "text/javascript" if path.suffix == ".js" else guess_type(path.name)[0] or "application/octet-stream"
    kind = "font/woff2" if path.suffix == ".woff2" else kind
    return Response(path.read_bytes(), media_type=kind, headers=FOR_EVER)


async def send_icon(request: Request) -> Response:
    """Return the icon for browsers that request ``/favicon.ico``."""
    request.path_params["name"] = "icon.svg"
    return await send_static(request)


def show_fault(request: Request, error: Exception) -> Response:
    """Return a one-line page for a bug in printkit, with the number of its entry in the terminal log."""
    number = next(_FAULTS)
    details = " ".join(f"{type(error).__name__}: {error}".split())
    _LOG.error("fault %d at %r: %s", number, request.url.path, details)
    message = Sentence("this is a bug in printkit, number {number}; the terminal shows which", number=number)
    return PlainTextResponse(f"500: {words_of(request).translate(message)}", 500)
