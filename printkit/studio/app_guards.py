"""Access control and security headers for all pages of the studio."""

from __future__ import annotations

import html
import re
import time
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from printkit.console.own_name import use_own_name
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number, parse_int
from printkit.core.words import find_words
from printkit.studio.app_state import Settings
from printkit.studio.limits.requests import BodyLimit, too_large
from printkit.studio.limits.values import LIMITS, Limits, WrongLinks
from printkit.studio.pages.render import page
from printkit.studio.tokens import cookie_name, tokens_match

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

# Seconds until a browser forgets the key: 400 days, which is the most that browsers allow.
_REMEMBERED: Final = 400 * 24 * 3600
_SAFE: Final = ("GET", "HEAD")
# Status codes that mark a wrong link.
_WRONG: Final = (401, 404)

# Paths that do not need the key.
_OPEN: Final = ("/static/", "/favicon.ico")

_POLICY_OF_ITS_OWN: Final = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')


def policy_of(text: str) -> str:
    """Return the Content-Security-Policy from the HTML of a page, plus a ban on frames; otherwise ``POLICY``."""
    match = _POLICY_OF_ITS_OWN.search(text)
    return f"{html.unescape(match[1])}; frame-ancestors 'none'" if match else POLICY


class Guard:
    """ASGI middleware that refuses foreign requests and adds security headers to every response.

    Args:
        app: the wrapped application.
        settings: the settings of the studio.
        limits: the limits for each visitor.
        links: for the listener of phones, the prefixes of paths with a token. They need no key.
    """

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits = LIMITS, links: tuple[str, ...] = ()) -> None:
        self.links = links
        self.most = limits.link_bytes if links else limits.bytes
        self.app = BodyLimit(app, settings.lang, limits, self.most)
        self.settings = settings
        self.wrong = WrongLinks(time.monotonic, limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["is_phone"] = bool(self.links)
        send_with_headers, address = _add_headers(send, scope), str((scope.get("client") or ("",))[0])
        # Links and the key can be guessed, so wrong ones are counted.
        is_link = scope["path"].startswith(self.links) if self.links else b"key=" in scope["query_string"]
        if is_link and self.wrong.is_refused(address):
            slower = self._refuse(429, Sentence("too many wrong links from your address; try again in a minute"))
            await slower(scope, receive, send_with_headers)
            return

        async def count_wrong_link(message: Message) -> None:
            if is_link and message["type"] == "http.response.start" and message["status"] in _WRONG:
                self.wrong.note(address)
            await send_with_headers(message)

        refusal = self._check_request(scope) or self._check_key(scope)
        await (refusal or self.app)(scope, receive, count_wrong_link)

    def _check_request(self, scope: Scope) -> PlainTextResponse | None:
        """Return a refusal if the host, the origin or the size of a request is not allowed; otherwise None."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own_host(host):
            return self._refuse(400, Sentence("that is not the name of this studio"))
        if scope["method"] not in _SAFE and not self._is_same_site(headers, host):
            return self._refuse(403, Sentence("that was sent by a page outside the studio"))
        if parse_int(headers.get("content-length", "0"), self.most) is None:
            return self._refuse(413, too_large(self.most))
        return None

    def _refuse(self, status: int, sentence: Sentence) -> PlainTextResponse:
        """Return a response of one line with an HTTP status."""
        return PlainTextResponse(f"{status}: {find_words(self.settings.lang).translate(sentence)}", status)

    def _is_own_host(self, host: str) -> bool:
        """Return whether the ``Host`` header of a request names the studio, with or without its port."""
        name, _, port = host.rpartition(":") if is_number(host.rpartition(":")[2]) else (host, "", "")
        own_port = not port or not self.settings.port or int(port) == self.settings.port
        return own_port and name.lower() in self.settings.hosts

    def _is_same_site(self, headers: Headers, host: str) -> bool:
        """Return whether a request comes from a page of the studio, by its headers."""
        site: str | None = headers.get("sec-fetch-site")
        origin: str | None = headers.get("origin")
        if site is not None and site != "same-origin":
            return False
        if origin is not None and origin != "null":
            return origin.partition("://")[2] == host
        return site == "same-origin"

    def _check_key(self, scope: Scope) -> Response | None:
        """Return None if a request may pass, a redirect that sets the cookie, or a refusal."""
        if self.links or scope["path"].startswith(_OPEN):
            return None
        key, name = self.settings.key, cookie_name(self.settings.port)
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        given_key = dict(query).get("key")
        if given_key is not None and tokens_match(given_key, key):
            rest = urlencode([(part, value) for part, value in query if part != "key"])
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(name, key, max_age=_REMEMBERED, httponly=True, samesite="strict")
            return answer
        cookie = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(name)
        if cookie is not None and tokens_match(cookie.value, key):
            return None
        words = find_words(self.settings.lang)
        message = words("studio.locked.what", command=use_own_name("printkit studio"))
        return HTMLResponse(page("notice", words, title=words("studio.locked.title"), message=message, others=()), 401)


def _add_headers(send: Send, scope: Scope) -> Send:
    """Return a function that sends messages with security headers added to the start of a response to ``scope``."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = headers.get("content-security-policy", POLICY)
            headers["X-Content-Type-Options"] = "nosniff"
            # With "same-origin" forms send their origin to the studio, and the address never goes to other sites.
            headers["Referrer-Policy"] = "same-origin"
            # Browsers accept this one only from this computer or over TLS, and complain about it on phones.
            if not scope["is_phone"]:
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            if scope["path"].startswith("/p/") or "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
        await send(message)

    return send_with_headers
